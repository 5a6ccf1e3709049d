//! Reads resources in batches, with a single call per provider.

use super::secrets::{learn_reading, without_unread};
use indexmap::IndexMap;
use rtype_lang::eval::{Failure, QueryError, World};
use rtype_lang::library::is_ruby;
use rtype_lang::redact::Redactor;
use rtype_lang::source::Span;
use rtype_lang::types::builtin::Function;
use rtype_lang::types::{AttrId, AttributeDef, Default, Op, Role, TypeCheck, ValueStep};
use rtype_lang::value::{EcoString, Symbol, Value};
use rtype_model::declare::learn;
use rtype_model::resource::{Context, Instance, Origin, late_finalized, survey};
use rtype_provider::{
    FileValue, FileValues, MissingCode, NativeProviders, Provider, ProviderError, Reading, Request, Resource, Select, State, System,
    code_of, code_without_provider, has_code, setting, setting_span,
};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A resource's current state on the machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Current {
    /// The provider's reading, and the redactor with the resource's secrets.
    Read(Reading, Redactor),
    /// The state set by the user with `:is {…}` in the REPL. The machine is not read.
    Stated(IndexMap<Symbol, Value>),
    /// The resource cannot be read; contains the reason.
    Unavailable(Unavailable),
}

/// Why no provider can read a resource.
#[derive(Clone, Debug, PartialEq)]
pub enum Unavailable {
    /// No provider of the type is suitable here.
    NoSuitableProvider {
        /// The type.
        type_name: Symbol,
        /// The unsuitable providers.
        others: Vec<UnsuitableProvider>,
    },
    /// The provider of the resource is unsuitable.
    Unsuitable(UnsuitableProvider),
    /// The type does not define the provider.
    UndefinedProvider,
    /// The provider has no code; contains the reasons why the providers with code are unsuitable.
    NoCode(MissingCode, Vec<UnsuitableProvider>),
    /// The provider returned no result for the resource.
    NoResult,
    /// The `late_finalize` block failed.
    LateFinalize(Failure),
}

/// A provider unsuitable here, with the failed conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsuitableProvider {
    /// The provider.
    pub provider: Symbol,
    /// The conditions that do not hold.
    pub reasons: Vec<String>,
}

impl Unavailable {
    /// Returns the span of the failed block.
    pub fn span(&self) -> Option<Span> {
        match self {
            Unavailable::LateFinalize(failure) => Some(failure.span),
            _ => None,
        }
    }
}

impl fmt::Display for UnsuitableProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is unsuitable: {}", self.provider, self.reasons.join("; "))
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = match self {
            Unavailable::NoSuitableProvider { type_name, others } => {
                write!(f, "no provider of `{type_name}` is suitable here")?;
                others
            }
            Unavailable::NoCode(missing, others) => {
                write!(f, "{missing}")?;
                others
            }
            Unavailable::Unsuitable(unsuitable) => return write!(f, "provider {unsuitable}"),
            Unavailable::UndefinedProvider => return f.write_str("its provider is not defined"),
            Unavailable::NoResult => return f.write_str("its provider returned no result"),
            Unavailable::LateFinalize(failure) => return f.write_str(&failure.message),
        };
        others.iter().try_for_each(|other| write!(f, "; {other}"))
    }
}

impl std::error::Error for Unavailable {}

/// Why a property cannot be read.
#[derive(Clone, Copy, Debug)]
pub enum ReadError<'a> {
    /// The provider failed; the redactor knows the secrets in the error.
    Provider(&'a ProviderError, &'a Redactor),
    /// No provider can read the resource.
    Unavailable(&'a Unavailable),
}

impl From<ReadError<'_>> for QueryError {
    fn from(error: ReadError<'_>) -> QueryError {
        match error {
            ReadError::Provider(error, redactor) => QueryError::Reported(redactor.redacted(&error.line())),
            ReadError::Unavailable(Unavailable::LateFinalize(failure)) => failure.clone().into(),
            ReadError::Unavailable(why) => QueryError::ProviderUnusable(why.to_string()),
        }
    }
}

