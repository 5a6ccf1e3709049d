//! Loads types by name, and only when they are needed: from `--types` directories, then from the standard library.

mod files;
mod find;
mod follow_ups;
mod home;
mod secrets;

pub use files::{Files, NoFiles, STDIN, is_ruby};
pub use home::types_directory;

use crate::diagnostics::{Code, Diagnostic, Redactions, suggest_nearest};
use crate::lower::{Foreign, Lowered, Unread, foreign_parents, lower, lower_tests, unread};
use crate::source::{Source, SourceMap, Span};
use crate::syntax::ast::{Ast, ExprKind, Item};
use crate::syntax::parse_types;
use crate::types::{ProviderBody, ProviderDef, Registry, TestDef, TypeDef};
use home::{Home, RUBY_TYPES, key_of, type_name, word_before};
use include_dir::{Dir, include_dir};
use indexmap::{IndexMap, IndexSet};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The type files embedded in the program.
static STANDARD: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/stdlib-types");

/// The file that is part of every other one.
const PRELUDE: &str = "prelude";

/// The maximum number of files that one type may use.
const MAX_USES: usize = 256;

/// A parsed file.
#[derive(Debug)]
struct Parsed {
    ast: Ast,
    /// The regions of its text that could not be parsed.
    unread: Unread,
    /// The origin that `use` searches first.
    home: Home,
    /// Its types without errors, set once they are lowered.
    types: OnceLock<Vec<Arc<TypeDef>>>,
}

/// The files that a file is lowered with: those it uses, further providers of its types, the prelude, features.
type Used = Vec<Arc<Parsed>>;

/// A text that has been loaded with [`Library::load_text`] or [`Library::load_texts`].
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its types without errors.
    pub types: Vec<Arc<TypeDef>>,
    file: Arc<Parsed>,
}

impl Parsed {
    fn lower(&self, used: &Used, foreign: Foreign) -> Lowered {
        let asts: Vec<&Ast> = used.iter().map(|p| &p.ast).collect();
        lower(&self.ast, &asts, foreign).without_consequences(&self.ast, &self.unread)
    }
}

impl Loaded {
    /// Returns the syntax tree of the text.
    pub fn ast(&self) -> &Ast {
        &self.file.ast
    }
}

/// Loads types by name and caches them, together with their sources and diagnostics.
#[derive(Debug)]
pub struct Library {
    directories: Vec<PathBuf>,
    /// All texts read so far.
    pub sources: SourceMap,
    /// The types loaded so far.
    pub registry: Registry,
    /// All diagnostics so far, in the order of loading.
    pub diagnostics: Vec<Diagnostic>,
    /// Spans that excerpts of the sources must redact.
    pub secrets: Redactions,
    parsed: IndexMap<String, Option<Arc<Parsed>>>,
    tried: IndexSet<String>,
    /// Loaded texts whose tests have not been requested yet.
    untested: Vec<Arc<Parsed>>,
    prelude: Option<Arc<Parsed>>,
    unsaved: Arc<Unsaved>,
    module_directories: Vec<PathBuf>,
    modules: OnceLock<Vec<PathBuf>>,
    translate: Option<Translate>,
    /// Where texts are read from.
    pub files: Arc<dyn Files>,
}

impl Default for Library {
    fn default() -> Library {
        Library {
            directories: Vec::new(),
            sources: SourceMap::default(),
            registry: Registry::default(),
            diagnostics: Vec::new(),
            secrets: Redactions::default(),
            parsed: IndexMap::new(),
            tried: IndexSet::new(),
            untested: Vec::new(),
            prelude: None,
            unsaved: Arc::default(),
            module_directories: Vec::new(),
            modules: OnceLock::new(),
            translate: None,
            files: Arc::new(NoFiles),
        }
    }
}

/// Translates a Puppet type written in Ruby into a source of the library. Returns `None` on failure, with the reason among the
/// library's diagnostics.
pub type Translate = fn(&mut Library, &Path) -> Option<Arc<Source>>;

/// Texts that replace the files of these paths, such as the unsaved buffers of an editor.
pub type Unsaved = HashMap<PathBuf, Arc<str>>;

impl Library {
    /// Creates a library that searches `directories` in order, then the standard library.
    pub fn new(directories: Vec<PathBuf>) -> Library {
        Library { directories, ..Library::default() }
    }

