//! The scope for blocks that read an instance, both during and after building.

use super::instance::{self, Origin, Slot, all_wanted, wanted};
use super::provider::BoundProvider;
use super::verdict::PropertyReader;
use super::{BlockMessage, Context, kinds};
use crate::manifest::Declared;
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{CatalogQuery, Coverage, Failure, Frame, LogLevel, ProviderQuery, QueryError, Scope, World, run};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, Program, ProviderDef, Role, TypeDef};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values of an instance.
#[derive(Clone, Copy)]
pub(super) enum Slots<'a> {
    /// Still being built.
    Building(&'a [Slot]),
    /// Still being built, while a block reads and assigns them.
    Assigned(&'a RefCell<Vec<Slot>>),
    /// Complete.
    Done(&'a instance::Slots),
}

impl Slots<'_> {
    fn with<T>(&self, id: AttrId, f: impl FnOnce(&Slot) -> T) -> Option<T> {
        match self {
            Slots::Building(slots) => slots.iter().find(|s| s.id == id).map(f),
            Slots::Assigned(slots) => slots.borrow().iter().find(|s| s.id == id).map(f),
            Slots::Done(slots) => slots.get(id).map(f),
        }
    }

    /// Returns the stored value.
    pub fn stored(&self, id: AttrId) -> Option<Value> {
        self.with(id, |s| s.value.clone())
    }

    /// Returns the value as seen by blocks.
    pub fn seen(&self, id: AttrId) -> Option<Value> {
        self.with(id, |s| s.seen().clone())
    }
}

/// Sets an attribute in a `finalize` block.
pub(super) type Assign<'a> = &'a dyn Fn(AttrId, Result<Value, Failure>) -> Result<(), Failure>;

/// An instance as seen by the type's blocks.
pub(super) struct View<'a> {
    pub type_def: &'a TypeDef,
    /// The functions that blocks can call: the type's functions and, at a prompt, the entered functions.
    pub program: &'a Program,
    pub title: &'a EcoString,
    pub slots: Slots<'a>,
    pub context: Context<'a>,
    pub provider: Option<BoundProvider<'a>>,
    /// Reads the current value, if the machine has been read.
    pub current: Option<PropertyReader<'a>>,
    pub assign: Option<Assign<'a>>,
    /// The declaration, while the instance is built.
    pub declaration: Option<&'a Declared>,
    /// The attribute being converted, and the complete given value.
    pub given: Option<(AttrId, &'a Value)>,
    /// Values that property blocks have stored for messages, by property and name.
    pub memory: RefCell<BTreeMap<(Option<Symbol>, EcoString), Value>>,
    /// True if a block has used more than the arguments. Otherwise, the result depends only on the value and can be reused.
    pub looked: Cell<bool>,
}

/// Returns a value as a secret, except nil.
fn closed(value: Value) -> Value {
    if value.is_nil() || matches!(value, Value::Sensitive(_)) { value } else { Value::Sensitive(Arc::new(value)) }
}

impl<'a> View<'a> {
    /// Creates the scope for blocks that read these values.
    pub fn new(type_def: &'a TypeDef, title: &'a EcoString, slots: Slots<'a>, context: Context<'a>) -> View<'a> {
        View {
            type_def,
            program: &type_def.program,
            title,
            slots,
            context,
            provider: None,
            current: None,
            assign: None,
            declaration: None,
            given: None,
            memory: RefCell::default(),
            looked: Cell::default(),
        }
    }

    /// Adds a provider that blocks can query.
    pub fn with_provider(mut self, provider: Option<&'a ProviderDef>) -> View<'a> {
        let View { type_def, title, slots, context, .. } = self;
        self.provider = provider.map(|provider| BoundProvider { type_def, provider, context, title, slots, asked: Cell::new(0) });
        self
    }
}

impl View<'_> {
    /// Returns true if a property has a desired value. For lists, an empty list counts.
    ///
    /// Follows Puppet's `Puppet::Type#managed?`.
    pub fn managed(&self) -> bool {
        let ids = (0..self.type_def.attributes.len()).map(|i| AttrId(i as u16));
        ids.filter(|id| self.type_def.attribute(*id).is_some_and(|a| a.role == Role::Property))
            .any(|id| self.slots.with(id, |_| ()).is_some() && self.wanted(id).unwrapped().is_truthy())
    }

    /// Returns an attribute value, as a secret if the attribute is sensitive.
    fn hidden(&self, id: AttrId, value: Value) -> Value {
        let is_sensitive = self.type_def.attribute(id).is_some_and(|attribute| attribute.sensitive);
        if is_sensitive { closed(value) } else { value }
    }

    /// Returns the desired value as seen by `self.x`.
    pub fn wanted(&self, id: AttrId) -> Value {
        self.known_wanted(id).unwrap_or(Value::Unknown)
    }

    /// Returns the desired value like [`View::wanted`].
    ///
    /// # Errors
    /// Returns the failure of the `should` block.
    pub fn known_wanted(&self, id: AttrId) -> Result<Value, Failure> {
        let (Some(attribute), Some(stored)) = (self.type_def.attribute(id), self.slots.stored(id)) else { return Ok(Value::Nil) };
        if let Some(code) = &attribute.should {
            let base = |_: &[Value]| Ok(self.slots.seen(id).map_or(Value::Nil, |seen| wanted(attribute, &seen)));
            let frame = Frame { scope: self, attribute: Some(&attribute.name), is: None, should: None, base: Some(&base) };
            // If the block depends on an unknown value, the plain value is used.
            match run(code, &[all_wanted(&stored)], &frame) {
                Ok(value) => return Ok(value),
                Err(failure) if failure.is_unknown() && !failure.is_untranslated() => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(match &attribute.native {
            Some(kind) if attribute.role == Role::Property && !stored.has_unknown() => {
                let is = self.current.and_then(|read| read(id).ok()).map(|is| kinds::retrieved(kind, is));
                let value = kinds::should(kind, stored.unwrapped(), is.as_ref(), self);
                if stored.has_secret() { Value::Sensitive(Arc::new(value)) } else { value }
            }
            _ => self.slots.seen(id).map_or(Value::Nil, |seen| wanted(attribute, &seen)),
        })
    }
}

impl Scope for View<'_> {
    fn program(&self) -> &Program {
        self.program
    }
    fn world(&self) -> &dyn World {
        self.looked.set(true);
        self.context.world
    }
    fn coverage(&self) -> Option<&Coverage> {
        self.context.world.coverage()
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
    /// Follows `@original_parameters` of Puppet's `Puppet::Type#initialize`.
    fn declared(&self, id: AttrId) -> Value {
        self.looked.set(true);
        // Puppet removes a single namevar.
        let is_only_namevar = matches!(self.type_def.namevars.as_slice(), [only] if *only == id);
        let Some(attribute) = self.type_def.attribute(id).filter(|_| !is_only_namevar) else { return Value::Nil };
        if let Some(declared) = self.declaration.and_then(|d| d.attributes.get(attribute.name.as_str())) {
            return self.hidden(id, declared.value.clone());
        }
        match self.slots.with(id, |slot| (slot.origin, slot.raw())) {
            Some((Origin::Title, raw)) => raw,
            Some((Origin::Explicit, raw)) if self.declaration.is_none() => raw,
            // The previous value is not kept.
            Some((Origin::Finalize, _)) if self.declaration.is_none() => Value::Unknown,
            _ => Value::Nil,
        }
    }
    fn raw(&self, id: AttrId) -> Value {
        self.looked.set(true);
        if let Some((_, value)) = self.given.filter(|(given, _)| *given == id) {
            return self.hidden(id, value.clone());
        }
        self.slots.with(id, Slot::raw).unwrap_or_default()
    }
    fn values(&self, id: AttrId) -> Value {
        self.looked.set(true);
        self.slots.with(id, |slot| all_wanted(&slot.value)).unwrap_or_default()
    }
    fn is_managed(&self) -> bool {
        self.looked.set(true);
        self.managed()
    }
    fn current(&self, id: AttrId) -> Result<Value, Failure> {
        self.looked.set(true);
        match self.current {
            Some(read) => {
                let value = read(id).map_err(|e| Failure::query(Code::ReadFailed, Span::NONE, e))?;
                let has_secret = self.slots.with(id, |slot| slot.value.has_secret() || slot.raw().has_secret()).unwrap_or_default();
                Ok(if has_secret { closed(value) } else { self.hidden(id, value) })
            }
            None => Err(Failure::new(Code::NotAllowedHere, Span::NONE, "the machine has not been read yet")),
        }
    }
    fn assign(&self, id: AttrId, value: Value) -> Result<(), Failure> {
        self.looked.set(true);
        match self.assign {
            Some(assign) => assign(id, Ok(value)),
            None => Err(Failure::new(Code::NotAllowedHere, Span::NONE, "only `finalize` may change an attribute")),
        }
    }
    fn assign_untranslated(&self, id: AttrId, failure: Failure) -> Result<(), Failure> {
        match self.assign {
            Some(assign) => assign(id, Err(failure)),
            None => Err(failure),
        }
    }
    fn log(&self, attribute: Option<&Symbol>, level: LogLevel, message: &str) {
        let reference = Scope::reference(self);
        let Some(log) = self.context.log else { return };
        let given = self.declaration.and_then(|declared| Some(declared.attributes.get(attribute?.as_str())?.span));
        let span = given.or(self.declaration.map(|declared| declared.title_span)).unwrap_or(Span::NONE);
        log.add(BlockMessage { reference, attribute: attribute.cloned(), level, message: message.to_owned(), span });
    }
    fn remember(&self, attribute: Option<&Symbol>, name: &str, value: &Value) {
        self.memory.borrow_mut().insert((attribute.cloned(), name.into()), value.clone());
    }
    fn remembered(&self, attribute: Option<&Symbol>, name: &str) -> Value {
        self.memory.borrow().get(&(attribute.cloned(), name.into())).cloned().unwrap_or_default()
    }
    fn provider(&self) -> Option<&dyn ProviderQuery> {
        self.looked.set(true);
        match &self.provider {
            Some(provider) => Some(provider),
            None => (self.context.offline && !self.type_def.providers.is_empty()).then_some(&UnknownProvider as &dyn ProviderQuery),
        }
    }
    fn declared_at(&self, resource: &ResourceRef) -> Option<(EcoString, u32)> {
        // An instance being built is not in the catalog yet.
        match self.declaration.filter(|_| *resource == self.reference()) {
            Some(declared) => self.context.catalog.place_of(declared.span),
            None => self.context.catalog.declared_at(resource),
        }
    }
    fn catalog(&self) -> Option<&dyn CatalogQuery> {
        self.looked.set(true);
        Some(self.context.catalog)
    }
}

/// The provider if no machine can be read: every answer is unknown.
struct UnknownProvider;

impl ProviderQuery for UnknownProvider {
    fn name(&self) -> Option<Symbol> {
        None
    }

    fn has(&self, _: &str) -> Option<bool> {
        None
    }

    fn call(&self, _: &str, _: &[Value]) -> Result<Value, QueryError> {
        Ok(Value::Unknown)
    }
}
