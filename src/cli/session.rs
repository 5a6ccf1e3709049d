//! What all verbs share: the library of types, the machine, the providers.

use super::arguments::Arguments;
use super::output::Output;
use crate::check::{self, Input};
use crate::diagnostics::{Diagnostic, Severity};
use crate::engine::NativeBackend;
use crate::eval::CatalogQuery;
use crate::input;
use crate::library::Library;
use crate::manifest::{Declarations, from_source};
use crate::provider::{Machine, NativeProviders, System};
use crate::resource::Context;
use crate::source::Span;
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

    /// Reads what the command line names to be checked; types that stand beside type files are found by them.
    pub fn inputs(&mut self, files: &[PathBuf], diagnostics: &mut Vec<Diagnostic>) -> Vec<Input> {
        let is_types = |file: &Path| file.extension().is_some_and(|e| e == "rtype");
        files.iter().filter(|f| is_types(f)).for_each(|file| self.library.look_beside(file));
        let mut inputs = Vec::new();
        for file in files {
            match self.library.read(&file.to_string_lossy()) {
                Ok(source) if is_types(file) => {
                    inputs.push(Input::Types(source, Some(file.parent().unwrap_or(Path::new(".")).to_owned())));
                }
                Ok(source) => inputs.push(Input::Resources(source)),
                Err(d) => diagnostics.push(d),
            }
        }
        inputs
    }

    /// Types by name, and those in files and directories; without any, all there are. What is wrong with them is told by the
    /// library, what is not there at all by what is given back.
    pub fn chosen_types(&mut self, what: &[String]) -> (Vec<Arc<TypeDef>>, Vec<Diagnostic>) {
        let is_path = |text: &&String| text.contains(['/', '.']) || Path::new(text.as_str()).is_dir();
        let (paths, names): (Vec<&String>, Vec<&String>) = what.iter().partition(is_path);
        let paths: Vec<String> = paths.into_iter().cloned().collect();
        let names: Vec<String> = if what.is_empty() { self.library.names() } else { names.into_iter().map(|n| n.to_lowercase()).collect() };
        let (files, mut found) = input::collect(&paths, &["rtype"]);
        let inputs = self.inputs(&files, &mut found);
        let loaded = inputs.iter().filter_map(|i| check::load(i, &mut self.library));
        let mut types: Vec<Arc<TypeDef>> = loaded.flat_map(|(_, l)| l.types).collect();
        for name in names {
            match self.library.load(&name) {
                Some(type_def) => types.push(type_def),
                // A type that exists and cannot be used has told why.
                None if self.library.names().contains(&name) => {}
                None => found.push(self.library.unknown_type(&name, Span::NONE)),
            }
        }
        types.sort_by(|a, b| a.name.as_str().cmp(b.name.as_str()));
        types.dedup_by(|a, b| a.name == b.name);
        (types, found)
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
