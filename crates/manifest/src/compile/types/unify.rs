//! The common type of two types.

use super::{Enumeration, FloatBounds, Type};
use ecow::EcoString;
use std::sync::Arc;

/// Returns the smallest range with both ranges.
pub fn union(a: FloatBounds, b: FloatBounds) -> FloatBounds {
    FloatBounds { from: a.from.and_then(|a| Some(a.min(b.from?))), to: a.to.and_then(|a| Some(a.max(b.to?))) }
}

impl Type {
    /// Returns the most precise type that accepts two types, as Puppet determines the type of elements.
    #[must_use]
    pub fn common(&self, other: &Type) -> Type {
        if matches!(self, Type::Undef | Type::Unit) {
            return other.clone();
        }
        if matches!(other, Type::Undef | Type::Unit) || self.accepts(other) {
            return self.clone();
        }
        if other.accepts(self) {
            return other.clone();
        }
        match (self, other) {
            (Type::Array(a, _), Type::Array(b, _)) => Type::array(a.common(b)),
            (Type::Hash(a, _), Type::Hash(b, _)) => Type::hash(a.0.common(&b.0), a.1.common(&b.1)),
            (Type::Class(_), Type::Class(_)) => Type::Class(None),
            (Type::Resource(a, _), Type::Resource(b, _)) if a == b => Type::Resource(a.clone(), None),
            (Type::Resource(..), Type::Resource(..)) => Type::Resource(None, None),
            (Type::Integer(a), Type::Integer(b)) => Type::Integer(a.union(*b)),
            (Type::Float(a), Type::Float(b)) => Type::Float(union(*a, *b)),
            (Type::String(a), Type::String(b)) => Type::String(a.union(*b)),
            (Type::String(_), Type::Literal(_)) | (Type::Literal(_), Type::String(_)) => Type::STRING,
            (Type::String(_), Type::Enum(_)) | (Type::Enum(_), Type::String(_)) => enumeration(Vec::new()),
            (Type::Literal(a), Type::Literal(b)) => enumeration(vec![a.clone(), b.clone()]),
            (Type::Literal(text), Type::Enum(e)) | (Type::Enum(e), Type::Literal(text)) => {
                enumeration(e.values.iter().cloned().chain([text.clone()]).collect())
            }
            (Type::Enum(a), Type::Enum(b)) => enumeration(a.values.iter().chain(&b.values).cloned().collect()),
            (Type::Pattern(a), Type::Pattern(b)) => {
                let new = b.iter().filter(|p| !a.iter().any(|known| known.source == p.source));
                Type::Pattern(Arc::new(a.iter().chain(new).cloned().collect()))
            }
            (Type::Variant(a), Type::Variant(b)) => Type::variant(a.iter().chain(b.iter()).cloned().collect()),
            (Type::Regexp(_), Type::Regexp(_)) => Type::Regexp(None),
            (Type::Callable(_), Type::Callable(_)) => {
                Type::Callable(Arc::new(super::Callable { parameters: None, block: None, returns: None }))
            }
            _ => self.common_kind(other),
        }
    }

    fn common_kind(&self, other: &Type) -> Type {
        for kind in [Type::Numeric, Type::ScalarData, Type::Scalar, Type::Data] {
            if kind.accepts(self) && kind.accepts(other) {
                return kind;
            }
        }
        if let (Type::Type(a), Type::Type(b)) = (self, other) {
            return Type::Type(Arc::new(a.common(b)));
        }
        if Type::RichData.accepts(self) && Type::RichData.accepts(other) {
            return Type::RichData;
        }
        Type::Any
    }
}

fn enumeration(mut values: Vec<EcoString>) -> Type {
    values.sort();
    values.dedup();
    Type::Enum(Arc::new(Enumeration { values, ignores_case: false }))
}
