//! Descriptions for editors, in Markdown.

use crate::docs::comparison;
use rtype_lang::types::{AttributeDef, Default, Role, TypeDef};
use rtype_lang::value::inspect;
use std::fmt::Write;

/// Describes an attribute of a loaded type.
pub fn attribute(type_def: &TypeDef, a: &AttributeDef) -> String {
    let mut out = format!("{}\n", a.doc.trim());
    let mut line = |head: &str, text: &str| {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n- {head}{text}");
    };
    if type_def.namevars.iter().any(|id| type_def.attribute(*id).is_some_and(|n| n.name == a.name)) {
        line("namevar", "");
    }
    if a.required.is_some() {
        line("required", "");
    }
    if a.sensitive {
        line("sensitive, always redacted", "");
    }
    if let Some(why) = &a.readonly {
        line("cannot be set: ", why);
    }
    if let Some(instead) = &a.deprecated {
        line("deprecated: ", instead);
    }
    if let Some(data_type) = &a.data_type {
        line("type: ", &format!("`{data_type}`"));
    }
    let values: Vec<String> = a.values.literals().map(|v| format!("`{v}`")).chain(a.values.regexes().map(|r| format!("`{r}`"))).collect();
    if !values.is_empty() {
        line("values: ", &values.join(", "));
    }
    let aliases: Vec<String> = a.values.aliases.iter().map(|x| format!("`{}` for `{}`", x.name, x.target)).collect();
    if !aliases.is_empty() {
        line("aliases: ", &aliases.join(", "));
    }
    match &a.default {
        Some(Default::Value(value, _)) if !a.sensitive => line("default: ", &format!("`{}`", inspect(value).trim_start_matches(':'))),
        Some(Default::Code(_)) => line("default: ", "computed"),
        _ => {}
    }
    if a.role == Role::Property && comparison(a) != "exact" {
        line("compared by: ", comparison(a));
    }
    if !a.required_features.is_empty() {
        let names: Vec<String> = a.required_features.iter().map(|f| format!("`{f}`")).collect();
        line("needs: ", &names.join(", "));
    }
    out
}
