//! Paths chosen by this process's user: arguments, configuration, type directories, programs in `PATH`.
//!
//! These paths are accessed directly, and links are followed, because rtype writes no files here that another user could profit from:
//! `input::access` and `trust` check who controls a path. Managed resources are accessed through [`Tree`](super::Tree) instead: `provider`
//! and `engine` may not use this module (`tests/house.rs`).

use std::fs::{self, DirEntry, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempDir};

/// Returns true if a path exists; links are followed.
pub fn exists(path: impl AsRef<Path>) -> bool {
    path.as_ref().exists()
}

/// Returns true if a path is a regular file or a link to a regular file.
pub fn is_file(path: impl AsRef<Path>) -> bool {
    path.as_ref().is_file()
}

/// Returns true if a path is a directory or a link to a directory.
pub fn is_dir(path: impl AsRef<Path>) -> bool {
    path.as_ref().is_dir()
}

/// Returns a file's metadata; links are followed.
///
/// # Errors
/// If the file does not exist or cannot be examined.
pub fn metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    fs::metadata(path)
}

/// Returns the metadata of a file or link; links are not followed.
///
/// # Errors
/// If the file does not exist or cannot be examined.
pub fn link_metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    fs::symlink_metadata(path)
}

/// Returns the target of a symbolic link.
///
/// # Errors
/// If the path is not a link.
pub fn target(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    fs::read_link(path)
}

/// Returns the canonical absolute path, with all links resolved.
///
/// # Errors
/// If the path does not exist.
pub fn real_path(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// Returns a directory's entries, except unreadable entries.
///
/// # Errors
/// If the directory cannot be read.
pub fn entries(path: impl AsRef<Path>) -> io::Result<impl Iterator<Item = DirEntry>> {
    Ok(fs::read_dir(path)?.flatten())
}

/// Opens a file with the given options.
///
/// # Errors
/// If the file cannot be opened.
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> io::Result<File> {
    options.open(path)
}

/// Returns a file's content. Only for kernel files and files that this program wrote.
///
/// # Errors
/// If the file cannot be read.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    fs::read(path)
}

/// Writes a file, replacing the content.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: impl AsRef<Path>, content: &[u8]) -> io::Result<()> {
    fs::write(path, content)
}

/// Creates a file, executable if `is_program` is set. Existing files and links are never replaced.
///
/// # Errors
/// If the file exists or cannot be written.
pub fn create(path: impl AsRef<Path>, content: &[u8], is_program: bool) -> io::Result<()> {
    let mode = if is_program { 0o777 } else { 0o666 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?.write_all(content)
}

/// Creates a directory and the missing parents.
///
/// # Errors
/// If a directory cannot be created.
pub fn make_directories(path: impl AsRef<Path>) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Creates a temporary file with mode 0600 in a directory. Dropping the value removes the file.
///
/// # Errors
/// If the file cannot be created.
pub fn temporary_file_in(directory: impl AsRef<Path>) -> io::Result<NamedTempFile> {
    Builder::new().prefix(".rtype-").tempfile_in(directory)
}

/// Creates a temporary file with mode 0600 in the system's temporary directory, as input for a program.
///
/// # Errors
/// If the file cannot be created.
pub fn temporary_file() -> io::Result<NamedTempFile> {
    Builder::new().prefix("rtype-").tempfile()
}

/// Creates a temporary directory with mode 0700.
///
/// # Errors
/// If the directory cannot be created.
pub fn temporary_directory() -> io::Result<TempDir> {
    // The default permissions depend on the umask, and may let other users read names and files.
    Builder::new().prefix("rtype-").permissions(Permissions::from_mode(0o700)).tempdir()
}

/// Gives an open file the owner and group of another file. Requires root if they differ.
///
/// # Errors
/// If this user lacks the permission.
pub fn set_owner_like(file: &File, other: &Metadata) -> io::Result<()> {
    std::os::unix::fs::fchown(file, Some(other.uid()), Some(other.gid()))
}

/// Renames a file atomically.
///
/// # Errors
/// If the file cannot be renamed.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    fs::rename(from, to)
}
