//! Files: replaced as a whole, or not at all.

use super::draft::no_directory;
use super::{Access, System};
use crate::ProviderError;
use rtype_system::Expected;
use std::io::ErrorKind;
use std::path::Path;

/// What a file gets that is replaced or made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replace {
    /// The permissions of a new file; by default `0644`, restricted by the umask. An existing file keeps its permissions.
    pub mode: Option<u32>,
    /// The owner of a new file.
    pub owner: Option<u32>,
    /// The group of a new file.
    pub group: Option<u32>,
    /// The required owner of an existing file; a file of another user is not replaced.
    pub only_of: Option<u32>,
}

impl System {
    /// Returns the error of something that cannot be written, with help if there is any.
    pub fn cannot_write(absolute: &str, error: &std::io::Error) -> ProviderError {
        match error.kind() {
            ErrorKind::PermissionDenied => denied(format!("cannot write {absolute}: permission denied")),
            ErrorKind::StorageFull => ProviderError::new(format!("cannot write {absolute}: no space is left on the device"))
                .help("make room; the old file is kept"),
            ErrorKind::ReadOnlyFilesystem => ProviderError::new(format!("cannot write {absolute}: the file system is read-only")),
            _ => with_help(ProviderError::new(format!("cannot write {absolute}: {error}")), error),
        }
    }

    /// Returns the error of a file that exists but cannot be read, with help if there is any.
    pub fn cannot_read(absolute: &str, error: &std::io::Error) -> ProviderError {
        match error.kind() {
            ErrorKind::PermissionDenied => denied(format!("cannot read {absolute}: permission denied")),
            _ => with_help(ProviderError::new(format!("cannot read {absolute}: {error}")), error),
        }
    }

    /// Replaces the content of a file atomically. Owner, permissions, access control list and labels of an existing
    /// file are kept; for a symbolic link, the target is replaced.
    ///
    /// # Errors
    /// If it cannot be written; the old file is then unchanged.
    pub fn replace(&self, absolute: &str, content: &[u8], new: Replace) -> Result<(), ProviderError> {
        self.put(absolute, content, new, None)
    }

    /// The same, unless the file has changed since it was read: what `old` says it was, `None` for no file.
    ///
    /// # Errors
    /// As [`System::replace`], and when another process has written it in the meantime.
    pub fn replace_unchanged(&self, absolute: &str, old: Option<&[u8]>, content: &[u8], new: Replace) -> Result<(), ProviderError> {
        self.put(absolute, content, new, Some(old))
    }

    fn put(&self, absolute: &str, content: &[u8], new: Replace, expected: Option<Option<&[u8]>>) -> Result<(), ProviderError> {
        let access = Access { owner: new.owner, group: new.group, mode: new.mode };
        let expected = Expected { content: expected, owner: new.only_of };
        match self.tree.replace(Path::new(absolute), content, access, expected) {
            Ok(true) => Ok(()),
            Ok(false) => Err(ProviderError::new(format!("{absolute} was changed by another process")).help("run again")),
            Err(e) if e.kind() == ErrorKind::NotFound => Err(no_directory(absolute, None)),
            Err(e) => Err(Self::cannot_write(absolute, &e)),
        }
    }
}

/// Root itself is denied something by network file systems and security modules.
fn denied(message: String) -> ProviderError {
    let denied = ProviderError::new(message);
    if nix::unistd::Uid::effective().is_root() { denied } else { denied.help("run as root") }
}

fn with_help(shown: ProviderError, error: &std::io::Error) -> ProviderError {
    match rtype_system::help_of(error) {
        Some(help) => shown.help(help),
        None => shown,
    }
}
