//! Unfinished files, and the removal of unfinished files left by killed runs.
//!
//! A file is written as a draft next to its path. Links, which cannot be locked, and directories, which take long to remove, are created in
//! an [`Enclosure`]: a directory that only this user can enter. A process locks each draft or enclosure during use, and the kernel releases
//! the lock when the process ends or is killed. A draft without a lock is unused. Process IDs would not work, because they are reused, and
//! differ between containers.

use super::change::set_mode;
use super::{Directory, DirectoryEntry, Stat};
use rustix::fs::{self, Mode, OFlags};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// The prefix of drafts and enclosures. Most programs skip names with a leading dot when they read a whole directory.
pub(super) const PREFIX: &str = ".rtype-";
/// The suffix of drafts and enclosures.
pub(super) const SUFFIX: &str = ".draft";
/// The number of random letters between prefix and suffix.
pub(super) const LETTERS: usize = 6;
/// An enclosure's only entry. Other users may give a directory owned by root an enclosure's name, but they cannot create this entry in the
/// directory.
const CONTENT: &str = ".rtype-content";

/// A new directory with mode 0700 that holds at most one entry. Dropping the value removes the directory and its content.
#[derive(Debug)]
pub(super) struct Enclosure {
    place: DirectoryEntry,
    directory: Arc<Directory>,
    _lock: File,
}

