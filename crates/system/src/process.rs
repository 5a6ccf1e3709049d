//! This process's environment: variables, clocks, standard input, other programs.
//!
//! No other module accesses the process. Pure modules may not use `system`, so they cannot access the process by accident.

use rustix::fs::Mode;
use std::ffi::{OsStr, OsString};
use std::io::{self, Stdin};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Instant, SystemTime};

/// Returns the current instant of the monotonic clock.
pub fn now() -> Instant {
    Instant::now()
}

/// Returns the current date and time.
pub fn time() -> SystemTime {
    SystemTime::now()
}

/// Returns an environment variable.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the environment variables that are valid UTF-8.
pub fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// Returns all environment variables.
pub fn all_variables() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os()
}

/// Returns the process arguments that are valid UTF-8, without the program name.
pub fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).filter_map(|argument| argument.into_string().ok())
}

/// Removes the owner's bits from the umask, because with a umask like 0777 this process could not open its own directories. As root, also
/// adds the write bits for the group and others, so that started programs create no files that other users can write.
pub fn limit_umask() {
    let mut mask = rustix::process::umask(Mode::RWXG | Mode::RWXO) & (Mode::RWXG | Mode::RWXO);
    if rustix::process::geteuid().is_root() {
        mask |= Mode::WGRP | Mode::WOTH;
    }
    rustix::process::umask(mask);
}

/// Returns the working directory.
///
/// # Errors
/// If the directory was removed or is not accessible.
pub fn working_directory() -> io::Result<PathBuf> {
    std::env::current_dir()
}

/// Returns the directory for temporary files.
pub fn temporary_directory() -> PathBuf {
    std::env::temp_dir()
}

/// Returns the IDs of the visible processes; empty if `/proc` is not mounted.
pub fn numbers() -> Vec<i32> {
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(number).collect()
}

/// Returns a process's initial environment as `NAME=VALUE` entries; empty for other users' processes.
pub fn variables_of(process: i32) -> Vec<Vec<u8>> {
    let variables = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    variables.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
}

/// Returns the parent of a process.
pub fn parent_of(process: i32) -> Option<i32> {
    let stat = std::fs::read(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may contain any characters.
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = String::from_utf8_lossy(stat.get(end..)?).into_owned();
    rest.split_whitespace().nth(2)?.parse().ok()
}

/// Returns all descendants that are still connected to a process by their parents.
pub fn descendants_of(process: i32) -> Vec<i32> {
    let parents: Vec<(i32, i32)> = numbers().into_iter().filter_map(|one| Some((one, parent_of(one)?))).collect();
    let mut found = Vec::new();
    let mut open = vec![process];
    while let Some(parent) = open.pop() {
        let children = parents.iter().filter(|(_, of)| *of == parent).map(|(child, _)| *child);
        let new: Vec<i32> = children.filter(|child| !found.contains(child)).collect();
        found.extend(&new);
        open.extend(new);
    }
    found
}

/// Returns standard input.
pub fn stdin() -> Stdin {
    io::stdin()
}

/// Returns a command for a program without starting the program; see [`start`](super::start).
pub fn program(name: impl AsRef<OsStr>) -> Command {
    Command::new(name)
}
