//! Catalogs as JSON.

use super::{CatalogBuilder, CatalogKind, CatalogResource};
use crate::compile::evaluator::ManifestEvaluator;
use crate::compile::text::{base64_text, display, float_text};
use crate::compile::types::display::capitalized;
use crate::compile::value::ManifestValue;
use indexmap::IndexSet;
use rtype_lang::source::Span;
use serde_json::{Map, Value as Json, json};

impl ManifestEvaluator {
    /// Returns the line of a place.
    pub fn line(&self, span: Option<Span>) -> Option<u32> {
        span.map(|span| self.place(span).1).filter(|line| *line > 0)
    }

    /// Returns the column of a place.
    pub fn column(&self, span: Span) -> u32 {
        self.sources.find(span).map_or(0, |source| source.position(span.start).column)
    }

    /// Returns the catalog as Puppet writes it, with rich data, without version and identifier.
    pub fn to_json(&self) -> Json {
        let catalog = &self.catalog;
        let order = catalog.order();
        let shown = |index: &usize| catalog.get(*index).is_some_and(|r| !r.flags.is_virtual);
        let resources: Vec<Json> = order.iter().filter(|i| shown(i)).filter_map(|i| Some(self.resource_json(catalog.get(*i)?))).collect();
        let edges: Vec<Json> = catalog
            .edges
            .iter()
            .filter(|(from, to)| shown(from) && shown(to))
            .filter_map(|(from, to)| {
                Some(json!({ "source": catalog.get(*from)?.reference_text(), "target": catalog.get(*to)?.reference_text() }))
            })
            .collect();
        json!({
            "tags": catalog.tags().into_iter().collect::<Vec<_>>(),
            "name": self.environment.node.as_str(),
            "code_id": null,
            "catalog_format": 2,
            "environment": self.environment.name.as_str(),
            "resources": resources,
            "edges": edges,
            "classes": catalog.classes.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
        })
    }

    fn resource_json(&self, resource: &CatalogResource) -> Json {
        let mut found = Map::new();
        found.insert("type".into(), json!(capitalized(&resource.type_name)));
        let title = if resource.is_class() && resource.title != "main" { capitalized(&resource.title) } else { resource.title.to_string() };
        found.insert("title".into(), json!(&title));
        let mut tags: Vec<&str> = resource.tags.iter().map(|tag| tag.as_str()).collect();
        tags.sort_unstable();
        found.insert("tags".into(), json!(tags));
        if let Some(span) = resource.span {
            let (file, line) = self.place(span);
            found.insert("file".into(), json!(self.declared_in(resource, file).unwrap_or_default()));
            found.insert("line".into(), json!(line));
        }
        found.insert("exported".into(), json!(resource.flags.is_exported));
        found.insert("kind".into(), json!(resource.kind_text()));
        let namevar = match &resource.kind {
            CatalogKind::Native(known) if known.keys.is_empty() => known.namevar.as_deref(),
            _ => Some("name"),
        };
        let mut parameters = Map::new();
        for (name, value) in resource.all_values(self) {
            // Puppet itself adds `Stage[main]` and `Class[main]`, whose names it keeps.
            let is_main = resource.title == "main" && resource.span.is_none();
            let is_title =
                !is_main && resource.given_title.is_none() && Some(name.as_str()) == namevar && value.as_str() == Some(title.as_str());
            if !is_title {
                parameters.insert(name.to_string(), rich(&value));
            }
        }
        if !parameters.is_empty() {
            found.insert("parameters".into(), Json::Object(parameters));
        }
        if !resource.sensitive.is_empty() {
            let names: Vec<&str> = resource.sensitive.iter().map(|name| name.as_str()).collect();
            found.insert("sensitive_parameters".into(), json!(names));
        }
        Json::Object(found)
    }
}

