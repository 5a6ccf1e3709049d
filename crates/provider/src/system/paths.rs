//! Checks of paths that programs resolve by themselves.
//!
//! A program that receives a path follows the links of all users. Where possible, it receives the path of an open file instead
//! ([`Held`](rtype_system::Held), [`Scratch`](rtype_system::Scratch)). Otherwise the path must be under the control of root and the user
//! of this process alone. `tests/house.rs` lists all programs and how their paths are protected.

use super::System;
use crate::ProviderError;
use rtype_system::Stat;
use std::path::Path;

/// The help for a path that another user can change.
const HELP: &str = "let root own the directories of the path, or use another path";

impl System {
    /// Checks that no other user can change which file a path leads to.
    ///
    /// # Errors
    /// If another user can; the message names the user and the component of the path.
    pub fn check_path(&self, absolute: &str) -> Result<(), ProviderError> {
        let checked = self.tree().check_own(Path::new(absolute));
        checked.map_err(|e| ProviderError::new(format!("another user controls the path {absolute}: {e}")).help(HELP))
    }

    /// Checks that no other user can change a file or which file the path leads to. Returns its metadata, `None` if it does not exist.
    ///
    /// # Errors
    /// If another user can; the message names the user and the component of the path.
    pub fn check_file(&self, absolute: &str) -> Result<Option<Stat>, ProviderError> {
        self.tree().check_trusted(Path::new(absolute)).map_err(|why| ProviderError::new(why.message).help(why.help))
    }
}
