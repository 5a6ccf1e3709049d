//! Atomic replacement of files: rtype writes new content to a draft file, and renames the draft.
//!
//! The content reaches the disk before the rename. After a power failure, the path has the old or the new content, never an empty file.

use super::acl;
use super::change::{own, set_mode};
use super::directory::{by_descriptor, swapped};
use super::leftover::{Enclosure, SUFFIX, begin, sweep};
use super::{Access, Directory, DirectoryEntry, Stat, Tree};
use rustix::fs::{self, AtFlags, CWD, RenameFlags};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file under construction with the final owner and permissions. Dropping the value without [`PendingFile::publish`] leaves the target
/// unchanged.
#[derive(Debug)]
pub struct PendingFile {
    target: DirectoryEntry,
    directory: Arc<Directory>,
    /// The temporary name, `None` once the file has been published.
    name: Option<OsString>,
    file: File,
    mode: u32,
}

/// Conditions that the file to be replaced must meet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected<'a> {
    /// The expected content; the inner `None` means that no file exists.
    pub content: Option<Option<&'a [u8]>>,
    /// The expected owner.
    pub owner: Option<u32>,
}

/// The file that a draft replaces. The file stays open, so that no other file can take its place after the comparison.
struct Old {
    fd: OwnedFd,
    stat: Stat,
}

impl Tree {
    /// Creates a draft for the file at a path. The draft copies all properties that `access` does not set from the existing file, including
    /// the access control list and security labels. A symbolic link is replaced, unless `follow` is set and the target exists.
    ///
    /// The draft is created in the directory `staging`, by default next to the path.
    ///
    /// # Errors
    /// If the draft cannot be created.
    pub fn draft(&self, path: &Path, access: Access, follow: bool, staging: Option<&Path>) -> io::Result<PendingFile> {
        let mut target = self.find(path, follow)?;
        if follow && target.stat()?.is_none() {
            target = self.place(path)?;
        }
        let old = match target.stat()? {
            Some(stat) if stat.is_file() => {
                let fd = target.directory.handle(&target.name)?;
                let stat = Stat::new(&fs::fstat(&fd)?);
                Some(Old { fd, stat }).filter(|old| old.stat.is_file())
            }
            _ => None,
        };
        let directory = staging.map(|staging| self.directory(staging)).transpose()?;
        self.begin(target, old.as_ref(), access, directory)
    }

    fn begin(&self, target: DirectoryEntry, old: Option<&Old>, access: Access, staging: Option<Arc<Directory>>) -> io::Result<PendingFile> {
        let directory = staging.unwrap_or_else(|| Arc::clone(&target.directory));
        self.sweep(&directory);
        self.sweep(&target.directory);
        let (name, file) = begin(&directory)?;
        self.remove_inherited(&directory, &file)?;
        let mut draft = PendingFile { target, directory, name: Some(name), file, mode: 0 };
        draft.mode = dress(&draft.file, old, access)?;
        Ok(draft)
    }

    /// Replaces the content of a file atomically. An existing file keeps the owner, permissions, access control list and labels. A new file
    /// gets `access`. Symbolic links are followed.
    ///
    /// Returns true if the existing file met the expectation. Otherwise, the file is unchanged.
    ///
    /// # Errors
    /// If the file cannot be written. The old file is unchanged then.
    pub fn replace(&self, path: &Path, content: &[u8], access: Access, expected: Expected<'_>) -> io::Result<bool> {
        let target = self.follow(path)?;
        let old = match target.open() {
            Ok((file, stat)) => {
                if expected.content.is_some_and(|content| !has_content(&file, &stat, content))
                    || expected.owner.is_some_and(|uid| uid != stat.uid)
                {
                    return Ok(false);
                }
                Some(Old { fd: file.into(), stat })
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                if matches!(expected.content, Some(Some(_))) || expected.owner.is_some() {
                    return Ok(false);
                }
                if self.look(path, false)?.is_some() {
                    return Err(e);
                }
                None
            }
            Err(e) => return Err(e),
        };
        let access = if old.is_some() { Access::default() } else { access };
        let mut draft = self.begin(target, old.as_ref(), access, None)?;
        draft.file.write_all(content)?;
        draft.publish()?;
        Ok(true)
    }

