//! Lists undeclared resources on the machine.

use super::backend::NativeBackend;
use super::read::{DesiredResource, code_for};
use super::secrets::learn_state;
use indexmap::{IndexMap, IndexSet};
use rtype_lang::diagnostics::{Code, Diagnostic, Severity};
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::source::Span;
use rtype_lang::types::{Node, Op, ProviderDef, Role, Setting, TypeDef};
use rtype_lang::value::{EcoString, Symbol, Value};
use rtype_model::declare::learn;
use rtype_model::manifest::PrintedResource;
use rtype_model::resource::{Context, MessageLog, NoCatalog, lacking, setting_of, survey, title_for, titled};
use rtype_provider::{
    ErrorKind, ListedResource, Machine, NativeProviders, Provider, ProviderError, Reading, Request, Resource, Select, State,
};
use rtype_provider::{code_of, code_without_provider, has_code};
use std::sync::Arc;

/// A type's resources on a machine.
#[derive(Debug, Default)]
pub struct Listed {
    /// Printable resources; sensitive values are wrapped.
    pub resources: Vec<PrintedResource>,
    /// Errors in reading.
    pub diagnostics: Vec<Diagnostic>,
    /// Unreadable properties, grouped by error while listing.
    unreadable: IndexMap<(Foreign, Option<Foreign>), IndexSet<Symbol>>,
}

/// An undeclared resource: only provider settings that need no more than a title are available.
struct Undeclared<'a> {
    type_def: &'a TypeDef,
    provider: &'a ProviderDef,
    machine: &'a Machine,
}

impl Resource for Undeclared<'_> {
    fn wanted(&self, _: &str) -> Value {
        Value::Nil
    }

    fn ask(&self, name: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        rtype_provider::setting(setting_of(self.type_def, self.provider, (name, arguments), context(self.machine)), name)
    }

    fn setting(&self, name: &str) -> Result<Value, ProviderError> {
        Ok(self.ask(name, &[])?.unwrapped().clone())
    }

    fn varies(&self, name: &str) -> bool {
        let of = |(_, provider): (&TypeDef, &'_ ProviderDef)| match provider.settings.get(name)? {
            Setting::Code(code) => Some(uses_resource(&code.inner.body)),
            Setting::Value(_) => Some(false),
        };
        self.type_def.lineage(self.provider).find_map(of).unwrap_or(false)
    }

    fn setting_span(&self, name: &str) -> Option<Span> {
        rtype_provider::setting_span(self.type_def, self.provider, name)
    }
}

/// Returns true if a block uses the resource, directly or in a function.
fn uses_resource(node: &Node) -> bool {
    matches!(node.op, Op::SelfRef | Op::SelfAttr(_) | Op::SelfIndex(_) | Op::CallFn(..)) || node.children().into_iter().any(uses_resource)
}

/// Returns the first listed resource that cannot be read back by title, with the reason: no setting has the title, or another setting does.
/// The type then derives titles and settings in different ways.
fn not_found<'f>(
    type_def: &TypeDef,
    code: &dyn Provider,
    found: &'f [ListedResource],
    machine: &Machine,
    context: Context<'_>,
) -> Option<(&'f EcoString, &'static str)> {
    let titles = found.iter().map(|f| (f, title_of(type_def, &f.name, &f.state, machine)));
    let type_def = Arc::new(type_def.clone());
    let built: Vec<_> = titles.filter_map(|(listed, title)| Some((listed, titled(&type_def, &title, context).ok()?.0))).collect();
    let names: Vec<EcoString> = built.iter().map(|(_, instance)| instance.name()).collect();
    let wanted: Vec<_> = built.iter().map(|(_, instance)| DesiredResource { instance, context }).collect();
    let requests: Vec<Request<'_>> = names.iter().zip(&wanted).map(|(name, resource)| Request { name, resource }).collect();
    let readings = code.get(machine.system(), &requests, Select::All);
    // Among several records with the same name, only one is read.
    let is_listed = |name: &EcoString, read: &State| found.iter().any(|listed| listed.name == *name && !differs(&listed.state, read));
    built.iter().zip(readings).find_map(|((listed, _), reading)| match reading {
        Reading::Absent => Some((&listed.name, "the file has no setting for the title")),
        Reading::Present(read) if differs(&listed.state, &read) && !is_listed(&listed.name, &read) => {
            Some((&listed.name, "another setting has the title"))
        }
        _ => None,
    })
}

