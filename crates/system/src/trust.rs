//! Decides which files rtype executes, or reads types and settings from: only root and the caller may control them.

use super::control::{Controller, Refused, Who, file_system_uid};
use super::tree::Walked;
use super::{Stat, Tree};
use rustix::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const STICKY: u32 = 0o1000;

/// A path that another user could replace or change, or that could not be examined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untrusted {
    /// The path component and who controls it.
    pub message: String,
    /// How to make it safe.
    pub help: String,
}

/// Checks that only root and the caller control a path: neither the file or directory itself nor any directory or
/// link on the way to it belongs to other users or is writable by them. A group with write permission is trusted if
/// it is root's or if root and the caller are its only members. Returns the metadata that was checked, `None` for a
/// path that does not exist.
///
/// # Errors
/// The first component that others control, or that cannot be examined.
pub fn check(path: &Path) -> Result<Option<Stat>, Untrusted> {
    let mut tree = Tree::at("/");
    tree.requires_private_groups = true;
    tree.check_trusted(path)
}

/// Checks a path as [`check`] does, but also trusts a service account, if the account exists.
///
/// # Errors
/// As [`check`].
pub fn check_with_service(path: &Path, account: &str) -> Result<Option<Stat>, Untrusted> {
    let mut tree = Tree::at("/");
    tree.requires_private_groups = true;
    tree.service = tree.user_id(account);
    tree.check_trusted(path)
}

/// Checks a program as [`check`] does, but allows groups without members to write, such as Debian's `staff` in
/// `/usr/local`.
///
/// # Errors
/// As [`check`].
pub fn check_program(path: &Path) -> Result<Option<Stat>, Untrusted> {
    Tree::at("/").check_trusted(path)
}

/// The maximum nesting of directories with code. A link to a directory above is followed up to this depth.
const MAX_DEPTH: usize = 32;

/// Checks that only root and the caller control a directory and everything in it.
///
/// # Errors
/// As [`check`], for the first entry that others control.
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
        // The directory above is ours, so that no other user replaces an entry that is ours, too.
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
    /// Checks a file of this tree as [`check_program`] does: no other user controls its path or can change its content.
    ///
    /// # Errors
    /// As [`check`].
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

    /// Returns the metadata of a path, and who else controls it. For a path that does not exist, checks the
    /// directories that do.
    fn examine(&self, path: &Path) -> io::Result<(Option<Stat>, Option<Controller>)> {
        for existing in path.ancestors() {
            let walked = match self.walk(existing, true) {
                Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => continue,
                walked => walked?,
            };
            let controller = match walked.controllers.first() {
                // A file that is created there later is checked then.
                Some(controller) if walked.stat.is_none() && controller.stat.mode() & STICKY != 0 => None,
                Some(controller) => Some(controller.clone()),
                None if existing == path => self.controller_of(&walked)?,
                None => None,
            };
            return Ok((walked.stat.filter(|_| existing == path), controller));
        }
        Ok((None, None))
    }

    /// Returns who else owns or can write to the target of a path. The sticky bit does not prevent others from adding
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
        // Only name the path in question if another component is the problem.
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
            // Such as `/tmp`: the file in it has several hard links, and another user may have created each of them.
            "use a copy in a directory that only root can write to".to_owned()
        };
        Untrusted { message: format!("{prefix}`{shown}` is writable {by} (owner `{}`, {mode})", self.user_name(stat.uid)), help }
    }
}
