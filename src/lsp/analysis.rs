//! What is found in a document.

use super::documents::{Document, Language};
use crate::diagnostics::{Diagnostic, Severity};
use crate::engine::{declare, disagreements};
use crate::eval::UnknownWorld;
use crate::library::Library;
use crate::manifest::{Declarations, from_source};
use crate::provider::{Machine, NativeProviders};
use crate::resource::{Catalog, Context, NoCatalog};
use crate::source::{Source, Span};
use std::sync::Arc;

/// Everything that is known of a document.
pub(super) struct Analysis {
    /// The types that it needs, and all texts that were read for them.
    pub library: Library,
    /// Its text.
    pub source: Arc<Source>,
    /// What was found in it, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// What it declares, if it is a file of resources.
    pub declarations: Declarations,
    /// The resources that could be built.
    pub catalog: Catalog,
}

/// Checks a document as `rtype check` does. `None` for what is too large to be held beside the rest.
pub(super) fn analyse(document: &Document, mut library: Library, natives: &NativeProviders, machine: &Machine) -> Option<Analysis> {
    let source = library.sources.add(document.path.to_string_lossy(), &*document.text).ok()?;
    let mut found = Vec::new();
    let (mut declarations, mut catalog) = (Declarations::default(), Catalog::default());
    match document.language {
        Language::Types => {
            library.load_text(&source, document.path.parent());
            library.tests();
            let own: Vec<_> = library.registry.iter().filter(|t| is_of(&library, &source, t.span)).cloned().collect();
            found.extend(own.iter().flat_map(|t| disagreements(t, natives)));
        }
        Language::Puppet | Language::Data => {
            let problems;
            (declarations, problems) = from_source(&source, machine);
            found.extend(problems);
            // Any JSON may be open in an editor; only what holds resources is ours.
            let foreign = document.language == Language::Data && declarations.resources.is_empty();
            if foreign {
                found.clear();
            }
            let offline = Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true };
            let declared = declare(&declarations, &mut library, offline);
            found.extend(declared.diagnostics);
            catalog = declared.catalog;
        }
        Language::Other => {}
    }
    found.append(&mut library.diagnostics);
    found.retain(|d| d.span().is_none() || is_of(&library, &source, d.span()));
    found.sort_by(|a, b| (a.span(), a.code, &a.message).cmp(&(b.span(), b.code, &b.message)));
    // A text that another one uses is read twice; its mistakes are told once.
    found.dedup_by(|a, b| {
        library.sources.locate(a.span()) == library.sources.locate(b.span()) && a.code == b.code && a.message == b.message
    });
    Some(Analysis { library, source, diagnostics: found, declarations, catalog })
}

/// Whether a place lies in a text, or in the same file as it was read by another one.
fn is_of(library: &Library, source: &Source, span: Span) -> bool {
    library.sources.find(span).is_some_and(|s| s.name() == source.name())
}

/// The weight of a diagnostic as the protocol says it.
pub(super) fn severity(severity: Severity) -> lsp_types::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp_types::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp_types::DiagnosticSeverity::WARNING,
        Severity::Note => lsp_types::DiagnosticSeverity::INFORMATION,
    }
}
