//! Resources in memory, for simulated runs. The machine is not read or changed.

use crate::code::shape;
use crate::{Change, ListedResource, Operation, Provider, ProviderError, Reading, Request, ResourceShape, Select, State, System};
use indexmap::IndexMap;
use rtype_lang::types::TypeDef;
use rtype_lang::value::{EcoString, Symbol, Value};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The simulated resources of a run by type and name. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Simulation(Arc<Mutex<IndexMap<(EcoString, EcoString), State>>>);

/// A provider that keeps the resources of a type in memory.
pub(crate) struct Simulated {
    shape: ResourceShape,
    /// The actions that the providers of the type declare.
    actions: Vec<Symbol>,
    simulation: Simulation,
}

impl Simulated {
    pub fn new(type_def: &TypeDef, simulation: &Simulation) -> Simulated {
        let lineages = type_def.providers.values().flat_map(|provider| type_def.lineage(provider));
        let actions = lineages.flat_map(|(_, provider)| provider.actions.iter().cloned()).collect();
        Simulated { shape: shape(type_def), actions, simulation: simulation.clone() }
    }

    fn resources(&self) -> MutexGuard<'_, IndexMap<(EcoString, EcoString), State>> {
        self.simulation.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key(&self, name: &str) -> (EcoString, EcoString) {
        (self.shape.type_name.clone(), name.into())
    }

    fn write(&self, change: &mut Change<'_>) {
        let key = self.key(change.name);
        let operation = change.operation();
        if operation == Operation::Delete {
            self.resources().shift_remove(&key);
        } else {
            let properties = self.shape.attributes.iter().filter(|(_, attribute)| attribute.is_property);
            let set = properties.filter_map(|(name, _)| {
                let value = change.value(name.as_str());
                (!value.is_nil()).then(|| (name.clone(), Ok(value)))
            });
            let set: Vec<_> = set.collect();
            let mut resources = self.resources();
            let state = resources.entry(key).or_default();
            state.extend(set);
            if operation == Operation::Create && self.shape.is_property("ensure") {
                state.entry(Symbol::from("ensure")).or_insert_with(|| Ok(Value::sym("present")));
            }
        }
        change.should.clear();
        change.exists = None;
    }
}

impl Provider for Simulated {
    fn reads(&self) -> &'static [&'static str] {
        &[]
    }

    fn can_read(&self, property: &str) -> bool {
        self.shape.is_property(property)
    }

    fn takes_bytes(&self, _: &str) -> bool {
        true
    }

    fn get(&self, _: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let resources = self.resources();
        let one = |request: &Request<'_>| match resources.get(&self.key(request.name)) {
            Some(state) => {
                let selected = state.iter().filter(|(name, _)| select.wants(name.as_str()));
                Reading::Present(selected.map(|(name, value)| (name.clone(), value.clone())).collect())
            }
            None => Reading::Absent,
        };
        requests.iter().map(one).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let resources = self.resources();
        let own = resources.iter().filter(|((type_name, _), _)| *type_name == self.shape.type_name);
        Ok(own.map(|((_, name), state)| ListedResource { name: name.clone(), state: state.clone() }).collect())
    }

    fn can_write(&self, property: &str) -> bool {
        self.shape.is_property(property)
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn can_call(&self, action: &str) -> bool {
        self.actions().contains(&action) || self.actions.iter().any(|declared| declared.as_str() == action)
    }

    /// Applies the desired state of the resource, for any action.
    fn call(&self, _: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        if change.note(action).is_ok() {
            return Ok(Value::Nil);
        }
        for (name, _) in self.shape.attributes.iter().filter(|(_, attribute)| attribute.is_property) {
            let value = change.resource.wanted(name.as_str());
            if !value.is_nil() {
                change.should.insert(name.clone(), value);
            }
        }
        change.exists = Some(!change.resource.wanted("ensure").is_absent());
        Ok(Value::Nil)
    }

    fn set(&self, _: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        if property == "ensure" {
            change.exists = Some(!value.unwrapped().is_absent());
        }
        change.should.insert(Symbol::from(property), value.clone());
        Ok(())
    }

    fn flush(&self, _: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        changes.iter_mut().for_each(|change| self.write(change));
        changes.iter().map(|_| Ok(())).collect()
    }

    fn converges(&self, _: &str) -> bool {
        false
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn query(&self, _: &System, _: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        let error = ProviderError::new(format!("`{method}` of the provider is not simulated"));
        Err(error.help("run without `--simulate`; `--noop` changes nothing either"))
    }
}
