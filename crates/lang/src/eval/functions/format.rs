//! `format("%05.1f %s", …)`: a subset of Ruby's `format`, sufficient for configuration.

use crate::eval::call::{BuiltinCall, Eval, describe};
use crate::eval::interpreter::Interpreter;
use crate::eval::methods;
use crate::value::{EcoString, Value, inspect};
use smallvec::smallvec;

/// The flags, width and precision between `%` and the conversion letter.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    blank: bool,
    zero: bool,
    alternate: bool,
    width: Option<usize>,
    precision: Option<usize>,
    name: Option<String>,
    /// The number of the value, from 1, as in `%2$s`.
    place: Option<usize>,
}

/// Formats values with a format string.
pub(in crate::eval) fn format_text(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, pattern: &str, values: &[Value]) -> Eval<EcoString> {
    let mut out = EcoString::new();
    let mut letters = pattern.chars().peekable();
    let mut next = values.iter();
    while let Some(c) = letters.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut spec = Spec::default();
        let kind = loop {
            let Some(c) = letters.next() else {
                return Err(call.fail("the pattern ends inside a `%`"));
            };
            match c {
                '-' => spec.left = true,
                '+' => spec.plus = true,
                ' ' => spec.blank = true,
                '#' => spec.alternate = true,
                '0' if spec.width.is_none() && spec.precision.is_none() => spec.zero = true,
                '0'..='9' => {
                    let digit = c.to_digit(10).unwrap_or(0) as usize;
                    let number = if spec.precision.is_some() { &mut spec.precision } else { &mut spec.width };
                    *number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit));
                }
                '$' if spec.place.is_none() && spec.precision.is_none() && spec.width.is_some() => spec.place = spec.width.take(),
                '*' => {
                    let width = take(call, &mut next)?;
                    let Value::Int(n) = width else { return Err(call.takes("an integer for `*`", width)) };
                    spec.left |= *n < 0;
                    spec.width = usize::try_from(n.unsigned_abs()).ok();
                }
                '.' => spec.precision = Some(0),
                '<' | '{' => {
                    let end = if c == '<' { '>' } else { '}' };
                    let name: String = letters.by_ref().take_while(|l| *l != end).collect();
                    spec.name = Some(name);
                    if end == '}' {
                        break 's';
                    }
                }
                other => break other,
            }
        };
        let room = spec.width.unwrap_or(0).max(spec.precision.unwrap_or(0));
        it.meter.room(out.len().saturating_add(room), call.span)?;
        if kind == '%' {
            out.push('%');
            continue;
        }
        let value = match (&spec.name, spec.place) {
            (Some(name), _) => named(call, values, name)?,
            (None, Some(place)) => take(call, &mut values.get(place.saturating_sub(1)..).unwrap_or_default().iter())?,
            (None, None) => take(call, &mut next)?,
        };
        it.meter.admit(value, call.span)?;
        let piece = write(call, &spec, kind, value)?;
        it.meter.room(out.len().saturating_add(piece.len()), call.span)?;
        out.push_str(&piece);
    }
    Ok(out)
}

fn take<'v>(call: &BuiltinCall<'_>, values: &mut std::slice::Iter<'v, Value>) -> Eval<&'v Value> {
    values.next().ok_or_else(|| call.fail_of("ArgumentError", "the pattern names more values than there are"))
}

fn named<'v>(call: &BuiltinCall<'_>, values: &'v [Value], name: &str) -> Eval<&'v Value> {
    let found = match values.first() {
        Some(Value::Map(map)) => map.get(&Value::sym(name)),
        _ => None,
    };
    let class = if matches!(values.first(), Some(Value::Map(_))) { "KeyError" } else { "ArgumentError" };
    found.ok_or_else(|| call.fail_of(class, format!("missing value for `{name}`")))
}

