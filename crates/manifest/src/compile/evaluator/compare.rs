//! `==`, `<`, `in` and the comparison of `case`.

use crate::compile::scope::VariableScope;
use crate::compile::types::Type;
use crate::compile::value::{ManifestValue, ValuePattern};
use std::cmp::Ordering;
use std::sync::Arc;

/// Returns `true` for values that `==` counts as equal: the case of letters does not count, integers equal floats.
pub fn equals(a: &ManifestValue, b: &ManifestValue) -> bool {
    match (a, b) {
        (ManifestValue::String(a), ManifestValue::String(b)) => a.eq_ignore_ascii_case(b),
        (ManifestValue::Integer(a), ManifestValue::Float(b)) | (ManifestValue::Float(b), ManifestValue::Integer(a)) => (*a as f64) == *b,
        (ManifestValue::Array(a), ManifestValue::Array(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equals(a, b)),
        (ManifestValue::Hash(a), ManifestValue::Hash(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| equals(b.get(key).unwrap_or(&ManifestValue::Undef), value))
        }
        (ManifestValue::Timespan(span), ManifestValue::Integer(seconds)) => *span == i128::from(*seconds) * 1_000_000_000,
        (ManifestValue::Timestamp(at), ManifestValue::Integer(seconds)) => *at == i128::from(*seconds) * 1_000_000_000,
        (ManifestValue::Timespan(at) | ManifestValue::Timestamp(at), ManifestValue::Float(seconds)) => *at as f64 == seconds * 1e9,
        (ManifestValue::Type(a), ManifestValue::Type(b)) => types_equal(a, b),
        (ManifestValue::Iterator(a), ManifestValue::Iterator(b)) => Arc::ptr_eq(a, b),
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
pub fn order(a: &ManifestValue, b: &ManifestValue) -> Result<Option<Ordering>, &'static str> {
    let seconds = |nanos: i128| nanos as f64 / 1e9;
    match (a, b) {
        (ManifestValue::String(a), ManifestValue::String(b)) => {
            Ok(Some(a.to_ascii_lowercase().as_bytes().cmp(b.to_ascii_lowercase().as_bytes())))
        }
        (ManifestValue::String(_), _) => Err("A String is not comparable to a non String"),
        (ManifestValue::Integer(a), ManifestValue::Integer(b)) => Ok(Some(a.cmp(b))),
        (ManifestValue::Integer(a), ManifestValue::Float(b)) => Ok((*a as f64).partial_cmp(b)),
        (ManifestValue::Float(a), ManifestValue::Integer(b)) => Ok(a.partial_cmp(&(*b as f64))),
        (ManifestValue::Float(a), ManifestValue::Float(b)) => Ok(a.partial_cmp(b)),
        (ManifestValue::Integer(a), ManifestValue::Timespan(b) | ManifestValue::Timestamp(b)) => {
            Ok(Some((i128::from(*a) * 1_000_000_000).cmp(b)))
        }
        (ManifestValue::Float(a), ManifestValue::Timespan(b) | ManifestValue::Timestamp(b)) => Ok(a.partial_cmp(&seconds(*b))),
        (ManifestValue::Integer(_) | ManifestValue::Float(_), _) => Err("A Numeric is not comparable to non Numeric"),
        (ManifestValue::Timespan(a), ManifestValue::Timespan(b)) | (ManifestValue::Timestamp(a), ManifestValue::Timestamp(b)) => {
            Ok(Some(a.cmp(b)))
        }
        (ManifestValue::Timespan(a) | ManifestValue::Timestamp(a), ManifestValue::Integer(b)) => {
            Ok(Some(a.cmp(&(i128::from(*b) * 1_000_000_000))))
        }
        (ManifestValue::Timespan(a) | ManifestValue::Timestamp(a), ManifestValue::Float(b)) => Ok(seconds(*a).partial_cmp(b)),
        (ManifestValue::Timespan(_), _) => Err("Timespans are only comparable to Timespans, Integers, and Floats"),
        (ManifestValue::Timestamp(_), _) => Err("Timestamps are only comparable to Timestamps, Integers, and Floats"),
        (ManifestValue::SemVer(a), ManifestValue::SemVer(b)) => Ok(Some(a.cmp_precedence(b))),
        (ManifestValue::SemVer(_), _) => Err("Versions not comparable to non Versions"),
        (ManifestValue::Default, ManifestValue::Default) => Ok(Some(Ordering::Equal)),
        (ManifestValue::Default, _) => Err("Symbol not comparable to non Symbol"),
        _ => Err("Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"),
    }
}

/// Matches a string, and sets the groups of the scope if it matches.
pub fn search(pattern: &ValuePattern, text: &str, scope: Option<&Arc<VariableScope>>) -> bool {
    let Some(captures) = pattern.regex.captures_at(text, 0) else { return false };
    if let Some(scope) = scope {
        let group = |range: &Option<std::ops::Range<usize>>| {
            range.as_ref().and_then(|range| text.get(range.clone())).map_or(ManifestValue::Undef, ManifestValue::string)
        };
        scope.set_matches(Some(Arc::new(captures.iter().map(group).collect())));
    }
    true
}

/// Returns `true` if a value matches an option of `case`.
pub fn matches(value: &ManifestValue, option: &ManifestValue, scope: Option<&Arc<VariableScope>>) -> bool {
    match option {
        ManifestValue::Regexp(pattern) => value.as_str().is_some_and(|text| search(pattern, text, scope)),
        ManifestValue::Type(of) => of.is_instance(value),
        ManifestValue::SemVer(version) => match value {
            ManifestValue::SemVer(other) => version == other,
            ManifestValue::String(text) => semver::Version::parse(text).is_ok_and(|other| other == **version),
            _ => false,
        },
        ManifestValue::SemVerRange(range) => in_range(range, value),
        ManifestValue::Array(options) => value
            .as_array()
            .is_some_and(|values| values.len() == options.len() && values.iter().zip(options.iter()).all(|(v, o)| matches(v, o, scope))),
        ManifestValue::Hash(options) => value
            .as_map()
            .is_some_and(|map| options.iter().all(|(key, option)| matches(map.get(key).unwrap_or(&ManifestValue::Undef), option, scope))),
        ManifestValue::Default => true,
        other => equals(value, other),
    }
}

/// Returns `true` if a version is in a range.
pub fn in_range(range: &crate::compile::semver_range::SemVerRange, value: &ManifestValue) -> bool {
    match value {
        ManifestValue::SemVer(version) => range.contains(version),
        ManifestValue::String(text) => semver::Version::parse(text).is_ok_and(|version| range.contains(&version)),
        _ => false,
    }
}

/// Returns `true` for `needle in haystack`.
pub fn includes(haystack: &ManifestValue, needle: &ManifestValue, scope: Option<&Arc<VariableScope>>) -> bool {
    match haystack {
        ManifestValue::String(text) => match needle {
            ManifestValue::String(part) => text.to_lowercase().contains(part.to_lowercase().as_str()),
            ManifestValue::Regexp(pattern) => search(pattern, text, scope),
            _ => false,
        },
        ManifestValue::Binary(bytes) => match needle {
            ManifestValue::Binary(part) => part.is_empty() || bytes.windows(part.len()).any(|window| window == part.as_slice()),
            ManifestValue::String(part) => part.is_empty() || bytes.windows(part.len()).any(|window| window == part.as_bytes()),
            ManifestValue::Integer(number) => u8::try_from(*number).is_ok_and(|byte| bytes.contains(&byte)),
            _ => false,
        },
        ManifestValue::Array(elements) => in_list(elements.iter(), needle, scope),
        ManifestValue::Hash(map) => in_list(map.keys(), needle, scope),
        ManifestValue::SemVerRange(range) => in_range(range, needle),
        _ => false,
    }
}

fn in_list<'v>(mut elements: impl Iterator<Item = &'v ManifestValue>, needle: &ManifestValue, scope: Option<&Arc<VariableScope>>) -> bool {
    match needle {
        ManifestValue::Regexp(pattern) => elements.any(|element| element.as_str().is_some_and(|text| search(pattern, text, scope))),
        ManifestValue::String(_) | ManifestValue::SemVer(_) => elements.any(|element| matches(needle, element, scope)),
        ManifestValue::Type(of) => elements.any(|element| of.is_instance(element)),
        other => elements.any(|element| equals(element, other)),
    }
}
