//! Ordering of resources: relationships, containment in classes, and types' automatic relations.

use super::catalog::RememberingCatalog;
use super::{Catalog, Context, UnresolvedRelation, relations};
use crate::manifest::{Declarations, EdgeKind};
use foldhash::fast::RandomState;
use indexmap::IndexMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef, GraphRef, IntoNeighbors, Reversed, VisitMap, Visitable};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::Span;
use rtype_lang::types::RelationKind;
use rtype_lang::value::{ResourceRef, Value};
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};

/// Messages about a long cycle name this many resources from the start and as many from the end.
const SHOWN: usize = 8;

const RELATIONS: [RelationKind; 4] = [RelationKind::Require, RelationKind::Before, RelationKind::Notify, RelationKind::Subscribe];

/// Why one node is ordered before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Declared with an attribute or an arrow.
    Declared,
    /// An automatic relation of a type.
    Automatic,
    /// The first contains the second.
    Contains,
    /// The second contains the first.
    Within,
}

/// An ordering constraint between two things.
#[derive(Clone, Copy, Debug)]
pub struct Reason {
    /// The kind of reason.
    pub why: Why,
    /// Where it is declared.
    pub span: Span,
    /// True if a change to the first refreshes the second.
    pub refresh: bool,
}

/// One edge of a cycle.
#[derive(Debug)]
pub struct CycleEdge<'a> {
    /// What is applied first.
    pub from: &'a ResourceRef,
    /// What is applied second.
    pub to: &'a ResourceRef,
    /// The reason for this order.
    pub reason: Reason,
}

impl CycleEdge<'_> {
    /// Describes the reason in a sentence.
    pub fn words(&self) -> String {
        let CycleEdge { from, to, reason } = self;
        match reason.why {
            Why::Declared if from == to => format!("`{from}` goes after itself"),
            Why::Declared => format!("`{to}` goes after `{from}`"),
            Why::Automatic => format!("`{to}` goes after `{from}` by itself"),
            Why::Contains => format!("`{from}` contains `{to}`"),
            Why::Within => format!("`{to}` contains `{from}`"),
        }
    }
}

/// A node of [`Order`]: a resource, or a container's beginning or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrderNode(u32);

impl OrderNode {
    /// Returns the node for the beginning of a resource or container, by number.
    pub fn of(thing: usize) -> OrderNode {
        OrderNode(u32::try_from(2 * thing).unwrap_or(u32::MAX))
    }

    /// Returns the number of the resource or container.
    pub fn thing(self) -> usize {
        self.0 as usize / 2
    }
}

/// The dependency graph: resources and containers.
///
/// Each resource or container with number `n` has two nodes, `2n` and `2n + 1`. A resource only uses the first node. A container begins
/// with the first node and ends with the second, and the contents are ordered in between. Follows Puppet's
/// `Puppet::Graph::RelationshipGraph`.
#[derive(Debug, Default)]
pub struct Order {
    /// Resources and containers; the value is true for a container. The catalog's resources come first, in catalog order.
    things: IndexMap<ResourceRef, bool, RandomState>,
    graph: DiGraph<(), Reason, u32>,
    /// Index for fast edge lookup: a class may contain thousands of resources.
    edges: HashMap<(u32, u32), EdgeIndex<u32>, RandomState>,
    /// The first failure for each resource with a failing relation block.
    unresolved: HashMap<usize, UnresolvedRelation, RandomState>,
}

