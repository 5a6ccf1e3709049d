//! Reaching files with the rights of another user.

use crate::ProviderError;
use nix::unistd::{Gid, Uid, setfsgid, setfsuid};

/// The rights of another user to files, for this thread, until it is dropped.
pub(super) struct Rights;

impl Rights {
    /// Switches file access to the privileges of a user; returns `None` if the process already has them.
    ///
    /// # Errors
    /// If this process lacks the permission.
    pub(super) fn of(name: &str, uid: u32, gid: u32) -> Result<Option<Rights>, ProviderError> {
        if Uid::effective().as_raw() == uid {
            return Ok(None);
        }
        let rights = Rights;
        setfsgid(Gid::from_raw(gid));
        setfsuid(Uid::from_raw(uid));
        // These calls report no errors, only the previous ID.
        let is = (setfsuid(Uid::from_raw(uid)), setfsgid(Gid::from_raw(gid)));
        if (is.0.as_raw(), is.1.as_raw()) != (uid, gid) {
            return Err(ProviderError::new(format!("cannot use files as {name}")).help("run as root"));
        }
        Ok(Some(rights))
    }
}

impl Drop for Rights {
    fn drop(&mut self) {
        setfsuid(Uid::effective());
        setfsgid(Gid::effective());
    }
}
