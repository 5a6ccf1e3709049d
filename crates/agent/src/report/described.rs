//! Tags, location and containers of resources in the catalog, which a report repeats.

use rtype_engine::report::Provenance;
use rtype_lang::value::ResourceRef;
use rtype_model::resource::Instance;
use serde_json::Value as Json;
use std::collections::HashMap;

/// The parts of a catalog's resource that a report contains.
#[derive(Clone, Debug, Default)]
pub(super) struct Described {
    pub tags: Vec<String>,
    pub file: Json,
    pub line: Json,
    /// The containers, from the stage on, and the resource.
    pub path: Vec<String>,
    pub provider: Option<String>,
    /// Whether messages of the type have the path of the resource; `None` if the type has no choice.
    pub withpath: Option<bool>,
}

impl Described {
    /// Describes a resource that neither the catalog nor another resource explains.
    pub fn unknown(name: &str) -> Described {
        Described { path: vec![name.to_owned()], ..Described::default() }
    }

    /// Returns the description with another title, which the type has made from the declared one.
    pub fn renamed(&self, name: &str) -> Described {
        let mut described = self.clone();
        described.path.pop();
        described.path.push(name.to_owned());
        described
    }

    /// Adds what is known once the resource has been built.
    pub fn complete(&mut self, instance: &Instance) {
        let text = |name: &str| instance.get(name).unwrapped().as_text().map(str::to_owned);
        self.provider = instance.provider().map(ToString::to_string);
        self.withpath = instance.type_def.id_of("withpath").map(|_| text("withpath").is_some_and(|value| value == "true"));
    }
}

/// Returns the description of each resource of a catalog. `provenance` knows the containers.
pub(super) fn described_in(catalog: &Json, provenance: &Provenance) -> HashMap<String, Described> {
    let list = |name: &str| catalog.get(name).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let text = |json: &Json, name: &str| json.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let describe = |resource: &Json| {
        let (type_name, title) = (text(resource, "type"), text(resource, "title"));
        let name = format!("{type_name}[{title}]");
        let reference = ResourceRef { type_name: type_name.to_lowercase().into(), title: title.into() };
        let path = provenance.path(&reference, &reference);
        let part = |key: &str| resource.get(key).cloned().unwrap_or_default();
        let tags = resource.get("tags").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        let tags = tags.iter().filter_map(Json::as_str).map(str::to_owned).collect();
        (name, Described { tags, file: part("file"), line: part("line"), path, ..Described::default() })
    };
    list("resources").iter().map(describe).collect()
}

/// Returns the description of a generated resource, with the container and the tags of the generating resource.
pub(super) fn generated_from(generator: &Described, name: &str) -> Described {
    let path = generator.renamed(name).path;
    let own = name.split('[').next().unwrap_or_default().to_lowercase();
    let mut tags = generator.tags.clone();
    if !own.is_empty() && !tags.contains(&own) {
        tags.push(own);
    }
    Described { tags, path, ..Described::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_lang::eval::NoWorld;
    use rtype_lang::source::SourceMap;
    use rtype_model::manifest::from_source;
    use serde_json::json;

    #[test]
    fn paths_are_those_of_puppet() {
        let resource = |kind: &str, title: &str| json!({"type": kind, "title": title, "tags": ["x"]});
        let edge = |source: &str, target: &str| json!({"source": source, "target": target});
        let catalog = json!({
            "name": "node", "version": 1, "environment": "production", "catalog_format": 1, "classes": [],
            "resources": [
                resource("Stage", "main"), resource("Class", "main"), resource("Class", "Foo::Bar"), resource("Class", "Foo::Baz"),
                resource("Class", "Circle::A"), resource("Class", "Circle::B"), resource("File", "/a"), resource("File", "/b"), resource("File", "/c"),
            ],
            "edges": [
                edge("Stage[main]", "Class[main]"), edge("Stage[main]", "Class[Foo::Bar]"), edge("Stage[main]", "Class[Foo::Baz]"),
                edge("Class[main]", "File[/a]"), edge("Class[Foo::Bar]", "Class[Foo::Baz]"), edge("Class[Foo::Baz]", "File[/b]"),
                edge("Class[Circle::A]", "Class[Circle::B]"), edge("Class[Circle::B]", "Class[Circle::A]"), edge("Class[Circle::A]", "File[/c]"),
            ],
        });
        let source = SourceMap::new().add("catalog.json", catalog.to_string()).unwrap();
        let (declarations, _) = from_source(&source, &NoWorld);
        let found = described_in(&catalog, &Provenance::of(&declarations));
        let path = |name: &str| found.get(name).unwrap().path.join(" ");
        assert_eq!(path("File[/a]"), "Stage[main] Main File[/a]");
        assert_eq!(path("File[/b]"), "Stage[main] Foo::Baz File[/b]");
        // The path of classes that contain each other ends.
        assert_eq!(found.get("File[/c]").unwrap().path.len(), 100);
        let generated = generated_from(found.get("File[/a]").unwrap(), "File[/a/x]");
        assert_eq!((generated.path.join(" "), generated.tags), ("Stage[main] Main File[/a/x]".into(), vec!["x".into(), "file".into()]));
    }
}
