//! Reads resources in batches: one call for all resources of a provider.

use super::secrets::{learn_reading, without_unread};
use indexmap::IndexMap;
use rtype_lang::eval::World;
use rtype_lang::redact::Redactor;
use rtype_lang::types::{AttrId, Role};
use rtype_lang::value::{EcoString, Symbol, Value};
use rtype_model::declare::learn;
use rtype_model::resource::{Context, Instance, late_finalized, survey};
use rtype_provider::{NativeProviders, ProviderError, Reading, Request, Resource, Select, System, code_of, has_code, setting};
use std::sync::Arc;

/// The current state of a resource on the machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Current {
    /// The reading of its provider, and the redactor that knows its secrets.
    Read(Reading, Redactor),
    /// The type has no providers, so there is nothing to read; `:is {…}` in the REPL sets values.
    Memory(IndexMap<Symbol, Value>),
    /// The resource cannot be read; contains the reason.
    Unavailable(String),
}

impl Current {
    /// Returns the current value of a property; `:absent` if the provider did not report it.
    ///
    /// # Errors
    /// Returns why the property cannot be read.
    pub fn property(&self, instance: &Instance, id: AttrId) -> Result<Value, String> {
        let Some(attribute) = instance.type_def.attribute(id) else { return Ok(Value::sym("absent")) };
        let name = attribute.name.as_str();
        let absent = || Ok(Value::sym("absent"));
        match self {
            Current::Read(Reading::Present(state), redactor) => match state.get(name) {
                Some(Ok(value)) => Ok(value.clone()),
                Some(Err(e)) => Err(e.describe(redactor)),
                None if name == "ensure" => Ok(Value::sym("present")),
                None => absent(),
            },
            Current::Read(Reading::Absent, _) => absent(),
            Current::Read(Reading::Error(e) | Reading::Unavailable(e), redactor) => Err(e.describe(redactor)),
            Current::Memory(state) => state.get(name).cloned().map_or_else(absent, Ok),
            Current::Unavailable(why) => Err(why.clone()),
        }
    }
}

/// An instance as seen by a provider.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub instance: &'a Instance,
    pub context: Context<'a>,
}

impl Resource for Wanted<'_> {
    fn wanted(&self, attribute: &str) -> Value {
        rtype_model::resource::wanted_of(self.instance, attribute, self.context).unwrapped().clone()
    }

    fn given(&self, attribute: &str) -> Value {
        let slot = self.instance.type_def.id_of(attribute).and_then(|id| self.instance.slot(id));
        slot.map_or(Value::Nil, |slot| slot.raw().unwrapped().clone())
    }

    fn is_secret(&self, attribute: &str) -> bool {
        let Some(id) = self.instance.type_def.id_of(attribute) else { return false };
        let Some(slot) = self.instance.slot(id) else { return false };
        self.instance.type_def.attribute(id).is_some_and(|a| a.sensitive) || slot.value.has_secret() || slot.raw().has_secret()
    }

    fn attributes(&self) -> Vec<Symbol> {
        let type_def = &self.instance.type_def;
        let set = type_def.order.iter().filter(|id| self.instance.slot(**id).is_some());
        set.filter_map(|id| type_def.attribute(*id)).map(|a| a.name.clone()).collect()
    }

    fn place(&self) -> Option<(EcoString, u32)> {
        self.context.catalog.place_of(self.instance.span)
    }

    fn ask(&self, name: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        setting(rtype_model::resource::setting(self.instance, name, arguments, self.context), name)
    }

    fn setting(&self, name: &str) -> Result<Value, ProviderError> {
        Ok(self.ask(name, &[])?.unwrapped().clone())
    }
}

