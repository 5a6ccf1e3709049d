//! Native kinds, implemented in Rust with one file per family.

pub(super) mod audit;
mod error;
mod file;
mod key_value;
mod list;
mod relationship;

pub(super) use error::KindError;

use super::view::View;
use key_value::ShownKeys;
use rtype_lang::eval::Scope;
use rtype_lang::types::NativeKind;
use rtype_lang::value::{Map, Symbol, Value, mode};
use std::sync::Arc;

/// Checks that the kind accepts the value.
pub(super) fn validate(kind: &NativeKind, value: &Value, view: &View<'_>) -> Result<(), KindError> {
    match kind {
        NativeKind::List { .. } => list::validate(value),
        NativeKind::Relationship => relationship::validate(value),
        NativeKind::Audit => audit::validate(value, view),
        NativeKind::KeyValue { separator, .. } => key_value::validate(value, separator),
        NativeKind::Path { arrays } => path(value, *arrays),
        NativeKind::FileMode => Ok(mode::validate(value)?),
        NativeKind::FileSource => file::validate_source(value),
        NativeKind::PackageOptions | NativeKind::FileContent | NativeKind::FileOwner | NativeKind::FileGroup => Ok(()),
    }
}

/// Returns a value's canonical form for the kind.
pub(super) fn munge(kind: &NativeKind, value: Value, view: &View<'_>) -> Result<Value, KindError> {
    match kind {
        NativeKind::List { .. } | NativeKind::Path { .. } | NativeKind::FileOwner | NativeKind::FileGroup => Ok(value),
        NativeKind::KeyValue { .. } => Ok(key_value::munge(value)),
        NativeKind::PackageOptions => package_options(value),
        NativeKind::FileMode => Ok(mode::munge(value)),
        NativeKind::FileSource => Ok(file::munge_source(&value)),
        NativeKind::FileContent => {
            let named = view.type_def.id_of("checksum").map(|id| view.attribute(id)).filter(|v| !v.is_nil());
            let algorithm = named.unwrap_or_else(|| view.world().setting("digest_algorithm"));
            file::munge_content(value, algorithm.as_text().unwrap_or("sha256"))
        }
        NativeKind::Relationship => relationship::munge(&value),
        NativeKind::Audit => Ok(audit::munge(&value, view)),
    }
}

/// Checks that the kind accepts these values together.
pub(super) fn validate_members(kind: &NativeKind, values: &[Value]) -> Result<(), KindError> {
    match kind {
        NativeKind::List { .. } => list::validate_members(values),
        _ => Ok(()),
    }
}

/// Returns a property's desired value, given the current value. Unless membership is inclusive, existing members are included.
pub(super) fn should(kind: &NativeKind, stored: &Value, is: Option<&Value>, view: &View<'_>) -> Value {
    match kind {
        NativeKind::List { membership, ordered, .. } => list::should(stored, is, inclusive(membership.as_ref(), view), *ordered),
        NativeKind::KeyValue { membership, separator, .. } => {
            key_value::should(stored, is, inclusive(membership.as_ref(), view), separator)
        }
        NativeKind::FileMode => mode::display(&first(stored), is_directory(view)),
        _ => first(stored),
    }
}

/// Normalizes the current value for comparison: a list may be given as a single string.
pub(super) fn retrieved(kind: &NativeKind, is: Value) -> Value {
    match kind {
        NativeKind::List { delimiter, .. } => list::retrieved(is, delimiter),
        _ => is,
    }
}

/// Compares with the kind's own comparison; `None` if the kind has none.
pub(super) fn in_sync(kind: &NativeKind, is: &Value, should: &Value, all: &[Value], view: &View<'_>) -> Option<Result<bool, KindError>> {
    let noop = || view.type_def.id_of("noop").is_some_and(|id| view.attribute(id) == Value::Bool(true));
    match kind {
        NativeKind::List { delimiter, ordered, .. } => Some(list::in_sync(is, should, delimiter, *ordered)),
        NativeKind::KeyValue { .. } => Some(Ok(is == should)),
        NativeKind::FileMode => {
            let directory = is_directory(view);
            let fits = |wanted: &Value| mode::in_sync(is, &mode::display(wanted, directory), directory);
            Some(all.iter().map(fits).find(|r| *r != Ok(false)).unwrap_or(Ok(all.is_empty())).map_err(KindError::Mode))
        }
        NativeKind::FileOwner => Some(file::id_in_sync(is, all, noop(), |name| view.world().uid_of(name))),
        NativeKind::FileGroup => Some(file::id_in_sync(is, all, noop(), |name| view.world().gid_of(name))),
        NativeKind::Path { .. }
        | NativeKind::PackageOptions
        | NativeKind::FileSource
        | NativeKind::FileContent
        | NativeKind::Relationship
        | NativeKind::Audit => None,
    }
}

