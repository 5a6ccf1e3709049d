//! What a block may spend. All limits are in units that cost about the same time, so that the worst block ends
//! within a tenth of a second.

use super::Failure;
use crate::diagnostics::Code;
use crate::source::Span;
use crate::value::Value;
use std::cell::Cell;

/// How much a block may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps: one for each expression, each element, each 16 bytes of text that is read or made.
    pub fuel: u64,
    /// Calls of functions inside each other.
    pub calls: u32,
    /// Expressions inside each other, through all calls; guards the stack.
    pub depth: u32,
    /// Bytes of one value with all that is in it.
    pub bytes: usize,
    /// Lists and maps inside each other. Comparing, printing, hashing and dropping recurse as deep.
    pub nesting: u32,
}

impl Limits {
    /// What blocks get unless somebody says otherwise.
    pub const DEFAULT: Limits = Limits { fuel: 1_000_000, calls: 64, depth: 400, bytes: 1 << 20, nesting: 64 };
}

/// How many expressions a closure counts as.
const CLOSURE_DEPTH: u32 = 6;

/// What is left of the limits of a running block.
#[derive(Debug)]
pub(super) struct Meter {
    limits: Limits,
    /// What there was when the block began.
    begun: u64,
    fuel: u64,
    calls: u32,
    depth: u32,
}

impl Meter {
    pub(super) fn new(limits: Limits) -> Meter {
        Meter { limits, begun: limits.fuel, fuel: limits.fuel, calls: 0, depth: 0 }
    }

    /// Pays for work.
    pub(super) fn spend(&mut self, steps: u64, span: Span) -> Result<(), Failure> {
        match self.fuel.checked_sub(steps) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => {
                self.fuel = 0;
                let message = format!("the block takes more than {} steps", self.limits.fuel);
                Err(Failure::new(Code::FuelSpent, span, message))
            }
        }
    }

    /// Pays for reading or making text.
    pub(super) fn spend_bytes(&mut self, bytes: usize, span: Span) -> Result<(), Failure> {
        self.spend(bytes as u64 / 16, span)
    }

    /// Adds to what the block may do, since the machine has more than blocks usually see.
    pub(super) fn grant(&mut self, steps: u64, bytes: usize) {
        self.limits.fuel = self.limits.fuel.saturating_add(steps);
        self.limits.bytes = self.limits.bytes.saturating_add(bytes);
        self.begun = self.begun.saturating_add(steps);
        self.fuel = self.fuel.saturating_add(steps);
    }

    /// Takes off what blocks inside the same outermost block have spent.
    pub(super) fn share(&mut self, nested: &Nested) {
        self.fuel = self.limits.fuel.saturating_sub(nested.spent_before);
        self.begun = self.fuel;
    }

    /// What has been spent here.
    pub(super) fn spent(&self) -> u64 {
        self.begun.saturating_sub(self.fuel)
    }

    pub(super) fn enter(&mut self, span: Span) -> Result<(), Failure> {
        if self.depth >= self.limits.depth {
            return Err(Failure::new(Code::CallsTooDeep, span, "expressions and calls nest too deep"));
        }
        self.spend(1, span)?;
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// A closure runs inside a method, whose own frames weigh as much as several expressions.
    pub(super) fn enter_closure(&mut self, span: Span) -> Result<(), Failure> {
        if self.depth + CLOSURE_DEPTH > self.limits.depth {
            return Err(Failure::new(Code::CallsTooDeep, span, "expressions and calls nest too deep"));
        }
        self.depth += CLOSURE_DEPTH;
        Ok(())
    }

    pub(super) fn leave_closure(&mut self) {
        self.depth = self.depth.saturating_sub(CLOSURE_DEPTH);
    }

    pub(super) fn enter_call(&mut self, span: Span) -> Result<(), Failure> {
        if self.calls >= self.limits.calls {
            let message = format!("calls nest deeper than {}", self.limits.calls);
            return Err(Failure::new(Code::CallsTooDeep, span, message));
        }
        self.calls += 1;
        Ok(())
    }

    pub(super) fn leave_call(&mut self) {
        self.calls = self.calls.saturating_sub(1);
    }

    /// Refuses text or a list that would become too large, before it is made.
    pub(super) fn room(&mut self, bytes: usize, span: Span) -> Result<(), Failure> {
        if bytes > self.limits.bytes {
            return Err(self.too_large(span));
        }
        self.spend_bytes(bytes, span)
    }

    /// Refuses what grows too large; paid for when it is done.
    pub(super) fn fits(&self, bytes: usize, span: Span) -> Result<(), Failure> {
        if bytes > self.limits.bytes { Err(self.too_large(span)) } else { Ok(()) }
    }

    fn too_large(&self, span: Span) -> Failure {
        let message = format!("a value becomes larger than {} bytes", self.limits.bytes);
        Failure::new(Code::ValueTooLarge, span, message)
    }

    /// Pays for going through a value once; refuses one that is too large or nests too deep.
    pub(super) fn admit(&mut self, value: &Value, span: Span) -> Result<(), Failure> {
        match value {
            Value::Str(s) => self.room(s.len(), span),
            Value::Binary(bytes) => self.room(bytes.len(), span),
            Value::Array(_) | Value::Map(_) | Value::Sensitive(_) => {
                let mut bytes = 0;
                let fits = self.measure(value, 0, &mut bytes);
                self.spend_bytes(bytes, span)?;
                match fits {
                    Fit::Fits => Ok(()),
                    Fit::TooLarge => Err(self.too_large(span)),
                    Fit::TooDeep => {
                        let message = format!("lists and maps nest deeper than {}", self.limits.nesting);
                        Err(Failure::new(Code::ValueTooLarge, span, message))
                    }
                }
            }
            _ => Ok(()),
        }
    }

    /// Adds up the size of a value; stops at the limit, so that what is shared many times costs no more than that.
    fn measure(&self, value: &Value, depth: u32, bytes: &mut usize) -> Fit {
        *bytes = bytes.saturating_add(16);
        if *bytes > self.limits.bytes {
            return Fit::TooLarge;
        }
        let mut inside = |v: &Value| self.measure(v, depth + 1, bytes);
        match value {
            Value::Str(_) | Value::Binary(_) => {
                *bytes = bytes.saturating_add(value.as_bytes().map_or(0, <[u8]>::len));
                if *bytes > self.limits.bytes { Fit::TooLarge } else { Fit::Fits }
            }
            Value::Array(_) | Value::Map(_) | Value::Sensitive(_) if depth >= self.limits.nesting => Fit::TooDeep,
            Value::Array(values) => values.iter().map(inside).find(|f| *f != Fit::Fits).unwrap_or(Fit::Fits),
            Value::Map(map) => {
                let mut pairs = map.iter().flat_map(|(k, v)| [k, v]);
                pairs.find_map(|v| Some(inside(v)).filter(|f| *f != Fit::Fits)).unwrap_or(Fit::Fits)
            }
            Value::Sensitive(v) => inside(v),
            _ => Fit::Fits,
        }
    }
}

