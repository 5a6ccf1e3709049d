//! Handling of SIGINT, SIGTERM and SIGHUP.
//!
//! A run that can stop gracefully calls [`graceful`]: the first signal then only requests a stop, and the second one
//! aborts. Otherwise the first one aborts. Aborting ends the child processes and exits with 128 plus the signal
//! number, even if the rest of this program is blocked.

use super::system::running;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the run can stop gracefully, and whether a stop is requested. Signals affect the whole process, so these
/// are global.
static IS_GRACEFUL: AtomicBool = AtomicBool::new(false);
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether another program has the terminal.
static IS_LEFT_TO_CHILD: AtomicBool = AtomicBool::new(false);

/// While this value exists, the first signal only requests a stop.
#[derive(Debug)]
#[must_use]
pub struct Graceful(());

/// While this value exists, another program has the terminal: Ctrl-C is meant for it.
#[derive(Debug)]
#[must_use]
pub struct Foreground(());

/// Leaves Ctrl-C to a program that is started next.
pub fn foreground() -> Foreground {
    watch();
    IS_LEFT_TO_CHILD.store(true, Ordering::SeqCst);
    Foreground(())
}

impl Drop for Foreground {
    fn drop(&mut self) {
        IS_LEFT_TO_CHILD.store(false, Ordering::SeqCst);
    }
}

/// Installs the signal handlers.
pub fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // Without handlers, a signal would end this program but leave its child processes running.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        let watch = move || signals.forever().for_each(received);
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
    });
}

/// Starts a run that can stop gracefully.
pub fn graceful() -> Graceful {
    watch();
    STOPPED.store(false, Ordering::SeqCst);
    IS_GRACEFUL.store(true, Ordering::SeqCst);
    Graceful(())
}

impl Graceful {
    /// Returns a flag that becomes true when the run should stop.
    pub fn stopped(&self) -> &'static AtomicBool {
        &STOPPED
    }
}

impl Drop for Graceful {
    fn drop(&mut self) {
        IS_GRACEFUL.store(false, Ordering::SeqCst);
    }
}

/// Returns whether a graceful run should stop: long operations that can be abandoned then end early.
pub fn is_stopping() -> bool {
    IS_GRACEFUL.load(Ordering::SeqCst) && STOPPED.load(Ordering::SeqCst)
}

fn received(signal: i32) {
    if signal == SIGINT && IS_LEFT_TO_CHILD.load(Ordering::SeqCst) {
        return;
    }
    if IS_GRACEFUL.load(Ordering::SeqCst) && !STOPPED.swap(true, Ordering::SeqCst) {
        // Printing may block if the output is not read, and must not delay the next signal.
        std::thread::spawn(|| eprintln!("rtype: stopping after the current resource; interrupt again to stop at once"));
        return;
    }
    running::end_all();
    std::process::exit(128 + signal);
}
