//! The paths of programs, and files next to programs.
//!
//! Programs are looked up as the kernel does when it starts them, following links, so that the result is the executed file. Providers may
//! do no other lookups by path, see `tests/house.rs`. The lookup writes nothing, and reveals to the owner of a link only whether a program
//! exists. Before root starts a program that a declaration does not name by its path, `trust` checks that no other user controls the
//! program.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// The number of script bytes read by the kernel to find the interpreter.
const FIRST_LINE: u64 = 256;

/// The file at the path of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The path does not exist, or cannot be examined.
    Missing,
    /// A directory.
    Directory,
    /// A file without execute permission.
    NotExecutable,
    /// An executable file.
    Program,
}

/// Returns the kind of the file at a path; links are followed.
pub fn kind(path: impl AsRef<Path>) -> FileKind {
    match fs::metadata(path) {
        Err(_) => FileKind::Missing,
        Ok(found) if found.is_dir() => FileKind::Directory,
        Ok(found) if found.is_file() && found.permissions().mode() & 0o111 != 0 => FileKind::Program,
        Ok(_) => FileKind::NotExecutable,
    }
}

/// Returns the time of the last change to a program's content, permissions or owner, in seconds and nanoseconds.
pub fn changed(path: impl AsRef<Path>) -> Option<(i64, i64)> {
    let found = fs::metadata(path).ok()?;
    Some((found.ctime(), found.ctime_nsec()))
}

/// Returns a regular file's content, for files next to a program.
///
/// # Errors
/// If the file cannot be read, is not a regular file, or is larger than `limit` bytes.
pub fn read(path: impl AsRef<Path>, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    if open(path)?.take(limit.saturating_add(1)).read_to_string(&mut text)? as u64 > limit {
        return Err(io::Error::other(format!("it is larger than {} MiB", limit >> 20)));
    }
    Ok(text)
}

/// Returns the words after `#!` in a script's first line: the interpreter and its arguments. Empty if the program is not a script.
///
/// # Errors
/// If the program cannot be read.
pub fn interpreter(path: impl AsRef<Path>) -> io::Result<Vec<String>> {
    let mut begin = Vec::new();
    open(path)?.take(FIRST_LINE).read_to_end(&mut begin)?;
    let Some(line) = begin.strip_prefix(b"#!").and_then(|rest| rest.split(|byte| *byte == b'\n').next()) else { return Ok(Vec::new()) };
    Ok(String::from_utf8_lossy(line).split_whitespace().map(str::to_owned).collect())
}

/// Opens a regular file. Opening another kind of file could block.
fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}
