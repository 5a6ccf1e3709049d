//! Starting programs.
//!
//! A program that runs as another user must not share root's terminal, because the program could type there (`ioctl` with `TIOCSTI`). It
//! must also not inherit descriptors of files that only root can open. [`start`] is the only function in the workspace that starts programs
//! (`clippy.toml`). `tests/house.rs` lists the callers.

use process_wrap::std::{CommandWrap, CommandWrapper, ProcessSession};
use std::io::{self, ErrorKind};
use std::process::{Child, Command};
use std::time::Duration;

/// The first descriptor after standard input, output and error.
const FIRST_OTHER: i32 = 3;
/// Number of retries, and the time between them, while a program file is open for writing.
const BUSY: (u32, Duration) = (20, Duration::from_millis(5));

/// The terminal of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminal {
    /// No terminal: the program runs in a new session and process group, and receives no signals from the terminal.
    Detached,
    /// The terminal of this process, for interactive programs such as an editor or a pager.
    Shared,
}

/// Starts a program. The program inherits no descriptors except standard input, output and error.
///
/// # Errors
/// If the program cannot be started.
pub fn start(command: &mut Command, terminal: Terminal) -> io::Result<Child> {
    // Rust sets close-on-exec on descriptors that this process opens. This call sets it on inherited descriptors.
    close_fds::set_fds_cloexec_threadsafe(FIRST_OTHER, &[]);
    if terminal == Terminal::Detached {
        ProcessSession.pre_spawn(command, &CommandWrap::from(Command::new("")))?;
    }
    // A program file that was just written may still be open in a forked child of another thread, until the child calls exec.
    for _ in 0..BUSY.0 {
        match command.spawn() {
            Err(e) if e.kind() == ErrorKind::ExecutableFileBusy => std::thread::sleep(BUSY.1),
            other => return other,
        }
    }
    command.spawn()
}
