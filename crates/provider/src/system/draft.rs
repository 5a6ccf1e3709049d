//! Changes to files, with errors that name the path: `rtype_system` does the work.

use super::System;
use crate::ProviderError;
use rtype_system::{Access, Tree};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A new file that is not at its path yet, but has its owner and permissions. Dropping the draft leaves the existing file unchanged.
#[derive(Debug)]
pub struct Draft {
    absolute: String,
    tree: Arc<Tree>,
    draft: rtype_system::PendingFile,
}

impl System {
    /// Creates a draft for the file at a path. It gets what `access` does not set from the existing file, including
    /// the access control list and labels. A symbolic link is replaced unless `follow` is set.
    ///
    /// The draft is created in the directory `staging`, by default next to the path.
    ///
    /// # Errors
    /// If the draft cannot be created.
    pub fn draft(&self, absolute: &str, access: Access, follow: bool, staging: Option<&str>) -> Result<Draft, ProviderError> {
        match self.tree.draft(Path::new(absolute), access, follow, staging.map(Path::new)) {
            Ok(draft) => Ok(Draft { absolute: absolute.to_owned(), tree: Arc::clone(&self.tree), draft }),
            Err(e) if e.kind() == ErrorKind::NotFound => Err(no_directory(absolute, staging)),
            Err(e) => Err(Self::cannot_write(absolute, &e)),
        }
    }

    /// Creates a symbolic link, replacing what exists at the path.
    ///
    /// # Errors
    /// If the link cannot be created; what exists at the path is then unchanged.
    pub fn make_link(&self, absolute: &str, target: &str, access: Access) -> Result<(), ProviderError> {
        self.tree.make_link(Path::new(absolute), Path::new(target), access).map_err(|e| missing(absolute, &e))
    }

    /// Creates a directory, replacing what exists at the path.
    ///
    /// # Errors
    /// If the directory cannot be created; what exists at the path is then unchanged.
    pub fn make_directory(&self, absolute: &str, access: Access) -> Result<(), ProviderError> {
        self.tree.make_directory(Path::new(absolute), access).map_err(|e| missing(absolute, &e))
    }

    /// Removes what is at a path, a directory with all that is in it.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self, absolute: &str) -> Result<(), ProviderError> {
        match self.tree.place(Path::new(absolute)).and_then(|place| place.remove()) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(Self::cannot_write(absolute, &e)),
            _ => Ok(()),
        }
    }

    /// Sets the owner and group of the file at a path. Unless `access` has a mode, setuid and setgid are cleared, and
    /// with a new owner also write access for group and others.
    ///
    /// # Errors
    /// If they cannot be set.
    pub fn set_owner(&self, absolute: &str, access: Access, follow: bool) -> Result<(), ProviderError> {
        self.tree.set_owner(Path::new(absolute), access, follow).map_err(|e| Self::cannot_write(absolute, &e))
    }

    /// Sets the permissions of the file at a path, or of a link's target if `follow` is set.
    ///
    /// # Errors
    /// If they cannot be set.
    pub fn set_mode(&self, absolute: &str, mode: u32, follow: bool) -> Result<(), ProviderError> {
        self.tree.set_mode(Path::new(absolute), mode, follow).map_err(|e| Self::cannot_write(absolute, &e))
    }
}

impl Draft {
    /// Returns the file, for its content.
    pub fn file(&mut self) -> &mut File {
        self.draft.file()
    }

    /// Writes to it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, content: &[u8]) -> Result<(), ProviderError> {
        let written = self.draft.file().write_all(content);
        written.map_err(|e| self.failed(&e))
    }

    /// Returns what was written so far.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn written(&self) -> Result<impl Read + '_, ProviderError> {
        self.draft.written().map_err(|e| self.failed(&e))
    }

    /// Returns a path at which other programs can read the draft.
    pub fn path(&self) -> PathBuf {
        self.draft.path(&self.tree)
    }

    /// Converts an I/O error to a provider error with the path.
    pub fn failed(&self, error: &std::io::Error) -> ProviderError {
        System::cannot_write(&self.absolute, error)
    }

    /// Moves the draft to its target atomically.
    ///
    /// # Errors
    /// If that fails; the target is then unchanged.
    pub fn publish(self) -> Result<(), ProviderError> {
        let Draft { absolute, draft, .. } = self;
        draft.publish().map_err(|e| System::cannot_write(&absolute, &e))
    }

    /// Moves drafts to their targets, each atomically. Returns one result for each draft, in order. If a draft fails, its target is
    /// unchanged.
    pub fn publish_all(drafts: Vec<Draft>) -> Vec<Result<(), ProviderError>> {
        let (paths, drafts): (Vec<String>, Vec<_>) = drafts.into_iter().map(|draft| (draft.absolute, draft.draft)).unzip();
        let results = rtype_system::publish_all(drafts);
        paths.iter().zip(results).map(|(path, result)| result.map_err(|e| System::cannot_write(path, &e))).collect()
    }
}

fn missing(absolute: &str, error: &std::io::Error) -> ProviderError {
    if error.kind() == ErrorKind::NotFound { no_directory(absolute, None) } else { System::cannot_write(absolute, error) }
}

pub(super) fn no_directory(absolute: &str, staging: Option<&str>) -> ProviderError {
    let directory = staging.or_else(|| Path::new(absolute).parent()?.to_str()).unwrap_or("/");
    ProviderError::new(format!("cannot write {absolute}: the directory {directory} does not exist")).help("declare it as a resource")
}
