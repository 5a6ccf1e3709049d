//! Descriptions for people.

use super::wrap::{hanging, wrap};
use super::{AttributeDoc, DefaultDoc, ProviderDoc, RoleDoc, TypeDoc, ValueDoc};
use std::fmt::Write;

/// Where the text goes.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// How many columns there are.
    pub width: usize,
    /// Whether to use colours.
    pub colors: bool,
}

impl Default for Look {
    /// A pipe: 80 columns, no colours.
    fn default() -> Look {
        Look { width: 80, colors: false }
    }
}

impl Look {
    pub(super) fn paint(self, code: &str, text: &str) -> String {
        if self.colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// What to show of a type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sections {
    /// Names of attributes instead of all that is said of them.
    pub short: bool,
    /// Providers in detail; without `short`, nothing else.
    pub providers: bool,
    /// Metaparameters as well as the type's own attributes.
    pub metaparams: bool,
}

/// One line a type: its name and the first sentence about it, cut to the width.
pub fn list(types: &[(String, String)], look: Look) -> String {
    let names = types.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (name, summary) in types {
        let line = format!("{name:names$}  {summary}");
        let line = match line.char_indices().nth(look.width) {
            Some(_) => line.chars().take(look.width.saturating_sub(1)).chain(['…']).collect(),
            None => line,
        };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// A type in full, or as `sections` asks.
pub fn text(doc: &TypeDoc, sections: Sections, look: Look) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", look.paint("1", &doc.name));
    if sections.providers && !sections.short {
        wrap(&mut out, &doc.summary, look.width, 2);
        out.push_str(&providers(doc, true, look));
        return out;
    }
    wrap(&mut out, if sections.short { &doc.summary } else { &doc.doc }, look.width, 2);
    if sections.short {
        short(&mut out, doc, sections, look);
        out.push_str(&providers(doc, sections.providers, look));
        return out;
    }
    identity(&mut out, doc, look);
    attributes(&mut out, doc, RoleDoc::Property, "Properties, compared with the machine and changed", look);
    attributes(&mut out, doc, RoleDoc::Param, "Parameters, which tell how", look);
    if sections.metaparams {
        attributes(&mut out, doc, RoleDoc::Metaparam, "Metaparameters, which every type has", look);
    } else {
        let names = names(doc, RoleDoc::Metaparam);
        if !names.is_empty() {
            out.push('\n');
            hanging(&mut out, "Metaparameters: ", &format!("{names} (`--meta` tells more)"), look.width, 0);
        }
    }
    features(&mut out, doc, look);
    relations(&mut out, doc, look);
    out.push_str(&providers(doc, false, look));
    out
}

fn names(doc: &TypeDoc, role: RoleDoc) -> String {
    let marked = |a: &AttributeDoc| if doc.namevars.contains(&a.name) { format!("{}*", a.name) } else { a.name.clone() };
    doc.attributes.iter().filter(|a| a.role == role).map(marked).collect::<Vec<_>>().join(", ")
}

fn short(out: &mut String, doc: &TypeDoc, sections: Sections, look: Look) {
    out.push('\n');
    for (head, role) in [("Properties: ", RoleDoc::Property), ("Parameters: ", RoleDoc::Param), ("Metaparameters: ", RoleDoc::Metaparam)] {
        let names = names(doc, role);
        if !names.is_empty() && (role != RoleDoc::Metaparam || sections.metaparams) {
            hanging(out, head, &names, look.width, 0);
        }
    }
}

fn identity(out: &mut String, doc: &TypeDoc, look: Look) {
    let mut lines: Vec<(&str, String)> = Vec::new();
    if doc.namevars.len() > 1 {
        lines.push(("Identity: ", format!("{} together", doc.namevars.join(", "))));
    }
    for (i, row) in doc.title_patterns.iter().enumerate() {
        let head = if i == 0 { "Titles: " } else { "    or: " };
        lines.push((head, format!("{} gives {}", row.pattern, row.attributes.join(", "))));
    }
    if !doc.isomorphic {
        lines.push(("Note: ", "several resources may have the same identity".to_owned()));
    }
    if !doc.lists_instances {
        lines.push(("Note: ", "its resources cannot be listed, only named".to_owned()));
    }
    if !lines.is_empty() {
        out.push('\n');
    }
    for (head, text) in lines {
        hanging(out, head, &text, look.width, 2);
    }
}

fn attributes(out: &mut String, doc: &TypeDoc, role: RoleDoc, heading: &str, look: Look) {
    let mut all = doc.attributes.iter().filter(|a| a.role == role).peekable();
    if all.peek().is_none() {
        return;
    }
    let _ = writeln!(out, "\n{}", look.paint("1;4", heading));
    for attribute in all {
        one(out, doc, attribute, look);
    }
}

fn one(out: &mut String, doc: &TypeDoc, a: &AttributeDoc, look: Look) {
    let in_identity = doc.namevars.contains(&a.name);
    let marks = [
        (in_identity, "namevar"),
        (a.namevar && !in_identity, "may be filled by the title"),
        (a.required, "required"),
        (a.sensitive, "sensitive, shown to nobody"),
        (a.readonly.is_some(), "cannot be set"),
        (a.deprecated.is_some(), "deprecated"),
    ];
    let marks: Vec<&str> = marks.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect();
    let marks = if marks.is_empty() { String::new() } else { format!("  ({})", marks.join("; ")) };
    let _ = writeln!(out, "\n  {}{marks}", look.paint("36", &a.name));
    wrap(out, &a.doc, look.width, 6);
    let mut line = |head: &str, text: &str| hanging(out, head, text, look.width, 6);
    if let Some(why) = &a.readonly {
        line("Cannot be set: ", why);
    }
    if let Some(instead) = &a.deprecated {
        line("Deprecated: ", instead);
    }
    if let Some(data_type) = &a.data_type {
        line("Type: ", data_type);
    }
    if !a.values.is_empty() {
        line("Values: ", &a.values.iter().map(value).collect::<Vec<_>>().join(", "));
    }
    if !a.aliases.is_empty() {
        let all: Vec<String> = a.aliases.iter().map(|alias| format!("{} for {}", alias.name, alias.value)).collect();
        line("Aliases: ", &all.join(", "));
    }
    match &a.default {
        Some(DefaultDoc::Value { text, .. }) => line("Default: ", text),
        Some(DefaultDoc::Computed) => line("Default: ", "computed"),
        None => {}
    }
    if a.array_matching == Some("all") {
        line("Lists: ", "the list as a whole is wanted");
    }
    if let Some(how) = a.compare.filter(|how| *how != "exact") {
        let how = if how.ends_with("block") { format!("its own {how}") } else { how.to_owned() };
        line("Compared by: ", &how);
    }
    if !a.required_features.is_empty() {
        line("Needs: ", &features_words(&a.required_features));
    }
}

fn value(value: &ValueDoc) -> String {
    let what = value.value.as_deref().or(value.pattern.as_deref()).unwrap_or_default();
    if value.required_features.is_empty() { what.to_owned() } else { format!("{what} (needs {})", value.required_features.join(" and ")) }
}

fn features_words(names: &[String]) -> String {
    format!("the feature{} {}", if names.len() == 1 { "" } else { "s" }, names.join(" and "))
}

fn features(out: &mut String, doc: &TypeDoc, look: Look) {
    if doc.features.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", look.paint("1;4", "Features of providers"));
    for feature in &doc.features {
        let _ = writeln!(out, "\n  {}", look.paint("36", &feature.name));
        wrap(out, &feature.doc, look.width, 6);
        if !feature.methods.is_empty() {
            hanging(out, "Methods: ", &feature.methods.join(", "), look.width, 6);
        }
        let who = if feature.providers.is_empty() { "no provider".to_owned() } else { feature.providers.join(", ") };
        hanging(out, "Had by: ", &who, look.width, 6);
    }
}

fn relations(out: &mut String, doc: &TypeDoc, look: Look) {
    if doc.auto_relations.is_empty() {
        return;
    }
    out.push('\n');
    for kind in ["autorequire", "autobefore", "autonotify", "autosubscribe"] {
        let targets: Vec<&str> = doc.auto_relations.iter().filter(|r| r.kind == kind).map(|r| r.target.as_str()).collect();
        if !targets.is_empty() {
            let head = match kind {
                "autorequire" => "Requires automatically: ",
                "autobefore" => "Goes automatically before: ",
                "autonotify" => "Notifies automatically: ",
                _ => "Subscribes automatically to: ",
            };
            hanging(out, head, &targets.join(", "), look.width, 0);
        }
    }
}

/// The providers of a type: which one works here, and why each other one does not; with `detail`, all they say.
pub fn providers(doc: &TypeDoc, detail: bool, look: Look) -> String {
    let mut out = String::new();
    if doc.providers.is_empty() {
        out.push_str("\nNo providers: resources of this type live in memory only.\n");
        return out;
    }
    let _ = writeln!(out, "\n{}", look.paint("1;4", "Providers"));
    let width = doc.providers.iter().map(|p| p.name.chars().count()).max().unwrap_or(0);
    for provider in &doc.providers {
        let name = look.paint(if provider.suitable { "32" } else { "31" }, &provider.name);
        if !detail {
            let head = format!("{:width$}  ", provider.name);
            let mut line = String::new();
            hanging(&mut line, &head, &verdict(doc, provider), look.width, 2);
            // Coloured last, so that the colour does not count as width.
            out.push_str(&line.replacen(&provider.name, &name, 1));
            continue;
        }
        let _ = writeln!(out, "\n  {name}");
        wrap(&mut out, &provider.doc, look.width, 6);
        if provider.suitable {
            hanging(&mut out, "Here: ", &verdict(doc, provider), look.width, 6);
        } else {
            hanging(&mut out, "Here: ", "not suitable", look.width, 6);
            for reason in &provider.reasons {
                let place = reason.place.as_ref().map(|p| format!(" ({p})")).unwrap_or_default();
                hanging(&mut out, "- ", &format!("{}{place}", reason.reason), look.width, 8);
            }
        }
        let mut line = |head: &str, all: &[String]| {
            if !all.is_empty() {
                hanging(&mut out, head, &all.join(", "), look.width, 6);
            }
        };
        let commands = |all: &[super::CommandDoc]| -> Vec<String> {
            all.iter().map(|c| format!("{}{}", c.command, if c.path.is_some() { "" } else { " (not installed)" })).collect()
        };
        line("Takes the rest from: ", provider.parent.as_slice());
        line("Commands: ", &commands(&provider.commands));
        line("Optional commands: ", &commands(&provider.optional_commands));
        line("Only where: ", &provider.confines.iter().map(|c| c.condition.clone()).collect::<Vec<_>>());
        let any = |sets: &[String]| if sets.is_empty() { Vec::new() } else { vec![sets.join("; or ")] };
        line("Preferred where: ", &any(&provider.defaultfor));
        line("Not preferred where: ", &any(&provider.notdefaultfor));
        line("Features: ", &provider.features);
    }
    out
}

/// Whether a provider works here, in words.
fn verdict(doc: &TypeDoc, provider: &ProviderDoc) -> String {
    if !provider.suitable {
        let reasons: Vec<&str> = provider.reasons.iter().map(|r| r.reason.as_str()).collect();
        return format!("not suitable: {}", reasons.join("; "));
    }
    let mut words = if provider.chosen {
        let also: Vec<String> = doc.default_provider_ties.iter().map(|t| format!("`{t}`")).collect();
        if also.is_empty() { "the default".to_owned() } else { format!("the default, declared before {}", also.join(" and ")) }
    } else {
        "suitable, not the default".to_owned()
    };
    if !provider.reads {
        words.push_str(match provider.body {
            "program" => "; programs are not run yet",
            _ => "; declared only, nothing can be read with it yet",
        });
    }
    words
}