impl Current {
    /// Returns a property's current value; `:absent` if the provider did not report the property.
    ///
    /// # Errors
    /// Returns the reason if the property cannot be read.
    pub fn property(&self, instance: &Instance, id: AttrId) -> Result<Value, ReadError<'_>> {
        let Some(attribute) = instance.type_def.attribute(id) else { return Ok(Value::sym("absent")) };
        let name = attribute.name.as_str();
        let absent = || Ok(Value::sym("absent"));
        match self {
            Current::Read(Reading::Present(state), redactor) => match state.get(name) {
                Some(Ok(value)) => Ok(value.clone()),
                Some(Err(e)) => Err(ReadError::Provider(e, redactor)),
                None if name == "ensure" => Ok(Value::sym("present")),
                None => absent(),
            },
            Current::Read(Reading::Absent, _) => absent(),
            Current::Read(Reading::Error(e) | Reading::Unavailable(e), redactor) => Err(ReadError::Provider(e, redactor)),
            Current::Stated(state) => state.get(name).cloned().map_or_else(absent, Ok),
            Current::Unavailable(why) => Err(ReadError::Unavailable(why)),
        }
    }

    /// Returns the span of the block or setting that prevents reading.
    pub fn failed_at(&self) -> Option<Span> {
        match self {
            Current::Read(reading, _) => reading.error()?.span,
            Current::Unavailable(why) => why.span(),
            Current::Stated(_) => None,
        }
    }

    /// Returns the function for reading a resource's properties in a comparison.
    pub fn reader(&self, instance: &Instance) -> impl Fn(AttrId) -> Result<Value, QueryError> {
        move |id| self.property(instance, id).map_err(QueryError::from)
    }
}

/// An instance as seen by a provider.
#[derive(Clone, Copy)]
pub(super) struct DesiredResource<'a> {
    pub instance: &'a Instance,
    pub context: Context<'a>,
}

impl Resource for DesiredResource<'_> {
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

    fn is_default(&self, attribute: &str) -> bool {
        let slot = self.instance.type_def.id_of(attribute).and_then(|id| self.instance.slot(id));
        slot.is_some_and(|slot| slot.origin == Origin::Default)
    }

    fn checked(&self) -> Option<FileValues> {
        checked(self.instance, self.context)
    }

    fn is_generated(&self) -> bool {
        self.instance.generated_by().is_some()
    }

    fn title(&self) -> Option<EcoString> {
        Some(self.instance.title.clone())
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

    fn setting_span(&self, name: &str) -> Option<Span> {
        let type_def = &self.instance.type_def;
        setting_span(type_def, type_def.providers.get(self.instance.provider()?.as_str())?, name)
    }
}

/// Returns the values from the type file for a resource with a Ruby provider. `None` if the type was translated for this run: the Ruby code
/// is then the type file.
fn checked(instance: &Instance, context: Context<'_>) -> Option<FileValues> {
    let type_def = &*instance.type_def;
    let provider = instance.provider().and_then(|name| type_def.providers.get(name.as_str()));
    let is_in_ruby = context.world.runs_ruby() && provider.is_none_or(|provider| type_def.worker(provider).is_none());
    let is_translated = || context.catalog.place_of(type_def.span).is_some_and(|(file, _)| is_ruby(Path::new(file.as_str())));
    let unchecked = instance.not_checked();
    // `canonicalize` converts the values again.
    if !is_in_ruby || type_def.canonicalize.is_some() || unchecked.iter().any(|part| part.attribute.is_none()) || is_translated() {
        return None;
    }
    // A `finalize` block may remove values that the Ruby code removes later.
    let finalizes = type_def.checks.iter().any(|check| matches!(check, TypeCheck::Finalize(_)));
    let is_checked = |a: &AttributeDef| {
        let is_left = unchecked.iter().any(|part| part.attribute.as_ref() == Some(&a.name));
        let is_ignored = instance.ignored().iter().any(|ignored| type_def.attribute(ignored.id).is_some_and(|i| i.name == a.name));
        let has_code = a.munge.steps.iter().chain(&a.validate.steps).any(|step| matches!(step, ValueStep::Code(_)));
        a.role != Role::Metaparam && a.name.as_str() != "provider" && !is_left && !is_ignored && (a.native.is_none() || has_code)
    };
    let one = |id: AttrId| {
        let attribute = type_def.attribute(id).filter(|a| is_checked(a))?;
        let value = match instance.slot(id) {
            Some(slot) if slot.origin == Origin::Finalize || slot.origin == Origin::Default && has_setting(attribute) => return None,
            Some(slot) => slot.value.clone(),
            None if finalizes || !attribute.required_features.is_empty() => return None,
            None => Value::Nil,
        };
        let has_rules = attribute.data_type.is_some() || !attribute.validate.steps.is_empty() || !attribute.munge.steps.is_empty();
        is_plain(value.unwrapped()).then(|| (attribute.name.clone(), FileValue { value, has_rules }))
    };
    let is_validated = type_def.checks.iter().any(|check| matches!(check, TypeCheck::Validate(_)));
    Some(FileValues { values: type_def.order.iter().filter_map(|id| one(*id)).collect(), is_validated })
}

