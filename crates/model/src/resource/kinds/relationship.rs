//! References in relationship metaparameters such as `require`: Puppet's `Puppet::Type::RelationshipMetaparam`.

use super::KindError;
use rtype_lang::value::{ResourceRef, Value};
use std::sync::Arc;

fn all(value: &Value) -> &[Value] {
    match value {
        Value::Array(all) => all,
        one => std::slice::from_ref(one),
    }
}

pub(super) fn validate(value: &Value) -> Result<(), KindError> {
    all(value).iter().try_for_each(|v| reference(v).map(|_| ()))
}

/// Converts the value to a list of references.
pub(super) fn munge(value: &Value) -> Result<Value, KindError> {
    let references = all(value).iter().map(|v| reference(v).map(|r| Value::Resource(Arc::new(r))));
    Ok(Value::array(references.collect::<Result<Vec<_>, _>>()?))
}

fn reference(value: &Value) -> Result<ResourceRef, KindError> {
    let text = match value {
        Value::Resource(reference) => return Ok(reference.as_ref().clone()),
        Value::Str(text) => text,
        other => return Err(KindError::WrongKind { expected: "a reference such as `Service['ssh']`", found: other.kind_name() }),
    };
    let parts = text.strip_suffix(']').and_then(|t| t.split_once('['));
    let part = |p: &str| p.starts_with(|c: char| c.is_ascii_alphabetic()) && p.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let name = |n: &str| n.split("::").all(part);
    match parts {
        Some((type_name, title)) if name(type_name) && !title.is_empty() => {
            Ok(ResourceRef { type_name: type_name.to_ascii_lowercase().into(), title: title.into() })
        }
        _ => Err(KindError::BadReference(text.clone())),
    }
}
