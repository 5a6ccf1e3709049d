//! Comparison of the current and desired value of a property, as pure functions on values.

use super::{EcoString, Value};
use crate::data::json_from_text;
use std::cmp::Ordering;
use std::collections::HashMap;

/// A comparison of the current and the desired value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComparisonMode {
    /// `is == should || is == should.to_s`, also for lists: Puppet's default.
    Default,
    /// `is == should` only.
    Exact,
    /// Lists, ignoring order.
    Unordered,
    /// Lists, ignoring order and duplicates.
    Set,
    /// Lists of the same length without duplicates, where every current element is desired.
    Intersect,
    /// The current list contains all desired elements.
    Superset,
    /// Strings, ignoring case.
    Nocase,
    /// Versions, compared with [`versioncmp`].
    Version,
    /// JSON strings, compared by value.
    Json,
    /// Paths, ignoring trailing slashes.
    Path,
    /// File modes, compared by number.
    Mode,
}

impl ComparisonMode {
    /// The names for `compare`, with the comparison and its documentation.
    pub const NAMED: &[(&str, ComparisonMode, &str)] = &[
        ("exact", ComparisonMode::Exact, "`is == should` and nothing else"),
        ("unordered", ComparisonMode::Unordered, "lists without regard to order"),
        ("set", ComparisonMode::Set, "lists without regard to order and repetition"),
        ("intersect", ComparisonMode::Intersect, "lists of the same length without repetitions, all of whose current elements are wanted"),
        ("superset", ComparisonMode::Superset, "the current list holds all wanted elements"),
        ("nocase", ComparisonMode::Nocase, "text without regard to case"),
        ("version", ComparisonMode::Version, "versions, as Puppet counts them"),
        ("json", ComparisonMode::Json, "JSON texts by what they say"),
        ("path", ComparisonMode::Path, "paths without trailing slashes"),
        ("mode", ComparisonMode::Mode, "file modes by their number"),
    ];

    /// Returns the comparison with this name.
    pub fn named(name: &str) -> Option<ComparisonMode> {
        ComparisonMode::NAMED.iter().find(|(n, _, _)| *n == name).map(|(_, c, _)| *c)
    }
}

/// Returns `true` if a property is in sync. If `all` is set, `should` is the list of all desired values (`array_matching: all`);
/// otherwise `should` is a single value, and callers pass each desired value in turn.
///
/// Follows `Puppet::Property#property_matches?` and `#insync?`: only the desired side is converted to a string.
pub fn in_sync(how: ComparisonMode, is: &Value, should: &Value, all: bool) -> bool {
    use ComparisonMode as C;
    let wanted = should.unwrapped();
    let is = is.unwrapped();
    if all && wanted.as_array().is_some_and(<[Value]>::is_empty) {
        return true;
    }
    match how {
        C::Default => default(is, wanted, all),
        C::Exact => is == wanted,
        C::Unordered => counts(is) == counts(wanted),
        C::Set => holds(is, wanted) && holds(wanted, is),
        C::Intersect => intersect(is, wanted),
        C::Superset => holds(is, wanted),
        C::Nocase => each(is, wanted, |a, b| a.to_text().to_lowercase() == b.to_text().to_lowercase()),
        C::Version => each(is, wanted, |a, b| versioncmp(&a.to_text(), &b.to_text()) == Ordering::Equal),
        C::Json => each(is, wanted, |a, b| {
            let (x, y) = (json(a), json(b));
            if x.is_some() && y.is_some() { x == y } else { loosely(a, b) }
        }),
        C::Path => each(is, wanted, |a, b| if both_text(a, b) { path(a) == path(b) } else { loosely(a, b) }),
        C::Mode => each(is, wanted, |a, b| {
            let (x, y) = (mode(a), mode(b));
            if x.is_some() && y.is_some() { x == y } else { loosely(a, b) }
        }),
    }
}

/// Returns `is == should || is == should.to_s`.
fn loosely(is: &Value, should: &Value) -> bool {
    is == should || matches!(is, Value::Str(text) if *text == should.to_text())
}

fn default(is: &Value, should: &Value, all: bool) -> bool {
    match (is, should) {
        (Value::Array(is), Value::Array(should)) if all => {
            // As a whole: all elements are equal, or all are equal as strings.
            is == should || (is.len() == should.len() && is.iter().zip(should).all(|(a, b)| as_text(a, b)))
        }
        _ => loosely(is, should),
    }
}

fn as_text(is: &Value, should: &Value) -> bool {
    matches!(is, Value::Str(text) if *text == should.to_text())
}

