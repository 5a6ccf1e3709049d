//! Relationships of resources, and their containers.

use super::{AttributeDifference, DisplayedValue, IgnorePatterns};
use foldhash::fast::RandomState;
use rtype_lang::value::{ResourceRef, Value};
use rtype_model::manifest::{Declarations, EdgeKind};
use std::collections::{BTreeSet, HashMap};

/// Relationship metaparameters.
pub(super) const NAMES: [&str; 4] = ["require", "before", "notify", "subscribe"];

/// The relationships of a catalog. The order of resources within a relationship is ignored.
#[derive(Default)]
pub(super) struct Relations<'a> {
    by_resource: HashMap<ResourceRef, [BTreeSet<String>; 4], RandomState>,
    containers: HashMap<&'a ResourceRef, ResourceRef, RandomState>,
}

impl<'a> Relations<'a> {
    pub fn new(declarations: &'a Declarations) -> Relations<'a> {
        let mut found = Relations::default();
        let containers = declarations.containers.iter().map(|c| &c.declared);
        for declared in declarations.resources.iter().chain(containers) {
            for (i, name) in NAMES.iter().enumerate() {
                if let Some(given) = declared.attributes.get(*name) {
                    let named = found.by_resource.entry(declared.reference()).or_default().get_mut(i);
                    named.into_iter().for_each(|named| names(given.value.unwrapped(), named));
                }
            }
        }
        for edge in &declarations.edges {
            let place = if edge.kind == EdgeKind::Before { 1 } else { 2 };
            let named = found.by_resource.entry(edge.from.clone()).or_default().get_mut(place);
            if let Some(named) = named {
                named.insert(edge.to.to_string());
            }
        }
        for container in &declarations.containers {
            found.containers.extend(container.contains.iter().map(|inner| (inner, container.declared.reference())));
        }
        found
    }

    pub fn container(&self, of: &ResourceRef) -> Option<&ResourceRef> {
        self.containers.get(of)
    }

    /// Returns the relationships of a resource that differ from `old`, with removed and added resources.
    pub fn compared_to(&self, old: &Relations<'_>, of: &ResourceRef, ignored: &IgnorePatterns) -> Vec<AttributeDifference> {
        let none = <[BTreeSet<String>; 4]>::default();
        let (was, is) = (old.by_resource.get(of).unwrap_or(&none), self.by_resource.get(of).unwrap_or(&none));
        let changed = NAMES.iter().zip(was.iter().zip(is)).filter(|(name, (was, is))| was != is && !ignored.attribute(of, name));
        let list = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            let named: Vec<Value> = one.difference(other).map(|name| Value::str(name.as_str())).collect();
            (!named.is_empty()).then(|| DisplayedValue::Value(Value::array(named)))
        };
        changed
            .map(|(name, (was, is))| AttributeDifference {
                name: (*name).into(),
                old: list(was, is),
                new: list(is, was),
                is_relation: true,
            })
            .collect()
    }
}

fn names(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        // Recursion is limited by the nesting of the parsed texts.
        Value::Array(all) => all.iter().for_each(|one| names(one, into)),
        one => {
            into.insert(one.to_text().to_string());
        }
    }
}
