//! The common budget of all blocks in a run. Each block has its own limits ([`super::limits`]), but a file can contain any number of
//! blocks.
//!
//!
//! The program has one run at a time, so the budget is global to the process. Each block in any thread pays once, when the block ends.
//! Programs that use rtype as a library do not begin runs, and have no such limit.

use super::Failure;
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The base budget of a run in steps: a few seconds of work.
const RUN_STEPS: u64 = 50_000_000;
/// The steps added for each declared resource and each test. The most expensive standard type needs a tenth of these steps.
const STEPS_PER_RESOURCE: u64 = 5_000;

static RUN: RunBudget = RunBudget::unlimited();

/// Starts a run: a command, a `--watch` round, or a REPL input.
pub fn begin_run() {
    RUN.begin();
}

/// Adds the budget for a number of declared resources or tests.
pub fn grant_resources(count: usize) {
    RUN.grant(count as u64);
}

/// Returns the diagnostic for the end of a run that has exhausted its budget.
pub fn run_exhausted() -> Option<Diagnostic> {
    let refusal = RUN.admit(Span::NONE).err()?;
    Some(
        Diagnostic::new(refusal.code, Span::NONE, refusal.message)
            .help("declare fewer resources in one run, or make their types' blocks cheaper"),
    )
}

/// Fails if the budget is exhausted.
pub(super) fn admit(span: Span) -> Result<(), Failure> {
    RUN.admit(span)
}

/// Pays for the steps of a block.
pub(super) fn pay(steps: u64) {
    RUN.pay(steps);
}

struct RunBudget {
    /// The budget in steps, `u64::MAX` if unlimited.
    granted: AtomicU64,
    spent: AtomicU64,
}

impl RunBudget {
    const fn unlimited() -> RunBudget {
        RunBudget { granted: AtomicU64::new(u64::MAX), spent: AtomicU64::new(0) }
    }

    fn begin(&self) {
        self.spent.store(0, Relaxed);
        self.granted.store(RUN_STEPS, Relaxed);
    }

    fn grant(&self, resources: u64) {
        let more = resources.saturating_mul(STEPS_PER_RESOURCE);
        // Saturates, so that an unlimited budget stays unlimited.
        let _ = self.granted.fetch_update(Relaxed, Relaxed, |steps| Some(steps.saturating_add(more)));
    }

    fn admit(&self, span: Span) -> Result<(), Failure> {
        let granted = self.granted.load(Relaxed);
        if granted == u64::MAX || self.spent.load(Relaxed) < granted {
            return Ok(());
        }
        Err(Failure::budget(Code::RunFuelSpent, span, format!("the blocks of this run take more than {granted} steps together")))
    }

    fn pay(&self, steps: u64) {
        if self.granted.load(Relaxed) != u64::MAX {
            self.spent.fetch_add(steps, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_when_its_blocks_have_spent_the_budget() {
        let run = RunBudget::unlimited();
        run.pay(u64::MAX);
        assert!(run.admit(Span::NONE).is_ok(), "no run has begun");
        run.begin();
        run.pay(RUN_STEPS - 1);
        assert!(run.admit(Span::NONE).is_ok());
        run.pay(1);
        let refused = run.admit(Span::NONE).unwrap_err();
        assert_eq!(
            (refused.code, refused.message.as_str()),
            (Code::RunFuelSpent, "the blocks of this run take more than 50000000 steps together")
        );
        run.grant(1);
        assert!(run.admit(Span::NONE).is_ok());
        run.begin();
        assert!(run.admit(Span::NONE).is_ok(), "each run begins anew");
    }
}
