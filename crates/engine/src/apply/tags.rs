//! Selects a run's resources by tags.
//!
//! Follows Puppet's `Puppet::Util::Tagging` and `Puppet::Transaction#missing_tags?`: resources in a compiled catalog have the tags set by
//! the compiler. Other resources are tagged with their type, their title if the title is a valid tag, the metaparameter `tag`, and the
//! containing classes.

use super::outcome::Skip;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use rtype_lang::value::{EcoString, ResourceRef, Value};
use rtype_model::manifest::Declarations;
use rtype_model::resource::{Catalog, Instance};
use std::collections::{HashMap, HashSet};

/// Tags for selecting resources, and tags for excluding resources.
#[derive(Debug, Default)]
pub(super) struct Tags<'d> {
    wanted: Vec<String>,
    skipped: Vec<String>,
    /// Compiled tags of resources and containers.
    compiled: Option<&'d HashMap<ResourceRef, Vec<EcoString>>>,
    /// Direct containers of resources and containers.
    within: HashMap<ResourceRef, Vec<ResourceRef>>,
}

impl<'d> Tags<'d> {
    /// Creates the filter. Without requested tags, all resources pass except resources with a tag to skip.
    ///
    /// # Errors
    /// Returns a diagnostic for each invalid tag.
    pub fn new(wanted: &[EcoString], skipped: &[EcoString], declarations: &'d Declarations) -> Result<Tags<'d>, Vec<Diagnostic>> {
        let invalid: Vec<Diagnostic> = wanted.iter().chain(skipped).filter(|tag| !is_valid(tag)).map(|tag| refused(tag)).collect();
        if !invalid.is_empty() {
            return Err(invalid);
        }
        let mut within: HashMap<ResourceRef, Vec<ResourceRef>> = HashMap::new();
        if !wanted.is_empty() || !skipped.is_empty() {
            for container in &declarations.containers {
                for part in &container.contains {
                    within.entry(part.clone()).or_default().push(container.declared.reference());
                }
            }
        }
        let lower = |tags: &[EcoString]| tags.iter().map(|t| t.to_lowercase().to_string()).collect();
        Ok(Tags { wanted: lower(wanted), skipped: lower(skipped), compiled: Some(&declarations.tags), within })
    }

    /// Returns the reason for skipping a resource because of the resource's tags or a generator's tags.
    pub fn skip(&self, instance: &Instance, catalog: &Catalog) -> Option<Skip> {
        let is_given = |one: &Instance, asked: &[String]| match one.get("tag").unwrapped() {
            Value::Array(all) => all.iter().any(|t| is_asked(&t.to_text(), asked)),
            Value::Nil => false,
            one => is_asked(&one.to_text(), asked),
        };
        self.reason(|asked| {
            catalog.lineage(instance).any(|one| is_given(one, asked))
                || self.is_any_around(catalog.lineage(instance).map(Instance::reference).collect(), asked)
        })
    }

    /// Like [`Tags::skip`], for a resource that could not be built.
    pub fn skip_unbuilt(&self, reference: &ResourceRef) -> Option<Skip> {
        self.reason(|asked| self.is_any_around(vec![reference.clone()], asked))
    }

    fn reason(&self, is_tagged: impl Fn(&[String]) -> bool) -> Option<Skip> {
        if !self.wanted.is_empty() && !is_tagged(&self.wanted) {
            return Some(Skip::Tags);
        }
        (!self.skipped.is_empty() && is_tagged(&self.skipped)).then_some(Skip::SkipTags)
    }

    /// Returns true if any resource has a requested tag: a compiled tag if there are compiled tags, otherwise type, title, or a container's
    /// type and title.
    fn is_any_around(&self, mut around: Vec<ResourceRef>, asked: &[String]) -> bool {
        let mut seen = HashSet::new();
        while let Some(of) = around.pop() {
            if let Some(tags) = self.compiled.and_then(|all| all.get(&of)).filter(|tags| !tags.is_empty()) {
                if tags.iter().any(|tag| is_asked(tag, asked)) {
                    return true;
                }
                continue;
            }
            if is_asked(of.type_name.as_str(), asked) || is_asked(&of.title, asked) {
                return true;
            }
            if let Some(containers) = self.within.get(&of).filter(|_| !seen.contains(&of)) {
                around.extend(containers.iter().cloned());
                seen.insert(of);
            }
        }
        false
    }
}

/// Returns true if a string is a valid, requested tag, as a whole or by a part of the qualified name.
fn is_asked(text: &str, asked: &[String]) -> bool {
    if !is_valid(text) {
        return false;
    }
    let text = text.to_lowercase();
    asked.iter().any(|asked| *asked == text || text.split("::").any(|part| part == asked))
}

/// Returns true if a string is a valid tag.
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
        let refused =
            |tag: &str| Tags::new(&[tag.into()], &[], &declarations).is_err() && Tags::new(&[], &[tag.into()], &declarations).is_err();
        assert!(refused("class[a::b]") && refused("") && refused("-x") && refused("a b"));
        assert!(!refused("A::b") && !refused("_1") && !refused("x.y-z") && !refused("é"));
    }
}
