//! Access to the file system through file descriptors.
//!
//! A path is resolved once, component by component, without following symbolic links that another user controls. The result is a
//! [`DirectoryEntry`]: an open directory and a name. All further operations are relative to the open directory, so that no other user can
//! insert a link between the check and the operation.
//!
//! `control` finds the users who control a path. Only root and the user of this process are trusted. `docs/apply.md` documents the rules
//! for users. [`trust`] applies the rules to files that rtype executes or reads as code.
//!
//! [`named`] gives access to paths that the user chose, [`programs`] to programs, and [`process`] to the rest of the
//! process environment. No other module calls `std::fs` (`clippy.toml`).
#![allow(clippy::disallowed_methods, reason = "this is the module that reaches the machine")]

mod acl;
mod change;
mod control;
mod copy;
mod directory;
mod draft;
mod kept;
mod leftover;
pub mod named;
pub mod process;
pub mod programs;
mod read;
mod remove;
mod scratch;
mod start;
mod stat;
mod tree;
pub mod trust;

pub use change::Access;
pub use control::{Refused, help_of};
pub use directory::Directory;
pub use draft::{Expected, PendingFile, publish_all};
pub use kept::Kept;
pub use read::{Limit, is_too_large};
pub use scratch::Scratch;
pub use start::{Terminal, start};
pub use stat::Stat;
pub use tree::{DirectoryEntry, Held, Tree};

#[cfg(test)]
mod tests;
