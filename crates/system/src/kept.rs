//! Files that a run keeps for later runs: state, locks, a catalog, backups, a history.
//!
//! A damaged file must not prevent all later runs. The file is renamed, and the caller shows a warning about the loss. Files that grant
//! rights, such as certificates and settings, are different: damage to such a file is an error.

use super::tree::missing;
use super::{DirectoryEntry, Limit, Tree};
use std::io;
use std::path::{Path, PathBuf};

/// The result of reading a kept file.
#[derive(Debug)]
pub struct Kept<T> {
    /// The value in the file; `None` if the file does not exist or is not usable.
    pub value: Option<T>,
    /// A warning with the reason why the file is not usable, and the new name.
    pub warning: Option<String>,
}

impl Tree {
    /// Reads a kept file. If `may_rename` is true, an unusable file is renamed: a symbolic link, which is not followed, a directory or
    /// another special file, an unreadable file, and a file rejected by `parse`.
    pub fn read_kept<T>(&self, path: &Path, limit: Limit, may_rename: bool, parse: impl FnOnce(Vec<u8>) -> Result<T, String>) -> Kept<T> {
        let read = match self.place(path).and_then(|place| place.read(limit)) {
            Ok(bytes) => {
                let is_empty = bytes.is_empty();
                parse(bytes).map_err(|why| if is_empty { "it is empty".to_owned() } else { why })
            }
            Err(e) => match missing::<T>(e) {
                Ok(_) => return Kept { value: None, warning: None },
                Err(e) => Err(e.to_string()),
            },
        };
        match read {
            Ok(value) => Kept { value: Some(value), warning: None },
            Err(why) => Kept { value: None, warning: Some(self.unusable(path, &why, may_rename)) },
        }
    }

    /// Prepares to write a kept file. A file at the path is renamed, unless it is a regular file. Returns a warning after a rename. A hard
    /// link stays: the other names may be a copy, and another run may hold a lock with this name.
    pub fn clear_kept(&self, path: &Path) -> Option<String> {
        let stat = self.place(path).and_then(|place| place.stat()).ok().flatten()?;
        if stat.is_file() {
            return None;
        }
        Some(self.unusable(path, &format!("it is {}, not a regular file", stat.described()), true))
    }

    fn unusable(&self, path: &Path, why: &str, may_rename: bool) -> String {
        let shown = self.root().join(path.strip_prefix("/").unwrap_or(path));
        let renamed = match may_rename.then(|| self.rename_damaged(path)) {
            None => String::new(),
            Some(Ok(to)) => format!("; renamed to {}", to.display()),
            Some(Err(e)) => format!("; it cannot be renamed: {e}"),
        };
        format!("{} cannot be used: {why}{renamed}", shown.display())
    }

    /// Adds `.damaged` to a name. An existing file with the new name is replaced. If the replacement fails, adds a number to the new name.
    fn rename_damaged(&self, path: &Path) -> io::Result<PathBuf> {
        let place = self.place(path)?;
        let mut name = place.name().to_owned();
        name.push(".damaged");
        let aside = DirectoryEntry::of(place.directory(), &name);
        if place.rename_to(&aside).is_ok() {
            return Ok(aside.path());
        }
        name.push(format!(".{}", std::process::id()));
        let aside = DirectoryEntry::of(place.directory(), &name);
        place.rename_to(&aside).map(|()| aside.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// Ways to damage a kept file.
    const DAMAGES: [&str; 6] = ["empty", "corrupt", "directory", "fifo", "link", "dangling link"];

    fn damage(path: &Path, how: &str) {
        let beside = path.with_extension("target");
        fs::write(&beside, "good").unwrap();
        match how {
            "empty" => fs::write(path, "").unwrap(),
            "corrupt" => fs::write(path, "bad").unwrap(),
            "directory" => fs::create_dir_all(path.join("sub")).unwrap(),
            "fifo" => nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap(),
            "link" => symlink(beside, path).unwrap(),
            _ => symlink("/none", path).unwrap(),
        }
    }

    #[test]
    fn damaged_files_are_renamed_and_not_used() {
        for how in DAMAGES {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("kept");
            let read = |may_rename| {
                let parse = |bytes: Vec<u8>| if bytes == b"good" { Ok(()) } else { Err("it is bad".to_owned()) };
                Tree::at("/").read_kept(&path, Limit::STATE, may_rename, parse)
            };
            assert!(read(true).warning.is_none(), "a missing file is not damaged");
            // The second round finds the name of the renamed file in use.
            for _ in 0..2 {
                damage(&path, how);
                let kept = read(false);
                assert!(kept.value.is_none() && kept.warning.unwrap().contains("kept cannot be used: it "), "{how}");
                assert!(path.symlink_metadata().is_ok(), "{how}");
                assert!(read(true).warning.unwrap().contains("; renamed to "), "{how}");
                assert!(path.symlink_metadata().is_err(), "{how}");
            }
            fs::write(&path, "good").unwrap();
            assert!(read(true).value.is_some(), "{how}");
        }
    }

    #[test]
    fn only_regular_files_are_overwritten() {
        for how in ["directory", "fifo", "link", "dangling link"] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("kept");
            assert_eq!(Tree::at("/").clear_kept(&path), None);
            damage(&path, how);
            assert!(Tree::at("/").clear_kept(&path).unwrap().contains("; renamed to "), "{how}");
            assert!(path.symlink_metadata().is_err(), "{how}");
        }
    }

    #[test]
    fn a_file_with_another_name_keeps_its_name() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        fs::write(&path, "").unwrap();
        fs::hard_link(&path, directory.path().join("copy")).unwrap();
        assert_eq!(Tree::at("/").clear_kept(&path), None);
        assert!(path.symlink_metadata().is_ok());
    }
}
