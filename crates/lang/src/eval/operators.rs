//! The operators `+ - * ** % & == != < <= > >= <=> =~ !~` and unary minus.

use super::call::{BuiltinCall, Eval, describe};
use super::functions::format_text;
use super::interpreter::Interpreter;
use super::secret;
use crate::source::Span;
use crate::types::{BinaryOp, Node};
use crate::value::{EcoString, EcoVec, Value};
use smallvec::smallvec;
use std::cmp::Ordering;
use std::collections::HashSet;

/// Evaluates `-e`.
#[inline(never)]
pub(super) fn negate(it: &mut Interpreter<'_>, node: &Node, span: Span) -> Eval {
    let value = it.eval(node)?;
    let call = it.call("-", smallvec![value.clone()], false, None, span)?;
    let result = match call.arg(0) {
        Value::Int(n) => Value::Int(n.checked_neg().ok_or_else(|| call.overflow())?),
        Value::Float(f) => Value::Float(-f),
        other => return Err(call.wrong(format!("`-` takes a number, not {}", describe(other)))),
    };
    Ok(if call.secret { secret::close(result) } else { result })
}

/// Evaluates a binary operator.
#[inline(never)]
pub(super) fn binary(it: &mut Interpreter<'_>, op: BinaryOp, left: &Node, right: &Node, span: Span) -> Eval {
    let first = it.eval(left)?;
    let second = it.eval(right)?;
    if let (BinaryOp::Equal | BinaryOp::NotEqual, Some(equal)) = (op, plainly_equal(&first, &second)) {
        return Ok(Value::Bool(equal == (op == BinaryOp::Equal)));
    }
    if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) && it.has_unknown_part(&first, &second) && differ(&first, &second) {
        let result = Value::Bool(op == BinaryOp::NotEqual);
        return Ok(if it.is_secret(&first) || it.is_secret(&second) { secret::close(result) } else { result });
    }
    let lists = op == BinaryOp::Add && matches!((&first, &second), (Value::Array(_), Value::Array(_)));
    let call = if lists {
        // Concatenating lists keeps the wrappers of secret elements.
        it.known(&first, span)?;
        it.known(&second, span)?;
        BuiltinCall { name: op.symbol(), span, args: smallvec![first, second], lambda: None, secret: false }
    } else {
        it.call(op.symbol(), smallvec![first, second], false, None, span)?
    };
    let result = apply(it, op, &call)?;
    it.meter.admit(&result, span)?;
    Ok(if call.secret { secret::close(result) } else { result })
}

/// Applies an operator to values in a call with a receiver that may be secret.
pub(super) fn values(it: &mut Interpreter<'_>, op: BinaryOp, a: Value, b: Value, is_secret: bool, span: Span) -> Eval {
    let call = it.call(op.symbol(), smallvec![a, b], is_secret, None, span)?;
    let result = apply(it, op, &call)?;
    it.meter.admit(&result, span)?;
    Ok(if call.secret { secret::close(result) } else { result })
}

/// Returns the operator with this symbol, for `reduce(:+)`.
pub(super) fn named(symbol: &str) -> Option<BinaryOp> {
    Some(match symbol {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        "**" => BinaryOp::Power,
        "%" => BinaryOp::Modulo,
        "&" => BinaryOp::Intersect,
        _ => return None,
    })
}

#[inline(never)]
fn apply(it: &mut Interpreter<'_>, op: BinaryOp, call: &BuiltinCall<'_>) -> Eval {
    let (a, b) = (call.arg(0), call.arg(1));
    match op {
        BinaryOp::Add => add(it, call, a, b),
        BinaryOp::Subtract => match (a, b) {
            (Value::Array(a), Value::Array(b)) => subtract(it, call, a, b),
            _ => arithmetic(call, i64::checked_sub, |x, y| x - y),
        },
        BinaryOp::Multiply => multiply(it, call, a, b),
        BinaryOp::Power => power(call, a, b),
        BinaryOp::Modulo => match (a, b) {
            (Value::Str(pattern), Value::Array(values)) => format_text(it, call, pattern, values).map(Value::Str),
            (Value::Str(pattern), other) => format_text(it, call, pattern, std::slice::from_ref(other)).map(Value::Str),
            _ => modulo(call, a, b),
        },
        BinaryOp::Intersect => match (a, b) {
            (Value::Array(a), Value::Array(b)) => intersect(it, call, a, b),
            (Value::Int(a), Value::Int(b)) => Ok(Value::Int(a & b)),
            _ => Err(mismatch(call, a, b)),
        },
        BinaryOp::Equal => equal(it, a, b, call.span).map(Value::Bool),
        BinaryOp::NotEqual => equal(it, a, b, call.span).map(|e| Value::Bool(!e)),
        BinaryOp::Compare => {
            let order = compare(it, a, b, call.span)?;
            Ok(order.map_or(Value::Nil, |o| Value::Int(o as i64)))
        }
        BinaryOp::Less => ordered(it, call, Ordering::is_lt),
        BinaryOp::LessEqual => ordered(it, call, Ordering::is_le),
        BinaryOp::Greater => ordered(it, call, Ordering::is_gt),
        BinaryOp::GreaterEqual => ordered(it, call, Ordering::is_ge),
        BinaryOp::Match => matches(it, call, a, b).map(Value::Bool),
        BinaryOp::NotMatch => matches(it, call, a, b).map(|m| Value::Bool(!m)),
        BinaryOp::And | BinaryOp::Or => Ok(Value::Nil),
    }
}

