//! What blocks compute from sensitive values stays sensitive.
//!
//! Operators and methods see what is inside; what they give is wrapped again, except booleans, nil and lengths.
//! A list that holds one secret among other things counts as secret when a method looks into it; methods that only put
//! its elements in another place pass each on as it is.

use crate::value::{EcoVec, Map, Value};
use std::sync::Arc;

/// The value with all wrappers taken off, inside lists and maps, too.
pub(super) fn open(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => open(inner),
        Value::Array(values) if value.has_secret() => Value::Array(values.iter().map(open).collect::<EcoVec<_>>()),
        Value::Map(map) if value.has_secret() => Value::Map(Arc::new(map.iter().map(|(k, v)| (open(k), open(v))).collect::<Map>())),
        other => other.clone(),
    }
}

/// Whether a value is secret as a whole, not only something inside it.
pub(super) fn any_whole<'a>(values: impl IntoIterator<Item = &'a Value>) -> bool {
    values.into_iter().any(|v| matches!(v, Value::Sensitive(_)))
}

/// Wraps what was computed from a secret.
pub(super) fn close(value: Value) -> Value {
    match value {
        Value::Nil | Value::Bool(_) | Value::Unknown | Value::Sensitive(_) => value,
        other => Value::Sensitive(Arc::new(open(&other))),
    }
}
