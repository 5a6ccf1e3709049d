//! Conversion from strings to numbers, strict (`Integer("x")`) or lenient (`"12 apples".to_i`), with Ruby's rules.

use crate::eval::call::{BuiltinCall, Eval, describe};
use crate::eval::methods;
use crate::value::{Value, inspect};

/// Splits off the sign and the base prefix. Base 0 means the base of the prefix, or 10 without a prefix.
fn prefix(text: &str, base: u32) -> (bool, u32, &str) {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let marks: [(&str, u32); 4] = [("0x", 16), ("0b", 2), ("0o", 8), ("0d", 10)];
    for (mark, its) in marks {
        let same = digits.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(mark));
        if same && (base == 0 || base == its) {
            return (negative, its, digits.get(2..).unwrap_or_default());
        }
    }
    match base {
        0 if digits.len() > 1 && digits.starts_with('0') => {
            let rest = digits.get(1..).unwrap_or_default();
            (negative, 8, rest.strip_prefix('_').unwrap_or(rest))
        }
        0 => (negative, 10, digits),
        _ => (negative, base, digits),
    }
}

/// Parses digits, with single underscores allowed between them. Returns the amount (`None` beyond 128 bits), the number of digits and
/// the rest of the string.
fn digits(text: &str, base: u32) -> (Option<i128>, usize, &str) {
    let mut amount = Some(0i128);
    let mut count = 0;
    let mut rest = text;
    loop {
        let mut letters = rest.chars();
        match letters.next() {
            Some('_') if count > 0 && letters.as_str().starts_with(|c: char| c.is_digit(base)) => rest = letters.as_str(),
            Some(c) => match c.to_digit(base) {
                Some(d) => {
                    amount = amount.and_then(|a| a.checked_mul(i128::from(base))?.checked_add(i128::from(d)));
                    count += 1;
                    rest = letters.as_str();
                }
                None => return (amount, count, rest),
            },
            None => return (amount, count, rest),
        }
    }
}

fn fit(call: &BuiltinCall<'_>, amount: Option<i128>, negative: bool) -> Eval {
    let signed = amount.map(|a| if negative { -a } else { a });
    signed.and_then(|a| i64::try_from(a).ok()).map(Value::Int).ok_or_else(|| call.overflow())
}

fn base_of(call: &BuiltinCall<'_>, place: usize, default: u32) -> Eval<u32> {
    match call.maybe_int(place)? {
        None => Ok(default),
        Some(n) => match u32::try_from(n) {
            Ok(base) if base == 0 || (2..=36).contains(&base) => Ok(base),
            _ => Err(call.fail(format!("invalid base {n}: it must be between 2 and 36"))),
        },
    }
}

/// Evaluates `Integer(x, base)`.
pub(super) fn integer(call: &BuiltinCall<'_>) -> Eval {
    if !matches!(call.arg(0), Value::Str(_)) && call.maybe_int(1)?.is_some() {
        return Err(call.fail_of("ArgumentError", "a base is only for a string"));
    }
    match call.arg(0) {
        Value::Int(n) => Ok(Value::Int(*n)),
        Value::Float(f) => methods::whole(call, f.trunc()),
        Value::Str(text) => {
            let bad = || call.fail(format!("invalid value for Integer(): {}", inspect(call.arg(0))));
            let trimmed = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b');
            let (negative, base, rest) = prefix(trimmed, base_of(call, 1, 0)?);
            let (amount, count, rest) = digits(rest, base);
            if count == 0 || !rest.is_empty() || text.contains('\0') {
                return Err(bad());
            }
            fit(call, amount, negative)
        }
        Value::Nil => Err(call.wrong("can't convert nil into Integer")),
        other => Err(call.wrong(format!("can't convert {} into Integer", describe(other)))),
    }
}

/// Evaluates `Float(x)`.
pub(super) fn float(call: &BuiltinCall<'_>) -> Eval {
    match call.arg(0) {
        Value::Int(n) => Ok(Value::Float(*n as f64)),
        Value::Float(f) => Ok(Value::Float(*f)),
        Value::Str(text) => {
            let trimmed = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b');
            let (amount, rest) = float_at(trimmed);
            let hex = prefix(trimmed, 0);
            let starts_well = trimmed.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
            if hex.1 == 16 {
                if let (Some(n), count, "") = digits(hex.2, 16)
                    && count > 0
                {
                    return Ok(Value::Float(if hex.0 { -(n as f64) } else { n as f64 }));
                }
            } else if rest.is_empty() && !trimmed.is_empty() && starts_well {
                return Ok(Value::Float(amount));
            }
            Err(call.fail(format!("invalid value for Float(): {}", inspect(call.arg(0)))))
        }
        Value::Nil => Err(call.wrong("can't convert nil into Float")),
        other => Err(call.wrong(format!("can't convert {} into Float", describe(other)))),
    }
}

/// Evaluates `text.to_i(base)`: the number at the start of the string, or 0.
pub(in crate::eval) fn leading_integer(call: &BuiltinCall<'_>, text: &str) -> Eval {
    in_base(call, text, base_of(call, 0, 10)?)
}

/// Returns the number at the start of a string in a base, or 0.
pub(in crate::eval) fn in_base(call: &BuiltinCall<'_>, text: &str, base: u32) -> Eval {
    let trimmed = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b');
    let (negative, base, rest) = prefix(trimmed, base);
    let (amount, _, _) = digits(rest, base);
    fit(call, amount, negative)
}

/// Evaluates `text.oct`: base 8 unless a prefix selects another base.
pub(in crate::eval) fn octal(call: &BuiltinCall<'_>, text: &str) -> Eval {
    let trimmed = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let (_, base, _) = prefix(trimmed, 0);
    in_base(call, text, if base == 10 && !trimmed.to_ascii_lowercase().contains("0d") { 8 } else { 0 })
}

/// Evaluates `text.to_f`: the number at the start of the string, or 0.0.
pub(in crate::eval) fn leading_float(text: &str) -> f64 {
    float_at(text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b')).0
}

/// Returns the longest number at the start of a string, and the rest.
fn float_at(text: &str) -> (f64, &str) {
    let mut clean = String::new();
    let mut rest = text;
    if let Some(after) = rest.strip_prefix(['+', '-']) {
        if text.starts_with('-') {
            clean.push('-');
        }
        rest = after;
    }
    let run = |from: &mut &str, into: &mut String| -> usize {
        let (_, count, after) = digits(from, 10);
        let taken = from.get(..from.len() - after.len()).unwrap_or_default();
        into.extend(taken.chars().filter(|c| *c != '_'));
        *from = after;
        count
    };
    let whole = run(&mut rest, &mut clean);
    if let Some(mut after) = rest.strip_prefix('.') {
        let mut fraction = String::from(".");
        if run(&mut after, &mut fraction) > 0 {
            clean.push_str(if whole == 0 { "0" } else { "" });
            clean.push_str(&fraction);
            rest = after;
        } else if whole == 0 {
            return (0.0, text);
        }
    } else if whole == 0 {
        return (0.0, text);
    }
    if let Some(mut after) = rest.strip_prefix(['e', 'E']) {
        let mut exponent = String::from("e");
        if let Some(unsigned) = after.strip_prefix(['+', '-']) {
            exponent.push(if after.starts_with('-') { '-' } else { '+' });
            after = unsigned;
        }
        if run(&mut after, &mut exponent) > 0 {
            clean.push_str(&exponent);
            rest = after;
        }
    }
    (clean.parse().unwrap_or(0.0), rest)
}
