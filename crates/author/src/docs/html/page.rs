//! The pages of the site.

use super::super::facts::{self, Fact, Phrase};
use super::super::markdown::ROLES;
use super::super::prose::plain;
use super::super::{AttributeDoc, FeatureDoc, ProviderDoc, RoleDoc, TypeDoc};
use super::highlight::puppet;
use super::prose::{inline, prose};
use maud::{DOCTYPE, Markup, html};

/// Data shared by all pages.
pub(super) struct Site<'a> {
    docs: &'a [TypeDoc],
}

/// A page and its relation to the other pages.
struct Frame<'a> {
    title: &'a str,
    summary: &'a str,
    /// Relative path from the page to the root of the site.
    root: &'static str,
    /// The type described by the page.
    of: &'a str,
}

impl<'a> Site<'a> {
    pub(super) fn new(docs: &'a [TypeDoc]) -> Site<'a> {
        Site { docs }
    }

    pub(super) fn index(&self) -> String {
        let frame = Frame { title: "Resource types", summary: "Reference of resource types.", root: "", of: "" };
        let attributes: usize = self.docs.iter().map(|d| d.attributes.iter().filter(|a| a.role != RoleDoc::Metaparam).count()).sum();
        let providers: usize = self.docs.iter().map(|d| d.providers.len()).sum();
        self.whole(
            &frame,
            html! {
                header.lead {
                    h1 { "Resource types" }
                    p {
                        (self.docs.len()) " types, " (attributes) " attributes, " (providers) " providers. "
                        "Every type also has " a href="metaparameters.html" { "metaparameters" } ". "
                        span.hint { "Press " kbd { "/" } " to search." }
                    }
                }
                ul.cards {
                    @for doc in self.docs {
                        li { a href={ "types/" (doc.name) ".html" } {
                            strong { (doc.name) }
                            span { (plain(&doc.summary)) }
                        } }
                    }
                }
            },
            html! {},
        )
    }

    pub(super) fn metaparameters(&self) -> String {
        let frame = Frame { title: "Metaparameters", summary: "Attributes that every type has.", root: "", of: "" };
        let Some(doc) = self.docs.first() else { return self.whole(&frame, html! { h1 { "Metaparameters" } }, html! {}) };
        let all: Vec<&AttributeDoc> = doc.attributes.iter().filter(|a| a.role == RoleDoc::Metaparam).collect();
        let contents = html! { (contents_of("attribute", "Metaparameters", all.iter().map(|a| a.name.as_str()))) };
        self.whole(
            &frame,
            html! {
                header.lead { h1 { "Metaparameters" } p { "Attributes that every type has without saying so." } }
                @for attribute in all { (self.attribute(&frame, doc, attribute)) }
            },
            contents,
        )
    }

    pub(super) fn type_page(&self, doc: &TypeDoc) -> String {
        let frame = Frame { title: &doc.name, summary: &doc.summary, root: "../", of: &doc.name };
        let of = |role: RoleDoc| doc.attributes.iter().filter(move |a| a.role == role);
        let identity = facts::identity(doc);
        let relations = facts::relations(doc);
        let contents = html! {
            @for (role, heading) in ROLES.iter().filter(|(role, _)| *role != RoleDoc::Metaparam) {
                (contents_of("attribute", heading, of(*role).map(|a| a.name.as_str())))
            }
            (contents_of("feature", "Features", doc.features.iter().map(|f| f.name.as_str())))
            (contents_of("provider", "Providers", doc.providers.iter().map(|p| p.name.as_str())))
        };
        let body = html! {
            header.lead {
                p.kind { "Resource type" }
                h1 { (doc.name) }
                (prose(&doc.doc))
            }
            @for example in &doc.examples {
                section.example aria-labelledby="example" {
                    h2 id="example" { "Example" (anchor("example")) }
                    pre tabindex="0" { code { (puppet(&example.text)) } }
                    p.source { "Declared and accepted by the test “" (example.title) "”." }
                }
            }
            @if !identity.is_empty() {
                section aria-labelledby="identity" {
                    h2 id="identity" { "Identity" (anchor("identity")) }
                    (self.facts(&frame, &identity))
                }
            }
            @for (role, heading) in ROLES.iter().filter(|(role, _)| *role != RoleDoc::Metaparam && of(*role).next().is_some()) {
                section aria-labelledby=(heading.to_lowercase()) {
                    h2 id=(heading.to_lowercase()) { (heading) (anchor(&heading.to_lowercase())) }
                    p.note { @if *role == RoleDoc::Property { "Compared with the machine, and changed." } @else { "Parameters configure how a resource is managed; they are not compared." } }
                    @for attribute in of(*role) { (self.attribute(&frame, doc, attribute)) }
                }
            }
            p.note { "Every type also has "
                @for (i, a) in of(RoleDoc::Metaparam).enumerate() {
                    @if i > 0 { ", " }
                    a href={ "../metaparameters.html#attribute-" (a.name) } { code { (a.name) } }
                }
                "."
            }
            @if !doc.features.is_empty() {
                section aria-labelledby="features" {
                    h2 id="features" { "Features" (anchor("features")) }
                    p.note { "What a provider may be able to do." }
                    @for feature in &doc.features { (self.feature(&frame, feature)) }
                }
            }
            @if !relations.is_empty() {
                section aria-labelledby="relations" {
                    h2 id="relations" { "Automatic relations" (anchor("relations")) }
                    (self.facts(&frame, &relations))
                }
            }
            section aria-labelledby="providers" {
                h2 id="providers" { "Providers" (anchor("providers")) }
                @if doc.providers.is_empty() { p.note { "None: " (doc.without_providers()) "." } }
                @for provider in &doc.providers { (self.provider(&frame, provider)) }
            }
        };
        self.whole(&frame, body, contents)
    }

    fn attribute(&self, frame: &Frame<'_>, doc: &TypeDoc, a: &AttributeDoc) -> Markup {
        let id = format!("attribute-{}", a.name);
        html! {
            section.entry id=(id) {
                h3 {
                    code { (a.name) }
                    @for mark in facts::marks(doc, a) { " " span.mark { (mark) } }
                    (anchor(&id))
                }
                (prose(&a.doc))
                (self.facts(frame, &facts::attribute(a)))
            }
        }
    }

    fn feature(&self, frame: &Frame<'_>, feature: &FeatureDoc) -> Markup {
        let id = format!("feature-{}", feature.name);
        html! {
            section.entry id=(id) {
                h3 { code { (feature.name) } (anchor(&id)) }
                (prose(&feature.doc))
                (self.facts(frame, &facts::feature(feature)))
            }
        }
    }

    fn provider(&self, frame: &Frame<'_>, provider: &ProviderDoc) -> Markup {
        let id = format!("provider-{}", provider.name);
        html! {
            section.entry id=(id) {
                h3 {
                    code { (provider.name) }
                    @if provider.reads { " " span.mark.good { "reads machines" } }
                    (anchor(&id))
                }
                (prose(&provider.doc))
                (self.facts(frame, &facts::provider(provider)))
            }
        }
    }

    fn facts(&self, frame: &Frame<'_>, facts: &[Fact]) -> Markup {
        html! {
            @if !facts.is_empty() {
                dl {
                    @for fact in facts {
                        div {
                            dt { (fact.head.trim()) }
                            dd { @for piece in &fact.pieces { (self.piece(frame, piece)) } }
                        }
                    }
                }
            }
        }
    }

    fn piece(&self, frame: &Frame<'_>, piece: &Phrase) -> Markup {
        let here = |kind: &str, name: &str| html! { a href={ "#" (kind) "-" (name) } { code { (name) } } };
        match piece {
            Phrase::Words(text) => html! { (text) },
            Phrase::Prose(text) => inline(text),
            Phrase::Code(text) => html! { code { (text) } },
            Phrase::Feature(name) => here("feature", name),
            Phrase::Provider(name) => here("provider", name),
            Phrase::Attribute(name) => here("attribute", name),
            Phrase::Type(name) if self.docs.iter().any(|d| d.name == *name) => {
                html! { a href={ (frame.root) "types/" (name) ".html" } { code { (name) } } }
            }
            Phrase::Type(name) => html! { code { (name) } },
        }
    }

    fn whole(&self, frame: &Frame<'_>, body: Markup, contents: Markup) -> String {
        let root = frame.root;
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="description" content=(plain(frame.summary));
                    meta name="color-scheme" content="light dark";
                    meta name="generator" content=(concat!("rtype ", env!("CARGO_PKG_VERSION")));
                    title { (frame.title) " · rtype" }
                    link rel="stylesheet" href={ (root) "site.css" };
                    script src={ (root) "search.js" } defer {}
                    script src={ (root) "site.js" } defer {}
                }
                body data-root=(root) {
                    a.skip href="#content" { "Skip to the content" }
                    header.top {
                        a.home href={ (root) "index.html" } { span { "rtype" } " reference" }
                        div.search role="search" {
                            input #query type="search" placeholder="Search types, attributes, values" autocomplete="off" spellcheck="false"
                                role="combobox" aria-label="Search" aria-expanded="false" aria-controls="results" aria-autocomplete="list";
                            kbd aria-hidden="true" { "/" }
                            ul #results role="listbox" aria-label="Results" hidden {}
                            p #found .unseen role="status" {}
                        }
                        button #theme type="button" aria-label="Switch between light and dark" title="Light or dark" { "◐" }
                    }
                    div class=(if contents.0.is_empty() { "columns wide" } else { "columns" }) {
                        nav.types aria-label="Types" {
                            details open {
                                summary { "Types" }
                                ul {
                                    @for doc in self.docs {
                                        @let here = if doc.name == frame.of { Some("page") } else { None };
                                        li { a href={ (root) "types/" (doc.name) ".html" } aria-current=[here] { (doc.name) } }
                                    }
                                }
                            }
                        }
                        main #content tabindex="-1" { (body) }
                        @if !contents.0.is_empty() { aside.contents aria-label="On this page" { (contents) } }
                    }
                    footer { "Made by rtype " (env!("CARGO_PKG_VERSION")) " from the types themselves." }
                }
            }
        };
        page.into_string()
    }
}

/// Returns a link to a heading, placed inside it.
fn anchor(id: &str) -> Markup {
    html! { a.anchor href={ "#" (id) } aria-label="Link to this" { "#" } }
}

fn contents_of<'n>(kind: &str, heading: &str, names: impl Iterator<Item = &'n str>) -> Markup {
    let mut names = names.peekable();
    html! {
        @if names.peek().is_some() {
            p { (heading) }
            ul { @for name in names { li { a href={ "#" (kind) "-" (name) } { (name) } } } }
        }
    }
}
