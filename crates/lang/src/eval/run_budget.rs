//! How much all blocks of a run may do together. Each block has limits of its own ([`super::limits`]), but a file can have any
//! number of blocks.
//!
//! The program has one run at a time, so its budget belongs to the process; all threads pay from it, once a block. Who uses rtype
//! as a library begins no run and has no such limit.

use super::Failure;
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What any run may spend, in steps of blocks: some seconds of work.
const RUN_STEPS: u64 = 50_000_000;
/// What each declared resource and each test adds. The most demanding of the standard types takes a tenth of it.
const STEPS_PER_RESOURCE: u64 = 5_000;

static RUN: RunBudget = RunBudget::unlimited();

/// Begins a run: a command, one round of `--watch`, one input of the REPL.
pub fn begin_run() {
    RUN.begin();
}

/// Adds what so many declared resources or tests may spend.
pub fn grant_resources(count: usize) {
    RUN.grant(count as u64);
}

/// What to report at the end of a run whose blocks have spent everything; `None` for all others.
pub fn run_exhausted() -> Option<Diagnostic> {
    let refusal = RUN.admit(Span::NONE).err()?;
    Some(
        Diagnostic::new(refusal.code, Span::NONE, refusal.message)
            .help("declare fewer resources in one run, or make their types' blocks cheaper"),
    )
}

/// Refuses a block when there is nothing left.
pub(super) fn admit(span: Span) -> Result<(), Failure> {
    RUN.admit(span)
}

/// Pays for what a block has done.
pub(super) fn pay(steps: u64) {
    RUN.pay(steps);
}

struct RunBudget {
    /// `u64::MAX` for unlimited.
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
        // Saturates, so that no limit stays no limit.
        let _ = self.granted.fetch_update(Relaxed, Relaxed, |steps| Some(steps.saturating_add(more)));
    }

    fn admit(&self, span: Span) -> Result<(), Failure> {
        let granted = self.granted.load(Relaxed);
        if granted == u64::MAX || self.spent.load(Relaxed) < granted {
            return Ok(());
        }
        Err(Failure::new(Code::RunFuelSpent, span, format!("the blocks of this run take more than {granted} steps together")))
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
