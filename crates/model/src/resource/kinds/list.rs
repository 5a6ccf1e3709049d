//! Unordered and ordered lists: Puppet's `Puppet::Property::List` and `OrderedList`.

use super::KindError;
use indexmap::IndexSet;
use rtype_lang::value::{EcoString, Value};
use std::collections::HashSet;

/// Checks that a member can be sorted and joined.
pub(super) fn validate(value: &Value) -> Result<(), KindError> {
    match value {
        Value::Map(_) => Err(KindError::WrongKind { expected: "a name as a member of the list", found: value.kind_name() }),
        _ => Ok(()),
    }
}

/// Checks that a list does not mix names and nested lists, which is an error in Puppet.
pub(super) fn validate_members(values: &[Value]) -> Result<(), KindError> {
    let lists = values.iter().filter(|v| matches!(v, Value::Array(_))).count();
    if lists > 0 && lists < values.len() {
        return Err(KindError::MixedList);
    }
    values.iter().try_for_each(|value| match value {
        Value::Array(inner) => validate_members(inner),
        one => validate(one),
    })
}

/// Returns the names, including those in nested lists.
fn flattened(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values.iter().flat_map(flattened).collect(),
        one => vec![one.clone()],
    }
}

/// Splits a list that the provider returned as a single string.
pub(super) fn retrieved(is: Value, delimiter: &str) -> Value {
    match &is {
        Value::Str(text) if text.is_empty() => Value::array([]),
        Value::Str(text) => Value::array(text.split(delimiter).map(Value::from)),
        _ => is,
    }
}

pub(super) fn should(stored: &Value, is: Option<&Value>, inclusive: bool, ordered: bool) -> Value {
    let mut members: Vec<Value> = flattened(stored);
    let there: &[Value] = if let Some(Value::Array(there)) = is { there } else { &[] };
    if !inclusive && ordered {
        // Desired members come first, then the remaining members. Existing duplicates are kept.
        let known: HashSet<&Value> = members.iter().collect();
        let remaining: Vec<Value> = there.iter().filter(|member| !known.contains(member)).cloned().collect();
        members.extend(remaining);
    } else if !inclusive {
        let all: IndexSet<Value> = members.into_iter().chain(there.iter().cloned()).collect();
        members = all.into_iter().collect();
    }
    if !ordered {
        members.sort_by_cached_key(Value::to_text);
    }
    Value::array(members)
}

pub(super) fn in_sync(is: &Value, should: &Value, delimiter: &str, ordered: bool) -> Result<bool, KindError> {
    if !(matches!(is, Value::Array(_) | Value::Nil) || is.is_absent()) {
        return Err(KindError::WrongKind { expected: "a list from the provider", found: is.kind_name() });
    }
    let joined = |v: &Value| {
        let mut texts: Vec<EcoString> = if v.is_absent() { Vec::new() } else { elements(v).iter().map(Value::to_text).collect() };
        if !ordered {
            texts.sort();
        }
        texts.join(delimiter)
    };
    Ok(is.is_nil() || joined(is) == joined(should))
}

/// Formats a side of a change. As in Puppet, the current side is plain and the desired side is quoted.
pub(super) fn worded(value: &Value, delimiter: &str, is_side: bool) -> Option<String> {
    if value.is_absent() {
        return None;
    }
    let joined = elements(value).iter().map(Value::to_text).collect::<Vec<_>>().join(delimiter);
    Some(if is_side { joined } else { format!("'{joined}'") })
}

fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Array(all) => all,
        one => std::slice::from_ref(one),
    }
}
