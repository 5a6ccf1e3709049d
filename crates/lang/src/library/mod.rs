//! Types by name: a [`TypeLoader`] knows their origins, a [`TypeSet`] reads them on demand.

mod files;
mod find;
mod follow_ups;
mod home;
mod loader;
mod loading;
mod secrets;
mod trees;

pub use files::{Files, NoFiles, STDIN, is_ruby};
pub use home::types_directory;
pub use loader::TypeLoader;
pub use trees::{ParsedText, SyntaxTrees};

use crate::diagnostics::{Code, Diagnostic, Outcome, Redactions};
use crate::lower::{Reference, References};
use crate::source::{Source, SourceMap, Span};
use crate::syntax::ast::Ast;
use crate::types::{Registry, TestDef, TypeDef};
use home::type_name;
use include_dir::{Dir, include_dir};
use loading::{Loading, Parsed};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The type files embedded in the program.
static STANDARD: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/stdlib-types");

/// The file that belongs to every other file.
const PRELUDE: &str = "prelude";

/// The maximum number of files used by a type.
const MAX_USES: usize = 256;

/// Translates Puppet types written in Ruby.
pub trait Translate: std::fmt::Debug + Send + Sync {
    /// Translates a file into a source in the map. On failure, the value is `None` and the diagnostics contain the reason.
    fn translate(&self, file: &Path, files: &Arc<dyn Files>, sources: &SourceMap) -> Outcome<Option<Arc<Source>>>;

    /// Translates files as [`Translate::translate`] does, possibly several at a time. The results have the same order as the files.
    fn translate_all(&self, all: &[PathBuf], files: &Arc<dyn Files>, sources: &SourceMap) -> Vec<Outcome<Option<Arc<Source>>>> {
        all.iter().map(|file| self.translate(file, files, sources)).collect()
    }
}

/// Sources that replace the files at these paths, such as unsaved editor buffers.
pub type Unsaved = HashMap<PathBuf, Arc<str>>;

/// Returns a file of the standard library, by its path without `.rtype`.
pub fn standard(path: &str) -> Option<&'static str> {
    STANDARD.get_file(format!("{path}.rtype"))?.contents_utf8()
}

/// Returns the paths of the standard library's type files, without `.rtype`.
pub fn standard_paths() -> impl Iterator<Item = String> {
    STANDARD.files().filter_map(|f| Some(f.path().to_str()?.strip_suffix(".rtype")?.to_owned()))
}

/// A source loaded with [`TypeSet::load_text`] or [`TypeSet::load_texts`].
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The types without errors.
    pub types: Vec<Arc<TypeDef>>,
    file: Arc<Parsed>,
}

impl Loaded {
    /// Returns the syntax tree of the source.
    pub fn ast(&self) -> &Ast {
        &self.file.ast
    }

    /// Returns the names in the source, sorted by position, except for names in tests.
    pub fn references(&self) -> &[Reference] {
        self.file.references.get().map_or(&[], |all| all)
    }
}

/// The types that a [`TypeLoader`] finds. Each type is read when it is first needed and never changes afterwards, so that an answer
/// never depends on earlier callers.
///
/// A set is a value. Clones are cheap and share the types that have been read; [`TypeSet::load_text`] changes the set, not the clones.
#[derive(Clone, Debug)]
pub struct TypeSet {
    /// All sources read so far.
    pub sources: SourceMap,
    /// Spans to redact in excerpts.
    pub secrets: Redactions,
    loading: Arc<SharedLoading>,
}

/// The state shared by clones of a set. Cloning this state copies it.
#[derive(Debug)]
struct SharedLoading(Mutex<Loading>);

