//! Declarations, independent of their source format.

use super::parts::PartSpans;
use foldhash::fast::RandomState;
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Code, Diagnostic, Findings, OriginLine, Redactions};
use rtype_lang::source::Span;
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::Arc;

/// The value of an attribute in a declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredValue {
    /// The value. Never nil, because `undef` means not set. References are [`Value::Resource`], deferred values [`Value::Unknown`].
    pub value: Value,
    /// The source of a deferred value: Puppet's rich data with its function calls. It may contain secrets.
    pub deferred: Option<Arc<Json>>,
    /// Location of the value.
    pub span: Span,
    /// Locations of the elements, if the value is a list or map.
    pub parts: Option<Arc<PartSpans>>,
    /// Location of the attribute name.
    pub name_span: Span,
    /// True if the value is or contains a secret. The secret's span is in [`Declarations::secrets`].
    pub sensitive: bool,
    /// True if the value comes from a `default:` body or from `Type { … }`, not from the resource itself.
    pub is_default: bool,
}

impl DeclaredValue {
    /// Creates a value set by the resource itself.
    pub fn new(value: Value, span: Span, name_span: Span) -> DeclaredValue {
        DeclaredValue { sensitive: value.has_secret(), value, deferred: None, parts: None, span, name_span, is_default: false }
    }

    /// Replaces a deferred value with the functions' result.
    pub fn resolve(&mut self, value: Value) {
        let sensitive = self.sensitive || value.has_secret();
        self.value = if sensitive { Value::Sensitive(Arc::new(value.unwrapped().clone())) } else { value };
        self.sensitive = sensitive;
        self.deferred = None;
    }
}

/// A declared resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// Type name in lower case.
    pub type_name: Symbol,
    /// Location of the type name.
    pub type_span: Span,
    /// The title.
    pub title: EcoString,
    /// Location of the title.
    pub title_span: Span,
    /// Whether the title is an expression that is not evaluated; `title` is the expression as written.
    pub is_title_computed: bool,
    /// Attributes in source order, followed by defaults.
    pub attributes: IndexMap<EcoString, DeclaredValue>,
    /// Location of the body: title and attributes.
    pub span: Span,
}

impl Declared {
    /// Creates a declaration with only a title.
    pub fn new(type_name: Symbol, title: &str) -> Declared {
        Declared {
            type_name,
            type_span: Span::NONE,
            title: title.into(),
            title_span: Span::NONE,
            is_title_computed: false,
            attributes: IndexMap::new(),
            span: Span::NONE,
        }
    }

    /// Returns the reference `Type[title]`.
    pub fn reference(&self) -> ResourceRef {
        ResourceRef { type_name: self.type_name.clone(), title: self.title.clone() }
    }
}

/// A type's defaults: `File { mode => '0640' }`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDefaults {
    /// Location of the type name.
    pub type_span: Span,
    /// Attributes in source order. Nil, written as `undef`, cancels an earlier default.
    pub attributes: IndexMap<EcoString, DeclaredValue>,
}

/// Resource defaults, by type name in lower case.
pub type AllDefaults = IndexMap<Symbol, TypeDefaults>;

/// The relationship declared by an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// `->`: the first resource is applied before the second.
    Before,
    /// `~>`: like `->`, and a change to the first resource refreshes the second.
    Notify,
}

/// A relationship that an arrow declares. `<-` and `<~` are stored with their ends swapped.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The kind of relationship.
    pub kind: EdgeKind,
    /// The resource that is applied first.
    pub from: ResourceRef,
    /// The resource that is applied second.
    pub to: ResourceRef,
    /// Location of the arrow.
    pub span: Span,
}

/// A class or defined resource in a compiled catalog. A container manages nothing itself; a relationship with a container applies to all
/// contents.
#[derive(Clone, Debug, PartialEq)]
pub struct Container {
    /// The declaration with its parameters, including its own relationships (`require` …).
    pub declared: Declared,
    /// Directly contained resources, in catalog order.
    pub contains: Vec<ResourceRef>,
}

