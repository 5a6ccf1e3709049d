//! What goes before what: relations, what classes contain, and what types say by themselves.

use super::{Catalog, Context, relations};
use crate::manifest::{Declarations, EdgeKind};
use foldhash::fast::RandomState;
use indexmap::IndexMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef, GraphRef, IntoNeighbors, Reversed, VisitMap, Visitable};
use rtype_lang::source::Span;
use rtype_lang::types::RelationKind;
use rtype_lang::value::{ResourceRef, Value};
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};

const RELATIONS: [RelationKind; 4] = [RelationKind::Require, RelationKind::Before, RelationKind::Notify, RelationKind::Subscribe];

/// Why one goes before the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is said, with an attribute or an arrow.
    Said,
    /// A type makes the relation.
    Automatic,
    /// The first contains the second.
    Contains,
    /// The second contains the first.
    Within,
}

/// The reason for an order of two things.
#[derive(Clone, Copy, Debug)]
pub struct Reason {
    /// What kind of reason.
    pub why: Why,
    /// Where it stands.
    pub span: Span,
    /// Whether the second is refreshed when the first changes.
    pub refresh: bool,
}

/// One edge of a cycle.
#[derive(Debug)]
pub struct Step<'a> {
    /// What goes first.
    pub from: &'a ResourceRef,
    /// What goes second.
    pub to: &'a ResourceRef,
    /// Why.
    pub reason: Reason,
}