/// Returns true if a property has different values in two states.
fn differs(listed: &State, read: &State) -> bool {
    listed.iter().any(|(name, value)| matches!((value, read.get(name)), (Ok(listed), Some(Ok(read))) if listed != read))
}

fn context(machine: &Machine) -> Context<'_> {
    Context { world: machine, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false, log: None }
}

/// Returns the machine's resource with this title.
pub fn instance(type_def: &Arc<TypeDef>, title: &str, natives: &NativeProviders, machine: &Machine) -> Listed {
    let mut listed = Listed::default();
    let backend = NativeBackend { natives, system: machine.system() };
    let log = MessageLog::default();
    let context = Context { backend: Some(&backend), log: Some(&log), ..context(machine) };
    let (instance, refused) = match titled(type_def, title, context) {
        Ok(titled) => titled,
        Err(diagnostics) => return Listed { diagnostics, ..listed },
    };
    let provider = instance.provider().and_then(|name| type_def.providers.get(name));
    let Some(code) = code_for(&instance, natives) else {
        let survey = survey(type_def, machine);
        let why = |p: &ProviderDef| Some(unsuitable(p, &survey.iter().find(|s| s.provider == p.name)?.reasons.first()?.reason));
        let readers = type_def.providers.values().filter(|p| has_code(type_def, p, natives));
        listed.unreadable_type(type_def, &readers.filter_map(why).collect::<Vec<_>>());
        return listed;
    };
    let (name, wanted) = (instance.name(), DesiredResource { instance: &instance, context });
    let request = Request { name: &name, resource: &wanted };
    let redactor = machine.system().redactor();
    learn(redactor, &instance);
    match code.get(machine.system(), &[request], Select::All).into_iter().next() {
        Some(Reading::Present(state)) => add(&mut listed, machine, type_def, provider, title, state),
        Some(Reading::Error(e) | Reading::Unavailable(e)) => {
            // Setting an attribute on the command line would change the machine, so the help must not suggest it.
            let help = match e.kind {
                ErrorKind::MissingAttribute => Some(Foreign::from(format!(
                    "a title alone does not identify a `{}`; declare it in a file and read that with `rtype inspect FILE`",
                    type_def.name
                ))),
                ErrorKind::Failed | ErrorKind::Protocol => e.help,
            };
            listed.fail_with(ProviderError { help, ..e }, redactor);
        }
        _ if !refused.is_empty() => listed.diagnostics.extend(refused),
        _ => {
            let absent = [(Symbol::from("ensure"), Ok(Value::sym("absent")))];
            add(&mut listed, machine, type_def, provider, title, absent.into_iter().collect());
        }
    }
    listed.note_unreadable(machine.system().redactor());
    listed.diagnostics.extend(log.take().iter().filter_map(|message| message.diagnostic(Span::NONE)));
    listed
}

fn unsuitable(provider: &ProviderDef, reason: &str) -> String {
    format!("`{}` is unsuitable: {reason}", provider.name)
}

impl Listed {
    fn fail(&mut self, span: Span, message: String, help: Option<String>) {
        self.diagnostics.push(Diagnostic::new(Code::ReadFailed, span, message).maybe_help(help));
    }

    fn fail_with(&mut self, error: ProviderError, redactor: &Redactor) {
        let span = error.span.unwrap_or(Span::NONE);
        self.fail(span, redactor.reveal(&error.message), error.help.map(|help| redactor.reveal(&help)));
    }

