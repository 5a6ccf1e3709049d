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

/// Returns the working directory.
///
/// # Errors
/// When it was removed or may not be entered.
pub fn working_directory() -> io::Result<PathBuf> {
    std::env::current_dir()
}

/// Returns standard input.
pub fn stdin() -> Stdin {
    io::stdin()
}

/// Returns a program to be started. Nothing is started yet: `provider::System` does that, with a limit of time.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    Command::new(name)
}
