//! Selects the resources of a run by tags.
//!
//! Follows Puppet's `Puppet::Util::Tagging`: a resource is tagged with its type, its title if that is a valid tag, its
//! metaparameter `tag`, and the classes that contain it.

use rtype_lang::value::{EcoString, ResourceRef, Value};
use rtype_model::manifest::Declarations;
use rtype_model::resource::{Catalog, Instance};
use std::collections::{HashMap, HashSet};

/// The requested tags.
#[derive(Debug, Default)]
pub(super) struct Tags {
    wanted: Vec<String>,
    /// The direct containers of resources and containers.
    within: HashMap<ResourceRef, Vec<ResourceRef>>,
}

impl Tags {
    /// Creates the filter. Without requested tags, all resources pass.
    pub fn new(wanted: &[EcoString], declarations: &Declarations) -> Tags {
        let mut within: HashMap<ResourceRef, Vec<ResourceRef>> = HashMap::new();
        if !wanted.is_empty() {
            for container in &declarations.containers {
                for part in &container.contains {
                    within.entry(part.clone()).or_default().push(container.declared.reference());
                }
            }
        }
        Tags { wanted: wanted.iter().map(|t| t.to_lowercase().to_string()).collect(), within }
    }

    /// Returns whether a resource, or one that generated it, has one of the tags.
    pub fn let_through(&self, instance: &Instance, catalog: &Catalog) -> bool {
        if self.wanted.is_empty() {
            return true;
        }
        let given = |one: &Instance| match one.get("tag").unwrapped() {
            Value::Array(all) => all.iter().any(|t| self.wants(&t.to_text())),
            Value::Nil => false,
            one => self.wants(&one.to_text()),
        };
        if catalog.lineage(instance).any(given) {
            return true;
        }
        self.is_any_around(catalog.lineage(instance).map(Instance::reference).collect())
    }

    /// As [`Tags::let_through`], for a resource that could not be built, of which only the name is known.
    pub fn are_around(&self, reference: ResourceRef) -> bool {
        self.wanted.is_empty() || self.is_any_around(vec![reference])
    }

    /// Returns whether a resource, or what contains one of them, is tagged by its type or title.
    fn is_any_around(&self, mut around: Vec<ResourceRef>) -> bool {
        let mut seen = HashSet::new();
        while let Some(of) = around.pop() {
            if self.wants(of.type_name.as_str()) || self.wants(&of.title) {
                return true;
            }
            if let Some(containers) = self.within.get(&of).filter(|_| !seen.contains(&of)) {
                around.extend(containers.iter().cloned());
                seen.insert(of);
            }
        }
        false
    }

    /// Returns whether a text is a valid tag that is requested, as a whole or by one of its qualified parts.
    fn wants(&self, text: &str) -> bool {
        let letters = |c: char| c.is_alphanumeric() || "_:.-".contains(c);
        if !text.starts_with(|c: char| c.is_alphanumeric() || c == '_') || !text.chars().all(letters) {
            return false;
        }
        let text = text.to_lowercase();
        self.wanted.iter().any(|wanted| *wanted == text || text.split("::").any(|part| part == wanted))
    }
}