    fn unreadable_type(&mut self, type_def: &TypeDef, why: &[String]) {
        let reasons = if why.is_empty() { "none of its providers has native code yet".to_owned() } else { why.join("; ") };
        let help = format!("`rtype describe {} --providers` shows why", type_def.name);
        self.fail(Span::NONE, format!("nothing here can read `{}`: {reasons}", type_def.name), Some(help));
    }

    /// Reports each error once: reading twenty users without root fails in the same way for each of five properties.
    fn note_unreadable(&mut self, redactor: &Redactor) {
        for ((message, help), names) in std::mem::take(&mut self.unreadable) {
            let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
            let are = if names.len() == 1 { "is" } else { "are" };
            let out = format!("{} {are} left out", names.join(", "));
            let (message, help) = (redactor.reveal(&message), help.map(|help| redactor.reveal(&help)));
            let mut d = Diagnostic::new(Code::ReadFailed, Span::NONE, message).help(help.map_or(out.clone(), |h| format!("{out}; {h}")));
            d.severity = Severity::Warning;
            self.diagnostics.push(d);
        }
    }
}

/// Returns a title for identifying a listed resource.
fn title_of(type_def: &TypeDef, name: &str, state: &State, machine: &Machine) -> EcoString {
    let several = type_def.namevars.len() > 1;
    let namevar = |namevar: &str| match state.get(namevar) {
        Some(Ok(value)) if !value.is_absent() && !value.is_nil() => Some(value.unwrapped().to_text()),
        _ if several && namevar != "name" => None,
        _ => Some(name.into()),
    };
    title_for(type_def, name, namevar, context(machine))
}

/// Lists all resources of a type.
///
/// Follows Puppet's `Puppet::Type.instances`: all suitable providers list their resources, each name is listed once, and a provider with
/// another provider as `source` is not queried.
pub fn instances(type_def: &TypeDef, natives: &NativeProviders, machine: &Machine) -> Listed {
    let mut listed = Listed::default();
    if !type_def.lists_instances {
        let help = format!("name one: `rtype resource {} TITLE`", type_def.name);
        listed.fail(Span::NONE, format!("the resources of `{}` cannot be listed", type_def.name), Some(help));
        return listed;
    }
    let survey = survey(type_def, machine);
    let chosen = rtype_model::resource::choose(&survey).map(|c| c.provider);
    let mut asked = IndexSet::new();
    let mut seen = IndexSet::new();
    let mut why = Vec::new();
    // The default provider is queried first and takes precedence.
    let mut providers: Vec<&ProviderDef> = type_def.providers.values().collect();
    providers.sort_by_key(|p| Some(&p.name) != chosen.as_ref());
    for provider in providers {
        let Some(suitability) = survey.iter().find(|s| s.provider == provider.name) else { continue };
        // Providers without code in this program are not reported.
        if let Some(first) = suitability.reasons.first() {
            if has_code(type_def, provider, natives) {
                why.push(unsuitable(provider, &first.reason));
            }
            continue;
        }
        let source = provider.source.as_ref().unwrap_or(&provider.name);
        if !asked.insert(source.clone()) {
            continue;
        }
        let Ok(code) = code_of(type_def, provider, natives) else {
            asked.shift_remove(source);
            continue;
        };
        let undeclared = Undeclared { type_def, provider, machine };
        match code.instances_of(machine.system(), &undeclared, Select::All) {
            Ok(found) => {
                let is_of_file = type_def.lineage(provider).any(|(_, p)| p.settings.contains_key("file_path"));
                let lost = is_of_file.then(|| not_found(type_def, code.as_ref(), &found, machine, context(machine))).flatten();
                if let Some((name, why)) = lost {
                    let message = format!("the resources of `{}` cannot be listed: {why} `{name}`", type_def.name);
                    let help = "declare the resources, and remove them with `ensure => absent`";
                    listed.fail_with(ProviderError::new(message).help(help), machine.system().redactor());
                    continue;
                }
                for ListedResource { name, mut state } in found {
                    if seen.insert(name.clone()) {
                        let title = title_of(type_def, &name, &state, machine);
                        if Some(&provider.name) != chosen.as_ref() {
                            state.insert(Symbol::from("provider"), Ok(Value::Sym(provider.name.clone())));
                        }
                        add(&mut listed, machine, type_def, Some(provider), &title, state);
                    }
                }
            }
            Err(e) => listed.fail_with(e, machine.system().redactor()),
        }
    }
    if let Ok(Some(code)) = code_without_provider(type_def, false, natives) {
        match code.instances(machine.system(), Select::All) {
            Ok(found) => {
                for ListedResource { name, state } in found {
                    let title = title_of(type_def, &name, &state, machine);
                    add(&mut listed, machine, type_def, None, &title, state);
                }
            }
            Err(e) => listed.fail_with(e, machine.system().redactor()),
        }
    } else if asked.is_empty() {
        listed.unreadable_type(type_def, &why);
    }
    listed.note_unreadable(machine.system().redactor());
    listed
}

