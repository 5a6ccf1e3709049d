//! The files of this machine, for loaders of types.

use super::FileAccess;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::library::{Files, TypeLoader, TypeSet};
use rtype_system::named;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Files for FileAccess {
    fn read(&self, path: &str, is_named: bool) -> Result<String, Diagnostic> {
        FileAccess::read(self, path, is_named)
    }

    fn check(&self, path: &Path) -> Result<(), Diagnostic> {
        FileAccess::check(self, path)
    }

    fn can_see(&self, path: &Path) -> bool {
        self.sees(path)
    }

    fn entries(&self, directory: &Path) -> Vec<PathBuf> {
        named::entries(directory).into_iter().flatten().map(|entry| entry.path()).collect()
    }

    fn is_directory(&self, path: &Path) -> bool {
        named::is_dir(path)
    }

    fn exists(&self, path: &Path) -> bool {
        named::exists(path)
    }
}

/// Returns the types in `directories` of this machine, in order, then in the standard library.
pub fn types_in(directories: Vec<PathBuf>) -> TypeSet {
    TypeLoader::new(directories).with_files(Arc::new(FileAccess::default())).load()
}
