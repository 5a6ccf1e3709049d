//! Recursive removal.

use super::directory::MAX_DEPTH;
use super::{Directory, DirectoryEntry};
use rustix::fs::{self, RenameFlags};
use std::ffi::{OsStr, OsString};
use std::io;
use std::sync::Arc;

/// A directory that is being emptied.
struct Level {
    directory: Arc<Directory>,
    names: Vec<OsString>,
    /// The name in the parent directory.
    name: OsString,
}

impl DirectoryEntry {
    /// Removes a file, or a directory and its content. Directories are entered by descriptor, so that a link in place of a directory is not
    /// followed. Files that have already been removed are not an error.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        let Some(stat) = found(self.directory.stat_of(&self.name))? else { return Ok(()) };
        if !stat.is_dir() {
            return found(self.directory.unlink(&self.name)).map(drop);
        }
        // Use an explicit stack, because directories may be nested too deeply for recursion.
        let mut levels: Vec<Level> = found(enter(&self.directory, &self.name))?.into_iter().collect();
        while let Some(mut level) = levels.pop() {
            let mut below = None;
            let Some(name) = level.names.pop() else {
                let above = levels.last().map_or(&self.directory, |above| &above.directory);
                found(above.remove_directory(&level.name))?;
                continue;
            };
            if found(level.directory.stat_of(&name))?.is_some_and(|stat| stat.is_dir()) {
                match levels.first_mut().filter(|_| level.directory.depth >= MAX_DEPTH) {
                    // Move deeper directories further up, because each level is an open directory.
                    Some(top) => top.names.extend(found(move_up(&level.directory, &name, &top.directory))?),
                    None => below = found(enter(&level.directory, &name))?,
                }
                levels.push(level);
                levels.extend(below);
            } else {
                found(level.directory.unlink(&name))?;
                levels.push(level);
            }
        }
        Ok(())
    }
}

fn enter(above: &Directory, name: &OsStr) -> io::Result<Level> {
    let directory = Arc::new(above.directory(name)?);
    Ok(Level { names: directory.names()?, directory, name: name.to_owned() })
}

/// Moves an entry to another directory under a free name. Returns the new name.
fn move_up(from: &Directory, name: &OsStr, to: &Directory) -> io::Result<OsString> {
    let rename = |free: &OsStr| Ok(fs::renameat_with(from, name, to, free, RenameFlags::NOREPLACE)?);
    Ok(to.with_free_name("", rename)?.0)
}

/// Converts a `NotFound` error to `None`: the entry was removed in the meantime.
fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}
