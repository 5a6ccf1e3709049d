//! Values from and to JSON.

use super::{EcoString, Map, Value};
use std::sync::Arc;

impl Value {
    /// The value of a JSON text's tree: objects become maps with string keys, numbers beyond 64 bits floats.
    pub fn from_json(json: &serde_json::Value) -> Value {
        match json {
            serde_json::Value::Null => Value::Nil,
            serde_json::Value::Bool(b) => Value::Bool(*b),
            serde_json::Value::Number(n) => match n.as_i64() {
                Some(n) => Value::Int(n),
                None => Value::Float(n.as_f64().unwrap_or(f64::NAN)),
            },
            serde_json::Value::String(s) => Value::str(s.as_str()),
            serde_json::Value::Array(items) => Value::array(items.iter().map(Value::from_json)),
            serde_json::Value::Object(pairs) => {
                let pairs = pairs.iter().map(|(k, v)| (Value::str(EcoString::from(k.as_str())), Value::from_json(v)));
                Value::Map(Arc::new(pairs.collect::<Map>()))
            }
        }
    }

    /// The value as a JSON tree: symbols and whatever else JSON lacks become text, secrets [`super::REDACTED`].
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or(serde_json::Value::Null)
    }
}
