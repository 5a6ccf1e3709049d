//! The names that can be completed, as the compiler resolved them.

use rtype_lang::library::TypeSet;
use rtype_lang::lower::{NameKind, References};
use rtype_lang::source::{Source, SourceMap, Span};

/// The names in a document and in the files that it uses.
pub(super) struct KnownNames<'a> {
    types: &'a TypeSet,
    source: &'a Source,
    references: References,
    /// The name of the type at the cursor; empty outside types.
    owner: Span,
}

impl<'a> KnownNames<'a> {
    /// Collects the names visible in `source`, a source in `types`, with the names of the type `owner`.
    pub fn new(types: &'a TypeSet, source: &'a Source, owner: &str) -> KnownNames<'a> {
        let loaded = types.load(owner).map(|t| t.span);
        let mut names = KnownNames { types, source, references: types.references(), owner: Span::NONE };
        names.owner = names.types_here().into_iter().find(|name| names.text(*name) == owner).or(loaded).unwrap_or(Span::NONE);
        names
    }

    /// Returns the text of a name.
    pub fn text(&self, name: Span) -> &str {
        let sources = &self.types.sources;
        sources.slice(letters(sources, name))
    }

    /// Returns the name of an attribute.
    pub fn attribute_name(&self, name: Span) -> &str {
        attribute_name(&self.types.sources, name)
    }

    /// Returns the visible names of a kind.
    pub fn visible(&self, kind: NameKind) -> Vec<Span> {
        self.references.members(self.source.span(), kind).collect()
    }

    /// Returns the types that the document declares.
    pub fn types_here(&self) -> Vec<Span> {
        self.visible(NameKind::Type)
    }

    /// Returns the names of a kind within part of the document.
    pub fn within(&self, part: Span, kind: NameKind) -> Vec<Span> {
        self.references.within(part).iter().filter(|r| r.defines && r.kind == kind).map(|r| r.span).collect()
    }

    /// Returns the names of a kind that belong to the type at the cursor.
    pub fn of_type(&self, kind: NameKind) -> Vec<Span> {
        self.members(self.owner, kind)
    }

    /// Returns the members of another name, if they are names of this kind.
    pub fn members(&self, of: Span, kind: NameKind) -> Vec<Span> {
        self.references.members(of, kind).filter(|name| self.references.is_definition(*name)).collect()
    }

    /// Returns the provider methods that blocks of the type at the cursor call, declared or not.
    pub fn asked(&self) -> Vec<Span> {
        self.references.members(self.owner, NameKind::Method).collect()
    }

    /// Returns `true` if a name is defined in the file of the type at the cursor.
    pub fn is_beside_type(&self, name: Span) -> bool {
        let file = |span: Span| self.types.sources.find(span).map(|s| s.span());
        file(name) == file(self.owner)
    }
}

/// Returns the letters of a symbol, string or key, without colons and quotes.
pub fn letters(sources: &SourceMap, span: Span) -> Span {
    let text = sources.slice(span);
    let inner = text.trim_start_matches(':');
    let quotes = usize::from(inner.starts_with(['"', '\'']));
    let start = span.start + (text.len() - inner.len() + quotes) as u32;
    let inner = inner.get(quotes..).unwrap_or_default();
    let end = inner.trim_end_matches(':');
    let end = if quotes == 1 { end.strip_suffix(['"', '\'']).unwrap_or(end) } else { end };
    Span::new(start, start + end.len() as u32)
}

/// Returns an attribute's name by the span of the attribute's definition: `ensurable` defines `ensure`.
pub fn attribute_name(sources: &SourceMap, definition: Span) -> &str {
    match sources.slice(letters(sources, definition)) {
        "ensurable" => "ensure",
        name => name,
    }
}
