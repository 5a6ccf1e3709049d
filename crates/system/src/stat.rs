//! File metadata.

use rustix::fs::FileType;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The metadata of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// The device ID.
    pub dev: u64,
    /// The inode number.
    pub ino: u64,
    /// The number of hard links.
    pub nlink: u64,
    /// File type and permissions, as in `st_mode`.
    pub raw_mode: u32,
    /// The owner's user ID.
    pub uid: u32,
    /// The group ID.
    pub gid: u32,
    /// The size in bytes.
    pub size: u64,
    /// The time of the last access: seconds since 1970, and nanoseconds.
    pub atime: (i64, i64),
    /// The time when the content was last changed.
    pub mtime: (i64, i64),
    /// The time of the last change of content or metadata.
    pub ctime: (i64, i64),
}

impl Stat {
    #[allow(clippy::useless_conversion, clippy::unnecessary_cast, reason = "the types of the fields differ between architectures")]
    pub(super) fn new(stat: &rustix::fs::Stat) -> Stat {
        Stat {
            dev: stat.st_dev as u64,
            ino: stat.st_ino as u64,
            nlink: stat.st_nlink as u64,
            raw_mode: stat.st_mode as u32,
            uid: stat.st_uid,
            gid: stat.st_gid,
            size: u64::try_from(stat.st_size).unwrap_or_default(),
            atime: (stat.st_atime as i64, stat.st_atime_nsec as i64),
            mtime: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            ctime: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }

    fn file_type(&self) -> FileType {
        FileType::from_raw_mode(self.raw_mode)
    }

    /// Returns true if the file is a regular file.
    pub fn is_file(&self) -> bool {
        self.file_type() == FileType::RegularFile
    }

    /// Returns true if the file is a directory.
    pub fn is_dir(&self) -> bool {
        self.file_type() == FileType::Directory
    }

    /// Returns true if the file is a symbolic link.
    pub fn is_symlink(&self) -> bool {
        self.file_type() == FileType::Symlink
    }

    /// Returns true if the file is a block or character device.
    pub fn is_device(&self) -> bool {
        matches!(self.file_type(), FileType::BlockDevice | FileType::CharacterDevice)
    }

    /// Returns the permissions, including the setuid, setgid and sticky bits.
    pub fn mode(&self) -> u32 {
        self.raw_mode & 0o7777
    }

    /// Returns the file type: `file`, `directory`, … The names are Ruby's `ftype` names, except that a symbolic link is `link`.
    pub fn kind(&self) -> &'static str {
        match self.file_type() {
            FileType::RegularFile => "file",
            FileType::Directory => "directory",
            FileType::Symlink => "link",
            FileType::Fifo => "fifo",
            FileType::Socket => "socket",
            FileType::BlockDevice => "blockSpecial",
            FileType::CharacterDevice => "characterSpecial",
            FileType::Unknown => "unknown",
        }
    }

    /// Returns the file type for messages, with an article.
    pub fn described(&self) -> &'static str {
        match self.file_type() {
            FileType::RegularFile => "a regular file",
            FileType::Directory => "a directory",
            FileType::Symlink => "a symbolic link",
            FileType::Fifo => "a named pipe",
            FileType::Socket => "a socket",
            FileType::BlockDevice | FileType::CharacterDevice => "a device",
            FileType::Unknown => "of an unknown kind",
        }
    }

    /// Returns true if both values describe the same file.
    pub fn is_same(&self, other: &Stat) -> bool {
        (self.dev, self.ino, self.file_type()) == (other.dev, other.ino, other.file_type())
    }

    /// Returns the time of the last change of content.
    pub fn modified(&self) -> SystemTime {
        instant(self.mtime)
    }

    /// Returns the time of the last access.
    pub fn accessed(&self) -> SystemTime {
        instant(self.atime)
    }
}

fn instant((seconds, nanoseconds): (i64, i64)) -> SystemTime {
    let rest = Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or_default());
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let at = if seconds < 0 { UNIX_EPOCH.checked_sub(whole) } else { UNIX_EPOCH.checked_add(whole) };
    at.and_then(|at| at.checked_add(rest)).unwrap_or(UNIX_EPOCH)
}
