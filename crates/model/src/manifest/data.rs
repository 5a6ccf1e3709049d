//! The common tree of JSON and YAML, with source spans.

use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use rtype_lang::value::{EcoString, Value};
use serde_json::Value as Json;

/// Maximum nesting of lists and objects: far more than resources need, far less than would overflow the stack.
pub(super) const MAX_DEPTH: usize = 100;

/// The help for an integer beyond 64 bits, which would be another number as a float.
pub(super) const AS_TEXT: &str = "write it as text, in quotes";

/// Returns the message for an integer beyond 64 bits.
pub(super) fn too_large(number: impl std::fmt::Display) -> String {
    format!("`{number}` does not fit into 64 bits")
}

/// A value with its source location.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Location of the text that a YAML alias refers to; same as `span` for other values.
    pub(super) defined: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(EcoString),
    /// A YAML `!binary` value.
    Bytes(Value),
    Array(Vec<Node>),
    /// Pairs in source order; keys may be repeated.
    Object(Vec<(Node, Node)>),
}

impl Node {
    pub(super) fn new(kind: Kind, span: Span) -> Node {
        Node { kind, span, defined: span }
    }

    /// Returns the value of a key; the last one if the key is repeated.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    /// Returns a key with its value; the last one if the key is repeated.
    pub(super) fn entry(&self, key: &str) -> Option<&(Node, Node)> {
        match &self.kind {
            Kind::Object(pairs) => pairs.iter().rev().find(|(k, _)| k.text().is_some_and(|t| t == key)),
            _ => None,
        }
    }

    /// Returns the first element of a list.
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

    /// Returns the data without locations.
    pub(super) fn to_json(&self) -> Json {
        match &self.kind {
            Kind::Null => Json::Null,
            Kind::Bool(b) => Json::Bool(*b),
            Kind::Int(n) => Json::from(*n),
            Kind::Float(n) => Json::from(*n),
            Kind::Str(text) => Json::from(text.as_str()),
            Kind::Bytes(bytes) => bytes.to_json(),
            Kind::Array(items) => items.iter().map(Node::to_json).collect(),
            Kind::Object(pairs) => {
                let pairs = pairs.iter().filter_map(|(key, value)| Some((key.text()?.to_string(), value.to_json())));
                Json::Object(pairs.collect())
            }
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
