//! Backups of replaced files: a copy next to the file, or its content in a filebucket.
//!
//! Follows Puppet 7.23's `util/backups.rb` and `indirector/file_bucket_file/file.rb`; the layout of filebuckets is
//! the same. Here, only root can access a filebucket, and the content of a secret file is never stored.

use super::change::{is_secret, note};
use super::posix::is_true;
use crate::{Access, Change, Draft, ProviderError, Resource, System};
use rtype_lang::eval::LogLevel;
use rtype_lang::value::digest;
use rtype_system::{DirectoryEntry, Expected, Limit, Stat, Tree};
use std::fs::FileTimes;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The bucket that needs no resource.
const DEFAULT_BUCKET: &str = "puppet";

/// What a filebucket finds content by.
const DIGEST: &str = "sha256";

/// Keeps what is at the path of a resource as its `backup` says.
pub(super) fn keep(system: &System, change: &mut Change<'_>, there: &str) -> Result<(), ProviderError> {
    let wanted = change.resource.wanted("backup");
    let Some(how) = wanted.as_text().map(str::to_owned) else { return Ok(()) };
    if !matches!(there, "file" | "link" | "directory") {
        note(change, LogLevel::Warning, format!("Could not back up file of type {there}"));
        return Ok(());
    }
    // A dangling link has no content to back up.
    if system.look(change.name, true)?.is_none() {
        return Ok(());
    }
    if is_secret(change.resource) {
        note(change, LogLevel::Notice, "not backed up: its content is a secret".into());
        return Ok(());
    }
    let failed = |e: &std::io::Error| {
        ProviderError::new(format!("Could not back {} up: {e}", change.name))
            .help("the resource was not changed; correct the cause, or set `backup => false`")
    };
    if how.starts_with('.') {
        return beside(system, change, &how, &failed);
    }
    let bucket = Bucket::of(system, change.resource, &how)?;
    // Directories with `recurse` are gone through file by file.
    if there == "link" || (there == "directory" && is_true(change.resource, "recurse")) {
        return Ok(());
    }
    let (mut kept, mut warnings) = (Vec::new(), Vec::new());
    let top = system.tree().place(Path::new(change.name)).map_err(|e| failed(&e))?;
    let done = each_file(&top, &mut |file| {
        let below = file.path();
        let below = below.strip_prefix(top.path()).unwrap_or(Path::new(""));
        let name = Path::new(change.name).join(below);
        let name = name.to_string_lossy().trim_end_matches('/').to_owned();
        let sum = bucket.keep(file, &name, &mut warnings)?;
        kept.push(format!("Filebucketed {name} to {how} with sum {sum}"));
        Ok(())
    })
    .map_err(|e| failed(&e));
    // Also of the files before one that cannot be kept.
    warnings.into_iter().for_each(|message| note(change, LogLevel::Warning, message));
    kept.into_iter().for_each(|message| note(change, LogLevel::Info, message));
    done
}

/// Calls `each` with all files below a place, or with the file itself.
fn each_file(place: &DirectoryEntry, each: &mut dyn FnMut(&DirectoryEntry) -> io::Result<()>) -> io::Result<()> {
    let Some(stat) = place.stat()? else { return Ok(()) };
    if stat.is_file() {
        each(place)?;
    } else if stat.is_dir() {
        let directory = Arc::new(place.directory().directory(place.name())?);
        for name in directory.names()? {
            each_file(&DirectoryEntry::of(&directory, &name), each)?;
        }
    }
    Ok(())
}

/// Copies to the same path with an ending.
fn beside(
    system: &System,
    change: &Change<'_>,
    ending: &str,
    failed: &dyn Fn(&std::io::Error) -> ProviderError,
) -> Result<(), ProviderError> {
    let copy = format!("{}{ending}", change.name);
    let tree = system.tree();
    if system.look(&copy, false)?.is_some_and(|stat| stat.is_dir()) {
        return Err(ProviderError::new(format!("Will not remove directory backup {copy}; use a filebucket")));
    }
    // A link is followed: the backup is a copy of the target.
    let from = tree.follow(Path::new(change.name)).map_err(|e| failed(&e))?;
    let Some(stat) = from.stat().map_err(|e| failed(&e))? else { return Ok(()) };
    if stat.is_dir() {
        let to = tree.place(Path::new(&copy)).map_err(|e| failed(&e))?;
        let copied = to.remove().and_then(|()| from.copy_to(&to));
        // An incomplete copy is not a backup.
        return copied.inspect_err(|_| drop(to.remove())).map_err(|e| failed(&e));
    }
    let access = Access { owner: Some(stat.uid), group: Some(stat.gid), mode: Some(stat.mode()) };
    let mut draft = system.draft(&copy, access, false, None)?;
    let (mut file, stat) = from.open().map_err(|e| failed(&e))?;
    io::copy(&mut file, draft.file()).and_then(|_| draft.file().set_times(times(&stat))).map_err(|e| failed(&e))?;
    draft.publish()
}

