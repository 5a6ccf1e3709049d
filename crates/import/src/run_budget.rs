//! How much work all Ruby files of a run may ask for together: a module can have any number of them.
//!
//! As with blocks ([`rtype_lang::eval::begin_run`]) the program has one run at a time, so its budget belongs to the process. Who uses
//! rtype as a library begins no run and has no such limit.

use super::budget::STEPS;
use super::grouped;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many steps the files of a run share, before what each file adds.
const RUN_STEPS: u64 = 10 * STEPS;
/// What each file of a run adds: more than most take.
const RUN_STEPS_PER_FILE: u64 = 20_000;

static RUN: Mutex<RunBudget> = Mutex::new(RunBudget { granted: None, spent: 0, is_reported: false });

/// Begins a run: a command, one round of `--watch`, one input of the REPL.
pub fn begin_run() {
    *run() = RunBudget { granted: Some(RUN_STEPS), spent: 0, is_reported: false };
}

/// Admits so many files, of which this is the first, unless those before them have spent everything. `left` is how many are
/// to come with them, where that is known.
///
/// # Errors
/// What to report: once in a run.
pub fn admit(count: usize, first: &str, left: Option<usize>) -> Result<(), Option<Diagnostic>> {
    run().admit(count, first, left)
}

/// Pays for files.
pub fn pay(steps: u64) {
    let mut run = run();
    run.spent = run.spent.saturating_add(steps);
}

fn run() -> MutexGuard<'static, RunBudget> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

struct RunBudget {
    /// Nothing where there is no limit.
    granted: Option<u64>,
    spent: u64,
    is_reported: bool,
}

impl RunBudget {
    fn admit(&mut self, count: usize, first: &str, left: Option<usize>) -> Result<(), Option<Diagnostic>> {
        let Some(granted) = &mut self.granted else { return Ok(()) };
        *granted = granted.saturating_add(RUN_STEPS_PER_FILE.saturating_mul(count as u64));
        if self.spent <= *granted {
            return Ok(());
        }
        if std::mem::replace(&mut self.is_reported, true) {
            return Err(None);
        }
        let others = match left {
            Some(0 | 1) => format!("`{first}` is not imported"),
            Some(more) => format!("{more} files from `{first}` on are not imported"),
            None => format!("`{first}` and the Ruby files after it are not imported"),
        };
        let message = format!("{others}: those before took more than {} steps together", grouped(*granted));
        Err(Some(Diagnostic::new(Code::ImportRunBudget, Span::NONE, message).help("use fewer Ruby files in one run")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_refused_once_those_before_have_spent_the_budget() {
        let mut run = RunBudget { granted: None, spent: u64::MAX, is_reported: false };
        assert_eq!(run.admit(1, "x", None), Ok(()), "no run has begun");
        run = RunBudget { granted: Some(RUN_STEPS), spent: RUN_STEPS + RUN_STEPS_PER_FILE, is_reported: false };
        assert_eq!(run.admit(1, "x", None), Ok(()));
        run.spent += RUN_STEPS_PER_FILE + 1;
        let refusal = run.admit(1, "y.rb", None).unwrap_err().unwrap();
        let message = "`y.rb` and the Ruby files after it are not imported: those before took more than 20,040,000 steps together";
        assert_eq!((refusal.code, refusal.message.as_str()), (Code::ImportRunBudget, message));
        assert_eq!(run.admit(1, "z.rb", None), Ok(()), "each file adds something");
        run.spent = u64::MAX;
        assert_eq!(run.admit(1, "z.rb", None), Err(None), "it is reported once");
    }
}
