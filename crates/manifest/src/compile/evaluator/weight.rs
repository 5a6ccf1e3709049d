//! The size of values, in which shared parts count each time.
//!
//! Forty assignments such as `$b = [$a, $a]` make a small value, because its parts are shared, whose text would fill any
//! memory. Values are therefore measured when they are made.

use crate::compile::types::Type;
use crate::compile::value::{ManifestValue, ValueMap};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// The bytes that an element counts.
const ELEMENT: usize = 16;
/// Collections with fewer elements are measured again each time, unless they contain collections.
const SMALL: usize = 16;

/// The number of types that a type may contain.
const MAX_TYPES: usize = 200_000;

/// The size and the nesting of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueWeight {
    /// The bytes of all elements and strings, as if nothing was shared.
    pub bytes: usize,
    /// The nesting depth: 1 for a list of strings, 2 for a list of such lists.
    pub depth: usize,
}

/// A collection that was measured. Its address is not used again as long as this exists.
enum Measured {
    Array(#[allow(dead_code, reason = "keeps the address")] Weak<Vec<ManifestValue>>),
    Hash(#[allow(dead_code, reason = "keeps the address")] Weak<ValueMap>),
}

impl Measured {
    fn is_used(&self) -> bool {
        match self {
            Measured::Array(array) => array.strong_count() > 0,
            Measured::Hash(hash) => hash.strong_count() > 0,
        }
    }
}

/// The weights of collections by their address.
#[derive(Default)]
pub struct ValueWeights {
    known: HashMap<usize, (Measured, ValueWeight)>,
    /// When `known` has this many entries, entries of dropped collections are removed.
    next_cleaning: usize,
}

impl ValueWeights {
    /// Returns the weight of a value. `limit` is the depth at which the search ends.
    pub fn of(&mut self, value: &ManifestValue, limit: usize) -> ValueWeight {
        match value {
            ManifestValue::String(text) => ValueWeight { bytes: ELEMENT + text.len(), depth: 0 },
            ManifestValue::Binary(bytes) => ValueWeight { bytes: ELEMENT + bytes.len(), depth: 0 },
            ManifestValue::Array(array) => {
                let address = Arc::as_ptr(array).addr();
                self.collection(address, || Measured::Array(Arc::downgrade(array)), array.len(), &mut array.iter(), limit)
            }
            ManifestValue::Hash(hash) => {
                let address = Arc::as_ptr(hash).addr();
                let parts = &mut hash.iter().flat_map(|(key, value)| [key, value]);
                self.collection(address, || Measured::Hash(Arc::downgrade(hash)), 2 * hash.len(), parts, limit)
            }
            ManifestValue::Sensitive(inner) => self.sum(&mut std::iter::once(&**inner), limit),
            ManifestValue::Object(object) => self.sum(&mut object.attributes.values(), limit),
            ManifestValue::Iterator(sequence) => self.sum(&mut sequence.elements.iter(), limit),
            ManifestValue::Type(of) => {
                let mut left = MAX_TYPES;
                let is_within = count_types(of, limit, &mut left);
                ValueWeight { bytes: ELEMENT * (MAX_TYPES - left), depth: if is_within { 0 } else { usize::MAX } }
            }
            _ => ValueWeight { bytes: ELEMENT, depth: 0 },
        }
    }

    fn collection(
        &mut self,
        address: usize,
        measured: impl FnOnce() -> Measured,
        count: usize,
        parts: &mut dyn Iterator<Item = &ManifestValue>,
        limit: usize,
    ) -> ValueWeight {
        if let Some((_, weight)) = self.known.get(&address) {
            return *weight;
        }
        let weight = self.sum(parts, limit);
        if count >= SMALL || weight.depth > 1 {
            if self.known.len() >= self.next_cleaning {
                self.known.retain(|_, (measured, _)| measured.is_used());
                self.next_cleaning = 2 * self.known.len().max(1 << 12);
            }
            self.known.insert(address, (measured(), weight));
        }
        weight
    }

    fn sum(&mut self, parts: &mut dyn Iterator<Item = &ManifestValue>, limit: usize) -> ValueWeight {
        let mut all = ValueWeight { bytes: ELEMENT, depth: 1 };
        let Some(limit) = limit.checked_sub(1) else { return ValueWeight { depth: usize::MAX, ..all } };
        for part in parts {
            let weight = self.of(part, limit);
            all.bytes = all.bytes.saturating_add(weight.bytes);
            all.depth = all.depth.max(weight.depth.saturating_add(1));
        }
        all
    }
}

/// Counts the types inside of a type down from `left`. Returns `false` if there are more, or if they are nested deeper than `depth`.
fn count_types(of: &Type, depth: usize, left: &mut usize) -> bool {
    let (Some(depth), Some(rest)) = (depth.checked_sub(1), left.checked_sub(1)) else { return false };
    *left = rest;
    match of {
        Type::Array(inner, _)
        | Type::Optional(inner)
        | Type::NotUndef(inner)
        | Type::Iterable(inner)
        | Type::Iterator(inner)
        | Type::Sensitive(inner)
        | Type::Type(inner)
        | Type::Init(Some(inner), _) => count_types(inner, depth, left),
        Type::Hash(types, _) => count_types(&types.0, depth, left) && count_types(&types.1, depth, left),
        Type::Tuple(tuple) => tuple.types.iter().all(|of| count_types(of, depth, left)),
        Type::Struct(members) => members.iter().all(|member| count_types(&member.value, depth, left)),
        Type::Variant(types) => types.iter().all(|of| count_types(of, depth, left)),
        Type::Callable(callable) => {
            let parameters = callable.parameters.iter().flat_map(|parameters| &parameters.types);
            parameters.chain(&callable.block).chain(&callable.returns).all(|of| count_types(of, depth, left))
        }
        _ => true,
    }
}
