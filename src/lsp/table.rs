//! The names in a set of loaded sources, and their definitions.
//!
//! The compiler resolved most names when it loaded the types ([`TypeSet::references`]). Only names in resources are resolved here.

use super::index::{File, Name};
pub(super) use rtype_author::editor::completion::{attribute_name, letters};
use rtype_lang::library::TypeSet;
use rtype_lang::lower::{MemberName, NameKind, Reference, References};
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::types::TypeDef;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Names and their definitions. Spans exclude colons, quotes and question marks.
#[derive(Debug)]
pub(super) struct Table {
    /// The types, with all sources read to load them.
    pub types: TypeSet,
    names: References,
}

impl Table {
    /// Collects the names in all loaded types, and the names in resources of `files`. Each file comes with its source in `types`.
    pub fn new(types: &TypeSet, files: &[(Rc<File>, Arc<Source>)]) -> Table {
        load_named(types, files);
        let loaded = types.references();
        let mut builder = Builder { types, loaded: &loaded, known: HashMap::new(), out: Vec::new() };
        loaded.iter().for_each(|r| builder.name(r));
        builder.resources(files);
        let names: References = builder.out.into_iter().collect();
        Table { types: types.clone(), names: names.with_members(loaded.all_members().iter().copied()) }
    }

    /// Returns the shortest name at an offset of the sources. The end of a name belongs to the name.
    pub fn at(&self, offset: u32) -> Option<Reference> {
        let here = self.names.iter().filter(|r| r.span.start <= offset && offset <= r.span.end);
        // Between two adjacent names, the second name is used.
        here.min_by_key(|r| (r.span.end == offset && r.span.start != offset, r.span.len(), r.target.is_none(), !r.defines)).copied()
    }

    /// Returns the names with this definition.
    pub fn of(&self, target: Span) -> impl Iterator<Item = &Reference> {
        self.names.iter().filter(move |r| r.target == target && !target.is_none())
    }

    /// Returns all names.
    pub fn names(&self) -> &References {
        &self.names
    }

    /// Returns the members of all types and mixins that define `name`, without methods that are only used.
    pub fn beside(&self, name: &Reference) -> impl Iterator<Item = (NameKind, Span)> {
        let sources = &self.types.sources;
        let all = self.names.all_members();
        let of: HashSet<Span> =
            all.iter().filter(|m| m.kind == name.kind && letters(sources, m.name) == name.target).map(|m| m.of).collect();
        let is_declared = |m: &&MemberName| m.kind != NameKind::Method || self.names.is_definition(m.name);
        all.iter().filter(move |m| of.contains(&m.of)).filter(is_declared).map(|m| (m.kind, m.name))
    }

    /// Returns the name of the type that a definition belongs to; `None` for a mixin or several owners.
    pub fn owner(&self, target: Span) -> Option<Span> {
        let members = self.names.all_members().iter().filter(|m| letters(&self.types.sources, m.name) == target);
        let owners: HashSet<Span> = members.map(|m| m.of).collect();
        let is_type = |span: &Span| self.names.iter().any(|r| r.kind == NameKind::Type && r.defines && r.span == *span);
        let mut owners = owners.into_iter();
        owners.next().filter(|_| owners.next().is_none()).filter(is_type)
    }

    /// Returns the types of providers, and the types and mixins of functions.
    pub fn owners(&self) -> HashMap<Span, Span> {
        let has_owner = |m: &&MemberName| matches!(m.kind, NameKind::Provider | NameKind::Function) && self.names.is_definition(m.of);
        self.names.all_members().iter().filter(has_owner).map(|m| (m.name, m.of)).collect()
    }

    /// Returns the definitions in a source, each with the name of its type or mixin.
    pub fn definitions(&self, text: Span, owners: &HashMap<Span, Span>) -> Vec<(Reference, Span)> {
        let mut around = Span::NONE;
        let definition = |r: &Reference| {
            let owner = owners.get(&r.span).copied();
            let of = match r.kind {
                NameKind::Type | NameKind::Mixin => {
                    around = r.span;
                    None
                }
                NameKind::Attribute | NameKind::Feature => Some(around),
                NameKind::Provider => owner,
                // Functions outside of types and mixins have no owner.
                NameKind::Function => owner.map(|_| around),
                _ => None,
            };
            (*r, of.unwrap_or(Span::NONE))
        };
        self.names.within(text).iter().filter(|r| r.defines).map(definition).collect()
    }

    /// Converts a span of another table to the same source in this table.
    pub fn same(&self, other: &Table, span: Span) -> Option<Span> {
        let source = other.types.sources.find(span)?;
        Some(self.text(source.name())?.span_of(source.range(span)))
    }

