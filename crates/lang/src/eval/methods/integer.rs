//! Methods of integers.

use super::unfit;
use crate::eval::call::{BuiltinCall, Eval, describe};
use crate::eval::interpreter::Interpreter;
use crate::eval::{index, operators};
use crate::types::builtin::Method;
use crate::value::Value;
use std::cmp::Ordering;

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, n: i64) -> Eval {
    use Method as M;
    let other = call.arg(0);
    Ok(match method {
        M::ToI | M::Ord | M::Truncate => Value::Int(n),
        M::ToF => Value::Float(n as f64),
        M::Abs => Value::Int(n.checked_abs().ok_or_else(|| call.overflow())?),
        M::Ceil | M::Floor | M::Round => to_places(call, method, n)?,
        M::IsEven => Value::Bool(n % 2 == 0),
        M::IsOdd => Value::Bool(n % 2 != 0),
        M::IsZero => Value::Bool(n == 0),
        M::IsPositive => Value::Bool(n > 0),
        M::IsNegative => Value::Bool(n < 0),
        M::IsFinite => Value::Bool(true),
        M::Succ => Value::Int(n.checked_add(1).ok_or_else(|| call.overflow())?),
        M::Pred => Value::Int(n.checked_sub(1).ok_or_else(|| call.overflow())?),
        M::Chr => match u32::try_from(n).ok().and_then(char::from_u32) {
            Some(c) => Value::str(c),
            None => return Err(call.fail_of("RangeError", format!("{n} is not the number of a letter"))),
        },
        M::Digits => digits(call, n)?,
        M::BitLength => Value::Int(i64::from(64 - if n < 0 { n.leading_ones() } else { n.leading_zeros() })),
        M::Gcd | M::Lcm => common(call, method, n)?,
        M::BitAnd => Value::Int(n & call.int(0)?),
        M::BitOr => Value::Int(n | call.int(0)?),
        M::Div => div(call, &Value::Int(n), other)?,
        M::Modulo => operators::modulo(call, &Value::Int(n), other)?,
        M::Divmod => {
            let quotient = div(call, &Value::Int(n), other)?;
            Value::array([quotient, operators::modulo(call, &Value::Int(n), other)?])
        }
        M::Fdiv => match operators::number(other) {
            Some(by) => Value::Float(n as f64 / by),
            None => return Err(call.takes("a number", other)),
        },
        M::Pow => operators::power(call, &Value::Int(n), other)?,
        M::Between | M::Clamp => between(call, method, &Value::Int(n))?,
        M::Times => repeat(it, call, 0, n)?.unwrap_or(Value::Int(n)),
        M::Upto => {
            let end = call.int(0)?.checked_add(1).ok_or_else(|| call.overflow())?;
            repeat(it, call, n, end)?.unwrap_or(Value::Int(n))
        }
        M::Downto => {
            let least = match call.arg(0) {
                Value::Float(f) if f.is_finite() && f.abs() < 9e15 => f.ceil() as i64,
                _ => call.int(0)?,
            };
            let end = least.checked_add(-1).ok_or_else(|| call.overflow())?;
            if call.lambda.is_some() {
                let mut i = n;
                while i > end {
                    call.with(it, &[Value::Int(i)])?;
                    i -= 1;
                }
                Value::Int(n)
            } else {
                let Value::Array(list) = index::numbers(it, call, end.saturating_add(1), n.saturating_add(1))? else {
                    return Ok(Value::Nil);
                };
                Value::array(list.iter().rev().cloned())
            }
        }
        _ => return Err(unfit(call, &Value::Int(n))),
    })
}

/// Calls the closure for each integer; without a closure returns the list of the integers.
fn repeat(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, from: i64, end: i64) -> Eval<Option<Value>> {
    if call.lambda.is_none() {
        return index::numbers(it, call, from, end).map(Some);
    }
    for i in from..end.max(from) {
        call.with(it, &[Value::Int(i)])?;
    }
    Ok(None)
}

fn digits(call: &BuiltinCall<'_>, n: i64) -> Eval {
    let base = call.maybe_int(0)?.unwrap_or(10);
    if n < 0 || base < 2 {
        let class = if n < 0 { "Math::DomainError" } else { "ArgumentError" };
        return Err(call.fail_of(class, "`digits` takes a number that is not negative, and a base above 1"));
    }
    let mut rest = n;
    let mut all = vec![Value::Int(rest % base)];
    while rest >= base {
        rest /= base;
        all.push(Value::Int(rest % base));
    }
    Ok(Value::array(all))
}

