//! References in relationship metaparameters such as `require`: Puppet's `Puppet::Type::RelationshipMetaparam`.

use rtype_lang::value::{ResourceRef, Value};
use std::sync::Arc;

fn all(value: &Value) -> &[Value] {
    match value {
        Value::Array(all) => all,
        one => std::slice::from_ref(one),
    }
}

pub(super) fn validate(value: &Value) -> Result<(), String> {
    all(value).iter().try_for_each(|v| reference(v).map(|_| ()))
}

/// Converts the value to a list of references.
pub(super) fn munge(value: &Value) -> Result<Value, String> {
    let references = all(value).iter().map(|v| reference(v).map(|r| Value::Resource(Arc::new(r))));
    Ok(Value::array(references.collect::<Result<Vec<_>, _>>()?))
}

fn reference(value: &Value) -> Result<ResourceRef, String> {
    let text = match value {
        Value::Resource(reference) => return Ok(reference.as_ref().clone()),
        Value::Str(text) => text,
        other => return Err(format!("a reference is expected, such as `Service['ssh']`, not {}", other.kind_name())),
    };
    let parts = text.strip_suffix(']').and_then(|t| t.split_once('['));
    let part = |p: &str| p.starts_with(|c: char| c.is_ascii_alphabetic()) && p.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let name = |n: &str| n.split("::").all(part);
    match parts {
        Some((type_name, title)) if name(type_name) && !title.is_empty() => {
            Ok(ResourceRef { type_name: type_name.to_ascii_lowercase().into(), title: title.into() })
        }
        _ => Err(format!("`{text}` is no reference to a resource: write it like `Service['ssh']`")),
    }
}
