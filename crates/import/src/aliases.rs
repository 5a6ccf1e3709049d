//! Finds changes in place that Ruby shows under another name: in `all << entry; entry[:x] = 1` the list has the changed entry, too.
//! Values of the language are immutable, so that such a change would be lost there.

use super::in_place::is_changing;
use super::nodes::visiting;
use super::ruby::{self, ByteRange, name};
use ruby_prism::{CallNode, Node, Visit};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum depth of a value that may be the one of a local.
const MAX_DEPTH: usize = 16;

/// Methods that put their arguments into their receiver.
const STORING: &[&str] = &["<<", "push", "append", "unshift", "prepend", "insert", "[]=", "store", "fill"];

/// Methods that may return their receiver itself.
const RETURNING: &[&str] = &["to_s", "to_str", "to_a", "to_h", "itself", "freeze", "tap", "each", "+@"];

/// Methods that return another container with elements of their receiver.
const COPYING: &[&str] = &[
    "dup", "clone", "merge", "select", "filter", "reject", "sort", "sort_by", "uniq", "reverse", "compact", "+", "-", "take", "drop",
    "slice", "except", "values", "rotate", "to_h", "to_a",
];

/// Returns where changes in place begin that another local or a container shows.
pub(super) fn shared_changes(body: &[Node<'_>]) -> BTreeSet<usize> {
    let mut found = Uses::default();
    body.iter().for_each(|node| visiting(node, || found.visit(node)));
    found.conflicts()
}

/// Returns the locals whose value an expression may be.
pub(super) fn may_be(node: &Node<'_>) -> Vec<String> {
    let mut all = Vec::new();
    collect(node, &mut all, MAX_DEPTH);
    all
}

/// Returns the locals of which a value may be an element.
fn may_be_in(node: &Node<'_>) -> Vec<String> {
    let mut all = Vec::new();
    let of = |node: &Node<'_>| {
        let call = node.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "[]" | "fetch" | "dig" | "first" | "last"))?;
        let local = call.receiver()?.as_local_variable_read_node()?;
        Some(ruby::local(&local.name()))
    };
    all.extend(of(node));
    if let Some(or) = node.as_or_node() {
        all.extend(of(&or.left()));
        all.extend(of(&or.right()));
    }
    all
}

/// Returns the locals whose elements a value has, too; the `target` itself if the value has one element several times.
fn copied(node: &Node<'_>, target: &str) -> Vec<String> {
    let Some(call) = node.as_call_node() else { return Vec::new() };
    let method = name(&call.name());
    let given = ruby::arguments(call.arguments()).0;
    let makes = |n: &Node<'_>| n.as_array_node().is_some() || n.as_hash_node().is_some() || n.as_interpolated_string_node().is_some();
    let repeats = match (call.receiver(), given.as_slice()) {
        (Some(of), [_]) if method == "*" => of.as_array_node().is_some_and(|list| list.elements().iter().any(|e| makes(&e))),
        (Some(of), [_, element]) if method == "new" => ruby::constant(&of).as_deref() == Some("Array") && makes(element),
        _ => false,
    };
    if repeats {
        return vec![target.to_owned()];
    }
    call.receiver().filter(|_| COPYING.contains(&method.as_str())).map(|of| may_be(&of)).unwrap_or_default()
}

fn collect(node: &Node<'_>, all: &mut Vec<String>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(read) = node.as_local_variable_read_node() {
        all.push(ruby::local(&read.name()));
    } else if let Some(inner) = node.as_parentheses_node() {
        ruby::statements(inner.body()).last().iter().for_each(|last| collect(last, all, depth));
    } else if let Some(or) = node.as_or_node() {
        collect(&or.left(), all, depth);
        collect(&or.right(), all, depth);
    } else if let Some(and) = node.as_and_node() {
        collect(&and.right(), all, depth);
    } else if let Some(branch) = node.as_if_node() {
        ruby::statements(branch.statements().map(|s| s.as_node())).last().iter().for_each(|last| collect(last, all, depth));
        let other = branch.subsequent().and_then(|next| next.as_else_node()).and_then(|other| other.statements());
        ruby::statements(other.map(|s| s.as_node())).last().iter().for_each(|last| collect(last, all, depth));
    } else if let Some(call) = node.as_call_node() {
        let method = name(&call.name());
        match call.receiver() {
            Some(of) if RETURNING.contains(&method.as_str()) => collect(&of, all, depth),
            None if matches!(method.as_str(), "Array" | "String") => {
                ruby::arguments(call.arguments()).0.first().iter().for_each(|given| collect(given, all, depth));
            }
            _ => {}
        }
    }
}