fn mismatch(call: &BuiltinCall<'_>, a: &Value, b: &Value) -> super::call::Stop {
    call.wrong(format!("`{}` does not work on {} and {}", call.name, describe(a), describe(b)))
}

/// Compares two short values that cannot contain secrets, a fast path for most comparisons. Returns `None` for other values.
fn plainly_equal(a: &Value, b: &Value) -> Option<bool> {
    let short = |v: &Value| match v {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Sym(_) => true,
        Value::Str(text) => text.len() < 64,
        _ => false,
    };
    (short(a) && short(b)).then(|| a == b)
}

/// Returns `true` if two values differ in their known parts.
fn differ(a: &Value, b: &Value) -> bool {
    match (a.unwrapped(), b.unwrapped()) {
        (Value::Unknown, _) | (_, Value::Unknown) => false,
        (Value::Array(a), Value::Array(b)) => a.len() != b.len() || a.iter().zip(b).any(|(a, b)| differ(a, b)),
        (Value::Map(a), Value::Map(b)) => a.len() != b.len() || a.iter().any(|(key, a)| b.get(key).is_none_or(|b| differ(a, b))),
        (a, b) => a != b,
    }
}

/// Evaluates `==`. The cost is the size of the values.
pub(super) fn equal(it: &mut Interpreter<'_>, a: &Value, b: &Value, span: Span) -> Eval<bool> {
    match (a, b) {
        (Value::Array(x), Value::Array(y)) if x.len() != y.len() => return Ok(false),
        (Value::Array(_), Value::Array(_)) | (Value::Map(_), Value::Map(_)) | (Value::Object(_), Value::Object(_)) => {
            it.meter.admit(a, span)?
        }
        (Value::Str(x), Value::Str(y)) if x.len() == y.len() => it.meter.spend_bytes(x.len(), span)?,
        _ => {}
    }
    Ok(a == b)
}

/// Returns the order of two values like Ruby's `<=>`; `None` if they cannot be compared. The cost is the size of the values.
pub(super) fn compare(it: &mut Interpreter<'_>, a: &Value, b: &Value, span: Span) -> Eval<Option<Ordering>> {
    match (a, b) {
        (Value::Array(_), Value::Array(_)) => it.meter.admit(a, span)?,
        (Value::Str(x), Value::Str(y)) => it.meter.spend_bytes(x.len().min(y.len()), span)?,
        _ => {}
    }
    Ok(order(a, b))
}

/// Returns the order of two values like Ruby's `<=>`; `None` if they cannot be compared.
pub(super) fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Float(b)) => (*a as f64).partial_cmp(b),
        (Value::Float(a), Value::Int(b)) => a.partial_cmp(&(*b as f64)),
        (Value::Str(a), Value::Str(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Value::Sym(a), Value::Sym(b)) => Some(a.as_str().as_bytes().cmp(b.as_str().as_bytes())),
        (Value::Array(a), Value::Array(b)) => {
            for (x, y) in a.iter().zip(b) {
                match order(x, y)? {
                    Ordering::Equal => {}
                    other => return Some(other),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        _ if a == b => Some(Ordering::Equal),
        _ => None,
    }
}

fn ordered(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, test: fn(Ordering) -> bool) -> Eval {
    let (a, b) = (call.arg(0), call.arg(1));
    let comparable = matches!(
        (a, b),
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_))
            | (Value::Str(_), Value::Str(_))
            | (Value::Sym(_), Value::Sym(_))
    );
    if !comparable {
        return Err(mismatch(call, a, b));
    }
    let order = compare(it, a, b, call.span)?;
    Ok(Value::Bool(order.is_some_and(test)))
}

fn arithmetic(call: &BuiltinCall<'_>, whole: fn(i64, i64) -> Option<i64>, real: fn(f64, f64) -> f64) -> Eval {
    let (a, b) = (call.arg(0), call.arg(1));
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => whole(*x, *y).map(Value::Int).ok_or_else(|| call.overflow()),
        _ => match (number(a), number(b)) {
            (Some(x), Some(y)) => Ok(Value::Float(real(x, y))),
            _ => Err(mismatch(call, a, b)),
        },
    }
}

/// Returns a number as a float.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(n) => Some(*n as f64),
        Value::Float(f) => Some(*f),
        _ => None,
    }
}

