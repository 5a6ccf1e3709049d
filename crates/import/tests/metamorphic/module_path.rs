//! Ruby files of a directory of modules, changed by a transformation.

use crate::edits::Edited;
use crate::transformations::Transformation;
use rtype_import::RubyFiles;
use rtype_lang::source::{Source, SourceMap};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A file, and the name of a transformation.
type TransformedFile = (PathBuf, &'static str);

/// Transformed texts by path and transformation. Many imports read the same library.
#[derive(Default)]
pub struct Transformed {
    texts: Mutex<HashMap<TransformedFile, Arc<Option<Edited>>>>,
    count: AtomicUsize,
}

impl Transformed {
    fn get(&self, path: &Path, text: &str, transformation: &Transformation) -> Arc<Option<Edited>> {
        let key = (path.to_owned(), transformation.name);
        if let Some(known) = self.texts.lock().unwrap().get(&key) {
            return Arc::clone(known);
        }
        // Names of different files differ, because the result has locals of several files.
        let edited = Arc::new(transformation.apply(text, self.count.fetch_add(1, Ordering::Relaxed) * 10_000));
        Arc::clone(self.texts.lock().unwrap().entry(key).or_insert(edited))
    }
}

/// The files that an import reads.
pub struct ModulePath<'s> {
    pub sources: &'s SourceMap,
    /// The modules that the files may belong to.
    pub modules: &'s [PathBuf],
    pub transformation: Option<&'s Transformation>,
    /// Texts that were transformed for other imports.
    pub transformed: &'s Transformed,
    /// The original names of renamed locals, of all files.
    pub names: RefCell<HashMap<String, String>>,
    read: RefCell<HashMap<PathBuf, Option<Arc<Source>>>>,
}

impl<'s> ModulePath<'s> {
    pub fn new(
        sources: &'s SourceMap,
        modules: &'s [PathBuf],
        transformation: Option<&'s Transformation>,
        transformed: &'s Transformed,
    ) -> ModulePath<'s> {
        ModulePath { sources, modules, transformation, transformed, names: RefCell::default(), read: RefCell::default() }
    }

    /// Reads a file once; Ruby files are transformed.
    pub fn file(&self, path: &Path) -> Option<Arc<Source>> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let source = std::fs::read_to_string(path).ok().and_then(|text| self.add(path, text));
        self.read.borrow_mut().insert(path.to_owned(), source.clone());
        source
    }

    fn add(&self, path: &Path, text: String) -> Option<Arc<Source>> {
        let is_ruby = path.extension().is_some_and(|e| e == "rb");
        let text = match self.transformation.filter(|_| is_ruby) {
            None => text,
            Some(transformation) => match &*self.transformed.get(path, &text, transformation) {
                None => text,
                Some(edited) => {
                    self.names.borrow_mut().extend(edited.names.clone());
                    edited.text.clone()
                }
            },
        };
        self.sources.add(path.to_string_lossy(), text).ok()
    }

    fn module_of(&self, file: &Source) -> Option<PathBuf> {
        file.name().rsplit_once("/lib/").map(|(module, _)| PathBuf::from(module))
    }
}

/// Returns the sorted names in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    names
}

impl RubyFiles for ModulePath<'_> {
    fn read(&mut self, path: &str) -> Option<Arc<Source>> {
        self.modules.iter().find_map(|module| self.file(&module.join("lib").join(path)))
    }

    fn list(&mut self, directory: &str) -> Vec<String> {
        let mut all: Vec<String> = self.modules.iter().flat_map(|module| names(&module.join("lib").join(directory))).collect();
        all.retain(|name| name.ends_with(".rb"));
        all.sort();
        all.dedup();
        all
    }

    fn data(&mut self, of: &Source, path: &str) -> Option<Arc<Source>> {
        self.file(&self.module_of(of)?.join(path))
    }

    fn code(&mut self, of: &Source, line: u32, text: &str) -> Option<Arc<Source>> {
        self.sources.add(format!("{}:{line}", of.name()), text).ok()
    }

    fn data_names(&mut self, of: &Source, directory: &str) -> Vec<String> {
        self.module_of(of).map(|module| names(&module.join(directory))).unwrap_or_default()
    }
}
