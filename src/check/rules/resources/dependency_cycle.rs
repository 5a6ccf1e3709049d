//! What it does: finds resources that wait for each other: each is to be managed after another one of them.
//!
//! Why: none of them can be first, so that a run fails before it begins. What counts is `require`, `before`, `notify` and
//! `subscribe`, arrows, what the classes of a catalog contain, and the relations that types make by themselves. Of the latter
//! one that is the exact opposite of another relation gives way, as in Puppet.
//!
//! Example:
//!
//! ```puppet
//! file { '/srv/app':
//!   ensure  => directory,
//!   require => Service['app'],
//! }
//! service { 'app':
//!   ensure  => running,
//!   require => File['/srv/app/a.ini'],
//! }
//! file { '/srv/app/a.ini':
//!   ensure => file,
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! file { '/srv/app':
//!   ensure => directory,
//! }
//! service { 'app':
//!   ensure  => running,
//!   require => File['/srv/app/a.ini'],
//! }
//! file { '/srv/app/a.ini':
//!   ensure => file,
//! }
//! ```

use super::references;
use crate::check::{ResourcesSubject, Sink};
use crate::eval::UnknownWorld;
use crate::manifest::Declared;
use crate::resource::{Context, relations};
use crate::source::Span;
use crate::types::RelationKind;
use crate::value::ResourceRef;
use indexmap::IndexMap;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

pub fn check(subject: &ResourcesSubject<'_>, sink: &mut Sink<'_>) {
    let order = Order::of(subject);
    let mut cycles: Vec<Vec<Step<'_>>> = tarjan_scc(&order.graph).iter().map(|part| order.cycle(part)).collect();
    cycles.retain(|steps| !steps.is_empty());
    cycles.sort_by_key(|steps| steps.first().map(|s| s.reason.span));
    for steps in cycles {
        report(&steps, sink);
    }
}

fn report(steps: &[Step<'_>], sink: &mut Sink<'_>) {
    let Some(first) = steps.iter().find(|s| s.reason.why == Why::Said).or(steps.first()) else { return };
    let mut path: Vec<String> = Vec::new();
    for step in steps {
        path.push(step.from.to_string());
    }
    path.extend(steps.first().map(|s| s.from.to_string()));
    // The two ends of a class are both the class.
    if steps.len() > 1 {
        path.dedup();
    }
    let found = sink.finding(first.reason.span, format!("none of these can be first: {}", path.join(" → ")));
    let mut found = found.label(first.words());
    for step in steps.iter().filter(|s| !std::ptr::eq(*s, first) && s.from != s.to) {
        found = found.also(step.reason.span, step.words());
    }
    sink.report(found.help(if first.reason.why == Why::Automatic {
        "the types make all of these relations: say with `require` which of two goes last, and the opposite gives way"
    } else {
        "take one of the relations away"
    }));
}

/// Why one goes before the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// It is said, with an attribute or an arrow.
    Said,
    /// A type makes the relation.
    Automatic,
    /// The first contains the second.
    Contains,
    /// The second contains the first.
    Within,
}

#[derive(Clone, Copy, Debug)]
struct Reason {
    why: Why,
    span: Span,
}

/// One edge of a cycle.
struct Step<'a> {
    from: &'a ResourceRef,
    to: &'a ResourceRef,
    reason: Reason,
}

impl Step<'_> {
    fn words(&self) -> String {
        let Step { from, to, reason } = self;
        match reason.why {
            Why::Said if from == to => format!("`{from}` goes after itself"),
            Why::Said => format!("`{to}` goes after `{from}`"),
            Why::Automatic => format!("`{to}` goes after `{from}` by itself"),
            Why::Contains => format!("`{from}` contains `{to}`"),
            Why::Within => format!("`{to}` contains `{from}`"),
        }
    }
}

/// What goes before what.
///
/// Each thing has two nodes: its place doubled, and the one behind that. A resource uses the first only; what contains others
/// begins with the first and ends with the second, and they lie between.
struct Order {
    /// Resources and containers, and whether they contain.
    things: IndexMap<ResourceRef, bool>,
    graph: DiGraph<(), Reason>,
    /// The edges, since a class may contain thousands of things.
    edges: HashSet<(NodeIndex, NodeIndex)>,
}

