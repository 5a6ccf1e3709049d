//! The file, line and containers of each resource in a run, and the catalog version.
//!
//! Follows `pathbuilder` in Puppet 7.23's `lib/puppet/type.rb` and `lib/puppet/type/component.rb`, and
//! `lib/puppet/transaction/additional_resource_generator.rb`.

use rtype_lang::diagnostics::OriginLine;
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::value::ResourceRef;
use rtype_model::manifest::{Container, Declarations};
use std::collections::HashMap;

/// The deepest container nesting. An invalid catalog may have a loop.
const MAX_DEPTH: usize = 100;

/// Files, containers and the catalog version for the declared resources.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    version: Option<String>,
    is_compiled: bool,
    /// The container of each resource, class and defined resource in a catalog.
    containers: HashMap<ResourceRef, ResourceRef>,
    /// Manifest lines from which a catalog was compiled, by location in the catalog, in order.
    origins: Vec<(Span, OriginLine)>,
}

impl Provenance {
    /// Collects the origins of declared resources.
    pub fn of(declarations: &Declarations) -> Provenance {
        let mut containers = HashMap::new();
        // As in Puppet, a class is in its stage, not in the declaring class.
        let is_stage = |container: &&Container| container.declared.type_name.as_str() == "stage";
        let all = declarations.containers.iter();
        for container in all.clone().filter(is_stage).chain(all.filter(|container| !is_stage(container))) {
            for part in &container.contains {
                containers.entry(part.clone()).or_insert_with(|| container.declared.reference());
            }
        }
        Provenance {
            version: declarations.version.as_ref().map(ToString::to_string),
            is_compiled: declarations.is_compiled,
            containers,
            origins: declarations.origins.clone(),
        }
    }

    /// Returns the catalog version. Without a version, returns the run's start time in seconds, as in Puppet.
    pub(super) fn version(&self, begun: jiff::Timestamp) -> String {
        self.version.clone().unwrap_or_else(|| begun.as_second().to_string())
    }

    /// Returns a resource's containers, beginning with the stage, followed by the resource as `name`. A generated resource is in the same
    /// container as the generator.
    pub fn path(&self, reference: &ResourceRef, name: &ResourceRef) -> Vec<String> {
        let mut path = vec![name.to_string()];
        let mut inner = reference;
        while let Some(container) = self.containers.get(inner).filter(|_| path.len() < MAX_DEPTH) {
            path.push(step(container));
            inner = container;
        }
        if !self.is_compiled {
            // Puppet compiles such resources into the class `main`.
            path.extend(["Main".to_owned(), "Stage[main]".to_owned()]);
        }
        path.reverse();
        path
    }

    /// Returns a declaration's file and line.
    pub(super) fn line(&self, span: Span, sources: &SourceMap) -> Option<(String, u32)> {
        let at = self.origins.partition_point(|(resource, _)| resource.start <= span.start);
        let origin = at.checked_sub(1).and_then(|before| self.origins.get(before)).filter(|(resource, _)| resource.contains(span));
        origin.map(|(_, line)| (line.file.to_string(), line.line)).or_else(|| {
            let source = sources.find(span)?;
            Some((source.name().to_owned(), source.line(span.start)))
        })
    }
}

/// Returns one step of a path. A class is shown only by name.
fn step(container: &ResourceRef) -> String {
    if container.type_name.as_str() != "class" {
        return container.to_string();
    }
    let capitalized = |part: &str| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    container.title.split("::").map(capitalized).collect::<Vec<_>>().join("::")
}
