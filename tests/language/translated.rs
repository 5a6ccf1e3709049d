//! The types of modules, translated from Ruby.

use super::disk::Disk;
use rtype_import::{Importer, RubyFiles};
use rtype_lang::diagnostics::Outcome;
use rtype_lang::library::{Files, Translate, TypeLoader, TypeSet};
use rtype_lang::source::{Source, SourceMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns the standard types and those of the modules on a module path.
pub fn types(module_path: &[PathBuf]) -> TypeSet {
    let libraries = module_path.iter().flat_map(|path| Disk.entries(path)).map(|module| module.join("lib")).collect();
    TypeLoader::new(Vec::new()).with_files(Arc::new(Disk)).with_modules(module_path, Arc::new(Translator { libraries })).load()
}

/// Translates Ruby files with the files that they require from the libraries of all modules.
#[derive(Debug)]
struct Translator {
    libraries: Vec<PathBuf>,
}

impl Translate for Translator {
    fn translate(&self, file: &Path, _: &Arc<dyn Files>, sources: &SourceMap) -> Outcome<Option<Arc<Source>>> {
        let mut libraries = Libraries { directories: &self.libraries, sources };
        let made = libraries.keep(file).and_then(|ruby| {
            let (found, _) = Importer::unformatted().import(&ruby, &mut libraries);
            let text: String = found.iter().map(|one| one.raw.as_str()).collect();
            if text.is_empty() { None } else { sources.add(file.to_string_lossy(), text).ok() }
        });
        Outcome { value: made, diagnostics: Vec::new() }
    }
}

/// The Ruby files of modules.
struct Libraries<'a> {
    directories: &'a [PathBuf],
    sources: &'a SourceMap,
}

impl Libraries<'_> {
    fn keep(&self, file: &Path) -> Option<Arc<Source>> {
        self.sources.add(file.to_string_lossy(), std::fs::read_to_string(file).ok()?).ok()
    }
}

impl RubyFiles for Libraries<'_> {
    fn read(&mut self, path: &str) -> Option<Arc<Source>> {
        self.directories.iter().map(|library| library.join(path)).find_map(|file| self.keep(&file))
    }

    fn list(&mut self, directory: &str) -> Vec<String> {
        let paths = self.directories.iter().flat_map(|library| Disk.entries(&library.join(directory)));
        let mut names: Vec<String> = paths.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
        names.retain(|name| name.ends_with(".rb"));
        names.sort();
        names.dedup();
        names
    }
}
