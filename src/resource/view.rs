//! What blocks see of an instance, while it is built and afterwards.

use super::instance::{self, Slot, all_wanted, provider_name, wanted};
use super::{Backend, Context, kinds};
use crate::diagnostics::Code;
use crate::eval::{CatalogQuery, Failure, Frame, ProviderQuery, Scope, World, run};
use crate::source::Span;
use crate::types::{AttrId, Program, ProviderDef, Role, TypeDef};
use crate::value::{EcoString, ResourceRef, Symbol, Value};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Where the values stand.
#[derive(Clone, Copy)]
pub(super) enum Slots<'a> {
    /// Still being filled.
    Building(&'a RefCell<Vec<Slot>>),
    /// Complete.
    Done(&'a instance::Slots),
}

impl Slots<'_> {
    fn with<T>(&self, id: AttrId, f: impl FnOnce(&Slot) -> T) -> Option<T> {
        match self {
            Slots::Building(slots) => slots.borrow().iter().find(|s| s.id == id).map(f),
            Slots::Done(slots) => slots.get(id).map(f),
        }
    }

    /// The stored value.
    pub fn stored(&self, id: AttrId) -> Option<Value> {
        self.with(id, |s| s.value.clone())
    }
}

/// Writes an attribute for `finalize`.
pub(super) type Assign<'a> = &'a dyn Fn(AttrId, Value) -> Result<(), Failure>;

/// An instance as its blocks see it.
pub(super) struct View<'a> {
    pub type_def: &'a TypeDef,
    pub title: &'a EcoString,
    pub slots: Slots<'a>,
    pub context: Context<'a>,
    pub provider: Option<BoundProvider<'a>>,
    /// What is on the machine, where it has been read.
    pub current: Option<&'a dyn Fn(AttrId) -> Result<Value, String>>,
    pub assign: Option<Assign<'a>>,
    /// Whether a block has looked at anything but its arguments: unless it has, it gives the same for the same value always.
    pub looked: Cell<bool>,
}

impl View<'_> {
    /// Whether some property has a wanted value; an empty list is one, where lists are meant.
    ///
    /// Follows Puppet's `Puppet::Type#managed?`.
    pub fn managed(&self) -> bool {
        let ids = (0..self.type_def.attributes.len()).map(|i| AttrId(i as u16));
        ids.filter(|id| self.type_def.attribute(*id).is_some_and(|a| a.role == Role::Property))
            .any(|id| self.slots.with(id, |_| ()).is_some() && self.wanted(id).unwrapped().is_truthy())
    }

    /// The wanted value as `self.x` gives it.
    pub fn wanted(&self, id: AttrId) -> Value {
        let (Some(attribute), Some(stored)) = (self.type_def.attribute(id), self.slots.stored(id)) else { return Value::Nil };
        if let Some(code) = &attribute.should {
            let frame = Frame { scope: self, attribute: Some(&attribute.name), is: None, should: None, base: None };
            // A `should` block that fails leaves the plain value; the failure is told where it is compared.
            if let Ok(value) = run(code, &[all_wanted(&stored)], &frame) {
                return value;
            }
        }
        match &attribute.native {
            Some(kind) if attribute.role == Role::Property && !stored.has_unknown() => {
                let is = self.current.and_then(|read| read(id).ok()).map(|is| kinds::retrieved(kind, is));
                let value = kinds::should(kind, stored.unwrapped(), is.as_ref(), self);
                if stored.has_secret() { Value::Sensitive(Arc::new(value)) } else { value }
            }
            _ => wanted(attribute, &stored),
        }
    }
}

