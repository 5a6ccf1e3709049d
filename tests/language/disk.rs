//! The files of worlds and modules.

use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::library::Files;
use rtype_lang::source::Span;
use rtype_manifest::compile::files::ReadFiles;
use std::path::{Path, PathBuf};

/// Reads files of the machine.
#[derive(Debug)]
pub struct Disk;

impl ReadFiles for Disk {
    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        std::fs::read(path).ok()
    }

    fn is_directory(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn list(&self, path: &Path) -> Vec<PathBuf> {
        let mut all = self.entries(path);
        all.sort();
        all
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }
}

impl Files for Disk {
    fn read(&self, path: &str, _: bool) -> Result<String, Diagnostic> {
        std::fs::read_to_string(path).map_err(|e| Diagnostic::new(Code::CannotRead, Span::NONE, format!("cannot read `{path}`: {e}")))
    }

    fn check(&self, _: &Path) -> Result<(), Diagnostic> {
        Ok(())
    }

    fn can_see(&self, _: &Path) -> bool {
        true
    }

    fn entries(&self, directory: &Path) -> Vec<PathBuf> {
        std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    }

    fn is_directory(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
}
