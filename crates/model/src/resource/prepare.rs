//! Data that is computed once per type and machine.

use super::instance::Slot;
use super::suitability::{Suitability, choose, survey};
use super::{Context, build};
use crate::manifest::Declared;
use rtype_lang::types::{AttrId, Role, TypeDef};
use rtype_lang::value::{Symbol, Value};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// A type, prepared for building resources on one machine.
pub struct Preparation {
    /// The type.
    pub type_def: Arc<TypeDef>,
    /// The provider for resources that do not set one.
    pub(super) provider: Option<Symbol>,
    /// The parameter `provider`, if the type has providers.
    pub(super) provider_id: Option<AttrId>,
    /// Attributes with a default, in evaluation order.
    pub(super) defaults: Vec<AttrId>,
    /// Default values of the previous resource, shared if equal.
    pub(super) shared: RefCell<Arc<[Slot]>>,
    /// Reused buffer for the values of the resource being built.
    pub(super) room: Cell<Vec<Slot>>,
    /// Per attribute, the last value and its canonical form, if that depends only on the value.
    last: RefCell<Vec<Option<(Value, Value)>>>,
}

impl Preparation {
    /// Evaluates the suitability of providers once. Without a machine, no provider is selected.
    pub fn new(type_def: Arc<TypeDef>, context: Context<'_>) -> Preparation {
        let survey: Vec<Suitability> = if context.offline { Vec::new() } else { survey(&type_def, context.world) };
        let provider = choose(&survey).map(|choice| choice.provider);
        let provider_id = type_def.id_of("provider").filter(|id| type_def.attribute(*id).is_some_and(|a| a.role == Role::Param));
        let has_default = |id: &AttrId| type_def.attribute(*id).is_some_and(|a| a.default.is_some());
        let defaults = type_def.order.iter().copied().filter(has_default).collect();
        Preparation {
            type_def,
            provider,
            provider_id,
            defaults,
            shared: RefCell::default(),
            room: Cell::default(),
            last: RefCell::default(),
        }
    }

    /// Returns the canonical form of a value if it equals the last value of the attribute and depends on nothing else.
    pub(super) fn known(&self, id: AttrId, given: &Value) -> Option<Value> {
        let last = self.last.borrow();
        let (value, canonical) = last.get(usize::from(id.0))?.as_ref()?;
        same(value, given).then(|| canonical.clone())
    }

    /// Records the canonical form of a value that depends on nothing else.
    pub(super) fn keep(&self, id: AttrId, given: &Value, canonical: &Value) {
        let mut last = self.last.borrow_mut();
        if last.is_empty() {
            last.resize(self.type_def.attributes.len(), None);
        }
        if let Some(place) = last.get_mut(usize::from(id.0)) {
            *place = Some((given.clone(), canonical.clone()));
        }
    }

    /// Builds an instance from a declared resource.
    ///
    /// The order is Puppet's (`Puppet::Type#set_parameters`): namevars, provider, properties, parameters, metaparameters; explicit
    /// values first, then defaults in the same order; then the type's own checks in the order of the type.
    pub fn build(&self, declared: &Declared, context: Context<'_>) -> build::Built {
        build::Builder::new(self, declared, context).run()
    }
}

/// Returns whether two values are identical: `1` and `1.0` compare as equal but are written differently.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Sym(a), Value::Sym(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        _ => false,
    }
}
