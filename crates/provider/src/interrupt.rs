//! What happens when this program is asked to end: Ctrl-C, `kill`, a closed terminal.
//!
//! A run that may be stopped in order says so with [`graceful`]: the first signal is noted and reported, the second one aborts.
//! Otherwise the first one aborts. Aborting ends the programs that were started and exits with 128 plus the signal's number,
//! no matter what the rest of this program waits for.

use super::system::running;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a run can be stopped in order, and whether it is to. Signals are for the whole process, and so is this.
static IS_GRACEFUL: AtomicBool = AtomicBool::new(false);
static STOPPED: AtomicBool = AtomicBool::new(false);

/// While this lives, the first signal only asks to stop.
#[derive(Debug)]
#[must_use]
pub struct Graceful(());

/// Takes care of signals from now on.
pub fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // Without handlers a signal ends the program at once, which leaves the programs it has started running.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        let watch = move || signals.forever().for_each(received);
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
    });
}

/// Begins a run that can be stopped in order.
pub fn graceful() -> Graceful {
    watch();
    STOPPED.store(false, Ordering::SeqCst);
    IS_GRACEFUL.store(true, Ordering::SeqCst);
    Graceful(())
}

impl Graceful {
    /// Becomes true when the run is to stop.
    pub fn stopped(&self) -> &'static AtomicBool {
        &STOPPED
    }
}

impl Drop for Graceful {
    fn drop(&mut self) {
        IS_GRACEFUL.store(false, Ordering::SeqCst);
    }
}

/// Whether a run that is under way is to stop: what may take long and can be given up ends early.
pub fn is_stopping() -> bool {
    IS_GRACEFUL.load(Ordering::SeqCst) && STOPPED.load(Ordering::SeqCst)
}

fn received(signal: i32) {
    if IS_GRACEFUL.load(Ordering::SeqCst) && !STOPPED.swap(true, Ordering::SeqCst) {
        // The output may not be read: that must not delay the next signal.
        std::thread::spawn(|| eprintln!("rtype: stopping after the current resource; interrupt again to stop at once"));
        return;
    }
    running::end_all();
    std::process::exit(128 + signal);
}
