//! Paths that the user of this process chose: arguments, configuration, directories of types, programs on the search path.
//!
//! They are reached as any program reaches them, with links followed, because nothing is written here that another user could
//! profit from: who controls such a path is checked by `input::access` and `trust`. Managed resources are reached
//! through [`Tree`](super::Tree) instead: `provider` and `engine` may not use this module (`tests/house.rs`).

use std::fs::{self, DirEntry, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempDir};

/// Returns whether there is something, of a link its target.
pub fn exists(path: impl AsRef<Path>) -> bool {
    path.as_ref().exists()
}

/// Returns whether there is a regular file, or a link to one.
pub fn is_file(path: impl AsRef<Path>) -> bool {
    path.as_ref().is_file()
}

/// Returns whether there is a directory, or a link to one.
pub fn is_dir(path: impl AsRef<Path>) -> bool {
    path.as_ref().is_dir()
}

/// Returns what is at a path, of a link its target.
///
/// # Errors
/// When nothing is there or it cannot be looked at.
pub fn metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    fs::metadata(path)
}

/// Returns what is at a path, of a link the link itself.
///
/// # Errors
/// When nothing is there or it cannot be looked at.
pub fn link_metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    fs::symlink_metadata(path)
}

/// Returns the target of a link.
///
/// # Errors
/// If the path is not a link.
pub fn target(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    fs::read_link(path)
}

/// Returns the absolute path without links.
///
/// # Errors
/// When nothing is there.
pub fn real_path(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// Returns the entries of a directory that can be read.
///
/// # Errors
/// When the directory cannot be read.
pub fn entries(path: impl AsRef<Path>) -> io::Result<impl Iterator<Item = DirEntry>> {
    Ok(fs::read_dir(path)?.flatten())
}

/// Opens a file as the options say.
///
/// # Errors
/// When it cannot be opened.
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> io::Result<File> {
    options.open(path)
}

/// Returns the content of a file, for files of the kernel and of this program's own.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    fs::read(path)
}

/// Writes a file, in the place of the content it has.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: impl AsRef<Path>, content: &[u8]) -> io::Result<()> {
    fs::write(path, content)
}

/// Makes a directory and those above it that are missing.
///
/// # Errors
/// When one cannot be made.
pub fn make_directories(path: impl AsRef<Path>) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Makes a file that only this user can read in a directory; dropping it removes it.
///
/// # Errors
/// When it cannot be made.
pub fn temporary_file_in(directory: impl AsRef<Path>) -> io::Result<NamedTempFile> {
    Builder::new().prefix(".rtype-").tempfile_in(directory)
}

/// Makes a file that only this user can read in the directory for temporary files, for a program to read.
///
/// # Errors
/// When it cannot be made.
pub fn temporary_file() -> io::Result<NamedTempFile> {
    Builder::new().prefix("rtype-").tempfile()
}

/// Makes a directory that only this user can enter in the directory for temporary files.
///
/// # Errors
/// When it cannot be made.
pub fn temporary_directory() -> io::Result<TempDir> {
    Builder::new().prefix("rtype-").tempdir()
}

/// Gives an open file the owner and group of another. Only root can give files away.
///
/// # Errors
/// When this user may not.
pub fn set_owner_like(file: &File, other: &Metadata) -> io::Result<()> {
    std::os::unix::fs::fchown(file, Some(other.uid()), Some(other.gid()))
}

/// Moves a file to another path in one step.
///
/// # Errors
/// When it cannot be moved.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    fs::rename(from, to)
}
