//! What is the same for all resources of a type on a machine, found once.

use super::instance::Slot;
use super::suitability::{Suitability, choose, survey};
use super::{Context, build};
use crate::manifest::Declared;
use crate::types::{AttrId, Role, TypeDef};
use crate::value::Symbol;
use std::cell::RefCell;
use std::sync::Arc;

/// A type, ready to build resources of it on one machine.
#[derive(Debug)]
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
    /// Constant defaults in canonical form, where nothing but the constant counts for it.
    pub(super) constants: RefCell<Vec<Slot>>,
}

impl Preparation {
    /// Looks at the machine once. Without a machine no provider can be told suitable, none is chosen.
    pub fn new(type_def: Arc<TypeDef>, context: Context<'_>) -> Preparation {
        let survey: Vec<Suitability> = if context.offline { Vec::new() } else { survey(&type_def, context.world) };
        let provider = choose(&survey).map(|choice| choice.provider);
        let provider_id = type_def.id_of("provider").filter(|id| type_def.attribute(*id).is_some_and(|a| a.role == Role::Param));
        let has_default = |id: &AttrId| type_def.attribute(*id).is_some_and(|a| a.default.is_some());
        let defaults = type_def.order.iter().copied().filter(has_default).collect();
        Preparation { type_def, provider, provider_id, defaults, shared: RefCell::default(), constants: RefCell::default() }
    }

    /// Builds an instance out of what a user declared.
    ///
    /// The order is Puppet's (`Puppet::Type#set_parameters`): namevars, provider, properties, params, metaparameters; what is
    /// given first, then the defaults in the same order; then the type's own checks as they are written.
    pub fn build(&self, declared: &Declared, context: Context<'_>) -> build::Built {
        build::Builder::new(self, declared, context).run()
    }
}