/// Returns the titles of all resources listed by suitable providers. Properties are only read if the title needs them.
pub fn titles(type_def: &TypeDef, natives: &NativeProviders, machine: &Machine) -> Vec<EcoString> {
    let mut names = IndexSet::new();
    if !type_def.lists_instances {
        return Vec::new();
    }
    for suitable in survey(type_def, machine).iter().filter(|s| s.is_suitable()) {
        let Some(provider) = type_def.providers.get(&suitable.provider) else { continue };
        let undeclared = Undeclared { type_def, provider, machine };
        let code = code_of(type_def, provider, natives).ok();
        // With several namevars, the name alone is not a title.
        let select = if type_def.namevars.len() > 1 { Select::All } else { Select::Only(&[]) };
        let found = code.and_then(|c| c.instances_of(machine.system(), &undeclared, select).ok());
        names.extend(found.into_iter().flatten().map(|f| title_of(type_def, &f.name, &f.state, machine)));
    }
    names.into_iter().collect()
}

fn add(listed: &mut Listed, machine: &Machine, type_def: &TypeDef, provider: Option<&ProviderDef>, title: &str, state: State) {
    learn_state(machine.system().redactor(), type_def, &state);
    let mut attributes: Vec<(EcoString, Value)> = Vec::new();
    let absent = state.get("ensure").is_some_and(|e| matches!(e, Ok(v) if v.is_absent()));
    for (name, value) in state {
        let Some(attribute) = type_def.attribute_named(name.as_str()) else { continue };
        // A declaration with this attribute would ignore it with a warning.
        if provider.is_some_and(|p| !lacking(type_def, p, &attribute.required_features, machine).is_empty()) {
            continue;
        }
        match value {
            Ok(value) if value.is_nil() => {}
            // Like Puppet, omit absent properties except `ensure`.
            Ok(value) if value.is_absent() && name.as_str() != "ensure" => {}
            // Puppet also omits empty values (`Puppet::Resource#prune_parameters`).
            Ok(Value::Array(items)) if items.is_empty() => {}
            Ok(value) if value.as_text() == Some("") => {}
            Ok(_) if absent && name.as_str() != "ensure" && attribute.role == Role::Property => {}
            Ok(value) if attribute.sensitive => attributes.push((name.text(), Value::Sensitive(Arc::new(value)))),
            Ok(value) => attributes.push((name.text(), value)),
            Err(e) => drop(listed.unreadable.entry((e.message, e.help)).or_default().insert(name)),
        }
    }
    if let [only] = type_def.namevars.as_slice()
        && let Some(namevar) = type_def.attribute(*only)
    {
        attributes.retain(|(name, _)| *name != namevar.name.text());
    }
    listed.resources.push(PrintedResource { type_name: type_def.name.clone(), title: title.into(), attributes });
}
