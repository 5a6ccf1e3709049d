//! The syntax tree of a Ruby text as a list of nodes, and its fingerprint: equal for texts that mean the same.

use ruby_prism::{ArgumentsNode, Node, ParseResult, StatementsNode, Visit};
use std::collections::HashMap;
use std::ops::Range;

/// Statements without effect that a transformation may insert; fingerprints omit them.
pub const WITHOUT_EFFECT: [&str; 3] = ["nil", "_unused = 1", "begin; end"];

/// A node of the tree, in the order of the text.
#[derive(Debug)]
pub struct TreeNode {
    /// The variant of the parser's enum.
    kind: String,
    /// Byte range in the text.
    pub range: Range<usize>,
    /// Number of enclosing nodes.
    depth: usize,
    /// Index of the enclosing node.
    parent: Option<usize>,
    /// The value of a string or symbol, or the unchanged text of a node in which whitespace matters.
    value: Option<String>,
    /// Whether the node is an element of a list of statements.
    is_statement: bool,
}

/// Returns the byte range of a node.
pub fn range(node: &Node<'_>) -> Range<usize> {
    let at = node.location();
    at.start() as usize..at.end() as usize
}

/// Returns the byte range of a location.
pub fn at(location: &ruby_prism::Location<'_>) -> Range<usize> {
    location.start() as usize..location.end() as usize
}

#[derive(Default)]
struct Collector {
    nodes: Vec<TreeNode>,
    open: Vec<usize>,
    statements: Vec<usize>,
}

impl Collector {
    fn enter(&mut self, node: &Node<'_>) {
        let raw = || Some(String::from_utf8_lossy(node.location().as_slice()).into_owned());
        let unescaped = |bytes: &[u8]| Some(format!("{:?}", String::from_utf8_lossy(bytes)));
        let value = match node {
            Node::StringNode { .. } => node.as_string_node().and_then(|s| unescaped(s.unescaped())),
            Node::SymbolNode { .. } => node.as_symbol_node().and_then(|s| unescaped(s.unescaped())),
            Node::XStringNode { .. } => node.as_x_string_node().and_then(|s| unescaped(s.unescaped())),
            Node::RegularExpressionNode { .. } => raw(),
            _ => None,
        };
        let range = range(node);
        self.nodes.push(TreeNode {
            kind: format!("{:?}", std::mem::discriminant(node)),
            is_statement: self.statements.contains(&range.start),
            range,
            depth: self.open.len(),
            parent: self.open.last().copied(),
            value,
        });
    }
}

impl<'p> Visit<'p> for Collector {
    fn visit_branch_node_enter(&mut self, node: Node<'p>) {
        self.enter(&node);
        self.open.push(self.nodes.len() - 1);
    }

    fn visit_branch_node_leave(&mut self) {
        self.open.pop();
    }

    fn visit_leaf_node_enter(&mut self, node: Node<'p>) {
        self.enter(&node);
    }

    fn visit_statements_node(&mut self, node: &StatementsNode<'p>) {
        let outer = std::mem::replace(&mut self.statements, node.body().iter().map(|n| range(&n).start).collect());
        ruby_prism::visit_statements_node(self, node);
        self.statements = outer;
    }

    fn visit_arguments_node(&mut self, node: &ArgumentsNode<'p>) {
        let outer = std::mem::take(&mut self.statements);
        ruby_prism::visit_arguments_node(self, node);
        self.statements = outer;
    }
}

/// Returns the nodes of a tree, parents before their children.
pub fn nodes(parsed: &ParseResult<'_>) -> Vec<TreeNode> {
    let mut collector = Collector::default();
    collector.visit(&parsed.node());
    collector.nodes
}

/// Returns the fingerprint of a text. Each node is a line of kind, depth and own tokens; tokens of children are on their lines.
/// Comments, layout, and the tokens that separate statements and delimit blocks are omitted. `names` has the original names of locals.
/// `None` if the text is not valid Ruby.
pub fn fingerprint(text: &str, names: &HashMap<String, String>) -> Option<Vec<String>> {
    let parsed = ruby_prism::parse(text.as_bytes());
    if parsed.errors().next().is_some() {
        return None;
    }
    let mut bare = text.as_bytes().to_vec();
    for comment in parsed.comments() {
        bare[at(&comment.location())].fill(b' ');
    }
    let nodes = nodes(&parsed);
    let mut dropped = vec![false; nodes.len()];
    let mut own: Vec<Vec<u8>> = nodes.iter().map(|n| bare[n.range.clone()].to_vec()).collect();
    for (i, node) in nodes.iter().enumerate() {
        let Some(parent) = node.parent else { continue };
        let statement = &text[node.range.clone()];
        dropped[i] = dropped[parent] || node.is_statement && is_without_effect(statement);
        let outer = nodes[parent].range.clone();
        // The node of a heredoc does not contain its lines.
        if node.range.start >= outer.start && node.range.end <= outer.end {
            own[parent][node.range.start - outer.start..node.range.end - outer.start].fill(b' ');
        }
    }
    let lines = nodes.iter().zip(&own).zip(&dropped).filter(|(_, dropped)| !**dropped);
    Some(lines.map(|((node, own), _)| line(node, &String::from_utf8_lossy(own), names)).collect())
}

/// Returns whether a statement is in [`WITHOUT_EFFECT`], or assigns a local to itself.
fn is_without_effect(statement: &str) -> bool {
    let assigns_itself = statement.split_once(" = ").is_some_and(|(name, value)| {
        name == value && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    assigns_itself || WITHOUT_EFFECT.contains(&statement)
}

fn line(node: &TreeNode, own: &str, names: &HashMap<String, String>) -> String {
    let mut out = format!("{} {}", node.depth, node.kind);
    if let Some(value) = &node.value {
        return format!("{out} {value}");
    }
    let separated: String = own.replace(';', " ").replace("&&", " && ").replace("||", " || ");
    for token in tokens(&separated) {
        if !matches!(token, "do" | "end" | "{" | "}" | "then" | "\\") {
            out.push(' ');
            out.push_str(names.get(token).map_or(token, String::as_str));
        }
    }
    out
}

/// Splits text at whitespace, and between words and punctuation.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '$' | '?' | '!');
    let mut out = Vec::new();
    for piece in text.split_whitespace() {
        let mut rest = piece;
        while let Some(first) = rest.chars().next() {
            let end = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
            out.push(&rest[..end]);
            rest = &rest[end..];
        }
    }
    out
}
