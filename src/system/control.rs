//! Who controls what is at a path.
//!
//! A directory is controlled by its owner and by everyone who can write to it. In a sticky directory others can only replace
//! entries of their own. Root and the user of this process are trusted; so is a group that has no other members, and root's.

use super::{Directory, Stat, Tree};
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A user or group that is not trusted and decides what is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Controller {
    /// The owner of the directory or of the entry in a sticky one.
    User(u32, PathBuf),
    /// The members of a group that can write to a directory.
    Group(u32, PathBuf),
    /// A directory that everyone can write to.
    Everyone(PathBuf),
}

/// Why a path is not followed, or a file is not changed: another user controls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    message: String,
    help: &'static str,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

/// Returns how to get round a refusal; nothing for other errors.
pub fn help_of(error: &io::Error) -> Option<&'static str> {
    error.get_ref()?.downcast_ref::<Refused>().map(|refused| refused.help)
}

/// Returns the user with whose rights this thread reaches files. It is that of the process unless the thread has taken another's.
pub(super) fn file_system_uid() -> u32 {
    // A number that no user has changes nothing, and the answer is the one that counts.
    nix::unistd::setfsuid(nix::unistd::Uid::from_raw(u32::MAX)).as_raw()
}

impl Tree {
    /// Returns an error if anybody but root and this process decides what is at a path.
    ///
    /// # Errors
    /// As [`Tree::place`], and when another user does; the message says who.
    pub fn check_own(&self, path: &std::path::Path) -> io::Result<()> {
        match self.walk(path, false)?.controllers.first() {
            Some(controller) => Err(io::Error::other(self.described(controller))),
            None => Ok(()),
        }
    }

    /// Adds those who decide what an entry of a directory is.
    pub(super) fn add_controllers(
        &self,
        directory: &Directory,
        of: &Stat,
        entry: &Stat,
        path: impl Fn() -> PathBuf,
        to: &mut Vec<Controller>,
    ) {
        let mut add = |controller: Controller| {
            if !to.contains(&controller) {
                to.push(controller);
            }
        };
        if !self.trusts(of.uid) {
            add(Controller::User(of.uid, directory.path.clone()));
        }
        let by_all = of.mode() & 0o002 != 0;
        let by_group = of.mode() & 0o020 != 0 && !self.is_group_trusted(directory, of.gid);
        if !by_all && !by_group {
            return;
        }
        // A hard link can be made to a file of anybody's.
        let is_protected = of.mode() & 0o1000 != 0 && (entry.is_dir() || entry.nlink == 1);
        if is_protected {
            if !self.trusts(entry.uid) {
                add(Controller::User(entry.uid, path()));
            }
        } else if by_all {
            add(Controller::Everyone(directory.path.clone()));
        } else {
            add(Controller::Group(of.gid, directory.path.clone()));
        }
    }

    /// Whether a user can do no more than this process could anyway.
    pub(super) fn trusts(&self, uid: u32) -> bool {
        uid == 0 || uid == file_system_uid()
    }

    /// Whether all members of the group that can write to a directory are trusted. An access control list may let others write.
    fn is_group_trusted(&self, directory: &Directory, gid: u32) -> bool {
        let list = xattr::get_deref(super::directory::by_descriptor(directory), "system.posix_acl_access");
        !matches!(list, Ok(Some(_))) && (gid == 0 || self.has_only_trusted_members(gid).unwrap_or(false))
    }

    /// As the files of accounts say; of a group that they do not list nothing is known.
    fn has_only_trusted_members(&self, gid: u32) -> Option<bool> {
        let (users, groups) = (self.account_file("/etc/passwd")?, self.account_file("/etc/group")?);
        let user_of = |line: &str| {
            let mut fields = line.split(':');
            Some((fields.next()?.to_owned(), fields.nth(1)?.parse::<u32>().ok()?, fields.next()?.parse::<u32>().ok()?))
        };
        let users: Vec<(String, u32, u32)> = users.lines().filter_map(user_of).collect();
        let line = groups.lines().find(|line| line.split(':').nth(2).and_then(|n| n.parse().ok()) == Some(gid))?;
        let members = line.split(':').nth(3).unwrap_or_default();
        let is_trusted = |name: &str| users.iter().any(|(user, uid, _)| user == name && self.trusts(*uid));
        let listed = members.split(',').map(str::trim).filter(|name| !name.is_empty()).all(is_trusted);
        Some(listed && users.iter().all(|(_, uid, primary)| *primary != gid || self.trusts(*uid)))
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

    fn user(&self, uid: u32) -> String {
        self.name_of("/etc/passwd", uid).map_or_else(|| format!("user {uid}"), |name| format!("user `{name}`"))
    }

    fn described(&self, controller: &Controller) -> String {
        match controller {
            Controller::User(uid, path) => format!("{} belongs to {}", path.display(), self.user(*uid)),
            Controller::Group(gid, path) => {
                let group = self.name_of("/etc/group", *gid).map_or_else(|| gid.to_string(), |name| format!("`{name}`"));
                format!("group {group} can write to {}", path.display())
            }
            Controller::Everyone(path) => format!("everyone can write to {}", path.display()),
        }
    }

    /// The error of a symbolic link that is not followed.
    pub(super) fn refused_link(&self, link: PathBuf, stat: &Stat, controllers: &[Controller]) -> io::Error {
        let why = match controllers.first() {
            Some(Controller::User(uid, path)) if *path == link => format!("it belongs to {}", self.user(*uid)),
            Some(controller) => self.described(controller),
            None => format!("it belongs to {}", self.user(stat.uid)),
        };
        let message = format!("{} is a symbolic link that another user controls: {why}", link.display());
        io::Error::other(Refused { message, help: "use the path that the link leads to, or let root own the link and its directory" })
    }

    /// The error of a file with other names, one of which another user may have made to have it changed.
    pub(super) fn refused_hard_link(&self, path: PathBuf, stat: &Stat, controller: &Controller) -> io::Error {
        let message = format!(
            "{} is one of {} hard links to a file that belongs to {}, and {}",
            path.display(),
            stat.nlink,
            self.user(stat.uid),
            self.described(controller)
        );
        io::Error::other(Refused { message, help: "remove the other names, or replace the file by a copy" })
    }
}