impl Step<'_> {
    /// The reason as a sentence.
    pub fn words(&self) -> String {
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

/// A node of [`Order`]: a resource, or where something that contains others begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(u32);

impl Place {
    /// Where the thing of this number begins.
    pub fn of(thing: usize) -> Place {
        Place(u32::try_from(2 * thing).unwrap_or(u32::MAX))
    }

    /// The number of the thing.
    pub fn thing(self) -> usize {
        self.0 as usize / 2
    }
}

/// What goes before what.
///
/// Each thing has two nodes: its place doubled, and the one behind that. A resource uses the first only; what contains others
/// begins with the first and ends with the second, and they lie between. Follows Puppet's `Puppet::Graph::RelationshipGraph`.
#[derive(Debug, Default)]
pub struct Order {
    /// Resources and containers, and whether they contain. The resources of the catalog come first, in its order.
    things: IndexMap<ResourceRef, bool, RandomState>,
    graph: DiGraph<(), Reason, u32>,
    /// The edges, since a class may contain thousands of things.
    edges: HashMap<(u32, u32), EdgeIndex<u32>, RandomState>,
}

impl Order {
    /// The order of what is declared. `context` is what the types' own relations see.
    pub fn of(declarations: &Declarations, catalog: &Catalog, context: Context<'_>) -> Order {
        let mut things: IndexMap<ResourceRef, bool, RandomState> = IndexMap::default();
        things.reserve(catalog.len() + declarations.containers.len());
        things.extend(catalog.iter().map(|i| (i.reference(), false)));
        if catalog.len() < declarations.resources.len() {
            for declared in &declarations.resources {
                things.entry(declared.reference()).or_insert(false);
            }
        }
        things.extend(declarations.containers.iter().map(|c| (c.declared.reference(), true)));
        let graph = DiGraph::with_capacity(2 * things.len(), 0);
        let mut order = Order { things, graph, ..Order::default() };
        for _ in 0..2 * order.things.len() {
            order.graph.add_node(());
        }
        order.explicit(declarations, catalog);
        order.contained(declarations, catalog);
        order.automatic(catalog, context);
        order.generated(catalog);
        order
    }

    fn explicit(&mut self, declarations: &Declarations, catalog: &Catalog) {
        let containers = declarations.containers.iter().map(|c| &c.declared);
        for declared in declarations.resources.iter().chain(containers) {
            for kind in RELATIONS {
                let Some(given) = declared.attributes.get(kind.metaparameter()) else { continue };
                self.say(&declared.reference(), kind, &given.value, given.span, catalog);
            }
        }
        // What was generated is declared nowhere.
        for instance in catalog.iter().filter(|i| i.generated_by().is_some()) {
            for kind in RELATIONS {
                self.say(&instance.reference(), kind, &instance.get(kind.metaparameter()), instance.span, catalog);
            }
        }
        for edge in &declarations.edges {
            let (from, to) = (self.resolve(&edge.from, catalog), self.resolve(&edge.to, catalog));
            let reason = Reason { why: Why::Said, span: edge.span, refresh: edge.kind == EdgeKind::Notify };
            self.add(from, to, reason);
        }
    }

    /// What one relation of a resource asks for.
    fn say(&mut self, own: &ResourceRef, kind: RelationKind, value: &Value, span: Span, catalog: &Catalog) {
        let mut named = Vec::new();
        references(value.unwrapped(), &mut named);
        if named.is_empty() {
            return;
        }
        let own = self.resolve(own, catalog);
        let refresh = matches!(kind, RelationKind::Notify | RelationKind::Subscribe);
        for other in named {
            let other = self.resolve(other, catalog);
            let (from, to) = directed(kind, own, other);
            self.add(from, to, Reason { why: Why::Said, span, refresh });
        }
    }

    /// The resources of a class, and those that they generate, are ordered between its two ends.
    fn contained(&mut self, declarations: &Declarations, catalog: &Catalog) {
        let mut offspring: HashMap<usize, Vec<usize>, RandomState> = HashMap::default();
        for (own, instance) in catalog.iter().enumerate().filter(|(_, i)| i.generated_by().is_some()) {
            if let Some(declared) = catalog.declared_for(instance).and_then(|d| self.things.get_index_of(&d.reference())) {
                offspring.entry(declared).or_default().push(own);
            }
        }
        for container in &declarations.containers {
            let span = container.declared.title_span;
            let Some(own) = self.things.get_index_of(&container.declared.reference()) else { continue };
            let (begin, end) = self.ends(own);
            // What has nothing in it must not break a chain.
            self.edge(begin, end, Reason { why: Why::Contains, span, refresh: container.contains.is_empty() });
            for part in &container.contains {
                let Some(part) = self.resolve(part, catalog) else { continue };
                let within = offspring.get(&part).map(Vec::as_slice).unwrap_or_default();
                for part in std::iter::once(&part).chain(within) {
                    let (first, last) = self.ends(*part);
                    self.edge(begin, first, Reason { why: Why::Contains, span, refresh: true });
                    self.edge(last, end, Reason { why: Why::Within, span, refresh: true });
                }
            }
        }
    }

    /// Follows `Puppet::Graph::RelationshipGraph#build_autorequire_dependencies`: what was said before goes before.
    fn automatic(&mut self, catalog: &Catalog, context: Context<'_>) {
        for (own, instance) in catalog.iter().enumerate().filter(|(_, i)| !i.type_def.autorelations.is_empty()) {
            for relation in relations(instance, None, context).told.into_iter().filter(|r| r.declared) {
                let Some(other) = self.things.get_index_of(&relation.target).filter(|other| *other != own) else { continue };
                let (from, to) = directed(relation.kind, own, other);
                // What a resource has generated has its turn after it.
                let its_own = catalog.get(relation.target.type_name.as_str(), &relation.target.title);
                let its_own = its_own.is_some_and(|i| i.generated_by() == Some(&instance.reference()));
                if !its_own && !self.has(to, from) {
                    let refresh = matches!(relation.kind, RelationKind::Notify | RelationKind::Subscribe);
                    self.add(Some(from), Some(to), Reason { why: Why::Automatic, span: instance.span, refresh });
                }
            }
        }
    }

    /// Generated resources come after their generator, unless they must come before it. Dependents of the generator also depend on
    /// them; subscribers of a generator also subscribe to the resources that it generates when it is applied.
    /// Follows `Puppet::Transaction::AdditionalResourceGenerator#add_conditional_directed_dependency`.
    fn generated(&mut self, catalog: &Catalog) {
        let mut families: IndexMap<usize, Vec<(usize, Span)>, RandomState> = IndexMap::default();
        for (own, instance) in catalog.iter().enumerate() {
            if let Some(parent) = instance.generated_by().and_then(|by| self.things.get_index_of(by)) {
                families.entry(parent).or_default().push((own, instance.span));
            }
        }
        for (parent, mut children) in families {
            let tells_more = catalog.at(parent).is_some_and(|p| p.type_def.generate.is_some() && p.type_def.eval_generate.is_some());
            let first = Self::reached(Reversed(&self.graph), self.ends(parent).0);
            children.retain(|(own, _)| !first.contains(&NodeIndex::new(self.ends(*own).1 as usize)));
            let waiting: Vec<(Place, bool)> = self.behind(Place(self.ends(parent).1)).collect();
            for (own, span) in &children {
                self.add(Some(parent), Some(*own), Reason { why: Why::Contains, span: *span, refresh: false });
            }
            for (next, refresh) in waiting {
                let after = Self::reached(&self.graph, next.0);
                for (own, span) in &children {
                    let (begin, end) = self.ends(*own);
                    if !after.contains(&begin.into()) {
                        self.edge(end, next.0, Reason { why: Why::Contains, span: *span, refresh: refresh && tells_more });
                    }
                }
            }
        }
    }

    /// The nodes to which a way leads from one, itself included.
    fn reached<G>(graph: G, from: u32) -> HashSet<NodeIndex<u32>, RandomState>
    where
        G: GraphRef + IntoNeighbors<NodeId = NodeIndex<u32>> + Visitable<NodeId = NodeIndex<u32>>,
        G::Map: VisitMap<NodeIndex<u32>>,
    {
        let mut walk = Dfs::new(graph, from.into());
        std::iter::from_fn(|| walk.next(graph)).collect()
    }

    /// The number of a thing: references go by title, alias or name.
    fn resolve(&self, of: &ResourceRef, catalog: &Catalog) -> Option<usize> {
        let named = || self.things.get_index_of(&catalog.get(of.type_name.as_str(), &of.title)?.reference());
        self.things.get_index_of(of).or_else(named)
    }

    /// The nodes with which a thing begins and ends.
    fn ends(&self, thing: usize) -> (u32, u32) {
        let contains = self.things.get_index(thing).is_some_and(|(_, contains)| *contains);
        let Place(begin) = Place::of(thing);
        (begin, begin + u32::from(contains))
    }

    fn has(&self, from: usize, to: usize) -> bool {
        self.edges.contains_key(&(self.ends(from).1, self.ends(to).0))
    }

    /// One thing goes before another.
    fn add(&mut self, from: Option<usize>, to: Option<usize>, reason: Reason) {
        let (Some(from), Some(to)) = (from, to) else { return };
        self.edge(self.ends(from).1, self.ends(to).0, reason);
    }

    /// The first reason given is the one that is told; whether the second is refreshed, each may say.
    fn edge(&mut self, from: u32, to: u32, reason: Reason) {
        match self.edges.entry((from, to)) {
            Entry::Vacant(new) => {
                new.insert(self.graph.add_edge(from.into(), to.into(), reason));
            }
            Entry::Occupied(old) => {
                if let Some(old) = self.graph.edge_weight_mut(*old.get()) {
                    old.refresh |= reason.refresh;
                }
            }
        }
    }

    /// How many things there are: the resources of the catalog first, then the containers.
    pub fn len(&self) -> usize {
        self.things.len()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }

    /// The number of a thing.
    pub fn number(&self, of: &ResourceRef) -> Option<usize> {
        self.things.get_index_of(of)
    }

    /// The thing of this number.
    pub fn thing(&self, number: usize) -> Option<&ResourceRef> {
        self.things.get_index(number).map(|(reference, _)| reference)
    }

    /// Whether the thing of this number only contains others.
    pub fn is_container(&self, number: usize) -> bool {
        self.things.get_index(number).is_some_and(|(_, contains)| *contains)
    }

    /// What comes right behind a node, and whether it is refreshed by it.
    pub fn behind(&self, place: Place) -> impl Iterator<Item = (Place, bool)> {
        self.graph.edges(NodeIndex::new(place.0 as usize)).map(|e| (at(e.target()), e.weight().refresh))
    }

    /// All nodes, each behind those that go before it; what is free to go goes in the order of the catalog. Where things wait
    /// for each other, they and what waits for them are missing: [`Order::cycles`] tells which.
    pub fn sequence(&self) -> Vec<Place> {
        let count = self.graph.node_count();
        let mut waits: Vec<u32> = vec![0; count];
        for edge in self.graph.raw_edges() {
            if let Some(waits) = waits.get_mut(edge.target().index()) {
                *waits += 1;
            }
        }
        // The ends of containers do nothing, so that they can go at once.
        let key = |node: u32| (!self.is_container(node as usize / 2), node);
        let is_used = |node: &u32| node.is_multiple_of(2) || self.is_container(*node as usize / 2);
        let all = 0..u32::try_from(count).unwrap_or(u32::MAX);
        let mut free: BinaryHeap<_> =
            all.filter(is_used).filter(|node| waits.get(*node as usize) == Some(&0)).map(|node| Reverse(key(node))).collect();
        let mut sequence = Vec::with_capacity(self.things.len());
        while let Some(Reverse((_, node))) = free.pop() {
            sequence.push(Place(node));
            for next in self.graph.neighbors(NodeIndex::new(node as usize)) {
                if let Some(waits) = waits.get_mut(next.index()) {
                    *waits -= 1;
                    if *waits == 0 {
                        free.push(Reverse(key(at(next).0)));
                    }
                }
            }
        }
        sequence
    }

    /// The cycles, each as a shortest way round.
    pub fn cycles(&self) -> Vec<Vec<Step<'_>>> {
        // Not Tarjan's algorithm, which petgraph writes with recursion: a chain may have a million links.
        let mut cycles: Vec<Vec<Step<'_>>> = kosaraju_scc(&self.graph).iter().map(|part| self.cycle(part)).collect();
        cycles.retain(|steps| !steps.is_empty());
        cycles.sort_by_key(|steps| steps.first().map(|s| s.reason.span));
        cycles
    }

    /// A shortest way round from the first node of a part in which every node reaches every other; empty where there is none.
    fn cycle(&self, part: &[NodeIndex<u32>]) -> Vec<Step<'_>> {
        let Some(start) = part.iter().min().copied() else { return Vec::new() };
        if part.len() == 1 && self.graph.find_edge(start, start).is_none() {
            return Vec::new();
        }
        let inside: HashSet<NodeIndex<u32>> = part.iter().copied().collect();
        let mut came: HashMap<NodeIndex<u32>, (NodeIndex<u32>, Reason)> = HashMap::new();
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
        let mut here = start;
        while let Some((from, reason)) = came.get(&here) {
            let (Some(one), Some(other)) = (self.thing(at(*from).thing()), self.thing(at(here).thing())) else { break };
            steps.push(Step { from: one, to: other, reason: *reason });
            here = *from;
            if here == start {
                break;
            }
        }
        steps.reverse();
        if came.contains_key(&start) { steps } else { Vec::new() }
    }
}

fn at(node: NodeIndex<u32>) -> Place {
    Place(u32::try_from(node.index()).unwrap_or(u32::MAX))
}

/// What goes first and what second.
fn directed<T>(kind: RelationKind, own: T, other: T) -> (T, T) {
    match kind {
        RelationKind::Require | RelationKind::Subscribe => (other, own),
        RelationKind::Before | RelationKind::Notify => (own, other),
    }
}

/// The resources that a value names.
fn references<'a>(value: &'a Value, out: &mut Vec<&'a ResourceRef>) {
    match value {
        Value::Resource(reference) => out.push(reference),
        Value::Array(values) => values.iter().for_each(|v| references(v.unwrapped(), out)),
        _ => {}
    }
}

/// A cycle in words: what waits for what, back to where it began.
pub fn cycle_in_words(steps: &[Step<'_>]) -> String {
    let mut path: Vec<String> = steps.iter().map(|step| step.from.to_string()).collect();
    path.extend(steps.first().map(|s| s.from.to_string()));
    // The two ends of a class are both the class.
    if steps.len() > 1 {
        path.dedup();
    }
    format!("dependency cycle: {}", path.join(" → "))
}