    /// Uses these texts in place of the files with the same paths.
    #[must_use]
    pub fn with_unsaved(self, unsaved: Arc<Unsaved>) -> Library {
        Library { unsaved, ..self }
    }

    /// Reads texts from `files`.
    #[must_use]
    pub fn with_files(self, files: Arc<dyn Files>) -> Library {
        Library { files, ..self }
    }

    /// Also finds types written in Ruby: in `--types` directories that are Puppet modules and, after the standard library, in the
    /// modules inside `directories`.
    #[must_use]
    pub fn with_modules(self, directories: &[PathBuf], translate: Translate) -> Library {
        Library { module_directories: directories.to_vec(), modules: OnceLock::new(), translate: Some(translate), ..self }
    }

    /// Returns the `lib` directories of the modules in the module directories. They are looked for when a type is first needed.
    fn modules(&self) -> &[PathBuf] {
        self.modules.get_or_init(|| {
            let mut modules = Vec::new();
            for directory in &self.module_directories {
                let entries = self.files.entries(directory).into_iter().map(|path| path.join("lib"));
                let mut inside: Vec<PathBuf> = entries.filter(|lib| self.files.is_directory(&lib.join(RUBY_TYPES))).collect();
                inside.sort();
                modules.extend(inside);
            }
            modules
        })
    }

    /// Returns the origins that are searched for types, in order.
    fn homes(&self) -> Vec<Home> {
        let is_module = |d: &PathBuf| self.translate.is_some() && self.files.is_directory(&d.join("lib").join(RUBY_TYPES));
        let named = self.directories.iter().map(|d| if is_module(d) { Home::Module(d.join("lib")) } else { Home::Directory(d.clone()) });
        named.chain([Home::Standard]).chain(self.modules().iter().cloned().map(Home::Module)).collect()
    }

