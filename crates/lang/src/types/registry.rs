//! Types by name.

use super::TypeDef;
use crate::value::Symbol;
use indexmap::IndexMap;
use std::sync::Arc;

/// The types that somebody has loaded. A value: two registries know nothing of each other, and may hold
/// different versions of one type.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    types: IndexMap<Symbol, Arc<TypeDef>>,
}

impl Registry {
    /// A registry without types.
    pub fn new() -> Registry {
        Registry::default()
    }

    /// Adds a type, replacing one of the same name.
    pub fn insert(&mut self, type_def: Arc<TypeDef>) -> Option<Arc<TypeDef>> {
        self.types.insert(type_def.name.clone(), type_def)
    }

    /// The type of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<TypeDef>> {
        self.types.get(name)
    }

    /// All types in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<TypeDef>> {
        self.types.values()
    }
}
