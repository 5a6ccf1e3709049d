//! Resources with canonical values.

use super::trace::TraceStep;
use rtype_lang::eval::Failure;
use rtype_lang::source::Span;
use rtype_lang::types::{ArrayMatching, AttrId, AttributeDef, Role, TypeDef};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// A value's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The title, or a part captured by a title pattern.
    Title,
    /// The declaration.
    Explicit,
    /// The type's default.
    Default,
    /// The type's `finalize` block.
    Finalize,
}

/// An attribute's value.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The canonical value. For properties, all desired values: a list, or a single value ([`Slot::wanted`]).
    pub value: Value,
    /// Other forms of the value, if they differ.
    pub(super) others: Option<Box<Others>>,
    /// Where the value is written.
    pub span: Span,
    /// The attribute.
    pub id: AttrId,
    /// Where it comes from.
    pub origin: Origin,
    /// True if the value was given as a string and converted to a symbol.
    pub(super) was_text: bool,
}

/// Other forms of a value. Most values have no other forms.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Others {
    /// The value as given, if different and readable by a block of the type.
    Raw(Value),
    /// The value as seen by blocks, messages and providers, if the attribute has `unmunge`.
    Unmunged(Value),
    /// Both of them.
    Both(Box<(Value, Value)>),
}

impl Others {
    /// Returns `None` if there are no other forms.
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
    /// Returns the value as given, if a block of the type reads it, otherwise the canonical value.
    pub fn raw(&self) -> Value {
        self.given().map_or_else(|| self.value.clone(), Cow::into_owned)
    }

    /// Returns the value as given if it differs from the canonical value.
    fn given(&self) -> Option<Cow<'_, Value>> {
        match (self.others.as_deref(), &self.value) {
            (Some(Others::Raw(raw)), _) => Some(Cow::Borrowed(raw)),
            (Some(Others::Both(both)), _) => Some(Cow::Borrowed(&both.0)),
            (_, Value::Sym(symbol)) if self.was_text => Some(Cow::Owned(Value::Str(symbol.text()))),
            _ => None,
        }
    }

    /// Returns the canonical value, and the values as given and as seen by blocks if they differ.
    pub fn forms(&self) -> impl Iterator<Item = Cow<'_, Value>> {
        let seen = Some(self.seen()).filter(|seen| !std::ptr::eq(*seen, &self.value)).map(Cow::Borrowed);
        std::iter::once(Cow::Borrowed(&self.value)).chain(self.given()).chain(seen)
    }

    /// Returns true if the value contains a secret, as given or in canonical form.
    pub fn has_secret(&self) -> bool {
        self.value.has_secret() || self.given().is_some_and(|given| given.has_secret())
    }

    /// Returns true if the value is unknown. With `as_given`, only the given value counts if present, because a provider with the type's
    /// original code converts it.
    fn is_unknown(&self, as_given: bool) -> bool {
        match self.given() {
            Some(given) if as_given => given.has_unknown(),
            None if as_given => self.origin == Origin::Explicit && self.value.has_unknown(),
            _ => self.forms().any(|form| form.has_unknown()),
        }
    }

    /// Returns the value as seen by blocks, messages and providers: the result of `unmunge`, or the canonical value.
    pub fn seen(&self) -> &Value {
        match self.others.as_deref() {
            Some(Others::Unmunged(unmunged)) => unmunged,
            Some(Others::Both(both)) => &both.1,
            _ => &self.value,
        }
    }

    /// Returns all desired values of a property.
    pub fn wanted(&self) -> &[Value] {
        match self.value.unwrapped() {
            Value::Array(all) => all,
            one => std::slice::from_ref(one),
        }
    }
}

/// A resource's values in the order of assignment.
///
/// Explicit values belong to the resource. Defaults are often the same for many resources and are shared.
#[derive(Clone, Debug)]
pub struct Slots {
    given: Box<[Slot]>,
    rest: Arc<[Slot]>,
}

impl Slots {
    /// Creates a resource's values. `shared` holds the previous resource's default values and is reused if they are equal. `declared`
    /// returns true for declared attributes, which a `finalize` block only changed.
    pub(super) fn new(all: &mut Vec<Slot>, declared: impl Fn(AttrId) -> bool, shared: &mut Arc<[Slot]>) -> Slots {
        let follows = |slot: &Slot| slot.origin == Origin::Default || (slot.origin == Origin::Finalize && !declared(slot.id));
        if !all.iter().filter(|slot| follows(slot)).eq(shared.iter()) {
            *shared = all.iter().filter(|slot| follows(slot)).cloned().collect();
        }
        let mut given = Vec::with_capacity(all.iter().filter(|slot| !follows(slot)).count());
        given.extend(all.drain(..).filter(|slot| !follows(slot)));
        Slots { given: given.into(), rest: Arc::clone(shared) }
    }

    /// Creates the values from a title, for an undeclared resource.
    pub(super) fn of_title(given: Vec<Slot>) -> Slots {
        Slots { given: given.into(), rest: Arc::default() }
    }

    /// Iterates over all values that are set.
    pub fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.given.iter().chain(self.rest.iter())
    }

    /// Returns the value of an attribute.
    pub fn get(&self, id: AttrId) -> Option<&Slot> {
        self.iter().find(|s| s.id == id)
    }
}

/// Data that few resources have.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    pub generated_by: Option<ResourceRef>,
    /// The result of the type's `title` block, shown instead of the title.
    pub label: Option<EcoString>,
    pub ignored: Vec<Ignored>,
    pub not_checked: Vec<NotChecked>,
    pub trace: Vec<(AttrId, TraceStep)>,
}

