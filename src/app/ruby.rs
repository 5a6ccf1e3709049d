//! Puppet types in Ruby, imported in memory.

use crate::app::input::{self, ModulePath, ModulePaths};
use rayon::prelude::*;
use rtype_import::{Imported, Importer, RubyFiles, admit, pay};
use rtype_lang::diagnostics::{Code, Diagnostic, Outcome};
use rtype_lang::library::{Files, STDIN, Translate};
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_system::named;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// State shared by many imports. Each file in the module path is read once and added to the sources, for diagnostics.
pub struct Shared<'a> {
    files: &'a dyn Files,
    sources: &'a SourceMap,
    read: Mutex<HashMap<PathBuf, Option<Arc<Source>>>>,
    refused: Mutex<Vec<Diagnostic>>,
}

impl<'a> Shared<'a> {
    pub fn new(files: &'a dyn Files, sources: &'a SourceMap) -> Shared<'a> {
        Shared { files, sources, read: Mutex::default(), refused: Mutex::default() }
    }

    /// Reads a file that was named explicitly.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn named(&self, file: &Path) -> Result<Arc<Source>, Diagnostic> {
        let name = input::relative(&file.to_string_lossy());
        let text = self.files.read(&name, true)?;
        keep(self.sources, if name == "-" { STDIN } else { &name }, text)
    }

    /// Returns access to the Ruby files in a module path.
    pub fn modules<'s>(&'s self, path: &'s ModulePath) -> Modules<'s, 'a> {
        Modules { shared: self, path }
    }

    /// Returns the errors about required files that rtype did not read.
    pub fn refused(self) -> Vec<Diagnostic> {
        self.refused.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds a source to the map.
fn keep(sources: &SourceMap, name: &str, text: String) -> Result<Arc<Source>, Diagnostic> {
    sources.add(name, text).map_err(|e| Diagnostic::new(Code::TooLarge, Span::NONE, e.to_string()))
}

/// Locks a mutex. A poisoned mutex can be used, because a panic of any thread ends the program.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The Ruby files in a module path.
pub struct Modules<'s, 'a> {
    shared: &'s Shared<'a>,
    path: &'s ModulePath,
}

impl RubyFiles for Modules<'_, '_> {
    fn read(&mut self, path: &str) -> Option<Arc<Source>> {
        self.read_once(self.path.find(path)?)
    }

    fn list(&mut self, directory: &str) -> Vec<String> {
        self.path.list(directory).into_iter().filter(|name| name.ends_with(".rb")).collect()
    }

    fn data(&mut self, of: &Source, path: &str) -> Option<Arc<Source>> {
        let file = module_of(of)?.join(path);
        named::is_file(&file).then(|| self.read_once(file))?
    }

    fn code(&mut self, of: &Source, line: u32, text: &str) -> Option<Arc<Source>> {
        keep(self.shared.sources, &format!("{} (code in line {line})", of.name()), text.to_owned()).ok()
    }

    fn data_names(&mut self, of: &Source, directory: &str) -> Vec<String> {
        let Some(directory) = module_of(of).map(|module| module.join(directory)) else { return Vec::new() };
        let files = self.shared.files;
        // A link may lead out of the module. Files outside must not be shown, not even their names.
        let may_use = |path: &Path| files.can_see(path) && files.check(path).is_ok();
        let entries = if may_use(&directory) { named::entries(&directory).ok() } else { None };
        let entries = entries.into_iter().flatten().filter(|e| may_use(&e.path()));
        let mut names: Vec<String> = entries.filter_map(|e| e.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn type_alias(&mut self, name: &str) -> Option<Arc<Source>> {
        self.read_once(self.path.find_type_alias(name)?)
    }
}

impl Modules<'_, '_> {
    fn read_once(&self, file: PathBuf) -> Option<Arc<Source>> {
        if let Some(known) = held(&self.shared.read).get(&file) {
            return known.clone();
        }
        let files = self.shared.files;
        // A repository that is a module does not control the neighbouring modules.
        let read = match if files.can_see(&file) { files.check(&file).map(|()| true) } else { Ok(false) } {
            Ok(is_ours) => is_ours.then(|| self.shared.named(&file).ok()).flatten(),
            Err(why) => {
                held(&self.shared.refused).push(why);
                None
            }
        };
        held(&self.shared.read).entry(file).or_insert(read).clone()
    }
}

/// Returns the module directory of a Ruby file below `lib`.
fn module_of(file: &Source) -> Option<PathBuf> {
    let name = file.name();
    match name.rsplit_once("/lib/") {
        Some((module, _)) => Some(PathBuf::from(module)),
        None => name.starts_with("lib/").then(|| PathBuf::from(".")),
    }
}

/// The number of files imported before their steps are added up. The number is fixed, so that the same files are refused on every machine,
/// regardless of the number of threads.
pub const AT_ONCE: usize = 32;

/// Translates the Ruby files of a run. The neighbouring modules are searched only once.
#[derive(Debug, Default)]
struct Translator {
    paths: Mutex<ModulePaths>,
}

/// Returns a translator that has searched no modules yet.
pub fn translator() -> Arc<dyn Translate> {
    Arc::new(Translator::default())
}

impl Translate for Translator {
    /// Converts a Ruby file to a type file. Adds the type file to the source map, with the original locations.
    fn translate(&self, file: &Path, files: &Arc<dyn Files>, sources: &SourceMap) -> Outcome<Option<Arc<Source>>> {
        let name = input::relative(&file.to_string_lossy());
        if let Err(refusal) = admit(1, &name, None) {
            return Outcome { value: None, diagnostics: refusal.into_iter().collect() };
        }
        let (outcome, spent) = self.one(file, files, sources);
        pay(spent);
        outcome
    }

    fn translate_all(&self, all: &[PathBuf], files: &Arc<dyn Files>, sources: &SourceMap) -> Vec<Outcome<Option<Arc<Source>>>> {
        let mut outcomes = Vec::new();
        for (i, some) in all.chunks(AT_ONCE).enumerate() {
            let first = some.first().map(|file| input::relative(&file.to_string_lossy())).unwrap_or_default();
            if let Err(refusal) = admit(some.len(), &first, Some(all.len() - i * AT_ONCE)) {
                outcomes.push(Outcome { value: None, diagnostics: refusal.into_iter().collect() });
                break;
            }
            // Each file has its own source map, so the order of sources does not depend on thread timing.
            let one = |file: &PathBuf| {
                let own = SourceMap::new();
                let (outcome, spent) = self.one(file, files, &own);
                (own, outcome, spent)
            };
            let done: Vec<_> = some.par_iter().map(one).collect();
            for (own, outcome, spent) in done {
                pay(spent);
                outcomes.push(moved(sources, &own, outcome));
            }
        }
        outcomes
    }
}

/// Appends the source map of an outcome to another, and adjusts the spans.
fn moved(sources: &SourceMap, own: &SourceMap, outcome: Outcome<Option<Arc<Source>>>) -> Outcome<Option<Arc<Source>>> {
    match sources.append(own) {
        Ok(by) => Outcome {
            value: outcome.value.and_then(|made| sources.find(made.span().moved(by)).cloned()),
            diagnostics: outcome.diagnostics.into_iter().map(|d| d.moved(by)).collect(),
        },
        Err(e) => Outcome { value: None, diagnostics: vec![Diagnostic::new(Code::TooLarge, Span::NONE, e.to_string())] },
    }
}

impl Translator {
    /// Translates a file; also returns the number of steps spent.
    fn one(&self, file: &Path, files: &Arc<dyn Files>, sources: &SourceMap) -> (Outcome<Option<Arc<Source>>>, u64) {
        let name = input::relative(&file.to_string_lossy());
        let shared = Shared::new(&**files, sources);
        let path = held(&self.paths).of(file);
        let mut importer = Importer::unformatted();
        let imported = shared.named(file).map(|ruby| importer.import(&ruby, &mut shared.modules(&path)));
        let (found, more) = imported.unwrap_or_else(|why| (Vec::new(), vec![why]));
        let mut diagnostics = shared.refused();
        diagnostics.extend(more);
        let made = if found.is_empty() { None } else { Outcome::from(made(sources, &name, &found)).report_to(&mut diagnostics) };
        (Outcome { value: made, diagnostics }, importer.spent_in_all())
    }
}

/// Combines the imported files into one source with the name of the Ruby file, and records the original locations.
///
/// # Errors
/// If the sources would become too large.
pub fn made(sources: &SourceMap, name: &str, found: &[Imported]) -> Result<Arc<Source>, Diagnostic> {
    let (mut text, mut pieces) = (String::new(), Vec::new());
    for one in found {
        pieces.extend(one.pieces.iter().map(|p| (p.range.start + text.len()..p.range.end + text.len(), p.origin)));
        text.push_str(&one.raw);
    }
    let made = keep(sources, name, text)?;
    let first_line = |origin: Span| {
        let source = sources.find(origin);
        let line = source.and_then(|s| s.slice(origin).lines().next()).map_or(0, str::len);
        Span::new(origin.start, origin.start + u32::try_from(line).unwrap_or_default())
    };
    let pieces = pieces.into_iter().map(|(range, origin)| (made.span_of(range), first_line(origin))).collect();
    sources.derive(&made, pieces);
    Ok(made)
}
