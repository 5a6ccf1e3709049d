//! Explains the origin of each value of a resource, and why the value is in sync or not: `:trace` of the prompt, and the playground.

use crate::docs;
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::types::{AttributeDef, Compare, Role};
use rtype_model::resource::{Comparison, Instance, Origin, Status, Verdict, one_line};
use std::fmt::Write;

/// Returns the trace of a resource. Steps of sensitive values are redacted where they are noted. `is_absent` means that the resource
/// does not exist now.
pub fn trace(instance: &Instance, verdict: &Verdict, is_absent: bool, sources: &SourceMap) -> String {
    let type_def = &instance.type_def;
    let mut out = String::new();
    let place = |span: Span| sources.locate(span).map(|p| format!("  ({p})")).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}{}", instance.reference(), place(instance.span));
    let _ = writeln!(out, "  type `{}`{}", type_def.name, place(type_def.span));
    for id in &type_def.order {
        let (Some(attribute), Some(slot)) = (type_def.attribute(*id), instance.slot(*id)) else { continue };
        // Every type has these metaparameters, and a default value is the same for every resource.
        if attribute.role == Role::Metaparam && slot.origin == Origin::Default {
            continue;
        }
        let _ = writeln!(out, "  {}", attribute.name);
        for (_, step) in instance.trace().iter().filter(|(of, _)| of == id) {
            let _ = writeln!(out, "    {}{}", step.what, place(step.span));
        }
        if let Some(comparison) = verdict.properties.iter().find(|p| p.id == *id) {
            let not_there = attribute.name.as_str() != "ensure" && is_absent;
            why(&mut out, attribute, comparison, not_there, sources);
        }
    }
    for ignored in instance.ignored() {
        let Some(attribute) = type_def.attribute(ignored.id) else { continue };
        let missing: Vec<_> = ignored.missing.iter().map(|f| format!("`{f}`")).collect();
        let _ = writeln!(out, "  {}\n    no effect: the provider lacks {}{}", attribute.name, missing.join(" and "), place(attribute.span));
    }
    out
}

fn why(out: &mut String, attribute: &AttributeDef, comparison: &Comparison, not_there: bool, sources: &SourceMap) {
    let is = match &comparison.is {
        Ok(value) => format!("is {}, should be {}", one_line(value), one_line(&comparison.should)),
        Err(_) => format!("should be {}", one_line(&comparison.should)),
    };
    let _ = match &comparison.status {
        Status::InSync if not_there => writeln!(out, "    in sync: the resource does not exist, and nothing says that it shall"),
        Status::InSync => writeln!(out, "    in sync: {is}; compared {}", how(attribute, sources)),
        Status::OutOfSync(message) => {
            let own = comparison.unformatted.as_ref().map(|failure| format!(", because formatting it failed: {failure}"));
            let own = own.unwrap_or_default();
            writeln!(out, "    out of sync: {is}; compared {}\n    would say: {message}{own}", how(attribute, sources))
        }
        Status::WithEnsure if not_there => writeln!(out, "    out of sync: the resource does not exist, this is set when it is created"),
        Status::WithEnsure => writeln!(out, "    out of sync: this is gone when the resource is removed"),
        Status::Unreadable(why) => writeln!(out, "    unknown: {why}"),
        Status::Unknown => writeln!(out, "    unknown: a value is not available yet"),
        Status::Untranslated(why) => writeln!(out, "    not checked: {why}"),
        Status::Failed(why) => writeln!(out, "    unknown: comparing failed: {why}"),
    };
}

/// Describes the rule that compares an attribute.
fn how(attribute: &AttributeDef, sources: &SourceMap) -> String {
    let place = |span: Span| sources.locate(span).map(|p| format!(" at {p}")).unwrap_or_default();
    match (&attribute.insync, &attribute.compare) {
        (Some(code), _) => format!("by its `insync` block{}", place(code.inner.span)),
        (None, Compare::Code(code)) if attribute.native.is_none() => format!("by its `compare` block{}", place(code.inner.span)),
        _ => match docs::comparison(attribute) {
            "exact" => "as they are".to_owned(),
            other => format!("as `{other}`"),
        },
    }
}