/// A declared attribute without effect, because the provider lacks a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The attribute.
    pub id: AttrId,
    /// The missing features.
    pub missing: Vec<Symbol>,
}

/// An unchecked part of a resource: a required part of the type is left in Ruby. Dependent values are unknown, and the resource cannot be
/// applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotChecked {
    /// The attribute; `None` for the resource as a whole.
    pub attribute: Option<Symbol>,
    /// The importer's reason for not translating the part.
    pub reason: String,
}

/// A resource that can be compared with the machine.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The type.
    pub type_def: Arc<TypeDef>,
    /// The title as declared.
    pub title: EcoString,
    /// Location of the title.
    pub span: Span,
    /// The values that are set.
    pub slots: Slots,
    /// Index of the provider in the type.
    pub(super) provider: Option<u16>,
    pub(super) notes: Option<Box<Notes>>,
}

impl Instance {
    /// Returns the reference `Type[title]`.
    pub fn reference(&self) -> ResourceRef {
        ResourceRef { type_name: self.type_def.name.clone(), title: self.title.clone() }
    }

    /// Returns the reference for display, with the title from the type's `title` block.
    pub fn label(&self) -> ResourceRef {
        let label = self.notes.as_ref().and_then(|n| n.label.clone());
        let title = label.unwrap_or_else(|| self.title.clone());
        ResourceRef { type_name: self.type_def.name.clone(), title }
    }

    /// Returns the slot of an attribute; `None` if it is unset.
    pub fn slot(&self, id: AttrId) -> Option<&Slot> {
        self.slots.get(id)
    }

    /// Returns an attribute with an unknown value, such as a deferred value: the resource must not be changed, or read for a change. With
    /// `as_given`, the type's original code converts the values.
    pub fn unknown_attribute(&self, as_given: bool) -> Option<&AttributeDef> {
        // Defaults may depend on the provider, so they wait until a suitable provider is selected.
        let waits = self.provider.is_none() && !self.type_def.providers.is_empty();
        let mut slots = self.slots.iter().filter(|slot| !(waits && matches!(slot.origin, Origin::Default | Origin::Finalize)));
        self.type_def.attribute(slots.find(|slot| slot.is_unknown(as_given))?.id)
    }

    /// Returns the name of the provider.
    pub fn provider(&self) -> Option<&Symbol> {
        self.type_def.providers.get_index(self.provider?.into()).map(|(name, _)| name)
    }

    /// Returns the generator; `None` if the resource is declared.
    pub fn generated_by(&self) -> Option<&ResourceRef> {
        self.notes.as_ref()?.generated_by.as_ref()
    }

    /// Sets the generator of this resource.
    pub fn made_by(&mut self, generator: ResourceRef) {
        self.notes.get_or_insert_default().generated_by = Some(generator);
    }

    /// Returns the declared attributes that have no effect.
    pub fn ignored(&self) -> &[Ignored] {
        self.notes.as_ref().map_or(&[], |n| &n.ignored)
    }

    /// Returns the unchecked parts that are left in Ruby.
    pub fn not_checked(&self) -> &[NotChecked] {
        self.notes.as_ref().map_or(&[], |n| &n.not_checked)
    }

    /// Returns the failure if code left in Ruby decides the attribute's value.
    pub(super) fn left_of(&self, attribute: &AttributeDef) -> Option<Failure> {
        let is_of = |part: &&NotChecked| part.attribute.as_ref().is_none_or(|of| *of == attribute.name);
        let part = self.not_checked().iter().find(is_of)?;
        Some(Failure::untranslated(attribute.span, part.reason.as_str()))
    }

    /// Records a required part of the type that is left in Ruby.
    pub fn leave_unchecked(&mut self, part: NotChecked) {
        self.notes.get_or_insert_default().not_checked.push(part);
    }

    /// Returns how the values were derived, if tracing is enabled.
    pub fn trace(&self) -> &[(AttrId, TraceStep)] {
        self.notes.as_ref().map_or(&[], |n| &n.trace)
    }

    /// Returns an attribute's value by name, for properties the desired value; `nil` if unset.
    pub fn get(&self, name: &str) -> Value {
        let Some(id) = self.type_def.id_of(name) else { return Value::Nil };
        match (self.slot(id), self.type_def.attribute(id)) {
            (Some(slot), Some(attribute)) => wanted(attribute, slot.seen()),
            _ => Value::Nil,
        }
    }

    /// Returns the provider's name for the resource.
    pub fn name(&self) -> EcoString {
        provider_name(&self.type_def, |id| self.slot(id).map(|s| s.seen().to_text()))
    }

    /// Returns the values of the metaparameter `alias`.
    pub fn aliases(&self) -> Vec<EcoString> {
        match self.get("alias").unwrapped() {
            Value::Nil | Value::Unknown => Vec::new(),
            Value::Array(names) => names.iter().map(Value::to_text).collect(),
            one => vec![one.to_text()],
        }
    }

    /// Returns the namevars' values in order. They must be unique among the type's resources.
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

/// Joins the namevars' values with `/`. `provider` may be a namevar but is not part of a provider's name for the resource.
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

/// Returns the value of `self.x` for a stored value, before a `should` block. With `array_matching: first`, this is the first desired
/// value.
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

/// Returns all desired values of a property as a list.
pub(super) fn all_wanted(stored: &Value) -> Value {
    match stored {
        Value::Array(_) | Value::Unknown => stored.clone(),
        Value::Sensitive(inner) => Value::Sensitive(Arc::new(all_wanted(inner))),
        one => Value::array([one.clone()]),
    }
}
