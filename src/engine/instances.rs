//! What is on the machine, without anything declared.

use super::code::{code_of, has_code};
use crate::diagnostics::{Code, Diagnostic, Severity};
use crate::manifest::Shown;
use crate::provider::{Found, Machine, NativeProviders, ProviderError, Reading, Request, Resource, Select, State};
use crate::resource::{Context, NoCatalog, lacking, setting_of, survey};
use crate::source::Span;
use crate::types::{ProviderDef, Role, TypeDef};
use crate::value::{EcoString, Symbol, Value};
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

/// The resources of a type on a machine.
#[derive(Debug, Default)]
pub struct Listed {
    /// As they can be printed; sensitive values are wrapped.
    pub resources: Vec<Shown>,
    /// What could not be read, and why.
    pub diagnostics: Vec<Diagnostic>,
    /// The properties that failed for one reason, while listing goes on.
    unreadable: IndexMap<(String, Option<String>), IndexSet<Symbol>>,
}

/// Nothing is declared: there are the settings of the provider, as far as they need no more than a title.
struct Undeclared<'a> {
    type_def: &'a TypeDef,
    provider: &'a ProviderDef,
    title: Option<&'a str>,
    machine: &'a Machine,
}

impl Resource for Undeclared<'_> {
    fn wanted(&self, _: &str) -> Value {
        Value::Nil
    }

    fn ask(&self, name: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let context = Context { world: self.machine, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false };
        super::read::setting(setting_of(self.type_def, self.provider, self.title, (name, arguments), context), name)
    }

    fn setting(&self, name: &str) -> Result<Value, ProviderError> {
        Ok(self.ask(name, &[])?.unwrapped().clone())
    }
}

/// All resources of a type, or the one of this title.
///
/// Follows Puppet's `Puppet::Type.instances`: every suitable provider lists what it knows, a name counts once, and a
/// provider whose `source` is another one is not asked.
pub fn instances(type_def: &TypeDef, title: Option<&str>, natives: &NativeProviders, machine: &Machine) -> Listed {
    let mut listed = Listed::default();
    let fail = |listed: &mut Listed, message: String, help: Option<String>| {
        listed.diagnostics.push(Diagnostic::new(Code::ReadFailed, Span::NONE, message).maybe_help(help));
    };
    if title.is_none() && !type_def.lists_instances {
        let help = format!("name one: `rtype resource {} TITLE`", type_def.name);
        fail(&mut listed, format!("the resources of `{}` cannot be listed", type_def.name), Some(help));
        return listed;
    }
    let survey = survey(type_def, machine);
    let chosen = crate::resource::choose(&survey).map(|c| c.provider);
    let mut asked = IndexSet::new();
    let mut seen = IndexSet::new();
    let mut why = Vec::new();
    // The default provider goes first: what it lists, others need not list again.
    let mut providers: Vec<&ProviderDef> = type_def.providers.values().collect();
    providers.sort_by_key(|p| Some(&p.name) != chosen.as_ref());
    for provider in providers {
        let Some(suitability) = survey.iter().find(|s| s.provider == provider.name) else { continue };
        // Providers that this program could not read anyway are no reason to complain of.
        if let Some(first) = suitability.reasons.first() {
            if has_code(type_def, provider) {
                why.push(format!("`{}` is unsuitable: {}", provider.name, first.reason));
            }
            continue;
        }
        if title.is_some() && Some(&provider.name) != chosen.as_ref() {
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
        let undeclared = Undeclared { type_def, provider, title, machine };
        match title {
            Some(title) => {
                let request = Request { name: title, resource: &undeclared };
                match code.get(machine.system(), &[request], Select::All).into_iter().next() {
                    Some(Reading::Present(state)) => add(&mut listed, machine, type_def, provider, title, state),
                    Some(Reading::Error(e) | Reading::Unavailable(e)) => fail(&mut listed, e.message, e.help),
                    _ => {
                        let absent = [(Symbol::from("ensure"), Ok(Value::sym("absent")))];
                        add(&mut listed, machine, type_def, provider, title, absent.into_iter().collect());
                    }
                }
            }
            None => match code.instances_of(machine.system(), &undeclared, Select::All) {
                Ok(found) => {
                    for Found { name, mut state } in found {
                        if seen.insert(name.clone()) {
                            if Some(&provider.name) != chosen.as_ref() {
                                state.insert(Symbol::from("provider"), Ok(Value::Sym(provider.name.clone())));
                            }
                            add(&mut listed, machine, type_def, provider, &name, state);
                        }
                    }
                }
                Err(e) => fail(&mut listed, e.message, e.help),
            },
        }
    }
    if asked.is_empty() {
        let reasons = if why.is_empty() { "none of its providers has native code yet".to_owned() } else { why.join("; ") };
        let help = format!("`rtype describe {} --providers` tells more", type_def.name);
        fail(&mut listed, format!("nothing here can read `{}`: {reasons}", type_def.name), Some(help));
    }
    // Reading twenty users without root fails in the same way for each of five properties: that is one thing to say.
    for ((message, help), names) in std::mem::take(&mut listed.unreadable) {
        let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
        let are = if names.len() == 1 { "is" } else { "are" };
        let out = format!("{} {are} left out", names.join(", "));
        let mut d = Diagnostic::new(Code::ReadFailed, Span::NONE, message).help(help.map_or(out.clone(), |h| format!("{out}; {h}")));
        d.severity = Severity::Warning;
        listed.diagnostics.push(d);
    }
    listed
}

/// The names of all resources of a type, as far as a provider that works here lists them; nothing else is read.
pub fn titles(type_def: &TypeDef, natives: &NativeProviders, machine: &Machine) -> Vec<EcoString> {
    let mut names = IndexSet::new();
    if !type_def.lists_instances {
        return Vec::new();
    }
    for suitable in survey(type_def, machine).iter().filter(|s| s.is_suitable()) {
        let Some(provider) = type_def.providers.get(&suitable.provider) else { continue };
        let undeclared = Undeclared { type_def, provider, title: None, machine };
        let code = code_of(type_def, provider, natives).ok();
        let found = code.and_then(|c| c.instances_of(machine.system(), &undeclared, Select::Only(&[])).ok());
        names.extend(found.into_iter().flatten().map(|f| f.name));
    }
    names.into_iter().collect()
}

fn add(listed: &mut Listed, machine: &Machine, type_def: &TypeDef, provider: &ProviderDef, title: &str, state: State) {
    let mut attributes: Vec<(EcoString, Value)> = Vec::new();
    let absent = state.get("ensure").is_some_and(|e| matches!(e, Ok(v) if v.is_absent()));
    for (name, value) in state {
        let Some(attribute) = type_def.attribute_named(name.as_str()) else { continue };
        // Pasted back it would only be ignored, with a warning.
        if !lacking(type_def, provider, &attribute.required_features, machine).is_empty() {
            continue;
        }
        match value {
            Ok(value) if value.is_nil() => {}
            // Puppet leaves out what a resource has not; `ensure` is what says that it is not there.
            Ok(value) if value.is_absent() && name.as_str() != "ensure" => {}
            // Nor does it print what is empty (`Puppet::Resource#prune_parameters`).
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
    listed.resources.push(Shown { type_name: type_def.name.clone(), title: title.into(), attributes });
}
