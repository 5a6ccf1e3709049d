//! A resource with its canonical values.

use super::trace::TraceStep;
use rtype_lang::source::Span;
use rtype_lang::types::{ArrayMatching, AttrId, AttributeDef, Role, TypeDef};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use std::sync::Arc;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The title, or the part of it that a title pattern gives.
    Title,
    /// The declaration.
    Given,
    /// The type's default.
    Default,
    /// The type's `finalize` block.
    Finalize,
}

/// The value of one attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Canonical. Of properties all wanted values: a list, or one value as it is where one is wanted ([`Slot::wanted`]).
    pub value: Value,
    /// What else it is, where that differs.
    pub(super) others: Option<Box<Others>>,
    /// Where it was written.
    pub span: Span,
    /// Which attribute.
    pub id: AttrId,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether it was given as the text of the symbol that it has become.
    pub(super) was_text: bool,
}

/// What few values have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Others {
    /// As given, where that is another value and a block of the type may ask for it.
    Raw(Value),
    /// What blocks, messages and providers see instead, where the attribute has `unmunge`.
    Unmunged(Value),
    /// Both of them.
    Both(Box<(Value, Value)>),
}

impl Others {
    /// Nothing where there is nothing of it.
    pub fn new(raw: Option<Value>, unmunged: Option<Value>) -> Option<Box<Others>> {
        Some(Box::new(match (raw, unmunged) {
            (None, None) => return None,
            (Some(raw), None) => Others::Raw(raw),
            (None, Some(unmunged)) => Others::Unmunged(unmunged),
            (Some(raw), Some(unmunged)) => Others::Both(Box::new((raw, unmunged))),
        }))
    }
}

impl Slot {
    /// As given, before it was made canonical, if the type has a block that asks for such values.
    pub fn raw(&self) -> Value {
        match (self.others.as_deref(), &self.value) {
            (Some(Others::Raw(raw)), _) => raw.clone(),
            (Some(Others::Both(both)), _) => both.0.clone(),
            (_, Value::Sym(symbol)) if self.was_text => Value::Str(symbol.text()),
            (_, value) => value.clone(),
        }
    }

    /// What blocks, messages and providers see: what `unmunge` makes of the value, or the value itself.
    pub fn seen(&self) -> &Value {
        match self.others.as_deref() {
            Some(Others::Unmunged(unmunged)) => unmunged,
            Some(Others::Both(both)) => &both.1,
            _ => &self.value,
        }
    }

    /// All wanted values of a property.
    pub fn wanted(&self) -> &[Value] {
        match self.value.unwrapped() {
            Value::Array(all) => all,
            one => std::slice::from_ref(one),
        }
    }
}

/// The values of a resource, in the order in which they came about.
///
/// What a resource is given is its own; what follows without it is the same for many and shared by them.
#[derive(Clone, Debug)]
pub struct Slots {
    given: Box<[Slot]>,
    rest: Arc<[Slot]>,
}

impl Slots {
    /// Those of a resource. `shared` is what the last resource of the type had beside what it was given; `declared` tells
    /// which attributes a `finalize` block only changed.
    pub(super) fn new(all: &mut Vec<Slot>, declared: impl Fn(AttrId) -> bool, shared: &mut Arc<[Slot]>) -> Slots {
        let follows = |slot: &Slot| slot.origin == Origin::Default || (slot.origin == Origin::Finalize && !declared(slot.id));
        if !all.iter().filter(|slot| follows(slot)).eq(shared.iter()) {
            *shared = all.iter().filter(|slot| follows(slot)).cloned().collect();
        }
        let mut given = Vec::with_capacity(all.iter().filter(|slot| !follows(slot)).count());
        given.extend(all.drain(..).filter(|slot| !follows(slot)));
        Slots { given: given.into(), rest: Arc::clone(shared) }
    }

    /// Those that a title gives, where nothing is declared.
    pub(super) fn of_title(given: Vec<Slot>) -> Slots {
        Slots { given: given.into(), rest: Arc::default() }
    }

    /// All that are set.
    pub fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.given.iter().chain(self.rest.iter())
    }

    /// The one of an attribute.
    pub fn get(&self, id: AttrId) -> Option<&Slot> {
        self.iter().find(|s| s.id == id)
    }
}

/// What few resources have.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    pub generated_by: Option<ResourceRef>,
    /// What its type's `title` block calls it in place of its title.
    pub label: Option<EcoString>,
    pub ignored: Vec<Ignored>,
    pub trace: Vec<(AttrId, TraceStep)>,
}

/// A given attribute that has no effect because the provider lacks a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Which attribute.
    pub id: AttrId,
    /// The features that are missing.
    pub missing: Vec<Symbol>,
}

