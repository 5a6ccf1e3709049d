//! Analysis of a document.

use super::documents::{Document, Language};
use super::index::File;
use super::table::Table;
use crate::app::check::CheckSession;
use rtype_author::check::{Input, Selection};
use rtype_lang::diagnostics::{Diagnostic, Severity};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Source;
use rtype_model::manifest::{Declarations, from_source};
use rtype_provider::{Machine, NativeProviders};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// The result of analysing a document.
pub(super) struct Analysis {
    /// The types in use, with all sources read to load them.
    pub types: TypeSet,
    /// The source of the document.
    pub source: Arc<Source>,
    /// The diagnostics, sorted by location.
    pub diagnostics: Vec<Diagnostic>,
    /// The declarations, if the document is a resource file.
    pub declarations: Declarations,
    /// The names in the document and in the sources of the types.
    pub table: Rc<Table>,
}

impl Analysis {
    /// Returns whether the analysis depends on a file.
    pub fn has_read(&self, path: &Path) -> bool {
        self.types.sources.iter().any(|source| Path::new(source.name()) == path)
    }
}

/// Checks a document as `rtype check` does. `None` if the document is too large.
pub(super) fn analyse(
    document: &Document,
    file: Option<Rc<File>>,
    mut types: TypeSet,
    selection: &Selection,
    natives: &NativeProviders,
    machine: &Machine,
) -> Option<Analysis> {
    let source = types.keep(&document.path.to_string_lossy(), document.text.to_string()).ok()?;
    let mut declarations = Declarations::default();
    let input = match document.language {
        Language::Types => Some(Input::Types(Arc::clone(&source), document.path.parent().map(ToOwned::to_owned))),
        Language::Puppet | Language::Data => {
            declarations = from_source(&source, machine).0;
            // Any JSON file may be open in an editor. Ignore JSON and YAML files without resources.
            let ours = document.language == Language::Puppet || !declarations.resources.is_empty();
            ours.then(|| Input::Resources(Arc::clone(&source)))
        }
        Language::Other => None,
    };
    let checked = input.map(|input| CheckSession { providers: natives, world: machine, selection }.run_one(input, &mut types));
    let mut diagnostics = checked.unwrap_or_default();
    // Diagnostics of another file are published when that file is open.
    let here = |d: &Diagnostic| d.span().is_none() || types.sources.find(d.span()).is_some_and(|s| s.name() == source.name());
    diagnostics.retain(here);
    let names = file.map(|file| (file, Arc::clone(&source)));
    // Load the types that the document names, so that later edits of their files are noticed.
    let table = Rc::new(Table::new(&types, names.as_slice()));
    Some(Analysis { types, source, diagnostics, declarations, table })
}

/// Converts the severity of a diagnostic.
pub(super) fn severity(severity: Severity) -> lsp_types::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp_types::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp_types::DiagnosticSeverity::WARNING,
        Severity::Note => lsp_types::DiagnosticSeverity::INFORMATION,
    }
}