fn common(call: &BuiltinCall<'_>, method: Method, n: i64) -> Eval {
    let Value::Int(other) = call.arg(0) else { return Err(call.takes("an integer", call.arg(0))) };
    let (mut a, mut b) = (n.unsigned_abs(), other.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let result = match (method, a) {
        (Method::Gcd, _) => Some(a),
        (_, 0) => Some(0),
        _ => (n.unsigned_abs() / a).checked_mul(other.unsigned_abs()),
    };
    result.and_then(|r| i64::try_from(r).ok()).map(Value::Int).ok_or_else(|| call.overflow())
}

/// Evaluates `div`: integer division that rounds down.
pub(super) fn div(call: &BuiltinCall<'_>, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (_, Value::Int(0)) => Err(call.fail_of("ZeroDivisionError", "division by 0")),
        (Value::Int(x), Value::Int(y)) => {
            let quotient = x.checked_div(*y).ok_or_else(|| call.overflow())?;
            let inexact = x.checked_rem(*y).unwrap_or(0) != 0;
            Ok(Value::Int(if inexact && (*x < 0) != (*y < 0) { quotient - 1 } else { quotient }))
        }
        _ => match (operators::number(a), operators::number(b)) {
            (Some(x), Some(y)) if y != 0.0 => super::float::whole(call, (x / y).floor()),
            (Some(_), Some(_)) => Err(call.fail_of("ZeroDivisionError", "division by 0")),
            _ => Err(call.takes("a number", b)),
        },
    }
}

/// Evaluates `between?` and `clamp` for ordered values.
pub(super) fn between(call: &BuiltinCall<'_>, method: Method, value: &Value) -> Eval {
    let against = |place: usize| {
        let other = call.arg(place);
        operators::order(value, other)
            .ok_or_else(|| call.wrong(format!("`{}` cannot compare {} with {}", call.name, describe(value), describe(other))))
    };
    let (low, high) = (against(0)?, against(1)?);
    if method == Method::Clamp && operators::order(call.arg(0), call.arg(1)) == Some(Ordering::Greater) {
        return Err(call.fail("the first limit of `clamp` is larger than the second"));
    }
    Ok(match method {
        Method::Clamp if low == Ordering::Less => call.arg(0).clone(),
        Method::Clamp if high == Ordering::Greater => call.arg(1).clone(),
        Method::Clamp => value.clone(),
        _ => Value::Bool(low.is_ge() && high.is_le()),
    })
}

/// Evaluates `round(-2)` and similar methods: integers only change with a negative number of places.
fn to_places(call: &BuiltinCall<'_>, method: Method, n: i64) -> Eval {
    let places = call.maybe_int(0)?.unwrap_or(0);
    if places >= 0 {
        return Ok(Value::Int(n));
    }
    let Some(unit) = u32::try_from(places.unsigned_abs()).ok().and_then(|p| 10i128.checked_pow(p)) else {
        return Ok(Value::Int(0));
    };
    let n = i128::from(n);
    let down = n.div_euclid(unit) * unit;
    let rest = n - down;
    let up = rest != 0
        && match method {
            Method::Ceil => true,
            Method::Floor => false,
            // Halves are rounded away from zero.
            _ => rest * 2 > unit || (rest * 2 == unit && n > 0),
        };
    i64::try_from(if up { down + unit } else { down }).map(Value::Int).map_err(|_| call.overflow())
}

/// Evaluates `to_s(base)`.
pub(super) fn to_base(call: &BuiltinCall<'_>, n: i64) -> Eval<String> {
    let base = call.int(0)?;
    let Some(base) = u128::try_from(base).ok().filter(|b| (2..=36).contains(b)) else {
        return Err(call.fail(format!("invalid base {base}: it must be between 2 and 36")));
    };
    Ok(in_base(u128::from(n.unsigned_abs()), base, n < 0))
}

/// Returns the digits of a number in a base.
pub(in crate::eval) fn in_base(mut amount: u128, base: u128, negative: bool) -> String {
    let mut digits = Vec::new();
    while amount > 0 || digits.is_empty() {
        digits.push(char::from_digit((amount % base) as u32, base as u32).unwrap_or('0'));
        amount /= base;
    }
    if negative {
        digits.push('-');
    }
    digits.iter().rev().collect()
}
