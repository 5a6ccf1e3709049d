//! The catalog of declared resources.

use super::{BlockMessage, Instance, title};
use foldhash::fast::RandomState;
use indexmap::{Equivalent, IndexSet};
use rtype_lang::eval::{CatalogQuery, QueryError};
use rtype_lang::source::Span;
use rtype_lang::types::TypeDef;
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Instances in declaration order, indexed by reference, identity and alias.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    instances: IndexSet<Entry, RandomState>,
    /// References with an identity in place of the title, where these differ.
    identities: HashMap<ResourceRef, ResourceRef, RandomState>,
    /// Instances by type and identity, without those whose title is the text of the identity. Different identities may have one text.
    identified: HashMap<(Symbol, Vec<Value>), ResourceRef, RandomState>,
    /// The number of generated instances.
    generated: usize,
    /// References with an alias in place of the title.
    aliases: HashMap<ResourceRef, ResourceRef, RandomState>,
    types: HashMap<Symbol, Arc<TypeDef>, RandomState>,
    /// What blocks logged while the instances were built.
    messages: Vec<BlockMessage>,
}

/// An instance that is hashed by its reference, so that the reference is not stored twice.
#[derive(Clone, Debug)]
struct Entry(Arc<Instance>);

impl Entry {
    fn key(&self) -> (&Symbol, &EcoString) {
        (&self.0.type_def.name, &self.0.title)
    }
}

impl Hash for Entry {
    /// Hashes like a [`ResourceRef`].
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Entry {}

impl Equivalent<Entry> for ResourceRef {
    fn equivalent(&self, entry: &Entry) -> bool {
        (&self.type_name, &self.title) == entry.key()
    }
}

impl Catalog {
    /// Reserves capacity for `more` instances.
    pub fn reserve(&mut self, more: usize) {
        self.instances.reserve(more);
    }

    /// Adds an instance, or replaces the one with the same reference.
    pub fn insert(&mut self, instance: Arc<Instance>) {
        let own = instance.reference();
        if self.instances.contains(&own) {
            self.forget_names(&own);
        }
        let note = |names: &mut HashMap<ResourceRef, ResourceRef, RandomState>, title: EcoString| {
            if title != own.title {
                names.entry(ResourceRef { title, ..own.clone() }).or_insert_with(|| own.clone());
            }
        };
        let identity = instance.identity();
        if !identity.iter().any(Value::has_unknown) {
            let text = joined(identity.iter().map(Value::to_text));
            if text != own.title {
                self.identified.entry((own.type_name.clone(), identity)).or_insert_with(|| own.clone());
            }
            note(&mut self.identities, text);
        }
        instance.aliases().into_iter().for_each(|alias| note(&mut self.aliases, alias));
        self.types.insert(own.type_name.clone(), Arc::clone(&instance.type_def));
        self.generated += usize::from(instance.generated_by().is_some());
        let replaced = self.instances.replace(Entry(instance));
        self.generated -= usize::from(replaced.is_some_and(|older| older.0.generated_by().is_some()));
    }

    /// Inserts an instance directly after another one.
    pub fn insert_after(&mut self, before: &ResourceRef, instance: Arc<Instance>) {
        let own = instance.reference();
        self.insert(instance);
        if let (Some(from), Some(place)) = (self.instances.get_index_of(&own), self.instances.get_index_of(before)) {
            self.instances.move_index(from, if from > place { place + 1 } else { place });
        }
    }

    /// Adds messages that blocks logged while the instances were built.
    pub fn log(&mut self, messages: impl IntoIterator<Item = BlockMessage>) {
        self.messages.extend(messages);
    }

    /// Returns the messages that blocks logged while the instances were built.
    pub fn messages(&self) -> &[BlockMessage] {
        &self.messages
    }

    /// Removes an instance and everything it generated.
    pub fn remove(&mut self, reference: &ResourceRef) -> Option<Arc<Instance>> {
        self.forget_names(reference);
        let gone = self.instances.shift_take(reference).map(|entry| entry.0);
        self.generated -= usize::from(gone.as_ref().is_some_and(|gone| gone.generated_by().is_some()));
        self.remove_generated(Some(reference));
        gone
    }