fn times(stat: &Stat) -> FileTimes {
    FileTimes::new().set_modified(stat.modified()).set_accessed(stat.accessed())
}

/// Restores the content with this checksum from a filebucket.
///
/// # Errors
/// If the filebucket does not contain it.
pub(super) fn restore(system: &System, resource: &dyn Resource, sum: &str, draft: &mut Draft) -> Result<(), ProviderError> {
    let wanted = resource.wanted("backup");
    let name = wanted.as_text().filter(|name| !name.starts_with('.')).unwrap_or(DEFAULT_BUCKET);
    let bucket = Bucket::of(system, resource, name)?;
    let failed = |e: io::Error| ProviderError::new(format!("Could not retrieve content for {sum} from filebucket {name}: {e}"));
    let file = bucket.tree.open(&bucket.folder(sum).join("contents")).map_err(failed)?;
    let mut file = file.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))?;
    io::copy(&mut file, draft.file()).map(drop).map_err(|e| draft.failed(&e))
}

/// A store of contents by checksum.
struct Bucket {
    tree: Arc<Tree>,
    path: PathBuf,
}

impl Bucket {
    /// Returns the bucket of a name, as the provider's setting says where it is; without a resource it is among what rtype remembers.
    fn of(system: &System, resource: &dyn Resource, name: &str) -> Result<Bucket, ProviderError> {
        let place = resource.setting("bucket")?;
        match place.as_text() {
            Some(path) => Ok(Bucket { tree: Arc::clone(system.tree()), path: path.into() }),
            None if place.is_nil() && name == DEFAULT_BUCKET => {
                let path = std::path::absolute(system.state()).map_err(|e| System::cannot_read(&system.state().to_string_lossy(), &e))?;
                Ok(Bucket { tree: Arc::clone(system.host_tree()), path: path.join("bucket") })
            }
            None if place.is_nil() => Err(ProviderError::new(format!("Could not find filebucket {name} specified in backup"))),
            None => Err(ProviderError::new(format!("the filebucket {name} is on a server, to which nothing is sent"))
                .help("give it a `path` on this machine")),
        }
    }

    /// As in Puppet the first eight digits of the checksum are directories.
    fn folder(&self, sum: &str) -> PathBuf {
        let digits = sum.chars().take(8).map(|digit| digit.to_string());
        digits.fold(self.path.clone(), |folder, digit| folder.join(digit)).join(sum)
    }

    /// Keeps the content of a file, and under which name it was found; returns its checksum. What is in the way is renamed with a warning.
    fn keep(&self, file: &DirectoryEntry, name: &str, warnings: &mut Vec<String>) -> io::Result<String> {
        let sum = digest::of_reader(DIGEST, file.open()?.0)?.unwrap_or_default();
        let folder = self.folder(&sum);
        self.tree.make_directories(&folder)?;
        let access = Access { mode: Some(0o600), ..Access::default() };
        let contents = folder.join("contents");
        let has_it = match self.tree.open(&contents) {
            Ok(Some(kept)) => digest::of_reader(DIGEST, kept)?.as_deref() == Some(&sum),
            _ => false,
        };
        if !has_it {
            warnings.extend(self.tree.clear_kept(&contents));
            let mut draft = self.tree.draft(&contents, access, false, None)?;
            io::copy(&mut file.open()?.0, draft.file())?;
            draft.publish()?;
        }
        let names = folder.join("paths");
        warnings.extend(self.tree.clear_kept(&names));
        let known = self.tree.read(&names, Limit::TEXT)?.unwrap_or_default();
        let known = String::from_utf8_lossy(&known);
        if !known.lines().any(|line| line == name) {
            self.tree.replace(&names, format!("{known}{name}\n").as_bytes(), access, Expected::default())?;
        }
        Ok(sum)
    }
}
