//! Access to the file system by descriptor.
//!
//! A path is resolved once, component by component, without following a symbolic link that another user controls. What comes
//! out is a [`Place`]: an open directory and a name in it. Everything after that is done relative to the open directory, so
//! that no other user can put a link in the way between the check and the operation.
//!
//! Who controls what is decided in `control`: only root and the user of this process are trusted. `docs/apply.md` has the rules
//! for readers. [`trust`] applies it to what rtype runs and reads as code.
//!
//! Paths that the user chose are reached by [`named`], programs by [`programs`], the rest of what is around a process by [`process`]: no
//! other module calls `std::fs` (`clippy.toml`).
#![allow(clippy::disallowed_methods, reason = "this is the module that reaches the machine")]

mod change;
mod control;
mod copy;
mod directory;
mod draft;
mod leftover;
pub mod named;
pub mod process;
pub mod programs;
mod read;
mod remove;
mod scratch;
mod stat;
mod tree;
pub mod trust;

pub use change::Access;
pub use control::{Refused, help_of};
pub use directory::Directory;
pub use draft::{Draft, Expected};
pub use read::{Limit, is_too_large};
pub use scratch::Scratch;
pub use stat::Stat;
pub use tree::{Held, Place, Tree};

#[cfg(test)]
mod tests;
