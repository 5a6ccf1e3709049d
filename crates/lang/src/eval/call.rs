//! A call to a built-in function or method, with the arguments, the closure, and constructors for errors that never reveal secrets.

use super::interpreter::{Interpreter, Truth, decided};
use super::{Failure, QueryError};
use super::{error_class, secret};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::types::Lambda;
use crate::value::{EcoString, REDACTED, Regex, Value, inspect};
use smallvec::SmallVec;
use std::sync::Arc;

/// The reason why evaluation left an expression early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The block fails.
    Fail(Box<Failure>),
    /// `return`: leaves the block or function with a value.
    Return(Value),
    /// `next`: leaves the closure with a value.
    Next(Value),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Fail(Box::new(failure))
    }
}

/// The result of evaluation.
pub(super) type Eval<T = Value> = Result<T, Stop>;

static NIL: Value = Value::Nil;

/// The arguments of a call, inline for up to two.
pub(super) type Args = SmallVec<[Value; 2]>;

/// A call of a built-in function or method.
pub(super) struct BuiltinCall<'c> {
    /// The name of the function or method, for messages.
    pub(super) name: &'static str,
    /// The span of the call.
    pub(super) span: Span,
    /// The arguments; if any argument is secret, all arguments are unwrapped.
    pub(super) args: Args,
    /// The closure.
    pub(super) lambda: Option<&'c Lambda>,
    /// `true` if the receiver or an argument is secret, so that messages must not contain values.
    pub(super) secret: bool,
}

impl<'c> BuiltinCall<'c> {
    /// Returns an argument, or nil if it is missing.
    pub(super) fn arg(&self, place: usize) -> &Value {
        self.args.get(place).unwrap_or(&NIL)
    }

    /// Returns `true` if the call has this argument.
    pub(super) fn has(&self, place: usize) -> bool {
        self.args.len() > place
    }

    /// Creates a failure for this call. A message that may contain secret values is replaced later.
    pub(super) fn fail(&self, message: impl Into<String>) -> Stop {
        self.fail_as(Code::BlockFailed, message)
    }

    /// Creates a failure for which Ruby raises an error of this class.
    pub(super) fn fail_of(&self, class: &'static str, message: impl Into<String>) -> Stop {
        let message = if self.secret { self.concealed() } else { message.into() };
        Failure { class: Some(class.into()), ..Failure::new(Code::BlockFailed, self.span, message) }.into()
    }

    /// Creates a failure because a value has the wrong kind.
    pub(super) fn wrong(&self, message: impl Into<String>) -> Stop {
        self.fail_as(Code::WrongReceiver, message)
    }

    /// Creates a failure because the machine gave no answer.
    pub(super) fn unanswered(&self, error: QueryError) -> Stop {
        if self.secret { self.fail(self.concealed()) } else { Failure::query(Code::BlockFailed, self.span, error).into() }
    }

    fn fail_as(&self, code: Code, message: impl Into<String>) -> Stop {
        let message = if self.secret { self.concealed() } else { message.into() };
        Failure { class: error_class::of_call(self, code), ..Failure::new(code, self.span, message) }.into()
    }

    /// Returns the replacement for a message that may contain a sensitive value.
    pub(super) fn concealed(&self) -> String {
        format!("`{}` cannot use this sensitive value", self.name)
    }

    /// Creates a failure because the result does not fit into 64 bits.
    pub(super) fn overflow(&self) -> Stop {
        Failure::new(Code::ValueTooLarge, self.span, format!("`{}` gives a number beyond 64 bits", self.name)).into()
    }

    /// Creates a failure because of an argument: `` `join` takes a string, not 5 ``.
    pub(super) fn takes(&self, what: &str, got: &Value) -> Stop {
        self.wrong(format!("`{}` takes {what}, not {}", self.name, describe(got)))
    }

    /// Returns a string argument.
    pub(super) fn text(&self, place: usize) -> Eval<EcoString> {
        match self.arg(place) {
            Value::Str(s) => Ok(s.clone()),
            other => Err(self.takes("a string", other)),
        }
    }

