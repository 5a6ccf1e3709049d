//! Reads `puppet/feature/NAME.rb`, where a module defines a platform feature.

use super::eval::{is_installed, is_library};
use super::files::RubyFiles;
use super::nodes::visiting;
use super::ruby::{self, name};
use ruby_prism::{CallNode, Node, Visit};

/// Whether machines have a platform feature.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// All machines: the feature needs only libraries of Ruby's standard distribution.
    Always,
    /// No machine, because the feature needs gems, and native providers cannot load gems.
    Never,
    /// A block decides, or no file defines it.
    Unknown,
}

/// Returns whether machines have a platform feature that a module defines.
pub(super) fn presence(feature: &str, files: &mut dyn RubyFiles) -> Presence {
    let Some(source) = files.read(&format!("puppet/feature/{feature}.rb")) else { return Presence::Unknown };
    let parsed = ruby_prism::parse(source.text().as_bytes());
    let mut found = Definitions { feature, all: Vec::new() };
    visiting(&parsed.node(), || found.visit(&parsed.node()));
    let Some(libraries) = found.all.into_iter().collect::<Option<Vec<_>>>() else { return Presence::Unknown };
    let all: Vec<Presence> = libraries.iter().flatten().map(|library| of_library(library, files)).collect();
    match all.as_slice() {
        [] => Presence::Unknown,
        all if all.contains(&Presence::Unknown) => Presence::Unknown,
        all if all.contains(&Presence::Never) => Presence::Never,
        _ => Presence::Always,
    }
}

/// Returns whether machines have a library. A file of the module, and a file below the name of a known library, may need anything.
fn of_library(path: &str, files: &mut dyn RubyFiles) -> Presence {
    if is_installed(path) {
        return Presence::Always;
    }
    let is_file = is_library(path) || files.read(&format!("{path}.rb")).is_some();
    if is_file { Presence::Unknown } else { Presence::Never }
}

/// Collects what `Puppet.features.add(:x, …)` says about a feature.
struct Definitions<'f> {
    feature: &'f str,
    /// The libraries that each definition needs; `None` if they are not known.
    all: Vec<Option<Vec<String>>>,
}

impl<'p> Visit<'p> for Definitions<'_> {
    fn visit_call_node(&mut self, node: &CallNode<'p>) {
        let (plain, named) = ruby::arguments(node.arguments());
        let is_it = |n: &Node<'_>| ruby::symbol(n).or_else(|| ruby::text(n)).as_deref() == Some(self.feature);
        if name(&node.name()) == "add" && plain.first().is_some_and(is_it) {
            let libraries = named.iter().find(|(key, _)| ruby::symbol(key).as_deref() == Some("libs")).map(|(_, value)| value);
            self.all.push(libraries.filter(|_| ruby::block(node).is_none()).and_then(named_libraries));
        }
        ruby_prism::visit_call_node(self, node);
    }
}

/// Returns the names in `libs:`; `None` if one is computed.
fn named_libraries(value: &Node<'_>) -> Option<Vec<String>> {
    match value.as_array_node() {
        Some(list) => list.elements().iter().map(|one| ruby::text(&one)).collect(),
        None => ruby::text(value).map(|one| vec![one]),
    }
}
