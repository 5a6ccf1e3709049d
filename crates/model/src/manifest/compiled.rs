//! Compiled catalogs, in the following shapes:
//!
//! - as compiled by Puppet, at the top level or below `data` next to a `document_type` (Puppet before 4);
//! - as sent to PuppetDB: edges have objects as ends and include all edge kinds;
//! - as returned by PuppetDB (`/pdb/query/v4/catalogs`): lists below `data`, and two fields for each end of an edge;
//! - only the resources (`/pdb/query/v4/resources`), each with the node's `certname`.

use super::catalog::Reader;
use super::declared::{Container, parse_reference, type_symbol};
use foldhash::fast::RandomState;
use indexmap::IndexSet;
use rtype_lang::data::{DataNode, Kind};
use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean};
use rtype_lang::value::{EcoString, ResourceRef};
use std::collections::{HashMap, HashSet};

/// A compiled catalog within a tree.
pub(super) struct Compiled<'n> {
    resources: &'n [DataNode],
    edges: &'n [DataNode],
    version: Option<EcoString>,
}

impl<'n> Compiled<'n> {
    /// Returns all nodes of the resource list.
    pub(super) fn resources(&self) -> &'n [DataNode] {
        self.resources
    }
}

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// Returns the compiled catalog in a document, or `None` if the document has another shape.
pub(super) fn find(root: &DataNode) -> Fallible<Option<Compiled<'_>>> {
    match &root.kind {
        Kind::Object(_) => of_object(root),
        Kind::Array(items) => {
            let of_nodes: Vec<&DataNode> = items.iter().filter(|i| i.get("certname").is_some()).collect();
            if of_nodes.is_empty() {
                return Ok(None);
            }
            let names: IndexSet<&EcoString> = of_nodes.iter().filter_map(|i| i.get("certname")?.text()).collect();
            if names.len() > 1 {
                return Err(several(root, &names));
            }
            match items.as_slice() {
                [one] if one.get("resources").is_some() => of_object(one),
                _ => Ok(Some(Compiled { resources: items, edges: &[], version: None })),
            }
        }
        _ => Ok(None),
    }
}

fn several(root: &DataNode, names: &IndexSet<&EcoString>) -> Box<Diagnostic> {
    let shown: Vec<String> = names.iter().take(3).map(|n| format!("`{n}`")).collect();
    let more = if names.len() > 3 { ", …" } else { "" };
    let message = format!("the text holds the resources of {} nodes: {}{more}", names.len(), shown.join(", "));
    let help = "each node has a catalog of its own: ask PuppetDB for one at a time, `/pdb/query/v4/catalogs/NODE`";
    let span = root.first().map_or(root.span, |first| first.span);
    Box::new(Diagnostic::new(Code::BadInput, span, message).help(help))
}

fn of_object(root: &DataNode) -> Fallible<Option<Compiled<'_>>> {
    let is_wrapped = ["document_type", "command"].iter().any(|key| root.get(key).is_some());
    let inner = ["data", "payload"].iter().find_map(|key| root.get(key)).filter(|inner| is_wrapped && inner.get("resources").is_some());
    let root = inner.unwrap_or(root);
    let Some(resources) = root.get("resources") else { return Ok(None) };
    let edges = root.get("edges").and_then(list).unwrap_or_default();
    if let Some(resources) = list(resources) {
        let version = root.get("version").and_then(|version| match &version.kind {
            Kind::Str(text) => Some(text.clone()),
            Kind::Int(number) => Some(ecow::eco_format!("{number}")),
            _ => None,
        });
        return Ok(Some(Compiled { resources, edges, version }));
    }
    // A type named `resources` with a title `href` is not a catalog.
    if root.get("certname").is_none() {
        return Ok(None);
    }
    let message = "the catalog has no list of `resources`";
    let help = "where PuppetDB gives a `href` alone, ask it for that; `rtype check` wants the list below `data`";
    Err(Box::new(Diagnostic::new(Code::BadInput, resources.span, message).help(help)))
}

/// Returns a list, either plain or wrapped in PuppetDB's `{"data": […]}`.
fn list(node: &DataNode) -> Option<&[DataNode]> {
    match (&node.kind, node.get("data").map(|data| &data.kind)) {
        (Kind::Array(items), _) | (_, Some(Kind::Array(items))) => Some(items),
        _ => None,
    }
}

