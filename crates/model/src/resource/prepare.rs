//! Data that is computed once per type and machine.

use super::instance::Slot;
use super::suitability::{choose, logged_survey};
use super::{BlockMessage, Context, build, together};
use crate::manifest::Declared;
use rtype_lang::eval::LogLevel;
use rtype_lang::types::{AttrId, Role, TypeDef};
use rtype_lang::value::{Symbol, Value};
use std::sync::Arc;

/// A type, prepared for building resources on one machine.
pub struct Preparation {
    pub(super) known: PreparedType,
    pub(super) reused: Reused,
    /// Messages from the providers' conditions, reported with the first resource.
    messages: Vec<(LogLevel, String)>,
}

/// Data shared by all resources of a type.
pub(super) struct PreparedType {
    pub type_def: Arc<TypeDef>,
    /// The provider for resources that do not set one.
    pub provider: Option<Symbol>,
    /// The parameter `provider`, if the type has providers.
    pub provider_id: Option<AttrId>,
    /// Attributes with a default, in evaluation order.
    pub defaults: Vec<AttrId>,
}

/// Data reused between consecutive resources, which often have equal values.
#[derive(Default)]
pub(super) struct Reused {
    /// Default values of the previous resource, shared if equal.
    pub shared: Arc<[Slot]>,
    /// Buffer for the values of the resource being built.
    pub room: Vec<Slot>,
    /// Per attribute, the last value and the canonical form, if it depends only on the value.
    last: Vec<Option<(Value, Value)>>,
}

impl Preparation {
    /// Evaluates the providers' suitability once. Without a machine, no provider is selected.
    pub fn new(type_def: Arc<TypeDef>, context: Context<'_>) -> Preparation {
        let (survey, messages) = if context.offline { Default::default() } else { logged_survey(&type_def, context.world) };
        let provider = choose(&survey).map(|choice| choice.provider);
        let provider_id = type_def.id_of("provider").filter(|id| type_def.attribute(*id).is_some_and(|a| a.role == Role::Param));
        let has_default = |id: &AttrId| type_def.attribute(*id).is_some_and(|a| a.default.is_some());
        let defaults = type_def.order.iter().copied().filter(has_default).collect();
        Preparation { known: PreparedType { type_def, provider, provider_id, defaults }, reused: Reused::default(), messages }
    }

    /// Returns the type.
    pub fn type_def(&self) -> &Arc<TypeDef> {
        &self.known.type_def
    }

    /// Builds an instance from a declared resource.
    ///
    /// The order is Puppet's (`Puppet::Type#set_parameters`): namevars, provider, properties, parameters, metaparameters; explicit values
    /// first, then defaults in the same order; then the type's own checks in the type's order.
    pub fn build(&mut self, declared: &Declared, context: Context<'_>) -> build::Built {
        for (level, message) in std::mem::take(&mut self.messages) {
            let message = BlockMessage { reference: declared.reference(), attribute: None, level, message, span: declared.title_span };
            context.log.iter().for_each(|log| log.add(message.clone()));
        }
        match together::declared(&self.known.type_def, declared, context) {
            Ok(None) => build::Builder::new(self, declared, context).run(),
            Ok(Some(converted)) => build::Builder::new(self, &converted, context).run(),
            Err(failure) => build::Builder::new(self, declared, context).unconverted(failure).run(),
        }
    }
}

impl Reused {
    /// Returns the cached canonical form if the value equals the attribute's last value and the form depends only on the value.
    pub fn canonical(&self, id: AttrId, given: &Value) -> Option<Value> {
        let (value, canonical) = self.last.get(usize::from(id.0))?.as_ref()?;
        same(value, given).then(|| canonical.clone())
    }

    /// Caches a canonical form that depends only on the given value.
    pub fn keep(&mut self, id: AttrId, given: &Value, canonical: &Value) {
        let at = usize::from(id.0);
        if self.last.len() <= at {
            self.last.resize(at + 1, None);
        }
        if let Some(place) = self.last.get_mut(at) {
            *place = Some((given.clone(), canonical.clone()));
        }
    }
}

/// Returns true if two values are identical: `1` and `1.0` compare as equal but are written differently.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Sym(a), Value::Sym(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        _ => false,
    }
}
