//! The common tree of JSON and YAML, with source spans.

use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;
use crate::value::{EcoString, Map, Value};
use serde_json::Value as Json;
use std::sync::Arc;

/// Maximum nesting of lists and objects: far more than resources need, far less than would overflow the stack.
pub const MAX_DEPTH: usize = 100;

/// The help for an integer beyond 64 bits. Conversion to a float would change the number.
const AS_TEXT: &str = "write it as text, in quotes";

/// Returns the error for an integer beyond 64 bits.
pub(super) fn too_large(number: &str, span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::BadInput, span, format!("`{number}` does not fit into 64 bits")).help(AS_TEXT))
}

/// A value with its source location.
#[derive(Clone, Debug, PartialEq)]
pub struct DataNode {
    /// The value.
    pub kind: Kind,
    /// Location of the value.
    pub span: Span,
    /// Location of a YAML alias's anchored node; same as `span` for other values.
    pub defined: Span,
}

/// The value of a [`DataNode`].
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Str(EcoString),
    /// A YAML `!binary` value.
    Bytes(Value),
    /// A list.
    Array(Vec<DataNode>),
    /// Pairs in source order; keys may be repeated.
    Object(Vec<(DataNode, DataNode)>),
}

impl DataNode {
    /// Creates a node.
    pub fn new(kind: Kind, span: Span) -> DataNode {
        DataNode { kind, span, defined: span }
    }

    /// Returns the value of a key, or the last value if the key is repeated.
    pub fn get(&self, key: &str) -> Option<&DataNode> {
        self.entry(key).map(|(_, value)| value)
    }

    /// Returns a key with its value, or the last such pair if the key is repeated.
    pub fn entry(&self, key: &str) -> Option<&(DataNode, DataNode)> {
        match &self.kind {
            Kind::Object(pairs) => pairs.iter().rev().find(|(k, _)| k.text().is_some_and(|t| t == key)),
            _ => None,
        }
    }

    /// Returns the first element of a list.
    pub fn first(&self) -> Option<&DataNode> {
        match &self.kind {
            Kind::Array(items) => items.first(),
            _ => None,
        }
    }

    /// Returns the content of a string.
    pub fn text(&self) -> Option<&EcoString> {
        match &self.kind {
            Kind::Str(s) => Some(s),
            _ => None,
        }
    }

    /// Returns the data as a value. The last value of a repeated key wins.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Nil,
            Kind::Bool(b) => Value::Bool(*b),
            Kind::Int(n) => Value::Int(*n),
            Kind::Float(n) => Value::Float(*n),
            Kind::Str(text) => Value::Str(text.clone()),
            Kind::Bytes(bytes) => bytes.clone(),
            Kind::Array(items) => Value::array(items.iter().map(DataNode::to_value)),
            Kind::Object(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| (key.to_value(), value.to_value()));
                Value::Map(Arc::new(pairs.collect::<Map>()))
            }
        }
    }

    /// Returns the data as JSON: keys that are not strings become strings, numbers without a JSON form become null.
    pub fn to_json(&self) -> Json {
        match &self.kind {
            Kind::Null => Json::Null,
            Kind::Bool(b) => Json::Bool(*b),
            Kind::Int(n) => Json::from(*n),
            Kind::Float(n) => Json::from(*n),
            Kind::Str(text) => Json::from(text.as_str()),
            Kind::Bytes(bytes) => bytes.to_json(),
            Kind::Array(items) => items.iter().map(DataNode::to_json).collect(),
            Kind::Object(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| (key.to_value().to_text().to_string(), value.to_json()));
                Json::Object(pairs.collect())
            }
        }
    }

    /// Returns the value's kind with an article, for messages.
    pub fn what(&self) -> &'static str {
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
