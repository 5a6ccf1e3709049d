//! Syntax trees shared by type sets.

use crate::diagnostics::Diagnostic;
use crate::lower::Lowered;
use crate::source::{Source, SourceMap, Span, TooLarge};
use crate::syntax::ast::Ast;
use crate::syntax::parse_types;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A source with its syntax tree.
#[derive(Debug)]
pub struct ParsedText {
    /// The syntax tree.
    pub ast: Arc<Ast>,
    /// The syntax errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// The current sources of files, by name, with their syntax trees and types. Consecutive type sets share them
/// ([`super::TypeLoader::load_with`]), so that a file is parsed and lowered again only after a change to its own source or to a used
/// source.
#[derive(Clone, Debug, Default)]
pub struct SyntaxTrees {
    sources: SourceMap,
    current: Arc<Mutex<HashMap<String, CurrentText>>>,
}

#[derive(Debug)]
struct CurrentText {
    source: Arc<Source>,
    parsed: Option<Arc<ParsedText>>,
    lowered: Option<LoweredText>,
}

/// The result of lowering a source together with other sources.
#[derive(Debug)]
struct LoweredText {
    /// The spans of the other sources. Each version of a source has a different span.
    context: Vec<Span>,
    lowered: Lowered,
}

/// Parses a source.
pub(super) fn parse(source: &Source) -> ParsedText {
    let (ast, diagnostics) = parse_types(source);
    ParsedText { ast: Arc::new(ast), diagnostics }
}

impl SyntaxTrees {
    /// Returns the map with all sources, including earlier versions.
    pub(super) fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn current(&self) -> MutexGuard<'_, HashMap<String, CurrentText>> {
        // Each change is a single insertion, so that a panic never leaves an incomplete state.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes this the current source of a file. The source and its syntax tree stay if the content has not changed.
    pub(super) fn keep(&self, name: &str, text: String) -> Result<Arc<Source>, TooLarge> {
        let mut current = self.current();
        if let Some(known) = current.get(name).filter(|known| known.source.text() == text) {
            return Ok(Arc::clone(&known.source));
        }
        let source = self.sources.add(name, text)?;
        current.insert(name.to_owned(), CurrentText { source: Arc::clone(&source), parsed: None, lowered: None });
        Ok(source)
    }

    /// Returns the syntax tree of a source in this map.
    pub(super) fn parse(&self, source: &Source) -> Arc<ParsedText> {
        let is_same = |known: &CurrentText| known.source.base() == source.base();
        if let Some(known) = self.current().get(source.name()).filter(|known| is_same(known)).and_then(|known| known.parsed.clone()) {
            return known;
        }
        let parsed = Arc::new(parse(source));
        if let Some(known) = self.current().get_mut(source.name()).filter(|known| is_same(known)) {
            known.parsed = Some(Arc::clone(&parsed));
        }
        parsed
    }

    /// Returns the result of lowering a source. The source is lowered again only after it or a source in its context has changed.
    pub(super) fn lower(&self, source: &Source, context: Vec<Span>, lower: impl FnOnce() -> Lowered) -> Lowered {
        let is_same = |known: &CurrentText| known.source.base() == source.base();
        let known = |text: &LoweredText| (text.context == context).then(|| text.lowered.clone());
        let lowered = self.current().get(source.name()).filter(|text| is_same(text)).and_then(|text| text.lowered.as_ref()).and_then(known);
        lowered.unwrap_or_else(|| {
            let lowered = lower();
            if let Some(text) = self.current().get_mut(source.name()).filter(|text| is_same(text)) {
                text.lowered = Some(LoweredText { context, lowered: lowered.clone() });
            }
            lowered
        })
    }

    /// Adds sources, and parses changed sources. Returns the trees in the same order; `None` if the sources would become too large.
    pub fn update(&self, texts: &[(&str, &str)]) -> Vec<Option<(Arc<Source>, Arc<ParsedText>)>> {
        let sources: Vec<Option<Arc<Source>>> = texts.iter().map(|(name, text)| self.keep(name, (*text).to_owned()).ok()).collect();
        sources.into_par_iter().map(|source| source.map(|source| (Arc::clone(&source), self.parse(&source)))).collect()
    }

    /// Returns `true` if replaced sources take more memory than the current sources.
    pub fn is_mostly_outdated(&self) -> bool {
        let size = |source: &Arc<Source>| source.text().len();
        let current: usize = self.current().values().map(|known| size(&known.source)).sum();
        self.sources.iter().map(size).sum::<usize>() > 2 * current + SPARE
    }
}

/// The size in bytes up to which replaced sources are always kept.
const SPARE: usize = 8 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{TypeLoader, TypeSet};

    /// Loads sources with shared trees, and returns the types in the last source.
    fn loaded(trees: &SyntaxTrees, texts: &[(&str, &str)]) -> Vec<Arc<crate::types::TypeDef>> {
        let mut types: TypeSet = TypeLoader::new(Vec::new()).load_with(trees);
        let sources: Vec<Arc<Source>> = texts.iter().map(|(name, text)| types.keep(name, (*text).to_owned()).unwrap()).collect();
        let directory = Some(std::path::Path::new("/none"));
        let texts: Vec<_> = sources.iter().map(|source| (&**source, directory)).collect();
        types.load_texts(&texts).pop().unwrap().types
    }

    #[test]
    fn a_text_is_lowered_again_after_it_or_its_context_has_changed() {
        let trees = SyntaxTrees::default();
        let shared = "mixin common { newproperty label }\n";
        let lamp = "use \"shared\"\ntype lamp {\n  include common\n  newparam name\n}\n";
        let load = |shared: &str, lamp: &str| loaded(&trees, &[("/none/shared.rtype", shared), ("/none/lamp.rtype", lamp)]).remove(0);
        let first = load(shared, lamp);
        assert!(Arc::ptr_eq(&first, &load(shared, lamp)));
        let edited = load(&shared.replace("label", "labels"), lamp);
        assert!(first.attribute_named("label").is_some() && edited.attribute_named("labels").is_some());
        // Only the current source is kept: an earlier version is lowered again.
        assert!(!Arc::ptr_eq(&first, &load(shared, lamp)));
        assert!(load(shared, &lamp.replace("  include common\n", "")).attribute_named("label").is_none());
    }
}