/// All declarations in a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declarations {
    /// Resources in source order. A duplicate resource is reported as an error and included twice.
    pub resources: Vec<Declared>,
    /// Relationships declared by arrows. `require`, `before`, `notify` and `subscribe` remain attributes.
    pub edges: Vec<Edge>,
    /// True for a compiled catalog, as opposed to a source written by hand.
    pub is_compiled: bool,
    /// Whether the text is a program that was not run: each resource may exist or not, together with any others.
    pub is_program: bool,
    /// The version of the catalog.
    pub version: Option<EcoString>,
    /// Classes and defined resources in a catalog.
    pub containers: Vec<Container>,
    /// Locations of secrets that are marked in the source, for renderers. `resource`, which knows the types, adds the
    /// [`DeclaredValue::span`] of each sensitive attribute.
    pub secrets: Redactions,
    /// Tags that the compiler gave to resources, classes and defined resources.
    pub tags: HashMap<ResourceRef, Vec<EcoString>>,
    /// Original locations of a catalog's resources, by location in this source, in order.
    pub origins: Vec<(Span, OriginLine)>,
    /// Locations of comments, in order. JSON has none.
    pub comments: Vec<Span>,
    /// Resource defaults, `Type { … }`, declared in the source. The resources' attributes already include these defaults.
    pub defaults: AllDefaults,
    /// Resources that were set aside, with the reason. They are not built, and fail when they are due.
    pub unusable: HashMap<ResourceRef, String>,
}

impl Declarations {
    /// Returns the original location of the resource at `span`.
    pub fn origin(&self, span: Span) -> Option<&OriginLine> {
        let behind = self.origins.partition_point(|(resource, _)| resource.start <= span.start);
        let (resource, origin) = self.origins.get(behind.checked_sub(1)?)?;
        resource.contains(span).then_some(origin)
    }

    /// Removes an attribute from all resources, classes and defined resources.
    pub fn remove_attribute(&mut self, name: &str) {
        let containers = self.containers.iter_mut().map(|container| &mut container.declared);
        for declared in self.resources.iter_mut().chain(containers) {
            declared.attributes.shift_remove(name);
        }
    }

    /// Marks secret attribute values.
    pub fn hide(&mut self, is_secret: &dyn Fn(&Value) -> bool) {
        let containers = self.containers.iter_mut().map(|container| &mut container.declared);
        for declared in self.resources.iter_mut().chain(containers) {
            for given in declared.attributes.values_mut().filter(|given| is_secret(given.value.unwrapped())) {
                self.secrets.add(given.span);
                given.value = Value::Sensitive(Arc::new(given.value.unwrapped().clone()));
                given.sensitive = true;
            }
        }
    }

    /// Adds the original locations to the labels of a diagnostic.
    pub fn trace(&self, diagnostic: &mut Diagnostic) {
        for label in &mut diagnostic.labels {
            label.origin = label.origin.take().or_else(|| self.origin(label.span).cloned());
        }
    }

    /// Sets aside the resources with errors, so that the others can be applied. An error about a missing type concerns all resources with
    /// this type. Returns true if each error concerned a resource that had not been set aside.
    pub fn set_aside(&mut self, errors: &[Diagnostic]) -> bool {
        let is_new = |unusable: &HashMap<ResourceRef, String>, declared: &&Declared| !unusable.contains_key(&declared.reference());
        let mut all = !errors.is_empty();
        for error in errors {
            let at = error.span();
            let about = self.resources.iter().filter(|d| is_new(&self.unusable, d)).find(|d| !at.is_none() && d.span.contains(at));
            let Some(first) = about.cloned() else {
                // One resource may have several errors.
                all &= self.resources.iter().any(|d| !at.is_none() && d.span.contains(at));
                continue;
            };
            let is_type = error.code == Code::UnknownType;
            let same = self.resources.iter().filter(|d| d.type_name == first.type_name && (is_type || d.span == first.span));
            let message = if is_type {
                format!("the type `{}` cannot be applied: {}", first.type_name, error.message)
            } else {
                error.message.clone()
            };
            self.unusable.extend(same.map(|declared| (declared.reference(), message.clone())));
        }
        all
    }

