//! Propagation of sensitive values: a value computed from a sensitive value is sensitive.
//!
//!
//! Operators and methods work on unwrapped values. Their results are wrapped again, except for booleans, nil and lengths. A list that
//! contains a secret is secret for methods that read its elements; methods that only move elements keep each element's wrapper.

use crate::value::{EcoVec, Map, ObjectValue, Value};
use std::sync::Arc;

/// Unwraps a value, including the values inside lists and maps.
pub(super) fn open(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => open(inner),
        Value::Array(values) if value.has_secret() => Value::Array(values.iter().map(open).collect::<EcoVec<_>>()),
        Value::Map(map) if value.has_secret() => Value::Map(Arc::new(map.iter().map(|(k, v)| (open(k), open(v))).collect::<Map>())),
        Value::Object(object) if value.has_secret() => {
            let fields = Arc::new(object.fields.iter().map(|(k, v)| (k.clone(), open(v))).collect::<Map>());
            Value::Object(Arc::new(ObjectValue { fields, ..(**object).clone() }))
        }
        other => other.clone(),
    }
}

/// Returns `true` if any value is secret as a whole, as opposed to a value that only contains a secret.
pub(super) fn any_whole<'a>(values: impl IntoIterator<Item = &'a Value>) -> bool {
    values.into_iter().any(|v| matches!(v, Value::Sensitive(_)))
}

/// Wraps a value computed from a secret.
pub(super) fn close(value: Value) -> Value {
    match value {
        Value::Nil | Value::Bool(_) | Value::Unknown | Value::Sensitive(_) => value,
        other => Value::Sensitive(Arc::new(open(&other))),
    }
}