/// Returns whether a default depends on settings. The Ruby process has its own settings.
fn has_setting(attribute: &AttributeDef) -> bool {
    let code = attribute.default.as_ref().and_then(|default| if let Default::Code(code) = default { Some(code) } else { None });
    code.is_some_and(|code| code.inner.body.any(&|node| matches!(node.op, Op::Call(Function::Setting, ..))))
}

/// Returns whether a value can be passed to Ruby.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::Sym(_) => true,
        Value::Array(items) => items.iter().all(is_plain),
        Value::Map(map) => map.values().all(is_plain),
        Value::Sensitive(inner) => is_plain(inner),
        Value::Binary(_) | Value::Regex(_) | Value::Resource(_) | Value::Object(_) | Value::Type(_) | Value::Unknown => false,
    }
}

/// Returns the code that reads and changes a resource.
pub(crate) fn code_for(instance: &Instance, natives: &NativeProviders) -> Option<Arc<dyn Provider>> {
    let type_def = &instance.type_def;
    match instance.provider() {
        Some(name) => code_of(type_def, type_def.providers.get(name.as_str())?, natives).ok(),
        None => code_without_provider(type_def, !instance.not_checked().is_empty(), natives).ok().flatten(),
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
        let has_unchecked_parts = members.iter().filter_map(|i| instances.get(*i)).any(|i| !i.not_checked().is_empty());
        let without_code = |i: &usize| without_code(instances.get(*i)?, has_unchecked_parts, natives, context.world, redactor);
        if let Some(current) = members.first().and_then(without_code) {
            members.into_iter().for_each(|i| set(&mut answers, i, current.clone()));
            continue;
        }
        let first = members.first().and_then(|i| instances.get(*i));
        let declared = first.and_then(|i| Some((&i.type_def, i.type_def.providers.get(provider.as_str())?)));
        let worker = declared.and_then(|(type_def, p)| type_def.worker(p));
        let of = worker.map_or((&type_name, &provider), |(of, p)| (&of.name, &p.name));
        let code = match (declared, first) {
            (Some((type_def, p)), _) => code_of(type_def, p, natives).map(Some),
            (None, Some(instance)) => code_without_provider(&instance.type_def, has_unchecked_parts, natives),
            (None, None) => continue,
        };
        let code = match code.map_err(|missing| Unavailable::NoCode(missing, Vec::new())) {
            Ok(Some(code)) => code,
            Ok(None) => {
                members.into_iter().for_each(|i| set(&mut answers, i, Current::Unavailable(Unavailable::UndefinedProvider)));
                continue;
            }
            Err(why) => {
                members.into_iter().for_each(|i| set(&mut answers, i, Current::Unavailable(why.clone())));
                continue;
            }
        };
        let batch: Vec<&Instance> = members.iter().filter_map(|i| instances.get(*i)).map(Arc::as_ref).collect();
        let names: Vec<EcoString> = batch.iter().map(|i| i.name()).collect();
        let wanted: Vec<DesiredResource<'_>> = batch.iter().map(|instance| DesiredResource { instance, context }).collect();
        let requests: Vec<Request<'_>> = names.iter().zip(&wanted).map(|(name, resource)| Request { name, resource }).collect();
        let attributes = properties(&batch);
        let guarded = system.guarding(requests.iter().map(|request| request.resource));
        let readings = code.get(&guarded, &requests, Select::Only(&attributes));
        for (i, reading) in members.into_iter().zip(readings) {
            let Some(instance) = instances.get(i) else { continue };
            learn_reading(redactor, instance, &reading);
            let mut reading = without_unread(reading, instance);
            if let Reading::Present(state) = &mut reading {
                // The code may be shared with other providers: an unsupported property must not be reported as absent.
                for name in attributes.iter().filter(|a| !code.can_read(a.as_str())) {
                    let why = || Err(ProviderError::new(format!("the code of `{}/{}` does not read it", of.0, of.1)));
                    state.entry(name.clone()).or_insert_with(why);
                }
            }
            set(&mut answers, i, Current::Read(reading, redactor.clone()));
        }
    }
    answers.into_iter().map(|a| a.unwrap_or_else(|| Current::Unavailable(Unavailable::NoResult))).collect()
}

