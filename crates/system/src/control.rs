//! Who controls what is at a path.
//!
//! A directory is controlled by its owner and by everyone who can write to it. In a sticky directory others can only replace
//! entries of their own. Root and the user of this process are trusted; so is a group that has no other members, and root's.

use super::{Directory, Stat, Tree};
use std::fmt;
use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;

/// Somebody who is not trusted and decides what is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Controller {
    pub(super) who: Who,
    /// The directory on the way, or the entry in a sticky one, that is theirs or that they can write to.
    pub(super) path: PathBuf,
    pub(super) stat: Stat,
}

/// By what right somebody controls a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The owner.
    User(u32),
    /// The members of a group that can write there.
    Group(u32),
    /// Everyone can write there.
    Everyone,
}

/// Why a path is not followed, or a file is not changed: another user controls it.
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

    /// Adds those who decide what an entry of a directory is; of one that is missing, those who can make it.
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
        // A hard link can be made to a file of anybody's.
        match entry.filter(|entry| of.mode() & 0o1000 != 0 && (entry.is_dir() || entry.nlink == 1)) {
            Some(entry) if self.trusts(entry.uid) => {}
            Some(entry) => add(Controller { who: Who::User(entry.uid), path: path(), stat: *entry }),
            None => add(Controller { who, path: directory.path.clone(), stat: *of }),
        }
    }

    /// Returns who may write to what is open because of its permissions, if somebody may who is not trusted.
    pub(super) fn writer(&self, opened: impl AsFd, stat: &Stat) -> Option<Who> {
        if stat.mode() & 0o002 != 0 {
            return Some(Who::Everyone);
        }
        (stat.mode() & 0o020 != 0 && !self.is_group_trusted(opened, stat.gid)).then_some(Who::Group(stat.gid))
    }

    /// Whether a user can do no more than this process could anyway.
    pub(super) fn trusts(&self, uid: u32) -> bool {
        uid == 0 || uid == file_system_uid()
    }

    /// Whether all members of the group that can write to something are trusted. An access control list may let others write, and
    /// what cannot be read may be one.
    fn is_group_trusted(&self, opened: impl AsFd, gid: u32) -> bool {
        match xattr::get_deref(super::directory::by_descriptor(opened), "system.posix_acl_access") {
            Ok(None) => {}
            Err(e) if e.raw_os_error() == Some(nix::libc::EOPNOTSUPP) => {}
            Ok(Some(_)) | Err(_) => return false,
        }
        gid == 0 || self.has_only_trusted_members(gid).unwrap_or(false)
    }

    /// As the files of accounts say; of a group that they do not list nothing is known. A group that nobody is in is no one's
    /// private group.
    fn has_only_trusted_members(&self, gid: u32) -> Option<bool> {
        let (users, groups) = (self.account_file("/etc/passwd")?, self.account_file("/etc/group")?);
        let user_of = |line: &str| {
            let mut fields = line.split(':');
            Some((fields.next()?.to_owned(), fields.nth(1)?.parse::<u32>().ok()?, fields.next()?.parse::<u32>().ok()?))
        };
        let users: Vec<(String, u32, u32)> = users.lines().filter_map(user_of).collect();
        let line = groups.lines().find(|line| line.split(':').nth(2).and_then(|n| n.parse().ok()) == Some(gid))?;
        let listed = line.split(':').nth(3).unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty());
        // Whether each member is trusted.
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

    /// The name of a user, or the number of one without a name.
    pub(super) fn user_name(&self, uid: u32) -> String {
        self.name_of("/etc/passwd", uid).unwrap_or_else(|| uid.to_string())
    }

    /// The name of a group, or the number of one without a name.
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

    /// The error of a symbolic link that is not followed.
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

    /// The error of a file with other names, one of which another user may have made to have it changed.
    pub(super) fn refused_hard_link(&self, path: PathBuf, stat: &Stat, controller: &Controller) -> io::Error {
        let message = format!(
            "{} is one of {} hard links to a file that belongs to {}, and {}",
            path.display(),
            stat.nlink,
            self.user(stat.uid),
            self.described(controller)
        );
        let help = "remove the other names, or replace the file by a copy";
        io::Error::other(Refused { message, help, controller: controller.clone() })
    }
}
