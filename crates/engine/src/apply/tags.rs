//! Selects the resources of a run by tags.
//!
//! Follows Puppet's `Puppet::Util::Tagging` and `Puppet::Transaction#missing_tags?`: the tags of a resource of a catalog are those that
//! the compiler gave it. Without these, a resource is tagged with its type, its title if that is a valid tag, its metaparameter `tag`,
//! and the classes that contain it.

use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use rtype_lang::value::{EcoString, ResourceRef, Value};
use rtype_model::manifest::Declarations;
use rtype_model::resource::{Catalog, Instance};
use std::collections::{HashMap, HashSet};

/// The requested tags.
#[derive(Debug, Default)]
pub(super) struct Tags<'d> {
    wanted: Vec<String>,
    /// The tags of resources and containers as compiled.
    compiled: Option<&'d HashMap<ResourceRef, Vec<EcoString>>>,
    /// The direct containers of resources and containers.
    within: HashMap<ResourceRef, Vec<ResourceRef>>,
}

impl<'d> Tags<'d> {
    /// Creates the filter. Without requested tags, all resources pass.
    ///
    /// # Errors
    /// Returns a diagnostic for each requested tag that no resource can have.
    pub fn new(wanted: &[EcoString], declarations: &'d Declarations) -> Result<Tags<'d>, Vec<Diagnostic>> {
        let invalid: Vec<Diagnostic> = wanted.iter().filter(|tag| !is_valid(tag)).map(|tag| refused(tag)).collect();
        if !invalid.is_empty() {
            return Err(invalid);
        }
        let mut within: HashMap<ResourceRef, Vec<ResourceRef>> = HashMap::new();
        if !wanted.is_empty() {
            for container in &declarations.containers {
                for part in &container.contains {
                    within.entry(part.clone()).or_default().push(container.declared.reference());
                }
            }
        }
        let wanted = wanted.iter().map(|t| t.to_lowercase().to_string()).collect();
        Ok(Tags { wanted, compiled: Some(&declarations.tags), within })
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

    /// Returns whether one of the resources is tagged: as compiled, otherwise by its own type or title, or those of what contains it.
    fn is_any_around(&self, mut around: Vec<ResourceRef>) -> bool {
        let mut seen = HashSet::new();
        while let Some(of) = around.pop() {
            if let Some(tags) = self.compiled.and_then(|all| all.get(&of)).filter(|tags| !tags.is_empty()) {
                if tags.iter().any(|tag| self.wants(tag)) {
                    return true;
                }
                continue;
            }
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
        if !is_valid(text) {
            return false;
        }
        let text = text.to_lowercase();
        self.wanted.iter().any(|wanted| *wanted == text || text.split("::").any(|part| part == wanted))
    }
}

/// Returns whether a text can be a tag.
fn is_valid(text: &str) -> bool {
    let letters = |c: char| c.is_alphanumeric() || "_:.-".contains(c);
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_') && text.chars().all(letters)
}

fn refused(tag: &str) -> Diagnostic {
    let help = "a tag begins with a letter, digit or `_`, and has only these, `:`, `.` and `-`; that of a class is its name";
    Diagnostic::new(Code::InvalidValue, Span::NONE, format!("invalid tag `{tag}`")).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_no_resource_can_have_are_refused() {
        let declarations = Declarations::default();
        let refused = |tag: &str| Tags::new(&[tag.into()], &declarations).is_err();
        assert!(refused("class[a::b]") && refused("") && refused("-x") && refused("a b"));
        assert!(!refused("A::b") && !refused("_1") && !refused("x.y-z") && !refused("é"));
    }
}
