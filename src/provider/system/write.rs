//! Files: replaced as a whole, or not at all.

use super::{Access, System};
use crate::provider::ProviderError;
use std::io::ErrorKind;

/// What a file gets that is replaced or made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replace {
    /// The permissions of a file that is new; otherwise `0644`, less what the umask takes away. One that is there keeps its own.
    pub mode: Option<u32>,
    /// The owner of a file that is new.
    pub owner: Option<u32>,
    /// The group of a file that is new.
    pub group: Option<u32>,
}

impl System {
    /// The error of something that cannot be written, with the way out where there is one.
    pub fn cannot_write(absolute: &str, error: &std::io::Error) -> ProviderError {
        match error.kind() {
            ErrorKind::PermissionDenied => ProviderError::new(format!("cannot write {absolute}: permission denied")).help("run as root"),
            ErrorKind::StorageFull => ProviderError::new(format!("cannot write {absolute}: no space is left on the device"))
                .help("make room; the old file is kept"),
            ErrorKind::ReadOnlyFilesystem => ProviderError::new(format!("cannot write {absolute}: the file system is read-only")),
            _ => ProviderError::new(format!("cannot write {absolute}: {error}")),
        }
    }

    /// Gives a file new content in one step: at each moment there is the old file or the new one. Owner, permissions,
    /// access control list and labels of a file that is there are kept; of a symbolic link its target is replaced.
    ///
    /// # Errors
    /// When it cannot be written; the old file is there then.
    pub fn replace(&self, absolute: &str, content: &[u8], new: Replace) -> Result<(), ProviderError> {
        let access = match self.path(absolute).metadata() {
            Ok(old) if !old.is_file() => return Err(Self::cannot_write(absolute, &std::io::Error::other("it is no file"))),
            Ok(_) => Access::default(),
            Err(_) => Access { owner: new.owner, group: new.group, mode: new.mode },
        };
        let mut draft = self.draft(absolute, access, true, None)?;
        draft.write(content)?;
        draft.publish()
    }

    /// The same, unless the file has changed since it was read: what `old` says it was, `None` for no file.
    ///
    /// # Errors
    /// As [`System::replace`], and when somebody else has written it in the meantime.
    pub fn replace_unchanged(&self, absolute: &str, old: Option<&[u8]>, content: &[u8], new: Replace) -> Result<(), ProviderError> {
        if self.read_bytes(absolute)?.as_deref() != old {
            return Err(ProviderError::new(format!("{absolute} was changed by somebody else in the meantime")).help("run again"));
        }
        self.replace(absolute, content, new)
    }
}
