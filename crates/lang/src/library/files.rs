//! Where the texts of types come from.

use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// What standard input is called in diagnostics.
pub const STDIN: &str = "<stdin>";

/// Gives texts by path: the directories of a machine, the buffers of an editor, whatever a browser holds.
pub trait Files: Debug + Send + Sync {
    /// Reads a text that a loader has found, or `is_named` by the user; `-` is standard input.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, path: &str, is_named: bool) -> Result<String, Diagnostic>;

    /// Checks whether a file or directory that a loader has found may be used.
    ///
    /// # Errors
    /// Why not.
    fn check(&self, path: &Path) -> Result<(), Diagnostic>;

    /// Returns whether a path is where a loader may look without being told to.
    fn can_see(&self, path: &Path) -> bool;

    /// Returns the paths of what a directory holds, in any order; none when it cannot be listed.
    fn entries(&self, directory: &Path) -> Vec<PathBuf>;

    /// Returns whether there is a directory of this path.
    fn is_directory(&self, path: &Path) -> bool;

    /// Returns whether there is anything of this path.
    fn exists(&self, path: &Path) -> bool;
}

/// No files: only the standard library and texts that are handed over.
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

/// Returns whether a file has the name of a Ruby file.
pub fn is_ruby(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "rb")
}
