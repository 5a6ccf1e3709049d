//! Loaded types by name.

use super::TypeDef;
use crate::value::Symbol;
use indexmap::IndexMap;
use std::sync::Arc;

/// The loaded types. Registries are independent values, which may hold different versions of a type.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    types: IndexMap<Symbol, Arc<TypeDef>>,
}

impl Registry {
    /// Creates an empty registry.
    pub fn new() -> Registry {
        Registry::default()
    }

    /// Adds a type and returns the replaced type with the same name.
    pub fn insert(&mut self, type_def: Arc<TypeDef>) -> Option<Arc<TypeDef>> {
        self.types.insert(type_def.name.clone(), type_def)
    }

    /// Returns the type `name`.
    pub fn get(&self, name: &str) -> Option<&Arc<TypeDef>> {
        self.types.get(name)
    }

    /// Returns all types in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<TypeDef>> {
        self.types.values()
    }
}
