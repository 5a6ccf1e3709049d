//! The names that can be completed, as the compiler resolved them.

use crate::lsp::analysis::Analysis;
use crate::lsp::table::{attribute_name, letters};
use rtype_lang::lower::{NameKind, References};
use rtype_lang::source::Span;

/// The names in a document and in what it depends on.
pub(super) struct KnownNames<'a> {
    analysis: &'a Analysis,
    references: References,
    /// The name of the type at the cursor; empty if there is none.
    owner: Span,
}

impl<'a> KnownNames<'a> {
    /// Collects the names that an analysis knows, with those of the type `owner`.
    pub fn new(analysis: &'a Analysis, owner: &str) -> KnownNames<'a> {
        let loaded = analysis.types.load(owner).map(|t| t.span);
        let mut names = KnownNames { analysis, references: analysis.types.references(), owner: Span::NONE };
        names.owner = names.types_here().into_iter().find(|name| names.text(*name) == owner).or(loaded).unwrap_or(Span::NONE);
        names
    }

    /// Returns the text of a name.
    pub fn text(&self, name: Span) -> &str {
        let sources = &self.analysis.types.sources;
        sources.slice(letters(sources, name))
    }

    /// Returns the name of an attribute.
    pub fn attribute_name(&self, name: Span) -> &str {
        attribute_name(&self.analysis.types.sources, name)
    }

    /// Returns the names of a kind that the document sees.
    pub fn visible(&self, kind: NameKind) -> Vec<Span> {
        self.references.members(self.analysis.source.span(), kind).collect()
    }

    /// Returns the types that the document declares.
    pub fn types_here(&self) -> Vec<Span> {
        self.visible(NameKind::Type)
    }

    /// Returns the names of a kind that are defined within a part of the document.
    pub fn within(&self, part: Span, kind: NameKind) -> Vec<Span> {
        self.references.within(part).iter().filter(|r| r.defines && r.kind == kind).map(|r| r.span).collect()
    }

    /// Returns the names of a kind that belong to the type at the cursor.
    pub fn of_type(&self, kind: NameKind) -> Vec<Span> {
        self.members(self.owner, kind)
    }

    /// Returns the names of a kind that belong to another name.
    pub fn members(&self, of: Span, kind: NameKind) -> Vec<Span> {
        self.references.members(of, kind).filter(|name| self.references.is_definition(*name)).collect()
    }

    /// Returns the provider methods that blocks of the type at the cursor call, declared or not.
    pub fn asked(&self) -> Vec<Span> {
        self.references.members(self.owner, NameKind::Method).collect()
    }

    /// Returns whether a name is defined in the file of the type at the cursor.
    pub fn is_beside_type(&self, name: Span) -> bool {
        let file = |span: Span| self.analysis.types.sources.find(span).map(|s| s.span());
        file(name) == file(self.owner)
    }
}
