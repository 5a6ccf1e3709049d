//! Temporary directories for incomplete content, and moving complete content to the target.

use super::change::{self, set_mode};
use super::directory::swapped;
use super::leftover::{Enclosure, begin};
use super::{Access, Directory, DirectoryEntry, Stat, Tree};
use rustix::fs;
use rustix::io::Errno;
use rustix::process::{getegid, geteuid};
use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A new directory that no other user can enter. Dropping the value removes the directory and its content.
#[derive(Debug)]
pub struct Scratch {
    directory: Arc<Directory>,
    path: PathBuf,
    enclosure: Enclosure,
}

impl Tree {
    /// Creates a scratch directory inside another directory.
    ///
    /// # Errors
    /// If the directory cannot be created.
    pub fn scratch(&self, parent: &Path) -> io::Result<Scratch> {
        let parent = self.directory(parent)?;
        let enclosure = self.enclosure(&parent)?;
        let content = enclosure.content();
        let made = content.directory.make_directory(&content.name)?;
        let path = match self.check_own(&made.path) {
            Ok(()) => self.root().join(made.path.strip_prefix("/").unwrap_or(&made.path)),
            // Another user could replace the directory at the path.
            Err(_) => format!("/proc/{}/fd/{}", std::process::id(), made.fd.as_raw_fd()).into(),
        };
        Ok(Scratch { directory: Arc::new(made), path, enclosure })
    }

    /// Creates a path's missing parent directories, with the default permissions of this process.
    ///
    /// # Errors
    /// If a directory cannot be created.
    pub fn make_parents(&self, path: &Path) -> io::Result<()> {
        let Some(parent) = path.parent() else { return Ok(()) };
        match self.directory(parent) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            other => return other.map(drop),
        }
        self.make_parents(parent)?;
        match self.make_directory(parent, Access::default()) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            other => other,
        }
    }
}

impl Scratch {
    /// Returns a path to the directory for child processes with the same rights.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the location of an entry in the directory.
    pub fn entry(&self, name: impl AsRef<OsStr>) -> DirectoryEntry {
        DirectoryEntry::of(&self.directory, name.as_ref())
    }

    /// Creates a file with mode 0600 in the directory.
    ///
    /// # Errors
    /// If the name is in use.
    pub fn make_file(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        self.directory.make_file(name.as_ref())
    }

    /// Lets other users' programs open files in this directory by name. Other users cannot list, add or replace files.
    ///
    /// # Errors
    /// If the permissions cannot be set.
    pub fn let_others_through(&self) -> io::Result<()> {
        self.enclosure.let_others_through()?;
        set_mode(self.directory.as_ref(), 0o711)
    }

    /// Revokes other users' rights to the content. All files get this process's user as owner, and `group` or else this process's group.
    /// They lose setuid, setgid and write access for group and others.
    ///
    /// # Errors
    /// If an owner or permissions cannot be set.
    pub fn disarm(&self, group: Option<u32>) -> io::Result<()> {
        let own = Access { owner: Some(geteuid().as_raw()), group: group.or(Some(getegid().as_raw())), mode: None };
        for_each_entry(&self.directory, &mut |entry, stat| {
            let fd = entry.directory.handle(&entry.name)?;
            change::own(&fd, own)?;
            if stat.is_symlink() { Ok(()) } else { set_mode(&fd, stat.mode() & 0o755) }
        })
    }

    /// Checks that the content contains no devices.
    ///
    /// # Errors
    /// If a file is a device, or a directory cannot be read. The message names the device.
    pub fn check_no_devices(&self) -> io::Result<()> {
        for_each_entry(&self.directory, &mut |entry, stat| {
            let path = entry.path();
            let name = path.strip_prefix(&self.directory.path).unwrap_or(&path);
            if stat.is_device() { Err(io::Error::other(format!("`{}` is a device", name.display()))) } else { Ok(()) }
        })
    }

    /// Moves the entries to a directory. Existing directories are merged, and other files are replaced. Symbolic links in the target are
    /// replaced, not followed.
    ///
    /// # Errors
    /// If a file cannot be moved.
    pub fn merge_into(&self, target: &Arc<Directory>) -> io::Result<()> {
        merge(&self.directory, target)
    }
}

/// Calls a function for all entries below a directory. The entries of a subdirectory come before the subdirectory.
fn for_each_entry(directory: &Arc<Directory>, act: &mut dyn FnMut(&DirectoryEntry, &Stat) -> io::Result<()>) -> io::Result<()> {
    for name in directory.names()? {
        let (entry, stat) = (DirectoryEntry::of(directory, &name), directory.stat_of(&name)?);
        if stat.is_dir() {
            for_each_entry(&Arc::new(directory.directory(&name)?), act)?;
        }
        act(&entry, &stat)?;
    }
    Ok(())
}

fn merge(from: &Arc<Directory>, to: &Arc<Directory>) -> io::Result<()> {
    for name in from.names()? {
        let (entry, target) = (DirectoryEntry::of(from, &name), DirectoryEntry::of(to, &name));
        if entry.stat()?.is_some_and(|stat| stat.is_dir()) {
            match to.directory(&name) {
                Ok(there) => {
                    merge(&Arc::new(from.directory(&name)?), &Arc::new(there))?;
                    continue;
                }
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(_) => target.remove()?,
            }
        }
        entry.move_to(&target)?;
    }
    Ok(())
}

impl DirectoryEntry {
    /// Moves a file. Replaces the target, unless the target is a directory with entries. A regular file can also be moved to another file
    /// system.
    ///
    /// # Errors
    /// If the file cannot be moved.
    pub fn move_to(&self, to: &DirectoryEntry) -> io::Result<()> {
        let stat = self.directory.stat_of(&self.name)?;
        match fs::renameat(&self.directory.fd, &self.name, &to.directory.fd, &to.name) {
            Err(Errno::XDEV) => {
                let (mut from, stat) = self.open()?;
                let (name, mut file) = begin(&to.directory)?;
                let moved = (|| -> io::Result<()> {
                    io::copy(&mut from, &mut file)?;
                    file.set_permissions(Permissions::from_mode(stat.mode()))?;
                    file.sync_all()?;
                    DirectoryEntry::of(&to.directory, &name).rename_to(to)
                })();
                moved.inspect_err(|_| drop(to.directory.unlink(&name)))?;
                return self.directory.unlink(&self.name);
            }
            other => other?,
        }
        if to.directory.stat_of(&to.name)?.is_same(&stat) { Ok(()) } else { Err(swapped(&to.path())) }
    }

    /// Sets the permissions of a file; a symbolic link is not followed.
    ///
    /// # Errors
    /// If the file does not exist or the permissions cannot be set.
    pub fn set_mode(&self, mode: u32) -> io::Result<()> {
        set_mode(self.directory.handle(&self.name)?, mode)
    }
}

impl Tree {
    /// Copies a regular file's content to a new file with the same permissions, except setuid and setgid.
    ///
    /// # Errors
    /// The same as for [`Tree::open_source`], and if the target exists.
    pub fn copy_source(&self, from: &DirectoryEntry, to: &DirectoryEntry) -> io::Result<()> {
        let ((mut from, stat), mut made) = (self.open_source(from)?, to.directory.make_file(&to.name)?);
        io::copy(&mut from, &mut made)?;
        set_mode(&made, stat.mode() & 0o777)
    }
}