    /// Merges the declarations from another source. Returns a diagnostic for each resource declared in both.
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
        self.is_program |= other.is_program;
        self.version = self.version.take().or(other.version);
        self.containers.extend(other.containers);
        self.tags.extend(other.tags);
        self.origins.extend(other.origins);
        self.comments.extend(other.comments);
        self.unusable.extend(other.unusable);
        found
    }
}

/// Returns the diagnostic for a duplicate resource.
pub fn declared_twice(reference: &ResourceRef, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::DuplicateResource, again, format!("`{reference}` is declared more than once"))
        .label("declared again here")
        .also(first, "first declared here")
        .help("merge both declarations into one")
}

/// Collects declarations and their diagnostics.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) found: Declarations,
    pub(super) diagnostics: Findings,
    seen: HashMap<ResourceRef, Span, RandomState>,
    /// The number of values and relations copied from a single written occurrence.
    copies: CopyLimit,
}

/// The maximum number of values and relations that title lists, defaults and arrows between lists may create. Large Puppet catalogs have
/// 100,000.
const MAX_COPIES: usize = 1_000_000;

/// Counts the values and relations that a source makes without writing each.
#[derive(Debug, Default)]
pub struct CopyLimit {
    copies: usize,
    is_reported: bool,
}

impl CopyLimit {
    /// Counts further values and relations. Returns `true` if they are still allowed.
    pub fn add(&mut self, count: usize) -> bool {
        self.copies = self.copies.saturating_add(count);
        !self.is_exceeded()
    }

    /// Returns `true` if there are more than the limit allows.
    pub fn is_exceeded(&self) -> bool {
        self.copies > MAX_COPIES
    }

    /// Returns the diagnostic at the location where the limit was exceeded; `None` if it is not exceeded, and after the first call.
    pub fn exceeded_at(&mut self, span: Span) -> Option<Diagnostic> {
        let is_first = self.is_exceeded() && !std::mem::replace(&mut self.is_reported, true);
        let message = format!("titles, defaults and arrows make more than {MAX_COPIES} values and relations");
        let found = || {
            Diagnostic::new(Code::TooManyCopies, span, message)
                .help("order classes or a few resources instead of long lists, or split the file")
        };
        is_first.then(found)
    }
}

impl Builder {
    /// Counts values or relations created by copying at `span`. Returns true if the total is within the limit.
    pub(super) fn copy(&mut self, count: usize, span: Span) -> bool {
        let is_allowed = self.copies.add(count);
        self.diagnostics.extend(self.copies.exceeded_at(span));
        is_allowed
    }

    /// Adds a resource. Reports an existing resource with the same reference.
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

    /// Returns the declarations. If the limit is exceeded, they are empty: references to omitted resources would be reported as missing.
    pub(super) fn finish(mut self) -> (Declarations, Vec<Diagnostic>) {
        if self.copies.is_exceeded() {
            let secrets = std::mem::take(&mut self.found.secrets);
            self.found = Declarations { secrets, ..Declarations::default() };
        }
        (self.found, self.diagnostics.into_vec())
    }
}

/// Returns the number of values in a value, including the value itself.
pub fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Map(pairs) => 1 + pairs.iter().map(|(key, value)| count(key) + count(value)).sum::<usize>(),
        Value::Sensitive(inner) => count(inner),
        _ => 1,
    }
}

/// Returns the diagnostic for a title that is empty or not a string.
pub(super) fn bad_title(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InvalidTitle, span, message).help("a title is a string that is not empty")
}

/// Returns the type name in lower case, or `None` if the name is invalid.
pub(super) fn type_symbol(name: &str) -> Option<Symbol> {
    let name = name.strip_prefix("::").unwrap_or(name).to_ascii_lowercase();
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    name.split("::").all(is_part).then(|| Symbol::from(name))
}

/// Parses `Type[title]` as written in catalogs.
pub(super) fn parse_reference(text: &str) -> Option<ResourceRef> {
    let (head, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    let type_name = head.starts_with(|c: char| c.is_ascii_uppercase()).then(|| type_symbol(head)).flatten()?;
    (!title.is_empty()).then(|| ResourceRef { type_name, title: title.into() })
}

/// Returns true if an attribute's values are resource references.
pub fn is_relationship(name: &str) -> bool {
    matches!(name, "require" | "before" | "notify" | "subscribe")
}