fn write(call: &BuiltinCall<'_>, spec: &Spec, kind: char, value: &Value) -> Eval<String> {
    let text = match kind {
        's' => cut(spec, value.to_text().to_string()),
        'p' => cut(spec, inspect(value)),
        'c' => match value {
            Value::Int(n) => match u32::try_from(*n).ok().and_then(char::from_u32) {
                Some(c) => c.to_string(),
                None => return Err(call.fail(format!("{n} is not the number of a letter"))),
            },
            other => {
                let text = other.to_text();
                if text.chars().count() != 1 {
                    return Err(call.fail("`%c` takes one letter"));
                }
                text.to_string()
            }
        },
        'd' | 'i' | 'u' => return Ok(pad_number(spec, amount(spec, whole(call, value)?, 10), spec.precision.is_none())),
        'x' => return Ok(pad_number(spec, amount(spec, whole(call, value)?, 16), spec.precision.is_none())),
        'X' => return Ok(pad_number(spec, amount(spec, whole(call, value)?, 16), spec.precision.is_none()).to_uppercase()),
        'o' => return Ok(pad_number(spec, amount(spec, whole(call, value)?, 8), spec.precision.is_none())),
        'b' | 'B' => return Ok(pad_number(spec, amount(spec, whole(call, value)?, 2), spec.precision.is_none())),
        'f' => return Ok(pad_number(spec, fixed(spec, real(call, value)?), true)),
        'e' | 'E' | 'g' | 'G' => return Ok(pad_number(spec, scientific(spec, real(call, value)?, kind), true)),
        other => return Err(call.fail(format!("`%{other}` is not a format"))),
    };
    Ok(pad(spec, text))
}

fn cut(spec: &Spec, text: String) -> String {
    match spec.precision {
        Some(n) => text.chars().take(n).collect(),
        None => text,
    }
}

fn pad(spec: &Spec, text: String) -> String {
    let missing = spec.width.unwrap_or(0).saturating_sub(text.chars().count());
    let blanks = " ".repeat(missing);
    if spec.left { text + &blanks } else { blanks + &text }
}

/// Pads a number; zeros are inserted between the sign and the digits.
fn pad_number(spec: &Spec, text: String, zeros_allowed: bool) -> String {
    if !spec.zero || spec.left || !zeros_allowed {
        return pad(spec, text);
    }
    let missing = spec.width.unwrap_or(0).saturating_sub(text.chars().count());
    let digits = text.trim_start_matches(['-', '+', ' ']);
    let sign = text.strip_suffix(digits).unwrap_or_default();
    format!("{sign}{}{digits}", "0".repeat(missing))
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.blank) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn amount(spec: &Spec, n: i64, base: u128) -> String {
    if n < 0 && base != 10 && !spec.plus && !spec.blank {
        return complement(spec, n, base);
    }
    let digits = methods::in_base(u128::from(n.unsigned_abs()), base, false);
    let zeros = "0".repeat(spec.precision.unwrap_or(0).saturating_sub(digits.len()));
    let mark = if n == 0 { "" } else { mark(spec, base) };
    format!("{}{mark}{zeros}{digits}", sign(spec, n < 0))
}

fn mark(spec: &Spec, base: u128) -> &'static str {
    match (spec.alternate, base) {
        (true, 16) => "0x",
        (true, 8) => "0",
        (true, 2) => "0b",
        _ => "",
    }
}

/// Writes a negative number as Ruby does in these bases: the last digits in two's complement, after `..` for all others.
fn complement(spec: &Spec, n: i64, base: u128) -> String {
    let (bits, highest) = match base {
        16 => (4, 'f'),
        8 => (3, '7'),
        _ => (1, '1'),
    };
    let mut digits: Vec<char> = Vec::new();
    let mut rest = n;
    while rest != -1 {
        let digit = u32::try_from(rest & ((1 << bits) - 1)).unwrap_or(0);
        digits.push(char::from_digit(digit, 16).unwrap_or(highest));
        rest >>= bits;
    }
    while digits.last() == Some(&highest) {
        digits.pop();
    }
    digits.push(highest);
    let digits: String = digits.into_iter().rev().collect();
    let mark = if base == 8 { "" } else { mark(spec, base) };
    // The dots count towards a width in zeros, and towards a precision.
    let width = if spec.zero && !spec.left && spec.precision.is_none() { spec.width.unwrap_or(0) } else { 0 };
    let room = spec.precision.unwrap_or(width.saturating_sub(mark.len())).saturating_sub("..".len());
    let filled = highest.to_string().repeat(room.saturating_sub(digits.len()));
    format!("{mark}..{filled}{digits}")
}

