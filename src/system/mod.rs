//! Access to the file system by descriptor.
//!
//! A path is resolved once, component by component, without following a symbolic link that another user controls. What comes
//! out is a [`Place`]: an open directory and a name in it. Everything after that is done relative to the open directory, so
//! that nobody can put a link in the way between the check and the operation.
//!
//! Who controls what is decided in `control`: only root and the user of this process are trusted. `docs/apply.md` has the rules
//! for readers.
#![allow(clippy::disallowed_methods, reason = "this is the module that touches the file system")]

mod change;
mod control;
mod copy;
mod directory;
mod draft;
mod leftover;
mod read;
mod remove;
mod scratch;
mod stat;
mod tree;

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
