//! Decides whether rtype may execute a file, or read types and settings from it: only root and the caller may control the file.

use super::control::{Controller, Refused, Who, file_system_uid};
use super::tree::Walked;
use super::{Stat, Tree};
use rustix::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const STICKY: u32 = 0o1000;

/// A path that another user could replace or change, or that rtype could not examine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untrusted {
    /// The path component, and the user who controls it.
    pub message: String,
    /// A way to make the path safe.
    pub help: String,
}

/// Checks that only root and the caller control a path: the file or directory and all directories and links on the way belong to them and
/// are not writable by other users. A group with write permission is trusted if it is root's group, or if root and the caller are the only
/// members. Returns the checked metadata, `None` for a missing path.
///
/// # Errors
/// The first component that other users control, or that cannot be examined.
pub fn check(path: &Path) -> Result<Option<Stat>, Untrusted> {
    let mut tree = Tree::at("/");
    tree.requires_private_groups = true;
    tree.check_trusted(path)
}

/// Checks a path like [`check`], but also trusts a service account, if the account exists.
///
/// # Errors
/// The same as for [`check`].
pub fn check_with_service(path: &Path, account: &str) -> Result<Option<Stat>, Untrusted> {
    let mut tree = Tree::at("/");
    tree.requires_private_groups = true;
    tree.service = tree.user_id(account);
    tree.check_trusted(path)
}

/// Checks a program like [`check`], but also trusts groups without members, such as Debian's `staff` in `/usr/local`.
///
/// # Errors
/// The same as for [`check`].
pub fn check_program(path: &Path) -> Result<Option<Stat>, Untrusted> {
    Tree::at("/").check_trusted(path)
}

/// The maximum nesting of code directories. The limit also ends the search if a link refers to a parent directory.
const MAX_DEPTH: usize = 32;

/// Checks that only root and the caller control a directory and all its content.
///
/// # Errors
/// The same as for [`check`], for the first entry that other users control.
pub fn check_all(directory: &Path) -> Result<(), Untrusted> {
    let Some(stat) = check(directory)? else { return Ok(()) };
    if stat.is_dir() { check_below(directory, MAX_DEPTH) } else { Ok(()) }
}

fn check_below(directory: &Path, depth: usize) -> Result<(), Untrusted> {
    let unreadable = |path: &Path, e: &io::Error| Untrusted {
        message: format!("cannot find out who controls `{}`: {e}", path.display()),
        help: "use a directory that can be read".to_owned(),
    };
    if depth == 0 {
        return Err(unreadable(directory, &io::Error::other("directories are nested too deeply")));
    }
    for entry in std::fs::read_dir(directory).map_err(|e| unreadable(directory, &e))? {
        let path = entry.map_err(|e| unreadable(directory, &e))?.path();
        let found = std::fs::symlink_metadata(&path).map_err(|e| unreadable(&path, &e))?;
        let is_ours = [0, file_system_uid()].contains(&found.uid()) && found.mode() & 0o022 == 0;
        let mut is_dir = found.is_dir();
        // No other user can write to the parent directory, so a trusted entry cannot be replaced.
        if found.is_symlink() || !is_ours {
            is_dir = check(&path)?.is_some_and(|stat| stat.is_dir());
        }
        if is_dir {
            check_below(&path, depth - 1)?;
        }
    }
    Ok(())
}

impl Tree {
    /// Checks a file of this tree like [`check_program`]: no other user controls the path or can change the content.
    ///
    /// # Errors
    /// The same as for [`check`].
    pub fn check_trusted(&self, path: &Path) -> Result<Option<Stat>, Untrusted> {
        let examined = std::path::absolute(path).and_then(|absolute| self.examine(&absolute));
        match examined {
            Ok((_, Some(controller))) => Err(self.untrusted(path, &controller)),
            Ok((stat, None)) => Ok(stat),
            Err(e) => match e.get_ref().and_then(|e| e.downcast_ref::<Refused>()) {
                Some(refused) => Err(self.untrusted(path, &refused.controller)),
                None => Err(Untrusted {
                    message: format!("cannot find out who controls `{}`: {e}", path.display()),
                    help: "use a path that can be examined".to_owned(),
                }),
            },
        }
    }

    /// Returns a path's metadata, and another user who controls the path, if any. For a missing path, checks the existing directories.
    fn examine(&self, path: &Path) -> io::Result<(Option<Stat>, Option<Controller>)> {
        for existing in path.ancestors() {
            let walked = match self.walk(existing, true) {
                Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => continue,
                walked => walked?,
            };
            let controller = match walked.controllers.first() {
                // A file created there later is checked then.
                Some(controller) if walked.stat.is_none() && controller.stat.mode() & STICKY != 0 => None,
                Some(controller) => Some(controller.clone()),
                None if existing == path => self.controller_of(&walked)?,
                None => None,
            };
            return Ok((walked.stat.filter(|_| existing == path), controller));
        }
        Ok((None, None))
    }

    /// Returns another user who owns or can write to a path's target, if any. The sticky bit does not prevent other users from adding
    /// entries.
    fn controller_of(&self, walked: &Walked) -> io::Result<Option<Controller>> {
        if walked.stat.is_none() {
            return Ok(None);
        }
        let opened = walked.place.directory.handle(&walked.place.name)?;
        let stat = Stat::new(&fs::fstat(&opened)?);
        let who = if self.trusts(stat.uid) { self.writer(&opened, &stat) } else { Some(Who::User(stat.uid)) };
        Ok(who.map(|who| Controller { who, path: walked.place.path(), stat }))
    }

    fn untrusted(&self, path: &Path, controller: &Controller) -> Untrusted {
        let Controller { who, path: at, stat } = controller;
        let (shown, mode) = (at.display(), format!("mode {:04o}", stat.mode()));
        // Only name the requested path if the problem is another component.
        let is_same = std::path::absolute(path).is_ok_and(|path| path == *at);
        let prefix = if is_same { String::new() } else { format!("cannot trust `{}`: ", path.display()) };
        let by = match who {
            Who::User(uid) => {
                let (what, option, mode) =
                    if stat.is_symlink() { ("the link ", "-h ", String::new()) } else { ("", "", format!(" ({mode})")) };
                let caller = match file_system_uid() {
                    0 => String::new(),
                    uid => format!(" or `{}`", self.user_name(uid)),
                };
                let owner = self.user_name(*uid);
                return Untrusted {
                    message: format!("{prefix}{what}`{shown}` is owned by `{owner}`{mode}, not by root{caller}"),
                    help: format!("run `chown {option}root {shown}`, after a look at what is in it"),
                };
            }
            Who::Group(gid) => format!("by the group `{}`", self.group_name(*gid)),
            Who::Everyone => "by everyone".to_owned(),
        };
        let help = if is_same || stat.mode() & STICKY == 0 {
            format!("run `chmod go-w {shown}`, after a look at what is in it")
        } else {
            // In a directory like `/tmp`, another user may have created each hard link to the file.
            "use a copy in a directory that only root can write to".to_owned()
        };
        Untrusted { message: format!("{prefix}`{shown}` is writable {by} (owner `{}`, {mode})", self.user_name(stat.uid)), help }
    }
}
