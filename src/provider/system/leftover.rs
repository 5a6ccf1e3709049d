//! What runs that were killed have left behind: drafts at which nobody works any more.
//!
//! A draft is locked for as long as its process has it, and the kernel takes the lock away with the process, however that ends.
//! A draft without a lock is therefore nobody's. Numbers of processes would not do: they are given again, and mean
//! something else in each container.

use nix::fcntl::OFlag;
use nix::unistd::Uid;
use std::ffi::OsStr;
use std::fs::{OpenOptions, Permissions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use tempfile::NamedTempFile;

/// Names that begin with a dot are passed over by most programs that read all files of a directory.
pub(super) const PREFIX: &str = ".rtype-";
/// What a draft's name ends in; the names of other things that are made in passing do not.
const SUFFIX: &str = ".draft";
/// How many letters stand between.
const LETTERS: usize = 6;

/// An empty draft that only its owner can read, locked.
pub(super) fn begin(folder: &Path) -> std::io::Result<NamedTempFile> {
    loop {
        let access = Permissions::from_mode(0o600);
        let file = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).rand_bytes(LETTERS).permissions(access).tempfile_in(folder)?;
        // Some file systems have no locks; nothing is swept up there.
        let _ = file.as_file().lock();
        // Somebody may have swept it up before it was locked.
        if file.path().symlink_metadata().is_ok() {
            return Ok(file);
        }
    }
}

/// Removes the drafts in a directory at which nobody works. What cannot be removed stays: it harms nobody.
pub(super) fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| is_draft(&entry.file_name())) {
        let _ = remove(&entry.path());
    }
}

fn is_draft(name: &OsStr) -> bool {
    let letters = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    letters.is_some_and(|letters| letters.len() == LETTERS && letters.bytes().all(|b| b.is_ascii_alphanumeric()))
}

fn remove(path: &Path) -> std::io::Result<()> {
    // Neither a link is followed nor a pipe waited for.
    let file = OpenOptions::new().read(true).custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits()).open(path)?;
    let stat = file.metadata()?;
    let us = Uid::effective();
    if stat.is_file() && (us.is_root() || stat.uid() == us.as_raw()) {
        file.try_lock()?;
        std::fs::remove_file(path)?;
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