    /// Returns a string or symbol argument.
    pub(super) fn name(&self, place: usize) -> Eval<EcoString> {
        match self.arg(place) {
            Value::Str(s) => Ok(s.clone()),
            Value::Sym(s) => Ok(s.text()),
            other => Err(self.takes("a string or a symbol", other)),
        }
    }

    /// Returns an integer argument; floats are truncated.
    pub(super) fn int(&self, place: usize) -> Eval<i64> {
        match self.arg(place) {
            Value::Int(n) => Ok(*n),
            Value::Float(f) if f.is_finite() && f.abs() < 9e15 => Ok(f.trunc() as i64),
            other => Err(self.takes("an integer", other)),
        }
    }

    /// Returns an optional integer argument.
    pub(super) fn maybe_int(&self, place: usize) -> Eval<Option<i64>> {
        if self.arg(place).is_nil() { Ok(None) } else { self.int(place).map(Some) }
    }

    /// Returns a non-negative integer argument.
    pub(super) fn count(&self, place: usize) -> Eval<usize> {
        let n = self.int(place)?;
        usize::try_from(n)
            .map_err(|_| self.fail_of("ArgumentError", format!("`{}` takes a number that is not negative, not {n}", self.name)))
    }

    /// Returns a list argument.
    pub(super) fn list(&self, place: usize) -> Eval<&[Value]> {
        match self.arg(place) {
            Value::Array(values) => Ok(values),
            other => Err(self.takes("a list", other)),
        }
    }

    /// Returns a string or regex argument to search for.
    pub(super) fn pattern(&self, place: usize) -> Eval<SearchPattern> {
        match self.arg(place) {
            Value::Str(s) => Ok(SearchPattern::Text(s.clone())),
            Value::Regex(r) => Ok(SearchPattern::Regex(r.clone())),
            other => Err(self.takes("a string or a regex", other)),
        }
    }

    /// Returns the closure, or a failure if the call has no closure.
    pub(super) fn lambda(&self) -> Eval<&'c Lambda> {
        self.lambda.ok_or_else(|| Failure::new(Code::WrongArity, self.span, format!("`{}` needs a closure", self.name)).into())
    }

    /// Calls the closure with values from the receiver, which are wrapped as secrets if the call is secret.
    pub(super) fn with(&self, it: &mut Interpreter<'_>, values: &[Value]) -> Eval {
        let lambda = self.lambda()?;
        it.meter.spend(1, self.span)?;
        if self.secret {
            let closed: Vec<_> = values.iter().cloned().map(secret::close).collect();
            it.closure(lambda, &closed)
        } else {
            it.closure(lambda, values)
        }
    }

    /// Calls the closure and returns the truth value of its result.
    pub(super) fn test(&self, it: &mut Interpreter<'_>, value: &Value) -> Eval<bool> {
        decided(self.truth(it, value, true)?)
    }

    /// Calls the closure as a condition, which may be undecided. `is_reached` is false after an undecided element: the method may end
    /// before this call.
    pub(super) fn truth(&self, it: &mut Interpreter<'_>, value: &Value, is_reached: bool) -> Eval<Truth> {
        let lambda = self.lambda()?;
        it.meter.spend(1, self.span)?;
        let value = if self.secret { secret::close(value.clone()) } else { value.clone() };
        it.closure_test(lambda, &[value], is_reached)
    }
}

/// The pattern that a method searches for.
pub(super) enum SearchPattern {
    /// A substring.
    Text(EcoString),
    /// A regex.
    Regex(Arc<Regex>),
}

/// Returns a value for a message: short values as literals, long values by their kind.
pub(super) fn describe(value: &Value) -> String {
    match value {
        Value::Nil => "nil".into(),
        Value::Sensitive(_) => format!("a sensitive value {REDACTED}"),
        Value::Bool(b) => format!("`{b}`"),
        Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::Sym(_) | Value::Resource(_) | Value::Type(_) => {
            let kind = value.kind_name();
            if value.as_text().is_some_and(|t| t.len() > 40) { kind.into() } else { format!("{kind} `{}`", inspect(value)) }
        }
        other => other.kind_name().into(),
    }
}
