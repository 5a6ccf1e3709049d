//! The agent's files. They are written atomically, with the owner of their directory.

use crate::error::AgentError;
use jiff::fmt::rfc2822;
use rtype_lang::data::json_error;
use rtype_system::{Access, Limit, Stat, Tree, process};
use serde_json::Value as Json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A directory of the agent.
#[derive(Debug)]
pub struct OwnFiles {
    tree: Tree,
    directory: PathBuf,
}

impl OwnFiles {
    /// Uses a directory. The directory is created by the first write.
    pub fn new(directory: &Path) -> OwnFiles {
        OwnFiles { tree: Tree::at("/"), directory: directory.to_owned() }
    }

    /// Returns the full path of a file.
    pub fn path(&self, file: &Path) -> PathBuf {
        self.directory.join(file)
    }

    /// Returns a file's content, `None` if it does not exist.
    pub fn read(&self, file: &Path) -> Result<Option<Vec<u8>>, AgentError> {
        read(&self.tree, &self.path(file), Limit::STATE)
    }

    /// Checks that only root, this user and Puppet's service account control a file, if the file exists.
    pub fn check_control(&self, file: &Path) -> Result<(), AgentError> {
        check_control(&self.path(file))
    }

    /// Removes a file's permissions that are not in `mode`. Returns true if the permissions changed.
    pub fn restrict(&self, file: &Path, mode: u32) -> Result<bool, AgentError> {
        let path = self.path(file);
        let Some(stat) = self.stat(file)?.filter(|stat| stat.mode() & !mode != 0) else { return Ok(false) };
        self.tree.set_mode(&path, stat.mode() & mode, true).map_err(|e| AgentError::file(&path, &e))?;
        Ok(true)
    }

    /// Replaces a file and synchronizes it to disk. The new file has the directory's owner.
    pub fn write(&self, file: &Path, content: &[u8], mode: u32) -> Result<(), AgentError> {
        // Puppet's directory belongs to Puppet's user, and Puppet's server reads some files there.
        self.replace(file, content, mode, rustix::process::geteuid().is_root())
    }

    /// Like [`OwnFiles::write`], for files that belong to this process's user.
    pub fn write_as_self(&self, file: &Path, content: &[u8], mode: u32) -> Result<(), AgentError> {
        self.replace(file, content, mode, false)
    }

    fn replace(&self, file: &Path, content: &[u8], mode: u32, of_directory: bool) -> Result<(), AgentError> {
        let path = self.path(file);
        let write = || -> std::io::Result<()> {
            let directory = self.tree.make_directories(path.parent().unwrap_or(&self.directory))?;
            let Stat { uid, gid, .. } = directory.stat()?;
            let access = Access { owner: of_directory.then_some(uid), group: of_directory.then_some(gid), mode: Some(mode) };
            let mut draft = self.tree.draft(&path, access, false, None)?;
            draft.file().write_all(content)?;
            draft.publish()
        };
        write().map_err(|e| AgentError::file(&path, &e))
    }

    /// Renames the file at a path that is about to be written, unless the file is a regular file.
    pub fn clear(&self, file: &Path) {
        // The old content is lost, but a new file is written.
        drop(self.tree.clear_kept(&self.path(file)));
    }

    fn stat(&self, file: &Path) -> Result<Option<Stat>, AgentError> {
        let path = self.path(file);
        self.tree.look(&path, true).map_err(|e| AgentError::file(&path, &e))
    }

    /// Returns the time since a file's last change, `None` if the file does not exist. For a change in the future, returns zero.
    pub fn age(&self, file: &Path) -> Result<Option<Duration>, AgentError> {
        Ok(self.stat(file)?.map(|stat| process::time().duration_since(stat.modified()).unwrap_or_default()))
    }

