//! What is the same for all resources of a type on a machine, found once.

use super::instance::Slot;
use super::suitability::{Suitability, choose, survey};
use super::{Context, build};
use crate::manifest::Declared;
use rtype_lang::types::{AttrId, Role, TypeDef};
use rtype_lang::value::{Symbol, Value};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// A type, ready to build resources of it on one machine.
pub struct Preparation {
    /// The type.
    pub type_def: Arc<TypeDef>,
    /// The provider of resources that name none.
    pub(super) provider: Option<Symbol>,
    /// The param of that name, if the type has providers.
    pub(super) provider_id: Option<AttrId>,
    /// The attributes that have a default, in the order in which they take their values.
    pub(super) defaults: Vec<AttrId>,
    /// What the last resource had beside what it was given.
    pub(super) shared: RefCell<Arc<[Slot]>>,
    /// Room for the values of the resource that is being built.
    pub(super) room: Cell<Vec<Slot>>,
    /// By attribute: the value that was last made canonical, and what it became, where nothing but the value counted.
    last: RefCell<Vec<Option<(Value, Value)>>>,
}

impl Preparation {
    /// Looks at the machine once. Without a machine no provider can be told suitable, none is chosen.
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

    /// What a value is in canonical form, if that was the last value of the attribute and will always be so.
    pub(super) fn known(&self, id: AttrId, given: &Value) -> Option<Value> {
        let last = self.last.borrow();
        let (value, canonical) = last.get(usize::from(id.0))?.as_ref()?;
        same(value, given).then(|| canonical.clone())
    }

    /// Keeps the canonical form of a value that depends on nothing else.
    pub(super) fn keep(&self, id: AttrId, given: &Value, canonical: &Value) {
        let mut last = self.last.borrow_mut();
        if last.is_empty() {
            last.resize(self.type_def.attributes.len(), None);
        }
        if let Some(place) = last.get_mut(usize::from(id.0)) {
            *place = Some((given.clone(), canonical.clone()));
        }
    }

    /// Builds an instance out of what a user declared.
    ///
    /// The order is Puppet's (`Puppet::Type#set_parameters`): namevars, provider, properties, params, metaparameters; what is
    /// given first, then the defaults in the same order; then the type's own checks as they are written.
    pub fn build(&self, declared: &Declared, context: Context<'_>) -> build::Built {
        build::Builder::new(self, declared, context).run()
    }
}

/// Whether two values are the same in every way: `1` and `1.0` are equal, but not written the same.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Sym(a), Value::Sym(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        _ => false,
    }
}
