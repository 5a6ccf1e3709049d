//! The origins of types.

use super::home::{Home, RUBY_TYPES};
use super::loading::Loading;
use super::{Files, NoFiles, SharedLoading, SyntaxTrees, Translate, TypeSet, Unsaved};
use crate::diagnostics::Redactions;
use crate::source::SourceMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Describes the origins of types by precedence: directories, the standard library, Puppet modules.
#[derive(Clone, Debug)]
pub struct TypeLoader {
    directories: Vec<PathBuf>,
    module_directories: Vec<PathBuf>,
    pub(super) translate: Option<Arc<dyn Translate>>,
    pub(super) unsaved: Arc<Unsaved>,
    pub(super) files: Arc<dyn Files>,
}

impl Default for TypeLoader {
    fn default() -> TypeLoader {
        TypeLoader {
            directories: Vec::new(),
            module_directories: Vec::new(),
            translate: None,
            unsaved: Arc::default(),
            files: Arc::new(NoFiles),
        }
    }
}

impl TypeLoader {
    /// Creates a loader that searches `directories` in order, then the standard library.
    pub fn new(directories: Vec<PathBuf>) -> TypeLoader {
        TypeLoader { directories, ..TypeLoader::default() }
    }

    /// Uses these sources in place of the files with the same paths.
    #[must_use]
    pub fn with_unsaved(self, unsaved: Arc<Unsaved>) -> TypeLoader {
        TypeLoader { unsaved, ..self }
    }

    /// Reads further files through `files`.
    #[must_use]
    pub fn with_files(self, files: Arc<dyn Files>) -> TypeLoader {
        TypeLoader { files, ..self }
    }

    /// Also finds types written in Ruby: in `--types` directories that are Puppet modules and, after the standard library, in the
    /// modules inside `directories`.
    #[must_use]
    pub fn with_modules(self, directories: &[PathBuf], translate: Arc<dyn Translate>) -> TypeLoader {
        TypeLoader { module_directories: directories.to_vec(), translate: Some(translate), ..self }
    }

    /// Also searches `directory`, after all directories added so far.
    #[must_use]
    pub fn with_directory(mut self, directory: PathBuf) -> TypeLoader {
        if !self.directories.contains(&directory) {
            self.directories.push(directory);
        }
        self
    }

    /// Returns a type set, which reads each type on demand.
    pub fn load(self) -> TypeSet {
        self.load_into(SourceMap::default(), Redactions::default())
    }

    /// Returns a type set, which reads each type on demand. The set adds its sources to `sources`, and secrets to `secrets`.
    pub fn load_into(self, sources: SourceMap, secrets: Redactions) -> TypeSet {
        let loading = Loading::new(Arc::new(self), sources.clone(), secrets.clone());
        TypeSet { sources, secrets, loading: Arc::new(SharedLoading(Mutex::new(loading))) }
    }

    /// Returns an empty set that shares sources and syntax trees with other sets. Sources in `trees` are not parsed again.
    pub fn load_with(self, trees: &SyntaxTrees) -> TypeSet {
        let mut types = self.load_into(trees.sources().clone(), Redactions::default());
        types.own().trees = Some(trees.clone());
        types
    }

    /// Returns the directories that are searched.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// Returns the directories that contain Puppet modules.
    pub fn module_directories(&self) -> &[PathBuf] {
        &self.module_directories
    }

    pub(super) fn searches(&self, directory: &Path) -> bool {
        self.directories.iter().any(|known| known == directory)
    }

    /// Returns the origins of the directories and the standard library, in order.
    pub(super) fn homes(&self) -> impl Iterator<Item = Home> {
        let is_module = |d: &Path| self.translate.is_some() && self.files.is_directory(&d.join("lib").join(RUBY_TYPES));
        let home = move |d: &PathBuf| if is_module(d) { Home::Module(d.join("lib")) } else { Home::Directory(d.clone()) };
        self.directories.iter().map(home).chain([Home::Standard])
    }

    /// Returns the `lib` directories of the modules in the module directories.
    pub(super) fn modules(&self) -> Vec<PathBuf> {
        let mut modules = Vec::new();
        for directory in &self.module_directories {
            let entries = self.files.entries(directory).into_iter().map(|path| path.join("lib"));
            let mut inside: Vec<PathBuf> = entries.filter(|lib| self.files.is_directory(&lib.join(RUBY_TYPES))).collect();
            inside.sort();
            modules.extend(inside);
        }
        modules
    }
}
