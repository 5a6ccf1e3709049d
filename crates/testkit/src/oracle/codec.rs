//! The oracle's value encoding (`codec.rb`): JSON, and objects with a single key for values without an equivalent in JSON.

use rtype_lang::value::{Map, ResourceRef, Value};
use serde_json::{Value as Json, json};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

const MARKERS: &[&str] = &["sym", "str", "ref", "hash", "regexp", "float", "binary", "obj"];

/// The reason why rtype cannot evaluate a case. The case contains an unsupported value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseError {
    /// A number that is neither a 64-bit integer nor a float.
    Number(serde_json::Number),
    /// A string that is not a reference.
    Reference(String),
    /// A string that is not a float.
    Float(String),
    /// A string that is not a sequence of hexadecimal digits.
    Bytes(String),
    /// An unsupported kind of value.
    Kind(String),
    /// The resource is not in the catalog although it was accepted.
    Lost,
}

impl Display for CaseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            CaseError::Number(number) => write!(f, "the number {number}"),
            CaseError::Reference(text) => write!(f, "the reference {text}"),
            CaseError::Float(text) => write!(f, "the float {text}"),
            CaseError::Bytes(text) => write!(f, "the bytes {text}"),
            CaseError::Kind(kind) => write!(f, "a value of the kind `{kind}`"),
            CaseError::Lost => f.write_str("the resource was lost"),
        }
    }
}

impl std::error::Error for CaseError {}

/// Decodes a value in a case. Fails for unsupported values.
pub fn load(json: &Json) -> Result<Value, CaseError> {
    Ok(match json {
        Json::Null => Value::Nil,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match (n.as_i64(), n.as_f64()) {
            (Some(n), _) => Value::Int(n),
            (None, Some(n)) => Value::Float(n),
            (None, None) => return Err(CaseError::Number(n.clone())),
        },
        Json::String(s) => Value::str(s.as_str()),
        Json::Array(items) => Value::array(items.iter().map(load).collect::<Result<Vec<_>, _>>()?),
        Json::Object(object) => match marker(object) {
            Some((key, inner)) => marked(key, inner)?,
            None => {
                let pairs: Result<Map, CaseError> = object.iter().map(|(k, v)| Ok((Value::str(k.as_str()), load(v)?))).collect();
                Value::Map(Arc::new(pairs?))
            }
        },
    })
}

fn marker(object: &serde_json::Map<String, Json>) -> Option<(&str, &Json)> {
    let (key, inner) = object.iter().next()?;
    (object.len() == 1 && MARKERS.contains(&key.as_str())).then_some((key, inner))
}

fn marked(key: &str, inner: &Json) -> Result<Value, CaseError> {
    let text = inner.as_str().unwrap_or_default();
    Ok(match key {
        "sym" => Value::sym(text),
        "str" => Value::str(text),
        "ref" => Value::Resource(Arc::new(reference(text).ok_or_else(|| CaseError::Reference(text.to_owned()))?)),
        "float" => Value::Float(text.parse().map_err(|_| CaseError::Float(text.to_owned()))?),
        "hash" => {
            let pairs = inner.as_array().into_iter().flatten();
            let pairs: Result<Map, CaseError> = pairs.map(|pair| Ok((load(&pair[0])?, load(&pair[1])?))).collect();
            Value::Map(Arc::new(pairs?))
        }
        "binary" => {
            let byte = |at: usize| text.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
            let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
            Value::from_bytes(bytes.ok_or_else(|| CaseError::Bytes(text.to_owned()))?)
        }
        other => return Err(CaseError::Kind(other.to_owned())),
    })
}

fn reference(text: &str) -> Option<ResourceRef> {
    let (name, title) = text.strip_suffix(']')?.split_once('[')?;
    Some(ResourceRef { type_name: name.to_lowercase().into(), title: title.into() })
}

/// Encodes a value in the oracle's format. Secrets are unwrapped, because cases contain no real secrets.
pub fn dump(value: &Value) -> Json {
    match value {
        Value::Nil => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Int(n) => json!(n),
        Value::Float(n) if n.is_finite() => json!(n),
        Value::Float(n) if n.is_nan() => json!({"float": "NaN"}),
        Value::Float(n) => json!({"float": if *n > 0.0 { "Infinity" } else { "-Infinity" }}),
        Value::Str(s) => json!(s.as_str()),
        Value::Binary(bytes) => json!({"binary": bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()}),
        Value::Sym(s) => json!({"sym": s.as_str()}),
        Value::Array(items) => items.iter().map(dump).collect(),
        Value::Map(map) => {
            let plain: Option<serde_json::Map<String, Json>> =
                map.iter().map(|(k, v)| if let Value::Str(k) = k { Some((k.to_string(), part(v))) } else { None }).collect();
            match plain {
                Some(plain) if marker(&plain).is_none() => Json::Object(plain),
                _ => json!({"hash": map.iter().map(|(k, v)| [dump(k), part(v)]).collect::<Vec<_>>()}),
            }
        }
        Value::Regex(regex) => json!({"regexp": regex.source()}),
        Value::Sensitive(inner) => dump(inner),
        Value::Resource(resource) => json!({"ref": resource.to_string()}),
        // The recorder hides the memory address in Ruby's default string for an object.
        Value::Object(object) => {
            let plain = format!("#<{}>", object.class);
            let text = object.text.as_ref().map_or("", |text| text.as_str());
            let text = if text == plain { format!("#<{}:0x0>", object.class) } else { text.to_owned() };
            json!({"obj": object.class, "string": text})
        }
        Value::Type(_) | Value::Unknown => json!({"obj": value.to_string()}),
    }
}

/// Encodes a map value. Sensitive map values stay wrapped: Puppet only unwraps whole attributes.
fn part(value: &Value) -> Json {
    match value {
        Value::Sensitive(_) => json!({"obj": "Puppet::Pops::Types::PSensitiveType::Sensitive", "string": "Sensitive [value redacted]"}),
        other => dump(other),
    }
}