    /// Removes everything that the resource `by` generated; with `None`, all generated resources.
    pub fn remove_generated(&mut self, by: Option<&ResourceRef>) {
        let made = |i: &&Arc<Instance>| by.is_none_or(|by| i.generated_by() == Some(by));
        let references: Vec<ResourceRef> = self.generated().filter(made).map(|i| i.reference()).collect();
        for reference in references {
            self.remove(&reference);
        }
    }

    /// Removes the identity and the aliases of an instance.
    fn forget_names(&mut self, own: &ResourceRef) {
        self.identities.retain(|_, of| of != own);
        self.identified.retain(|_, of| of != own);
        self.aliases.retain(|_, of| of != own);
    }

    /// Iterates over the instances of types that generate resources.
    pub fn generators(&self) -> impl Iterator<Item = &Arc<Instance>> {
        let generates = |t: &TypeDef| t.generate.is_some() || t.eval_generate.is_some();
        // The instances are not visited if no type generates resources.
        let all = self.types.values().any(|t| generates(t)).then(|| self.iter());
        all.into_iter().flatten().filter(move |i| generates(&i.type_def))
    }

    /// Iterates over the generated instances.
    pub fn generated(&self) -> impl Iterator<Item = &Arc<Instance>> {
        // Most catalogs have no generated instance, and need no visit of all instances.
        let all = (self.generated > 0).then(|| self.iter());
        all.into_iter().flatten().filter(|i| i.generated_by().is_some())
    }

    /// Returns the instance of a type that has exactly this identity.
    pub fn identified(&self, type_name: &Symbol, identity: &[Value]) -> Option<&Arc<Instance>> {
        let same = ResourceRef { type_name: type_name.clone(), title: joined(identity.iter().map(Value::to_text)) };
        let titled = self.instances.get(&same).map(|entry| &entry.0).filter(|instance| instance.identity() == identity);
        titled.or_else(|| self.instances.get(self.identified.get(&(type_name.clone(), identity.to_vec()))?).map(|entry| &entry.0))
    }

    /// Iterates over all instances in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Instance>> {
        self.instances.iter().map(|entry| &entry.0)
    }

    /// Returns the instance at an index.
    pub fn at(&self, place: usize) -> Option<&Arc<Instance>> {
        self.instances.get_index(place).map(|entry| &entry.0)
    }

    /// Iterates over a resource and its generators, innermost first; the last one is declared.
    pub fn lineage<'c>(&'c self, of: &'c Instance) -> impl Iterator<Item = &'c Instance> {
        let generated_by = |one: &&'c Instance| self.named(one.generated_by()?).map(Arc::as_ref);
        // More than the maximum nesting of generated resources.
        std::iter::successors(Some(of), generated_by).take(64)
    }

    /// Returns the declared resource that generated another one, directly or indirectly.
    pub fn declared_for<'c>(&'c self, generated: &'c Instance) -> Option<&'c Instance> {
        self.lineage(generated).last()
    }

    /// Returns a metaparameter of a resource; if unset, the value of the nearest generator.
    pub fn inherited(&self, of: &Instance, metaparameter: &str) -> Value {
        self.lineage(of).map(|one| one.get(metaparameter)).find(|value| !value.is_nil()).unwrap_or_default()
    }

    /// Returns the number of instances.
    pub fn len(&self) -> usize {
        self.instances.len()
    }

