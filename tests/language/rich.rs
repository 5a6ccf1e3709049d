//! Values in the notation of the recorded results.

use rtype_manifest::compile::text::{base64_text, display, float_text};
use rtype_manifest::compile::types::display::value_text;
use rtype_manifest::compile::value::ManifestValue;
use serde_json::{Value as Json, json};

/// Returns a value with a type.
fn tagged(of: &str, value: impl Into<Json>) -> Json {
    json!({ "__ptype": of, "__pvalue": value.into() })
}

/// Returns a value as JSON.
pub fn dump(value: &ManifestValue) -> Json {
    match value {
        ManifestValue::Undef => Json::Null,
        ManifestValue::Default => json!({ "__ptype": "Default" }),
        ManifestValue::Boolean(value) => json!(value),
        ManifestValue::Integer(value) => json!(value),
        ManifestValue::Float(value) if value.is_finite() => json!(value),
        ManifestValue::Float(value) => tagged("Float", float_text(*value)),
        ManifestValue::String(text) => json!(text.as_str()),
        ManifestValue::Regexp(pattern) => tagged("Regexp", pattern.source.as_str()),
        ManifestValue::Array(elements) => elements.iter().map(dump).collect(),
        ManifestValue::Hash(map) => {
            let is_plain = map.keys().all(|key| key.as_str().is_some_and(|key| !key.starts_with("__p")));
            if is_plain {
                return map.iter().map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), dump(value))).collect();
            }
            tagged("Hash", map.iter().flat_map(|(key, value)| [dump(key), dump(value)]).collect::<Json>())
        }
        ManifestValue::Sensitive(inner) => tagged("Sensitive", json!({ "of": dump(inner) })),
        ManifestValue::Binary(bytes) => tagged("Binary", base64_text::encode(bytes)),
        ManifestValue::Timestamp(_) => tagged("Timestamp", display(value)),
        ManifestValue::Timespan(_) => tagged("Timespan", display(value)),
        ManifestValue::SemVer(_) => tagged("SemVer", display(value)),
        ManifestValue::SemVerRange(_) => tagged("SemVerRange", display(value)),
        ManifestValue::Uri(text) => tagged("URI", text.as_str()),
        ManifestValue::Type(_) => tagged("Type", display_type(value)),
        ManifestValue::Object(object) => {
            let attributes: Json = object.attributes.iter().map(|(name, value)| (name.to_string(), dump(value))).collect();
            tagged("Object", json!({ "type": object.object_type.name.as_str(), "init": attributes }))
        }
        ManifestValue::Iterator(sequence) if sequence.text.starts_with("Catalog-Collector[") => {
            let class = "Puppet::Pops::Evaluator::Collectors::CatalogCollector";
            tagged("Ruby", json!({ "class": class, "text": sequence.text.as_str() }))
        }
        ManifestValue::Iterator(sequence) => tagged("Iterator", sequence.text.as_str()),
        ManifestValue::Lambda(_) => json!({ "__ptype": "Lambda" }),
    }
}

/// Returns a type as Ruby's `to_s` prints it.
fn display_type(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Type(of) => match &**of {
            rtype_manifest::compile::types::Type::Alias(_) => of.expanded_text(),
            _ => of.to_string(),
        },
        _ => value_text(value),
    }
}
