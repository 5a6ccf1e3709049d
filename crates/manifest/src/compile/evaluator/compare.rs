//! `==`, `<`, `in` and the comparison of `case`.

use crate::compile::scope::Scope;
use crate::compile::types::Type;
use crate::compile::value::{Pattern, Value};
use std::cmp::Ordering;
use std::sync::Arc;

/// Returns `true` for values that `==` counts as equal: the case of letters does not count, integers equal floats.
pub fn equals(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.eq_ignore_ascii_case(b),
        (Value::Integer(a), Value::Float(b)) | (Value::Float(b), Value::Integer(a)) => (*a as f64) == *b,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equals(a, b)),
        (Value::Hash(a), Value::Hash(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| equals(b.get(key).unwrap_or(&Value::Undef), value))
        }
        (Value::Timespan(span), Value::Integer(seconds)) => *span == i128::from(*seconds) * 1_000_000_000,
        (Value::Timestamp(at), Value::Integer(seconds)) => *at == i128::from(*seconds) * 1_000_000_000,
        (Value::Timespan(at) | Value::Timestamp(at), Value::Float(seconds)) => *at as f64 == seconds * 1e9,
        (Value::Type(a), Value::Type(b)) => types_equal(a, b),
        (Value::Iterator(a), Value::Iterator(b)) => Arc::ptr_eq(a, b),
        _ => a == b,
    }
}

/// Returns `true` for types that are equal or accept each other.
pub fn types_equal(a: &Type, b: &Type) -> bool {
    a == b || (a.accepts(b) && b.accepts(a))
}

/// Orders two values.
///
/// # Errors
/// Returns why the values cannot be compared.
pub fn order(a: &Value, b: &Value) -> Result<Option<Ordering>, &'static str> {
    let seconds = |nanos: i128| nanos as f64 / 1e9;
    match (a, b) {
        (Value::String(a), Value::String(b)) => Ok(Some(a.to_ascii_lowercase().as_bytes().cmp(b.to_ascii_lowercase().as_bytes()))),
        (Value::String(_), _) => Err("A String is not comparable to a non String"),
        (Value::Integer(a), Value::Integer(b)) => Ok(Some(a.cmp(b))),
        (Value::Integer(a), Value::Float(b)) => Ok((*a as f64).partial_cmp(b)),
        (Value::Float(a), Value::Integer(b)) => Ok(a.partial_cmp(&(*b as f64))),
        (Value::Float(a), Value::Float(b)) => Ok(a.partial_cmp(b)),
        (Value::Integer(a), Value::Timespan(b) | Value::Timestamp(b)) => Ok(Some((i128::from(*a) * 1_000_000_000).cmp(b))),
        (Value::Float(a), Value::Timespan(b) | Value::Timestamp(b)) => Ok(a.partial_cmp(&seconds(*b))),
        (Value::Integer(_) | Value::Float(_), _) => Err("A Numeric is not comparable to non Numeric"),
        (Value::Timespan(a), Value::Timespan(b)) | (Value::Timestamp(a), Value::Timestamp(b)) => Ok(Some(a.cmp(b))),
        (Value::Timespan(a) | Value::Timestamp(a), Value::Integer(b)) => Ok(Some(a.cmp(&(i128::from(*b) * 1_000_000_000)))),
        (Value::Timespan(a) | Value::Timestamp(a), Value::Float(b)) => Ok(seconds(*a).partial_cmp(b)),
        (Value::Timespan(_), _) => Err("Timespans are only comparable to Timespans, Integers, and Floats"),
        (Value::Timestamp(_), _) => Err("Timestamps are only comparable to Timestamps, Integers, and Floats"),
        (Value::SemVer(a), Value::SemVer(b)) => Ok(Some(a.cmp_precedence(b))),
        (Value::SemVer(_), _) => Err("Versions not comparable to non Versions"),
        (Value::Default, Value::Default) => Ok(Some(Ordering::Equal)),
        (Value::Default, _) => Err("Symbol not comparable to non Symbol"),
        _ => Err("Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"),
    }
}

/// Matches a string, and sets the groups of the scope if it matches.
pub fn search(pattern: &Pattern, text: &str, scope: Option<&Arc<Scope>>) -> bool {
    let Some(captures) = pattern.regex.captures_at(text, 0) else { return false };
    if let Some(scope) = scope {
        let group = |range: &Option<std::ops::Range<usize>>| {
            range.as_ref().and_then(|range| text.get(range.clone())).map_or(Value::Undef, Value::string)
        };
        scope.set_matches(Some(Arc::new(captures.iter().map(group).collect())));
    }
    true
}

/// Returns `true` if a value matches an option of `case`.
pub fn matches(value: &Value, option: &Value, scope: Option<&Arc<Scope>>) -> bool {
    match option {
        Value::Regexp(pattern) => value.as_str().is_some_and(|text| search(pattern, text, scope)),
        Value::Type(of) => of.is_instance(value),
        Value::SemVer(version) => match value {
            Value::SemVer(other) => version == other,
            Value::String(text) => semver::Version::parse(text).is_ok_and(|other| other == **version),
            _ => false,
        },
        Value::SemVerRange(range) => in_range(range, value),
        Value::Array(options) => value
            .as_array()
            .is_some_and(|values| values.len() == options.len() && values.iter().zip(options.iter()).all(|(v, o)| matches(v, o, scope))),
        Value::Hash(options) => value
            .as_map()
            .is_some_and(|map| options.iter().all(|(key, option)| matches(map.get(key).unwrap_or(&Value::Undef), option, scope))),
        Value::Default => true,
        other => equals(value, other),
    }
}

/// Returns `true` if a version is in a range.
pub fn in_range(range: &crate::compile::semver_range::SemVerRange, value: &Value) -> bool {
    match value {
        Value::SemVer(version) => range.contains(version),
        Value::String(text) => semver::Version::parse(text).is_ok_and(|version| range.contains(&version)),
        _ => false,
    }
}

/// Returns `true` for `needle in haystack`.
pub fn includes(haystack: &Value, needle: &Value, scope: Option<&Arc<Scope>>) -> bool {
    match haystack {
        Value::String(text) => match needle {
            Value::String(part) => text.to_lowercase().contains(part.to_lowercase().as_str()),
            Value::Regexp(pattern) => search(pattern, text, scope),
            _ => false,
        },
        Value::Binary(bytes) => match needle {
            Value::Binary(part) => part.is_empty() || bytes.windows(part.len()).any(|window| window == part.as_slice()),
            Value::String(part) => part.is_empty() || bytes.windows(part.len()).any(|window| window == part.as_bytes()),
            Value::Integer(number) => u8::try_from(*number).is_ok_and(|byte| bytes.contains(&byte)),
            _ => false,
        },
        Value::Array(elements) => in_list(elements.iter(), needle, scope),
        Value::Hash(map) => in_list(map.keys(), needle, scope),
        Value::SemVerRange(range) => in_range(range, needle),
        _ => false,
    }
}

fn in_list<'v>(mut elements: impl Iterator<Item = &'v Value>, needle: &Value, scope: Option<&Arc<Scope>>) -> bool {
    match needle {
        Value::Regexp(pattern) => elements.any(|element| element.as_str().is_some_and(|text| search(pattern, text, scope))),
        Value::String(_) | Value::SemVer(_) => elements.any(|element| matches(needle, element, scope)),
        Value::Type(of) => elements.any(|element| of.is_instance(element)),
        other => elements.any(|element| equals(element, other)),
    }
}