/// Formats one side of a change with the kind's own format; `None` if the kind has none.
pub(super) fn worded(kind: &NativeKind, value: &Value, is_side: bool, is: &Value, should: &Value, view: &View<'_>) -> Option<String> {
    let world = view.world();
    match kind {
        NativeKind::List { delimiter, .. } => list::worded(value, delimiter, is_side),
        NativeKind::KeyValue { separator, delimiter, only_changed, membership } => {
            let keys = match only_changed {
                false => ShownKeys::All,
                true if inclusive(membership.as_ref(), view) => ShownKeys::Declared,
                true => ShownKeys::Changed,
            };
            key_value::worded(value, is, should, separator, delimiter, keys)
        }
        NativeKind::FileMode => mode::worded(value),
        NativeKind::FileOwner | NativeKind::FileGroup if is_side && value.as_text().is_some() => None,
        NativeKind::FileOwner => file::worded_id(value, |n| world.uid_of(n), |n| world.user_name(n).map(Into::into)),
        NativeKind::FileGroup => file::worded_id(value, |n| world.gid_of(n), |n| world.group_name(n).map(Into::into)),
        _ => None,
    }
}

/// Returns both sides of a change with a desired value relative to the current value, such as a symbolic mode.
pub(super) fn applied(kind: &NativeKind, is: &Value, should: &Value, view: &View<'_>) -> Option<(Value, Value)> {
    match kind {
        NativeKind::FileMode => mode::applied(is, should, is_directory(view)),
        _ => None,
    }
}

/// Returns true if the path is currently a directory.
fn is_directory(view: &View<'_>) -> bool {
    let read = view.current.zip(view.type_def.id_of("ensure"));
    read.is_some_and(|(read, id)| read(id).is_ok_and(|v| v.is_sym("directory")))
}

/// Returns true if existing members must be removed unless desired.
fn inclusive(membership: Option<&Symbol>, view: &View<'_>) -> bool {
    let Some(param) = membership else { return true };
    view.type_def.id_of(param.as_str()).is_some_and(|id| view.attribute(id).is_sym("inclusive"))
}

/// Returns a property's first desired value, or nil.
fn first(stored: &Value) -> Value {
    match stored {
        Value::Array(all) => all.first().cloned().unwrap_or_default(),
        one => one.clone(),
    }
}

/// Follows Puppet's `Puppet::Parameter::Path`.
fn path(value: &Value, arrays: bool) -> Result<(), KindError> {
    let all = match value {
        Value::Array(_) if !arrays => return Err(KindError::ListOfPaths),
        Value::Array(values) => values.as_slice(),
        one => std::slice::from_ref(one),
    };
    let absolute = |v: &Value| v.as_text().is_some_and(|t| t.starts_with('/'));
    if all.iter().all(absolute) { Ok(()) } else { Err(KindError::RelativePath) }
}

/// Follows Puppet's `Puppet::Parameter::PackageOptions`: strings with spaces are quoted.
fn package_options(value: Value) -> Result<Value, KindError> {
    let quote = |v: &Value| match v {
        Value::Str(t) if t.contains(' ') => Ok(Value::str(format!("\"{}\"", t.replace("\"", "\\\"")))),
        Value::Str(_) => Ok(v.clone()),
        other => Err(KindError::WrongKind { expected: "strings as names and values of options", found: other.kind_name() }),
    };
    let one = |v: &Value| match v {
        Value::Str(_) => quote(v),
        Value::Map(map) => {
            let quoted: Result<Map, KindError> = map.iter().map(|(k, v)| Ok((quote(k)?, quote(v)?))).collect();
            Ok(Value::Map(Arc::new(quoted?)))
        }
        other => Err(KindError::WrongKind { expected: "a string or a map as option", found: other.kind_name() }),
    };
    match &value {
        Value::Array(values) => Ok(Value::array(values.iter().map(one).collect::<Result<Vec<_>, _>>()?)),
        single => Ok(Value::array([one(single)?])),
    }
}
