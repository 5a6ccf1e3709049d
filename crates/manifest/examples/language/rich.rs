//! Values in the notation of the recorded results.

use rtype_manifest::compile::text::{base64_text, display, float_text};
use rtype_manifest::compile::types::display::value_text;
use rtype_manifest::compile::value::Value;
use serde_json::{Value as Json, json};

/// Returns a value with a type.
fn tagged(of: &str, value: impl Into<Json>) -> Json {
    json!({ "__ptype": of, "__pvalue": value.into() })
}

/// Returns a value as JSON.
pub fn dump(value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Default => json!({ "__ptype": "Default" }),
        Value::Boolean(value) => json!(value),
        Value::Integer(value) => json!(value),
        Value::Float(value) if value.is_finite() => json!(value),
        Value::Float(value) => tagged("Float", float_text(*value)),
        Value::String(text) => json!(text.as_str()),
        Value::Regexp(pattern) => tagged("Regexp", pattern.source.as_str()),
        Value::Array(elements) => elements.iter().map(dump).collect(),
        Value::Hash(map) => {
            let is_plain = map.keys().all(|key| key.as_str().is_some_and(|key| !key.starts_with("__p")));
            if is_plain {
                return map.iter().map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), dump(value))).collect();
            }
            tagged("Hash", map.iter().flat_map(|(key, value)| [dump(key), dump(value)]).collect::<Json>())
        }
        Value::Sensitive(inner) => tagged("Sensitive", json!({ "of": dump(inner) })),
        Value::Binary(bytes) => tagged("Binary", base64_text::encode(bytes)),
        Value::Timestamp(_) => tagged("Timestamp", display(value)),
        Value::Timespan(_) => tagged("Timespan", display(value)),
        Value::SemVer(_) => tagged("SemVer", display(value)),
        Value::SemVerRange(_) => tagged("SemVerRange", display(value)),
        Value::Uri(text) => tagged("URI", text.as_str()),
        Value::Type(_) => tagged("Type", display_type(value)),
        Value::Object(object) => {
            let attributes: Json = object.attributes.iter().map(|(name, value)| (name.to_string(), dump(value))).collect();
            tagged("Object", json!({ "type": object.object_type.name.as_str(), "init": attributes }))
        }
        Value::Iterator(sequence) if sequence.text.starts_with("Catalog-Collector[") => {
            let class = "Puppet::Pops::Evaluator::Collectors::CatalogCollector";
            tagged("Ruby", json!({ "class": class, "text": sequence.text.as_str() }))
        }
        Value::Iterator(sequence) => tagged("Iterator", sequence.text.as_str()),
        Value::Lambda(_) => json!({ "__ptype": "Lambda" }),
    }
}

/// Returns a type as Ruby's `to_s` prints it.
fn display_type(value: &Value) -> String {
    match value {
        Value::Type(of) => match &**of {
            rtype_manifest::compile::types::Type::Alias(_) => of.expanded_text(),
            _ => of.to_string(),
        },
        _ => value_text(value),
    }
}
