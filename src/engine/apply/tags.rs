//! Tags: which resources a run is about.
//!
//! Follows Puppet's `Puppet::Util::Tagging`: a resource is tagged with its type, its title as far as that is a tag, what its
//! metaparameter says, and the classes that it stands in.

use crate::manifest::Declarations;
use crate::resource::Instance;
use crate::value::{EcoString, ResourceRef, Value};
use std::collections::{HashMap, HashSet};

/// The tags that are asked for.
#[derive(Debug, Default)]
pub(super) struct Tags {
    wanted: Vec<String>,
    /// The containers of resources, directly or not.
    within: HashMap<ResourceRef, Vec<ResourceRef>>,
}

impl Tags {
    /// Without any wanted tag all resources go through.
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

    /// Whether a resource has one of the tags.
    pub fn let_through(&self, instance: &Instance) -> bool {
        if self.wanted.is_empty() {
            return true;
        }
        let mut tags = HashSet::new();
        add(&instance.reference(), &mut tags);
        match instance.get("tag").unwrapped() {
            Value::Array(all) => all.iter().for_each(|t| add_text(&t.to_text(), &mut tags)),
            Value::Nil => {}
            one => add_text(&one.to_text(), &mut tags),
        }
        let mut around = vec![instance.generated_by().cloned().unwrap_or_else(|| instance.reference()), instance.reference()];
        let mut seen = HashSet::new();
        while let Some(of) = around.pop() {
            if seen.insert(of.clone()) {
                add(&of, &mut tags);
                around.extend(self.within.get(&of).into_iter().flatten().cloned());
            }
        }
        self.wanted.iter().any(|t| tags.contains(t))
    }
}

fn add(reference: &ResourceRef, tags: &mut HashSet<String>) {
    add_text(reference.type_name.as_str(), tags);
    add_text(&reference.title, tags);
}

/// A tag, and each part of a qualified one.
fn add_text(text: &str, tags: &mut HashSet<String>) {
    let text = text.to_lowercase();
    let letters = |c: char| c.is_alphanumeric() || "_:.-".contains(c);
    if text.starts_with(|c: char| c.is_alphanumeric() || c == '_') && text.chars().all(letters) {
        tags.extend(text.split("::").map(str::to_owned));
        tags.insert(text);
    }
}