    /// Returns the text of a file of the standard library, by its path without `.rtype`.
    pub fn standard(path: &str) -> Option<&'static str> {
        STANDARD.get_file(format!("{path}.rtype"))?.contents_utf8()
    }

    /// Returns the paths of the standard library's type files, without `.rtype`.
    pub fn standard_paths() -> impl Iterator<Item = String> {
        STANDARD.files().filter_map(|f| Some(f.path().to_str()?.strip_suffix(".rtype")?.to_owned()))
    }

    /// Also searches the directory of `file`, after all directories added so far.
    pub fn look_beside(&mut self, file: &Path) {
        let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = types_directory(folder);
        if !self.directories.contains(&directory) {
            self.directories.push(directory);
        }
    }

    /// Returns the names of all available types, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: IndexSet<String> = self.registry.iter().map(|t| t.name.to_string()).collect();
        for home in self.homes() {
            let (folder, extension) = match home {
                Home::Directory(directory) => (directory, "rtype"),
                Home::Module(lib) => (lib.join(RUBY_TYPES), "rb"),
                Home::Standard => continue,
            };
            names.extend(self.files.entries(&folder).iter().filter_map(|path| word_before(path, extension)));
        }
        names.extend(STANDARD.files().filter_map(|f| type_name(f.path())));
        names.shift_remove(PRELUDE);
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort();
        names
    }

    /// Returns the syntax tree of the file that `use "path"` in `user` refers to, if that file has been read.
    pub fn read_as(&self, path: &str, user: &Source) -> Option<&Ast> {
        let folder = types_directory(Path::new(user.name()).parent().unwrap_or(Path::new("")));
        let homes = [folder.parent().map(|p| Home::Directory(p.to_owned())), Some(Home::Standard)];
        // The name of a text passed in memory may lack its directory.
        let named = self.directories.iter().cloned().map(Home::Directory);
        let mut homes = [Home::Directory(folder)].into_iter().chain(homes.into_iter().flatten()).chain(named);
        homes.find_map(|home| Some(&self.parsed.get(&home.key(path))?.as_ref()?.ast))
    }

    /// Returns the type `name`, loading it if necessary. Problems are added to [`Library::diagnostics`].
    pub fn load(&mut self, name: &str) -> Option<Arc<TypeDef>> {
        if let Some(loaded) = self.registry.get(name) {
            return Some(Arc::clone(loaded));
        }
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !plain || name == PRELUDE || !self.tried.insert(name.to_owned()) {
            return None;
        }
        for home in self.homes() {
            if let Some(parsed) = self.file(&home, name) {
                self.note_shadowing(&home, name, &parsed);
                self.lower(&parsed, Some(name));
                return self.registry.get(name).cloned();
            }
        }
        None
    }

    /// Loads the types of a text that the caller provides, such as a file to check or a line of the REPL.
    ///
    /// `directory` is searched first for the files it uses and for its providers.
    pub fn load_text(&mut self, source: &Source, directory: Option<&Path>) -> Loaded {
        let file = self.hand_over(source, directory, parse_types(source));
        self.lower_providers(&file);
        let types = self.lower(&file, expected_name(source).as_deref());
        Loaded { types, file }
    }

    /// Loads the types of many texts, each with its directory. Texts that do not depend on each other are lowered in parallel.
    pub fn load_texts(&mut self, texts: &[(&Source, Option<&Path>)]) -> Vec<Loaded> {
        let parsed: Vec<_> = texts.par_iter().map(|(source, _)| parse_types(source)).collect();
        let files: Vec<Arc<Parsed>> = texts.iter().zip(parsed).map(|((s, directory), p)| self.hand_over(s, *directory, p)).collect();
        let mut alone: Vec<(&Arc<Parsed>, Used)> = Vec::new();
        let mut linked: Vec<(&Arc<Parsed>, Used)> = Vec::new();
        for (file, (source, _)) in files.iter().zip(texts) {
            self.lower_providers(file);
            let used = self.used(file, expected_name(source).as_deref());
            let is_alone = foreign_parents(used.iter().map(|p| &p.ast).chain([&file.ast])).is_empty();
            if is_alone { &mut alone } else { &mut linked }.push((file, used));
        }
        let lowered: Vec<Lowered> = alone.par_iter().map(|(file, used)| file.lower(used, Foreign::new())).collect();
        for ((file, _), lowered) in alone.into_iter().zip(lowered) {
            self.take(file, lowered);
        }
        for (file, used) in linked {
            self.lower_with(file, &used);
        }
        files.into_iter().map(|file| Loaded { types: file.types.get().cloned().unwrap_or_default(), file }).collect()
    }

    /// Registers a parsed text. A `use` of its path refers to this text from now on.
    fn hand_over(&mut self, source: &Source, directory: Option<&Path>, (ast, diagnostics): (Ast, Vec<Diagnostic>)) -> Arc<Parsed> {
        let unread = unread(&diagnostics, source);
        self.diagnostics.extend(diagnostics);
        let home = directory.map_or(Home::Standard, |d| Home::Directory(types_directory(d)));
        let file = Arc::new(Parsed { ast, unread, home, types: OnceLock::new() });
        if directory.is_some() {
            self.parsed.insert(key_of(Path::new(source.name())), Some(Arc::clone(&file)));
        }
        if file.ast.items.iter().any(|i| matches!(i, Item::Test(_))) {
            self.untested.push(Arc::clone(&file));
        }
        file
    }

    /// Returns the tests, about any type, of the texts loaded since the last call. Problems are added to [`Library::diagnostics`].
    pub fn tests(&mut self) -> Vec<TestDef> {
        let mut tests = Vec::new();
        for file in std::mem::take(&mut self.untested) {
            tests.extend(self.tests_in(&file));
        }
        tests
    }

    /// Returns the tests in the file of a type, without reporting problems in them.
    pub fn tests_beside(&mut self, type_def: &TypeDef) -> Vec<TestDef> {
        let mut files = self.parsed.values().flatten().chain(&self.untested);
        let Some(file) = files.find(|f| f.ast.span.contains(type_def.span)).cloned() else { return Vec::new() };
        let told = self.diagnostics.len();
        let tests = self.tests_in(&file);
        self.diagnostics.truncate(told);
        tests
    }

    fn tests_in(&mut self, file: &Parsed) -> Vec<TestDef> {
        let mut context = Vec::new();
        // Unresolved `use` directives have already been reported.
        let told = self.diagnostics.len();
        self.uses(&file.ast, &file.home, &mut context);
        self.diagnostics.truncate(told);
        let asts: Vec<&Ast> = context.iter().map(|p| &p.ast).collect();
        let lowered = lower_tests(&file.ast, &asts, &mut |name| self.load(name));
        self.diagnostics.extend(lowered.diagnostics);
        lowered.secrets.into_iter().for_each(|s| self.hide(s));
        for (name, span) in lowered.unknown {
            // The errors of a type that exists have already been reported.
            if !self.names().iter().any(|n| *n == *name) && !declares(&file.ast, &name) {
                let unknown = self.unknown_type(&name, span);
                self.diagnostics.push(unknown);
            }
        }
        lowered.tests
    }

    /// Lowers the providers in a file that does not define their type, together with that type, to report their problems.
    fn lower_providers(&mut self, file: &Parsed) {
        let (types, providers): (Vec<_>, Vec<_>) = file.ast.items.iter().partition(|i| matches!(i, Item::Type(_)));
        let mut targets: IndexSet<String> = IndexSet::new();
        for item in providers {
            let Item::Provider(provider) = item else { continue };
            let named = provider.options.iter().find(|o| o.name.name == "for").map(|o| (&o.value.kind, o.value.span));
            let Some((ExprKind::Word(target), span)) = named else { continue };
            if !types.is_empty() || !targets.insert(target.to_string()) {
                continue;
            }
            let Some(owner) = self.file(&file.home, target).or_else(|| self.file(&Home::Standard, target)) else {
                let unknown = self.unknown_type(target, span);
                self.diagnostics.push(unknown);
                continue;
            };
            let mut context = Vec::new();
            self.uses(&owner.ast, &owner.home, &mut context);
            context.extend(self.prelude());
            let asts: Vec<&Ast> = [&file.ast].into_iter().chain(context.iter().map(|p| &p.ast)).collect();
            let here = file.ast.span;
            let foreign = self.foreign(foreign_parents(asts.iter().copied().chain([&owner.ast])));
            self.diagnostics.extend(lower(&owner.ast, &asts, foreign).diagnostics.into_iter().filter(|d| here.contains(d.span())));
        }
    }

    /// Reads a file that the user named, where `-` is standard input, and keeps its text.
    ///
    /// # Errors
    /// Returns a diagnostic if the file cannot be read or is too large.
    pub fn read(&mut self, path: &str) -> Result<Arc<Source>, Diagnostic> {
        let text = self.files.read(path, true)?;
        self.keep(if path == "-" { STDIN } else { path }, text)
    }

    /// Reads a type file, or translates a Puppet type written in Ruby into one. Problems are added to [`Library::diagnostics`].
    pub fn read_types(&mut self, path: &str) -> Option<Arc<Source>> {
        match self.translate {
            Some(translate) if is_ruby(Path::new(path)) => translate(self, Path::new(path)),
            _ => self.read(path).map_err(|why| self.diagnostics.push(why)).ok(),
        }
    }

    /// Adds a text to the sources.
    ///
    /// # Errors
    /// Returns a diagnostic if the sources would become too large.
    pub fn keep(&mut self, name: &str, text: String) -> Result<Arc<Source>, Diagnostic> {
        self.sources.add(name, text).map_err(|e| Diagnostic::new(Code::TooLarge, Span::NONE, e.to_string()))
    }

    /// Drops all files and types, because the files may have changed, and returns the types. Earlier diagnostics keep their sources.
    pub fn forget(&mut self) -> Registry {
        self.parsed.clear();
        self.tried.clear();
        self.prelude = None;
        std::mem::take(&mut self.registry)
    }

    /// Returns the diagnostic for a type that does not exist, with a suggestion.
    pub fn unknown_type(&self, name: &str, span: Span) -> Diagnostic {
        let names = self.names();
        let near = suggest_nearest(name, names.iter().map(String::as_str));
        Diagnostic::new(Code::UnknownType, span, format!("unknown type `{name}`"))
            .help(near.unwrap_or_else(|| "`rtype describe --list` shows all types; add your own with `--types DIR`, those of Puppet's modules with `--modulepath DIR`".into()))
    }

    fn lower(&mut self, file: &Arc<Parsed>, expected_name: Option<&str>) -> Vec<Arc<TypeDef>> {
        if file.types.get().is_none() {
            let used = self.used(file, expected_name);
            self.lower_with(file, &used);
        }
        file.types.get().cloned().unwrap_or_default()
    }

    fn lower_with(&mut self, file: &Arc<Parsed>, used: &Used) {
        let foreign = self.foreign(foreign_parents(used.iter().map(|p| &p.ast).chain([&file.ast])));
        let lowered = file.lower(used, foreign);
        self.take(file, lowered);
    }

    /// Collects the files that a file must be lowered with.
    fn used(&mut self, file: &Parsed, expected_name: Option<&str>) -> Used {
        let mut used: Used = Vec::new();
        let types: Vec<_> = file
            .ast
            .items
            .iter()
            .filter_map(|i| if let Item::Type(t) = i { Some((t.name.name.to_string(), t.name.span)) } else { None })
            .collect();
        if let (Some(expected), [(only, span)]) = (expected_name, types.as_slice())
            && *only != expected.replace('-', "_")
            // Not derived from an invalid name.
            && self.sources.slice(*span) == only
        {
            self.diagnostics.push(
                Diagnostic::new(
                    Code::FileNameMismatch,
                    *span,
                    format!("type `{only}` must be defined in `{only}.rtype`, not in `{expected}.rtype`"),
                )
                .help(format!("rename the file to `{only}.rtype`: a type is found by the name of its file")),
            );
        }
        self.uses(&file.ast, &file.home, &mut used);
        for (name, _) in &types {
            for provider in self.provider_files(&file.home, name) {
                self.uses(&provider.ast, &provider.home, &mut used);
                used.push(provider);
            }
        }
        let prelude = self.prelude();
        used.extend(prelude);
        used.extend(self.features(&file.home, &file.ast));
        used
    }

    /// Stores the result of lowering a file.
    fn take(&mut self, file: &Parsed, lowered: Lowered) {
        follow_ups::drop_arguments_of_refused(&mut self.diagnostics, &lowered.diagnostics, &self.sources);
        self.diagnostics.extend(lowered.diagnostics);
        for secret in lowered.secrets {
            self.hide(secret);
        }
        lowered.secret_code.into_iter().for_each(|code| self.hide_literals(code));
        let types: Vec<Arc<TypeDef>> = lowered.types.into_iter().map(|t| self.with_directories(t)).collect();
        for type_def in &types {
            self.tried.insert(type_def.name.to_string());
            self.registry.insert(Arc::clone(type_def));
        }
        // Types that depend on each other in a cycle are lowered recursively: the first result is kept.
        drop(file.types.set(types));
    }

    /// Sets the directory of providers that are programs to the directory of the file that declares them.
    fn with_directories(&self, mut type_def: Arc<TypeDef>) -> Arc<TypeDef> {
        let is_program = |p: &ProviderDef| matches!(p.body, ProviderBody::Program(_));
        if !type_def.providers.values().any(is_program) {
            return type_def;
        }
        for provider in Arc::make_mut(&mut type_def).providers.values_mut() {
            if let ProviderBody::Program(program) = &mut provider.body {
                let name = self.sources.find(program.span).map(|s| s.name()).filter(|name| !name.starts_with('<'));
                program.directory = name.and_then(|name| Some(Path::new(name).parent()?.to_string_lossy().as_ref().into()));
            }
        }
        type_def
    }

    /// Loads the types whose providers are parents of other types' providers.
    fn foreign(&mut self, wanted: Vec<(String, Span)>) -> Foreign {
        let mut found = Foreign::new();
        for (name, span) in wanted {
            let loaded = match self.load(&name) {
                Some(type_def) => Ok(type_def),
                None if self.names().contains(&name) => continue,
                None => Err(self.unknown_type(&name, span)),
            };
            found.insert(name, loaded);
        }
        found
    }

    /// Adds a note if a type replaces one of the standard library.
    fn note_shadowing(&mut self, home: &Home, name: &str, parsed: &Parsed) {
        if *home == Home::Standard || STANDARD.get_file(format!("{name}.rtype")).is_none() {
            return;
        }
        let span = parsed.ast.items.iter().find_map(|i| if let Item::Type(t) = i { Some(t.name.span) } else { None });
        self.diagnostics.push(
            Diagnostic::new(
                Code::TypeShadowed,
                span.unwrap_or_default(),
                format!("the type `{name}` takes the place of the standard library's"),
            )
            .help("it does so as a whole, with its providers; rename it unless that is meant"),
        );
    }
}

/// Returns the name that the only type of a file should have.
fn expected_name(source: &Source) -> Option<String> {
    type_name(Path::new(source.name()))
}

/// Returns whether a file defines the type `name`.
fn declares(file: &Ast, name: &str) -> bool {
    file.items.iter().any(|i| matches!(i, Item::Type(t) if t.name.name == name))
}
