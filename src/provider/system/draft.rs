//! Drafts: what is to stand at a path is made beside it, and put in its place in one step.

use super::System;
use super::leftover::{PREFIX, begin};
use crate::provider::ProviderError;
use nix::fcntl::{AT_FDCWD, AtFlags, RenameFlags, renameat2};
use nix::unistd::{Gid, Uid, fchown, fchownat};
use std::fs::{File, Metadata, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// Who owns something and who may do what with it. What is not said is kept; for what is new it is as for everything that
/// this process makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The number of its owner.
    pub owner: Option<u32>,
    /// The number of its group.
    pub group: Option<u32>,
    /// Its permissions.
    pub mode: Option<u32>,
}

/// A file that is being made and has its owner and permissions already. Dropping it leaves what is at the path.
#[derive(Debug)]
pub struct Draft {
    absolute: String,
    target: PathBuf,
    file: NamedTempFile,
    mode: u32,
}

impl System {
    /// Begins a file that is to take the place of what is at a path. What `access` does not say it takes from a file that is
    /// there, access control list and labels among it. Of a symbolic link the target is meant where it is to be followed,
    /// else the link itself.
    ///
    /// It is made in the directory `staging`, or beside the path.
    ///
    /// # Errors
    /// When nothing can be made there.
    pub fn draft(&self, absolute: &str, access: Access, follow: bool, staging: Option<&str>) -> Result<Draft, ProviderError> {
        let path = self.path(absolute);
        let found = match path.symlink_metadata() {
            Ok(m) if m.is_symlink() && follow => {
                let target = path.canonicalize().map_err(|e| Self::cannot_write(absolute, &e))?;
                target.symlink_metadata().map(|m| (target, Some(m)))
            }
            Ok(m) => Ok((path, Some(m))),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok((path, None)),
            Err(e) => Err(e),
        };
        let (target, old) = found.map_err(|e| Self::cannot_write(absolute, &e))?;
        let folder = staging.map_or_else(|| parent(&target).to_owned(), |staging| self.path(staging));
        self.sweep(&folder);
        self.sweep(parent(&target));
        let begin = || -> std::io::Result<(NamedTempFile, u32)> {
            let old = old.as_ref().filter(|m| m.is_file());
            let file = begin(&folder)?;
            let mode = dress(file.as_file(), &target, old, access)?;
            Ok((file, mode))
        };
        match begin() {
            Ok((file, mode)) => Ok(Draft { absolute: absolute.to_owned(), target, file, mode }),
            Err(e) if e.kind() == ErrorKind::NotFound => Err(no_directory(absolute, staging)),
            Err(e) => Err(Self::cannot_write(absolute, &e)),
        }
    }

    /// Makes a symbolic link, in the place of what is at the path.
    ///
    /// # Errors
    /// When it cannot be made; what was there is there then.
    pub fn make_link(&self, absolute: &str, target: &str, access: Access) -> Result<(), ProviderError> {
        let path = self.path(absolute);
        let make = || -> std::io::Result<()> {
            let made = tempfile::Builder::new().prefix(PREFIX).make_in(parent(&path), |name| symlink(target, name))?.into_temp_path();
            own(&made, access, false)?;
            put(&made, &path)?;
            disarm(made)
        };
        make().map_err(|e| missing(absolute, &e))
    }

    /// Makes a directory, in the place of what is at the path.
    ///
    /// # Errors
    /// When it cannot be made; what was there is there then.
    pub fn make_directory(&self, absolute: &str, access: Access) -> Result<(), ProviderError> {
        let path = self.path(absolute);
        let make = || -> std::io::Result<()> {
            let made = tempfile::Builder::new().prefix(PREFIX).permissions(Permissions::from_mode(0o700)).tempdir_in(parent(&path))?;
            own(made.path(), access, false)?;
            let mode = access.mode.unwrap_or_else(|| 0o777 & !umask());
            std::fs::set_permissions(made.path(), Permissions::from_mode(mode))?;
            put(made.path(), &path)?;
            drop(made.keep());
            Ok(())
        };
        make().map_err(|e| missing(absolute, &e))
    }

    /// Removes what is at a path, a directory with all that is in it.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self, absolute: &str) -> Result<(), ProviderError> {
        let path = self.path(absolute);
        match path.symlink_metadata().and_then(|m| remove(&path, &m)) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(Self::cannot_write(absolute, &e)),
            _ => Ok(()),
        }
    }

    /// Gives what is at a path another owner or group. The bits that this takes away for safety's sake, those of setuid and
    /// setgid, are given back.
    ///
    /// # Errors
    /// When it cannot be done.
    pub fn set_owner(&self, absolute: &str, access: Access, follow: bool) -> Result<(), ProviderError> {
        let path = self.path(absolute);
        let set = || -> std::io::Result<()> {
            let stat = if follow { path.metadata()? } else { path.symlink_metadata()? };
            own(&path, access, follow)?;
            if stat.is_file() && stat.mode() & 0o6000 != 0 {
                std::fs::set_permissions(&path, Permissions::from_mode(stat.mode() & 0o7777))?;
            }
            Ok(())
        };
        set().map_err(|e| Self::cannot_write(absolute, &e))
    }

    /// Gives what is at a path, or where a link leads to, other permissions.
    ///
    /// # Errors
    /// When it cannot be done.
    pub fn set_mode(&self, absolute: &str, mode: u32) -> Result<(), ProviderError> {
        std::fs::set_permissions(self.path(absolute), Permissions::from_mode(mode)).map_err(|e| Self::cannot_write(absolute, &e))
    }
}