impl Scope for View<'_> {
    fn program(&self) -> &Program {
        &self.type_def.program
    }
    fn world(&self) -> &dyn World {
        self.looked.set(true);
        self.context.world
    }
    fn reference(&self) -> ResourceRef {
        self.looked.set(true);
        ResourceRef { type_name: self.type_def.name.clone(), title: self.title.clone() }
    }
    fn attribute(&self, id: AttrId) -> Value {
        self.looked.set(true);
        self.wanted(id)
    }
    fn is_set(&self, id: AttrId) -> bool {
        self.looked.set(true);
        self.slots.with(id, |_| ()).is_some()
    }
    fn raw(&self, id: AttrId) -> Value {
        self.looked.set(true);
        self.slots.with(id, |s| s.raw().clone()).unwrap_or_default()
    }
    fn is_managed(&self) -> bool {
        self.looked.set(true);
        self.managed()
    }
    fn current(&self, id: AttrId) -> Result<Value, Failure> {
        self.looked.set(true);
        match self.current {
            Some(read) => read(id).map_err(|m| Failure::new(Code::ReadFailed, Span::NONE, m)),
            None => Err(Failure::new(Code::NotAllowedHere, Span::NONE, "the machine has not been read yet")),
        }
    }
    fn assign(&self, id: AttrId, value: Value) -> Result<(), Failure> {
        self.looked.set(true);
        match self.assign {
            Some(assign) => assign(id, value),
            None => Err(Failure::new(Code::NotAllowedHere, Span::NONE, "only `finalize` may change an attribute")),
        }
    }
    fn provider(&self) -> Option<&dyn ProviderQuery> {
        self.looked.set(true);
        match &self.provider {
            Some(provider) => Some(provider),
            None => (self.context.offline && !self.type_def.providers.is_empty()).then_some(&UnknownProvider as &dyn ProviderQuery),
        }
    }
    fn catalog(&self) -> Option<&dyn CatalogQuery> {
        self.looked.set(true);
        Some(self.context.catalog)
    }
}

/// The provider of a machine that cannot be looked at: whatever it answers is not known.
struct UnknownProvider;

impl ProviderQuery for UnknownProvider {
    fn name(&self) -> Symbol {
        Symbol::from("unknown")
    }

    fn has(&self, _: &str) -> bool {
        true
    }

    fn call(&self, _: &str, _: &[Value]) -> Result<Value, String> {
        Ok(Value::Unknown)
    }
}

/// A provider together with the resource that asks it.
pub(super) struct BoundProvider<'a> {
    pub type_def: &'a TypeDef,
    pub provider: &'a ProviderDef,
    pub backend: Option<&'a dyn Backend>,
    pub slots: Slots<'a>,
}

impl BoundProvider<'_> {
    fn setting(&self, method: &str) -> Option<&crate::types::Setting> {
        let mut provider = Some(self.provider);
        let mut depth = 0;
        while let Some(p) = provider {
            if let Some(setting) = p.settings.get(method) {
                return Some(setting);
            }
            depth += 1;
            provider = p.parent.as_ref().filter(|_| depth < 16).and_then(|(n, _)| self.type_def.providers.get(n.as_str()));
        }
        None
    }
}

impl ProviderQuery for BoundProvider<'_> {
    fn name(&self) -> Symbol {
        self.provider.name.clone()
    }

    fn has(&self, name: &str) -> bool {
        let symbol = Symbol::from(name);
        super::supports(self.type_def, self.provider, &symbol)
            || self.provider.queries.contains(&symbol)
            || self.provider.actions.contains(&symbol)
            || self.setting(name).is_some()
    }

    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, String> {
        if let Some(crate::types::Setting::Value(value)) = self.setting(method) {
            return Ok(value.clone());
        }
        let Some(backend) = self.backend else {
            return Err(format!("`provider.{method}` cannot be asked here, nothing is read"));
        };
        let get = |name: &str| {
            let id = self.type_def.id_of(name);
            let stored = id.and_then(|id| self.slots.stored(id));
            match (id.and_then(|id| self.type_def.attribute(id)), stored) {
                (Some(attribute), Some(stored)) => wanted(attribute, &stored),
                _ => Value::Nil,
            }
        };
        backend.query(
            self.provider,
            &provider_name(self.type_def, |id| self.slots.with(id, |s| s.value.to_text())),
            &get,
            method,
            arguments,
        )
    }
}
