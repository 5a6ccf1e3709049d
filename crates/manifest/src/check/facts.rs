//! Facts that manifests read.

use super::modules::Modules;
use crate::syntax::tree::{Expression, ExpressionKind};
use ecow::EcoString;
use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_lang::types::facts::{LEGACY_FACTS, fact_members, fact_names, is_legacy_of_device};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The facts of Facter, Puppet and the modules.
#[derive(Default)]
pub(super) struct KnownFacts {
    /// The facts of modules, when one was looked for.
    of_modules: Option<HashSet<EcoString>>,
}

impl KnownFacts {
    /// Returns `true` for facts of Facter, Puppet, and modules.
    pub fn is_fact(&mut self, name: &str, modules: &Modules<'_>) -> bool {
        fact_names().any(|fact| fact == name)
            || replacement(name).is_some()
            || is_legacy_of_device(name)
            || self.of_modules.get_or_insert_with(|| facts_of_modules(modules)).contains(name)
    }

    /// Reports a legacy fact with the fact that replaces it.
    pub fn note_legacy(&self, name: &str, span: Span, written: &str, found: &mut Vec<Diagnostic>) {
        if let Some(path) = replacement(name) {
            let new = format!("$facts['{}']", path.replace('.', "']['"));
            let message = format!("`{written}` is a legacy fact, which Puppet 8 does not have");
            found.push(Diagnostic::new(Code::LegacyFact, span, message).help(format!("use `{new}`")));
        }
    }

    /// Checks the keys of `$facts['a']['b']`.
    pub fn check(&mut self, keys: &[(EcoString, Span)], modules: &Modules<'_>, found: &mut Vec<Diagnostic>) {
        let Some(((first, first_span), rest)) = keys.split_first() else { return };
        if !self.is_fact(first, modules) {
            // Facts of modules that are not here may have any name, but few resemble a fact of Facter.
            if let Some(help) = did_you_mean(first, fact_names().collect::<Vec<_>>()) {
                found.push(Diagnostic::new(Code::UnknownFact, *first_span, format!("unknown fact `{first}`")).help(help));
            }
            return;
        }
        if rest.is_empty() {
            self.note_legacy(first, *first_span, &format!("$facts['{first}']"), found);
        }
        let mut path = first.to_string();
        for (key, span) in rest {
            let Some(members) = fact_members(&path) else { return };
            if !members.clone().any(|member| member == key) {
                let message = format!("the fact `{path}` has no member `{key}`");
                let names: Vec<&str> = members.clone().collect();
                let help = did_you_mean(key, members);
                let found_here = Diagnostic::new(Code::UnknownFact, *span, message);
                found.push(match help {
                    Some(help) => found_here.help(help),
                    None => found_here.help(format!("its members are {}", names.join(", "))),
                });
                return;
            }
            path = format!("{path}.{key}");
        }
    }
}

/// Returns the structured fact that replaces a legacy fact.
fn replacement(name: &str) -> Option<&'static str> {
    // Puppet itself sets `clientcert`.
    LEGACY_FACTS.iter().find(|(old, _)| *old == name && name != "clientcert").map(|(_, new)| *new)
}

/// Returns the constant keys of `$facts[…][…]`, outermost first, up to the first computed key.
pub(super) fn fact_keys(expression: &Expression) -> Option<Vec<(EcoString, Span)>> {
    let mut all = Vec::new();
    let mut at = expression;
    while let ExpressionKind::Access(access) = &at.kind {
        let [Expression { kind: ExpressionKind::Text(key) | ExpressionKind::Name(key), span }] = access.keys.as_slice() else {
            return None;
        };
        all.push((key.clone(), *span));
        at = &access.target;
        // No fact of Facter has more levels.
        if all.len() > 8 {
            return None;
        }
    }
    let is_facts = matches!(&at.kind, ExpressionKind::Variable(name) if matches!(name.as_str(), "facts" | "::facts"));
    all.reverse();
    (is_facts && !all.is_empty()).then_some(all)
}

/// Returns the names of the facts that modules define.
fn facts_of_modules(modules: &Modules<'_>) -> HashSet<EcoString> {
    facts_in(modules.types(), &modules.all())
}

/// Returns the names of the facts that the modules in directories define, as Facter finds them.
pub fn facts_in(types: &TypeSet, modules: &[PathBuf]) -> HashSet<EcoString> {
    let mut all = HashSet::new();
    let files = types.files();
    for directory in modules {
        // Facter does not search directories below this one.
        for path in files.entries(&directory.join("lib/facter")) {
            if path.extension().is_some_and(|extension| extension == "rb")
                && let Ok(text) = files.read(&path.to_string_lossy(), false)
            {
                all.extend(facts_of(&text));
                all.extend(stem(&path));
            }
        }
        // External facts: files of data, and programs with any name.
        all.extend(files.entries(&directory.join("facts.d")).iter().filter_map(|path| stem(path)));
    }
    all
}

fn stem(path: &Path) -> Option<EcoString> {
    path.file_stem().and_then(|stem| stem.to_str()).map(EcoString::from)
}

/// Returns the names after `Facter.add(` in a Ruby file.
fn facts_of(text: &str) -> impl Iterator<Item = EcoString> + '_ {
    text.split("Facter.add").skip(1).filter_map(|rest| {
        let name = rest.trim_start_matches(['(', ' ', ':', '\'', '"']);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        name.get(..end).filter(|name| !name.is_empty()).map(EcoString::from)
    })
}
