//! Formats descriptions as text.

use super::facts::{self, Fact};
use super::wrap::{hanging, wrap};
use super::{AttributeDoc, ProviderDoc, RoleDoc, TypeDoc};
use rtype_lang::diagnostics::{Paint, columns, padded, printable};
use std::fmt::Write;

/// Properties of the output.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Number of columns.
    pub width: usize,
    /// `true` to use colors.
    pub colors: bool,
}

impl Default for Look {
    /// Returns the properties of a pipe: 80 columns, no colors.
    fn default() -> Look {
        Look { width: 80, colors: false }
    }
}

impl Look {
    pub(super) fn paint(self, paint: Paint, text: &str) -> String {
        paint.text(text, self.colors)
    }
}

/// The parts of a description to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sections {
    /// Only the names of attributes.
    pub short: bool,
    /// Providers in detail; without `short`, nothing else.
    pub providers: bool,
    /// Metaparameters in addition to the type's own attributes.
    pub metaparams: bool,
}

/// Formats one line per type: name and summary, truncated to the width.
pub fn list(types: &[(String, String)], look: Look) -> String {
    let names = types.iter().map(|(name, _)| columns(name)).max().unwrap_or(0);
    let mut out = String::new();
    for (name, summary) in types {
        let mut line = format!("{}  {}", padded(&printable(name), names), printable(summary));
        if columns(&line) > look.width {
            while columns(&line) >= look.width && line.pop().is_some() {}
            line.push('…');
        }
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// Formats a type, limited to `sections`.
pub fn text(doc: &TypeDoc, sections: Sections, look: Look) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", look.paint(Paint::Heading, &doc.name));
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
    attributes(&mut out, doc, RoleDoc::Param, "Parameters, which are not compared", look);
    if sections.metaparams {
        attributes(&mut out, doc, RoleDoc::Metaparam, "Metaparameters, which every type has", look);
    } else {
        let names = names(doc, RoleDoc::Metaparam);
        if !names.is_empty() {
            out.push('\n');
            hanging(&mut out, "Metaparameters: ", &format!("{names} (`--meta` shows more)"), look.width, 0);
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
    let facts = facts::identity(doc);
    if !facts.is_empty() {
        out.push('\n');
    }
    lines(out, &facts, look, 2);
}

/// Formats one fact per paragraph, wrapped.
fn lines(out: &mut String, facts: &[Fact], look: Look, indent: usize) {
    for fact in facts {
        hanging(out, &format!("{}: ", fact.head), &fact.text(), look.width, indent);
    }
}

fn attributes(out: &mut String, doc: &TypeDoc, role: RoleDoc, heading: &str, look: Look) {
    let mut all = doc.attributes.iter().filter(|a| a.role == role).peekable();
    if all.peek().is_none() {
        return;
    }
    let _ = writeln!(out, "\n{}", look.paint(Paint::Title, heading));
    for attribute in all {
        one(out, doc, attribute, look);
    }
}

fn one(out: &mut String, doc: &TypeDoc, a: &AttributeDoc, look: Look) {
    let marks = facts::marks(doc, a);
    let marks = if marks.is_empty() { String::new() } else { format!("  ({})", marks.join("; ")) };
    let _ = writeln!(out, "\n  {}{marks}", look.paint(Paint::Name, &a.name));
    wrap(out, &a.doc, look.width, 6);
    lines(out, &facts::attribute(a), look, 6);
}

fn features(out: &mut String, doc: &TypeDoc, look: Look) {
    if doc.features.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", look.paint(Paint::Title, "Features of providers"));
    for feature in &doc.features {
        let _ = writeln!(out, "\n  {}", look.paint(Paint::Name, &feature.name));
        wrap(out, &feature.doc, look.width, 6);
        lines(out, &facts::feature(feature), look, 6);
    }
}

fn relations(out: &mut String, doc: &TypeDoc, look: Look) {
    let facts = facts::relations(doc);
    if !facts.is_empty() {
        out.push('\n');
    }
    lines(out, &facts, look, 0);
}

/// Formats the providers of a type with their suitability; with `detail`, everything about them.
pub fn providers(doc: &TypeDoc, detail: bool, look: Look) -> String {
    let mut out = String::new();
    if doc.providers.is_empty() {
        let _ = writeln!(out, "\nNo providers: {}.", doc.without_providers());
        return out;
    }
    let _ = writeln!(out, "\n{}", look.paint(Paint::Title, "Providers"));
    let width = doc.providers.iter().map(|p| columns(&p.name)).max().unwrap_or(0);
    for provider in &doc.providers {
        let suitable = provider.here.as_ref().is_none_or(|h| h.suitable);
        let name = look.paint(if suitable { Paint::Good } else { Paint::Bad }, &provider.name);
        if !detail {
            let head = format!("{}  ", padded(&provider.name, width));
            let mut line = String::new();
            hanging(&mut line, &head, &verdict(doc, provider), look.width, 2);
            // Colored last, so that the escape sequences do not count as width.
            out.push_str(&line.replacen(&provider.name, &name, 1));
            continue;
        }
        let _ = writeln!(out, "\n  {name}");
        wrap(&mut out, &provider.doc, look.width, 6);
        match &provider.here {
            Some(here) if !here.suitable => {
                hanging(&mut out, "Here: ", "not suitable", look.width, 6);
                for reason in &here.reasons {
                    let place = reason.place.as_ref().map(|p| format!(" ({p})")).unwrap_or_default();
                    hanging(&mut out, "- ", &format!("{}{place}", reason.reason), look.width, 8);
                }
            }
            _ => hanging(&mut out, "Here: ", &verdict(doc, provider), look.width, 6),
        }
        lines(&mut out, &facts::provider(provider), look, 6);
    }
    out
}

/// Describes the suitability of a provider.
fn verdict(doc: &TypeDoc, provider: &ProviderDoc) -> String {
    let Some(here) = &provider.here else { return "not looked at".to_owned() };
    if !here.suitable {
        let reasons: Vec<&str> = here.reasons.iter().map(|r| r.reason.as_str()).collect();
        return format!("not suitable: {}", reasons.join("; "));
    }
    let mut words = if here.chosen {
        let also: Vec<String> = doc.default_provider_ties.iter().map(|t| format!("`{t}`")).collect();
        if also.is_empty() { "the default".to_owned() } else { format!("the default, declared before {}", also.join(" and ")) }
    } else {
        "suitable, not the default".to_owned()
    };
    if !provider.reads {
        words.push_str("; declared only, nothing can be read with it yet");
    }
    words
}
