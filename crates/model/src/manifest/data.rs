//! JSON and YAML as one tree with places.

use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use rtype_lang::value::{EcoString, Value};

/// Lists and objects may be nested this deep: far more than any resource needs, far less than a stack holds.
pub(super) const MAX_DEPTH: usize = 100;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Where its text stands when `span` is a YAML alias, else the same.
    pub(super) defined: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(EcoString),
    /// YAML's `!binary`.
    Bytes(Value),
    Array(Vec<Node>),
    /// In the order written; a key may occur twice.
    Object(Vec<(Node, Node)>),
}

impl Node {
    pub(super) fn new(kind: Kind, span: Span) -> Node {
        Node { kind, span, defined: span }
    }

    /// The value of a key; the last one where there are several.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    /// The key and its value.
    pub(super) fn entry(&self, key: &str) -> Option<&(Node, Node)> {
        match &self.kind {
            Kind::Object(pairs) => pairs.iter().rev().find(|(k, _)| k.text().is_some_and(|t| t == key)),
            _ => None,
        }
    }

    /// The first element of a list.
    pub(super) fn first(&self) -> Option<&Node> {
        match &self.kind {
            Kind::Array(items) => items.first(),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&EcoString> {
        match &self.kind {
            Kind::Str(s) => Some(s),
            _ => None,
        }
    }

    pub(super) fn what(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Int(_) | Kind::Float(_) => "a number",
            Kind::Str(_) => "a string",
            Kind::Bytes(_) => "a binary",
            Kind::Array(_) => "a list",
            Kind::Object(_) => "an object",
        }
    }
}

pub(super) fn too_deep(span: Span) -> Box<Diagnostic> {
    let message = format!("lists and objects are nested more than {MAX_DEPTH} deep");
    Box::new(Diagnostic::new(Code::NestingTooDeep, span, message).help("a resource's parameters never need that"))
}
