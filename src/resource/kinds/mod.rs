//! Kinds whose work is done in Rust, one file a family.

mod file;
mod key_value;
mod list;

use super::view::View;
use crate::eval::Scope;
use crate::types::NativeKind;
use crate::value::{Map, Symbol, Value};
use std::sync::Arc;

/// Whether the kind accepts the value.
pub(super) fn validate(kind: &NativeKind, value: &Value, _view: &View<'_>) -> Result<(), String> {
    match kind {
        NativeKind::List { .. } | NativeKind::PackageOptions => Ok(()),
        NativeKind::KeyValue { separator, .. } => key_value::validate(value, separator),
        NativeKind::Path { arrays } => path(value, *arrays),
        NativeKind::FileMode => file::validate_mode(value),
        NativeKind::FileSource => file::validate_source(value),
        NativeKind::FileContent | NativeKind::FileOwner | NativeKind::FileGroup => Ok(()),
    }
}

/// The canonical form of a value of the kind.
pub(super) fn munge(kind: &NativeKind, value: Value, view: &View<'_>) -> Result<Value, String> {
    match kind {
        NativeKind::List { .. } | NativeKind::Path { .. } | NativeKind::FileSource | NativeKind::FileContent => Ok(value),
        NativeKind::KeyValue { .. } => Ok(key_value::munge(value)),
        NativeKind::PackageOptions => package_options(value),
        NativeKind::FileMode => Ok(file::munge_mode(value)),
        NativeKind::FileOwner => Ok(file::munge_id(value, |name| view.world().uid_of(name))),
        NativeKind::FileGroup => Ok(file::munge_id(value, |name| view.world().gid_of(name))),
    }
}

/// What is wanted, given what is there: the members that are there already count where membership is not inclusive.
pub(super) fn should(kind: &NativeKind, stored: &Value, is: Option<&Value>, view: &View<'_>) -> Value {
    match kind {
        NativeKind::List { membership, ordered, .. } => list::should(stored, is, inclusive(membership.as_ref(), view), *ordered),
        NativeKind::KeyValue { membership, separator, .. } => {
            key_value::should(stored, is, inclusive(membership.as_ref(), view), separator)
        }
        NativeKind::FileMode => file::should_mode(first(stored), is),
        _ => first(stored).clone(),
    }
}

/// The kind's own verdict, where it has one.
pub(super) fn in_sync(kind: &NativeKind, is: &Value, should: &Value, view: &View<'_>) -> Option<bool> {
    match kind {
        NativeKind::List { ordered, .. } => Some(list::in_sync(is, should, *ordered)),
        NativeKind::KeyValue { .. } => Some(is == should),
        NativeKind::FileMode => Some(file::mode_in_sync(is, should)),
        NativeKind::FileContent => Some(file::content_in_sync(is, should)),
        NativeKind::FileOwner => Some(file::id_in_sync(is, should, |name| view.world().uid_of(name))),
        NativeKind::FileGroup => Some(file::id_in_sync(is, should, |name| view.world().gid_of(name))),
        NativeKind::Path { .. } | NativeKind::PackageOptions | NativeKind::FileSource => None,
    }
}

/// One side of a change in the kind's own words.
pub(super) fn worded(kind: &NativeKind, value: &Value, is_side: bool, is: &Value, should: &Value) -> Option<String> {
    match kind {
        NativeKind::List { delimiter, .. } => list::worded(value, delimiter, is_side),
        NativeKind::KeyValue { separator, delimiter, only_changed, .. } => {
            key_value::worded(value, is, should, separator, delimiter, *only_changed)
        }
        NativeKind::FileContent if !is_side => file::worded_content(value, is),
        _ => None,
    }
}

/// Whether what is there and not wanted is to go.
fn inclusive(membership: Option<&Symbol>, view: &View<'_>) -> bool {
    let Some(param) = membership else { return true };
    view.type_def.id_of(param.as_str()).is_some_and(|id| view.attribute(id).is_sym("inclusive"))
}

/// The first wanted value of a property.
fn first(stored: &Value) -> &Value {
    match stored {
        Value::Array(all) => all.first().unwrap_or(stored),
        one => one,
    }
}

/// Follows Puppet's `Puppet::Parameter::Path`.
fn path(value: &Value, arrays: bool) -> Result<(), String> {
    let all = match value {
        Value::Array(_) if !arrays => return Err("only one path is accepted, not a list".into()),
        Value::Array(values) => values.as_slice(),
        one => std::slice::from_ref(one),
    };
    let absolute = |v: &Value| v.as_text().is_some_and(|t| t.starts_with('/'));
    if all.iter().all(absolute) { Ok(()) } else { Err("must be a fully qualified path".into()) }
}

/// Follows Puppet's `Puppet::Parameter::PackageOptions`: what holds a blank is put in quotes.
fn package_options(value: Value) -> Result<Value, String> {
    let quote = |v: &Value| match v.as_text() {
        Some(t) if t.contains(' ') => Value::str(format!("\"{}\"", t.replace('"', "\\\""))),
        _ => v.clone(),
    };
    let one = |v: &Value| match v {
        Value::Str(_) => Ok(quote(v)),
        Value::Map(map) => {
            let quoted: Map = map.iter().map(|(k, v)| (quote(k), quote(v))).collect();
            Ok(Value::Map(Arc::new(quoted)))
        }
        other => Err(format!("an option is a string or a map, not {}", other.kind_name())),
    };
    match &value {
        Value::Array(values) => Ok(Value::array(values.iter().map(one).collect::<Result<Vec<_>, _>>()?)),
        single => Ok(Value::array([one(single)?])),
    }
}
