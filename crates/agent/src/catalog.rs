//! What the agent reads in a catalog, and changes in it, before it is applied.

use rtype_engine::report::Locations;
use serde_json::{Value as Json, json};
use std::collections::HashSet;

fn resources(catalog: &Json) -> impl Iterator<Item = &Json> {
    catalog.get("resources").and_then(Json::as_array).into_iter().flatten()
}

/// Returns the text of a catalog in which resources with one of these tags are never applied. The server has given each resource all its
/// tags, those of its containers among them.
pub fn without_tags(text: &str, catalog: &Json, tags: &[String]) -> String {
    if tags.is_empty() {
        return text.to_owned();
    }
    let is_skipped = |resource: &Json| {
        let mut given = resource.get("tags").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
        given.any(|given| tags.iter().any(|tag| tag.eq_ignore_ascii_case(given)))
    };
    let mut catalog = catalog.clone();
    let resources = catalog.get_mut("resources").and_then(Json::as_array_mut).into_iter().flatten();
    for resource in resources.filter(|resource| is_skipped(resource)).filter_map(Json::as_object_mut) {
        if let Some(parameters) = resource.entry("parameters").or_insert_with(|| json!({})).as_object_mut() {
            parameters.insert("schedule".into(), "never".into());
        }
    }
    catalog.to_string()
}

/// Returns where a catalog says that its resources are declared.
pub fn locations(catalog: &Json) -> Locations {
    let location = |resource: &Json| {
        let text = |key: &str| resource.get(key).and_then(Json::as_str);
        let line = resource.get("line").and_then(Json::as_u64).and_then(|line| u32::try_from(line).ok())?;
        Some((format!("{}[{}]", text("type")?, text("title")?), (text("file")?.to_owned(), line)))
    };
    resources(catalog).filter_map(location).collect()
}

/// Returns the titles of the files of a static catalog whose metadata has the owner, group and permissions of the source.
pub(crate) fn titles_with_permissions(catalog: &Json) -> HashSet<&str> {
    let given = resources(catalog).filter(|resource| {
        let value = resource.pointer("/parameters/source_permissions").and_then(Json::as_str);
        value.is_some_and(|value| value != "ignore")
    });
    given.filter_map(|resource| resource.get("title").and_then(Json::as_str)).collect()
}
