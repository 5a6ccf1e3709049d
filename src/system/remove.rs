//! Removing what is at a path, a directory with all that is in it.

use super::{Directory, Place};
use std::ffi::OsString;
use std::io;
use std::sync::Arc;

/// A directory that is being emptied.
struct Level {
    directory: Arc<Directory>,
    names: Vec<OsString>,
    /// Its name in the directory above.
    name: OsString,
}

impl Place {
    /// Removes what is there; a directory by descriptor, so that nothing put in the way is entered. What has gone already is no
    /// error.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        match self.remove_all() {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    fn remove_all(&self) -> io::Result<()> {
        if !self.directory.stat_of(&self.name)?.is_dir() {
            return self.directory.unlink(&self.name);
        }
        // An own stack: directories may be nested deeper than that of the program reaches.
        let mut levels = vec![enter(&self.directory, &self.name)?];
        while let Some(mut level) = levels.pop() {
            let Some(name) = level.names.pop() else {
                let above = levels.last().map_or(&self.directory, |above| &above.directory);
                gone(above.remove_directory(&level.name))?;
                continue;
            };
            let is_directory = match level.directory.stat_of(&name) {
                Ok(stat) => stat.is_dir(),
                Err(e) if e.kind() == io::ErrorKind::NotFound => {
                    levels.push(level);
                    continue;
                }
                Err(e) => return Err(e),
            };
            if is_directory {
                let below = enter(&level.directory, &name);
                levels.push(level);
                levels.push(below?);
            } else {
                gone(level.directory.unlink(&name))?;
                levels.push(level);
            }
        }
        Ok(())
    }
}

fn enter(above: &Directory, name: &std::ffi::OsStr) -> io::Result<Level> {
    let directory = Arc::new(above.directory(name)?);
    Ok(Level { names: directory.names()?, directory, name: name.to_owned() })
}

fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
