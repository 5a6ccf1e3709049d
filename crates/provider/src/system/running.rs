//! The programs that this one has started and that still run.

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use rtype_system::process;
use std::collections::BTreeMap;
use std::process::Child;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The variable by which everything that a provider program starts is known, unless that is given another environment.
pub(super) const MARK: &str = "RTYPE_PROVIDER";

/// How long programs may continue to run after SIGTERM.
const GRACE: Duration = Duration::from_millis(500);

/// The groups of processes, each with the mark of a provider program where it is one. A signal has to find them from any thread.
static RUNNING: Mutex<BTreeMap<Pid, Option<String>>> = Mutex::new(BTreeMap::new());

/// Whether this program is about to exit.
static ENDING: AtomicBool = AtomicBool::new(false);

/// While everything is ended, no other thread may take that for failures of programs and go on.
fn hold() {
    while ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// A running program in its own process group.
#[derive(Debug)]
pub(super) struct Running(Pid);

impl Running {
    /// `mark` is the value of [`MARK`] in its environment.
    pub fn new(child: &Child, mark: Option<String>) -> Running {
        hold();
        let group = Pid::from_raw(i32::try_from(child.id()).unwrap_or(0));
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).insert(group, mark);
        Running(group)
    }

    /// Returns the ID of its process group.
    pub fn group(&self) -> Pid {
        self.0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        hold();
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// A mark that no other program has.
pub(super) fn mark() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("{}.{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Ends all programs that still run, and what provider programs have started, before this program exits.
pub(crate) fn end_all() {
    ENDING.store(true, Ordering::SeqCst);
    let running = std::mem::take(&mut *RUNNING.lock().unwrap_or_else(PoisonError::into_inner));
    let groups: Vec<Pid> = running.keys().copied().collect();
    let programs = running.iter().filter(|(_, mark)| mark.is_some());
    let below: Vec<Pid> = programs.flat_map(|(group, _)| descendants(*group)).collect();
    let marks: Vec<String> = running.into_values().flatten().collect();
    end(&groups, &marks, &below);
}

/// Ends what a provider program left running: its process group, the processes that carry its mark, and those that were known as its
/// descendants.
pub(super) fn end_leftovers(group: Pid, mark: &str, descendants: &[Pid]) {
    hold();
    end(&[group], &[mark.to_owned()], descendants);
}

/// Returns the descendants of a program, also those in other groups and with another environment.
pub(super) fn descendants(program: Pid) -> Vec<Pid> {
    process::descendants_of(program.as_raw()).into_iter().map(Pid::from_raw).collect()
}

/// First by TERM, and what is still there a moment later by KILL.
fn end(groups: &[Pid], marks: &[String], descendants: &[Pid]) {
    let mut asked = Vec::new();
    let begun = process::now();
    for signal in [Signal::SIGTERM, Signal::SIGKILL] {
        asked.clear();
        // That one may be gone already does not matter.
        asked.extend(groups.iter().copied().filter(|group| killpg(*group, signal) != Err(Errno::ESRCH)));
        let mut marked = marked(marks);
        marked.extend(descendants.iter().filter(|one| kill(**one, None).is_ok()));
        for one in &marked {
            let _ = kill(*one, signal);
        }
        let is_there = || asked.iter().any(|group| killpg(*group, None).is_ok()) || marked.iter().any(|one| kill(*one, None).is_ok());
        while is_there() {
            if begun.elapsed() > GRACE {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        if asked.is_empty() && marked.is_empty() {
            return;
        }
    }
}

/// Returns the processes that carry one of these marks: a daemon leaves its group, but mostly keeps its environment.
fn marked(marks: &[String]) -> Vec<Pid> {
    if marks.is_empty() {
        return Vec::new();
    }
    let wanted: Vec<Vec<u8>> = marks.iter().map(|mark| format!("{MARK}={mark}").into_bytes()).collect();
    let carries = |pid: &i32| process::variables_of(*pid).iter().any(|variable| wanted.contains(variable));
    process::numbers().into_iter().filter(carries).map(Pid::from_raw).collect()
}