fn both_text(a: &Value, b: &Value) -> bool {
    a.as_text().is_some() && b.as_text().is_some()
}

/// Compares lists element by element, and other values directly.
fn each(is: &Value, should: &Value, same: impl Fn(&Value, &Value) -> bool) -> bool {
    match (is, should) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Array(_), _) | (_, Value::Array(_)) => false,
        _ => same(is, should),
    }
}

/// Returns the elements of a list. Nil and `:absent` are empty lists, any other value is a list with a single element.
fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        Value::Nil => &[],
        other if other.is_absent() => &[],
        other => std::slice::from_ref(other),
    }
}

/// Counts the occurrences of each string.
fn counts(value: &Value) -> HashMap<EcoString, usize> {
    let mut counts = HashMap::new();
    for item in elements(value) {
        *counts.entry(item.to_text()).or_insert(0) += 1;
    }
    counts
}

/// Returns `true` if `list` contains every element of `wanted`.
fn holds(list: &Value, wanted: &Value) -> bool {
    let have = counts(list);
    elements(wanted).iter().all(|v| have.contains_key(&v.to_text()))
}

/// Returns `is & should == is || is & should.map(to_s) == is` for lists of the same length, as used by 26 types in OpenStack's modules.
/// Without duplicates this is equality ignoring order.
fn intersect(is: &Value, should: &Value) -> bool {
    let (is, should) = match (is, should) {
        (Value::Array(is), Value::Array(should)) => (is, should),
        // A list never equals a string, even with the same string form.
        (Value::Array(_), _) | (_, Value::Array(_)) => return false,
        _ => return loosely(is, should),
    };
    if is.len() != should.len() {
        return false;
    }
    let distinct = is.iter().enumerate().all(|(i, v)| !is.iter().take(i).any(|w| w == v));
    let equal = is.iter().all(|v| should.contains(v));
    distinct && (equal || is.iter().all(|v| should.iter().any(|w| as_text(v, w))))
}

fn json(value: &Value) -> Option<serde_json::Value> {
    match value {
        Value::Str(text) => json_from_text(text).ok(),
        Value::Nil | Value::Sym(_) | Value::Unknown => None,
        other => serde_json::to_value(other).ok(),
    }
}

fn path(value: &Value) -> EcoString {
    let text = value.to_text();
    let shorter = text.trim_end_matches('/');
    if shorter.is_empty() { text } else { shorter.into() }
}

/// Returns a mode as a number, from octal digits or from an integer with octal digits (`644`).
fn mode(value: &Value) -> Option<u32> {
    let text = match value {
        Value::Str(_) | Value::Int(_) => value.to_text(),
        _ => return None,
    };
    u32::from_str_radix(text.strip_prefix("0o").unwrap_or(&text), 8).ok().filter(|m| *m <= 0o7777)
}