/// Recognizes `x.to_s`, which is `x` itself only if that is a text.
fn is_text_of(node: &Node<'_>, local: &str) -> bool {
    node.as_call_node().is_some_and(|c| name(&c.name()) == "to_s" && c.receiver().is_some_and(|of| ruby::is_local(&of, local)))
}

/// How one local is reached through another.
struct Link {
    /// The local that holds the value, or that has it as an element; none if it is an element of the result.
    holder: Option<String>,
    value: String,
    at: usize,
    how: Shared,
}

/// What two locals have in common.
#[derive(Clone, Copy, PartialEq)]
enum Shared {
    /// They are the same value.
    Same,
    /// One is an element of the other.
    Element,
    /// One is a copy of the other with the same elements.
    Elements,
}

/// Where locals are changed, read and assigned.
#[derive(Default)]
struct Uses {
    links: Vec<Link>,
    /// Each with whether it changes what is in the local's value.
    changes: BTreeMap<String, Vec<(ByteRange, bool)>>,
    reads: BTreeMap<String, Vec<usize>>,
    /// Assignments of values that no other local has.
    fresh: BTreeMap<String, Vec<usize>>,
    /// Code that may run several times.
    loops: Vec<ByteRange>,
    /// The local to which a literal is assigned.
    target: Option<String>,
}

impl Uses {
    fn conflicts(&self) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        for link in &self.links {
            let holder = link.holder.as_deref();
            let of_elements = link.how == Shared::Elements;
            self.note(&link.value, holder, link.at, of_elements, &mut all);
            if let Some(holder) = holder.filter(|_| link.how != Shared::Element) {
                self.note(holder, Some(&link.value), link.at, of_elements, &mut all);
            }
        }
        all
    }

    /// Collects the changes of a local after a link which what is linked shows.
    fn note(&self, changed: &str, seen_by: Option<&str>, link: usize, of_elements: bool, all: &mut BTreeSet<usize>) {
        for (change, _) in self.changes.get(changed).into_iter().flatten().filter(|(_, within)| *within || !of_elements) {
            let is_seen = match seen_by {
                None => true,
                Some(reader) => {
                    let mut reads = self.reads.get(reader).into_iter().flatten();
                    reads.any(|read| *read >= change.end || self.comes_again(*read, change.start, reader))
                }
            };
            let is_later = change.start > link && !self.is_fresh(changed, link, change.start);
            if is_seen && (is_later || self.comes_again(change.start, link, changed)) {
                all.insert(change.start);
            }
        }
    }

    /// Returns whether a local gets another value between two places, even if only under a condition.
    fn is_fresh(&self, local: &str, from: usize, to: usize) -> bool {
        self.fresh.get(local).into_iter().flatten().any(|at| from < *at && *at < to)
    }

    /// Returns whether the earlier of two places follows the later one in the next run of a loop that does not assign the local.
    fn comes_again(&self, earlier: usize, later: usize, local: &str) -> bool {
        let around = |of: &&ByteRange| of.contains(&earlier) && of.contains(&later);
        let assigns = |of: &&ByteRange| self.fresh.get(local).into_iter().flatten().any(|at| of.contains(at));
        self.loops.iter().filter(around).any(|of| !assigns(&of))
    }

    /// Notes what an element of a container is.
    fn store(&mut self, holder: Option<String>, element: &Node<'_>) {
        let at = ruby::place(element).start;
        for value in may_be(element).into_iter().filter(|value| Some(value) != holder.as_ref()) {
            self.links.push(Link { holder: holder.clone(), value, at, how: Shared::Element });
        }
    }

    fn change(&mut self, receiver: Option<Node<'_>>, at: ByteRange) {
        // `x[k] << v` changes what `x` contains.
        let mut of = receiver;
        let is_within = of.as_ref().is_some_and(|of| of.as_local_variable_read_node().is_none());
        for _ in 0..MAX_DEPTH {
            let inner = of.as_ref().and_then(Node::as_call_node).filter(|c| name(&c.name()) == "[]").and_then(|c| c.receiver());
            match inner {
                Some(inner) => of = Some(inner),
                None => break,
            }
        }
        if let Some(read) = of.as_ref().and_then(Node::as_local_variable_read_node) {
            self.changes.entry(ruby::local(&read.name())).or_default().push((at, is_within));
        }
    }
}

