//! An open directory and operations on its entries.

use super::Stat;
use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// An open directory. The path is for messages only; it is never used for lookups.
#[derive(Debug)]
pub struct Directory {
    pub(super) fd: OwnedFd,
    pub(super) path: PathBuf,
    /// The number of separately opened ancestors that may still be open.
    pub(super) depth: usize,
}

/// The maximum nesting depth. Without this limit, a user with deeply nested directories could exhaust this process's file descriptors, or
/// the stack in recursive functions.
pub(super) const MAX_DEPTH: usize = 256;

impl Directory {
    /// Returns the path leading to the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a path to the open directory. The path is valid in this process, and in a child process until the child calls `exec`.
    pub fn held_path(&self) -> PathBuf {
        by_descriptor(self).into()
    }

    /// Returns the directory's own metadata.
    ///
    /// # Errors
    /// If `fstat` fails.
    pub fn stat(&self) -> io::Result<Stat> {
        Ok(Stat::new(&fs::fstat(&self.fd)?))
    }

    /// Returns an entry's metadata, without following symbolic links.
    ///
    /// # Errors
    /// If the entry does not exist.
    pub fn stat_of(&self, name: &OsStr) -> io::Result<Stat> {
        Ok(Stat::new(&fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// Opens an entry that is a directory.
    ///
    /// # Errors
    /// If the entry is not a directory, or is nested too deeply.
    pub fn directory(&self, name: &OsStr) -> io::Result<Directory> {
        if self.depth >= MAX_DEPTH {
            return Err(io::Error::other(format!("there are more than {MAX_DEPTH} directories inside each other")));
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(Directory { fd: fs::openat(&self.fd, name, flags, Mode::empty())?, path: self.path.join(name), depth: self.depth + 1 })
    }

    /// Opens an entry of any kind with `O_PATH`, without access to the content.
    pub(super) fn handle(&self, name: &OsStr) -> io::Result<OwnedFd> {
        Ok(fs::openat(&self.fd, name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?)
    }

    /// Returns the names of all entries, sorted.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in fs::Dir::new(self.readable()?)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(OsString::from_vec(name.to_vec()));
            }
        }
        names.sort();
        Ok(names)
    }

    pub(super) fn readable(&self) -> io::Result<OwnedFd> {
        Ok(fs::openat(&self.fd, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
    }

    /// Returns the target of an entry that is a symbolic link.
    ///
    /// # Errors
    /// If the entry is not a symbolic link.
    pub fn target_of(&self, name: &OsStr) -> io::Result<PathBuf> {
        let target = fs::readlinkat(&self.fd, name, Vec::new())?;
        Ok(PathBuf::from(OsStr::from_bytes(target.to_bytes())))
    }

    /// Creates a directory with mode 0700 and opens it. Fails if another user has replaced the directory in between.
    ///
    /// # Errors
    /// If the name is in use.
    pub fn make_directory(&self, name: &OsStr) -> io::Result<Directory> {
        fs::mkdirat(&self.fd, name, Mode::RWXU)?;
        let made = self.directory(name)?;
        let stat = made.stat()?;
        if stat.uid != super::control::file_system_uid() || stat.mode() & 0o077 != 0 {
            return Err(swapped(&made.path));
        }
        Ok(made)
    }

    /// Creates a symbolic link.
    ///
    /// # Errors
    /// If the name is in use.
    pub fn make_link(&self, target: &Path, name: &OsStr) -> io::Result<()> {
        Ok(fs::symlinkat(target, &self.fd, name)?)
    }

    /// Creates a file with mode 0600 and opens it for reading and writing.
    ///
    /// # Errors
    /// If the name is in use.
    pub fn make_file(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(fs::openat(&self.fd, name, flags, Mode::RUSR | Mode::WUSR)?))
    }

    /// Removes an entry that is not a directory.
    ///
    /// # Errors
    /// If the entry cannot be removed.
    pub fn unlink(&self, name: &OsStr) -> io::Result<()> {
        Ok(fs::unlinkat(&self.fd, name, AtFlags::empty())?)
    }

    pub(super) fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        Ok(fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR)?)
    }

    /// Flushes the directory to disk, so that new names survive a power failure. Errors are ignored, since some file systems do not support
    /// this operation.
    pub(super) fn sync(&self) {
        if let Ok(fd) = self.readable() {
            let _ = fs::fsync(fd);
        }
    }

    /// Calls `make` with random names until a name is free.
    pub(super) fn with_free_name<T>(&self, suffix: &str, mut make: impl FnMut(&OsStr) -> io::Result<T>) -> io::Result<(OsString, T)> {
        for _ in 0..100 {
            let name = OsString::from(format!("{}{}{suffix}", super::leftover::PREFIX, letters()?));
            match make(&name) {
                Ok(made) => return Ok((name, made)),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(Errno::EXIST.into())
    }
}

impl AsFd for Directory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Returns a path to an open file. The path is valid in this process and independent of the file's names.
pub(super) fn by_descriptor(fd: impl AsFd) -> String {
    format!("/proc/self/fd/{}", fd.as_fd().as_raw_fd())
}

/// Returns the error for a file replaced by another process after its creation or check.
pub(super) fn swapped(path: &Path) -> io::Error {
    io::Error::other(format!("{} was replaced by another process", path.display()))
}

fn letters() -> io::Result<String> {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut random = [0u8; super::leftover::LETTERS];
    rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())?;
    Ok(random.iter().filter_map(|byte| LETTERS.get(usize::from(byte % 32))).map(|letter| char::from(*letter)).collect())
}