    /// Creates a symbolic link, replacing an existing file at the path.
    ///
    /// # Errors
    /// If the link cannot be created. An existing file is unchanged then.
    pub fn make_link(&self, path: &Path, target: &Path, access: Access) -> io::Result<()> {
        let place = self.place(path)?;
        let enclosure = self.enclosure(&place.directory)?;
        let made = enclosure.content();
        made.directory.make_link(target, &made.name)?;
        let fd = made.directory.handle(&made.name)?;
        own(&fd, access)?;
        put(&made, &place, &Stat::new(&fs::fstat(&fd)?))?;
        place.directory.sync();
        Ok(())
    }

    /// Creates a directory, replacing an existing file at the path.
    ///
    /// # Errors
    /// If the directory cannot be created. An existing file is unchanged then.
    pub fn make_directory(&self, path: &Path, access: Access) -> io::Result<()> {
        let place = self.place(path)?;
        let enclosure = self.enclosure(&place.directory)?;
        let content = enclosure.content();
        let made = content.directory.make_directory(&content.name)?;
        let mode = access.mode.unwrap_or(DIRECTORY_MODE);
        own(&made, access)?;
        // Users other than root can only move a directory that its owner can write to.
        set_mode(&made, mode | 0o200)?;
        put(&content, &place, &made.stat()?)?;
        place.directory.sync();
        if mode & 0o200 == 0 { set_mode(&made, mode) } else { Ok(()) }
    }

    /// Creates a directory and its missing parents with mode 0700.
    ///
    /// # Errors
    /// If a directory cannot be created.
    pub fn make_directories(&self, path: &Path) -> io::Result<Arc<Directory>> {
        match self.directory(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            other => return other,
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(io::ErrorKind::NotFound.into()) };
        let parent = self.make_directories(parent)?;
        match parent.make_directory(name) {
            Ok(made) => self.remove_inherited(&parent, &made).map(|()| Arc::new(made)),
            // Another process created the directory first.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => self.directory(path),
            Err(e) => Err(e),
        }
    }

    /// Creates a private directory for a single entry, next to the entry's later location.
    pub(super) fn enclosure(&self, directory: &Arc<Directory>) -> io::Result<Enclosure> {
        self.sweep(directory);
        let enclosure = Enclosure::new(directory)?;
        self.remove_inherited(directory, enclosure.directory())?;
        Ok(enclosure)
    }

    /// Removes the access control lists that a new file or directory has from the default list of the directory it was made in, if the owner
    /// of that directory is not trusted: the list would give that user access to what root creates.
    fn remove_inherited(&self, from: &Directory, made: impl AsFd) -> io::Result<()> {
        if !self.trusts(from.stat()?.uid) {
            acl::remove(made)?;
        }
        Ok(())
    }

    /// Removes the leftovers of killed runs from a directory, once per run and directory. Listing a large directory before each file would
    /// cost more than writing the files.
    fn sweep(&self, directory: &Directory) {
        if self.swept.lock().is_ok_and(|mut swept| swept.insert(directory.path.clone())) {
            sweep(directory);
        }
    }
}