impl<'p> Visit<'p> for Uses {
    fn visit_local_variable_read_node(&mut self, node: &ruby_prism::LocalVariableReadNode<'p>) {
        self.reads.entry(ruby::local(&node.name())).or_default().push(ruby::at(&node.location()).start);
    }

    fn visit_local_variable_write_node(&mut self, node: &ruby_prism::LocalVariableWriteNode<'p>) {
        let (local, value) = (ruby::local(&node.name()), node.value());
        let mut same = may_be(&value);
        same.retain(|local| !is_text_of(&value, local));
        let at = ruby::at(&node.location()).start;
        if !same.contains(&local) {
            self.fresh.entry(local.clone()).or_default().push(at);
        }
        for value in same.into_iter().filter(|value| *value != local) {
            self.links.push(Link { holder: Some(local.clone()), value, at, how: Shared::Same });
        }
        for value in copied(&value, &local) {
            self.links.push(Link { holder: Some(local.clone()), value, at, how: Shared::Elements });
        }
        // What is taken out of a container is shown by it.
        for container in may_be_in(&value) {
            self.links.push(Link { holder: Some(container), value: local.clone(), at, how: Shared::Element });
        }
        if let Some(inner) = value.as_local_variable_write_node() {
            // From when both have it.
            let at = ruby::at(&inner.location()).end;
            self.links.push(Link { holder: Some(local.clone()), value: ruby::local(&inner.name()), at, how: Shared::Same });
        }
        let target = self.target.replace(local);
        ruby_prism::visit_local_variable_write_node(self, node);
        self.target = target;
    }

    fn visit_array_node(&mut self, node: &ruby_prism::ArrayNode<'p>) {
        let holder = self.target.clone();
        node.elements().iter().for_each(|element| self.store(holder.clone(), &element));
        ruby_prism::visit_array_node(self, node);
    }

    fn visit_assoc_node(&mut self, node: &ruby_prism::AssocNode<'p>) {
        self.store(self.target.clone(), &node.value());
        ruby_prism::visit_assoc_node(self, node);
    }

    fn visit_call_node(&mut self, node: &CallNode<'p>) {
        let method = name(&node.name());
        let receiver = node.receiver().and_then(|of| of.as_local_variable_read_node()).map(|read| ruby::local(&read.name()));
        if STORING.contains(&method.as_str()) {
            let arguments = ruby::arguments(node.arguments()).0;
            let first = usize::from(matches!(method.as_str(), "[]=" | "store" | "insert"));
            arguments.iter().skip(first).for_each(|argument| self.store(receiver.clone(), argument));
        }
        if is_changing(&method) {
            self.change(node.receiver(), ruby::at(&node.location()));
        }
        // A literal in a call is not what the local has.
        let target = self.target.take();
        ruby_prism::visit_call_node(self, node);
        self.target = target;
    }

    fn visit_index_operator_write_node(&mut self, node: &ruby_prism::IndexOperatorWriteNode<'p>) {
        self.change(node.receiver(), ruby::at(&node.location()));
        ruby_prism::visit_index_operator_write_node(self, node);
    }

    fn visit_index_and_write_node(&mut self, node: &ruby_prism::IndexAndWriteNode<'p>) {
        self.change(node.receiver(), ruby::at(&node.location()));
        ruby_prism::visit_index_and_write_node(self, node);
    }

    fn visit_index_or_write_node(&mut self, node: &ruby_prism::IndexOrWriteNode<'p>) {
        self.change(node.receiver(), ruby::at(&node.location()));
        ruby_prism::visit_index_or_write_node(self, node);
    }

    fn visit_block_node(&mut self, node: &ruby_prism::BlockNode<'p>) {
        let at = ruby::at(&node.location());
        // Its parameters are others in each run.
        for param in ruby::block_params(node).unwrap_or_default() {
            self.fresh.entry(param).or_default().push(at.start);
        }
        self.loops.push(at);
        ruby_prism::visit_block_node(self, node);
    }

    fn visit_while_node(&mut self, node: &ruby_prism::WhileNode<'p>) {
        self.loops.push(ruby::at(&node.location()));
        ruby_prism::visit_while_node(self, node);
    }

    fn visit_until_node(&mut self, node: &ruby_prism::UntilNode<'p>) {
        self.loops.push(ruby::at(&node.location()));
        ruby_prism::visit_until_node(self, node);
    }
}
