//! Determines which users control a path.
//!
//! A directory's owner and all users with write permission control the directory. In a sticky directory, other users can only replace their
//! own entries. Trusted are root, this process's user, root's group, and groups without other members.

use super::{Directory, Stat, Tree};
use std::fmt;
use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;

/// An untrusted user or group that can change the target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Controller {
    pub(super) who: Who,
    /// The directory on the path, or the entry in a sticky directory, that the controller owns or can write to.
    pub(super) path: PathBuf,
    pub(super) stat: Stat,
}

/// The way in which a user or group controls a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The owner.
    User(u32),
    /// The members of a group with write permission.
    Group(u32),
    /// Everyone has write permission.
    Everyone,
}

/// The error for a path that is not followed, or a file that is not changed, because another user controls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    message: String,
    help: &'static str,
    pub(super) controller: Controller,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

/// Returns the help for a [`Refused`] error, `None` for other errors.
pub fn help_of(error: &io::Error) -> Option<&'static str> {
    error.get_ref()?.downcast_ref::<Refused>().map(|refused| refused.help)
}

/// Returns the user ID that the kernel uses for file access by this thread. A thread can change this ID, so it may differ from the
/// process's user ID.
pub(super) fn file_system_uid() -> u32 {
    // For an invalid ID, the call keeps and returns the current ID.
    nix::unistd::setfsuid(nix::unistd::Uid::from_raw(u32::MAX)).as_raw()
}