fn add(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => {
            it.meter.room(a.len().saturating_add(b.len()), call.span)?;
            let mut text = a.clone();
            text.push_str(b);
            Ok(Value::Str(text))
        }
        (Value::Binary(_), Value::Binary(_) | Value::Str(_)) | (Value::Str(_), Value::Binary(_)) => {
            let parts = [a, b].map(|part| part.as_bytes().unwrap_or_default());
            it.meter.room(parts.iter().map(|p| p.len()).sum(), call.span)?;
            Ok(Value::from_bytes(parts.concat()))
        }
        (Value::Array(a), Value::Array(b)) => {
            it.meter.room(a.len().saturating_add(b.len()).saturating_mul(16), call.span)?;
            let mut list = a.clone();
            list.extend(b.iter().cloned());
            Ok(Value::Array(list))
        }
        (Value::Str(_), other) => {
            Err(call.wrong(format!("`+` adds a string to a string, not {}; write it inside the string: \"…#{{x}}\"", describe(other))))
        }
        _ => arithmetic(call, i64::checked_add, |x, y| x + y),
    }
}

fn multiply(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, a: &Value, b: &Value) -> Eval {
    let times = |n: &i64| {
        usize::try_from(*n).map_err(|_| call.fail_of("ArgumentError", format!("`*` takes a number that is not negative, not {n}")))
    };
    match (a, b) {
        (Value::Str(text), Value::Int(n)) => {
            let n = times(n)?;
            it.meter.room(text.len().saturating_mul(n), call.span)?;
            Ok(Value::Str(if text.is_empty() { EcoString::new() } else { text.repeat(n) }))
        }
        (Value::Array(items), Value::Int(n)) => {
            let n = times(n)?.min(if items.is_empty() { 0 } else { usize::MAX });
            it.meter.room(items.len().saturating_mul(n).saturating_mul(16), call.span)?;
            let mut list = EcoVec::with_capacity(items.len() * n);
            for _ in 0..n {
                list.extend(items.iter().cloned());
            }
            Ok(Value::Array(list))
        }
        (Value::Array(items), Value::Str(between)) => super::methods::join(it, call, items, between),
        _ => arithmetic(call, i64::checked_mul, |x, y| x * y),
    }
}

/// Evaluates `**`.
pub(super) fn power(call: &BuiltinCall<'_>, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Int(base), Value::Int(n)) => match u32::try_from(*n) {
            Ok(n) => base.checked_pow(n).map(Value::Int).ok_or_else(|| call.overflow()),
            Err(_) if *n < 0 => Ok(Value::Float((*base as f64).powf(*n as f64))),
            Err(_) => match base {
                0 | 1 => Ok(Value::Int(*base)),
                -1 => Ok(Value::Int(if n % 2 == 0 { 1 } else { -1 })),
                _ => Err(call.overflow()),
            },
        },
        _ => match (number(a), number(b)) {
            (Some(x), Some(y)) => Ok(Value::Float(x.powf(y))),
            _ => Err(mismatch(call, a, b)),
        },
    }
}

/// Evaluates `%`; the result has the sign of the divisor.
pub(super) fn modulo(call: &BuiltinCall<'_>, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Int(_), Value::Int(0)) => Err(call.fail_of("ZeroDivisionError", "division by 0")),
        (Value::Int(x), Value::Int(y)) => {
            let rest = x.checked_rem(*y).unwrap_or(0);
            Ok(Value::Int(if rest != 0 && (rest < 0) != (*y < 0) { rest + y } else { rest }))
        }
        _ => match (number(a), number(b)) {
            (Some(_), Some(0.0)) => Err(call.fail_of("ZeroDivisionError", "division by 0")),
            (Some(x), Some(y)) => {
                let rest = x % y;
                Ok(Value::Float(if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest }))
            }
            _ => Err(mismatch(call, a, b)),
        },
    }
}

/// Evaluates `a - b` for lists.
pub(super) fn subtract(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, a: &[Value], b: &[Value]) -> Eval {
    charge_lists(it, call, a, b)?;
    let without: HashSet<&Value> = b.iter().collect();
    Ok(Value::array(a.iter().filter(|v| !without.contains(v)).cloned()))
}

/// Evaluates `a & b` for lists: the distinct common elements, in the order of `a`.
pub(super) fn intersect(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, a: &[Value], b: &[Value]) -> Eval {
    charge_lists(it, call, a, b)?;
    let both: HashSet<&Value> = b.iter().collect();
    let mut seen = HashSet::new();
    Ok(Value::array(a.iter().filter(|v| both.contains(v) && seen.insert(*v)).cloned()))
}

/// Pays for hashing all elements of two lists.
pub(super) fn charge_lists(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, a: &[Value], b: &[Value]) -> Eval<()> {
    it.meter.spend((a.len() + b.len()) as u64, call.span)?;
    for value in a.iter().chain(b) {
        it.meter.admit(value, call.span)?;
    }
    Ok(())
}

/// Evaluates `=~`. Values other than strings and symbols do not match.
fn matches(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, a: &Value, b: &Value) -> Eval<bool> {
    let (text, regex) = match (a, b) {
        (text, Value::Regex(regex)) => (text, regex),
        (Value::Regex(regex), text) => (text, regex),
        (_, other) => return Err(call.takes("a regex", other)),
    };
    match text {
        Value::Str(_) | Value::Sym(_) => it.find(regex, text, call.secret, call.span),
        _ => {
            it.last_match = None;
            Ok(false)
        }
    }
}
