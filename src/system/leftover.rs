//! What runs that were killed have left: drafts that no process has any more.
//!
//! A draft is locked for as long as its process has it, and the kernel drops the lock with the process, however that ends.
//! A draft without a lock is therefore unused. Process numbers would not do: they are given again, and mean something else in
//! each container.

use super::{Directory, Stat};
use rustix::fs::{self, Mode, OFlags};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;

/// Most programs that read all files of a directory skip names that begin with a dot.
pub(super) const PREFIX: &str = ".rtype-";
/// What the name of a draft ends in; names of other temporary entries do not.
pub(super) const SUFFIX: &str = ".draft";
/// How many letters are between them.
pub(super) const LETTERS: usize = 6;

/// Makes an empty draft that only its owner can read, locked.
pub(super) fn begin(directory: &Directory) -> io::Result<(OsString, File)> {
    loop {
        let (name, file) = directory.with_free_name(SUFFIX, |name| directory.make_file(name))?;
        // Some file systems have no locks; nothing is swept there.
        let _ = file.lock();
        // Another process may have swept it before it was locked.
        if directory.stat_of(&name).is_ok() {
            return Ok((name, file));
        }
    }
}

/// Removes the drafts in a directory that no process has. What cannot be removed stays: it does no harm.
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
    // Neither a link is followed nor a pipe waited for.
    if !directory.stat_of(name)?.is_file() {
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

#[cfg(test)]
mod tests {
    use crate::provider::{Access, Replace, System};
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_first_write_in_a_directory_removes_what_nobody_works_at() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at(".rtype-aB3dE6.draft"), "left").unwrap();
        for other in [".rtype-aB3dE6", ".rtype-aB3dE67.draft", ".rtype-backup.drafts", "rtype-aB3dE6.draft"] {
            fs::write(at(other), "").unwrap();
        }
        fs::create_dir(at(".rtype-direct.draft")).unwrap();
        symlink(".rtype-aB3dE6", at(".rtype-linked.draft")).unwrap();
        nix::unistd::mkfifo(&at(".rtype-piping.draft"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let before = names(dir.path());
        System::at(dir.path()).replace("/x", b"x", Replace::default()).unwrap();
        let after: Vec<String> = before.into_iter().filter(|n| n != ".rtype-aB3dE6.draft").chain(["x".into()]).collect();
        assert_eq!(names(dir.path()), after);
    }

    #[test]
    fn what_somebody_works_at_stays() {
        let dir = tempfile::tempdir().unwrap();
        let mut working = System::at(dir.path()).draft("/x", Access::default(), true, None).unwrap();
        working.write(b"x").unwrap();
        System::at(dir.path()).replace("/y", b"y", Replace::default()).unwrap();
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
        System::at(dir.path()).draft("/here/x", Access::default(), true, Some("/there")).unwrap().publish().unwrap();
        assert_eq!((names(&dir.path().join("here")), names(&dir.path().join("there"))), (vec!["x".to_owned()], vec![]));
    }
}
