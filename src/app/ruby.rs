//! Puppet types in Ruby, imported in memory.

use crate::app::input::{self, ModulePath};
use rtype_import::{Imported, Importer, RubyFiles, admit, pay};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::library::Library;
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::LINE_WIDTH;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// State shared by many imports: files in the module path are read once and registered in the library, for
/// diagnostics.
pub struct Shared<'a> {
    library: Mutex<&'a mut Library>,
    read: Mutex<HashMap<PathBuf, Option<Arc<Source>>>>,
}

impl<'a> Shared<'a> {
    pub fn new(library: &'a mut Library) -> Shared<'a> {
        Shared { library: Mutex::new(library), read: Mutex::default() }
    }

    /// Reads a file that was named explicitly.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn named(&self, file: &Path) -> Result<Arc<Source>, Diagnostic> {
        let name = input::relative(&file.to_string_lossy());
        let files = Arc::clone(&held(&self.library).files);
        let text = files.read(&name, true)?;
        held(&self.library).keep(if name == "-" { rtype_lang::library::STDIN } else { &name }, text)
    }

    /// Reads a Ruby file in this module path that is required by another one.
    pub fn modules<'s>(&'s self, path: &'s ModulePath) -> Modules<'s, 'a> {
        Modules { shared: self, path }
    }
}

/// Locks a mutex. A poisoned one can be used, because a panic of any thread ends the program.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the module path of a file.
pub struct Modules<'s, 'a> {
    shared: &'s Shared<'a>,
    path: &'s ModulePath,
}

impl RubyFiles for Modules<'_, '_> {
    fn read(&mut self, path: &str) -> Option<Arc<Source>> {
        let file = self.path.find(path)?;
        if let Some(known) = held(&self.shared.read).get(&file) {
            return known.clone();
        }
        let files = Arc::clone(&held(&self.shared.library).files);
        // A repository that is a module does not control the modules next to it.
        let read = match if files.can_see(&file) { files.check(&file).map(|()| true) } else { Ok(false) } {
            Ok(is_ours) => is_ours.then(|| self.shared.named(&file).ok()).flatten(),
            Err(why) => {
                held(&self.shared.library).diagnostics.push(why);
                None
            }
        };
        held(&self.shared.read).entry(file).or_insert(read).clone()
    }

    fn list(&mut self, folder: &str) -> Vec<String> {
        self.path.list(folder).into_iter().filter(|name| name.ends_with(".rb")).collect()
    }
}

/// Converts a Ruby file to a type file whose source is registered in the library, with the original locations.
pub fn translate(library: &mut Library, file: &Path) -> Option<Arc<Source>> {
    let name = input::relative(&file.to_string_lossy());
    if let Err(refusal) = admit(1, &name, None) {
        library.diagnostics.extend(refusal);
        return None;
    }
    let shared = Shared::new(library);
    let path = ModulePath::of(file);
    let mut importer = Importer::new(LINE_WIDTH);
    let imported = shared.named(file).map(|ruby| importer.import(&ruby, &mut shared.modules(&path)));
    pay(importer.spent_in_all());
    drop(shared);
    let (found, diagnostics) = imported.unwrap_or_else(|why| (Vec::new(), vec![why]));
    let failed = found.is_empty();
    library.diagnostics.extend(diagnostics);
    if failed {
        return None;
    }
    made(library, &name, &found)
}

/// Combines the imported files into one source with the name of the Ruby file and a map of the original locations.
pub fn made(library: &mut Library, name: &str, found: &[Imported]) -> Option<Arc<Source>> {
    let (mut text, mut pieces) = (String::new(), Vec::new());
    for one in found {
        pieces.extend(one.pieces.iter().map(|p| (p.range.start + text.len()..p.range.end + text.len(), p.origin)));
        text.push_str(&one.raw);
    }
    let made = library.keep(name, text).map_err(|why| library.diagnostics.push(why)).ok()?;
    let first_line = |origin: Span| {
        let source = library.sources.find(origin);
        let line = source.and_then(|s| s.slice(origin).lines().next()).map_or(0, str::len);
        Span::new(origin.start, origin.start + u32::try_from(line).unwrap_or_default())
    };
    let pieces = pieces.into_iter().map(|(range, origin)| (made.span_of(range), first_line(origin))).collect();
    library.sources.derive(&made, pieces);
    Some(made)
}