impl Enclosure {
    /// Creates an enclosure in a directory.
    pub(super) fn new(above: &Arc<Directory>) -> io::Result<Enclosure> {
        for _ in 0..100 {
            match Self::create(above) {
                // Before the enclosure was locked, another process may have removed it as a leftover of a killed run.
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                result => return result,
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn create(above: &Arc<Directory>) -> io::Result<Enclosure> {
        let (name, made) = above.with_free_name(SUFFIX, |name| above.make_directory(name))?;
        let lock = File::from(made.readable()?);
        // Some file systems have no locks. No leftovers are removed there.
        let _ = lock.lock();
        if !above.stat_of(&name)?.is_same(&made.stat()?) {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(Enclosure { place: DirectoryEntry::of(above, &name), directory: Arc::new(made), _lock: lock })
    }

    /// Returns the open directory.
    pub(super) fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Lets other users access files inside by path, but not list or change the directory.
    pub(super) fn let_others_through(&self) -> io::Result<()> {
        set_mode(self.directory.as_ref(), 0o711)
    }

    /// Returns the location of the only entry.
    pub(super) fn content(&self) -> DirectoryEntry {
        DirectoryEntry::of(&self.directory, OsStr::new(CONTENT))
    }
}

impl Drop for Enclosure {
    fn drop(&mut self) {
        let _ = self.content().remove();
        let _ = self.place.directory.remove_directory(&self.place.name);
    }
}

/// Creates an empty, locked draft with mode 0600.
pub(super) fn begin(directory: &Directory) -> io::Result<(OsString, File)> {
    loop {
        let (name, file) = directory.with_free_name(SUFFIX, |name| directory.make_file(name))?;
        // Some file systems have no locks. No leftovers are removed there.
        let _ = file.lock();
        // Another process may have removed the draft before it was locked.
        if directory.stat_of(&name).is_ok() {
            return Ok((name, file));
        }
    }
}

/// Removes all drafts and enclosures without a lock from a directory. Failures are ignored, because unused files do no harm.
pub(super) fn sweep(directory: &Directory) {
    for name in directory.names().unwrap_or_default().iter().filter(|name| is_draft(name)) {
        let _ = remove(directory, name);
    }
}

fn is_draft(name: &OsStr) -> bool {
    let letters = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    letters.is_some_and(|letters| letters.len() == LETTERS && letters.bytes().all(|b| b.is_ascii_alphanumeric()))
}

fn remove(directory: &Directory, name: &OsStr) -> io::Result<()> {
    // Do not follow links or wait for pipes.
    let stat = directory.stat_of(name)?;
    if stat.is_dir() {
        return remove_enclosure(directory, name);
    }
    if !stat.is_file() {
        return Ok(());
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(fs::openat(directory, name, flags, Mode::empty())?);
    let stat = Stat::new(&fs::fstat(&file)?);
    let us = rustix::process::geteuid();
    if stat.is_file() && (us.is_root() || stat.uid == us.as_raw()) {
        file.try_lock()?;
        directory.unlink(name)?;
    }
    Ok(())
}

/// Removes a directory if it has an enclosure's owner, permissions and content.
fn remove_enclosure(above: &Directory, name: &OsStr) -> io::Result<()> {
    let directory = Arc::new(above.directory(name)?);
    let stat = directory.stat()?;
    // Mode 0711 is possible after `let_others_through`.
    if stat.uid != super::control::file_system_uid() || stat.mode() & 0o766 != 0o700 {
        return Ok(());
    }
    let lock = File::from(directory.readable()?);
    lock.try_lock()?;
    if directory.names()?.iter().all(|name| name == CONTENT) {
        DirectoryEntry::of(&directory, OsStr::new(CONTENT)).remove()?;
        above.remove_directory(name)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Enclosure;
    use crate::{Access, Expected, Tree};
    use std::fs::{self, Permissions};
    use std::io::Write;
    use std::os::unix::fs::{PermissionsExt, lchown, symlink};
    use std::path::Path;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn first_write_removes_abandoned_drafts() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at(".rtype-aB3dE6.draft"), "left").unwrap();
        for other in [".rtype-aB3dE6", ".rtype-aB3dE67.draft", ".rtype-backup.drafts", "rtype-aB3dE6.draft"] {
            fs::write(at(other), "").unwrap();
        }
        fs::create_dir(at(".rtype-direct.draft")).unwrap();
        fs::set_permissions(at(".rtype-direct.draft"), Permissions::from_mode(0o755)).unwrap();
        symlink(".rtype-aB3dE6", at(".rtype-linked.draft")).unwrap();
        nix::unistd::mkfifo(&at(".rtype-piping.draft"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let before = names(dir.path());
        Tree::at(dir.path()).replace(Path::new("/x"), b"x", Access::default(), Expected::default()).unwrap();
        let after: Vec<String> = before.into_iter().filter(|n| n != ".rtype-aB3dE6.draft").chain(["x".into()]).collect();
        assert_eq!(names(dir.path()), after);
    }

    #[test]
    fn links_and_directories_of_killed_runs_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let enclosure = |name: &str, mode: u32| {
            fs::create_dir(at(name)).unwrap();
            fs::set_permissions(at(name), Permissions::from_mode(mode)).unwrap();
        };
        for name in [".rtype-linked.draft", ".rtype-direct.draft", ".rtype-emptyy.draft", ".rtype-broken.draft"] {
            enclosure(name, 0o700);
        }
        fs::write(at("victim"), "").unwrap();
        symlink("../victim", at(".rtype-linked.draft/.rtype-content")).unwrap();
        fs::create_dir_all(at(".rtype-direct.draft/.rtype-content/below")).unwrap();
        symlink("../../..", at(".rtype-direct.draft/.rtype-content/below/up")).unwrap();
        fs::write(at(".rtype-broken.draft/.rtype-content"), "").unwrap();
        // Directories that another user could have renamed or created are kept: a directory of root, a directory with other content, and a
        // directory of that user.
        enclosure(".rtype-shared.draft", 0o755);
        fs::create_dir(at(".rtype-shared.draft/.rtype-content")).unwrap();
        enclosure(".rtype-others.draft", 0o700);
        fs::write(at(".rtype-others.draft/precious"), "").unwrap();
        let mut expected = vec![".rtype-others.draft", ".rtype-shared.draft", "d", "l", "victim"];
        if nix::unistd::Uid::effective().is_root() {
            enclosure(".rtype-foreig.draft", 0o700);
            lchown(at(".rtype-foreig.draft"), Some(4711), None).unwrap();
            expected.insert(0, ".rtype-foreig.draft");
        }
        let tree = Tree::at(dir.path());
        tree.make_directory(Path::new("/d"), Access::default()).unwrap();
        tree.make_link(Path::new("/l"), Path::new("d"), Access::default()).unwrap();
        assert_eq!(names(dir.path()), expected);
        assert!(at("d").is_dir() && at("l").is_symlink());
    }

    #[test]
    fn the_enclosure_of_a_run_that_goes_on_stays() {
        let dir = tempfile::tempdir().unwrap();
        let (running, other) = (Tree::at(dir.path()), Tree::at(dir.path()));
        let enclosure = Enclosure::new(&running.directory(Path::new("/")).unwrap()).unwrap();
        let scratch = running.scratch(Path::new("/")).unwrap();
        fs::write(scratch.path().join("x"), "x").unwrap();
        other.make_directory(Path::new("/d"), Access::default()).unwrap();
        assert_eq!((names(dir.path()).len(), fs::read_to_string(scratch.path().join("x")).unwrap().as_str()), (3, "x"));
        drop((enclosure, scratch));
        assert_eq!(names(dir.path()), ["d"]);
    }

    #[test]
    fn an_enclosure_is_created_while_other_runs_sweep() {
        let dir = tempfile::tempdir().unwrap();
        let above = Tree::at(dir.path()).directory(Path::new("/")).unwrap();
        std::thread::scope(|scope| {
            let creating = scope.spawn(|| {
                for _ in 0..2000 {
                    let enclosure = Enclosure::new(&above).unwrap();
                    assert_eq!(enclosure.place.directory.names().unwrap().len(), 1);
                }
            });
            while !creating.is_finished() {
                super::sweep(&above);
            }
        });
    }

    #[test]
    fn a_directory_that_is_replaced_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let tree = Tree::at(dir.path());
        for make in [
            &(|| tree.make_link(Path::new("/x"), Path::new("target"), Access::default())) as &dyn Fn() -> std::io::Result<()>,
            &|| tree.make_directory(Path::new("/x"), Access { mode: Some(0o555), ..Access::default() }),
            &|| tree.draft(Path::new("/x"), Access::default(), false, None)?.publish(),
        ] {
            fs::create_dir_all(dir.path().join("x/y")).unwrap();
            make().unwrap();
            assert_eq!(names(dir.path()), ["x"]);
            if dir.path().join("x").is_dir() && !dir.path().join("x").is_symlink() {
                assert_eq!(fs::metadata(dir.path().join("x")).unwrap().permissions().mode() & 0o7777, 0o555);
                assert!(names(&dir.path().join("x")).is_empty());
            }
            tree.place(Path::new("/x")).unwrap().remove().unwrap();
        }
    }

    #[test]
    fn draft_in_use_stays() {
        let dir = tempfile::tempdir().unwrap();
        let mut working = Tree::at(dir.path()).draft(Path::new("/x"), Access::default(), true, None).unwrap();
        working.file().write_all(b"x").unwrap();
        Tree::at(dir.path()).replace(Path::new("/y"), b"y", Access::default(), Expected::default()).unwrap();
        assert_eq!(names(dir.path()).len(), 2);
        working.publish().unwrap();
        assert_eq!(names(dir.path()), ["x", "y"]);
    }

    #[test]
    fn what_was_staged_elsewhere_is_removed_on_both_sides() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["here", "there"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
            fs::write(dir.path().join(folder).join(".rtype-aB3dE6.draft"), "left").unwrap();
        }
        Tree::at(dir.path()).draft(Path::new("/here/x"), Access::default(), true, Some(Path::new("/there"))).unwrap().publish().unwrap();
        assert_eq!((names(&dir.path().join("here")), names(&dir.path().join("there"))), (vec!["x".to_owned()], vec![]));
    }
}
