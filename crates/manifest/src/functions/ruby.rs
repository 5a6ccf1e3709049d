//! Values as Ruby code sees them: names of classes, `to_s`, `inspect`, numbers in strings, comparison.

use crate::compile::failure::EvaluationFailure;
use crate::compile::text::{display, float_text};
use crate::compile::types::Type;
use crate::compile::value::ManifestValue;
use std::cmp::Ordering;

/// Returns the name of the class of a value in Ruby.
pub fn class_name(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Undef => "NilClass",
        ManifestValue::Default => "Symbol",
        ManifestValue::Boolean(true) => "TrueClass",
        ManifestValue::Boolean(false) => "FalseClass",
        ManifestValue::Integer(_) => "Integer",
        ManifestValue::Float(_) => "Float",
        ManifestValue::String(_) => "String",
        ManifestValue::Regexp(_) => "Regexp",
        ManifestValue::Array(_) => "Array",
        ManifestValue::Hash(_) => "Hash",
        ManifestValue::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        ManifestValue::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        ManifestValue::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        ManifestValue::Timespan(_) => "Puppet::Pops::Time::Timespan",
        ManifestValue::SemVer(_) => "SemanticPuppet::Version",
        ManifestValue::SemVerRange(_) => "SemanticPuppet::VersionRange",
        ManifestValue::Uri(_) => "URI::Generic",
        ManifestValue::Type(of) => match &**of {
            Type::Resource(Some(_), Some(_)) | Type::Class(Some(_)) => "Puppet::Resource",
            other => return format!("Puppet::Pops::Types::P{}Type", other.simple_name()),
        },
        ManifestValue::Object(object) => return object.object_type.name.to_string(),
        ManifestValue::Iterator(_) => "Puppet::Pops::Types::Iterator",
        ManifestValue::Lambda(_) => "Puppet::Pops::Evaluator::Closure::Dynamic",
    }
    .to_owned()
}

/// Returns a value as Ruby's `to_s` does.
pub fn to_s(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Array(_) | ManifestValue::Hash(_) => inspect(value),
        ManifestValue::Regexp(pattern) => format!("(?-mix:{})", pattern.source),
        other => display(other),
    }
}

/// Returns a value as `to_s` does in functions of the 3.x API, in which references to resources are resources.
pub fn to_s_legacy(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Type(of) => match &**of {
            Type::Resource(Some(name), Some(title)) => format!("{}[{title}]", crate::compile::types::display::capitalized(name)),
            Type::Class(Some(name)) => format!("Class[{}]", crate::compile::types::display::capitalized(name)),
            _ => to_s(value),
        },
        _ => to_s(value),
    }
}

