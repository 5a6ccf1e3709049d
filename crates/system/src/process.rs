//! What is around this process: its environment, the clocks, standard input, other programs.
//!
//! It is all in one place so that a pure module, which may not use `system`, cannot reach it by accident.

use std::ffi::{OsStr, OsString};
use std::io::{self, Stdin};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Instant, SystemTime};

/// Returns a moment to measure from.
pub fn now() -> Instant {
    Instant::now()
}

/// Returns the date and time.
pub fn time() -> SystemTime {
    SystemTime::now()
}

/// Returns a variable of the environment.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the variables of the environment that are UTF-8.
pub fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// Returns the arguments of this process that are UTF-8, without its name.
pub fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).filter_map(|argument| argument.into_string().ok())
}

/// Returns the working directory.
///
/// # Errors
/// When it was removed or may not be entered.
pub fn working_directory() -> io::Result<PathBuf> {
    std::env::current_dir()
}

/// Returns the directory for temporary files.
pub fn temporary_directory() -> PathBuf {
    std::env::temp_dir()
}

/// Returns the numbers of the processes that can be seen; without `/proc` there are none.
pub fn numbers() -> Vec<i32> {
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(number).collect()
}

/// Returns the variables with which a process was started, `NAME=VALUE` each; none of another user's.
pub fn variables_of(process: i32) -> Vec<Vec<u8>> {
    let variables = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    variables.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
}

/// Returns standard input.
pub fn stdin() -> Stdin {
    io::stdin()
}

/// Returns a program to be started. Nothing is started yet: `provider::System` does that, with a limit of time.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    Command::new(name)
}
