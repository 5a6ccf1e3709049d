//! Starting programs.
//!
//! A program that runs as another user but shares root's terminal can type into it (`ioctl` with `TIOCSTI`), and a descriptor that it
//! inherits may lead to a file that only root can open. [`start`] is the only function of the workspace that starts
//! programs (`clippy.toml`); `tests/house.rs` lists its callers.

use process_wrap::std::{CommandWrap, CommandWrapper, ProcessSession};
use std::io::{self, ErrorKind};
use std::process::{Child, Command};
use std::time::Duration;

/// The first descriptor after standard input, output and error.
const FIRST_OTHER: i32 = 3;
/// How often, and how long, to wait for a program file that is still open for writing.
const BUSY: (u32, Duration) = (20, Duration::from_millis(5));

/// Which terminal a program can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminal {
    /// None: the program leads a session and a process group of its own. The terminal's signals do not reach it.
    Detached,
    /// That of this process, for programs in which the user types: an editor, a pager.
    Shared,
}

/// Starts a program. It inherits no descriptors except its standard input, output and error.
///
/// # Errors
/// If it cannot be started.
pub fn start(command: &mut Command, terminal: Terminal) -> io::Result<Child> {
    // Descriptors that this process opens are closed in children already; these are the ones that it has inherited.
    close_fds::set_fds_cloexec_threadsafe(FIRST_OTHER, &[]);
    if terminal == Terminal::Detached {
        ProcessSession.pre_spawn(command, &CommandWrap::from(Command::new("")))?;
    }
    // A program that was written just now may be open in a process that another thread has begun to start, until that process runs its
    // own program.
    for _ in 0..BUSY.0 {
        match command.spawn() {
            Err(e) if e.kind() == ErrorKind::ExecutableFileBusy => std::thread::sleep(BUSY.1),
            other => return other,
        }
    }
    command.spawn()
}
