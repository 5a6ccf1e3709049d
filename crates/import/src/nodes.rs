//! The nodes of the syntax trees of files, in the order of the text.

use super::items::LoadedRuby;
use super::ruby::{self, ByteRange};
use ruby_prism::{Node, Visit};
use std::rc::Rc;

/// The nodes of a file with their locations.
pub(super) type Nodes<'p> = Rc<Vec<(ByteRange, Node<'p>)>>;

/// The modules and classes of a file, outer ones first.
pub(super) type Modules = Rc<Vec<ModuleCode>>;

/// The code of a module or class.
pub(super) struct ModuleCode {
    at: ByteRange,
    path_at: ByteRange,
    /// The name as written: `A::B`.
    pub path: String,
}

impl ModuleCode {
    /// Returns whether a place is in the code, but not in the name.
    pub fn contains(&self, at: &ByteRange) -> bool {
        self.at.start <= at.start && at.end <= self.at.end && !self.path_at.contains(&at.start)
    }
}

/// The nodes within a range of a file.
pub(super) struct NodesInside<'p> {
    all: Nodes<'p>,
    /// Those that begin in it.
    part: std::ops::Range<usize>,
    end: usize,
}

impl<'p> NodesInside<'p> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &(ByteRange, Node<'p>)> + Clone {
        self.all.get(self.part.clone()).unwrap_or_default().iter().filter(|(at, _)| at.end <= self.end)
    }
}

impl<'p> LoadedRuby<'_, 'p> {
    /// Returns the nodes within a range of a file, outer nodes first.
    pub(super) fn inside(&self, file: usize, range: &ByteRange) -> NodesInside<'p> {
        let all = self.nodes(file);
        let first = all.partition_point(|(at, _)| at.start < range.start);
        let count = all.get(first..).unwrap_or_default().partition_point(|(at, _)| at.start <= range.end);
        NodesInside { all, part: first..first + count, end: range.end }
    }

    /// Returns the nodes of a file in the order of the text, outer ones first.
    pub(super) fn nodes(&self, file: usize) -> Nodes<'p> {
        let mut all = self.nodes.borrow_mut();
        let list = all.entry(file).or_insert_with(|| {
            let mut list = NodeList(Vec::new());
            if let Some(tree) = self.ruby.borrow().texts.program(file) {
                // The visitor goes as deep as the text nests.
                stacker::maybe_grow(VISITOR_STACK, VISITOR_STACK, || list.visit(&tree));
            }
            list.0.sort_by_key(|(at, _)| (at.start, std::cmp::Reverse(at.end)));
            Rc::new(list.0)
        });
        Rc::clone(list)
    }

    /// Returns the modules and classes of a file.
    pub(super) fn modules(&self, file: usize) -> Modules {
        let nodes = self.nodes(file);
        let module = |(at, node): &(ByteRange, Node<'p>)| {
            let path = node.as_module_node().map(|m| m.constant_path()).or_else(|| node.as_class_node().map(|c| c.constant_path()))?;
            Some(ModuleCode { at: at.clone(), path_at: ruby::place(&path), path: ruby::constant(&path)? })
        };
        let mut all = self.modules.borrow_mut();
        Rc::clone(all.entry(file).or_insert_with(|| Rc::new(nodes.iter().filter_map(module).collect())))
    }

    /// Returns the node of a kind at a place.
    pub fn node(&self, file: usize, at: &ByteRange, is_wanted: &dyn Fn(&Node<'p>) -> bool) -> Option<Node<'p>> {
        let all = self.inside(file, at);
        all.iter().filter(|(range, node)| range == at && is_wanted(node)).find_map(|(_, node)| ruby::again(node))
    }

    /// Returns the location of the entry `key: …` of a hash in a part of a file.
    pub fn entry(&self, file: usize, within: &ByteRange, key: &str) -> Option<ByteRange> {
        let all = self.inside(file, within);
        let mut entries = all.iter().filter_map(|(range, node)| Some((range, node.as_assoc_node()?)));
        entries.find(|(_, entry)| ruby::symbol(&entry.key()).as_deref() == Some(key)).map(|(range, _)| range.clone())
    }

    /// Returns the innermost node of a kind around a place.
    pub fn innermost(&self, file: usize, at: &ByteRange, is_wanted: &dyn Fn(&Node<'p>) -> bool) -> Option<Node<'p>> {
        let all = self.nodes(file);
        let around = all.iter().filter(|(range, node)| range.start <= at.start && at.end <= range.end && is_wanted(node));
        let innermost = around.min_by_key(|(range, _)| range.len());
        innermost.and_then(|(_, node)| ruby::again(node))
    }
}

/// Collects the nodes of a tree.
struct NodeList<'p>(Vec<(ByteRange, Node<'p>)>);

impl<'p> Visit<'p> for NodeList<'p> {
    fn visit_branch_node_enter(&mut self, node: Node<'p>) {
        self.0.push((ruby::place(&node), node));
    }

    fn visit_leaf_node_enter(&mut self, node: Node<'p>) {
        self.0.push((ruby::place(&node), node));
    }
}

/// Size of the stack for visiting a tree; the parser nests at most ten thousand levels, which need up to 16 KiB each.
pub(super) const VISITOR_STACK: usize = 256 << 20;

/// Visits code on a stack that suffices for the deepest code of its length.
pub(super) fn visiting<T>(code: &Node<'_>, visit: impl FnOnce() -> T) -> T {
    let length = code.location().as_slice().len();
    let size = VISITOR_STACK.min(length.saturating_mul(16 << 10));
    stacker::maybe_grow(size, size, visit)
}