    /// Returns the time of a file's last change in HTTP format.
    pub fn changed(&self, file: &Path) -> Result<Option<String>, AgentError> {
        let Some(stat) = self.stat(file)? else { return Ok(None) };
        let time = jiff::Timestamp::try_from(stat.modified()).ok();
        Ok(time.and_then(|time| rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&time).ok()))
    }

    /// Sets a file's modification time to now.
    pub fn touch(&self, file: &Path) -> Result<(), AgentError> {
        match self.read(file)? {
            Some(content) => self.write(file, &content, 0o644),
            None => Ok(()),
        }
    }

    /// Removes a file, if it exists.
    pub fn remove(&self, file: &Path) -> Result<(), AgentError> {
        let path = self.path(file);
        match self.tree.place(&path).and_then(|place| place.directory().unlink(place.name())) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(AgentError::file(&path, &e)),
            _ => Ok(()),
        }
    }
}

/// Reads a file; `None` if the path does not exist.
///
/// # Errors
/// If the file cannot be read, or the path is a symbolic link to a missing file.
pub fn read(tree: &Tree, path: &Path, limit: Limit) -> Result<Option<Vec<u8>>, AgentError> {
    let failed = |e: &std::io::Error| AgentError::file(path, e);
    let content = tree.read(path, limit).map_err(|e| failed(&e))?;
    if content.is_none() && tree.look(path, false).map_err(|e| failed(&e))?.is_some() {
        return Err(failed(&std::io::Error::new(std::io::ErrorKind::NotFound, "the target of the symbolic link does not exist")));
    }
    Ok(content)
}

/// The account used by Puppet's server, which owns Puppet's directories.
const PUPPET: &str = "puppet";

/// Checks that only root, this user and Puppet's service account control a file, if the file exists. Certificates and settings decide which
/// servers this machine trusts and which programs run.
///
/// # Errors
/// If another user could change the file.
pub fn check_control(path: &Path) -> Result<(), AgentError> {
    let checked = rtype_system::trust::check_with_service(path, PUPPET);
    checked.map(drop).map_err(|why| AgentError::Untrusted { why: why.message, help: why.help })
}

/// The last applied catalog, for runs while the server is unreachable. The catalog may contain secrets, so only root can read it.
#[derive(Debug)]
pub struct CatalogCache {
    store: OwnFiles,
}

impl CatalogCache {
    /// Uses the agent's directory below the state directory.
    pub fn new(state: &Path) -> CatalogCache {
        CatalogCache { store: OwnFiles::new(&state.join("agent")) }
    }

    /// Stores a catalog.
    ///
    /// # Errors
    /// If the catalog cannot be written.
    pub fn save(&self, text: &str) -> Result<(), AgentError> {
        self.store.clear("catalog.json".as_ref());
        self.store.write("catalog.json".as_ref(), text.as_bytes(), 0o600)
    }

    /// Returns a node's stored catalog and the catalog's age; `None` without a catalog younger than `limit`. A damaged catalog is renamed,
    /// and `report` gets a warning.
    ///
    /// # Errors
    /// If the age is unknown.
    pub fn load(
        &self,
        name: &str,
        limit: Option<Duration>,
        report: &mut dyn FnMut(&str),
    ) -> Result<Option<(String, Json, Duration)>, AgentError> {
        let file = "catalog.json".as_ref();
        let parse = |bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            serde_json::from_str::<Json>(&text).map(|json| (text, json)).map_err(|e| json_error(&e))
        };
        let kept = self.store.tree.read_kept(&self.store.path(file), Limit::STATE, true, parse);
        if let Some(why) = kept.warning {
            report(&format!("the catalog of an earlier run is damaged: {why}"));
        }
        let (Some((text, json)), Some(age)) = (kept.value, self.store.age(file)?) else { return Ok(None) };
        let is_usable = json.get("name").and_then(Json::as_str) == Some(name) && limit.is_none_or(|limit| age <= limit);
        Ok(is_usable.then_some((text, json, age)))
    }
}
