//! Ranges, which are objects: `range(1, 9)`.

use super::super::call::{Args, BuiltinCall, Eval, Stop};
use super::super::interpreter::Interpreter;
use super::super::operators;
use crate::source::Span;
use crate::types::Lambda;
use crate::types::builtin::Method;
use crate::value::{Map, ObjectValue, RANGE, Value, inspect};
use std::sync::Arc;

/// The parts of a range.
const FIRST: &str = "first";
const LAST: &str = "last";
const EXCLUDES: &str = "excludes_last";

/// Evaluates `range(first, last, excludes_last)`.
pub(in crate::eval) fn new(call: &BuiltinCall<'_>) -> Eval {
    let (first, last) = (call.arg(0), call.arg(1));
    let wrong = || call.fail(format!("the limits of a range must be comparable, and {} and {} are not", inspect(first), inspect(last)));
    value(first, last, call.arg(2).is_truthy()).ok_or_else(wrong)
}

/// Returns the range between two limits, without the last limit if `excludes`; `None` if the limits cannot be compared.
pub(crate) fn value(first: &Value, last: &Value, excludes: bool) -> Option<Value> {
    if !first.is_nil() && !last.is_nil() && operators::order(first, last).is_none() {
        return None;
    }
    let fields: Map = [(FIRST, first.clone()), (LAST, last.clone()), (EXCLUDES, Value::Bool(excludes))]
        .into_iter()
        .map(|(name, value)| (Value::sym(name), value))
        .collect();
    let dots = if excludes { "..." } else { ".." };
    let text = ecow::eco_format!("{}{dots}{}", first.to_text(), last.to_text());
    Some(Value::Object(Arc::new(ObjectValue { class: RANGE.into(), fields: Arc::new(fields), text: Ok(text) })))
}

/// The limits of a range.
pub(super) struct Limits<'v> {
    first: &'v Value,
    last: &'v Value,
    excludes: bool,
}

impl<'v> Limits<'v> {
    /// Returns the limits if a value is a range.
    pub fn of(value: &'v Value) -> Option<Limits<'v>> {
        let Value::Object(object) = value else { return None };
        let part = |name: &str| object.fields.get(&Value::sym(name));
        let (first, last, excludes) = (part(FIRST)?, part(LAST)?, part(EXCLUDES)?.is_truthy());
        (object.class == RANGE).then_some(Limits { first, last, excludes })
    }

    /// Calls a method of a range. List methods are called on the range's elements.
    pub fn call(&self, it: &mut Interpreter<'_>, method: Method, arguments: Args, lambda: Option<&Lambda>, span: Span) -> Eval {
        use Method as M;
        let is_plain = arguments.is_empty() && lambda.is_none();
        match method {
            M::First if is_plain => return Ok(self.first.clone()),
            M::Last if is_plain => return Ok(self.last.clone()),
            M::Min if is_plain && !self.is_empty() => return Ok(self.first.clone()),
            M::Max if is_plain && !self.excludes && !self.is_empty() => return Ok(self.last.clone()),
            M::Include | M::Member => {
                let call = BuiltinCall { name: method.name(), span, args: arguments, lambda: None, secret: false };
                super::check_arity(&call, method)?;
                return Ok(self.include(call.arg(0)));
            }
            _ => {}
        }
        let elements = self.elements(it, method, span)?;
        if method == M::ToA {
            return Ok(elements);
        }
        super::apply(it, method, elements, arguments, lambda, span)
    }

    /// Returns `true` if no value is between the limits.
    fn is_empty(&self) -> bool {
        operators::order(self.first, self.last).is_some_and(|order| order.is_gt() || self.excludes && order.is_eq())
    }

    /// Tests if a value is between the limits. The result for strings is unknown, because Ruby enumerates the strings between the
    /// limits.
    fn include(&self, value: &Value) -> Value {
        if [self.first, self.last, value].iter().any(|v| matches!(v.unwrapped(), Value::Unknown))
            || [self.first, self.last].iter().any(|v| matches!(v.unwrapped(), Value::Str(_) | Value::Sym(_)))
        {
            return Value::Unknown;
        }
        let is_above = self.first.is_nil() || operators::order(value, self.first).is_some_and(|order| order.is_ge());
        let fits = |order: std::cmp::Ordering| order.is_lt() || !self.excludes && order.is_eq();
        Value::Bool(is_above && (self.last.is_nil() || operators::order(value, self.last).is_some_and(fits)))
    }

    /// Returns the list of the integers.
    fn elements(&self, it: &mut Interpreter<'_>, method: Method, span: Span) -> Eval {
        let last = match self.last {
            Value::Int(last) => last.saturating_sub(i64::from(self.excludes)),
            // The last integer before the limit.
            Value::Float(last) if last.abs() < 9e15 => {
                let whole = last.floor();
                whole as i64 - i64::from(self.excludes && whole == *last)
            }
            _ => return Err(self.no_elements(method, span)),
        };
        match self.first {
            Value::Int(_) => super::apply(it, Method::Upto, self.first.clone(), smallvec::smallvec![Value::Int(last)], None, span),
            _ => Err(self.no_elements(method, span)),
        }
    }

    /// Returns at most `count` integers from the first one on; `None` if the range has other elements.
    pub fn leading(&self, count: usize) -> Option<Vec<Value>> {
        let &Value::Int(first) = self.first else { return None };
        let last = match self.last {
            Value::Int(last) => last.saturating_sub(i64::from(self.excludes)),
            Value::Nil => i64::MAX,
            _ => return None,
        };
        Some((first..=last).take(count).map(Value::Int).collect())
    }

    fn no_elements(&self, method: Method, span: Span) -> Stop {
        let what = format!("`{}` of a range from {} to {} is not supported", method.name(), inspect(self.first), inspect(self.last));
        super::Failure::new(super::Code::WrongReceiver, span, what).into()
    }
}
