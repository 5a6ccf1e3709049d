//! Compares a program with the provider's declaration, without running the program.

use super::super::{Hello, MayRead, ProgramDescription, Providers};
use super::is_set_by_provider;
use crate::resource::supports_all;
use rtype_lang::diagnostics::{Code, Diagnostic, Help, did_you_mean};
use rtype_lang::types::{ProgramDef, ProviderDef, TypeDef};
use rtype_lang::value::Symbol;

/// Actions that every program supports. Each action is sent as a `set` request.
const ACTIONS: &[&str] = &["create", "destroy", "delete"];

pub(super) fn disagreements(
    found: &mut Vec<Diagnostic>,
    type_def: &TypeDef,
    provider: &ProviderDef,
    def: &ProgramDef,
    providers: &dyn Providers,
    may_read: MayRead<'_>,
) {
    let description = providers.program(def, may_read);
    let wrong = |message: String| Diagnostic::new(Code::NativeMismatch, def.span, message);
    // A type that was not read from a file has no directory in which to look for the program.
    if let (ProgramDescription::Missing(path), true) = (&description, def.directory.is_some()) {
        let help = "the path is relative to the directory of this file; a name without a slash is searched on `PATH`";
        found.push(wrong(format!("cannot find the program {}", path.display())).help(help));
        return;
    }
    match description {
        ProgramDescription::Refused(why) => found.push(why),
        ProgramDescription::Hello(hello) => {
            of_hello(type_def, provider, &hello).into_iter().for_each(|(m, h)| found.push(wrong(m).maybe_help(h)));
        }
        ProgramDescription::Invalid(why) => found.push(wrong(why).help("the file next to the program contains its answer to `hello`")),
        ProgramDescription::None | ProgramDescription::Missing(_) => {}
    }
}

/// Returns the differences between a program's description and the declaration: message and help.
pub fn of_hello(type_def: &TypeDef, provider: &ProviderDef, hello: &Hello) -> Vec<(String, Option<Help>)> {
    let mut found = Vec::new();
    let mut wrong = |message: String, help: Option<Help>| found.push((message, help));
    let name = &hello.name;
    if hello.type_name != type_def.name.as_str() {
        wrong(format!("`{name}` says that it is for the type `{}`, not for `{}`", hello.type_name, type_def.name), None);
        return found;
    }
    for feature in &hello.features {
        if !type_def.features.contains_key(feature.as_str()) {
            let help = did_you_mean(feature, type_def.features.keys().map(Symbol::as_str));
            wrong(format!("`{name}` says that it has the feature `{feature}`, which the type does not know"), help);
        } else if !provider.features.contains_key(feature.as_str()) {
            wrong(
                format!("`{name}` says that it has the feature `{feature}`"),
                Some(format!("declare it: `has_feature {feature}`").into()),
            );
        }
    }
    for feature in provider.features.keys().filter(|f| !hello.features.iter().any(|h| h == f.as_str())) {
        wrong(format!("`{name}` does not say that it has the feature `{feature}`"), Some("list it in `features`".into()));
    }
    let is_query =
        |query: &str| type_def.attribute_named(query).is_some() || type_def.lineage(provider).any(|(_, p)| p.settings.contains_key(query));
    let methods = [("actions", &provider.actions, &hello.actions), ("queries", &provider.queries, &hello.queries)];
    for (list, declared, own) in methods {
        let is_usual = |name: &str| if list == "actions" { ACTIONS.contains(&name) } else { is_query(name) };
        for method in declared.iter().filter(|m| !is_usual(m.as_str()) && !own.iter().any(|o| o == m.as_str())) {
            wrong(
                format!("`{name}` does not list the method `{method}` in `{list}`"),
                did_you_mean(method.as_str(), own.iter().map(String::as_str)),
            );
        }
        for method in own.iter().filter(|o| !declared.iter().any(|m| m.as_str() == o.as_str())) {
            wrong(format!("`{name}` lists the method `{method}` in `{list}`"), Some(format!("declare it: `{list} [{method}]`").into()));
        }
    }
    let properties: Vec<&str> = type_def.properties().map(|p| p.name.as_str()).collect();
    for attribute in hello.attributes_read.iter().chain(&hello.attributes_write).filter(|a| !properties.contains(&a.as_str())) {
        let help = did_you_mean(attribute, properties.iter().copied());
        wrong(format!("`{name}` lists `{attribute}`, which is not a property of the type"), help);
    }
    for property in type_def.properties() {
        if !supports_all(type_def, provider, &property.required_features).is_empty() {
            continue;
        }
        let named = |list: &[String]| list.iter().any(|a| a == property.name.as_str());
        if property.retrieve.is_none() && !named(&hello.attributes_read) {
            let help = "list it in `attributes_read`, or require a feature for it that the provider lacks";
            wrong(format!("`{name}` does not read the property `{}`", property.name), Some(help.into()));
        }
        let is_set = property.ensurable || is_set_by_provider(property);
        if hello.sets() && property.sync.is_none() && property.readonly.is_none() && is_set && !named(&hello.attributes_write) {
            let help = "list it in `attributes_write`, or let the type say `readonly`";
            wrong(format!("`{name}` does not change the property `{}`", property.name), Some(help.into()));
        }
    }
    found
}