/// Returns a value as Ruby's `inspect` does.
pub fn inspect(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Undef => "nil".to_owned(),
        ManifestValue::Default => ":default".to_owned(),
        ManifestValue::String(text) => inspect_string(text),
        ManifestValue::Float(number) => float_text(*number),
        ManifestValue::Regexp(pattern) => inspect_regexp(&pattern.source),
        ManifestValue::Array(elements) => format!("[{}]", elements.iter().map(inspect).collect::<Vec<_>>().join(", ")),
        ManifestValue::Hash(map) => {
            let pairs = map.iter().map(|(key, value)| format!("{}=>{}", inspect(key), inspect(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        ManifestValue::Sensitive(_) => "#<Sensitive [value redacted]>".to_owned(),
        ManifestValue::SemVer(version) => format!("#<SemanticPuppet::Version {version}>"),
        other => display(other),
    }
}

/// Returns a regular expression between slashes.
pub fn inspect_regexp(source: &str) -> String {
    let mut out = String::from("/");
    let mut is_escaped = false;
    for c in source.chars() {
        if c == '/' && !is_escaped {
            out.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        out.push(c);
    }
    out + "/"
}

/// Returns a string in double quotes with Ruby's escapes.
pub fn inspect_string(text: &str) -> String {
    rtype_lang::value::inspect(&rtype_lang::value::Value::str(text))
}

/// Returns the number at the start of a string, as `to_i` does.
pub fn to_i(text: &str) -> i64 {
    let text = text.trim_start();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut number: i64 = 0;
    let mut was_digit = false;
    for c in rest.chars() {
        match c.to_digit(10) {
            Some(digit) => {
                number = number.saturating_mul(10).saturating_add(i64::from(digit));
                was_digit = true;
            }
            None if c == '_' && was_digit => was_digit = false,
            None => break,
        }
    }
    sign * number
}

/// Returns the number at the start of a string, as `to_f` does.
pub fn to_f(text: &str) -> f64 {
    let text: String = text.trim_start().chars().filter(|c| *c != '_').collect();
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let sign = usize::from(text.starts_with(['-', '+']));
    let mut end = sign + digits(sign);
    if end == sign && bytes.get(end) != Some(&b'.') {
        return 0.0;
    }
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        if digits(signed) > 0 {
            end = signed + digits(signed);
        }
    }
    text.get(..end).and_then(|number| number.parse().ok()).unwrap_or(0.0)
}

/// Removes the underscores between digits; `None` if one is elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let mut out = String::new();
    let mut last = None;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        if c == '_' {
            if !is_digit(last) || !is_digit(letters.peek().copied()) {
                return None;
            }
        } else {
            out.push(c);
        }
        last = Some(c);
    }
    Some(out)
}

/// Returns the number of a string as `Integer()` does.
///
/// # Errors
/// Returns Ruby's error if the string is not a number.
pub fn integer(text: &str) -> Result<i64, EvaluationFailure> {
    let invalid = || EvaluationFailure::new(format!("invalid value for Integer(): {}", inspect_string(text)));
    let plain = without_underscores(text.trim()).ok_or_else(invalid)?;
    let (is_negative, digits) = match plain.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let lower = digits.to_ascii_lowercase();
    let prefixes = [("0x", 16), ("0b", 2), ("0o", 8), ("0d", 10)];
    let (digits, radix) = match prefixes.iter().find_map(|(prefix, radix)| Some((lower.strip_prefix(prefix)?, *radix))) {
        Some(found) => found,
        None if lower.len() > 1 && lower.starts_with('0') => (lower.as_str(), 8),
        None => (lower.as_str(), 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(invalid());
    }
    let magnitude = i128::from_str_radix(digits, radix).map_err(|_| too_large())?;
    i64::try_from(if is_negative { -magnitude } else { magnitude }).map_err(|_| too_large())
}

fn too_large() -> EvaluationFailure {
    EvaluationFailure::unsupported("integers of more than 64 bits")
}

/// Returns the number of a string as `Float()` does.
///
/// # Errors
/// Returns Ruby's error if the string is not a number.
pub fn float(text: &str) -> Result<f64, EvaluationFailure> {
    let invalid = || EvaluationFailure::new(format!("invalid value for Float(): {}", inspect_string(text)));
    let plain = without_underscores(text.trim()).ok_or_else(invalid)?;
    let unsigned = plain.trim_start_matches(['-', '+']);
    if unsigned.to_ascii_lowercase().starts_with("0x") {
        return integer(text).map(|number| number as f64).map_err(|_| invalid());
    }
    let is_number = unsigned.starts_with(|c: char| c.is_ascii_digit())
        && plain.len() <= unsigned.len() + 1
        && unsigned.ends_with(|c: char| c.is_ascii_digit())
        && !unsigned.contains(".e")
        && !unsigned.contains(".E")
        && unsigned.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '-' | '+'));
    if !is_number {
        return Err(invalid());
    }
    plain.parse().map_err(|_| invalid())
}

/// Returns `to_i` of numbers and strings.
///
/// # Errors
/// Returns Ruby's error for other values.
pub fn value_to_i(value: &ManifestValue) -> Result<i64, EvaluationFailure> {
    match value {
        ManifestValue::Integer(number) => Ok(*number),
        ManifestValue::Float(number) => whole(number.trunc()),
        ManifestValue::String(text) => Ok(to_i(text)),
        ManifestValue::Undef => Ok(0),
        other => Err(super::no_method(other, "to_i")),
    }
}

