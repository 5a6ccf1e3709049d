//! Formats differences as JSON.

use super::{AttributeDifference, DisplayedValue, ResourceDifference, What};
use rtype_model::manifest::blacked_out;
use serde_json::{Value as Json, json};

/// Returns an object with `version`, `changes` and `summary`. The field names are stable.
pub fn json(differences: &[ResourceDifference]) -> Json {
    let count = |what: What| differences.iter().filter(|d| d.what == what).count();
    let one = |d: &ResourceDifference| {
        let container = d.container.as_ref().map(|(old, new)| {
            let name = |r: &Option<rtype_lang::value::ResourceRef>| r.as_ref().map(ToString::to_string);
            json!({ "old": name(old), "new": name(new) })
        });
        json!({
            "kind": d.what,
            "resource": d.resource.to_string(),
            "type": d.resource.type_name.as_str(),
            "title": d.resource.title.as_str(),
            "attributes": d.attributes.iter().map(attribute).collect::<Vec<_>>(),
            "container": container,
            "old_place": d.old_place,
            "new_place": d.new_place,
        })
    };
    json!({
        "version": 1,
        "changes": differences.iter().map(one).collect::<Vec<_>>(),
        "summary": { "added": count(What::Added), "removed": count(What::Removed), "changed": count(What::Changed) },
    })
}

fn attribute(attribute: &AttributeDifference) -> Json {
    let value = |shown: &Option<DisplayedValue>| match shown {
        Some(DisplayedValue::Value(value)) => masked(value.to_json()),
        Some(DisplayedValue::Secret) | None => Json::Null,
    };
    let is_secret = [&attribute.old, &attribute.new].iter().any(|shown| **shown == Some(DisplayedValue::Secret));
    json!({
        "name": attribute.name.as_str(),
        "old": value(&attribute.old),
        "new": value(&attribute.new),
        "secret": is_secret,
    })
}

/// Masks all parts of strings that look like a secret.
fn masked(value: Json) -> Json {
    match value {
        Json::String(text) => Json::String(blacked_out(&text)),
        // Recursion is limited by the nesting of the parsed texts.
        Json::Array(all) => all.into_iter().map(masked).collect(),
        Json::Object(pairs) => pairs.into_iter().map(|(key, value)| (key, masked(value))).collect::<serde_json::Map<_, _>>().into(),
        other => other,
    }
}