/// Runs the instances' `late_finalize` blocks and reads the results.
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
                if !failure.is_unknown() || failure.is_untranslated() {
                    failed.push((late.len(), failure));
                }
                instance
            }
        });
    }
    let mut readings = read(&late, natives, system, context);
    for (place, failure) in failed {
        if let Some(reading) = readings.get_mut(place) {
            *reading = Current::Unavailable(Unavailable::LateFinalize(failure));
        }
    }
    late.into_iter().zip(readings).collect()
}

/// Returns an instance's state if no provider code reads it: the reason if the instance cannot be read, or an empty state if the type needs
/// no provider. Returns `None` if the provider must be called.
fn without_code(
    instance: &Instance,
    has_unchecked_parts: bool,
    natives: &NativeProviders,
    world: &dyn World,
    redactor: &Redactor,
) -> Option<Current> {
    let type_def = &instance.type_def;
    if type_def.providers.is_empty() || natives.simulation().is_some() {
        return match code_without_provider(type_def, has_unchecked_parts, natives) {
            Ok(Some(_)) => None,
            Ok(None) => Some(Current::Read(Reading::Present(State::new()), redactor.clone())),
            Err(missing) => Some(Current::Unavailable(Unavailable::NoCode(missing, Vec::new()))),
        };
    }
    let survey = survey(type_def, world);
    let why_not = |name: &Symbol| -> Vec<String> {
        let found = survey.iter().find(|s| s.provider == *name);
        found.map(|s| s.reasons.iter().map(|r| r.reason.clone()).collect()).unwrap_or_default()
    };
    // Providers with code, and the reasons why they are unsuitable here.
    let others = || -> Vec<UnsuitableProvider> {
        let coded = type_def.providers.values().filter(|p| has_code(type_def, p, natives));
        let unsuitable = coded.map(|p| UnsuitableProvider { provider: p.name.clone(), reasons: why_not(&p.name) });
        unsuitable.filter(|other| !other.reasons.is_empty()).collect()
    };
    if !type_def.applies_to_host {
        let missing = MissingCode::OnDevice { type_name: type_def.name.clone() };
        return Some(Current::Unavailable(Unavailable::NoCode(missing, Vec::new())));
    }
    let Some(provider) = instance.provider() else {
        let type_name = type_def.name.clone();
        return Some(Current::Unavailable(Unavailable::NoSuitableProvider { type_name, others: others() }));
    };
    let reasons = why_not(provider);
    if !reasons.is_empty() {
        return Some(Current::Unavailable(Unavailable::Unsuitable(UnsuitableProvider { provider: provider.clone(), reasons })));
    }
    if type_def.providers.get(provider.as_str()).is_some_and(|p| has_code(type_def, p, natives)) {
        return None;
    }
    let missing = MissingCode::DeclaredOnly { provider: provider.clone() };
    // The others do not matter to a declaration that names its provider.
    let others = if is_chosen(instance) { Vec::new() } else { others() };
    Some(Current::Unavailable(Unavailable::NoCode(missing, others)))
}

/// Returns whether the declaration names the provider.
fn is_chosen(instance: &Instance) -> bool {
    let slot = instance.type_def.id_of("provider").and_then(|id| instance.slot(id));
    slot.is_some_and(|slot| slot.origin != Origin::Default)
}

fn set(answers: &mut [Option<Current>], i: usize, current: Current) {
    if let Some(answer) = answers.get_mut(i) {
        *answer = Some(current);
    }
}

/// Returns `ensure` and all properties set or audited by any resource in the batch.
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
