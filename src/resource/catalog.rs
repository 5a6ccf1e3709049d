//! The resources that are declared together.

use super::Instance;
use crate::eval::CatalogQuery;
use crate::value::{ResourceRef, Value};
use indexmap::IndexMap;
use std::sync::Arc;

/// Instances by reference, in the order of declaration.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    instances: IndexMap<ResourceRef, Arc<Instance>>,
}

impl Catalog {
    /// Adds or replaces an instance.
    pub fn insert(&mut self, instance: Arc<Instance>) {
        self.instances.insert(instance.reference(), instance);
    }

    /// Takes an instance out.
    pub fn remove(&mut self, reference: &ResourceRef) -> Option<Arc<Instance>> {
        self.instances.shift_remove(reference)
    }

    /// All instances in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Instance>> {
        self.instances.values()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.instances.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// The instance of this type and title, or of this identity.
    pub fn get(&self, type_name: &str, title: &str) -> Option<&Arc<Instance>> {
        let reference = ResourceRef { type_name: type_name.into(), title: title.into() };
        self.instances
            .get(&reference)
            .or_else(|| self.instances.values().find(|i| i.type_def.name.as_str() == type_name && i.name() == title))
    }
}

impl CatalogQuery for Catalog {
    fn resources(&self, type_name: Option<&str>) -> Vec<ResourceRef> {
        self.instances.keys().filter(|r| type_name.is_none_or(|t| r.type_name.as_str() == t)).cloned().collect()
    }

    fn find(&self, type_name: &str, title: &str) -> Option<ResourceRef> {
        self.get(type_name, title).map(|i| i.reference())
    }

    fn attribute(&self, resource: &ResourceRef, name: &str) -> Value {
        self.get(resource.type_name.as_str(), &resource.title).map_or(Value::Nil, |i| i.get(name))
    }
}

/// No other resources.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCatalog;

impl CatalogQuery for NoCatalog {
    fn resources(&self, _: Option<&str>) -> Vec<ResourceRef> {
        Vec::new()
    }

    fn find(&self, _: &str, _: &str) -> Option<ResourceRef> {
        None
    }

    fn attribute(&self, _: &ResourceRef, _: &str) -> Value {
        Value::Nil
    }
}
