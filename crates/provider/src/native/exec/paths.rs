//! Paths that `creates` and `cwd` name. A link that another user controls leads root nowhere; it is followed with the rights of the user
//! as whom the command runs.

use crate::native::accounts;
use crate::native::rights::Rights;
use crate::{ProviderError, Resource, System};
use rtype_system::{Directory, help_of};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Returns whether something is at a path. A link without target is not there, as in Puppet.
pub(super) fn is_there(system: &System, resource: &dyn Resource, path: &str) -> Result<bool, ProviderError> {
    let looked = reach(system, resource, || system.tree().look(Path::new(path), true))?;
    looked.map(|stat| stat.is_some()).map_err(|e| System::cannot_read(path, &e))
}

/// Returns the directory in which a command starts, open, so that no other can be put in its place.
pub(super) fn directory(system: &System, resource: &dyn Resource, path: &str) -> Result<Arc<Directory>, ProviderError> {
    reach(system, resource, || system.tree().directory(Path::new(path)))?.map_err(|e| match e.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ProviderError::new(super::posix::no_directory(path)),
        _ => System::cannot_read(path, &e).context("cannot use the working directory: "),
    })
}

/// Tries with the rights of this process, then with the rights of `user`.
fn reach<T>(system: &System, resource: &dyn Resource, attempt: impl Fn() -> io::Result<T>) -> Result<io::Result<T>, ProviderError> {
    let user = resource.wanted("user");
    match attempt() {
        Err(e) if help_of(&e).is_some() && !user.is_nil() => {
            let name = user.to_text();
            let (uid, gid) = accounts::ids_of(system, &name)?;
            let _rights = Rights::of(&name, uid, gid.unwrap_or(uid))?;
            Ok(attempt())
        }
        result => Ok(result),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::Wants;
    use std::os::unix::fs::{MetadataExt, lchown, symlink};

    #[test]
    fn links_of_the_user_are_followed_only_with_that_users_rights() {
        if !nix::unistd::Uid::effective().is_root() {
            eprintln!("skipped: needs root");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        for directory in ["etc", "root", "home/anna/release/done"] {
            std::fs::create_dir_all(at(directory)).unwrap();
        }
        std::fs::set_permissions(at("root"), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        std::fs::write(at("etc/passwd"), "root:x:0:0::/root:/bin/sh\nanna:x:4711:4711::/home/anna:/bin/sh\n").unwrap();
        symlink("release", at("home/anna/current")).unwrap();
        symlink("/root", at("home/anna/roots")).unwrap();
        for path in ["home/anna", "home/anna/current", "home/anna/roots"] {
            lchown(at(path), Some(4711), Some(4711)).unwrap();
        }
        let system = System::at(folder.path());
        let (root, anna) = (Wants::default(), Wants(vec![("user", "anna".into())]));
        let done = "/home/anna/current/done";
        for error in [is_there(&system, &root, done).unwrap_err(), directory(&system, &root, "/home/anna/current").unwrap_err()] {
            assert!(error.to_string().contains("symbolic link that another user controls"), "{error}");
        }
        assert!(is_there(&system, &anna, done).unwrap());
        assert!(!is_there(&system, &anna, "/home/anna/current/none").unwrap());
        let opened = directory(&system, &anna, "/home/anna/current").unwrap();
        assert_eq!(opened.stat().unwrap().ino, at("home/anna/release").metadata().unwrap().ino());
        // The error must not reveal anything that only root can see.
        assert!(is_there(&system, &anna, "/home/anna/roots/secret").unwrap_err().to_string().contains("ermission denied"));
        assert!(is_there(&system, &root, "/home/anna/release/done").unwrap());
    }
}
