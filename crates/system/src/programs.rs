//! Programs: where they are, and what is next to the file of one.
//!
//! They are found as the kernel finds them when it starts them, with links followed: what is asked here is what would be started. That is
//! all that providers may ask by name, see `tests/house.rs`. Nothing is written, a user whose link is followed learns only whether there is a
//! program, and before root starts one that a declaration does not name by its path, `trust` says whether other users control it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::SystemTime;

/// How much of a script is read to find its interpreter, as in the kernel.
const FIRST_LINE: u64 = 256;

/// What is where a program should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing that can be looked at.
    Missing,
    /// A directory.
    Directory,
    /// Something else that nobody may execute.
    NotExecutable,
    /// A program.
    Program,
}

/// Returns what is at a path, of a link its target.
pub fn kind(path: impl AsRef<Path>) -> Kind {
    match fs::metadata(path) {
        Err(_) => Kind::Missing,
        Ok(found) if found.is_dir() => Kind::Directory,
        Ok(found) if found.is_file() && found.permissions().mode() & 0o111 != 0 => Kind::Program,
        Ok(_) => Kind::NotExecutable,
    }
}

/// Returns when a program was changed last.
pub fn modified(path: impl AsRef<Path>) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// Returns the text of a regular file next to a program.
///
/// # Errors
/// When it cannot be read, is something else or is larger than `limit` bytes.
pub fn read(path: impl AsRef<Path>, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    if open(path)?.take(limit.saturating_add(1)).read_to_string(&mut text)? as u64 > limit {
        return Err(io::Error::other(format!("it is larger than {} MiB", limit >> 20)));
    }
    Ok(text)
}

/// Returns the words of a script's first line after `#!`: its interpreter and what that gets as arguments. A program that is no script
/// has none.
///
/// # Errors
/// When it cannot be read.
pub fn interpreter(path: impl AsRef<Path>) -> io::Result<Vec<String>> {
    let mut begin = Vec::new();
    open(path)?.take(FIRST_LINE).read_to_end(&mut begin)?;
    let Some(line) = begin.strip_prefix(b"#!").and_then(|rest| rest.split(|byte| *byte == b'\n').next()) else { return Ok(Vec::new()) };
    Ok(String::from_utf8_lossy(line).split_whitespace().map(str::to_owned).collect())
}

/// Opens a regular file; anything else could keep this process waiting.
fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}