impl PendingFile {
    /// Returns the file to write the content to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Returns a reader for the content written so far.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn written(&self) -> io::Result<impl Read + '_> {
        let mut file = &self.file;
        file.rewind()?;
        Ok(file)
    }

    /// Returns a path for other programs to read the draft. If another user could replace the file at its path, the returned path goes
    /// through `/proc` to the open file.
    pub fn path(&self, tree: &Tree) -> PathBuf {
        let path = self.directory.path.join(self.name.as_deref().unwrap_or(OsStr::new("")));
        let is_ours = |stat: Option<Stat>| stat.zip(self.stat().ok()).is_some_and(|(there, own)| there.is_same(&own));
        match tree.walk(&path, false) {
            Ok(walked) if walked.controllers.is_empty() && is_ours(walked.stat) => {
                tree.root().join(path.strip_prefix("/").unwrap_or(&path))
            }
            _ => format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd()).into(),
        }
    }

    fn stat(&self) -> io::Result<Stat> {
        Ok(Stat::new(&fs::fstat(&self.file)?))
    }

    /// Moves the draft to its target atomically.
    ///
    /// # Errors
    /// If the move fails. The target is unchanged then.
    pub fn publish(self) -> io::Result<()> {
        publish_all([self]).pop().unwrap_or(Ok(()))
    }

    /// Moves the synchronized draft to the target.
    fn move_to_target(mut self) -> io::Result<()> {
        if !self.directory.stat()?.is_same(&self.target.directory.stat()?) {
            self.move_near()?;
        }
        let Some(name) = self.name.as_deref() else { return Ok(()) };
        let (made, stat) = (DirectoryEntry::of(&self.directory, name), self.stat()?);
        if self.target.stat()?.is_some_and(|old| old.is_dir()) {
            // The exchange moves the old directory to the draft's location. Removing it takes time.
            check_same(&made, &stat)?;
            let enclosure = Enclosure::new(&self.directory)?;
            made.rename_to(&enclosure.content())?;
            put(&enclosure.content(), &self.target, &stat)?;
        } else {
            put(&made, &self.target, &stat)?;
        }
        self.name = None;
        Ok(())
    }

    /// Moves the draft to the target's directory. Uses the open file, since the draft's path may have changed.
    fn move_near(&mut self) -> io::Result<()> {
        let near = Arc::clone(&self.target.directory);
        let (from, flags) = (by_descriptor(&self.file), AtFlags::SYMLINK_FOLLOW);
        // The lock belongs to the file, not to its name. Another run removes the file only if this run was killed.
        let linked = near.with_free_name(SUFFIX, |name| Ok(fs::linkat(CWD, from.as_str(), &near.fd, name, flags)?));
        let (name, file) = match linked {
            Ok((name, ())) => (name, None),
            // The target is on another file system: copy the content.
            Err(_) => {
                let (name, file) = begin(&near)?;
                (name, Some(file))
            }
        };
        let (old, old_directory) = (self.name.replace(name), std::mem::replace(&mut self.directory, near));
        if let Some(mut file) = file {
            let stat = self.stat()?;
            dress(&file, Some(&Old { fd: self.file.as_fd().try_clone_to_owned()?, stat }), Access::default())?;
            io::copy(&mut self.written()?, &mut file)?;
            file.set_permissions(Permissions::from_mode(self.mode))?;
            file.set_times(std::fs::FileTimes::new().set_modified(stat.modified()))?;
            file.sync_all()?;
            self.file = file;
        }
        if let Some(old) = old {
            old_directory.unlink(&old)?;
        }
        Ok(())
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(name) = self.name.take() {
            let _ = self.directory.unlink(&name);
        }
    }
}

/// From this number of files on, `syncfs` is faster than an `fsync` for each file.
const SYNCED_TOGETHER: usize = 4;

/// Moves drafts to their targets. Each move is atomic. Synchronizing many drafts together takes a fraction of the time.
///
/// Returns a result per draft, in order. A failed draft leaves the target unchanged.
pub fn publish_all(drafts: impl IntoIterator<Item = PendingFile>) -> Vec<io::Result<()>> {
    let drafts: Vec<PendingFile> = drafts.into_iter().collect();
    // Writing clears setuid and setgid.
    let has_mode: Vec<io::Result<()>> = drafts.iter().map(|d| d.file.set_permissions(Permissions::from_mode(d.mode))).collect();
    let is_synced = sync_all(&drafts);
    let mut directories: Vec<Arc<Directory>> = Vec::new();
    let publish = |(draft, ready): (PendingFile, io::Result<()>)| {
        let directory = Arc::clone(&draft.target.directory);
        ready.and_then(|()| draft.move_to_target())?;
        if directories.iter().all(|known| known.path != directory.path) {
            directories.push(directory);
        }
        Ok(())
    };
    let ready = has_mode.into_iter().zip(is_synced).map(|(mode, synced)| mode.and(synced));
    let results = drafts.into_iter().zip(ready).map(publish).collect();
    directories.iter().for_each(|directory| directory.sync());
    results
}

/// Synchronizes drafts to disk. For a file system with many drafts, a single call synchronizes all files, including files of other
/// programs.
fn sync_all(drafts: &[PendingFile]) -> Vec<io::Result<()>> {
    let device = |draft: &PendingFile| draft.stat().ok().map(|stat| stat.dev);
    let devices: Vec<Option<u64>> = if drafts.len() < SYNCED_TOGETHER { Vec::new() } else { drafts.iter().map(device).collect() };
    let mut together: Vec<u64> = Vec::new();
    for (draft, device) in drafts.iter().zip(&devices).filter_map(|(draft, device)| Some((draft, (*device)?))) {
        let number = devices.iter().filter(|d| **d == Some(device)).count();
        // If this call fails, `fsync` finds out which file cannot be written.
        if number >= SYNCED_TOGETHER && !together.contains(&device) && fs::syncfs(&draft.file).is_ok() {
            together.push(device);
        }
    }
    let is_synced = |at: usize| devices.get(at).copied().flatten().is_some_and(|device| together.contains(&device));
    drafts.iter().enumerate().map(|(at, draft)| if is_synced(at) { Ok(()) } else { draft.file.sync_all() }).collect()
}

