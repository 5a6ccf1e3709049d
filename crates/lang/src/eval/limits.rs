//! Limits for blocks. Each step costs about the same time, so that even the most expensive block ends within a tenth of a second.

use super::Failure;
use crate::diagnostics::Code;
use crate::source::Span;
use crate::value::Value;
use std::cell::Cell;

/// The limits of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The number of steps: one per expression, per element, and per 16 bytes of string read or created.
    pub fuel: u64,
    /// The maximum depth of nested function calls.
    pub calls: u32,
    /// The maximum depth of nested expressions across all calls; protects the stack.
    pub depth: u32,
    /// The maximum size of a value in bytes, including all values inside it.
    pub bytes: usize,
    /// The maximum depth of nested lists and maps. Comparing, printing, hashing and dropping values recurse this deep.
    pub nesting: u32,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Limits = Limits { fuel: 1_000_000, calls: 64, depth: 400, bytes: 1 << 20, nesting: 64 };
}

/// The number of expressions that a closure counts as.
const CLOSURE_DEPTH: u32 = 6;

/// The rest of a running block's limits.
#[derive(Debug)]
pub(super) struct Meter {
    limits: Limits,
    /// The number of steps when the block started.
    begun: u64,
    fuel: u64,
    calls: u32,
    depth: u32,
}

impl Meter {
    pub(super) fn new(limits: Limits) -> Meter {
        Meter { limits, begun: limits.fuel, fuel: limits.fuel, calls: 0, depth: 0 }
    }

    /// Pays for steps; fails if too few steps are left.
    pub(super) fn spend(&mut self, steps: u64, span: Span) -> Result<(), Failure> {
        match self.fuel.checked_sub(steps) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => {
                self.fuel = 0;
                let message = format!("the block takes more than {} steps", self.limits.fuel);
                Err(Failure::budget(Code::FuelSpent, span, message))
            }
        }
    }

    /// Pays for reading or creating a string.
    pub(super) fn spend_bytes(&mut self, bytes: usize, span: Span) -> Result<(), Failure> {
        self.spend(bytes as u64 / 16, span)
    }

    /// Raises the limits, because the machine returned more data than blocks usually process.
    pub(super) fn grant(&mut self, steps: u64, bytes: usize) {
        self.limits.fuel = self.limits.fuel.saturating_add(steps);
        self.limits.bytes = self.limits.bytes.saturating_add(bytes);
        self.begun = self.begun.saturating_add(steps);
        self.fuel = self.fuel.saturating_add(steps);
    }

    /// Subtracts the steps that nested blocks within the same outermost block have already used.
    pub(super) fn share(&mut self, nested: &Nested) {
        self.fuel = self.limits.fuel.saturating_sub(nested.spent_before);
        self.begun = self.fuel;
    }

    /// Returns the number of steps used so far.
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

    /// Enters a closure. Methods call closures, and their own stack frames are as large as several expressions.
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

    /// Pays for a string or list of this size before its creation; fails if the size is too large.
    pub(super) fn room(&mut self, bytes: usize, span: Span) -> Result<(), Failure> {
        if bytes > self.limits.bytes {
            return Err(self.too_large(span));
        }
        self.spend_bytes(bytes, span)
    }

    /// Fails if a value under construction becomes too large. The complete value is paid for later.
    pub(super) fn fits(&self, bytes: usize, span: Span) -> Result<(), Failure> {
        if bytes > self.limits.bytes { Err(self.too_large(span)) } else { Ok(()) }
    }

    fn too_large(&self, span: Span) -> Failure {
        let message = format!("a value becomes larger than {} bytes", self.limits.bytes);
        Failure::new(Code::ValueTooLarge, span, message)
    }

    /// Pays for traversing a value once; fails if the value is too large or nested too deeply.
    pub(super) fn admit(&mut self, value: &Value, span: Span) -> Result<(), Failure> {
        match value {
            Value::Str(s) => self.room(s.len(), span),
            Value::Binary(bytes) => self.room(bytes.len(), span),
            Value::Array(_) | Value::Map(_) | Value::Object(_) | Value::Sensitive(_) => {
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

    /// Adds up the size of a value. Stops at the limit, so that values shared many times do not take longer.
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
            Value::Array(_) | Value::Map(_) | Value::Object(_) | Value::Sensitive(_) if depth >= self.limits.nesting => Fit::TooDeep,
            Value::Array(values) => values.iter().map(inside).find(|f| *f != Fit::Fits).unwrap_or(Fit::Fits),
            Value::Map(map) => {
                let mut pairs = map.iter().flat_map(|(k, v)| [k, v]);
                pairs.find_map(|v| Some(inside(v)).filter(|f| *f != Fit::Fits)).unwrap_or(Fit::Fits)
            }
            Value::Object(object) => {
                let (Ok(text) | Err(text)) = &object.text;
                let fits = inside(&Value::Str(text.clone()));
                object.fields.values().fold(fits, |fits, v| if fits == Fit::Fits { inside(v) } else { fits })
            }
            Value::Sensitive(v) => inside(v),
            _ => Fit::Fits,
        }
    }
}

/// The maximum depth of blocks that run inside each other: `self.x` runs the `should` block of `x`, `self.x = …` the `munge` block of
/// `x`, `super` the overridden block, and each block may do the same.
const MAX_NESTED: u32 = 16;

/// The cost of starting a nested block: a view of the resource, a frame and slots.
const NESTED_STEPS: u64 = 50;

thread_local! {
    /// The current depth of nested blocks on this thread, and the steps used by blocks inside the outermost block.
    ///
    /// Both are kept per thread: the path from a block to a nested block leads through scopes, catalogs and providers, which should not
    /// have to pass on data about the thread's stack and time.
    static RUNNING: Cell<(u32, u64)> = const { Cell::new((0, 0)) };
}

/// Marks a block as running on this thread until it is dropped.
pub(super) struct Nested {
    spent_before: u64,
}

impl Nested {
    /// Enters a block; fails if too many blocks are running inside each other.
    pub(super) fn enter(span: Span) -> Result<Nested, Failure> {
        let (depth, spent) = RUNNING.get();
        let spent_before = if depth == 0 { 0 } else { spent };
        if depth >= MAX_NESTED {
            return Err(Failure::new(Code::CallsTooDeep, span, format!("more than {MAX_NESTED} blocks run inside each other")));
        }
        RUNNING.set((depth + 1, spent_before));
        Ok(Nested { spent_before })
    }

    /// Leaves the block and adds the block's own steps.
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