impl Reader {
    pub(super) fn catalog(&mut self, catalog: &Compiled<'_>) {
        self.builder.found.is_compiled = true;
        self.builder.found.version.clone_from(&catalog.version);
        let edges = self.containment(catalog.edges);
        let holders: HashSet<&ResourceRef, RandomState> = edges.iter().map(|(from, _)| from).collect();
        let mut containers: Vec<Container> = Vec::new();
        for item in catalog.resources {
            // Virtual resources that are not realized are not sent to a machine.
            let is_virtual = |key: &str| matches!(item.get(key).map(|n| &n.kind), Some(Kind::Bool(true)));
            if is_virtual("virtual") && !is_virtual("exported") {
                continue;
            }
            let before = std::mem::take(&mut self.builder.diagnostics);
            let declared = self.resource(item, false);
            let found = std::mem::replace(&mut self.builder.diagnostics, before).into_vec();
            let Some(declared) = declared else {
                found.into_iter().for_each(|diagnostic| self.builder.report(diagnostic));
                continue;
            };
            let is_container = match item.get("kind").and_then(DataNode::text).map(EcoString::as_str) {
                // The agent relies on the kind set by the compiler (`Puppet::Resource#to_ral`).
                Some("compilable_type") | None => matches!(declared.type_name.as_str(), "class" | "stage" | "whit" | "component" | "node"),
                Some(_) => true,
            };
            // Without a kind, edges identify containers: only classes and defined types contain resources. Native type names never contain
            // `::`.
            let says_nothing = item.get("kind").is_none();
            let seems_one = || declared.type_name.as_str().contains("::") || holders.contains(&declared.reference());
            if is_container || (says_nothing && seems_one()) {
                // Only the compiler uses a container's parameters, which may have any type.
                containers.push(Container { declared, contains: Vec::new() });
            } else {
                found.into_iter().for_each(|diagnostic| self.builder.report(diagnostic));
                self.builder.add(declared);
            }
        }
        let places: HashMap<ResourceRef, usize, RandomState> =
            containers.iter().enumerate().map(|(i, c)| (c.declared.reference(), i)).collect();
        for (from, to) in &edges {
            if let Some(container) = places.get(from).and_then(|i| containers.get_mut(*i)) {
                container.contains.push(to.clone());
            }
        }
        self.builder.found.containers = containers;
    }

    /// Returns pairs: container and contained resource. Other edges only repeat `require`, `before`, `notify` and `subscribe`.
    fn containment(&mut self, edges: &[DataNode]) -> Vec<(ResourceRef, ResourceRef)> {
        let mut all = Vec::with_capacity(edges.len());
        for edge in edges {
            if edge.get("relationship").and_then(DataNode::text).is_some_and(|r| r != "contains") {
                continue;
            }
            match (end(edge, "source"), end(edge, "target")) {
                (Some(from), Some(to)) => all.push((from, to)),
                _ => {
                    let known = ["source", "target"];
                    let wrong = match &edge.kind {
                        Kind::Object(pairs) => pairs.iter().filter_map(|(k, _)| k.text()).find(|k| !known.contains(&k.as_str())),
                        _ => None,
                    };
                    let help = wrong
                        .and_then(|k| did_you_mean(k, known))
                        .unwrap_or_else(|| "an edge is `{\"source\": \"Class[Main]\", \"target\": \"User[bob]\"}`".into());
                    self.wrong(edge.span, "an edge of the catalog cannot be understood", help);
                }
            }
        }
        all
    }
}

/// Parses an end of an edge: `source: "User[bob]"`, `source: {type, title}`, or `source_type` and `source_title`.
fn end(edge: &DataNode, name: &str) -> Option<ResourceRef> {
    let named = |type_name: Option<&DataNode>, title: Option<&DataNode>| {
        let (type_name, title) = (type_name?.text()?, title?.text()?);
        Some(ResourceRef { type_name: type_symbol(type_name)?, title: title.clone() })
    };
    match edge.get(name) {
        Some(DataNode { kind: Kind::Str(text), .. }) => parse_reference(text),
        Some(node) => named(node.get("type"), node.get("title")),
        None => named(edge.get(&format!("{name}_type")), edge.get(&format!("{name}_title"))),
    }
}
