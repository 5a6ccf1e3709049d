//! The environment of this process: variables, clocks, standard input, other programs.
//!
//! It is all in one module so that pure modules, which may not use `system`, cannot access it by accident.

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

/// Returns the arguments of this process that are valid UTF-8, without the program name.
pub fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).filter_map(|argument| argument.into_string().ok())
}

/// Returns the working directory.
///
/// # Errors
/// If it was removed or is not accessible.
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

/// Returns the initial environment of a process as `NAME=VALUE` entries; empty for processes of other users.
pub fn variables_of(process: i32) -> Vec<Vec<u8>> {
    let variables = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    variables.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
}

/// Returns standard input.
pub fn stdin() -> Stdin {
    io::stdin()
}

/// Returns a command for a program without starting it. `provider::System` starts commands, with a timeout.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    Command::new(name)
}
