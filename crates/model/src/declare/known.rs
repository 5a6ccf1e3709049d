//! Catalog queries in blocks, including queries for types without declared resources.

use crate::resource::{Backend, Catalog};
use rtype_lang::eval::{CatalogQuery, QueryError};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_lang::types::{Role, TypeDef};
use rtype_lang::value::{EcoString, Map, ResourceRef, Symbol, Value};
use std::sync::Arc;

/// A catalog together with the types that blocks may ask about.
#[derive(Clone, Copy)]
pub struct KnownResources<'a> {
    catalog: &'a Catalog,
    types: &'a TypeSet,
    backend: Option<&'a dyn Backend>,
    lenient: bool,
    builds_generated: bool,
}

impl<'a> KnownResources<'a> {
    /// Creates the query object. `backend` lists the machine's instances; it is `None` if the machine must not be read.
    pub fn new(catalog: &'a Catalog, types: &'a TypeSet, backend: Option<&'a dyn Backend>) -> KnownResources<'a> {
        KnownResources { catalog, types, backend, lenient: false, builds_generated: false }
    }

    /// Makes a missing type unknown instead of nil, because it may exist on the target machine.
    #[must_use]
    pub(super) fn lenient(self, lenient: bool) -> KnownResources<'a> {
        KnownResources { lenient, ..self }
    }

    /// Sets whether a generated resource gets its values, which is not in the catalog yet.
    #[must_use]
    pub(super) fn builds_generated(self, builds_generated: bool) -> KnownResources<'a> {
        KnownResources { builds_generated, ..self }
    }
}

impl CatalogQuery for KnownResources<'_> {
    fn resources(&self, type_name: Option<&str>) -> Vec<ResourceRef> {
        self.catalog.resources(type_name)
    }

    fn find(&self, type_name: &str, title: &str) -> Option<ResourceRef> {
        self.catalog.find(type_name, title)
    }

    fn attribute(&self, resource: &ResourceRef, name: &str) -> Value {
        self.catalog.attribute(resource, name)
    }

    fn has_resource(&self) -> bool {
        !self.builds_generated
    }

    fn instances(&self, type_name: &str) -> Result<Value, QueryError> {
        let Some(backend) = self.backend else { return Ok(Value::Unknown) };
        let type_def = self.types.load(type_name).ok_or_else(|| QueryError::UnknownType(type_name.into()))?;
        backend.instances(&type_def)
    }

    fn type_facts(&self, type_name: &str) -> Value {
        match self.types.load(type_name) {
            Some(type_def) => facts(&type_def),
            // The type exists, but its file has errors. They are reported with the file.
            None if self.types.names().iter().any(|n| n == type_name) => Value::Unknown,
            None if self.lenient => Value::Unknown,
            None => Value::Nil,
        }
    }

    fn declared_at(&self, resource: &ResourceRef) -> Option<(EcoString, u32)> {
        self.place_of(self.catalog.get(resource.type_name.as_str(), &resource.title)?.span)
    }

    fn place_of(&self, span: Span) -> Option<(EcoString, u32)> {
        let source = self.types.sources.find(span)?;
        Some((source.name().into(), source.position(span.start).line))
    }
}

/// Returns the result of `catalog.type(…)`.
fn facts(type_def: &TypeDef) -> Value {
    let names = |names: &mut dyn Iterator<Item = &Symbol>| Value::array(names.map(|n| Value::Sym(n.clone())));
    let ensure = type_def.attribute_named("ensure").filter(|a| a.role == Role::Property);
    let removable = ensure.is_some_and(|e| e.values.is_empty() || e.values.find("absent").is_some());
    let pairs = [
        ("name", Value::Sym(type_def.name.clone())),
        ("ensurable", Value::Bool(ensure.is_some())),
        ("removable", Value::Bool(removable)),
        ("lists", Value::Bool(type_def.lists_instances)),
        ("namevars", names(&mut type_def.namevars.iter().filter_map(|id| type_def.attribute(*id)).map(|a| &a.name))),
        ("properties", names(&mut type_def.properties().map(|a| &a.name))),
        ("params", names(&mut type_def.params().map(|a| &a.name))),
        ("features", names(&mut type_def.features.keys())),
        ("providers", names(&mut type_def.providers.keys())),
    ];
    Value::Map(Arc::new(pairs.into_iter().map(|(k, v)| (Value::sym(k), v)).collect::<Map>()))
}
