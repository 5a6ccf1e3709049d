//! Limits the work for all Ruby files of a run together: a module can have any number of files.
//!
//! As with blocks ([`rtype_lang::eval::begin_run`]), the program has one run at a time, so the budget is global to the process.
//! Users of the library who do not begin a run have no such limit.

use super::budget::STEPS;
use super::grouped;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Steps shared by all files of a run, in addition to those per file.
const RUN_STEPS: u64 = 10 * STEPS;
/// Steps added for each file of a run: more than most files need.
const RUN_STEPS_PER_FILE: u64 = 20_000;

static RUN: Mutex<RunBudget> = Mutex::new(RunBudget { granted: None, spent: 0, is_reported: false });

/// Begins a run: a command, one round of `--watch`, one input of the REPL.
pub fn begin_run() {
    *run() = RunBudget { granted: Some(RUN_STEPS), spent: 0, is_reported: false };
}

/// Admits `count` files, starting with `first`, unless earlier ones have exhausted the budget. `left` is the number of files still
/// to come, including these, if known.
///
/// # Errors
/// Returns the diagnostic to report, once per run.
pub fn admit(count: usize, first: &str, left: Option<usize>) -> Result<(), Option<Diagnostic>> {
    run().admit(count, first, left)
}

/// Uses steps of the budget.
pub fn pay(steps: u64) {
    let mut run = run();
    run.spent = run.spent.saturating_add(steps);
}

fn run() -> MutexGuard<'static, RunBudget> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

struct RunBudget {
    /// `None` for no limit.
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