impl CatalogResource {
    /// Returns the kind of the resource as catalogs name it. The kind of a class is known only if it is declared like a resource.
    fn kind_text(&self) -> &'static str {
        match self.kind {
            CatalogKind::Native(_) => "compilable_type",
            CatalogKind::Class if self.span.is_some() => "class",
            CatalogKind::Class | CatalogKind::Node => "unknown",
            CatalogKind::Defined => "defined_type",
        }
    }

    /// Returns the reference in the edges of catalogs.
    fn reference_text(&self) -> String {
        self.reference()
    }

    /// Returns the values of the parameters, first the one that the title sets.
    fn all_values(&self, evaluator: &ManifestEvaluator) -> Vec<(ecow::EcoString, ManifestValue)> {
        let mut all: Vec<(ecow::EcoString, ManifestValue)> = Vec::new();
        let namevar = match &self.kind {
            CatalogKind::Native(known) => known.namevar.clone(),
            _ => Some("name".into()),
        };
        let of_title = match &self.kind {
            CatalogKind::Native(known) => known.title_attributes(&self.title),
            _ => None,
        };
        if let Some(of_title) = of_title {
            all.extend(of_title.into_iter().filter(|(_, value)| *value != ManifestValue::Undef));
        } else if let Some(namevar) = &namevar {
            let value = match self.kind {
                CatalogKind::Native(_) => evaluator.title_value(self),
                CatalogKind::Class if self.title != "main" => ManifestValue::string(capitalized(&self.title)),
                _ => ManifestValue::String(self.title.clone()),
            };
            all.push((namevar.clone(), value));
        }
        for (name, parameter) in &self.parameters {
            if parameter.value == ManifestValue::Undef {
                continue;
            }
            let value = match (&parameter.value, super::RELATIONS.contains(&name.as_str())) {
                (ManifestValue::Array(_), true) => {
                    let flat = crate::compile::evaluator::access::flatten(std::slice::from_ref(&parameter.value));
                    ManifestValue::array(flat.into_iter().filter(|value| *value != ManifestValue::Undef).collect())
                }
                (value, _) => value.clone(),
            };
            let key = if name == "name" { namevar.clone().unwrap_or(name.clone()) } else { name.clone() };
            match all.iter_mut().find(|(known, _)| *known == key) {
                Some(known) => known.1 = value,
                None => all.push((key, value)),
            }
        }
        all
    }
}

impl CatalogBuilder {
    /// Returns the tags of the catalog: the names of the classes and nodes with their parts, then what they are.
    fn tags(&self) -> IndexSet<&str> {
        let names = self.classes.iter().flat_map(|name| std::iter::once(name.as_str()).chain(name.split("::")));
        // Every catalog has `Class[Settings]`, which does not count.
        let evaluated = self.classes.iter().skip(1);
        names.chain(evaluated.map(|name| if self.find("class", name).is_some() { "class" } else { "node" })).collect()
    }

    /// Returns the indexes of the resources in the order in which Puppet adds them.
    pub fn order(&self) -> Vec<usize> {
        let first = [1, 2, 0].into_iter().filter(|index| *index < self.resources.len());
        first.chain(3..self.resources.len()).collect()
    }

    /// Returns resources, edges, virtual resources and classes in the form of recorded results.
    pub fn report(&self, evaluator: &ManifestEvaluator, dump: &dyn Fn(&ManifestValue) -> Json, boring: &[&str]) -> Map<String, Json> {
        let mut found = Map::new();
        let is_shown = |index: usize| self.get(index).is_some_and(|r| !r.flags.is_virtual);
        let listed: Vec<usize> = self
            .order()
            .into_iter()
            .filter(|i| is_shown(*i) && self.get(*i).is_some_and(|r| !boring.contains(&r.reference().as_str())))
            .collect();
        let resource = |index: &usize| {
            let resource = self.get(*index)?;
            let mut tags: Vec<&str> = resource.tags.iter().map(|tag| tag.as_str()).collect();
            tags.sort_unstable();
            let parameters: Map<String, Json> =
                resource.all_values(evaluator).iter().map(|(k, v)| (k.to_string(), converted(v, dump))).collect();
            let mut entry = Map::from_iter([
                ("ref".to_owned(), json!(resource.reference())),
                ("line".to_owned(), json!(evaluator.line(resource.span))),
                ("params".to_owned(), Json::Object(parameters)),
                ("tags".to_owned(), json!(tags)),
            ]);
            if resource.flags.is_exported {
                entry.insert("exported".to_owned(), json!(true));
            }
            if !resource.sensitive.is_empty() {
                let mut names: Vec<&str> = resource.sensitive.iter().map(|name| name.as_str()).collect();
                names.sort_unstable();
                entry.insert("sensitive".to_owned(), json!(names));
            }
            Some(Json::Object(entry))
        };
        if !listed.is_empty() {
            found.insert("resources".into(), listed.iter().filter_map(resource).collect());
            let edge = |(from, to): &(usize, usize)| {
                let (from, to) = (self.get(*from)?, self.get(*to)?);
                if from.flags.is_virtual || to.flags.is_virtual {
                    return None;
                }
                let (from, to) = (from.reference(), to.reference());
                let is_boring = boring.contains(&from.as_str()) && boring.contains(&to.as_str());
                (!is_boring).then(|| json!([from, to]))
            };
            found.insert("edges".into(), self.edges.iter().filter_map(edge).collect());
        }
        let is_virtual = self.resources.iter().filter(|r| r.flags.is_virtual).map(CatalogResource::reference);
        let hidden: Vec<String> = is_virtual.collect();
        if !hidden.is_empty() {
            found.insert("virtual".into(), json!(hidden));
        }
        let classes: Vec<&str> = self.classes.iter().map(|name| name.as_str()).filter(|name| *name != "settings").collect();
        if !classes.is_empty() {
            found.insert("classes".into(), json!(classes));
        }
        found
    }
}

