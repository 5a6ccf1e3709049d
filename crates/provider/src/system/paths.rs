//! Checks paths before programs receive them.
//!
//! A program that receives a path follows symbolic links of other users. Where possible, the program receives the path of an open file
//! ([`Held`](rtype_system::Held), [`Scratch`](rtype_system::Scratch)). Otherwise only root and the user of this process may control the
//! path.

use super::System;
use crate::ProviderError;
use rtype_system::Stat;
use std::path::Path;

/// The help for a path that another user can change.
const HELP: &str = "let root own the directories of the path, or use another path";

impl System {
    /// Checks that no other user can redirect a path to another file.
    ///
    /// # Errors
    /// If another user can redirect the path; the message names the user and the component of the path.
    pub fn check_path(&self, absolute: &str) -> Result<(), ProviderError> {
        let checked = self.tree().check_own(Path::new(absolute));
        checked.map_err(|e| ProviderError::new(format!("another user controls the path {absolute}: {e}")).help(HELP))
    }

    /// Checks that no other user can change a file or redirect its path. Returns the metadata of the file; `None` if it does not exist.
    ///
    /// # Errors
    /// If another user can change the file or redirect its path; the message names the user and the component of the path.
    pub fn check_file(&self, absolute: &str) -> Result<Option<Stat>, ProviderError> {
        self.tree().check_trusted(Path::new(absolute)).map_err(|why| ProviderError::new(why.message).help(why.help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{lchown, symlink};

    #[test]
    fn programs_do_not_resolve_paths_that_another_user_controls() {
        if !nix::unistd::Uid::effective().is_root() {
            eprintln!("skipped: needs root");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        for directory in ["usr/bin", "etc/profile.d", "home/eve", "srv/own"] {
            std::fs::create_dir_all(folder.path().join(directory)).unwrap();
        }
        symlink("/bin/true", folder.path().join("usr/bin/true")).unwrap();
        symlink("/etc", folder.path().join("home/eve/way")).unwrap();
        for path in ["home/eve", "home/eve/way"] {
            lchown(folder.path().join(path), Some(65534), Some(65534)).unwrap();
        }
        let system = System::at(folder.path());
        let run = |path: &str| system.command("true").own_path(path).run();
        for path in ["/home/eve/way/profile.d", "/home/eve/new", "/home/eve/new/deep/er"] {
            let error = run(path).unwrap_err();
            assert!(error.to_string().starts_with(&format!("cannot run `true`: another user controls the path {path}: ")), "{error}");
        }
        for path in ["/srv/own", "/srv/new/deep", "/etc/profile.d"] {
            assert_eq!(run(path).unwrap().status, Some(0), "{path}");
        }
        // Files that other users can write are refused.
        assert!(system.check_file("/srv/own").is_ok());
        std::fs::set_permissions(folder.path().join("srv/own"), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        assert!(system.check_file("/srv/own").is_err());
    }
}