/// Returns a float without a fraction as an integer.
///
/// # Errors
/// Returns Ruby's error for infinite numbers, and refuses numbers that are too large.
pub fn whole(number: f64) -> Result<i64, EvaluationFailure> {
    if !number.is_finite() {
        return Err(EvaluationFailure::new(float_text(number)));
    }
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    if fits { Ok(number as i64) } else { Err(too_large()) }
}

/// Compares as Ruby's `<=>`; `None` for values that have no order.
pub fn compare(a: &ManifestValue, b: &ManifestValue) -> Option<Ordering> {
    match (a, b) {
        (ManifestValue::Integer(a), ManifestValue::Integer(b)) => Some(a.cmp(b)),
        (ManifestValue::Float(a), ManifestValue::Float(b)) => a.partial_cmp(b),
        (ManifestValue::Integer(a), ManifestValue::Float(b)) => (*a as f64).partial_cmp(b),
        (ManifestValue::Float(a), ManifestValue::Integer(b)) => a.partial_cmp(&(*b as f64)),
        (ManifestValue::String(a), ManifestValue::String(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (ManifestValue::Array(a), ManifestValue::Array(b)) => {
            for (x, y) in a.iter().zip(b.iter()) {
                match compare(x, y)? {
                    Ordering::Equal => {}
                    other => return Some(other),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        (ManifestValue::Timestamp(a), ManifestValue::Timestamp(b)) | (ManifestValue::Timespan(a), ManifestValue::Timespan(b)) => {
            Some(a.cmp(b))
        }
        (ManifestValue::Timestamp(a) | ManifestValue::Timespan(a), ManifestValue::Integer(b)) => {
            Some(a.cmp(&(i128::from(*b) * 1_000_000_000)))
        }
        (ManifestValue::Timestamp(a) | ManifestValue::Timespan(a), ManifestValue::Float(b)) => (*a as f64 / 1e9).partial_cmp(b),
        (ManifestValue::Integer(_) | ManifestValue::Float(_), ManifestValue::Timestamp(_) | ManifestValue::Timespan(_)) => {
            compare(b, a).map(Ordering::reverse)
        }
        (ManifestValue::SemVer(a), ManifestValue::SemVer(b)) => Some(a.cmp_precedence(b)),
        _ => (a == b).then_some(Ordering::Equal),
    }
}

/// Returns `true` if two values are equal as in Ruby's `==`: `1 == 1.0`.
pub fn equal(a: &ManifestValue, b: &ManifestValue) -> bool {
    match (a, b) {
        (ManifestValue::Integer(_) | ManifestValue::Float(_), ManifestValue::Integer(_) | ManifestValue::Float(_)) => {
            compare(a, b) == Some(Ordering::Equal)
        }
        (ManifestValue::Array(a), ManifestValue::Array(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equal(a, b)),
        (ManifestValue::Hash(a), ManifestValue::Hash(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => a == b,
    }
}

/// Returns all elements of nested arrays.
pub fn flatten(values: &[ManifestValue]) -> Vec<ManifestValue> {
    let mut out = Vec::new();
    let mut pending: Vec<&ManifestValue> = values.iter().rev().collect();
    while let Some(value) = pending.pop() {
        match value {
            ManifestValue::Array(elements) => pending.extend(elements.iter().rev()),
            other => out.push(other.clone()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are Ruby's.
    #[test]
    fn numbers_are_read_as_in_ruby() {
        assert_eq!(["12", "12 apples", "-3", "x", "1_000", "1__0"].map(to_i), [12, 12, -3, 0, 1000, 1]);
        assert_eq!(["1.5", "1e3x", ".5", "-2.", "x"].map(to_f), [1.5, 1000.0, 0.5, -2.0, 0.0]);
        assert_eq!(integer("0x1F").unwrap(), 31);
        assert_eq!(integer("017").unwrap(), 15);
        assert_eq!(integer("1_0").unwrap(), 10);
        assert_eq!(integer("abc").unwrap_err().text(), "invalid value for Integer(): \"abc\"");
        assert_eq!(float("1e3").unwrap(), 1000.0);
        assert!(float("1.").is_err());
        assert!(float("").is_err());
    }
}
