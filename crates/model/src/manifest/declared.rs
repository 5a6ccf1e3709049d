//! What declarations become, whatever they were written in.

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Code, Diagnostic, Findings, Origin, Redactions};
use rtype_lang::source::Span;
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use std::collections::HashMap;

/// The value that a declaration gives to an attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The value; never nil, since `undef` means not given. References are [`Value::Resource`], deferred
    /// values [`Value::Unknown`].
    pub value: Value,
    /// Where the value stands.
    pub span: Span,
    /// Where the attribute's name stands.
    pub name_span: Span,
    /// Whether the value is or holds a secret. Its span is among [`Declarations::secrets`].
    pub sensitive: bool,
    /// Whether it comes from a `default:` body or from `Type { … }`, not from the resource itself.
    pub is_default: bool,
}

impl Given {
    /// A value that the resource itself gives.
    pub fn new(value: Value, span: Span, name_span: Span) -> Given {
        Given { sensitive: value.has_secret(), value, span, name_span, is_default: false }
    }
}

/// A resource as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// The type's name in lower case.
    pub type_name: Symbol,
    /// Where it stands.
    pub type_span: Span,
    /// The title.
    pub title: EcoString,
    /// Where it stands.
    pub title_span: Span,
    /// What is given, in the order written; defaults behind.
    pub attributes: IndexMap<EcoString, Given>,
    /// The body: title and attributes.
    pub span: Span,
}

impl Declared {
    /// A resource of which nothing but the title is given.
    pub fn new(type_name: Symbol, title: &str) -> Declared {
        Declared {
            type_name,
            type_span: Span::NONE,
            title: title.into(),
            title_span: Span::NONE,
            attributes: IndexMap::new(),
            span: Span::NONE,
        }
    }

    /// `Type[title]`
    pub fn reference(&self) -> ResourceRef {
        ResourceRef { type_name: self.type_name.clone(), title: self.title.clone() }
    }
}

/// What an arrow asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// `->`: the first goes before the second.
    Before,
    /// `~>`: it also refreshes the second when it changes.
    Notify,
}

/// An order between two resources that an arrow declares. `<-` and `<~` are turned around.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// What the arrow asks for.
    pub kind: EdgeKind,
    /// What goes first.
    pub from: ResourceRef,
    /// What goes second.
    pub to: ResourceRef,
    /// The arrow.
    pub span: Span,
}

/// A class or defined resource of a compiled catalog: nothing to manage, but relationships may name it and
/// then mean all that it contains.
#[derive(Clone, Debug, PartialEq)]
pub struct Container {
    /// With its parameters, its own relationships (`require` …) among them.
    pub declared: Declared,
    /// What it contains directly, in the catalog's order.
    pub contains: Vec<ResourceRef>,
}

/// Everything that a text declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declarations {
    /// The resources in the order written. A resource that is declared twice is there twice; that has been
    /// reported as an error.
    pub resources: Vec<Declared>,
    /// Orders by arrows. `require before notify subscribe` stay attributes.
    pub edges: Vec<Edge>,
    /// Whether a compiler has written this: a catalog, not what a person declares.
    pub is_compiled: bool,
    /// Classes and defined resources of a catalog.
    pub containers: Vec<Container>,
    /// Places of secrets that the text itself marks, for the renderers. `resource`, which knows the types, adds
    /// the [`Given::span`] of attributes that are declared sensitive.
    pub secrets: Redactions,
    /// Where the resources of a catalog were declared, by their places here, in order.
    pub origins: Vec<(Span, Origin)>,
    /// Where comments stand, in order; JSON has none.
    pub comments: Vec<Span>,
}

impl Declarations {
    /// Where the resource that a place here lies in was declared.
    pub fn origin(&self, span: Span) -> Option<&Origin> {
        let behind = self.origins.partition_point(|(resource, _)| resource.start <= span.start);
        let (resource, origin) = self.origins.get(behind.checked_sub(1)?)?;
        resource.contains(span).then_some(origin)
    }

    /// Notes where what a diagnostic is about was declared.
    pub fn trace(&self, diagnostic: &mut Diagnostic) {
        for label in &mut diagnostic.labels {
            label.origin = label.origin.take().or_else(|| self.origin(label.span).cloned());
        }
    }

    /// Adds those of another text; tells of what both declare.
    pub fn merge(&mut self, other: Declarations) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if !self.resources.is_empty() {
            let seen: HashMap<ResourceRef, Span> = self.resources.iter().map(|d| (d.reference(), d.title_span)).collect();
            for declared in &other.resources {
                if let Some(first) = seen.get(&declared.reference()) {
                    found.push(declared_twice(&declared.reference(), declared.title_span, *first));
                }
            }
        }
        self.secrets.extend(&other.secrets);
        self.resources.extend(other.resources);
        self.edges.extend(other.edges);
        self.is_compiled |= other.is_compiled;
        self.containers.extend(other.containers);
        self.origins.extend(other.origins);
        self.comments.extend(other.comments);
        found
    }
}

/// Two declarations of one resource.
fn declared_twice(reference: &ResourceRef, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::DuplicateResource, again, format!("`{reference}` is declared more than once"))
        .label("declared again here")
        .also(first, "first declared here")
        .help("give all its attributes in one declaration")
}

/// Collects declarations and what is wrong with them.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) found: Declarations,
    pub(super) diagnostics: Findings,
    seen: HashMap<ResourceRef, Span, RandomState>,
}

impl Builder {
    /// Adds a resource; reports a second one of the same name.
    pub(super) fn add(&mut self, declared: Declared) {
        let reference = declared.reference();
        if let Some(first) = self.seen.get(&reference) {
            self.diagnostics.push(declared_twice(&reference, declared.title_span, *first));
        } else {
            self.seen.insert(reference, declared.title_span);
        }
        self.found.resources.push(declared);
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn finish(self) -> (Declarations, Vec<Diagnostic>) {
        (self.found, self.diagnostics.into_vec())
    }
}

/// A second value for an attribute.
pub(super) fn attribute_twice(name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::AttributeTwice, again, format!("`{name}` is given twice"))
        .label("given again here")
        .also(first, "first given here")
        .help("keep one of the two")
}

/// A title that is empty or no text.
pub(super) fn bad_title(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InvalidTitle, span, message).help("a title is a string that is not empty")
}

/// The type's name in lower case, if it can be one.
pub(super) fn type_symbol(name: &str) -> Option<Symbol> {
    let name = name.strip_prefix("::").unwrap_or(name).to_ascii_lowercase();
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    name.split("::").all(is_part).then(|| Symbol::from(name))
}

/// `Type[title]` as text, as catalogs write it.
pub(super) fn parse_reference(text: &str) -> Option<ResourceRef> {
    let (head, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    let type_name = head.starts_with(|c: char| c.is_ascii_uppercase()).then(|| type_symbol(head)).flatten()?;
    (!title.is_empty()).then(|| ResourceRef { type_name, title: title.into() })
}

/// Whether the attribute's values name resources.
pub(super) fn is_relationship(name: &str) -> bool {
    matches!(name, "require" | "before" | "notify" | "subscribe")
}
