//! What all verbs share: the library of types, the machine, the providers.

use super::arguments::Arguments;
use super::output::Output;
use crate::diagnostics::{Code, Diagnostic, Severity};
use crate::engine::NativeBackend;
use crate::eval::CatalogQuery;
use crate::input;
use crate::library::Library;
use crate::manifest::{DataFormat, Declarations, from_data, from_manifest, suspects};
use crate::provider::{Machine, NativeProviders, System};
use crate::resource::Context;
use crate::source::Span;
use crate::syntax::parse_manifest;
use std::io;

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

    /// The declarations in a file, whatever they are written in.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn declarations(&mut self, path: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Declarations> {
        let text = input::read_source(path).map_err(|d| diagnostics.push(d)).ok()?;
        let name = if path == "-" { "<stdin>" } else { path };
        let format =
            DataFormat::of(path).or_else(|| (path == "-" && text.trim_start().starts_with(['[', '{'])).then_some(DataFormat::Json));
        let source = match self.library.sources.add(name, text) {
            Ok(source) => source,
            Err(e) => {
                diagnostics.push(Diagnostic::new(Code::TooLarge, Span::NONE, e.to_string()));
                return None;
            }
        };
        let (declarations, found) = match format {
            Some(format) => from_data(&source, format),
            None => {
                let (manifest, mut found) = parse_manifest(&source);
                let (declarations, more) = from_manifest(&manifest, &self.machine);
                found.extend(more);
                (declarations, found)
            }
        };
        self.library.secrets.extend(&declarations.secrets);
        if found.iter().any(Diagnostic::is_error) {
            self.library.secrets.extend(&suspects(&source));
        }
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
