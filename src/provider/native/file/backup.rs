//! What is kept of what is replaced: a copy beside it, or its content in a filebucket.
//!
//! Follows Puppet 7.23's `util/backups.rb` and `indirector/file_bucket_file/file.rb`, whose buckets it shares the layout
//! with. A bucket here is for root alone, and the content of a secret file is never kept.

use super::change::{is_secret, note};
use super::posix::{is_true, kind};
use crate::eval::LogLevel;
use crate::provider::{Access, Change, Draft, ProviderError, Resource, System};
use crate::value::digest;
use std::fs::{DirBuilder, File, FileTimes, Metadata, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// The bucket that needs no resource.
const DEFAULT_BUCKET: &str = "puppet";

/// What a filebucket finds content by.
const DIGEST: &str = "sha256";

/// Keeps what is at the path of a resource as its `backup` says.
pub(super) fn keep(system: &System, change: &mut Change<'_>, there: &str) -> Result<(), ProviderError> {
    let wanted = change.resource.wanted("backup");
    let Some(how) = wanted.as_text().map(str::to_owned) else { return Ok(()) };
    let path = system.path(change.name);
    if !matches!(there, "file" | "link" | "directory") {
        note(change, LogLevel::Warning, format!("Could not back up file of type {there}"));
        return Ok(());
    }
    // A link that leads nowhere has nothing to keep.
    if !path.exists() {
        return Ok(());
    }
    if is_secret(change.resource) {
        note(change, LogLevel::Notice, "not backed up: its content is a secret".into());
        return Ok(());
    }
    let failed = |e: &std::io::Error| ProviderError::new(format!("Could not back {} up: {e}", change.name)).help("nothing was changed");
    if how.starts_with('.') {
        return beside(system, change, &how, &failed);
    }
    let bucket = Bucket::of(system, change.resource, &how)?;
    // Directories with `recurse` are gone through file by file.
    if there == "link" || (there == "directory" && is_true(change.resource, "recurse")) {
        return Ok(());
    }
    let mut files = Vec::new();
    files_in(&path, &mut files).map_err(|e| failed(&e))?;
    let mut kept = Vec::new();
    for file in files {
        let below = file.strip_prefix(&path).unwrap_or(Path::new(""));
        let name = Path::new(change.name).join(below);
        let name = name.to_string_lossy().trim_end_matches('/').to_owned();
        let sum = bucket.keep(&file, &name).map_err(|e| failed(&e))?;
        kept.push(format!("Filebucketed {name} to {how} with sum {sum}"));
    }
    kept.into_iter().for_each(|message| note(change, LogLevel::Info, message));
    Ok(())
}

/// All files below a path, or the file itself.
fn files_in(path: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let stat = path.symlink_metadata()?;
    if stat.is_file() {
        found.push(path.to_owned());
    } else if stat.is_dir() {
        for entry in std::fs::read_dir(path)? {
            files_in(&entry?.path(), found)?;
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
    let (from, to) = (system.path(change.name), system.path(&copy));
    if to.symlink_metadata().is_ok_and(|m| m.is_dir()) {
        return Err(ProviderError::new(format!("Will not remove directory backup {copy}; use a filebucket")));
    }
    // Of a link it is what it leads to.
    let stat = from.metadata().map_err(|e| failed(&e))?;
    if stat.is_dir() {
        if to.symlink_metadata().is_ok() {
            std::fs::remove_file(&to).map_err(|e| failed(&e))?;
        }
        return copy_tree(&from, &to).map_err(|e| failed(&e));
    }
    let access = Access { owner: Some(stat.uid()), group: Some(stat.gid()), mode: Some(stat.mode() & 0o7777) };
    let mut draft = system.draft(&copy, access, false, None)?;
    let mut file = File::open(&from).map_err(|e| failed(&e))?;
    std::io::copy(&mut file, draft.file()).and_then(|_| draft.file().set_times(times(&stat))).map_err(|e| failed(&e))?;
    draft.publish()
}

fn times(stat: &Metadata) -> FileTimes {
    let times = FileTimes::new();
    let times = stat.modified().map_or(times, |at| times.set_modified(at));
    stat.accessed().map_or(times, |at| times.set_accessed(at))
}

/// A directory with all that is in it, owners and permissions among it.
fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    let stat = from.symlink_metadata()?;
    match kind(stat.file_type()) {
        "link" => return symlink(std::fs::read_link(from)?, to),
        "directory" => {
            DirBuilder::new().mode(0o700).create(to)?;
            for entry in std::fs::read_dir(from)? {
                let entry = entry?;
                copy_tree(&entry.path(), &to.join(entry.file_name()))?;
            }
        }
        "file" => {
            std::fs::copy(from, to)?;
        }
        // Pipes, sockets and devices have no content.
        _ => return Ok(()),
    }
    std::os::unix::fs::lchown(to, Some(stat.uid()), Some(stat.gid()))?;
    std::fs::set_permissions(to, Permissions::from_mode(stat.mode() & 0o7777))?;
    File::open(to)?.set_times(times(&stat))
}

/// Content that a filebucket has under a checksum.
///
/// # Errors
/// When it has none.
pub(super) fn restore(system: &System, resource: &dyn Resource, sum: &str, draft: &mut Draft) -> Result<(), ProviderError> {
    let wanted = resource.wanted("backup");
    let name = wanted.as_text().filter(|name| !name.starts_with('.')).unwrap_or(DEFAULT_BUCKET);
    let bucket = Bucket::of(system, resource, name)?;
    let file = File::open(bucket.folder(sum).join("contents"));
    let mut file = file.map_err(|e| ProviderError::new(format!("Could not retrieve content for {sum} from filebucket {name}: {e}")))?;
    std::io::copy(&mut file, draft.file()).map(drop).map_err(|e| draft.failed(&e))
}

/// A store of contents by checksum.
struct Bucket(PathBuf);

impl Bucket {
    /// The bucket of a name, as the provider's setting says where it is; without a resource it is among what rtype remembers.
    fn of(system: &System, resource: &dyn Resource, name: &str) -> Result<Bucket, ProviderError> {
        let place = resource.setting("bucket")?;
        match place.as_text() {
            Some(path) => Ok(Bucket(system.path(path))),
            None if place.is_nil() && name == DEFAULT_BUCKET => Ok(Bucket(system.state().join("bucket"))),
            None if place.is_nil() => Err(ProviderError::new(format!("Could not find filebucket {name} specified in backup"))),
            None => Err(ProviderError::new(format!("the filebucket {name} is on a server, to which nothing is sent"))
                .help("give it a `path` on this machine")),
        }
    }

    /// As in Puppet the first eight digits of the checksum are directories.
    fn folder(&self, sum: &str) -> PathBuf {
        let digits = sum.chars().take(8).map(|digit| digit.to_string());
        digits.fold(self.0.clone(), |folder, digit| folder.join(digit)).join(sum)
    }

    /// Keeps the content of a file, and under which name it was found; its checksum.
    fn keep(&self, file: &Path, name: &str) -> std::io::Result<String> {
        let sum = digest::of_reader(DIGEST, File::open(file)?)?.unwrap_or_default();
        let folder = self.folder(&sum);
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let contents = folder.join("contents");
        let has_it = File::open(&contents).and_then(|f| digest::of_reader(DIGEST, f)).is_ok_and(|has| has.as_deref() == Some(&sum));
        if !has_it {
            place(&folder, "contents", File::open(file)?)?;
        }
        let names = folder.join("paths");
        let known = std::fs::read_to_string(&names).unwrap_or_default();
        if !known.lines().any(|line| line == name) {
            place(&folder, "paths", format!("{known}{name}\n").as_bytes())?;
        }
        Ok(sum)
    }
}

/// Puts a file into a bucket's folder, in one step.
fn place(folder: &Path, name: &str, mut content: impl Read) -> std::io::Result<()> {
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o600)).tempfile_in(folder)?;
    std::io::copy(&mut content, &mut file)?;
    file.flush()?;
    file.as_file().sync_all()?;
    file.persist(folder.join(name)).map(drop).map_err(|e| e.error)
}
