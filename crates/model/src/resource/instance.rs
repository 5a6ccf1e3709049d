//! Resources with canonical values.

use super::trace::TraceStep;
use rtype_lang::eval::Failure;
use rtype_lang::source::Span;
use rtype_lang::types::{ArrayMatching, AttrId, AttributeDef, Role, TypeDef};
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// Where a value comes from.
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

/// The value of one attribute.
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
    /// Whether the value was given as text and converted to a symbol.
    pub(super) was_text: bool,
}

/// Other forms of a value, which most values do not have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Others {
    /// The value as given, if it differs and a block of the type may read it.
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
    /// Returns the value as given, if the type has a block that reads it, otherwise the canonical value.
    pub fn raw(&self) -> Value {
        self.given().map_or_else(|| self.value.clone(), Cow::into_owned)
    }

    /// Returns the value as given if it differs from the canonical one.
    fn given(&self) -> Option<Cow<'_, Value>> {
        match (self.others.as_deref(), &self.value) {
            (Some(Others::Raw(raw)), _) => Some(Cow::Borrowed(raw)),
            (Some(Others::Both(both)), _) => Some(Cow::Borrowed(&both.0)),
            (_, Value::Sym(symbol)) if self.was_text => Some(Cow::Owned(Value::Str(symbol.text()))),
            _ => None,
        }
    }

    /// Returns the canonical value, and the values as given and as seen by blocks where these differ.
    pub fn forms(&self) -> impl Iterator<Item = Cow<'_, Value>> {
        let seen = Some(self.seen()).filter(|seen| !std::ptr::eq(*seen, &self.value)).map(Cow::Borrowed);
        std::iter::once(Cow::Borrowed(&self.value)).chain(self.given()).chain(seen)
    }

    /// Returns whether the value contains a secret, as given or in its canonical form.
    pub fn has_secret(&self) -> bool {
        self.value.has_secret() || self.given().is_some_and(|given| given.has_secret())
    }

    /// Returns whether the value is not known yet. With `as_given`, only the value as given counts, if it was given, because a provider
    /// with the original code of the type converts it.
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

/// The values of a resource, in the order in which they were set.
///
/// Explicit values belong to the resource; defaults are often the same for many resources of a type and are shared.
#[derive(Clone, Debug)]
pub struct Slots {
    given: Box<[Slot]>,
    rest: Arc<[Slot]>,
}

impl Slots {
    /// Creates the values of a resource. `shared` holds the default values of the previous resource of the type and is reused if
    /// they are equal; `declared` returns whether an attribute was declared, so that a `finalize` block only changed it.
    pub(super) fn new(all: &mut Vec<Slot>, declared: impl Fn(AttrId) -> bool, shared: &mut Arc<[Slot]>) -> Slots {
        let follows = |slot: &Slot| slot.origin == Origin::Default || (slot.origin == Origin::Finalize && !declared(slot.id));
        if !all.iter().filter(|slot| follows(slot)).eq(shared.iter()) {
            *shared = all.iter().filter(|slot| follows(slot)).cloned().collect();
        }
        let mut given = Vec::with_capacity(all.iter().filter(|slot| !follows(slot)).count());
        given.extend(all.drain(..).filter(|slot| !follows(slot)));
        Slots { given: given.into(), rest: Arc::clone(shared) }
    }

    /// Creates the values that a title sets, for a resource that is not declared.
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

/// A declared attribute that has no effect because the provider lacks a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The attribute.
    pub id: AttrId,
    /// The missing features.
    pub missing: Vec<Symbol>,
}

/// A part of a resource that is not checked, because a required part of the type is left in Ruby. Dependent values are unknown, and the
/// resource cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotChecked {
    /// The attribute; `None` if it is the resource as a whole.
    pub attribute: Option<Symbol>,
    /// Why the importer could not translate the part.
    pub reason: String,
}

/// A resource that is ready to be compared with the machine.
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

    /// Returns an attribute whose value is not known yet, such as a deferred value: the resource must not be changed, or read to be
    /// changed. With `as_given`, the values are converted by the original code of the type.
    pub fn unknown_attribute(&self, as_given: bool) -> Option<&AttributeDef> {
        // The defaults of a resource without a provider may depend on the provider, which is chosen when it becomes suitable.
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

    /// Returns the failure if code left in Ruby decides the value of an attribute.
    pub(super) fn left_of(&self, attribute: &AttributeDef) -> Option<Failure> {
        let is_of = |part: &&NotChecked| part.attribute.as_ref().is_none_or(|of| *of == attribute.name);
        let part = self.not_checked().iter().find(is_of)?;
        Some(Failure::untranslated(attribute.span, part.reason.as_str()))
    }

    /// Records that a part of the type that the resource needs is left in Ruby.
    pub fn leave_unchecked(&mut self, part: NotChecked) {
        self.notes.get_or_insert_default().not_checked.push(part);
    }

    /// Returns how the values were derived, if tracing is enabled.
    pub fn trace(&self) -> &[(AttrId, TraceStep)] {
        self.notes.as_ref().map_or(&[], |n| &n.trace)
    }

    /// Returns the value of an attribute by name, for properties the desired value; `nil` if unset.
    pub fn get(&self, name: &str) -> Value {
        let Some(id) = self.type_def.id_of(name) else { return Value::Nil };
        match (self.slot(id), self.type_def.attribute(id)) {
            (Some(slot), Some(attribute)) => wanted(attribute, slot.seen()),
            _ => Value::Nil,
        }
    }

    /// Returns the name that the provider uses for the resource.
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

    /// Returns the values of the namevars in order. They must be unique among the resources of a type.
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

/// Joins the values of the namevars with `/`. `provider` may be a namevar but is not part of the name that a provider uses.
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

/// Returns the value of `self.x` for a stored value, before a `should` block: with `array_matching: first`, the first desired value.
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

/// Returns the list of all desired values of a property.
pub(super) fn all_wanted(stored: &Value) -> Value {
    match stored {
        Value::Array(_) | Value::Unknown => stored.clone(),
        Value::Sensitive(inner) => Value::Sensitive(Arc::new(all_wanted(inner))),
        one => Value::array([one.clone()]),
    }
}
