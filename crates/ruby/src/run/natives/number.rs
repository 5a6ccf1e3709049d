//! Numbers and ranges.

use super::super::frame::Arguments;
use super::super::value::{RangeCell, RuntimeValue};
use super::super::{Eval, Flow, Interpreter};
use super::{Call, NativeMethod, known};
use std::cmp::Ordering;
use std::rc::Rc;

pub(super) const INTEGER: &[NativeMethod] = &[
    ("+", 1, 1, arithmetic),
    ("-", 1, 1, arithmetic),
    ("*", 1, 1, arithmetic),
    ("/", 1, 1, arithmetic),
    ("div", 1, 1, arithmetic),
    ("%", 1, 1, arithmetic),
    ("modulo", 1, 1, arithmetic),
    ("**", 1, 1, arithmetic),
    ("<", 1, 1, order),
    ("<=", 1, 1, order),
    (">", 1, 1, order),
    (">=", 1, 1, order),
    ("<=>", 1, 1, spaceship),
    ("==", 1, 1, equals),
    ("===", 1, 1, equals),
    ("&", 1, 1, bits),
    ("|", 1, 1, bits),
    ("^", 1, 1, bits),
    ("<<", 1, 1, bits),
    (">>", 1, 1, bits),
    ("~", 0, 0, |run, call| Ok(RuntimeValue::Int(!integer_of(run, call)?))),
    ("-@", 0, 0, |run, call| match integer_of(run, call)?.checked_neg() {
        Some(number) => Ok(RuntimeValue::Int(number)),
        None => too_large(run),
    }),
    ("+@", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("to_i", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("to_int", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("to_f", 0, 0, |run, call| Ok(RuntimeValue::Float(integer_of(run, call)? as f64))),
    ("to_s", 0, 1, radix),
    ("inspect", 0, 1, radix),
    ("chr", 0, 1, |run, call| match u8::try_from(integer_of(run, call)?) {
        Ok(byte) if byte.is_ascii() => run.new_str(char::from(byte)),
        _ => run.unknown_because("characters beyond ASCII are not supported here"),
    }),
    ("[]", 1, 1, |run, call| {
        let (number, at) = (integer_of(run, call)?, run.int_of(&call.arg(0))?);
        Ok(RuntimeValue::Int(if at < 0 { 0 } else { (number >> at.min(63)) & 1 }))
    }),
    ("divmod", 1, 1, |run, call| match known(&call.arg(0))? {
        RuntimeValue::Int(0) => run.raise("ZeroDivisionError", "divided by 0"),
        RuntimeValue::Int(by) => {
            let number = integer_of(run, call)?;
            let (Some(quotient), Some(rest)) = (floor_div(number, *by), modulo(number, *by)) else { return too_large(run) };
            run.new_array(vec![RuntimeValue::Int(quotient), RuntimeValue::Int(rest)])
        }
        _ => run.unknown_because("this division is not supported"),
    }),
];

pub(super) const FLOAT: &[NativeMethod] = &[
    ("+", 1, 1, arithmetic),
    ("-", 1, 1, arithmetic),
    ("*", 1, 1, arithmetic),
    ("/", 1, 1, arithmetic),
    ("%", 1, 1, arithmetic),
    ("**", 1, 1, arithmetic),
    ("<", 1, 1, order),
    ("<=", 1, 1, order),
    (">", 1, 1, order),
    (">=", 1, 1, order),
    ("<=>", 1, 1, spaceship),
    ("==", 1, 1, equals),
    ("===", 1, 1, equals),
    ("-@", 0, 0, |run, call| match &call.receiver {
        RuntimeValue::Float(number) => Ok(RuntimeValue::Float(-number)),
        _ => run.unknown_because("this receiver is not supported"),
    }),
    ("to_f", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("to_s", 0, 0, |run, call| {
        let text = run.inspect(&call.receiver)?;
        run.new_str(text)
    }),
    ("to_i", 0, 0, truncate),
    ("to_int", 0, 0, truncate),
    ("nan?", 0, 0, |_, call| Ok(RuntimeValue::Bool(matches!(call.receiver, RuntimeValue::Float(number) if number.is_nan())))),
    ("finite?", 0, 0, |_, call| Ok(RuntimeValue::Bool(matches!(call.receiver, RuntimeValue::Float(number) if number.is_finite())))),
];

pub(super) const RANGE: &[NativeMethod] = &[
    ("begin", 0, 0, |run, call| Ok(range_of(run, call)?.low.clone())),
    ("end", 0, 0, |run, call| Ok(range_of(run, call)?.high.clone())),
    ("exclude_end?", 0, 0, |run, call| Ok(RuntimeValue::Bool(range_of(run, call)?.exclusive))),
    ("to_s", 0, 0, |run, call| {
        let range = range_of(run, call)?;
        let (low, high) = (run.interpolated(&range.low)?, run.interpolated(&range.high)?);
        run.new_str(format!("{low}{}{high}", if range.exclusive { "..." } else { ".." }))
    }),
    ("eql?", 1, 1, |run, call| super::object::eql(run, &call.receiver, &call.arg(0)).map(RuntimeValue::Bool)),
];

pub(super) const RANGE_CLASS: &[NativeMethod] = &[("new", 2, 3, |run, call| {
    let (low, high) = (known(&call.arg(0))?.clone(), known(&call.arg(1))?.clone());
    let exclusive = call.arg(2).truth().map_err(Flow::Unknown)?;
    if !low.is_nil() && !high.is_nil() && run.send(&low, "<=>", Arguments::of(vec![high.clone()]))?.is_nil() {
        return run.raise("ArgumentError", "bad value for range");
    }
    Ok(RuntimeValue::Range(Rc::new(RangeCell { low, high, exclusive })))
})];

fn range_of(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Rc<RangeCell>> {
    match &call.receiver {
        RuntimeValue::Range(range) => Ok(Rc::clone(range)),
        _ => run.unknown_because("this receiver is not supported"),
    }
}

fn integer_of(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<i64> {
    match &call.receiver {
        RuntimeValue::Int(number) => Ok(*number),
        _ => run.unknown_because("this receiver is not supported"),
    }
}

fn too_large<T>(run: &mut Interpreter<'_>) -> Eval<T> {
    run.unknown_because("integers beyond 64 bits are not supported")
}

/// Divides and rounds down.
fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    let is_rounded_up = a % b != 0 && (a < 0) != (b < 0);
    Some(if is_rounded_up { quotient - 1 } else { quotient })
}

/// Returns the remainder for a division that rounds down.
fn modulo(a: i64, b: i64) -> Option<i64> {
    let rest = a.checked_rem(b)?;
    Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

fn arithmetic(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let other = call.arg(0);
    match (&call.receiver, known(&other)?) {
        (RuntimeValue::Int(a), RuntimeValue::Int(b)) => integers(run, &call.name, *a, *b),
        (RuntimeValue::Int(a), RuntimeValue::Float(b)) => floats(run, &call.name, *a as f64, *b),
        (RuntimeValue::Float(a), RuntimeValue::Int(b)) => floats(run, &call.name, *a, *b as f64),
        (RuntimeValue::Float(a), RuntimeValue::Float(b)) => floats(run, &call.name, *a, *b),
        (own, RuntimeValue::Object(_)) if run.responds(&other, "coerce") => {
            let pair = run.send(&other, "coerce", Arguments::of(vec![own.clone()]))?;
            let pair = run.splatted(&pair)?;
            let (first, second) = (pair.first().cloned().unwrap_or_default(), pair.get(1).cloned().unwrap_or_default());
            run.send(&first, &call.name, Arguments::of(vec![second]))
        }
        (own, _) => {
            let class = run.real_class_name(own);
            let shown = coerced_name(run, &other)?;
            run.raise("TypeError", format!("{shown} can't be coerced into {class}"))
        }
    }
}

/// Describes a value in an error about a number.
fn coerced_name(run: &mut Interpreter<'_>, value: &RuntimeValue) -> Eval<String> {
    match value {
        RuntimeValue::Nil | RuntimeValue::Bool(_) => run.inspect(value),
        other => Ok(run.real_class_name(other)),
    }
}

fn integers(run: &mut Interpreter<'_>, operator: &str, a: i64, b: i64) -> Eval {
    let result = match operator {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "**" if b < 0 => return run.unknown_because("fractions are not supported"),
        "**" => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        _ if b == 0 => return run.raise("ZeroDivisionError", "divided by 0"),
        "/" | "div" => floor_div(a, b),
        _ => modulo(a, b),
    };
    match result {
        Some(number) => Ok(RuntimeValue::Int(number)),
        None => too_large(run),
    }
}

fn floats(run: &mut Interpreter<'_>, operator: &str, a: f64, b: f64) -> Eval {
    Ok(RuntimeValue::Float(match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "**" if a >= 0.0 || b.fract() == 0.0 => a.powf(b),
        "%" | "modulo" if b != 0.0 && a.is_finite() && b.is_finite() => {
            let rest = a % b;
            if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
        }
        _ => return run.unknown_because("this operation is not supported"),
    }))
}

/// Compares two numbers; `None` for other operands.
fn numeric_order(a: &RuntimeValue, b: &RuntimeValue) -> Option<Ordering> {
    match (a, b) {
        (RuntimeValue::Int(a), RuntimeValue::Int(b)) => Some(a.cmp(b)),
        (RuntimeValue::Int(a), RuntimeValue::Float(b)) => (*a as f64).partial_cmp(b),
        (RuntimeValue::Float(a), RuntimeValue::Int(b)) => a.partial_cmp(&(*b as f64)),
        (RuntimeValue::Float(a), RuntimeValue::Float(b)) => a.partial_cmp(b),
        _ => None,
    }
}

fn order(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let other = call.arg(0);
    known(&other)?;
    let Some(order) = numeric_order(&call.receiver, &other) else {
        if let RuntimeValue::Float(_) = other {
            return Ok(RuntimeValue::Bool(false));
        }
        let class = run.real_class_name(&call.receiver);
        let shown = match &other {
            RuntimeValue::Nil | RuntimeValue::Bool(_) | RuntimeValue::Float(_) => run.inspect(&other)?,
            other => run.real_class_name(other),
        };
        return run.raise("ArgumentError", format!("comparison of {class} with {shown} failed"));
    };
    Ok(RuntimeValue::Bool(match &*call.name {
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        _ => order.is_ge(),
    }))
}

fn spaceship(_: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let other = call.arg(0);
    known(&other)?;
    Ok(numeric_order(&call.receiver, &other).map_or(RuntimeValue::Nil, |order| RuntimeValue::Int(order as i64)))
}

fn equals(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let other = call.arg(0);
    match known(&other)? {
        RuntimeValue::Object(_) => run.send(&other, "==", Arguments::of(vec![call.receiver.clone()])),
        _ => Ok(RuntimeValue::Bool(run.equal(&call.receiver, &other)?)),
    }
}

fn bits(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let number = integer_of(run, call)?;
    let RuntimeValue::Int(other) = known(&call.arg(0))?.clone() else {
        return run.unknown_because("this operation is not supported");
    };
    let shift = |by: i64| {
        if by >= 0 {
            let shifted = if by < 63 { number.checked_mul(1_i64 << by) } else { None };
            if number == 0 { Some(0) } else { shifted }
        } else {
            Some(number >> by.unsigned_abs().min(63))
        }
    };
    let result = match &*call.name {
        "&" => Some(number & other),
        "|" => Some(number | other),
        "^" => Some(number ^ other),
        "<<" => shift(other),
        _ => other.checked_neg().and_then(shift),
    };
    match result {
        Some(number) => Ok(RuntimeValue::Int(number)),
        None => too_large(run),
    }
}

fn radix(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let number = integer_of(run, call)?;
    let base = if call.has(0) { run.int_of(&call.arg(0))? } else { 10 };
    let Some(base) = u32::try_from(base).ok().filter(|base| (2..=36).contains(base)) else {
        return run.raise("ArgumentError", format!("invalid radix {base}"));
    };
    let mut digits = Vec::new();
    let mut rest = number.unsigned_abs();
    while rest > 0 || digits.is_empty() {
        let digit = u32::try_from(rest % u64::from(base)).unwrap_or(0);
        digits.extend(char::from_digit(digit, base));
        rest /= u64::from(base);
    }
    if number < 0 {
        digits.push('-');
    }
    run.new_str(digits.iter().rev().collect::<String>())
}

fn truncate(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let RuntimeValue::Float(number) = call.receiver else { return run.unknown_because("this receiver is not supported") };
    if !number.is_finite() {
        let shown = run.inspect(&call.receiver)?;
        return run.raise("FloatDomainError", shown);
    }
    if number.abs() < 9e18 { Ok(RuntimeValue::Int(number.trunc() as i64)) } else { too_large(run) }
}

/// Evaluates `Integer(value, base)`.
pub(super) fn integer(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let value = call.arg(0);
    let quietly =
        call.arguments.keywords.iter().any(|(key, value)| {
            matches!(key, RuntimeValue::Sym(name) if &**name == "exception") && matches!(value, RuntimeValue::Bool(false))
        });
    let result = match known(&value)? {
        RuntimeValue::Int(_) => Ok(value),
        RuntimeValue::Float(_) => {
            truncate(run, &Call { receiver: value, arguments: Arguments::default(), name: call.name.clone(), frame: None })
        }
        RuntimeValue::Nil => run.raise("TypeError", "can't convert nil into Integer"),
        RuntimeValue::Str(_) => {
            let base = if call.has(1) { run.int_of(&call.arg(1))? } else { 0 };
            parse_integer(run, &value, base)
        }
        RuntimeValue::Object(_) if run.responds(&value, "to_int") => run.send(&value, "to_int", Arguments::default()),
        RuntimeValue::Object(_) if run.responds(&value, "to_i") => run.send(&value, "to_i", Arguments::default()),
        other => {
            let class = coerced_name(run, other)?;
            run.raise("TypeError", format!("can't convert {class} into Integer"))
        }
    };
    match result {
        Err(Flow::Raise(_)) if quietly => Ok(RuntimeValue::Nil),
        other => other,
    }
}

fn parse_integer(run: &mut Interpreter<'_>, value: &RuntimeValue, base: i64) -> Eval {
    let text = run.text_of(value)?;
    let shown = run.inspect(value)?;
    let Ok(base) = u32::try_from(base) else { return run.unknown_because("this base is not supported") };
    if base == 1 || base > 36 {
        return run.raise("ArgumentError", format!("invalid radix {base}"));
    }
    let trimmed = text.trim_matches(|c: char| c.is_ascii_whitespace()).to_ascii_lowercase();
    let (sign, digits) = match trimmed.strip_prefix(['-', '+']) {
        Some(digits) => (if trimmed.starts_with('-') { "-" } else { "" }, digits),
        None => ("", trimmed.as_str()),
    };
    let prefixes = [("0x", 16), ("0b", 2), ("0o", 8), ("0d", 10)];
    let prefixed =
        prefixes.into_iter().find_map(|(prefix, of)| Some((digits.strip_prefix(prefix).filter(|_| base == 0 || base == of)?, of)));
    let (digits, base) = match prefixed {
        Some(found) => found,
        None if base == 0 && digits.len() > 1 && digits.starts_with('0') => (digits.trim_start_matches('0').trim_start_matches('_'), 8),
        None if base == 0 => (digits, 10),
        None => (digits, base),
    };
    let digits = if digits.is_empty() && trimmed.contains('0') && prefixed.is_none() { "0" } else { digits };
    let is_valid = !digits.is_empty()
        && !digits.starts_with('_')
        && !digits.ends_with('_')
        && !digits.contains("__")
        && digits.chars().all(|c| c == '_' || c.is_digit(base));
    if !is_valid {
        return run.raise("ArgumentError", format!("invalid value for Integer(): {shown}"));
    }
    match i64::from_str_radix(&format!("{sign}{}", digits.replace('_', "")), base) {
        Ok(number) => Ok(RuntimeValue::Int(number)),
        Err(_) => too_large(run),
    }
}

/// Evaluates `Float(value)`.
pub(super) fn float(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let value = call.arg(0);
    match known(&value)? {
        RuntimeValue::Float(_) => Ok(value),
        RuntimeValue::Int(number) => Ok(RuntimeValue::Float(*number as f64)),
        RuntimeValue::Nil => run.raise("TypeError", "can't convert nil into Float"),
        RuntimeValue::Str(_) => {
            let text = run.text_of(&value)?;
            let shown = run.inspect(&value)?;
            let trimmed = text.trim_matches(|c: char| c.is_ascii_whitespace());
            let is_plain = trimmed.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c))
                && trimmed.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
                && trimmed.ends_with(|c: char| c.is_ascii_digit())
                && !trimmed.contains(".e")
                && !trimmed.contains(".E");
            if trimmed.contains('_') || trimmed.starts_with("0x") || trimmed.starts_with("0X") {
                return run.unknown_because("this number is not supported");
            }
            match trimmed.parse::<f64>() {
                Ok(number) if is_plain => Ok(RuntimeValue::Float(number)),
                _ => run.raise("ArgumentError", format!("invalid value for Float(): {shown}")),
            }
        }
        other => {
            let class = coerced_name(run, other)?;
            run.raise("TypeError", format!("can't convert {class} into Float"))
        }
    }
}
