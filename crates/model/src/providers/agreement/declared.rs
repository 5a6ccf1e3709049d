//! Checks the required settings in providers without code.

use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean};
use rtype_lang::types::{DeclaredDef, DeclaredKind, ProviderDef, TypeDef};

/// Actions that such a provider supports.
const ACTIONS: &[&str] = &["create", "destroy", "delete", "flush"];

pub(super) fn disagreements(found: &mut Vec<Diagnostic>, type_def: &TypeDef, provider: &ProviderDef, def: &DeclaredDef) {
    let has = |setting: &str| type_def.lineage(provider).any(|(_, p)| p.settings.contains_key(setting));
    let wrong = |message: String| Diagnostic::new(Code::NativeMismatch, def.span, message);
    for action in provider.actions.iter().filter(|a| !ACTIONS.contains(&a.as_str())) {
        if def.kind == DeclaredKind::CommandLines && has(&format!("to_{action}")) {
            continue;
        }
        let (message, help) = match &def.kind {
            DeclaredKind::CommandLines => {
                (format!("the action `{action}` has no command"), format!("add `to_{action} {{ [\"program\", self.name] }}`"))
            }
            DeclaredKind::Records | DeclaredKind::Keyed(_) => {
                (format!("a provider of a text file does not support the action `{action}`"), "declare a property for it".to_owned())
            }
        };
        found.push(wrong(message).help(help));
    }
    // `file_path` may be set by child providers.
    let needed: &[&str] = match &def.kind {
        DeclaredKind::Records => &["parse", "print"],
        DeclaredKind::Keyed(property) => {
            let known: Vec<&str> = type_def.properties().map(|p| p.name.as_str()).filter(|p| *p != "ensure").collect();
            // A type without properties only provides providers for other types.
            if !known.is_empty() && !known.contains(&property.as_str()) {
                let help = did_you_mean(property.as_str(), known.iter().copied());
                found.push(wrong(format!("unknown property `{property}` in a setting")).maybe_help(help));
            }
            &["setting"]
        }
        DeclaredKind::CommandLines => {
            if !has("to_list") && !has("to_read") {
                found.push(wrong("command lines are missing: nothing is read without `to_list` or `to_read`".to_owned()));
            } else if !has("rows") && !has("parse") {
                found.push(wrong("what the program says is not taken apart".to_owned()).help("`rows` or `parse` does it"));
            }
            &[]
        }
    };
    for setting in needed.iter().filter(|s| !has(s)) {
        found.push(wrong(format!("the setting `{setting}` is missing")).help("docs/providers.md shows an example"));
    }
}