impl Order {
    /// Builds the graph for declarations. `context` is used to evaluate automatic relations.
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
        // Generated resources have no declaration, so their relationships are read from the instance.
        for instance in catalog.generated() {
            for kind in RELATIONS {
                self.say(&instance.reference(), kind, &instance.get(kind.metaparameter()), instance.span, catalog);
            }
        }
        for edge in &declarations.edges {
            let (from, to) = (self.resolve(&edge.from, catalog), self.resolve(&edge.to, catalog));
            let reason = Reason { why: Why::Declared, span: edge.span, refresh: edge.kind == EdgeKind::Notify };
            self.add(from, to, reason);
        }
    }

    /// Adds the edges for a relationship metaparameter.
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
            self.add(from, to, Reason { why: Why::Declared, span, refresh });
        }
    }

    /// Orders a class's contents, including generated resources, between the class's beginning and end.
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
            // An edge from beginning to end, so that an empty class does not break a chain of relationships.
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

    /// Follows `Puppet::Graph::RelationshipGraph#build_autorequire_dependencies`: explicit relationships take precedence.
    fn automatic(&mut self, catalog: &Catalog, context: Context<'_>) {
        let remembering = RememberingCatalog::new(context.catalog);
        let context = Context { catalog: &remembering, ..context };
        for (own, instance) in catalog.iter().enumerate().filter(|(_, i)| !i.type_def.autorelations.is_empty()) {
            let found = relations(instance, None, context);
            if let Some(unresolved) = found.unresolved.into_iter().next() {
                self.unresolved.insert(own, unresolved);
            }
            for relation in found.resolved.into_iter().filter(|r| r.declared) {
                let Some(other) = self.things.get_index_of(&relation.target).filter(|other| *other != own) else { continue };
                let (from, to) = directed(relation.kind, own, other);
                // Generated resources are ordered after their generator.
                let its_own = catalog.get(relation.target.type_name.as_str(), &relation.target.title);
                let its_own = its_own.is_some_and(|i| i.generated_by() == Some(&instance.reference()));
                if !its_own && !self.has(to, from) {
                    let refresh = matches!(relation.kind, RelationKind::Notify | RelationKind::Subscribe);
                    self.add(Some(from), Some(to), Reason { why: Why::Automatic, span: instance.span, refresh });
                }
            }
        }
    }

    /// Orders generated resources after their generator, unless they must come before it. Dependents on a generator also depend on the
    /// generated resources. Subscribers also subscribe to resources generated while the generator is applied. Follows
    /// `Puppet::Transaction::AdditionalResourceGenerator#add_conditional_directed_dependency`.
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
            let waiting: Vec<(OrderNode, bool)> = self.behind(OrderNode(self.ends(parent).1)).collect();
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

    /// Returns the first failure in a resource's relation blocks. The resource's position in the order is then unknown.
    pub fn unresolved(&self, thing: usize) -> Option<&UnresolvedRelation> {
        self.unresolved.get(&thing)
    }

    /// Returns all nodes reachable from a node, including the node itself.
    fn reached<G>(graph: G, from: u32) -> HashSet<NodeIndex<u32>, RandomState>
    where
        G: GraphRef + IntoNeighbors<NodeId = NodeIndex<u32>> + Visitable<NodeId = NodeIndex<u32>>,
        G::Map: VisitMap<NodeIndex<u32>>,
    {
        let mut walk = Dfs::new(graph, from.into());
        std::iter::from_fn(|| walk.next(graph)).collect()
    }

    /// Returns the number of a resource or container. References may use title, alias or name.
    fn resolve(&self, of: &ResourceRef, catalog: &Catalog) -> Option<usize> {
        let named = || self.things.get_index_of(&catalog.get(of.type_name.as_str(), &of.title)?.reference());
        self.things.get_index_of(of).or_else(named)
    }

    /// Returns the nodes for the beginning and end.
    fn ends(&self, thing: usize) -> (u32, u32) {
        let contains = self.things.get_index(thing).is_some_and(|(_, contains)| *contains);
        let OrderNode(begin) = OrderNode::of(thing);
        (begin, begin + u32::from(contains))
    }

    fn has(&self, from: usize, to: usize) -> bool {
        self.edges.contains_key(&(self.ends(from).1, self.ends(to).0))
    }

    /// Orders one resource or container before another.
    fn add(&mut self, from: Option<usize>, to: Option<usize>, reason: Reason) {
        let (Some(from), Some(to)) = (from, to) else { return };
        self.edge(self.ends(from).1, self.ends(to).0, reason);
    }

    /// Adds an edge. An existing edge keeps the first reason, and `refresh` is set if either edge refreshes.
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

    /// Returns the number of resources and containers.
    pub fn len(&self) -> usize {
        self.things.len()
    }

    /// Returns true if the order is empty.
    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }

    /// Returns the number of a thing.
    pub fn number(&self, of: &ResourceRef) -> Option<usize> {
        self.things.get_index_of(of)
    }

    /// Returns the thing with a number.
    pub fn thing(&self, number: usize) -> Option<&ResourceRef> {
        self.things.get_index(number).map(|(reference, _)| reference)
    }

    /// Returns true if this number belongs to a container.
    pub fn is_container(&self, number: usize) -> bool {
        self.things.get_index(number).is_some_and(|(_, contains)| *contains)
    }

    /// Iterates over a node's direct successors. The flag is true if the node refreshes the successor.
    pub fn behind(&self, place: OrderNode) -> impl Iterator<Item = (OrderNode, bool)> {
        self.graph.edges(NodeIndex::new(place.0 as usize)).map(|e| (at(e.target()), e.weight().refresh))
    }

    /// Returns all nodes in topological order, with catalog order as the tie-breaker. Nodes in a cycle and their dependents are missing;
    /// [`Order::cycles`] returns the cycles.
    pub fn sequence(&self) -> Vec<OrderNode> {
        let count = self.graph.node_count();
        let mut waits: Vec<u32> = vec![0; count];
        for edge in self.graph.raw_edges() {
            if let Some(waits) = waits.get_mut(edge.target().index()) {
                *waits += 1;
            }
        }
        // Container beginnings and ends do nothing, so they are processed first.
        let key = |node: u32| (!self.is_container(node as usize / 2), node);
        let is_used = |node: &u32| node.is_multiple_of(2) || self.is_container(*node as usize / 2);
        let all = 0..u32::try_from(count).unwrap_or(u32::MAX);
        let mut free: BinaryHeap<_> =
            all.filter(is_used).filter(|node| waits.get(*node as usize) == Some(&0)).map(|node| Reverse(key(node))).collect();
        let mut sequence = Vec::with_capacity(self.things.len());
        while let Some(Reverse((_, node))) = free.pop() {
            sequence.push(OrderNode(node));
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

    /// Returns the cycles, each as a shortest path.
    pub fn cycles(&self) -> Vec<Vec<CycleEdge<'_>>> {
        // Tarjan's algorithm in petgraph is recursive, and a chain may have a million links.
        let mut cycles: Vec<Vec<CycleEdge<'_>>> = kosaraju_scc(&self.graph).iter().map(|part| self.cycle(part)).collect();
        cycles.retain(|steps| !steps.is_empty());
        cycles.sort_by_key(|steps| steps.first().map(|s| s.reason.span));
        cycles
    }

    /// Returns a shortest cycle through the first node in a strongly connected component. The result is empty without a cycle.
    fn cycle(&self, part: &[NodeIndex<u32>]) -> Vec<CycleEdge<'_>> {
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
            steps.push(CycleEdge { from: one, to: other, reason: *reason });
            here = *from;
            if here == start {
                break;
            }
        }
        steps.reverse();
        if came.contains_key(&start) { steps } else { Vec::new() }
    }
}