/// How many blocks may run inside each other: `self.x` runs the `should` block of `x`, `self.x = …` its `munge`, `super` what a
/// block took the place of, and each of these may do the same again.
const MAX_NESTED: u32 = 16;

/// What it costs to begin a block inside another one: a view of the resource, a frame, slots.
const NESTED_STEPS: u64 = 50;

thread_local! {
    /// How many blocks run inside each other on this thread, and what those inside the outermost one have spent.
    ///
    /// The chain from a block to the one inside it leads through scopes, catalogs and providers of other rooms; none of
    /// them has to hand on what is only about the stack and the time of this thread.
    static RUNNING: Cell<(u32, u64)> = const { Cell::new((0, 0)) };
}

/// A block that begins to run; the thread knows of it until it is dropped.
pub(super) struct Nested {
    spent_before: u64,
}

impl Nested {
    /// Refuses a block that runs in too many others.
    pub(super) fn enter(span: Span) -> Result<Nested, Failure> {
        let (depth, spent) = RUNNING.get();
        let spent_before = if depth == 0 { 0 } else { spent };
        if depth >= MAX_NESTED {
            return Err(Failure::new(Code::CallsTooDeep, span, format!("more than {MAX_NESTED} blocks run inside each other")));
        }
        RUNNING.set((depth + 1, spent_before));
        Ok(Nested { spent_before })
    }

    /// Counts what the block has spent itself.
    pub(super) fn leave(self, spent: u64) {
        let (depth, before) = RUNNING.get();
        RUNNING.set((depth, before.saturating_add(spent).saturating_add(NESTED_STEPS)));
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        let (depth, spent) = RUNNING.get();
        RUNNING.set((depth.saturating_sub(1), spent));
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Fit {
    Fits,
    TooLarge,
    TooDeep,
}
