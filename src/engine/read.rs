//! Reading in batches: one call for all resources of a provider.

use crate::provider::{NativeProviders, Reading, Request, Resource, Select, System};
use crate::resource::Instance;
use crate::types::{AttrId, ProviderBody, Role};
use crate::value::{EcoString, Symbol, Value};
use indexmap::IndexMap;
use std::sync::Arc;

/// What is known of a resource on the machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Current {
    /// What its provider read.
    Read(Reading),
    /// The type has no providers: there is nothing to read, `:is {…}` in the REPL pretends otherwise.
    Memory(IndexMap<Symbol, Value>),
    /// It could not be read at all.
    Unavailable(String),
}

impl Current {
    /// A property as it is now; not reported is `:absent`.
    ///
    /// # Errors
    /// Why it could not be read.
    pub fn property(&self, instance: &Instance, id: AttrId) -> Result<Value, String> {
        let Some(attribute) = instance.type_def.attribute(id) else { return Ok(Value::sym("absent")) };
        let name = attribute.name.as_str();
        let absent = || Ok(Value::sym("absent"));
        match self {
            Current::Read(Reading::Present(state)) => match state.get(name) {
                Some(Ok(value)) => Ok(value.clone()),
                Some(Err(e)) => Err(with_help(&e.message, e.help.as_deref())),
                None if name == "ensure" => Ok(Value::sym("present")),
                None => absent(),
            },
            Current::Read(Reading::Absent) => absent(),
            Current::Read(Reading::Error(e)) => Err(with_help(&e.message, e.help.as_deref())),
            Current::Memory(state) => state.get(name).cloned().map_or_else(absent, Ok),
            Current::Unavailable(why) => Err(why.clone()),
        }
    }
}

fn with_help(message: &str, help: Option<&str>) -> String {
    help.map_or_else(|| message.to_owned(), |h| format!("{message} ({h})"))
}

/// An instance as a provider sees it.
pub(super) struct Wanted<'a>(pub &'a Instance);

impl Resource for Wanted<'_> {
    fn wanted(&self, attribute: &str) -> Value {
        self.0.get(attribute).unwrapped().clone()
    }
}

/// Reads the instances, answers in their order. Only properties with a wanted value are asked for.
pub fn read(instances: &[Arc<Instance>], natives: &NativeProviders, system: &System) -> Vec<Current> {
    let mut answers: Vec<Option<Current>> = instances.iter().map(|_| None).collect();
    let mut batches: IndexMap<(Symbol, Symbol), Vec<usize>> = IndexMap::new();
    for (i, (instance, answer)) in instances.iter().zip(&mut answers).enumerate() {
        let type_def = &instance.type_def;
        let Some(provider) = &instance.provider else {
            *answer = Some(if type_def.providers.is_empty() {
                Current::Memory(IndexMap::new())
            } else {
                Current::Unavailable(format!("no provider of `{0}` works here; `rtype describe {0} --providers` tells why", type_def.name))
            });
            continue;
        };
        match type_def.providers.get(provider.as_str()).map(|p| &p.body) {
            Some(ProviderBody::Native(_)) => batches.entry((type_def.name.clone(), provider.clone())).or_default().push(i),
            Some(ProviderBody::Program(path, _)) => {
                *answer = Some(Current::Unavailable(format!("the provider `{provider}` runs `{path}`; programs are not run yet")));
            }
            _ => {
                *answer = Some(Current::Unavailable(format!(
                    "the provider `{provider}` of `{}` is declared, but has no native code yet",
                    type_def.name
                )));
            }
        }
    }
    for ((type_name, provider), members) in batches {
        let Some(native) = natives.get(type_name.as_str(), provider.as_str()) else {
            for i in members {
                let why = format!("the provider `{provider}` of `{type_name}` says `native`, but this program has no code for it");
                set(&mut answers, i, Current::Unavailable(why));
            }
            continue;
        };
        let batch: Vec<&Instance> = members.iter().filter_map(|i| instances.get(*i)).map(Arc::as_ref).collect();
        let names: Vec<EcoString> = batch.iter().map(|i| i.name()).collect();
        let wanted: Vec<Wanted<'_>> = batch.iter().map(|i| Wanted(i)).collect();
        let requests: Vec<Request<'_>> = names.iter().zip(&wanted).map(|(name, resource)| Request { name, resource }).collect();
        let attributes = properties(&batch);
        let readings = native.get(system, &requests, Select::Only(&attributes));
        for (i, reading) in members.into_iter().zip(readings) {
            set(&mut answers, i, Current::Read(reading));
        }
    }
    answers.into_iter().map(|a| a.unwrap_or_else(|| Current::Unavailable("its provider gave no answer".into()))).collect()
}

fn set(answers: &mut [Option<Current>], i: usize, current: Current) {
    if let Some(answer) = answers.get_mut(i) {
        *answer = Some(current);
    }
}

/// The properties that some resource of the batch has a wanted value for, and `ensure`.
fn properties(batch: &[&Instance]) -> Vec<Symbol> {
    let mut names: Vec<Symbol> = vec![Symbol::from("ensure")];
    for instance in batch {
        for slot in &instance.slots {
            if let Some(attribute) = instance.type_def.attribute(slot.id).filter(|a| a.role == Role::Property)
                && !names.contains(&attribute.name)
            {
                names.push(attribute.name.clone());
            }
        }
    }
    names
}
