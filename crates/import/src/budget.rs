//! How much work one Ruby file may ask for. Ruby is not run, but loops, methods and mixins around declarations are unrolled, so that
//! a short text can describe any amount of work.
//!
//! Steps are counted, never seconds: the same file is accepted or refused on every machine.

use super::ruby::Place;
use std::cell::{Cell, RefCell};

/// What one file may spend. The largest type of the modules that are known spends a twentieth of it.
pub const STEPS: u64 = 2_000_000;
/// What a declaration costs that a loop, a method or a mixin makes: it is read, translated and checked like one that is written.
pub const DECLARATION: u64 = 100;
/// What it costs to check the text that a type becomes, in addition to its length.
pub const ROUND: u64 = 5_000;
/// How many bytes are read, copied or made for a step.
pub const BYTES: usize = 16;

/// What is unrolled at the moment.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The number of its text.
    pub file: usize,
    pub at: Place,
    /// `this loop`, ``the method `x` ``
    pub what: String,
}

/// Where the budget ran out: the outermost and the innermost of what was unrolled.
#[derive(Clone, Debug, Default)]
pub struct Exhausted {
    pub outer: Option<Frame>,
    pub inner: Option<Frame>,
    /// Whether methods or modules led to each other without end.
    pub endless: bool,
}

/// What is left of a file's steps.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    frames: RefCell<Vec<Frame>>,
    /// The value that is computed at the moment.
    value: RefCell<Option<Frame>>,
    exhausted: RefCell<Option<Exhausted>>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { left: Cell::new(STEPS), frames: RefCell::default(), value: RefCell::default(), exhausted: RefCell::default() }
    }
}

impl Budget {
    /// How much has been spent.
    pub fn spent(&self) -> u64 {
        STEPS - self.left.get()
    }

    /// Pays for work; `None` when there is nothing left to pay with, from then on always.
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

    /// Pays for so many bytes.
    pub fn spend_bytes(&self, bytes: usize) -> Option<()> {
        self.spend((bytes / BYTES) as u64)
    }

    /// Ends the work, perhaps because what is unrolled is endless.
    pub fn exhaust(&self, endless: bool) {
        self.left.set(0);
        let frames = self.frames.borrow();
        let value = self.value.borrow();
        let now = || Exhausted { outer: frames.first().cloned(), inner: frames.last().or(value.as_ref()).cloned(), endless };
        self.exhausted.borrow_mut().get_or_insert_with(now);
    }

    /// Notes which value is computed now.
    pub fn computing(&self, value: Frame) {
        *self.value.borrow_mut() = Some(value);
    }

    /// Where it ran out, if it did.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted.borrow().clone()
    }

    /// Whether something is unrolled at the moment.
    pub fn is_unrolling(&self) -> bool {
        !self.frames.borrow().is_empty()
    }

    /// Does `work` inside a loop, method or mixin.
    pub fn within<R>(&self, frame: Frame, work: impl FnOnce() -> R) -> R {
        self.frames.borrow_mut().push(frame);
        let result = work();
        self.frames.borrow_mut().pop();
        result
    }
}