    /// Returns whether the catalog is empty.
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// Returns the instance with this type and title, with this identity or alias, or with the identity that the title resolves to.
    pub fn get(&self, type_name: &str, title: &str) -> Option<&Arc<Instance>> {
        let type_def = self.types.get(type_name)?;
        let mut reference = ResourceRef { type_name: type_def.name.clone(), title: title.into() };
        if let Some(found) = self.named(&reference) {
            return Some(found);
        }
        // Namevars that the title does not set are nil.
        let values = title::parse(type_def, title)?.values;
        if let ([_], [(_, all)]) = (type_def.namevars.as_slice(), values.as_slice())
            && *all == reference.title
        {
            return None;
        }
        let part = |id| values.iter().find(|(of, _)| of == id).map(|(_, text)| text.clone()).unwrap_or_default();
        reference.title = joined(type_def.namevars.iter().map(part));
        self.named(&reference)
    }

    /// Returns the instance whose reference, identity or alias is exactly `reference`.
    pub fn named(&self, reference: &ResourceRef) -> Option<&Arc<Instance>> {
        let other = || self.identities.get(reference).or_else(|| self.aliases.get(reference));
        let found = self.instances.get(reference).or_else(|| self.instances.get(other()?));
        found.map(|entry| &entry.0)
    }
}

/// Joins the parts of an identity into a single string.
fn joined(mut parts: impl Iterator<Item = EcoString>) -> EcoString {
    let mut all = parts.next().unwrap_or_default();
    for part in parts {
        all.push('\0');
        all.push_str(&part);
    }
    all
}

impl CatalogQuery for Catalog {
    fn resources(&self, type_name: Option<&str>) -> Vec<ResourceRef> {
        let of_type = |i: &&Arc<Instance>| type_name.is_none_or(|t| i.type_def.name.as_str() == t);
        self.iter().filter(of_type).map(|i| i.reference()).collect()
    }

    fn find(&self, type_name: &str, title: &str) -> Option<ResourceRef> {
        self.get(type_name, title).map(|i| i.reference())
    }

    fn attribute(&self, resource: &ResourceRef, name: &str) -> Value {
        let Some(instance) = self.get(resource.type_name.as_str(), &resource.title) else { return Value::Nil };
        // `name` is also the only namevar.
        let known = instance.type_def.id_declared_as(name).and_then(|id| instance.type_def.attribute(id));
        instance.get(known.map_or(name, |a| a.name.as_str()))
    }
}

/// A catalog that remembers which titles name no resource. The files of a directory ask for the same directories above it, and a title
/// that is not a reference is only known to name nothing after the type's patterns have parsed it.
pub(super) struct RememberingCatalog<'c> {
    catalog: &'c dyn CatalogQuery,
    missing: RefCell<HashSet<ResourceRef, RandomState>>,
}

impl<'c> RememberingCatalog<'c> {
    /// Wraps a catalog that does not change while this exists.
    pub(super) fn new(catalog: &'c dyn CatalogQuery) -> RememberingCatalog<'c> {
        RememberingCatalog { catalog, missing: RefCell::default() }
    }
}

impl CatalogQuery for RememberingCatalog<'_> {
    fn resources(&self, type_name: Option<&str>) -> Vec<ResourceRef> {
        self.catalog.resources(type_name)
    }

    fn find(&self, type_name: &str, title: &str) -> Option<ResourceRef> {
        let reference = ResourceRef { type_name: type_name.into(), title: title.into() };
        if self.missing.borrow().contains(&reference) {
            return None;
        }
        let found = self.catalog.find(type_name, title);
        if found.is_none() {
            self.missing.borrow_mut().insert(reference);
        }
        found
    }

    fn attribute(&self, resource: &ResourceRef, name: &str) -> Value {
        self.catalog.attribute(resource, name)
    }

    fn has_resource(&self) -> bool {
        self.catalog.has_resource()
    }

    fn instances(&self, type_name: &str) -> Result<Value, QueryError> {
        self.catalog.instances(type_name)
    }

    fn type_facts(&self, type_name: &str) -> Value {
        self.catalog.type_facts(type_name)
    }

    fn declared_at(&self, resource: &ResourceRef) -> Option<(EcoString, u32)> {
        self.catalog.declared_at(resource)
    }

    fn place_of(&self, span: Span) -> Option<(EcoString, u32)> {
        self.catalog.place_of(span)
    }
}

/// An empty catalog.
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