/// Reads instances and returns their states in the same order. Only properties with a desired value are read.
pub fn read(instances: &[Arc<Instance>], natives: &NativeProviders, system: &System, context: Context<'_>) -> Vec<Current> {
    let mut answers: Vec<Option<Current>> = instances.iter().map(|_| None).collect();
    let redactor = system.redactor();
    instances.iter().for_each(|instance| learn(redactor, instance));
    let mut batches: IndexMap<(Symbol, Symbol), Vec<usize>> = IndexMap::new();
    for (i, instance) in instances.iter().enumerate() {
        let provider = instance.provider().cloned().unwrap_or_else(|| Symbol::from(""));
        batches.entry((instance.type_def.name.clone(), provider)).or_default().push(i);
    }
    for ((type_name, provider), members) in batches {
        if let Some(current) = members.first().and_then(|i| unavailable(instances.get(*i)?, context.world)) {
            members.into_iter().for_each(|i| set(&mut answers, i, current.clone()));
            continue;
        }
        let first = members.first().and_then(|i| instances.get(*i));
        let declared = first.and_then(|i| Some((&i.type_def, i.type_def.providers.get(provider.as_str())?)));
        let worker = declared.and_then(|(type_def, p)| type_def.worker(p));
        let of = worker.map_or((&type_name, &provider), |(of, p)| (&of.name, &p.name));
        let code = declared.map_or_else(|| Err("its provider is not declared".to_owned()), |(type_def, p)| code_of(type_def, p, natives));
        let code = match code {
            Ok(code) => code,
            Err(why) => {
                members.into_iter().for_each(|i| set(&mut answers, i, Current::Unavailable(why.clone())));
                continue;
            }
        };
        let batch: Vec<&Instance> = members.iter().filter_map(|i| instances.get(*i)).map(Arc::as_ref).collect();
        let names: Vec<EcoString> = batch.iter().map(|i| i.name()).collect();
        let wanted: Vec<Wanted<'_>> = batch.iter().map(|instance| Wanted { instance, context }).collect();
        let requests: Vec<Request<'_>> = names.iter().zip(&wanted).map(|(name, resource)| Request { name, resource }).collect();
        let attributes = properties(&batch);
        let readings = code.get(system, &requests, Select::Only(&attributes));
        for (i, reading) in members.into_iter().zip(readings) {
            let Some(instance) = instances.get(i) else { continue };
            learn_reading(redactor, instance, &reading);
            let mut reading = without_unread(reading, instance);
            if let Reading::Present(state) = &mut reading {
                // The code may be shared with other providers: a property that it does not read must not be reported as absent.
                for name in attributes.iter().filter(|a| !code.can_read(a.as_str())) {
                    let why = || Err(ProviderError::new(format!("the code of `{}/{}` does not read it", of.0, of.1)));
                    state.entry(name.clone()).or_insert_with(why);
                }
            }
            set(&mut answers, i, Current::Read(reading, redactor.clone()));
        }
    }
    answers.into_iter().map(|a| a.unwrap_or_else(|| Current::Unavailable("its provider gave no answer".into()))).collect()
}

/// Runs the `late_finalize` blocks of instances and reads the results.
pub fn read_late(
    instances: Vec<Arc<Instance>>,
    natives: &NativeProviders,
    system: &System,
    context: Context<'_>,
) -> Vec<(Arc<Instance>, Current)> {
    let mut failed = Vec::new();
    let mut late = Vec::with_capacity(instances.len());
    for instance in instances {
        late.push(match late_finalized(&instance, context) {
            Ok(Some(late)) => Arc::new(late),
            Ok(None) => instance,
            Err(failure) => {
                if !failure.unknown {
                    failed.push((late.len(), failure.message));
                }
                instance
            }
        });
    }
    let mut readings = read(&late, natives, system, context);
    for (place, why) in failed {
        if let Some(reading) = readings.get_mut(place) {
            *reading = Current::Unavailable(why);
        }
    }
    late.into_iter().zip(readings).collect()
}

/// Returns why an instance cannot be read, or the substitute for reading it; `None` if native code must be called.
fn unavailable(instance: &Instance, world: &dyn World) -> Option<Current> {
    let type_def = &instance.type_def;
    if type_def.providers.is_empty() {
        return Some(Current::Memory(IndexMap::new()));
    }
    let survey = survey(type_def, world);
    let why_not = |name: &Symbol| -> Vec<String> {
        let found = survey.iter().find(|s| s.provider == *name);
        found.map(|s| s.reasons.iter().map(|r| r.reason.clone()).collect()).unwrap_or_default()
    };
    // Providers with code, and why they are not suitable here.
    let others = || -> String {
        let coded = type_def.providers.values().filter(|p| has_code(type_def, p));
        let reasons: Vec<String> = coded
            .map(|p| (p.name.clone(), why_not(&p.name)))
            .filter(|(_, why)| !why.is_empty())
            .map(|(name, why)| format!("`{name}` is unsuitable: {}", why.join("; ")))
            .collect();
        reasons.join("; ")
    };
    let Some(provider) = instance.provider() else {
        return Some(Current::Unavailable(format!("no provider of `{}` works here; {}", type_def.name, others())));
    };
    let reasons = why_not(provider);
    if !reasons.is_empty() {
        return Some(Current::Unavailable(format!("the provider `{provider}` is unsuitable: {}", reasons.join("; "))));
    }
    if type_def.providers.get(provider.as_str()).is_some_and(|p| has_code(type_def, p)) {
        return None;
    }
    let others = others();
    let tail = if others.is_empty() { String::new() } else { format!("; {others}") };
    Some(Current::Unavailable(format!("the provider `{provider}` is declared, but has no native code yet{tail}")))
}

fn set(answers: &mut [Option<Current>], i: usize, current: Current) {
    if let Some(answer) = answers.get_mut(i) {
        *answer = Some(current);
    }
}

/// Returns `ensure` and all properties that a resource of the batch sets or audits.
fn properties(batch: &[&Instance]) -> Vec<Symbol> {
    let mut names: Vec<Symbol> = vec![Symbol::from("ensure")];
    for instance in batch {
        for slot in instance.slots.iter() {
            if let Some(attribute) = instance.type_def.attribute(slot.id).filter(|a| a.role == Role::Property)
                && !names.contains(&attribute.name)
            {
                names.push(attribute.name.clone());
            }
        }
        for attribute in crate::state::watched(instance).into_iter().filter_map(|id| instance.type_def.attribute(id)) {
            if !names.contains(&attribute.name) {
                names.push(attribute.name.clone());
            }
        }
    }
    names
}
