//! A sandboxed Ruby interpreter.
//!
//! The only input are the files from [`SourceFiles`], and the only output is [`Interpreter::output`]. An unknown value is a
//! [`RuntimeValue::Unknown`] with the reason. An unknown condition runs both branches, and all state that differs afterwards is unknown. In
//! strict mode, the first unknown value is an error instead.
//!
//! The budget counts steps, bytes and nesting, so that every run ends, at the same point on all machines.

mod arguments;
mod assign;
mod call;
mod classes;
mod closure;
mod control;
mod convert;
mod define;
mod doubt;
mod embed;
mod errors;
mod eval;
mod frame;
mod inspect;
mod journal;
mod keys;
mod load;
mod natives;
mod patterns;
mod source;
mod value;

pub use classes::ClassKey;
pub use embed::{EmbeddedCall, Embedder, NoSourceFiles, PlainRuby, SourceFiles};
pub use natives::changes_receiver;
pub use source::{CodeSource, MethodSource, PlainValue};
pub use value::{
    HashContent, MatchCell, MethodCell, ObjectCell, ProcCell, RangeCell, RegexCell, RuntimeValue, SharedCell, UnknownReason, UnknownValue,
};

use crate::hir::{HirError, HirText, SourceRange};
use classes::{ClassTable, KnownClasses};
use frame::Environment;
use indexmap::IndexMap;
use std::cell::Cell;
use std::rc::{Rc, Weak};

pub(crate) use Evaluation as Eval;
pub(crate) use Unwind as Flow;

/// The result of running code.
pub type Evaluation<T = RuntimeValue> = Result<T, Unwind>;

/// The reason why code was left.
#[derive(Debug)]
pub enum Unwind {
    /// `next`.
    Next(RuntimeValue),
    /// `break` from the call or loop with this number.
    Break(u64, RuntimeValue),
    /// `return` from the method call with this number.
    Return(u64, RuntimeValue),
    /// `throw`, with the tag and the value.
    Throw(RuntimeValue, RuntimeValue),
    /// `raise`, with the error.
    Raise(RuntimeValue),
    /// `retry`.
    Retry,
    /// `redo`.
    Redo,
    /// The expression has no known value.
    Unknown(Rc<UnknownValue>),
    /// The run ends.
    Stop(RunError),
}

/// The reason why a run ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The budget is exhausted.
    #[error("the budget of the run is exhausted: {_0}")]
    Exhausted(String),
    /// In strict mode: unsupported code or an unknown value. In both modes: an unknown error.
    #[error("{message}")]
    Unsupported {
        /// The unsupported code or the reason.
        message: String,
        /// The expression.
        origin: SourceRange,
    },
    /// An error that no code handled.
    #[error("{class}: {message}")]
    Raised {
        /// Its class.
        class: String,
        /// Its message.
        message: String,
    },
    /// A file has no tree.
    #[error(transparent)]
    Parse(HirError),
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Evaluated expressions and visited elements.
    pub steps: u64,
    /// Bytes of created values and copies.
    pub bytes: u64,
    /// Nesting of method and block calls.
    pub calls: usize,
}

impl Default for RunLimits {
    fn default() -> RunLimits {
        RunLimits { steps: 2_000_000, bytes: 256 << 20, calls: 600 }
    }
}

/// The remaining limits.
struct RunBudget {
    steps: Cell<u64>,
    bytes: Cell<u64>,
    calls: Cell<usize>,
    depth: Cell<usize>,
}

/// The maximum nesting of expressions.
const MAX_DEPTH: usize = 5_000;
/// The stack is extended by the second number of bytes when less than the first is left.
const STACK: (usize, usize) = (256 << 10, 4 << 20);

/// Runs Ruby.
pub struct Interpreter<'h> {
    host: Rc<dyn Embedder + 'h>,
    files: Rc<dyn SourceFiles + 'h>,
    budget: RunBudget,
    is_strict: bool,
    pub(crate) classes: ClassTable,
    known: KnownClasses,
    globals: IndexMap<HirText, RuntimeValue>,
    doubt: doubt::Doubt,
    loader: load::Loader,
    /// The output from `puts` and `print`.
    output: String,
    /// Numbers of calls and objects.
    numbers: u64,
    /// The call that is being evaluated.
    site: SourceRange,
    /// The place of the last error.
    raised_at: SourceRange,
    /// The call sites of running methods defined in code.
    callers: Vec<SourceRange>,
    /// The tags of running `catch` blocks.
    catching: Vec<RuntimeValue>,
    /// Variables that closures refer to.
    captured: Vec<Weak<Environment>>,
}

impl Drop for Interpreter<'_> {
    fn drop(&mut self) {
        // Closures and the surrounding variables refer to each other.
        value::clear(&self.captured);
    }
}

