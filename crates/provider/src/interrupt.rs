//! Handling of SIGINT, SIGTERM and SIGHUP, and of SIGUSR1 and SIGUSR2 in a daemon.
//!
//! A run that can stop gracefully calls [`graceful`]: the first signal then only requests a stop, and the second one
//! aborts. Otherwise the first one aborts. Aborting ends the child processes and exits with 128 plus the signal
//! number, even if the rest of this program is blocked.

use super::system::running;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Once};
use std::time::Duration;

/// Whether the run can stop gracefully, and whether a stop is requested. Signals affect the whole process, so these
/// are global.
static IS_GRACEFUL: AtomicBool = AtomicBool::new(false);
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether this process is a daemon, which SIGHUP does not stop.
static IS_DAEMON: AtomicBool = AtomicBool::new(false);

/// Whether another program has the terminal.
static IS_LEFT_TO_CHILD: AtomicBool = AtomicBool::new(false);

/// Whether a SIGINT has arrived that is not handled yet.
static IS_PENDING: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

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
        // A signal that has ended the other program may reach the handling thread only now. It has a second at most.
        for _ in 0..1000 {
            if !IS_PENDING.load(Ordering::SeqCst) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        IS_LEFT_TO_CHILD.store(false, Ordering::SeqCst);
    }
}

/// Installs the signal handlers.
pub fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // The flag is set when a signal arrives, before the thread below learns of it.
        let _ = signal_hook::flag::register(SIGINT, Arc::clone(&IS_PENDING));
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

/// The signals that ask a daemon to run now.
#[derive(Debug)]
pub struct RunRequests(Arc<AtomicBool>);

/// Begins to treat signals as Puppet's daemon does, see its `lib/puppet/daemon.rb`: SIGUSR1 and SIGHUP ask for a run, and SIGUSR2, on which
/// Puppet opens its logs again, does nothing.
///
/// # Errors
/// If the system refuses a handler.
pub fn run_requests() -> std::io::Result<RunRequests> {
    watch();
    IS_DAEMON.store(true, Ordering::SeqCst);
    let asked: Arc<AtomicBool> = Arc::default();
    for signal in [SIGUSR1, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&asked))?;
    }
    signal_hook::flag::register(SIGUSR2, Arc::default())?;
    Ok(RunRequests(asked))
}

impl RunRequests {
    /// Returns whether a run has been asked for since the last question.
    pub fn take(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }
}

/// Returns whether a graceful run should stop: long operations that can be abandoned then end early.
pub fn is_stopping() -> bool {
    IS_GRACEFUL.load(Ordering::SeqCst) && STOPPED.load(Ordering::SeqCst)
}

fn received(signal: i32) {
    if signal == SIGHUP && IS_DAEMON.load(Ordering::SeqCst) {
        return;
    }
    if signal == SIGINT {
        let is_for_child = IS_LEFT_TO_CHILD.load(Ordering::SeqCst);
        IS_PENDING.store(false, Ordering::SeqCst);
        if is_for_child {
            return;
        }
    }
    if IS_GRACEFUL.load(Ordering::SeqCst) && !STOPPED.swap(true, Ordering::SeqCst) {
        // Printing may block if the output is not read, and must not delay the next signal.
        std::thread::spawn(|| eprintln!("rtype: stopping after the current resource; interrupt again to stop at once"));
        return;
    }
    running::end_all();
    std::process::exit(128 + signal);
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::signal::{Signal, raise};

    /// Before, a signal that was handled after the other program had ended could end this one.
    #[test]
    fn signals_for_another_program_end_nothing_when_it_is_gone() {
        for _ in 0..200 {
            let other = foreground();
            raise(Signal::SIGINT).unwrap();
            drop(other);
        }
        assert!(!IS_PENDING.load(Ordering::SeqCst));
    }
}