impl Tree {
    /// Returns an error if users other than root and this process's user control a path. For a missing path, the nearest existing parent is
    /// checked.
    ///
    /// # Errors
    /// The same as for [`Tree::place`], and if another user controls the path. The message names the user.
    pub fn check_own(&self, path: &std::path::Path) -> io::Result<()> {
        for existing in path.ancestors() {
            let walked = match self.walk(existing, false) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                walked => walked?,
            };
            return match walked.controllers.first() {
                Some(controller) => Err(io::Error::other(self.described(controller))),
                None => Ok(()),
            };
        }
        Ok(())
    }

    /// Adds all users and groups that control a directory entry. For a missing entry, adds all users and groups that can create it.
    pub(super) fn add_controllers(
        &self,
        directory: &Directory,
        of: &Stat,
        entry: Option<&Stat>,
        path: impl Fn() -> PathBuf,
        to: &mut Vec<Controller>,
    ) {
        let mut add = |controller: Controller| {
            if !to.contains(&controller) {
                to.push(controller);
            }
        };
        if !self.trusts(of.uid) {
            add(Controller { who: Who::User(of.uid), path: directory.path.clone(), stat: *of });
        }
        let Some(who) = self.writer(directory, of) else { return };
        // Any user can create a hard link to any file.
        match entry.filter(|entry| of.mode() & 0o1000 != 0 && (entry.is_dir() || entry.nlink == 1)) {
            Some(entry) if self.trusts(entry.uid) => {}
            Some(entry) => add(Controller { who: Who::User(entry.uid), path: path(), stat: *entry }),
            None => add(Controller { who, path: directory.path.clone(), stat: *of }),
        }
    }

    /// Returns who may write to an open file according to the permission bits; `None` if only trusted users may.
    pub(super) fn writer(&self, opened: impl AsFd, stat: &Stat) -> Option<Who> {
        if stat.mode() & 0o002 != 0 {
            return Some(Who::Everyone);
        }
        (stat.mode() & 0o020 != 0 && !self.is_group_trusted(opened, stat.gid)).then_some(Who::Group(stat.gid))
    }

    /// Returns true if a user has no rights beyond those of this process.
    pub(super) fn trusts(&self, uid: u32) -> bool {
        uid == 0 || uid == file_system_uid() || Some(uid) == self.service
    }

    /// Returns true if all members of the group with write permission are trusted. A file with an access control list is not trusted,
    /// because the list may grant write access to other users. The same applies if the list cannot be read.
    fn is_group_trusted(&self, opened: impl AsFd, gid: u32) -> bool {
        match xattr::get_deref(super::directory::by_descriptor(opened), "system.posix_acl_access") {
            Ok(None) => {}
            Err(e) if e.raw_os_error() == Some(nix::libc::EOPNOTSUPP) => {}
            Ok(Some(_)) | Err(_) => return false,
        }
        gid == 0 || self.has_only_trusted_members(gid).unwrap_or(false)
    }

    /// Returns true if all members listed in `/etc/passwd` and `/etc/group` are trusted; `None` for an unlisted group. An empty group does
    /// not count as a user's private group.
    fn has_only_trusted_members(&self, gid: u32) -> Option<bool> {
        let (users, groups) = (self.account_file("/etc/passwd")?, self.account_file("/etc/group")?);
        let user_of = |line: &str| {
            let mut fields = line.split(':');
            Some((fields.next()?.to_owned(), fields.nth(1)?.parse::<u32>().ok()?, fields.next()?.parse::<u32>().ok()?))
        };
        let users: Vec<(String, u32, u32)> = users.lines().filter_map(user_of).collect();
        let line = groups.lines().find(|line| line.split(':').nth(2).and_then(|n| n.parse().ok()) == Some(gid))?;
        let listed = line.split(':').nth(3).unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty());
        // The elements are true for trusted members.
        let listed = listed.map(|name| users.iter().any(|(user, uid, _)| user == name && self.trusts(*uid)));
        let primary = users.iter().filter(|(_, _, primary)| *primary == gid).map(|(_, uid, _)| self.trusts(*uid));
        let members: Vec<bool> = listed.chain(primary).collect();
        Some(members.iter().all(|is_trusted| *is_trusted) && !(self.requires_private_groups && members.is_empty()))
    }

    fn account_file(&self, path: &str) -> Option<String> {
        let bytes = self.read(path.as_ref(), super::Limit::TEXT).ok()??;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn name_of(&self, file: &str, id: u32) -> Option<String> {
        let text = self.account_file(file)?;
        let line = text.lines().find(|line| line.split(':').nth(2).and_then(|n| n.parse().ok()) == Some(id))?;
        line.split(':').next().map(str::to_owned)
    }

    /// Returns the user ID of a name in `/etc/passwd`.
    pub(super) fn user_id(&self, name: &str) -> Option<u32> {
        let text = self.account_file("/etc/passwd")?;
        let line = text.lines().find(|line| line.split(':').next() == Some(name))?;
        line.split(':').nth(2)?.parse().ok()
    }

    /// Returns a user's name, or the user ID if the user has no name.
    pub(super) fn user_name(&self, uid: u32) -> String {
        self.name_of("/etc/passwd", uid).unwrap_or_else(|| uid.to_string())
    }

    /// Returns a group's name, or the group ID if the group has no name.
    pub(super) fn group_name(&self, gid: u32) -> String {
        self.name_of("/etc/group", gid).unwrap_or_else(|| gid.to_string())
    }

    fn user(&self, uid: u32) -> String {
        self.name_of("/etc/passwd", uid).map_or_else(|| format!("user {uid}"), |name| format!("user `{name}`"))
    }

    fn described(&self, controller: &Controller) -> String {
        let path = controller.path.display();
        match controller.who {
            Who::User(uid) => format!("{path} belongs to {}", self.user(uid)),
            Who::Group(gid) => {
                let group = self.name_of("/etc/group", gid).map_or_else(|| gid.to_string(), |name| format!("`{name}`"));
                format!("group {group} can write to {path}")
            }
            Who::Everyone => format!("everyone can write to {path}"),
        }
    }

    /// Returns the error for a symbolic link that is not followed.
    pub(super) fn refused_link(&self, link: PathBuf, stat: &Stat, controllers: &[Controller]) -> io::Error {
        let owner = || Controller { who: Who::User(stat.uid), path: link.clone(), stat: *stat };
        let controller = controllers.first().cloned().unwrap_or_else(owner);
        let why = match controller.who {
            Who::User(uid) if controller.path == link => format!("it belongs to {}", self.user(uid)),
            _ => self.described(&controller),
        };
        let message = format!("{} is a symbolic link that another user controls: {why}", link.display());
        let help = "use the path that the link leads to, or let root own the link and its directory";
        io::Error::other(Refused { message, help, controller })
    }

    /// Returns the error for a file with several hard links. Another user may have created a link so that rtype changes the file.
    pub(super) fn refused_hard_link(&self, path: PathBuf, stat: &Stat, controller: &Controller) -> io::Error {
        let message = format!(
            "{} is among {} hard links to a file of {}, and {}",
            path.display(),
            stat.nlink,
            self.user(stat.uid),
            self.described(controller)
        );
        let help = "remove the other names, or replace the file by a copy";
        io::Error::other(Refused { message, help, controller: controller.clone() })
    }
}
