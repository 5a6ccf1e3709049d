//! Files: replaced as a whole, or not at all.

use super::System;
use crate::provider::ProviderError;
use nix::unistd::{Gid, Uid, fchown};
use std::fs::{File, Metadata, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

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
            ErrorKind::StorageFull => {
                ProviderError::new(format!("cannot write {absolute}: no space is left on the device")).help("make room; the old file is kept")
            }
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
        let path = self.path(absolute);
        let path = match path.symlink_metadata() {
            Ok(m) if m.is_symlink() => path.canonicalize().map_err(|e| Self::cannot_write(absolute, &e))?,
            _ => path,
        };
        replace(&path, content, new).map_err(|e| Self::cannot_write(absolute, &e))
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

fn replace(path: &Path, content: &[u8], new: Replace) -> std::io::Result<()> {
    let old = match path.metadata() {
        Ok(old) => Some(old),
        Err(e) if e.kind() == ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    if old.as_ref().is_some_and(|m| !m.is_file()) {
        return Err(std::io::Error::other("it is no file"));
    }
    let folder = path.parent().unwrap_or(Path::new("/"));
    // Names that begin with a dot are passed over by most programs that read all files of a directory.
    let mut file = tempfile::Builder::new().prefix(".rtype-").permissions(Permissions::from_mode(0o600)).tempfile_in(folder)?;
    file.write_all(content)?;
    dress(file.as_file(), path, old.as_ref(), new)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    // Without this the new name may be lost when the power goes; some file systems cannot do it.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Gives a new file what the old one has beside its content.
fn dress(file: &File, path: &Path, old: Option<&Metadata>, new: Replace) -> std::io::Result<()> {
    let (uid, gid) = old.map_or((new.owner, new.group), |m| (Some(m.uid()), Some(m.gid())));
    let is = file.metadata()?;
    if uid.is_some_and(|u| u != is.uid()) || gid.is_some_and(|g| g != is.gid()) {
        fchown(file, uid.map(Uid::from_raw), gid.map(Gid::from_raw))?;
    }
    let mode = match old {
        Some(old) => old.mode() & 0o7777,
        None => new.mode.unwrap_or_else(|| 0o666 & !umask()),
    };
    file.set_permissions(Permissions::from_mode(mode))?;
    if old.is_some() {
        copy_attributes(path, file)?;
    }
    Ok(())
}

/// What the umask of this process takes away.
fn umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("Umask:"));
    line.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or(0o022)
}

/// Access control lists and labels: extended attributes.
fn copy_attributes(path: &Path, file: &File) -> std::io::Result<()> {
    use xattr::FileExt;
    let Ok(names) = xattr::list(path) else { return Ok(()) };
    for name in names {
        let Ok(Some(value)) = xattr::get(path, &name) else { continue };
        match file.set_xattr(&name, &value) {
            Ok(()) => {}
            // Labels that only the kernel sets are set by it.
            Err(_) if !name.to_string_lossy().starts_with("system.posix_acl") => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}
