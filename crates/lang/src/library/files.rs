//! Access to type files.

use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// The name of standard input in diagnostics.
pub const STDIN: &str = "<stdin>";

/// Reads files by path, for example from a file system or from the buffers of an editor.
pub trait Files: Debug + Send + Sync {
    /// Reads a file found by a loader or, with `is_named`, named by the user; `-` is standard input.
    ///
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the file cannot be read.
    fn read(&self, path: &str, is_named: bool) -> Result<String, Diagnostic>;

    /// Checks whether a file or directory that a loader found may be used.
    ///
    /// # Errors
    /// Returns a diagnostic with the reason if it may not be used.
    fn check(&self, path: &Path) -> Result<(), Diagnostic>;

    /// Returns `true` if a loader may search this path although the user has not named it.
    fn can_see(&self, path: &Path) -> bool;

    /// Returns the paths of a directory's entries in any order; empty if the directory cannot be listed.
    fn entries(&self, directory: &Path) -> Vec<PathBuf>;

    /// Returns `true` if the path is a directory.
    fn is_directory(&self, path: &Path) -> bool;

    /// Returns `true` if the path exists.
    fn exists(&self, path: &Path) -> bool;
}

/// Provides no files: only the standard library and sources in memory can be loaded.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, path: &str, _: bool) -> Result<String, Diagnostic> {
        Err(Diagnostic::new(Code::CannotRead, Span::NONE, format!("cannot read `{path}`: files are not available here")))
    }

    fn check(&self, _: &Path) -> Result<(), Diagnostic> {
        Ok(())
    }

    fn can_see(&self, _: &Path) -> bool {
        false
    }

    fn entries(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn is_directory(&self, _: &Path) -> bool {
        false
    }

    fn exists(&self, _: &Path) -> bool {
        false
    }
}

/// Returns `true` if a path has the extension of a Ruby file.
pub fn is_ruby(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "rb")
}
