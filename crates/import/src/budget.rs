//! Limits the work that one Ruby file may cause. Ruby is not run, but loops, methods and mixins around declarations are unrolled,
//! so a short text can describe any amount of work.
//!
//! Steps are counted, not seconds, so that a file is accepted or rejected on all machines alike.

use super::ruby::ByteRange;
use std::cell::{Cell, RefCell};

/// Maximum number of steps per file. The largest type in known modules uses a twentieth of it.
pub const STEPS: u64 = 2_000_000;
/// Steps for a declaration created by a loop, method or mixin, which is parsed, translated and checked like a literal one.
pub const DECLARATION: u64 = 100;
/// Steps for checking the translated text of a type, in addition to its length.
pub const ROUND: u64 = 5_000;
/// Number of bytes that may be read, copied or created per step.
pub const BYTES: usize = 16;

/// A construct that is being unrolled.
#[derive(Clone, Debug)]
pub struct BudgetFrame {
    /// Index of its text.
    pub file: usize,
    pub at: ByteRange,
    /// Description: `this loop`, ``the method `x` ``.
    pub what: String,
}

/// Where the budget was exhausted: the outermost and the innermost unrolled construct.
#[derive(Clone, Debug, Default)]
pub struct Exhausted {
    pub outer: Option<BudgetFrame>,
    pub inner: Option<BudgetFrame>,
    /// Whether methods or modules recurse without end.
    pub endless: bool,
}

/// The remaining steps of a file.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    frames: RefCell<Vec<BudgetFrame>>,
    /// The value that is being computed.
    value: RefCell<Option<(usize, ByteRange)>>,
    exhausted: RefCell<Option<Exhausted>>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { left: Cell::new(STEPS), frames: RefCell::default(), value: RefCell::default(), exhausted: RefCell::default() }
    }
}

impl Budget {
    /// Returns the number of steps used.
    pub fn spent(&self) -> u64 {
        STEPS - self.left.get()
    }

    /// Uses steps; `None` if the budget is exhausted, and on all later calls.
    pub fn spend(&self, steps: u64) -> Option<()> {
        match self.left.get().checked_sub(steps) {
            Some(left) => {
                self.left.set(left);
                Some(())
            }
            None => {
                self.exhaust(false);
                None
            }
        }
    }

    /// Uses the steps for a number of bytes.
    pub fn spend_bytes(&self, bytes: usize) -> Option<()> {
        self.spend((bytes / BYTES) as u64)
    }

    /// Exhausts the budget; `endless` is whether unrolling would never end.
    pub fn exhaust(&self, endless: bool) {
        self.left.set(0);
        let frames = self.frames.borrow();
        let value = self.value.borrow();
        let value = value.as_ref().map(|(file, at)| BudgetFrame { file: *file, at: at.clone(), what: "this value".to_owned() });
        let now = || Exhausted { outer: frames.first().cloned(), inner: frames.last().or(value.as_ref()).cloned(), endless };
        self.exhausted.borrow_mut().get_or_insert_with(now);
    }

    /// Records the value that is being computed.
    pub fn computing(&self, file: usize, at: ByteRange) {
        *self.value.borrow_mut() = Some((file, at));
    }

    /// Returns where the budget was exhausted, if it was.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted.borrow().clone()
    }

    /// Returns whether a construct is being unrolled.
    pub fn is_unrolling(&self) -> bool {
        !self.frames.borrow().is_empty()
    }

    /// Runs `work` inside a loop, method or mixin.
    pub fn within<R>(&self, frame: BudgetFrame, work: impl FnOnce() -> R) -> R {
        self.frames.borrow_mut().push(frame);
        let result = work();
        self.frames.borrow_mut().pop();
        result
    }
}
