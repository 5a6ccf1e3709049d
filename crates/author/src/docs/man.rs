//! Renders types as pages for man(1).

use super::facts::{self, Fact, Phrase};
use super::markdown::ROLES;
use super::prose;
use super::{RoleDoc, TypeDoc};
use pulldown_cmark::{Event, Tag, TagEnd};
use roff::{Inline, Roff, bold, italic, roman};

/// The manual section for conventions and formats.
pub const MAN_SECTION: &str = "7";

/// Renders the page of a type in roff.
pub fn man(doc: &TypeDoc) -> String {
    let mut page = Roff::new();
    // No date: the page is as current as the type.
    let title = format!("RTYPE-{}", doc.name.to_uppercase());
    page.control("TH", [title.as_str(), MAN_SECTION, "\"\"", concat!("rtype ", env!("CARGO_PKG_VERSION")), "Resource types"]);
    page.control("SH", ["NAME"]);
    page.text([roman(format!("rtype-{} - {}", doc.name, prose::plain(&doc.summary).trim_end_matches('.')))]);
    page.control("SH", ["DESCRIPTION"]);
    paragraphs(&mut page, &doc.doc, "PP");
    list(&mut page, &facts::identity(doc));
    for example in &doc.examples {
        page.control("SH", ["EXAMPLE"]);
        page.text([roman(format!("Declared and accepted by the test \u{201c}{}\u{201d}:", example.title))]);
        verbatim(&mut page, &example.text);
    }
    for (role, heading) in ROLES.iter().filter(|(role, _)| *role != RoleDoc::Metaparam) {
        let mut all = doc.attributes.iter().filter(|a| a.role == *role).peekable();
        if all.peek().is_some() {
            page.control("SH", [heading.to_uppercase().as_str()]);
        }
        for attribute in all {
            let marks = facts::marks(doc, attribute);
            let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join("; ")) };
            entry(&mut page, &attribute.name, &marks, &attribute.doc, &facts::attribute(attribute));
        }
    }
    let metaparams: Vec<&str> = doc.attributes.iter().filter(|a| a.role == RoleDoc::Metaparam).map(|a| a.name.as_str()).collect();
    if !metaparams.is_empty() {
        page.control("SH", ["METAPARAMETERS"]);
        page.text([roman(format!("Every type has {}.", metaparams.join(", ")))]);
    }
    if !doc.features.is_empty() {
        page.control("SH", ["FEATURES"]);
    }
    for feature in &doc.features {
        entry(&mut page, &feature.name, "", &feature.doc, &facts::feature(feature));
    }
    let relations = facts::relations(doc);
    if !relations.is_empty() {
        page.control("SH", ["AUTOMATIC RELATIONS"]);
        lines(&mut page, &relations);
    }
    page.control("SH", ["PROVIDERS"]);
    if doc.providers.is_empty() {
        page.text([roman(format!("None: {}.", doc.without_providers()))]);
    }
    for provider in &doc.providers {
        entry(&mut page, &provider.name, "", &provider.doc, &facts::provider(provider));
    }
    page.control("SH", ["SEE ALSO"]);
    page.text([bold("rtype"), roman("(1)")]);
    page.render()
}

fn entry(page: &mut Roff, name: &str, marks: &str, doc: &str, facts: &[Fact]) {
    page.control("TP", []);
    page.text([bold(name), roman(marks)]);
    // Following paragraphs are indented below the name.
    paragraphs(page, doc, "IP");
    if !facts.is_empty() {
        page.control("RS", []);
        list(page, facts);
        page.control("RE", []);
    }
}

fn list(page: &mut Roff, facts: &[Fact]) {
    if !facts.is_empty() {
        page.control("PP", []);
    }
    lines(page, facts);
}

fn lines(page: &mut Roff, facts: &[Fact]) {
    for (i, fact) in facts.iter().enumerate() {
        if i > 0 {
            page.control("br", []);
        }
        let mut line = vec![roman(format!("{}: ", fact.head.trim()))];
        line.extend(fact.pieces.iter().map(|piece| match piece {
            Phrase::Words(text) => roman(text),
            Phrase::Prose(text) => roman(prose::plain(text)),
            other => bold(other.text()),
        }));
        page.text(line);
    }
}

fn verbatim(page: &mut Roff, text: &str) {
    page.control("PP", []);
    page.control("RS", ["4"]);
    page.control("nf", []);
    for line in text.lines() {
        page.text([roman(line)]);
    }
    page.control("fi", []);
    page.control("RE", []);
}

/// Renders a description. The first paragraph starts at the current position, others with the macro `between`.
fn paragraphs(page: &mut Roff, doc: &str, between: &str) {
    let source = prose::markdown(doc);
    let (mut line, mut code, mut first): (Vec<Inline>, Option<String>, bool) = (Vec::new(), None, true);
    let (mut strong, mut emphasis) = (false, false);
    for event in prose::events(&source) {
        match event {
            Event::Start(Tag::Paragraph) if !first => {
                page.control(between, []);
            }
            Event::Start(Tag::Item) => {
                page.control("IP", ["\u{2022}", "2"]);
            }
            Event::Start(Tag::CodeBlock(_)) => code = Some(String::new()),
            Event::Start(Tag::Strong) => strong = true,
            Event::End(TagEnd::Strong) => strong = false,
            Event::Start(Tag::Emphasis) => emphasis = true,
            Event::End(TagEnd::Emphasis) => emphasis = false,
            Event::Text(text) => match &mut code {
                Some(block) => block.push_str(&text),
                None if strong => line.push(bold(text.as_ref())),
                None if emphasis => line.push(italic(text.as_ref())),
                None => line.push(roman(text.as_ref())),
            },
            Event::Code(text) => line.push(bold(text.as_ref())),
            Event::SoftBreak | Event::HardBreak => line.push(roman(" ")),
            Event::End(TagEnd::CodeBlock) => verbatim(page, &code.take().unwrap_or_default()),
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::Heading(_)) => {
                first = false;
                if !line.is_empty() {
                    page.text(std::mem::take(&mut line));
                }
            }
            _ => {}
        }
    }
}
