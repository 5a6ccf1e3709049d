//! Reading of regular files, with a size limit.

use super::control::Who;
use super::directory::swapped;
use super::tree::missing;
use super::{DirectoryEntry, Stat, Tree};
use rustix::fs::{self, Mode, OFlags};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// The permission bit that lets all users read a file.
const READABLE_BY_ALL: u32 = 0o004;

/// The maximum size of a file to read, depending on the purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(u64);

impl Limit {
    /// For account files, configuration that is edited by line, and similar files: 64 MiB.
    pub const TEXT: Limit = Limit(64 << 20);
    /// For the state kept between runs: 256 MiB.
    pub const STATE: Limit = Limit(256 << 20);
    /// For content that is compared or copied in chunks: no limit.
    pub const CONTENT: Limit = Limit(u64::MAX);

    /// Returns a limit in bytes.
    pub const fn bytes(bytes: u64) -> Limit {
        Limit(bytes)
    }
}

/// The error for a file that exceeds the limit, in bytes.
#[derive(Debug)]
struct TooLarge(u64);

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 >= 1 << 20 {
            write!(f, "it is larger than {} MiB", self.0 >> 20)
        } else {
            write!(f, "it is larger than {} bytes", self.0)
        }
    }
}

impl std::error::Error for TooLarge {}

/// Returns true if an error means that a file exceeds the limit.
pub fn is_too_large(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|e| e.is::<TooLarge>())
}

impl Tree {
    /// Returns a regular file's content, `None` if the file does not exist. Links are followed.
    ///
    /// # Errors
    /// If the file cannot be read, is not a regular file, or is larger than the limit.
    pub fn read(&self, path: &Path, limit: Limit) -> io::Result<Option<Vec<u8>>> {
        match self.follow(path).and_then(|place| place.read(limit)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) => missing(e),
        }
    }

    /// Opens a regular file for reading, `None` if the file does not exist. Links are followed.
    ///
    /// # Errors
    /// If the file cannot be opened or is not a regular file.
    pub fn open(&self, path: &Path) -> io::Result<Option<File>> {
        match self.follow(path).and_then(|place| place.open()) {
            Ok((file, _)) => Ok(Some(file)),
            Err(e) => missing(e),
        }
    }

    /// Opens a regular file for copying the content to another file. A user who cannot read a file can create a hard link to it (unless
    /// `fs.protected_hardlinks` forbids the link) and wait for root to copy the file. So a file with several links is refused if not all
    /// users can read it and another user than the owner controls the path.
    ///
    /// # Errors
    /// The same as for [`DirectoryEntry::open`], and if the file is refused.
    pub fn open_source(&self, place: &DirectoryEntry) -> io::Result<(File, Stat)> {
        let before = place.directory.stat_of(&place.name)?;
        let (file, stat) = place.open_seen(&before)?;
        // The link may have been removed in between.
        if before.nlink.max(stat.nlink) > 1 && stat.mode() & READABLE_BY_ALL == 0 {
            let controllers = self.walk(&place.path(), false)?.controllers;
            if let Some(other) = controllers.iter().find(|controller| controller.who != Who::User(stat.uid)) {
                return Err(self.refused_hard_link(place.path(), &before, other));
            }
        }
        Ok((file, stat))
    }

    /// Returns a file's content for copying, `None` if the file does not exist. Links are followed.
    ///
    /// # Errors
    /// The same as for [`Tree::open_source`], and if the file is larger than the limit.
    pub fn read_source(&self, path: &Path, limit: Limit) -> io::Result<Option<Vec<u8>>> {
        match self.follow(path).and_then(|place| self.open_source(&place)).and_then(|(file, stat)| read_all(file, &stat, limit)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) => missing(e),
        }
    }

    /// Returns the names in a directory, sorted; `None` if the directory does not exist. Links are followed.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn names(&self, path: &Path) -> io::Result<Option<Vec<std::ffi::OsString>>> {
        match self.directory(path).and_then(|directory| directory.names()) {
            Ok(names) => Ok(Some(names)),
            Err(e) => missing(e),
        }
    }
}

impl DirectoryEntry {
    /// Opens a regular file for reading. Other files are refused: a pipe would block until it has a writer, and opening a device may have
    /// side effects.
    ///
    /// # Errors
    /// If the file cannot be opened or is not a regular file.
    pub fn open(&self) -> io::Result<(File, Stat)> {
        self.open_seen(&self.directory.stat_of(&self.name)?)
    }

    /// Opens a regular file with metadata that has just been read.
    ///
    /// # Errors
    /// The same as for [`DirectoryEntry::open`], and if another file has replaced the file since.
    pub fn open_seen(&self, before: &Stat) -> io::Result<(File, Stat)> {
        require_file(before)?;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = fs::openat(&self.directory.fd, &self.name, flags, Mode::empty())?;
        let stat = Stat::new(&fs::fstat(&fd)?);
        if !stat.is_same(before) {
            require_file(&stat)?;
            return Err(swapped(&self.path()));
        }
        Ok((File::from(fd), stat))
    }

    /// Returns the content of a regular file.
    ///
    /// # Errors
    /// The same as for [`DirectoryEntry::open`], and if the file is larger than the limit.
    pub fn read(&self, limit: Limit) -> io::Result<Vec<u8>> {
        let (file, stat) = self.open()?;
        read_all(file, &stat, limit)
    }
}

impl DirectoryEntry {
    /// Writes to an existing file in place. Only for kernel files, which cannot be replaced.
    ///
    /// # Errors
    /// If the file cannot be written or is not a regular file.
    pub fn overwrite(&self, content: &[u8]) -> io::Result<()> {
        require_file(&self.directory.stat_of(&self.name)?)?;
        let flags = OFlags::WRONLY | OFlags::TRUNC | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
        let mut file = File::from(fs::openat(&self.directory.fd, &self.name, flags, Mode::empty())?);
        file.write_all(content)
    }
}

/// Reads a file up to the limit. The size is only used to reserve memory: files in `/proc` and `/sys` report no size, and other files may
/// grow.
pub(super) fn read_all(file: File, stat: &Stat, Limit(limit): Limit) -> io::Result<Vec<u8>> {
    if stat.size > limit {
        return Err(io::Error::other(TooLarge(limit)));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or_default().saturating_add(1));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(io::Error::other(TooLarge(limit))) } else { Ok(bytes) }
}

fn require_file(stat: &Stat) -> io::Result<()> {
    if stat.is_file() {
        return Ok(());
    }
    Err(io::Error::other(format!("it is {}, not a regular file", stat.described())))
}
