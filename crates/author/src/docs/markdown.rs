//! Renders types as Markdown.

use super::facts::{self, Fact, Phrase};
use super::prose;
use super::{AttributeDoc, RoleDoc, TypeDoc};
use std::fmt::Write;

/// Headings of attributes by role.
pub(super) const ROLES: &[(RoleDoc, &str)] =
    &[(RoleDoc::Property, "Properties"), (RoleDoc::Param, "Parameters"), (RoleDoc::Metaparam, "Metaparameters")];

/// Renders the page of a type.
pub fn markdown(doc: &TypeDoc) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(out, "# `{}`\n", doc.name);
    text(&mut out, &doc.doc);
    for example in &doc.examples {
        let _ = writeln!(out, "## Example\n\nFrom the test “{}”:\n\n```puppet\n{}\n```\n", example.title, example.text);
    }
    let identity = facts::identity(doc);
    if !identity.is_empty() {
        out.push_str("## Identity\n\n");
        list(&mut out, &identity);
    }
    for (role, heading) in ROLES.iter().filter(|(role, _)| *role != RoleDoc::Metaparam) {
        let all: Vec<&AttributeDoc> = doc.attributes.iter().filter(|a| a.role == *role).collect();
        if all.is_empty() {
            continue;
        }
        let _ = writeln!(out, "## {heading}\n");
        for attribute in all {
            let marks = facts::marks(doc, attribute);
            let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join("; ")) };
            let _ = writeln!(out, "### `{}`{marks}\n", attribute.name);
            text(&mut out, &attribute.doc);
            list(&mut out, &facts::attribute(attribute));
        }
    }
    let metaparams: Vec<String> = doc.attributes.iter().filter(|a| a.role == RoleDoc::Metaparam).map(|a| format!("`{}`", a.name)).collect();
    if !metaparams.is_empty() {
        let _ = writeln!(out, "Metaparameters, which every type has: {}\n", metaparams.join(", "));
    }
    if !doc.features.is_empty() {
        out.push_str("## Features\n\n");
    }
    for feature in &doc.features {
        let _ = writeln!(out, "### `{}`\n", feature.name);
        text(&mut out, &feature.doc);
        list(&mut out, &facts::feature(feature));
    }
    let relations = facts::relations(doc);
    if !relations.is_empty() {
        out.push_str("## Automatic relations\n\n");
        list(&mut out, &relations);
    }
    out.push_str("## Providers\n\n");
    if doc.providers.is_empty() {
        let _ = writeln!(out, "None: {}.\n", doc.without_providers());
    }
    for provider in &doc.providers {
        let _ = writeln!(out, "### `{}`\n", provider.name);
        text(&mut out, &provider.doc);
        list(&mut out, &facts::provider(provider));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Renders the index page.
pub fn markdown_index(docs: &[TypeDoc]) -> String {
    let mut out = String::from("# Resource types\n\n| type | what it is |\n|---|---|\n");
    for doc in docs {
        let _ = writeln!(out, "| [`{0}`]({0}.md) | {1} |", doc.name, doc.summary.replace('|', "\\|"));
    }
    out
}

fn text(out: &mut String, doc: &str) {
    if !doc.trim().is_empty() {
        let _ = writeln!(out, "{}", prose::markdown(doc));
    }
}

fn list(out: &mut String, facts: &[Fact]) {
    for fact in facts {
        let _ = writeln!(out, "- {}: {}", fact.head.trim(), fact.pieces.iter().map(piece).collect::<String>());
    }
    if !facts.is_empty() {
        out.push('\n');
    }
}

fn piece(piece: &Phrase) -> String {
    match piece {
        Phrase::Words(text) | Phrase::Prose(text) => text.clone(),
        other => code(other.text()),
    }
}

/// Formats inline code, which may contain backticks.
pub(super) fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let gap = if longest > 0 { " " } else { "" };
    format!("{ticks}{gap}{text}{gap}{ticks}")
}
