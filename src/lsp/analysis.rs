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
    /// The types that it uses, and all texts that were read for them.
    pub types: TypeSet,
    /// Its text.
    pub source: Arc<Source>,
    /// Its diagnostics, sorted by location.
    pub diagnostics: Vec<Diagnostic>,
    /// Its declarations, if it is a file of resources.
    pub declarations: Declarations,
    /// The names in it and in what it depends on.
    pub table: Rc<Table>,
}

impl Analysis {
    /// Returns whether it depends on the text of a file.
    pub fn has_read(&self, path: &Path) -> bool {
        self.types.sources.iter().any(|source| Path::new(source.name()) == path)
    }
}

/// Checks a document as `rtype check` does. `None` if it is too large.
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
            // Any JSON file may be open in an editor; ignore those without resources.
            let ours = document.language == Language::Puppet || !declarations.resources.is_empty();
            ours.then(|| Input::Resources(Arc::clone(&source)))
        }
        Language::Other => None,
    };
    let checked = input.map(|input| CheckSession { providers: natives, world: machine, selection }.run_one(input, &mut types));
    let mut diagnostics = checked.unwrap_or_default();
    // Diagnostics of other files are published when these are open.
    let here = |d: &Diagnostic| d.span().is_none() || types.sources.find(d.span()).is_some_and(|s| s.name() == source.name());
    diagnostics.retain(here);
    let names = file.map(|file| (file, Arc::clone(&source)));
    // Loads the types that the document names, so that later edits of their files are noticed.
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
