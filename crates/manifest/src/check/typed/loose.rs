//! Types in which all types of strings are the type of all strings.

use crate::compile::types::{IntegerBounds, StructMember, Tuple, Type};
use std::sync::Arc;

/// The number of types inside a type, each alias with its target, from which on the rest fits everything.
const MAX_PARTS: usize = 2000;

/// The nesting from which on the parts of a type fit everything.
const MAX_NESTING: usize = 50;

/// Returns a type that also has the values of the other type, with any other text in strings.
pub(super) fn loosened(of: &Type) -> Type {
    Loosening { left: MAX_PARTS }.part(of, MAX_NESTING)
}

struct Loosening {
    left: usize,
}

impl Loosening {
    fn part(&mut self, of: &Type, nesting: usize) -> Type {
        let (Some(left), Some(nesting)) = (self.left.checked_sub(1), nesting.checked_sub(1)) else { return Type::Any };
        self.left = left;
        let mut inner = |of: &Type| Arc::new(self.part(of, nesting));
        match of {
            Type::String(_) | Type::Literal(_) | Type::Enum(_) | Type::Pattern(_) => Type::STRING,
            Type::Alias(alias) => alias.target.get().map_or(Type::Any, |target| self.part(target, nesting)),
            Type::Array(of, size) => Type::Array(inner(of), *size),
            Type::Hash(types, size) => {
                let types = (self.part(&types.0, nesting), self.part(&types.1, nesting));
                Type::Hash(Arc::new(types), *size)
            }
            Type::Optional(of) if !matches!(**of, Type::Unit) => Type::Optional(inner(of)),
            Type::NotUndef(of) => Type::NotUndef(inner(of)),
            Type::Sensitive(of) => Type::Sensitive(inner(of)),
            Type::Variant(types) => Type::Variant(Arc::new(types.iter().map(|of| self.part(of, nesting)).collect())),
            Type::Tuple(tuple) => {
                let types = tuple.types.iter().map(|of| self.part(of, nesting)).collect();
                Type::Tuple(Arc::new(Tuple { types, size: tuple.size }))
            }
            Type::Struct(members) => {
                let member = |member: &StructMember| StructMember { value: self.part(&member.value, nesting), ..member.clone() };
                Type::Struct(Arc::new(members.iter().map(member).collect()))
            }
            Type::Collection(_) => Type::Collection(IntegerBounds::SIZE),
            Type::Boolean(_) | Type::Integer(_) | Type::Float(_) | Type::Numeric | Type::Undef | Type::Default | Type::Regexp(_) => {
                of.clone()
            }
            Type::Scalar | Type::ScalarData | Type::Data | Type::RichData => of.clone(),
            _ => Type::Any,
        }
    }
}