impl Draft {
    /// The file, for its content.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Writes to it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, content: &[u8]) -> Result<(), ProviderError> {
        self.file.write_all(content).map_err(|e| self.failed(&e))
    }

    /// Where it is for now.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The error of something that went wrong with it.
    pub fn failed(&self, error: &std::io::Error) -> ProviderError {
        System::cannot_write(&self.absolute, error)
    }

    /// Puts it in its place: before this there is the old, after it the new, and nothing between them.
    ///
    /// # Errors
    /// When that cannot be done; the old is there then.
    pub fn publish(self) -> Result<(), ProviderError> {
        let Draft { absolute, target, file, mode } = self;
        let publish = || -> std::io::Result<()> {
            // Writing takes the bits of setuid and setgid away.
            file.as_file().set_permissions(Permissions::from_mode(mode))?;
            file.as_file().sync_all()?;
            let elsewhere = file.path().parent().and_then(|p| p.metadata().ok()).map(|m| m.dev());
            if elsewhere == parent(&target).metadata().ok().map(|m| m.dev()) {
                put(file.path(), &target)?;
                return disarm(file.into_temp_path());
            }
            // From another file system nothing can be moved in one step.
            let near = begin(parent(&target))?;
            dress(near.as_file(), file.path(), Some(&file.as_file().metadata()?), Access::default())?;
            std::io::copy(&mut file.reopen()?, &mut near.as_file())?;
            near.as_file().set_permissions(Permissions::from_mode(mode))?;
            near.as_file().sync_all()?;
            put(near.path(), &target)?;
            disarm(near.into_temp_path())
        };
        publish().map_err(|e| System::cannot_write(&absolute, &e))
    }
}

/// What was moved away is not to be removed under its old name.
fn disarm(made: TempPath) -> std::io::Result<()> {
    made.keep().map(drop).map_err(|e| e.error)
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

fn missing(absolute: &str, error: &std::io::Error) -> ProviderError {
    if error.kind() == ErrorKind::NotFound { no_directory(absolute, None) } else { System::cannot_write(absolute, error) }
}

fn no_directory(absolute: &str, staging: Option<&str>) -> ProviderError {
    let folder = staging.or_else(|| Path::new(absolute).parent()?.to_str()).unwrap_or("/");
    ProviderError::new(format!("cannot write {absolute}: there is no directory {folder}")).help("declare it as a resource")
}

fn own(path: &Path, access: Access, follow: bool) -> std::io::Result<()> {
    if access.owner.is_none() && access.group.is_none() {
        return Ok(());
    }
    let flags = if follow { AtFlags::empty() } else { AtFlags::AT_SYMLINK_NOFOLLOW };
    fchownat(AT_FDCWD, path, access.owner.map(Uid::from_raw), access.group.map(Gid::from_raw), flags)?;
    Ok(())
}

/// Gives a new file its owner and permissions, and what the old one has beside its content; the permissions it got.
fn dress(file: &File, path: &Path, old: Option<&Metadata>, access: Access) -> std::io::Result<u32> {
    let uid = access.owner.or(old.map(MetadataExt::uid));
    let gid = access.group.or(old.map(MetadataExt::gid));
    let is = file.metadata()?;
    if uid.is_some_and(|u| u != is.uid()) || gid.is_some_and(|g| g != is.gid()) {
        fchown(file, uid.map(Uid::from_raw), gid.map(Gid::from_raw))?;
    }
    if old.is_some() {
        copy_attributes(path, file)?;
    }
    let mode = access.mode.or(old.map(|m| m.mode() & 0o7777)).unwrap_or_else(|| 0o666 & !umask());
    file.set_permissions(Permissions::from_mode(mode))?;
    Ok(mode)
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

/// Moves what was made to its place. A directory and something else change places first, and then the old one goes: what is
/// at the path is never nothing.
fn put(made: &Path, target: &Path) -> std::io::Result<()> {
    let old = target.symlink_metadata().ok();
    let is_directory = made.symlink_metadata()?.is_dir();
    match old {
        Some(old) if is_directory || old.is_dir() => {
            if renameat2(AT_FDCWD, made, AT_FDCWD, target, RenameFlags::RENAME_EXCHANGE).is_ok() {
                remove(made, &old)?;
            } else {
                // Some file systems cannot do that.
                remove(target, &old)?;
                std::fs::rename(made, target)?;
            }
        }
        _ => std::fs::rename(made, target)?,
    }
    // Without this the new name may be lost when the power goes; some file systems cannot do it.
    if let Ok(folder) = File::open(parent(target)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn remove(path: &Path, stat: &Metadata) -> std::io::Result<()> {
    if stat.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
}

/// What the umask of this process takes away.
fn umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("Umask:"));
    line.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or(0o022)
}
