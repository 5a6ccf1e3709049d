//! Types and facts from modules: a copy of the server's mounts `plugins` and `pluginfacts`.
//!
//! Follows Puppet 7.23's `lib/puppet/configurer/plugin_handler.rb`.

use crate::client::{Client, encoded};
use crate::error::AgentError;
use crate::metadata::{FileKind, FileMetadata};
use rtype_lang::value::digest;
use rtype_provider::interrupt::is_stopping;
use rtype_system::{Access, Tree};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The mounts, with the directories for the copies.
const MOUNTS: [(&str, &str); 2] = [("plugins", "lib"), ("pluginfacts", "facts.d")];

/// The maximum total size in bytes for the files copied in a run.
const MOST_BYTES: u64 = 1 << 30;
/// The maximum number of directories in a path.
const MOST_LEVELS: usize = 64;

/// The result of a synchronization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PluginCounts {
    /// The number of new or changed files.
    pub written: usize,
    /// The number of removed files, which the server no longer has.
    pub removed: usize,
}

/// Returns the directory for the copied plugins, below the state directory. The directory is laid out as a module, without neighbouring
/// modules.
pub fn plugin_directory(state: &Path) -> PathBuf {
    state.join("agent/modules/plugins")
}

/// Synchronizes the copies with the server. Only root can write to the copies, because they are code. Returns `None` if the server does not
/// have the environment. In this case the copies stay unchanged.
///
/// # Errors
/// If a request fails, or a file cannot be written. Files written before the error are complete.
pub fn sync_plugins(client: &Client, environment: &str, directory: &Path) -> Result<Option<PluginCounts>, AgentError> {
    let mut counts = PluginCounts::default();
    let mut left = MOST_BYTES;
    for (mount, copy) in MOUNTS {
        // Facts may be programs, so their permissions matter.
        let permissions = if mount == "plugins" { "ignore" } else { "use" };
        let query = format!(
            "environment={}&recurse=true&links=follow&checksum_type=sha256&max_files=0&source_permissions={permissions}\
             &ignore=.svn&ignore=CVS&ignore=.git&ignore=.hg",
            encoded(environment)
        );
        // Servers return an empty list if no module has plugins.
        let Some(found) = client.file_metadatas(mount, &query)? else { return Ok(None) };
        let mut sync = Mount { client, mount, environment, root: directory.join(copy), tree: Tree::at("/"), left };
        sync.all(&found, &mut counts)?;
        left = sync.left;
    }
    Ok(Some(counts))
}

struct Mount<'a> {
    client: &'a Client,
    mount: &'a str,
    environment: &'a str,
    root: PathBuf,
    tree: Tree,
    /// The number of bytes that this run may still copy.
    left: u64,
}

impl Mount<'_> {
    fn all(&mut self, files: &[FileMetadata], counts: &mut PluginCounts) -> Result<(), AgentError> {
        self.tree.make_directories(&self.root).map_err(|e| AgentError::file(&self.root, &e))?;
        let mut wanted = BTreeSet::new();
        for file in files {
            let Some(relative) = file.relative_path().filter(|path| *path != ".").map(Path::new) else { continue };
            if is_stopping() {
                return Err(AgentError::Stopped);
            }
            if relative.components().count() > MOST_LEVELS {
                return Err(self.unusable(format!("`{}` has more than {MOST_LEVELS} directories", relative.display())));
            }
            wanted.extend(relative.ancestors().map(Path::to_owned));
            if file.kind == FileKind::File {
                let sum = file.checksum().unwrap_or_default();
                let is_program = file.mode.is_some_and(|mode| mode & 0o100 != 0) && self.mount == "pluginfacts";
                counts.written += usize::from(self.file(relative, sum, if is_program { 0o755 } else { 0o644 })?);
            }
        }
        counts.removed += self.remove(Path::new(""), &wanted).map_err(|e| AgentError::file(&self.root, &e))?;
        Ok(())
    }

    fn unusable(&self, why: String) -> AgentError {
        let (host, port) = self.client.server();
        AgentError::BadResponse { server: format!("{host}:{port}"), what: format!("the files of `{}`", self.mount), why }
    }

    /// Copies a file unless the copy is up to date. Returns true if the file was written.
    fn file(&mut self, relative: &Path, sum: &str, mode: u32) -> Result<bool, AgentError> {
        let path = self.root.join(relative);
        let failed = |e: io::Error| AgentError::file(&path, &e);
        let wanted = sum.strip_prefix("{sha256}").unwrap_or_default();
        let old = match self.tree.find_existing(&path, false).map_err(failed)? {
            Some((place, stat)) if stat.is_file() && stat.mode() == mode => {
                let (reader, _) = place.open().map_err(failed)?;
                digest::of_reader("sha256", reader).map_err(failed)?
            }
            _ => None,
        };
        if old.is_some_and(|old| old == wanted) {
            return Ok(false);
        }
        let parent = path.parent().unwrap_or(&self.root);
        let what = format!("file_content/{}/{}", self.mount, relative.display());
        let mut content = self.client.content(&what, &format!("environment={}", encoded(self.environment)))?;
        self.tree.make_directories(parent).map_err(failed)?;
        let mut draft = self.tree.draft(&path, Access { owner: None, group: None, mode: Some(mode) }, false, None).map_err(failed)?;
        let copied = io::copy(&mut content.by_ref().take(self.left.saturating_add(1)), draft.file()).map_err(failed)?;
        self.left = self.left.checked_sub(copied).ok_or_else(|| self.unusable(format!("larger than {} MiB", MOST_BYTES >> 20)))?;
        let found = draft.written().and_then(|written| digest::of_reader("sha256", written)).map_err(failed)?.unwrap_or_default();
        if found != wanted {
            let why = format!("checksum {found}, expected {wanted}");
            let (host, port) = self.client.server();
            return Err(AgentError::BadResponse { server: format!("{host}:{port}"), what, why });
        }
        draft.publish().map_err(failed)?;
        Ok(true)
    }

    /// Removes all files that the server does not have. Returns the number of removed files.
    fn remove(&self, below: &Path, wanted: &BTreeSet<PathBuf>) -> io::Result<usize> {
        let directory = self.tree.directory(&self.root.join(below))?;
        let mut removed = 0;
        for name in directory.names()? {
            let relative = below.join(&name);
            let is_directory = directory.stat_of(&name)?.is_dir();
            if !wanted.contains(&relative) {
                removed += 1;
                entry(&directory, &name).remove()?;
            } else if is_directory {
                removed += self.remove(&relative, wanted)?;
            }
        }
        Ok(removed)
    }
}

fn entry(directory: &Arc<rtype_system::Directory>, name: &OsStr) -> rtype_system::DirectoryEntry {
    rtype_system::DirectoryEntry::of(directory, name)
}