    /// Returns the source of a file. Tables share a source map, so other tables may have added newer sources of the same file.
    pub fn text(&self, name: &str) -> Option<&Arc<Source>> {
        let mut texts: Vec<&Arc<Source>> = self.types.sources.iter().filter(|source| source.name() == name).collect();
        let own = texts.iter().rposition(|source| !self.names.within(source.span()).is_empty());
        if let Some(own) = own { Some(texts.swap_remove(own)) } else { texts.pop() }
    }
}

/// Loads the types that the sources refer to, because their names also belong to the table.
fn load_named(types: &TypeSet, files: &[(Rc<File>, Arc<Source>)]) {
    let references = types.references();
    let named = references.iter().filter(|r| r.kind == NameKind::Type && r.target.is_none());
    named.for_each(|r| drop(types.load(&types.sources.slice(letters(&types.sources, r.span)).to_lowercase())));
    for o in files.iter().flat_map(|(file, _)| &file.occurrences) {
        if let Name::Type(name) = &o.name {
            types.load(&name.to_lowercase());
        }
    }
}

struct Builder<'t> {
    types: &'t TypeSet,
    loaded: &'t References,
    /// Types that were looked up, with the spans of their names.
    known: HashMap<String, Span>,
    out: Vec<Reference>,
}

impl Builder<'_> {
    fn sources(&self) -> &SourceMap {
        &self.types.sources
    }

    fn name(&mut self, r: &Reference) {
        let mut span = letters(self.sources(), r.span);
        let target = match r.kind {
            NameKind::Type if r.target.is_none() => self.type_name(&self.sources().slice(span).to_lowercase()),
            NameKind::File => r.target,
            _ => letters(self.sources(), r.target),
        };
        // `self.x?` and `provider.feature?` refer to definitions without the question mark.
        if self.sources().slice(span).ends_with('?') && !self.sources().slice(target).ends_with('?') {
            span.end -= 1;
        }
        self.out.push(Reference { span, target, ..*r });
    }

    /// Returns the span of a type's name, even for a type with errors, which cannot be loaded.
    fn type_name(&mut self, name: &str) -> Span {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let loaded = self.types.load(name).map(|t| t.span);
        let is_named = |r: &&Reference| r.defines && r.kind == NameKind::Type && self.sources().slice(r.span) == name;
        let with_errors = || self.loaded.iter().find(is_named).map(|r| r.span);
        let span = loaded.or_else(with_errors).unwrap_or(Span::NONE);
        self.known.insert(name.to_owned(), span);
        span
    }

    /// Adds the names in resources. A resource is defined in its own file or, failing that, in any other file.
    fn resources(&mut self, files: &[(Rc<File>, Arc<Source>)]) {
        let mut everywhere: HashMap<&Name, Span> = HashMap::new();
        let moved = |file: &File, source: &Source, span: Span| source.span_of(file.source.range(span));
        for (file, source) in files {
            for o in file.occurrences.iter().filter(|o| o.declares && matches!(o.name, Name::Resource(..))) {
                everywhere.entry(&o.name).or_insert(moved(file, source, o.span));
            }
        }
        for (file, source) in files {
            for o in &file.occurrences {
                let (kind, target) = match &o.name {
                    Name::Resource(..) => {
                        let own = file.declared(&o.name).map(|span| moved(file, source, span));
                        (NameKind::Resource, own.or_else(|| everywhere.get(&o.name).copied()).unwrap_or(Span::NONE))
                    }
                    // Blocks read attributes of resources in the catalog.
                    Name::Attribute(of, name) => (NameKind::Attribute, self.attribute(of, name)),
                    // All other names in types are already resolved.
                    _ if file.ast().is_some() => continue,
                    Name::Type(name) => (NameKind::Type, self.type_name(&name.to_lowercase())),
                    Name::Value(of, name, value) => (NameKind::Value, self.value(of, name, value)),
                    _ => continue,
                };
                if kind == NameKind::Resource || kind == NameKind::Type || !target.is_none() {
                    let span = moved(file, source, o.span);
                    let target = letters(self.sources(), target);
                    self.out.push(Reference { span, target, kind, defines: o.declares && target == span });
                }
            }
        }
    }

    fn attribute(&self, type_name: &str, name: &str) -> Span {
        let span = |t: Arc<TypeDef>| Some(t.attribute(t.id_declared_as(name)?)?.span);
        self.types.load(type_name).and_then(span).filter(|_| name != "provider").unwrap_or(Span::NONE)
    }

    fn value(&self, type_name: &str, attribute: &str, value: &str) -> Span {
        let span = |t: Arc<TypeDef>| Some(t.attribute(t.id_declared_as(attribute)?)?.values.span_of(value));
        self.types.load(type_name).and_then(span).unwrap_or(Span::NONE)
    }
}
