//! Programs that take over the terminal for a while: an editor, a pager.

use rtype_provider::interrupt;
use rtype_system::{Terminal, process, start};
use std::io::{self, Write};
use std::path::Path;
use std::process::{ExitStatus, Stdio};

/// The exit status of a shell that does not find a program.
pub(super) const NOT_FOUND: i32 = 127;

/// Returns the value of the first environment variable in `names` that is set and not empty.
pub(super) fn variable(names: &[&str]) -> Option<String> {
    let value = |name: &&str| process::variable(name)?.into_string().ok();
    names.iter().filter_map(value).find(|value| !value.trim().is_empty())
}

/// Runs a command line from the user's environment on a file, and waits until the command ends.
///
/// # Errors
/// If the shell cannot be started.
pub(super) fn run_on(command: &str, path: &Path) -> io::Result<ExitStatus> {
    let _ignored = interrupt::foreground();
    // As in git, the variable may contain arguments, so a shell runs the command line.
    let mut shell = process::program("/bin/sh");
    start(shell.arg("-c").arg(format!("{command} \"$@\"")).arg(command).arg(path), Terminal::Shared)?.wait()
}

/// Runs a command line from the user's environment with this standard input, and waits until the command ends.
///
/// # Errors
/// If the shell cannot be started.
pub(super) fn run_with(command: &str, text: &str) -> io::Result<ExitStatus> {
    let _ignored = interrupt::foreground();
    let mut shell = process::program("/bin/sh");
    if variable(&["LESS"]).is_none() {
        // Show colours, and do not page output that fits on the screen.
        shell.env("LESS", "FRX");
    }
    let mut child = start(shell.arg("-c").arg(command).stdin(Stdio::piped()), Terminal::Shared)?;
    if let Some(mut input) = child.stdin.take() {
        // A pager may end before reading all input.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait()
}
