//! Parts of a catalog that the agent reads before the run.

use serde_json::Value as Json;
use std::collections::HashSet;

fn resources(catalog: &Json) -> impl Iterator<Item = &Json> {
    catalog.get("resources").and_then(Json::as_array).into_iter().flatten()
}

/// Returns the titles of static catalog files whose metadata includes the source's owner, group and permissions.
pub(crate) fn titles_with_permissions(catalog: &Json) -> HashSet<&str> {
    let given = resources(catalog).filter(|resource| {
        let value = resource.pointer("/parameters/source_permissions").and_then(Json::as_str);
        value.is_some_and(|value| value != "ignore")
    });
    given.filter_map(|resource| resource.get("title").and_then(Json::as_str)).collect()
}
