//! Conversion of values from and to JSON.

use super::{EcoString, Map, Value};
use std::fmt::Write;
use std::sync::Arc;

impl Value {
    /// Converts JSON to a value: objects become maps with string keys, and numbers that do not fit into 64-bit integers become floats.
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

    /// Converts JSON that may contain bytes and secrets in the format of Puppet's rich data: `{"__ptype": "Binary", "__pvalue": base64}`,
    /// `{"__ptype": "Sensitive", "__pvalue": value}`.
    pub fn from_rich_json(json: &serde_json::Value) -> Value {
        match json {
            serde_json::Value::Array(items) => Value::array(items.iter().map(Value::from_rich_json)),
            serde_json::Value::Object(pairs) => {
                let inner = pairs.get("__pvalue");
                match (pairs.get("__ptype").and_then(serde_json::Value::as_str), inner, inner.and_then(serde_json::Value::as_str)) {
                    (Some("Binary"), _, Some(text)) => Value::from_base64(text).unwrap_or_else(|| Value::from_json(json)),
                    (Some("Sensitive"), Some(inner), _) => Value::Sensitive(Arc::new(Value::from_rich_json(inner).unwrapped().clone())),
                    (Some("Default"), ..) => Value::str("default"),
                    _ => {
                        let pairs = pairs.iter().map(|(k, v)| (Value::str(EcoString::from(k.as_str())), Value::from_rich_json(v)));
                        Value::Map(Arc::new(pairs.collect::<Map>()))
                    }
                }
            }
            _ => Value::from_json(json),
        }
    }

    /// Converts a value to JSON: symbols and other values that JSON lacks become strings, secrets become [`super::REDACTED`].
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or(serde_json::Value::Null)
    }
}

/// Formats a value as JSON, exactly as the JSON library in Puppet 7's Ruby does, indented or on one line. Returns `None` for values
/// that cannot be represented, such as infinite numbers.
pub fn to_json(value: &Value, indented: bool) -> Option<String> {
    let mut out = String::new();
    write_json(&mut out, value, indented.then_some(0))?;
    Some(out)
}

/// Writes a value. `depth` is the depth of the current line, `None` to write everything on one line.
fn write_json(out: &mut String, value: &Value, depth: Option<usize>) -> Option<()> {
    let inner = depth.map(|d| d + 1);
    let line = |out: &mut String, depth: Option<usize>| {
        if let Some(depth) = depth {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth));
        }
    };
    match value {
        Value::Nil => out.push_str("null"),
        Value::Float(n) if !n.is_finite() => return None,
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
            // Writing to a String cannot fail.
            let _ = write!(out, "{value}");
        }
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.extend((i > 0).then_some(','));
                line(out, inner);
                write_json(out, item, inner)?;
            }
            // Ruby's library writes an empty line into an empty list.
            out.extend((items.is_empty() && depth.is_some()).then_some('\n'));
            line(out, depth);
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (i, (key, value)) in map.iter().enumerate() {
                out.extend((i > 0).then_some(','));
                line(out, inner);
                out.push_str(&serde_json::Value::from(key.to_text().as_str()).to_string());
                out.push_str(if depth.is_some() { ": " } else { ":" });
                write_json(out, value, inner)?;
            }
            line(out, depth);
            out.push('}');
        }
        // Ruby's library writes the raw bytes, which JSON does not allow.
        Value::Binary(_) => return None,
        other => out.push_str(&serde_json::Value::from(other.to_text().as_str()).to_string()),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(json: &str, indented: bool) -> String {
        to_json(&Value::from_json(&serde_json::from_str(json).unwrap()), indented).unwrap()
    }

    #[test]
    fn json_is_written_as_ruby_does() {
        assert_eq!(written(r#"{"a": [1.0, 1e30, 1e-7, null], "b": {}}"#, false), r#"{"a":[1.0,1.0e+30,1.0e-07,null],"b":{}}"#);
        assert_eq!(written("{}", true), "{\n}");
        assert_eq!(
            written(r#"{"a": [], "b": [{}, "é\n"]}"#, true),
            "{\n  \"a\": [\n\n  ],\n  \"b\": [\n    {\n    },\n    \"é\\n\"\n  ]\n}"
        );
        assert_eq!(to_json(&Value::Float(f64::NAN), false), None);
    }
}
