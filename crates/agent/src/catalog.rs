//! What the agent reads in a catalog before it is applied.

use rtype_engine::report::Locations;
use serde_json::Value as Json;
use std::collections::HashSet;

fn resources(catalog: &Json) -> impl Iterator<Item = &Json> {
    catalog.get("resources").and_then(Json::as_array).into_iter().flatten()
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