/// A resource, ready to be compared with the machine.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its type.
    pub type_def: Arc<TypeDef>,
    /// Its title as declared.
    pub title: EcoString,
    /// Where the title stands.
    pub span: Span,
    /// The values that are set.
    pub slots: Slots,
    /// The provider it is managed by, by its place among those of the type.
    pub(super) provider: Option<u16>,
    pub(super) notes: Option<Box<Notes>>,
}

impl Instance {
    /// `Type[title]`
    pub fn reference(&self) -> ResourceRef {
        ResourceRef { type_name: self.type_def.name.clone(), title: self.title.clone() }
    }

    /// The same as people know it: under the title that its type gives it.
    pub fn label(&self) -> ResourceRef {
        let label = self.notes.as_ref().and_then(|n| n.label.clone());
        let title = label.unwrap_or_else(|| self.title.clone());
        ResourceRef { type_name: self.type_def.name.clone(), title }
    }

    /// The slot of an attribute that is set.
    pub fn slot(&self, id: AttrId) -> Option<&Slot> {
        self.slots.get(id)
    }

    /// The provider it is managed by.
    pub fn provider(&self) -> Option<&Symbol> {
        self.type_def.providers.get_index(self.provider?.into()).map(|(name, _)| name)
    }

    /// The resource whose `generate` made it; nothing where it is declared.
    pub fn generated_by(&self) -> Option<&ResourceRef> {
        self.notes.as_ref()?.generated_by.as_ref()
    }

    /// Says which resource's `generate` made it.
    pub fn made_by(&mut self, generator: ResourceRef) {
        self.notes.get_or_insert_default().generated_by = Some(generator);
    }

    /// Given attributes without effect.
    pub fn ignored(&self) -> &[Ignored] {
        self.notes.as_ref().map_or(&[], |n| &n.ignored)
    }

    /// How the values came about, when that was asked for.
    pub fn trace(&self) -> &[(AttrId, TraceStep)] {
        self.notes.as_ref().map_or(&[], |n| &n.trace)
    }

    /// The value of an attribute by name, of properties the wanted one; `nil` when unset.
    pub fn get(&self, name: &str) -> Value {
        let Some(id) = self.type_def.id_of(name) else { return Value::Nil };
        match (self.slot(id), self.type_def.attribute(id)) {
            (Some(slot), Some(attribute)) => wanted(attribute, slot.seen()),
            _ => Value::Nil,
        }
    }

    /// The name under which its provider knows it.
    pub fn name(&self) -> EcoString {
        provider_name(&self.type_def, |id| self.slot(id).map(|s| s.seen().to_text()))
    }

    /// What its `alias` says.
    pub fn aliases(&self) -> Vec<EcoString> {
        match self.get("alias").unwrapped() {
            Value::Nil | Value::Unknown => Vec::new(),
            Value::Array(names) => names.iter().map(Value::to_text).collect(),
            one => vec![one.to_text()],
        }
    }

    /// The values of the namevars in order: two resources of a type must differ in it.
    pub fn identity(&self) -> Vec<Value> {
        self.type_def
            .namevars
            .iter()
            .map(|id| match (self.slot(*id), self.type_def.attribute(*id)) {
                (Some(slot), Some(attribute)) => wanted(attribute, slot.seen()),
                _ => Value::Nil,
            })
            .collect()
    }
}

/// The values of the namevars, joined by `/` where there are several. `provider` may be a namevar, too, but is no part of
/// the name under which a provider knows a resource.
pub(super) fn provider_name(type_def: &TypeDef, text: impl Fn(AttrId) -> Option<EcoString>) -> EcoString {
    let is_provider = |id: &AttrId| type_def.attribute(*id).is_some_and(|a| a.name.as_str() == "provider");
    let mut parts = type_def.namevars.iter().filter(|id| !is_provider(id)).filter_map(|id| text(*id));
    let mut name = parts.next().unwrap_or_default();
    for part in parts {
        name.push('/');
        name.push_str(&part);
    }
    name
}

/// What `self.x` sees of a stored value, before a `should` block: of a property with `array_matching: first` the first one.
pub(super) fn wanted(attribute: &AttributeDef, stored: &Value) -> Value {
    match (attribute.role, attribute.array_matching, stored) {
        (Role::Property, _, Value::Sensitive(inner)) => match wanted(attribute, inner) {
            Value::Nil => Value::Nil,
            value => Value::Sensitive(Arc::new(value)),
        },
        (Role::Property, ArrayMatching::First, Value::Array(all)) => all.first().cloned().unwrap_or_default(),
        (Role::Property, ArrayMatching::All, _) => all_wanted(stored),
        _ => stored.clone(),
    }
}

/// The list of all wanted values of a property.
pub(super) fn all_wanted(stored: &Value) -> Value {
    match stored {
        Value::Array(_) | Value::Unknown => stored.clone(),
        Value::Sensitive(inner) => Value::Sensitive(Arc::new(all_wanted(inner))),
        one => Value::array([one.clone()]),
    }
}