impl<'h> Interpreter<'h> {
    /// Creates an interpreter with Ruby's classes.
    ///
    /// # Errors
    /// Returns an error if the limits are too low for the library written in Ruby.
    pub fn new(host: Rc<dyn Embedder + 'h>, files: Rc<dyn SourceFiles + 'h>, limits: RunLimits, is_strict: bool) -> Result<Self, RunError> {
        let mut classes = ClassTable::default();
        let known = classes::core(&mut classes);
        let full = RunLimits::default();
        let budget = RunBudget {
            steps: Cell::new(full.steps),
            bytes: Cell::new(full.bytes),
            calls: Cell::new(full.calls),
            depth: Cell::new(MAX_DEPTH),
        };
        let mut run = Interpreter {
            host,
            files,
            budget,
            is_strict,
            classes,
            known,
            globals: IndexMap::new(),
            doubt: doubt::Doubt::default(),
            loader: load::Loader::default(),
            output: String::new(),
            numbers: 0,
            site: SourceRange::default(),
            raised_at: SourceRange::default(),
            callers: Vec::new(),
            catching: Vec::new(),
            captured: Vec::new(),
        };
        natives::define(&mut run);
        run.load_prelude()?;
        run.budget.steps.set(limits.steps);
        run.budget.bytes.set(limits.bytes);
        run.budget.calls.set(limits.calls);
        Ok(run)
    }

    /// Returns the output from `puts`, `print` and `p`.
    pub fn output(&self) -> &str {
        &self.output
    }

    /// Returns the remaining steps.
    pub fn steps_left(&self) -> u64 {
        self.budget.steps.get()
    }

    /// Uses steps from the budget.
    pub(crate) fn spend(&self, steps: u64) -> Eval<()> {
        match self.budget.steps.get().checked_sub(steps) {
            Some(left) => {
                self.budget.steps.set(left);
                Ok(())
            }
            None => Err(Flow::Stop(RunError::Exhausted("the code takes too many steps".into()))),
        }
    }

    /// Uses bytes from the budget, and steps for copying them.
    pub(crate) fn spend_bytes(&self, bytes: usize) -> Eval<()> {
        self.spend(bytes as u64 / 64)?;
        match self.budget.bytes.get().checked_sub(bytes as u64) {
            Some(left) => {
                self.budget.bytes.set(left);
                Ok(())
            }
            None => Err(Flow::Stop(RunError::Exhausted("the code creates too large values".into()))),
        }
    }

    /// Runs code one level deeper.
    fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        let Some(left) = self.budget.depth.get().checked_sub(1) else {
            return Err(Flow::Stop(RunError::Exhausted("expressions nest too deeply".into())));
        };
        self.budget.depth.set(left);
        let result = stacker::maybe_grow(STACK.0, STACK.1, || run(self));
        self.budget.depth.set(left + 1);
        result
    }

    /// Runs a method's or block's code.
    fn in_call<T>(&mut self, run: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        let Some(left) = self.budget.calls.get().checked_sub(1) else {
            return Err(Flow::Stop(RunError::Exhausted("calls nest too deeply".into())));
        };
        self.budget.calls.set(left);
        let result = self.deeper(run);
        self.budget.calls.set(left + 1);
        result
    }

    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// Ends an expression's evaluation with an unknown value.
    pub(crate) fn unknown<T>(&self, reason: UnknownReason) -> Eval<T> {
        Err(Flow::Unknown(Rc::new(UnknownValue { reason, origin: self.site, options: Vec::new() })))
    }

    /// Ends an expression's evaluation, with the reason as a sentence.
    pub(crate) fn unknown_because<T>(&self, reason: impl Into<String>) -> Eval<T> {
        self.unknown(UnknownReason::Other(reason.into()))
    }

    /// Ends the run at code with unknown effects.
    pub(crate) fn unsupported<T>(&self, message: &str) -> Eval<T> {
        Err(Flow::Stop(RunError::Unsupported { message: message.into(), origin: self.site }))
    }

    /// Converts an expression without a known value to the unknown value. In strict mode, this is an error.
    fn as_value(&self, result: Eval) -> Eval {
        match result {
            Err(Flow::Unknown(why)) if self.is_strict => {
                Err(Flow::Stop(RunError::Unsupported { message: why.reason.to_string(), origin: why.origin }))
            }
            Err(Flow::Unknown(why)) => Ok(RuntimeValue::Unknown(why)),
            other => other,
        }
    }

    /// Converts the result of a call that the embedder made.
    ///
    /// # Errors
    /// Returns an unhandled error, or the exceeded limit.
    pub fn end(&mut self, result: Evaluation) -> Result<RuntimeValue, RunError> {
        self.finish(result)
    }

    /// Converts a whole program's result.
    fn finish(&mut self, result: Eval) -> Result<RuntimeValue, RunError> {
        let result = self.as_value(result);
        match result {
            Ok(value) => Ok(value),
            Err(Flow::Stop(error)) => Err(error),
            Err(Flow::Raise(RuntimeValue::Unknown(why))) => {
                Err(RunError::Unsupported { message: why.reason.to_string(), origin: why.origin })
            }
            Err(Flow::Raise(error)) => {
                let (class, message) = self.describe_error(&error);
                Err(RunError::Raised { class, message })
            }
            Err(Flow::Throw(tag, _)) => {
                let tag = self.inspect(&tag).unwrap_or_default();
                Err(RunError::Raised { class: "UncaughtThrowError".into(), message: format!("uncaught throw {tag}") })
            }
            Err(Flow::Next(value) | Flow::Return(_, value)) => Ok(value),
            Err(_) => Err(RunError::Raised { class: "LocalJumpError".into(), message: "break from proc-closure".into() }),
        }
    }
}
