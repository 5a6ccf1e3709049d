//! Reads `puppet/feature/NAME.rb`, where a module defines a platform feature.

use super::eval::is_library;
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
    match found.all.as_slice() {
        [] => Presence::Unknown,
        all if all.contains(&Presence::Unknown) => Presence::Unknown,
        all if all.contains(&Presence::Never) => Presence::Never,
        _ => Presence::Always,
    }
}

/// Collects what `Puppet.features.add(:x, …)` says about a feature.
struct Definitions<'f> {
    feature: &'f str,
    all: Vec<Presence>,
}

impl<'p> Visit<'p> for Definitions<'_> {
    fn visit_call_node(&mut self, node: &CallNode<'p>) {
        let (plain, named) = ruby::arguments(node.arguments());
        let is_it = |n: &Node<'_>| ruby::symbol(n).or_else(|| ruby::text(n)).as_deref() == Some(self.feature);
        if name(&node.name()) == "add" && plain.first().is_some_and(is_it) {
            let libraries = named.iter().find(|(key, _)| ruby::symbol(key).as_deref() == Some("libs")).map(|(_, value)| value);
            self.all.push(match libraries.filter(|_| ruby::block(node).is_none()) {
                Some(value) => of_libraries(value),
                None => Presence::Unknown,
            });
        }
        ruby_prism::visit_call_node(self, node);
    }
}

/// Returns whether all machines have these libraries.
fn of_libraries(value: &Node<'_>) -> Presence {
    let list = value.as_array_node().map(|list| list.elements().iter().map(|one| ruby::text(&one)).collect::<Option<Vec<_>>>());
    let names = list.unwrap_or_else(|| ruby::text(value).map(|one| vec![one]));
    match names {
        Some(names) if names.iter().all(|one| is_library(one)) => Presence::Always,
        Some(_) => Presence::Never,
        None => Presence::Unknown,
    }
}