/// Compares two versions like `Puppet::Util::Package.versioncmp`: runs of digits by number, other runs as strings, `-` before `.`
/// before everything else.
pub fn versioncmp(a: &str, b: &str) -> Ordering {
    let (mut first, mut second) = (parts(a), parts(b));
    loop {
        let (x, y) = match (first.next(), second.next()) {
            (Some(x), Some(y)) => (x, y),
            // If either version is a prefix of the other, the whole strings are compared.
            _ => return a.cmp(b),
        };
        return match (x, y) {
            (x, y) if x == y => continue,
            ("-", _) => Ordering::Less,
            (_, "-") => Ordering::Greater,
            (".", _) => Ordering::Less,
            (_, ".") => Ordering::Greater,
            (x, y) if is_number(x) && is_number(y) => {
                if x.starts_with('0') || y.starts_with('0') {
                    x.to_uppercase().cmp(&y.to_uppercase())
                } else {
                    x.len().cmp(&y.len()).then_with(|| x.cmp(y))
                }
            }
            (x, y) => x.to_uppercase().cmp(&y.to_uppercase()),
        };
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// Splits a version into `-`, `.`, runs of digits, and runs of other characters, including spaces.
fn parts(version: &str) -> impl Iterator<Item = &str> {
    let mut rest = version;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let kind = |c: char| match c {
            '-' | '.' => 0,
            c if c.is_ascii_digit() => 1,
            _ => 2,
        };
        let len = if kind(first) == 0 { 1 } else { rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len()) };
        let (part, after) = rest.split_at_checked(len)?;
        rest = after;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str]) -> Value {
        Value::array(items.iter().map(|s| Value::from(*s)))
    }

    #[test]
    fn the_default_turns_only_the_wanted_side_into_text() {
        for (is, should, same) in [
            (Value::str("1"), Value::Int(1), true),
            (Value::Int(1), Value::str("1"), false),
            (Value::str("foo"), Value::sym("foo"), true),
            (Value::sym("foo"), Value::str("foo"), false),
            (Value::Bool(true), Value::sym("true"), false),
            (Value::Nil, Value::Nil, true),
        ] {
            assert_eq!(in_sync(ComparisonMode::Default, &is, &should, false), same, "{is:?} {should:?}");
        }
        let mixed = Value::array([Value::Int(1), Value::str("b")]);
        assert!(in_sync(ComparisonMode::Default, &list(&["1", "b"]), &mixed, true));
        assert!(in_sync(ComparisonMode::Default, &mixed, &mixed, true));
        assert!(!in_sync(ComparisonMode::Default, &list(&["b", "1"]), &mixed, true));
        assert!(in_sync(ComparisonMode::Default, &list(&["b"]), &list(&[]), true), "nothing wanted");
    }

    #[test]
    fn lists_and_texts_are_compared_as_asked() {
        use ComparisonMode as C;
        let rows: &[(C, Value, Value, bool)] = &[
            (C::Unordered, list(&["a", "b"]), list(&["b", "a"]), true),
            (C::Unordered, list(&["a", "b", "b"]), list(&["b", "a"]), false),
            (C::Set, list(&["a", "b", "b"]), list(&["b", "a"]), true),
            (C::Set, list(&["a"]), list(&["b", "a"]), false),
            (C::Superset, list(&["a", "b", "c"]), list(&["c", "a"]), true),
            (C::Superset, list(&["a"]), list(&["c", "a"]), false),
            (C::Superset, Value::sym("absent"), list(&["c"]), false),
            (C::Intersect, list(&["a", "b"]), list(&["b", "a"]), true),
            (C::Intersect, list(&["a", "a"]), list(&["b", "a"]), false),
            (C::Intersect, list(&["a"]), list(&["b", "a"]), false),
            (C::Intersect, Value::str(list(&["a"]).to_text()), list(&["a"]), false),
            (C::Nocase, Value::str("ABC"), Value::str("abc"), true),
            (C::Nocase, list(&["A"]), list(&["a"]), true),
            (C::Exact, Value::str("1"), Value::Int(1), false),
            (C::Version, Value::str("1.0"), Value::str("1.0"), true),
            (C::Json, Value::str("{\"a\": 1, \"b\": [2]}"), Value::str("{\"b\":[2],\"a\":1}"), true),
            (C::Json, Value::str("nonsense"), Value::str("nonsense"), true),
            (C::Json, Value::str("18446744073709551616"), Value::str("18446744073709551617"), false),
            (C::Json, Value::str("[18446744073709551616]"), Value::str("[18446744073709551616]"), true),
            (C::Path, Value::str("/a/b/"), Value::str("/a/b"), true),
            (C::Path, Value::str("/"), Value::str("/"), true),
            (C::Path, Value::str("/a"), Value::str("/"), false),
            (C::Mode, Value::str("644"), Value::str("0644"), true),
            (C::Mode, Value::str("0640"), Value::str("0644"), false),
            (C::Mode, Value::str("0640"), Value::str("u=rw"), false),
        ];
        for (how, is, should, same) in rows {
            assert_eq!(in_sync(*how, is, should, is.as_array().is_some()), *same, "{how:?} {is:?} {should:?}");
        }
    }

    #[test]
    fn versions_compare_as_puppets() {
        // Each line is in ascending order; verified with Puppet::Util::Package.versioncmp.
        for line in [&["1.2", "1.10", "2"][..], &["1-1", "1.1", "1a"], &["0.1", "0.1.1", "0.2"], &["1.0-rc1", "1.0.1"], &["01", "1"]] {
            for (a, b) in line.iter().zip(line.iter().skip(1)) {
                assert_eq!(versioncmp(a, b), Ordering::Less, "{a} {b}");
                assert_eq!(versioncmp(b, a), Ordering::Greater, "{b} {a}");
                assert_eq!(versioncmp(a, a), Ordering::Equal);
            }
        }
        assert_eq!(versioncmp("1.A", "1.a"), Ordering::Equal);
        // Digits and letters are compared as strings.
        assert_eq!((versioncmp("1.10", "1.a"), versioncmp("1.a", "1.10")), (Ordering::Less, Ordering::Greater));
    }
}