fn at(node: NodeIndex<u32>) -> OrderNode {
    OrderNode(u32::try_from(node.index()).unwrap_or(u32::MAX))
}

/// Orders two items by a relationship: the item to apply first comes first.
fn directed<T>(kind: RelationKind, own: T, other: T) -> (T, T) {
    match kind {
        RelationKind::Require | RelationKind::Subscribe => (other, own),
        RelationKind::Before | RelationKind::Notify => (own, other),
    }
}

/// Collects the resources that a value references.
fn references<'a>(value: &'a Value, out: &mut Vec<&'a ResourceRef>) {
    match value {
        Value::Resource(reference) => out.push(reference),
        Value::Array(values) => values.iter().for_each(|v| references(v.unwrapped(), out)),
        _ => {}
    }
}

/// Describes a cycle as a path back to the start. A long cycle is shortened to the first and last resources.
fn describe_cycle(steps: &[CycleEdge<'_>]) -> String {
    let mut path: Vec<String> = steps.iter().map(|step| step.from.to_string()).collect();
    path.extend(steps.first().map(|s| s.from.to_string()));
    // Both nodes of a class are printed as the class.
    if steps.len() > 1 {
        path.dedup();
    }
    let more = path.len().saturating_sub(2 * SHOWN);
    if more > 1 {
        path.splice(SHOWN..SHOWN + more, [format!("… {more} more …")]);
    }
    format!("dependency cycle: {}", path.join(" → "))
}

/// Returns a cycle's diagnostic, with the reasons for the first steps.
pub fn cycle_diagnostic(steps: &[CycleEdge<'_>], new: impl FnOnce(Span, String) -> Diagnostic) -> Diagnostic {
    let Some(first) = steps.iter().find(|s| s.reason.why == Why::Declared).or(steps.first()) else {
        return new(Span::NONE, describe_cycle(steps));
    };
    let found = new(first.reason.span, describe_cycle(steps)).label(first.words());
    let others = steps.iter().filter(|s| s.reason.span != first.reason.span && s.from != s.to);
    let found = others.take(2 * SHOWN).fold(found, |found, step| found.also(step.reason.span, step.words()));
    found.help(if first.reason.why == Why::Automatic {
        "the types make all of these relations: say with `require` which of two goes last, and the opposite gives way"
    } else {
        "take one of the relations away"
    })
}
