//! Names in a file that the compiler does not resolve: keywords, and names in resources.
//!
//! Each file is walked once. Each name or keyword yields an [`Occurrence`].

mod blocks;
mod found;
mod manifest;
mod resolve;
mod walk;

pub(super) use resolve::{Definition, Resolver};

use super::documents::Language;
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::syntax::ast::{Ast, Manifest};
use rtype_lang::syntax::{parse_manifest, parse_types};
use rtype_lang::value::EcoString;
use std::sync::Arc;

/// The meaning of a keyword or of a name in resources.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name {
    Type(EcoString),
    /// An attribute: the type and the name.
    Attribute(EcoString, EcoString),
    /// A value: the type, the attribute and the value.
    Value(EcoString, EcoString, EcoString),
    /// A declared resource: the type and the title.
    Resource(EcoString, EcoString),
    /// A keyword: the group in the language reference, the context, and the word.
    Word(&'static str, EcoString, EcoString),
}

/// An occurrence of a name in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    /// The location, without colon and quotes.
    pub span: Span,
    pub name: Name,
    /// Whether the occurrence is a declaration.
    pub declares: bool,
}

/// The syntax tree of a file.
#[derive(Debug)]
pub(super) enum Tree {
    Types(Arc<Ast>),
    Manifest(Manifest),
}

/// A file and its names.
#[derive(Debug)]
pub(super) struct File {
    pub source: Arc<Source>,
    pub tree: Tree,
    /// Sorted by location.
    pub occurrences: Vec<Occurrence>,
}

impl File {
    /// Parses and indexes a file. `name` is the library's name of the file.
    pub fn new(name: &str, text: &str, language: Language) -> Option<File> {
        let source = SourceMap::new().add(name, text).ok()?;
        let tree = match language {
            Language::Types => Tree::Types(Arc::new(parse_types(&source).0)),
            Language::Puppet => Tree::Manifest(parse_manifest(&source).0),
            Language::Data | Language::Other => return None,
        };
        Some(File::indexed(source, tree))
    }

    /// Indexes a parsed file.
    pub fn indexed(source: Arc<Source>, tree: Tree) -> File {
        let mut names = Collector { source: &source, out: Vec::new() };
        match &tree {
            Tree::Types(ast) => walk::types(&mut names, ast),
            Tree::Manifest(manifest) => manifest::statements(&mut names, &manifest.statements),
        }
        let mut occurrences = names.out;
        occurrences.sort_by_key(|o| (o.span.start, o.span.end));
        File { source, tree, occurrences }
    }

    /// Returns the syntax tree of a type file.
    pub fn ast(&self) -> Option<&Ast> {
        if let Tree::Types(ast) = &self.tree { Some(ast) } else { None }
    }

    /// Returns the shortest name at a byte offset. The end of a name belongs to the name.
    pub fn at(&self, byte: usize) -> Option<&Occurrence> {
        let at = self.source.base() + byte as u32;
        let here = self.occurrences.iter().filter(|o| o.span.start <= at && at <= o.span.end);
        // Between two adjacent names, the second name is used.
        here.min_by_key(|o| (o.span.end == at && o.span.start != at, o.span.len()))
    }

    /// Returns the location of a name's declaration in this file.
    pub fn declared(&self, name: &Name) -> Option<Span> {
        self.occurrences.iter().find(|o| o.declares && o.name == *name).map(|o| o.span)
    }
}

/// Collects names while visiting a syntax tree.
struct Collector<'a> {
    source: &'a Source,
    out: Vec<Occurrence>,
}

impl Collector<'_> {
    fn declares(&mut self, span: Span, name: Name) {
        self.out.push(Occurrence { span, name, declares: true });
    }

    fn uses(&mut self, span: Span, name: Name) {
        self.out.push(Occurrence { span, name, declares: false });
    }

    fn word(&mut self, span: Span, group: &'static str, of: &str, name: &str) {
        self.uses(span, Name::Word(group, of.into(), name.into()));
    }

    /// Returns the letters of a symbol or string, without colon and quotes.
    fn letters(&self, span: Span) -> Span {
        let text = self.source.slice(span);
        let inner = text.trim_start_matches(':');
        let quotes = usize::from(inner.starts_with(['"', '\'']));
        let start = span.start + (text.len() - inner.len() + quotes) as u32;
        let end = span.end.saturating_sub(if inner.len() > 1 && quotes == 1 && inner.ends_with(['"', '\'']) { 1 } else { 0 });
        Span::new(start, end)
    }
}
