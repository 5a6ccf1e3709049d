//! What all verbs share: the library of types, the machine, the providers.

use super::arguments::Arguments;
use super::output::Output;
use crate::diagnostics::{Diagnostic, Severity};
use crate::engine::NativeBackend;
use crate::eval::CatalogQuery;
use crate::library::Library;
use crate::manifest::{Declarations, from_source, suspects};
use crate::provider::{Machine, NativeProviders, System};
use crate::resource::Context;
use crate::types::TypeDef;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The state of one run.
pub struct Session {
    /// The types.
    pub library: Library,
    /// Code of the providers.
    pub natives: NativeProviders,
    /// The machine.
    pub machine: Machine,
    /// Whether to tell more.
    pub verbose: bool,
    /// How many of the library's diagnostics have been shown.
    shown: usize,
}

impl Session {
    /// A run with the directories of types that the command line names.
    pub fn new(arguments: &Arguments) -> Session {
        Session {
            library: Library::new(arguments.types.clone()),
            natives: NativeProviders::standard(),
            machine: Machine::new(System::host()),
            verbose: arguments.verbose,
            shown: 0,
        }
    }

    /// Loads type files that the command line names; types that stand beside them are found by them.
    pub fn load_types(&mut self, files: &[PathBuf], diagnostics: &mut Vec<Diagnostic>) -> Vec<Arc<TypeDef>> {
        let mut types = Vec::new();
        files.iter().for_each(|file| self.library.look_beside(file));
        for file in files {
            match self.library.read(&file.to_string_lossy()) {
                Ok(source) => {
                    let told = self.library.diagnostics.len();
                    types.extend(self.library.load_text(&source, file.parent().or(Some(Path::new(".")))));
                    // Of a test that was not understood only names can tell what is secret in it.
                    if self.library.diagnostics.iter().skip(told).any(Diagnostic::is_error) {
                        self.library.secrets.extend(&suspects(&source));
                    }
                }
                Err(d) => diagnostics.push(d),
            }
        }
        types
    }

    /// The declarations in a file, whatever they are written in.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn declarations(&mut self, path: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Declarations> {
        let source = self.library.read(path).map_err(|d| diagnostics.push(d)).ok()?;
        let (declarations, found) = from_source(&source, &self.machine);
        self.library.secrets.extend(&declarations.secrets);
        diagnostics.extend(found);
        Some(declarations)
    }

    /// Shows the diagnostics of the library that have not been shown yet, and `more`; tells whether an error was among them.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn show(&mut self, more: &[Diagnostic], output: &mut Output) -> io::Result<bool> {
        let library = &self.library;
        let new = library.diagnostics.get(self.shown..).unwrap_or_default();
        let mut failed = false;
        for diagnostic in new.iter().chain(more) {
            failed |= diagnostic.is_error();
            if diagnostic.severity > Severity::Note || self.verbose {
                output.diagnostic(diagnostic, &library.sources, &library.secrets)?;
            }
        }
        self.shown = library.diagnostics.len();
        Ok(failed)
    }
}

/// What instances are built in on this machine.
pub fn context<'a>(
    machine: &'a Machine,
    backend: &'a NativeBackend<'a>,
    catalog: &'a dyn CatalogQuery,
    strict: bool,
    trace: bool,
) -> Context<'a> {
    Context { world: machine, catalog, backend: Some(backend), strict, trace, offline: false }
}
