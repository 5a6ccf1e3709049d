//! Methods of floats.

use super::{integer, unfit};
use crate::eval::call::{BuiltinCall, Eval};
use crate::eval::operators;
use crate::types::builtin::Method;
use crate::value::Value;

pub(super) fn call(call: &BuiltinCall<'_>, method: Method, n: f64) -> Eval {
    use Method as M;
    let other = call.arg(0);
    Ok(match method {
        M::ToF => Value::Float(n),
        M::ToI | M::Truncate => whole(call, n.trunc())?,
        M::Abs => Value::Float(n.abs()),
        M::Ceil => places(call, n, f64::ceil)?,
        M::Floor => places(call, n, f64::floor)?,
        M::Round => round(call, n)?,
        M::IsZero => Value::Bool(n == 0.0),
        M::IsPositive => Value::Bool(n > 0.0),
        M::IsNegative => Value::Bool(n < 0.0),
        M::IsNan => Value::Bool(n.is_nan()),
        M::IsFinite => Value::Bool(n.is_finite()),
        M::Div => integer::div(call, &Value::Float(n), other)?,
        M::Modulo => operators::modulo(call, &Value::Float(n), other)?,
        M::Divmod => {
            let rest = operators::modulo(call, &Value::Float(n), other)?;
            let quotient = match (&rest, operators::number(other)) {
                // The quotient without the remainder: `0.5.div(0.1)` is 5, and the remainder is not 0.
                (Value::Float(rest), Some(by)) if n.is_finite() && by.is_finite() => whole(call, ((n - rest) / by).round())?,
                _ => integer::div(call, &Value::Float(n), other)?,
            };
            Value::array([quotient, rest])
        }
        M::Fdiv => match operators::number(other) {
            Some(by) => Value::Float(n / by),
            None => return Err(call.takes("a number", other)),
        },
        M::Pow => operators::power(call, &Value::Float(n), other)?,
        M::Between | M::Clamp => integer::between(call, method, &Value::Float(n))?,
        _ => return Err(unfit(call, &Value::Float(n))),
    })
}

/// Converts a float without a fraction to an integer.
pub(in crate::eval) fn whole(call: &BuiltinCall<'_>, n: f64) -> Eval {
    if n.is_nan() || n.is_infinite() {
        return Err(call.fail(format!("{} is not a whole number", Value::Float(n))));
    }
    if n.abs() >= 9.2e18 {
        return Err(call.overflow());
    }
    Ok(Value::Int(n as i64))
}

/// Rounds to the nearest number with this number of places; halves are rounded away from zero. If the nearest number times a power of
/// ten is smaller only because of an error in this multiplication, the number is rounded as in Ruby: `1.005` to `1.01`.
fn round(call: &BuiltinCall<'_>, n: f64) -> Eval {
    let Some(digits) = call.maybe_int(0)?.filter(|p| *p > 0) else { return places(call, n, f64::round) };
    // More places than the number has.
    let power = if n == 0.0 { 0 } else { n.abs().log2().floor() as i64 + 1 };
    let least = 17 - if power > 0 { power / 4 } else { power / 3 - 1 };
    if !n.is_finite() || digits >= least {
        return Ok(Value::Float(n));
    }
    // Fewer places than the number needs to be more than 0.
    if digits < -(if power > 0 { power / 3 + 1 } else { power / 4 }) {
        return Ok(Value::Float(0.0));
    }
    let unit = 10f64.powi(i32::try_from(digits).unwrap_or(0));
    let mut whole = (n * unit).round();
    if n > 0.0 && (whole + 0.5) / unit <= n {
        whole += 1.0;
    } else if n < 0.0 && (whole - 0.5) / unit >= n {
        whole -= 1.0;
    }
    Ok(Value::Float(whole / unit))
}

/// Rounds to an integer or, with an argument, to a number of decimal places.
fn places(call: &BuiltinCall<'_>, n: f64, round: fn(f64) -> f64) -> Eval {
    let Some(places) = call.maybe_int(0)?.filter(|p| *p != 0) else {
        return whole(call, round(n));
    };
    let Some(unit) = i32::try_from(places).ok().map(|p| 10f64.powi(p)).filter(|u| u.is_finite() && *u > 0.0) else {
        return Ok(Value::Float(n));
    };
    let scaled = n * unit;
    if !scaled.is_finite() || scaled.abs() > 1e15 {
        return Ok(Value::Float(n));
    }
    let rounded = round(scaled) / unit;
    if places < 0 { whole(call, rounded) } else { Ok(Value::Float(rounded)) }
}