impl Order {
    fn of(subject: &ResourcesSubject<'_>) -> Order {
        let (declarations, catalog) = (subject.declarations, subject.catalog);
        let mut things: IndexMap<ResourceRef, bool> = IndexMap::new();
        things.extend(declarations.resources.iter().map(|d| (d.reference(), false)));
        things.extend(catalog.iter().map(|i| (i.reference(), false)));
        things.extend(declarations.containers.iter().map(|c| (c.declared.reference(), true)));
        let mut graph = DiGraph::new();
        things.iter().for_each(|_| {
            graph.add_node(());
            graph.add_node(());
        });
        let mut order = Order { things, graph, edges: HashSet::new() };
        // References go by title, alias or name.
        let resolve = |r: &ResourceRef| catalog.get(r.type_name.as_str(), &r.title).map_or_else(|| r.clone(), |i| i.reference());

        let mut said: HashSet<(ResourceRef, ResourceRef)> = HashSet::new();
        let mut say = |order: &mut Order, from: ResourceRef, to: ResourceRef, span: Span| {
            order.add(&from, &to, Reason { why: Why::Said, span });
            said.insert((from, to));
        };
        let containers = declarations.containers.iter().map(|c| &c.declared);
        for declared in declarations.resources.iter().chain(containers) {
            for (from, to, span) in explicit(declared) {
                say(&mut order, resolve(&from), resolve(&to), span);
            }
        }
        for edge in &declarations.edges {
            say(&mut order, resolve(&edge.from), resolve(&edge.to), edge.span);
        }
        for container in &declarations.containers {
            let own = container.declared.reference();
            for part in container.contains.iter().map(resolve) {
                order.contain(&own, &part, container.declared.title_span);
            }
        }

        let context = Context { world: &UnknownWorld, catalog, backend: None, strict: false, trace: false, offline: true };
        for instance in catalog.iter() {
            let own = instance.reference();
            for relation in relations(instance, None, context).told.into_iter().filter(|r| r.declared) {
                let (from, to) = match relation.kind {
                    RelationKind::Require | RelationKind::Subscribe => (relation.target, own.clone()),
                    RelationKind::Before | RelationKind::Notify => (own.clone(), relation.target),
                };
                // Follows `Puppet::Graph::RelationshipGraph#build_autorequire_dependencies`.
                if from != to && !said.contains(&(to.clone(), from.clone())) {
                    order.add(&from, &to, Reason { why: Why::Automatic, span: instance.span });
                    said.insert((from, to));
                }
            }
        }
        order
    }

    /// The nodes with which a thing begins and ends.
    fn ends(&self, of: &ResourceRef) -> Option<(NodeIndex, NodeIndex)> {
        let (place, _, contains) = self.things.get_full(of)?;
        Some((NodeIndex::new(2 * place), NodeIndex::new(2 * place + usize::from(*contains))))
    }

    /// One thing goes before another. The first reason given is the one that is told.
    fn add(&mut self, from: &ResourceRef, to: &ResourceRef, reason: Reason) {
        let (Some((_, last)), Some((first, _))) = (self.ends(from), self.ends(to)) else { return };
        self.edge(last, first, reason);
    }

    fn contain(&mut self, outer: &ResourceRef, inner: &ResourceRef, span: Span) {
        let (Some((begin, end)), Some((first, last))) = (self.ends(outer), self.ends(inner)) else { return };
        self.edge(begin, first, Reason { why: Why::Contains, span });
        self.edge(last, end, Reason { why: Why::Within, span });
    }

    fn edge(&mut self, from: NodeIndex, to: NodeIndex, reason: Reason) {
        if self.edges.insert((from, to)) {
            self.graph.add_edge(from, to, reason);
        }
    }

    /// A shortest way round from the first node of a part in which every node reaches every other; empty where there is none.
    fn cycle(&self, part: &[NodeIndex]) -> Vec<Step<'_>> {
        let Some(start) = part.iter().min().copied() else { return Vec::new() };
        let inside: HashSet<NodeIndex> = part.iter().copied().collect();
        let mut came: HashMap<NodeIndex, (NodeIndex, Reason)> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            let mut next: Vec<_> = self.graph.edges(node).filter(|e| inside.contains(&e.target())).collect();
            next.sort_by_key(|e| e.target());
            for edge in next {
                if let Entry::Vacant(new) = came.entry(edge.target()) {
                    new.insert((node, *edge.weight()));
                    queue.push_back(edge.target());
                }
            }
            if came.contains_key(&start) {
                break;
            }
        }
        let mut steps = Vec::new();
        let mut at = start;
        while let Some((from, reason)) = came.get(&at) {
            let (Some(one), Some(other)) = (self.thing(*from), self.thing(at)) else { break };
            steps.push(Step { from: one, to: other, reason: *reason });
            at = *from;
            if at == start {
                break;
            }
        }
        steps.reverse();
        if came.contains_key(&start) { steps } else { Vec::new() }
    }

    fn thing(&self, node: NodeIndex) -> Option<&ResourceRef> {
        self.things.get_index(node.index() / 2).map(|(reference, _)| reference)
    }
}

/// What the relations of a declaration ask for: what goes first, what second, and where that is said.
fn explicit(declared: &Declared) -> Vec<(ResourceRef, ResourceRef, Span)> {
    let own = declared.reference();
    let mut all = Vec::new();
    for kind in super::RELATIONS {
        let Some(given) = declared.attributes.get(kind.metaparameter()) else { continue };
        let mut named = Vec::new();
        references(given.value.unwrapped(), &mut named);
        for other in named.into_iter().cloned() {
            all.push(match kind {
                RelationKind::Require | RelationKind::Subscribe => (other, own.clone(), given.span),
                RelationKind::Before | RelationKind::Notify => (own.clone(), other, given.span),
            });
        }
    }
    all
}
