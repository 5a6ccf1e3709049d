//! Running child processes.

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use rtype_system::process;
use std::collections::BTreeMap;
use std::process::Child;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The environment variable that marks descendants of a provider program, unless a descendant is started with another environment.
pub(super) const MARK: &str = "RTYPE_PROVIDER";

/// How long programs may continue to run after SIGTERM.
const GRACE: Duration = Duration::from_millis(500);

/// Process groups of running programs, with the mark if the program is a provider program. Static, because a signal handler in any thread
/// needs the list.
static RUNNING: Mutex<BTreeMap<Pid, Option<String>>> = Mutex::new(BTreeMap::new());

/// Whether this program is about to exit.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Blocks other threads while all programs are ended, so that no thread reports the end as a failure of a program.
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

    /// Returns the process group ID.
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

/// Returns a unique mark.
pub(super) fn mark() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("{}.{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Ends all running programs, and the descendants of provider programs, before this process exits.
pub(crate) fn end_all() {
    ENDING.store(true, Ordering::SeqCst);
    let running = std::mem::take(&mut *RUNNING.lock().unwrap_or_else(PoisonError::into_inner));
    let groups: Vec<Pid> = running.keys().copied().collect();
    let programs = running.iter().filter(|(_, mark)| mark.is_some());
    let below: Vec<Pid> = programs.flat_map(|(group, _)| descendants(*group)).collect();
    let marks: Vec<String> = running.into_values().flatten().collect();
    end(&groups, &marks, &below);
}

/// Ends the remaining processes of a provider program: the process group, processes with its mark, and known descendants.
pub(super) fn end_leftovers(group: Pid, mark: &str, descendants: &[Pid]) {
    hold();
    end(&[group], &[mark.to_owned()], descendants);
}

/// Returns the descendants of a program, also those in other groups and with another environment.
pub(super) fn descendants(program: Pid) -> Vec<Pid> {
    process::descendants_of(program.as_raw()).into_iter().map(Pid::from_raw).collect()
}

/// Sends SIGTERM, then SIGKILL to processes that still run after [`GRACE`].
fn end(groups: &[Pid], marks: &[String], descendants: &[Pid]) {
    let mut asked = Vec::new();
    let begun = process::now();
    for signal in [Signal::SIGTERM, Signal::SIGKILL] {
        asked.clear();
        // Groups that have already ended are skipped.
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

/// Returns the processes with any of these marks. A daemon leaves its process group, but usually keeps its environment.
fn marked(marks: &[String]) -> Vec<Pid> {
    if marks.is_empty() {
        return Vec::new();
    }
    let wanted: Vec<Vec<u8>> = marks.iter().map(|mark| format!("{MARK}={mark}").into_bytes()).collect();
    let carries = |pid: &i32| process::variables_of(*pid).iter().any(|variable| wanted.contains(variable));
    process::numbers().into_iter().filter(carries).map(Pid::from_raw).collect()
}