fn has_content(file: &File, stat: &Stat, expected: Option<&[u8]>) -> bool {
    let Some(expected) = expected else { return false };
    let most = super::Limit::bytes(expected.len() as u64);
    file.try_clone().and_then(|file| super::read::read_all(file, stat, most)).is_ok_and(|is| is == expected)
}

/// The mode of a new file without a declared mode. The umask has no effect, because users may start rtype from any shell.
const FILE_MODE: u32 = 0o644;

/// The mode of a new directory without a declared mode.
const DIRECTORY_MODE: u32 = 0o755;

/// Sets the owner and permissions of a new file, and copies the extended attributes of the old file. Returns the resulting permissions.
fn dress(file: &File, old: Option<&Old>, access: Access) -> io::Result<u32> {
    let uid = access.owner.or(old.map(|o| o.stat.uid));
    let gid = access.group.or(old.map(|o| o.stat.gid));
    let is = Stat::new(&fs::fstat(file)?);
    if uid.is_some_and(|u| u != is.uid) || gid.is_some_and(|g| g != is.gid) {
        own(file, Access { owner: uid, group: gid, mode: None })?;
    }
    let mode = match old {
        Some(old) => {
            copy_attributes(old, file, access.owner.is_some_and(|uid| uid != old.stat.uid))?;
            access.kept_mode(&old.stat)
        }
        None => access.mode.unwrap_or(FILE_MODE),
    };
    file.set_permissions(Permissions::from_mode(mode))?;
    Ok(mode)
}

/// Copies the extended attributes, such as access control lists and labels. File capabilities and access control lists are not copied to a
/// file with a new owner.
fn copy_attributes(old: &Old, file: &File, has_new_owner: bool) -> io::Result<()> {
    use xattr::FileExt;
    let path = by_descriptor(&old.fd);
    let Ok(names) = xattr::list_deref(&path) else { return Ok(()) };
    for name in names.filter(|name| !has_new_owner || name != "security.capability" && !acl::is_list(name)) {
        let Ok(Some(value)) = xattr::get_deref(&path, &name) else { continue };
        match file.set_xattr(&name, &value) {
            Ok(()) => {}
            // Only the kernel can set some labels, and sets them itself.
            Err(_) if !name.to_string_lossy().starts_with("system.posix_acl") => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Moves a new file or directory to the target. If either is a directory, the two are exchanged before the old one is removed, so that the
/// path always exists.
fn put(made: &DirectoryEntry, target: &DirectoryEntry, stat: &Stat) -> io::Result<()> {
    check_same(made, stat)?;
    match target.stat()? {
        Some(old) if stat.is_dir() || old.is_dir() => {
            if made.exchange(target).is_ok() {
                made.remove()?;
            } else {
                // Some file systems cannot exchange names.
                target.remove()?;
                made.rename_to(target)?;
            }
        }
        _ => made.rename_to(target)?,
    }
    check_same(target, stat)
}

/// Returns an error if another file has replaced a new file.
fn check_same(place: &DirectoryEntry, stat: &Stat) -> io::Result<()> {
    if place.directory.stat_of(&place.name).is_ok_and(|there| there.is_same(stat)) { Ok(()) } else { Err(swapped(&place.path())) }
}

impl DirectoryEntry {
    /// Renames a file, replacing the target.
    pub(super) fn rename_to(&self, to: &DirectoryEntry) -> io::Result<()> {
        Ok(fs::renameat(&self.directory.fd, &self.name, &to.directory.fd, &to.name)?)
    }

    /// Exchanges two names atomically.
    fn exchange(&self, other: &DirectoryEntry) -> io::Result<()> {
        Ok(fs::renameat_with(&self.directory.fd, &self.name, &other.directory.fd, &other.name, RenameFlags::EXCHANGE)?)
    }
}