fn fixed(spec: &Spec, n: f64) -> String {
    let text = if n.is_finite() { rounded(n.abs(), spec.precision.unwrap_or(6).min(1000)) } else { odd(n) };
    format!("{}{text}", sign(spec, n.is_sign_negative() && !n.is_nan()))
}

/// Writes a number with this number of places. As in Ruby, if the shortest form of the number ends in a 5 one place later, the last
/// digit becomes even, unless all digits before are zeros.
fn rounded(n: f64, places: usize) -> String {
    let exact = format!("{n:.places$}");
    let shortest = format!("{n}");
    let Some((whole, part)) = shortest.split_once('.') else { return exact };
    let Some(kept) = part.strip_suffix('5').filter(|kept| kept.len() == places) else { return exact };
    let Some(number) = format!("{whole}{kept}").parse::<u128>().ok().filter(|number| *number > 0) else { return exact };
    let even = (number + number % 2).to_string();
    if places == 0 {
        return even;
    }
    let digits = format!("{even:0>width$}", width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    format!("{whole}.{part}")
}

fn odd(n: f64) -> String {
    if n.is_nan() { "NaN".into() } else { "Inf".into() }
}

fn scientific(spec: &Spec, n: f64, kind: char) -> String {
    let sign = sign(spec, n.is_sign_negative() && !n.is_nan());
    if !n.is_finite() {
        return format!("{sign}{}", odd(n));
    }
    let with_exponent = |places: usize| {
        let text = format!("{:.*e}", places, n.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        (mantissa.to_owned(), exponent.parse::<i32>().unwrap_or(0))
    };
    let short = matches!(kind, 'g' | 'G');
    let places = spec.precision.unwrap_or(6).min(1000);
    let places = if short { places.max(1) - 1 } else { places };
    let (mut mantissa, exponent) = with_exponent(places);
    let trim = |text: String| {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    };
    let text = if short && (-4..=places as i32).contains(&exponent) {
        trim(format!("{:.*}", usize::try_from(places as i32 - exponent).unwrap_or(0), n.abs()))
    } else {
        if short {
            mantissa = trim(mantissa);
        }
        format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
    };
    let text = format!("{sign}{text}");
    if kind.is_uppercase() { text.to_uppercase() } else { text }
}

fn whole(call: &BuiltinCall<'_>, value: &Value) -> Eval<i64> {
    let converted = match value {
        Value::Int(n) => return Ok(*n),
        Value::Float(f) => methods::whole(call, f.trunc())?,
        Value::Str(_) => strict(call, value, super::numbers::integer)?,
        other => return Err(call.wrong(format!("`%d` takes a number, not {}", describe(other)))),
    };
    match converted {
        Value::Int(n) => Ok(n),
        other => Err(call.takes("a number", &other)),
    }
}

fn real(call: &BuiltinCall<'_>, value: &Value) -> Eval<f64> {
    match value {
        Value::Int(n) => Ok(*n as f64),
        Value::Float(f) => Ok(*f),
        Value::Str(_) => match strict(call, value, super::numbers::float)? {
            Value::Float(f) => Ok(f),
            other => Err(call.takes("a number", &other)),
        },
        other => Err(call.wrong(format!("`%f` takes a number, not {}", describe(other)))),
    }
}

/// Converts an argument to a number with the rules of `Integer()` or `Float()`.
fn strict(call: &BuiltinCall<'_>, value: &Value, read: fn(&BuiltinCall<'_>) -> Eval) -> Eval {
    let inner = BuiltinCall { name: call.name, span: call.span, args: smallvec![value.clone()], lambda: None, secret: call.secret };
    read(&inner)
}