/// Returns a value as Puppet's rich data.
pub fn rich(value: &ManifestValue) -> Json {
    let tagged = |of: &str, value: Json| json!({ "__ptype": of, "__pvalue": value });
    match value {
        ManifestValue::Undef => Json::Null,
        ManifestValue::Default => json!({ "__ptype": "Default" }),
        ManifestValue::Boolean(value) => json!(value),
        ManifestValue::Integer(value) => json!(value),
        ManifestValue::Float(value) if value.is_finite() => json!(value),
        ManifestValue::Float(value) => json!(float_text(*value)),
        ManifestValue::String(text) => json!(text.as_str()),
        ManifestValue::Regexp(pattern) => tagged("Regexp", json!(pattern.source.as_str())),
        ManifestValue::Array(elements) => elements.iter().map(rich).collect(),
        ManifestValue::Hash(map) => {
            let is_plain = map.keys().all(|key| key.as_str().is_some_and(|key| key != "__ptype" && key != "__pvalue"));
            if is_plain {
                return map.iter().map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), rich(value))).collect();
            }
            tagged("Hash", map.iter().flat_map(|(key, value)| [rich(key), rich(value)]).collect())
        }
        ManifestValue::Sensitive(inner) => tagged("Sensitive", rich(inner)),
        ManifestValue::Binary(bytes) => tagged("Binary", json!(base64_text::encode(bytes))),
        ManifestValue::Timestamp(_) => tagged("Timestamp", json!(display(value))),
        ManifestValue::Timespan(_) => tagged("Timespan", json!(display(value))),
        ManifestValue::SemVer(_) => tagged("SemVer", json!(display(value))),
        ManifestValue::SemVerRange(_) => tagged("SemVerRange", json!(display(value))),
        ManifestValue::Uri(text) => tagged("URI", json!(text.as_str())),
        ManifestValue::Type(of) => match &**of {
            crate::compile::types::Type::Resource(Some(_), Some(_)) | crate::compile::types::Type::Class(Some(_)) => {
                json!(super::finish::relation_text(value))
            }
            _ => tagged("Type", json!(display(value))),
        },
        ManifestValue::Object(object) => {
            let mut found = Map::from_iter([("__ptype".to_owned(), json!(object.object_type.name.as_str()))]);
            found.extend(object.attributes.iter().map(|(name, value)| (name.to_string(), rich(value))));
            Json::Object(found)
        }
        ManifestValue::Iterator(sequence) => sequence.elements.iter().map(rich).collect(),
        ManifestValue::Lambda(_) => Json::Null,
    }
}

/// Returns a parameter's value, in which references to resources are written as Puppet's resources: `Class[A]`, `File[/x]`.
fn converted(value: &ManifestValue, dump: &dyn Fn(&ManifestValue) -> Json) -> Json {
    match value {
        ManifestValue::Type(of) => match &**of {
            crate::compile::types::Type::Resource(Some(_), Some(_)) | crate::compile::types::Type::Class(Some(_)) => {
                json!({ "__ptype": "Type", "__pvalue": super::finish::relation_text(value) })
            }
            _ => dump(value),
        },
        ManifestValue::Array(elements) => elements.iter().map(|element| converted(element, dump)).collect(),
        ManifestValue::Hash(map) if map.keys().all(|key| key.as_str().is_some_and(|key| !key.starts_with("__p"))) => {
            map.iter().map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), converted(value, dump))).collect()
        }
        other => dump(other),
    }
}
