//! A resource with its canonical values.

use super::trace::TraceStep;
use crate::source::Span;
use crate::types::{ArrayMatching, AttrId, AttributeDef, Role, TypeDef};
use crate::value::{EcoString, ResourceRef, Symbol, Value};
use std::sync::Arc;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A title pattern (its row) or, without patterns, the whole title.
    Title(Option<Span>),
    /// The declaration.
    Given,
    /// The type's default.
    Default,
    /// The type's `finalize` block.
    Finalize,
}

/// The value of one attribute.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Which attribute.
    pub id: AttrId,
    /// Canonical: for properties the list of all wanted values, for others the value.
    pub value: Value,
    /// As given, before it was made canonical; of properties the list, too.
    pub raw: Value,
    /// Where it comes from.
    pub origin: Origin,
    /// Where it was written.
    pub span: Span,
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
    /// The values that are set, in the order in which they were.
    pub slots: Vec<Slot>,
    /// The provider it is managed by.
    pub provider: Option<Symbol>,
    /// The resource whose `generate` made it; nothing where it is declared.
    pub generated_by: Option<ResourceRef>,
    /// Given attributes without effect.
    pub ignored: Vec<Ignored>,
    /// How the values came about, when that was asked for.
    pub trace: Vec<(AttrId, TraceStep)>,
}

impl Instance {
    /// `Type[title]`
    pub fn reference(&self) -> ResourceRef {
        ResourceRef { type_name: self.type_def.name.clone(), title: self.title.clone() }
    }

    /// The slot of an attribute that is set.
    pub fn slot(&self, id: AttrId) -> Option<&Slot> {
        self.slots.iter().find(|s| s.id == id)
    }

    /// The value of an attribute by name, of properties the wanted one; `nil` when unset.
    pub fn get(&self, name: &str) -> Value {
        let Some(id) = self.type_def.id_of(name) else { return Value::Nil };
        match (self.slot(id), self.type_def.attribute(id)) {
            (Some(slot), Some(attribute)) => wanted(attribute, &slot.value),
            _ => Value::Nil,
        }
    }

    /// The name under which its provider knows it.
    pub fn name(&self) -> EcoString {
        provider_name(&self.type_def, |id| self.slot(id).map(|s| s.value.to_text()))
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
                (Some(slot), Some(attribute)) => wanted(attribute, &slot.value),
                _ => Value::Nil,
            })
            .collect()
    }
}

/// The values of the namevars, joined by `/` where there are several. `provider` may be a namevar, too, but is no part of
/// the name under which a provider knows a resource.
pub(super) fn provider_name(type_def: &TypeDef, text: impl Fn(AttrId) -> Option<EcoString>) -> EcoString {
    let is_provider = |id: &AttrId| type_def.attribute(*id).is_some_and(|a| a.name.as_str() == "provider");
    let parts: Vec<EcoString> = type_def.namevars.iter().filter(|id| !is_provider(id)).filter_map(|id| text(*id)).collect();
    match parts.as_slice() {
        [one] => one.clone(),
        all => all.join("/").into(),
    }
}

/// What `self.x` sees of a stored value, before a `should` block: of a property with `array_matching: first` the first one.
pub(super) fn wanted(attribute: &AttributeDef, stored: &Value) -> Value {
    match (attribute.role, attribute.array_matching, stored) {
        (Role::Property, ArrayMatching::First, Value::Array(all)) => all.first().cloned().unwrap_or_default(),
        (Role::Property, ArrayMatching::First, Value::Sensitive(inner)) => match inner.as_ref() {
            Value::Array(all) => all.first().cloned().map_or(Value::Nil, |v| Value::Sensitive(Arc::new(v))),
            _ => stored.clone(),
        },
        _ => stored.clone(),
    }
}