impl Clone for SharedLoading {
    fn clone(&self) -> SharedLoading {
        SharedLoading(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

impl Default for TypeSet {
    fn default() -> TypeSet {
        TypeLoader::default().load()
    }
}

impl TypeSet {
    fn loading(&self) -> MutexGuard<'_, Loading> {
        // A panic ends the program or the request; everything read before the panic is complete.
        self.loading.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the loaded state, for a change that clones of this set do not see.
    fn own(&mut self) -> &mut Loading {
        Arc::make_mut(&mut self.loading).0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an independent set with the same types: sources and secrets added to either set do not appear in the other.
    #[must_use]
    pub fn fork(&self) -> TypeSet {
        let (sources, secrets) = (self.sources.fork(), self.secrets.fork());
        let loading = self.loading().clone().with(sources.clone(), secrets.clone());
        TypeSet { sources, secrets, loading: Arc::new(SharedLoading(Mutex::new(loading))) }
    }

    /// Returns the types that the same loader finds now. All types are read again, because the files may have changed. Spans in earlier
    /// diagnostics stay valid.
    #[must_use]
    pub fn reloaded(&self) -> TypeSet {
        TypeLoader::clone(&self.loader()).load_into(self.sources.clone(), self.secrets.clone())
    }

    /// Returns the loader of these types.
    pub fn loader(&self) -> Arc<TypeLoader> {
        Arc::clone(&self.loading().loader)
    }

    /// Returns access to the files from which the types are read.
    pub fn files(&self) -> Arc<dyn Files> {
        Arc::clone(&self.loading().loader.files)
    }

    /// Reads further files through `files`.
    pub fn set_files(&mut self, files: Arc<dyn Files>) {
        let loading = self.own();
        loading.loader = Arc::new(TypeLoader::clone(&loading.loader).with_files(files));
    }

    /// Adds secrets to `redactor` from now on.
    pub fn share_redactor(&mut self, redactor: &crate::redact::Redactor) {
        self.secrets = self.secrets.with_redactor(redactor);
        self.own().secrets = self.secrets.clone();
    }

    /// Also searches the directory of `file`, after all directories added so far.
    pub fn look_beside(&mut self, file: &Path) {
        let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = types_directory(folder);
        if !self.loading().loader.searches(&directory) {
            let loading = self.own();
            loading.loader = Arc::new(TypeLoader::clone(&loading.loader).with_directory(directory));
        }
    }

    /// Replaces the type with the same name.
    pub fn insert(&mut self, type_def: Arc<TypeDef>) {
        self.own().registry.insert(type_def);
    }

    /// Returns the names of all available types, sorted.
    pub fn names(&self) -> Vec<String> {
        self.loading().names()
    }

    /// Returns the type `name`, reading it if necessary. Problems are added to [`TypeSet::diagnostics`].
    pub fn load(&self, name: &str) -> Option<Arc<TypeDef>> {
        self.loading().load(name)
    }

    /// Returns the types read so far, by name.
    pub fn registry(&self) -> Registry {
        self.loading().registry.clone()
    }

    /// Returns the names in everything lowered so far, and their owners.
    pub fn references(&self) -> References {
        let loading = self.loading();
        let references: References = loading.references.iter().flat_map(|all| all.iter()).chain(&loading.used_files).copied().collect();
        references.with_members(loading.members.iter().flat_map(|all| all.iter()).copied())
    }

    /// Returns all problems so far, in the order of reading.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics_after(0)
    }

    /// Returns the number of problems so far.
    pub fn diagnostic_count(&self) -> usize {
        self.loading().diagnostics.len()
    }

    /// Returns all problems so far except the first `count`.
    pub fn diagnostics_after(&self, count: usize) -> Vec<Diagnostic> {
        self.loading().diagnostics.get(count..).unwrap_or_default().to_vec()
    }

    /// Returns the problems that [`TypeSet::diagnostics_after`] has not returned for this cursor yet, and advances the cursor.
    pub fn new_diagnostics(&self, cursor: &mut usize) -> Vec<Diagnostic> {
        let new = self.diagnostics_after(*cursor);
        *cursor += new.len();
        new
    }

    /// Returns `true` if any problem except the first `count` is an error.
    pub fn has_errors_after(&self, count: usize) -> bool {
        self.loading().diagnostics.iter().skip(count).any(Diagnostic::is_error)
    }

    /// Returns `true` if any type read so far has an error.
    pub fn has_errors(&self) -> bool {
        self.has_errors_after(0)
    }

    /// Loads the types in a source from the caller, such as a file to check or a REPL input.
    ///
    ///
    /// `directory` is searched first for used files and for providers.
    pub fn load_text(&mut self, source: &Source, directory: Option<&Path>) -> Loaded {
        self.own().load_text(source, directory)
    }

    /// Loads the types in a source entered at a prompt. The source can use the definitions of earlier inputs (`session`); the first
    /// definition of a name counts. A provider for a known type is added to the type.
    pub fn load_entered(&mut self, source: &Source, session: &[Loaded]) -> Loaded {
        self.own().load_entered(source, session.iter().map(|loaded| Arc::clone(&loaded.file)).collect())
    }

    /// Loads the types in many sources, each with its directory. Independent sources are lowered in parallel.
    pub fn load_texts(&mut self, texts: &[(&Source, Option<&Path>)]) -> Vec<Loaded> {
        self.own().load_texts(texts)
    }

    /// Returns the tests in these sources, about any type.
    pub fn tests<'t>(&self, texts: impl IntoIterator<Item = &'t Loaded>) -> Outcome<Vec<TestDef>> {
        let mut loading = self.loading();
        let mut outcome = Outcome::default();
        texts.into_iter().for_each(|text| outcome.merge(loading.tests_in(&text.file)));
        outcome
    }

    /// Returns the tests in the file of a type, without reporting problems in them.
    pub fn tests_beside(&self, type_def: &TypeDef) -> Vec<TestDef> {
        self.loading().tests_beside(type_def)
    }

    /// Returns the syntax tree for `use "path"` in `user`, if the used file has been read.
    pub fn read_as(&self, path: &str, user: &Source) -> Option<ReadFile> {
        self.loading().read_as(path, user).map(ReadFile)
    }

    /// Reads a file that the user named, where `-` is standard input, and keeps its source.
    ///
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the file cannot be read or is too large.
    pub fn read(&self, path: &str) -> Result<Arc<Source>, Diagnostic> {
        let text = self.files().read(path, true)?;
        self.keep(if path == "-" { STDIN } else { path }, text)
    }

    /// Reads a type file, or translates a Puppet type written in Ruby into a type file.
    pub fn read_types(&self, path: &str) -> Outcome<Option<Arc<Source>>> {
        let loader = self.loader();
        match &loader.translate {
            Some(ruby) if is_ruby(Path::new(path)) => ruby.translate(Path::new(path), &loader.files, &self.sources),
            _ => self.read(path).into(),
        }
    }

    /// Reads Puppet types written in Ruby as [`TypeSet::read_types`] does; the results have the same order as the files.
    pub fn read_ruby_types(&self, all: &[PathBuf]) -> Vec<Outcome<Option<Arc<Source>>>> {
        let loader = self.loader();
        match &loader.translate {
            Some(ruby) => ruby.translate_all(all, &loader.files, &self.sources),
            None => all.iter().map(|file| self.read(&file.to_string_lossy()).into()).collect(),
        }
    }

    /// Adds a source.
    ///
    /// # Errors
    /// Returns a diagnostic if the sources would become too large.
    pub fn keep(&self, name: &str, text: String) -> Result<Arc<Source>, Diagnostic> {
        self.loading().keep(name, text).map_err(|e| Diagnostic::new(Code::TooLarge, Span::NONE, e.to_string()))
    }

    /// Returns the diagnostic for an unknown type, with a suggestion.
    pub fn unknown_type(&self, name: &str, span: Span) -> Diagnostic {
        self.loading().unknown_type(name, span)
    }
}

/// A file that types use.
#[derive(Clone, Debug)]
pub struct ReadFile(Arc<Parsed>);

/// Compares by identity: two files with the same content differ.
impl PartialEq for ReadFile {
    fn eq(&self, other: &ReadFile) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl ReadFile {
    /// Returns the syntax tree of the file.
    pub fn ast(&self) -> &Ast {
        &self.0.ast
    }
}

/// Returns the name that the only type of a file should have.
fn expected_name(source: &Source) -> Option<String> {
    type_name(Path::new(source.name()))
}
