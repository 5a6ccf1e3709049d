//! Owners and permissions, changed by descriptor.

use super::control::{Controller, Who};
use super::directory::by_descriptor;
use super::{Place, Stat, Tree};
use rustix::fs::{self, AtFlags, Gid, Mode, OFlags, Uid};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

/// Who owns a file and who may do what with it. What is not set is kept; something new gets what this process gives all it
/// makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The number of its owner.
    pub owner: Option<u32>,
    /// The number of its group.
    pub group: Option<u32>,
    /// Its permissions.
    pub mode: Option<u32>,
}

/// setuid and setgid.
const SPECIAL: u32 = 0o6000;
/// Writable by the group and by all.
const SHARED: u32 = 0o022;

impl Access {
    fn changes_owner(&self, stat: &Stat) -> bool {
        self.owner.is_some_and(|uid| uid != stat.uid)
    }

    fn changes_group(&self, stat: &Stat) -> bool {
        self.group.is_some_and(|gid| gid != stat.gid)
    }

    /// Returns the permissions that a file with these keeps. What one user allowed is not allowed by the next: without a mode of
    /// its own a file of another owner is not writable by others, and no program runs with the rights of its new owner or group.
    pub(super) fn kept_mode(&self, stat: &Stat) -> u32 {
        if let Some(mode) = self.mode {
            return mode;
        }
        let mut mode = stat.mode();
        if self.changes_owner(stat) {
            mode &= !SHARED;
        }
        // On a directory setgid only says whose group new entries have.
        if !stat.is_dir() && (self.changes_owner(stat) || self.changes_group(stat)) {
            mode &= !SPECIAL;
        }
        mode
    }
}

impl Tree {
    /// Gives what is at a path another owner or group; `mode` says which permissions it has afterwards, see
    /// [`Access`]. Without one setuid and setgid go, and with another owner the right of others to write.
    ///
    /// # Errors
    /// When it cannot be done, or is refused.
    pub fn set_owner(&self, path: &Path, access: Access, follow: bool) -> io::Result<()> {
        let (fd, stat) = self.open_for_change(path, follow)?;
        if access.changes_owner(&stat) || access.changes_group(&stat) { self.give(&fd, &stat, access) } else { Ok(()) }
    }

    /// Gives what is at a path other permissions. A symbolic link has none.
    ///
    /// # Errors
    /// When it cannot be done, or is refused.
    pub fn set_mode(&self, path: &Path, mode: u32, follow: bool) -> io::Result<()> {
        let (fd, stat) = self.open_for_change(path, follow)?;
        if stat.is_symlink() { Ok(()) } else { set_mode(&fd, mode) }
    }

    /// Opens what is to be changed. A file with several names is changed only where only its owner could have made them.
    fn open_for_change(&self, path: &Path, follow: bool) -> io::Result<(OwnedFd, Stat)> {
        let open = |place: &Place| -> io::Result<(OwnedFd, Stat)> {
            let fd = place.directory.handle(&place.name)?;
            let stat = Stat::new(&fs::fstat(&fd)?);
            Ok((fd, stat))
        };
        let (fd, stat) = open(&self.find(path, follow)?)?;
        if stat.is_dir() || stat.nlink <= 1 {
            return Ok((fd, stat));
        }
        let walked = self.walk(path, follow)?;
        let (fd, stat) = open(&walked.place)?;
        self.check_hard_link(&walked.place, &stat, &walked.controllers)?;
        Ok((fd, stat))
    }

    pub(super) fn check_hard_link(&self, place: &Place, stat: &Stat, controllers: &[Controller]) -> io::Result<()> {
        let is_own = |c: &&Controller| c.who != Who::User(stat.uid);
        match controllers.iter().find(is_own).filter(|_| !stat.is_dir() && stat.nlink > 1) {
            Some(controller) => Err(self.refused_hard_link(place.path(), stat, controller)),
            None => Ok(()),
        }
    }

    /// Changes the owner of what is open.
    pub(super) fn give(&self, fd: &OwnedFd, stat: &Stat, access: Access) -> io::Result<()> {
        if stat.is_symlink() {
            if access.changes_owner(stat)
                && !self.trusts(stat.uid)
                && let Ok(mut adopted) = self.adopted.lock()
            {
                adopted.insert((stat.dev, stat.ino));
            }
            return own(fd, access);
        }
        // First of all, so that no other user can open it for writing when it has its new owner.
        let kept = access.kept_mode(stat);
        if access.mode.is_none() && kept != stat.mode() {
            set_mode(fd, kept)?;
        }
        own(fd, access)?;
        let now = Stat::new(&fs::fstat(fd)?);
        // The old owner may have changed it meanwhile.
        let kept = access.mode.unwrap_or(now.mode() & kept);
        if now.mode() == kept { Ok(()) } else { set_mode(fd, kept) }
    }
}

/// Sets owner and group of an open file; any kind of descriptor will do.
pub(super) fn own(fd: impl AsFd, access: Access) -> io::Result<()> {
    if access.owner.is_none() && access.group.is_none() {
        return Ok(());
    }
    let (uid, gid) = (access.owner.map(Uid::from_raw), access.group.map(Gid::from_raw));
    Ok(fs::chownat(fd, "", uid, gid, AtFlags::EMPTY_PATH)?)
}

/// Sets the permissions of an open file; any kind of descriptor will do, which `fchmod` alone does not accept.
pub(super) fn set_mode(fd: impl AsFd, mode: u32) -> io::Result<()> {
    let mode = Mode::from_raw_mode(mode);
    match fs::chmod(by_descriptor(&fd), mode) {
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => {
            // Without `/proc`; of a directory `.` can be opened.
            let opened = fs::openat(&fd, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
            Ok(fs::fchmod(opened, mode)?)
        }
        other => Ok(other?),
    }
}

impl Tree {
    /// Gives all that is at a path and below it another owner or group, of links themselves; see [`Tree::set_owner`].
    ///
    /// # Errors
    /// When it cannot be done, or is refused.
    pub fn set_owner_of_all(&self, path: &Path, access: Access) -> io::Result<()> {
        let walked = self.walk(path, false)?;
        self.give_all(&walked.place, walked.controllers, access)
    }

    fn give_all(&self, place: &Place, controllers: Vec<Controller>, access: Access) -> io::Result<()> {
        let fd = place.directory.handle(&place.name)?;
        let stat = Stat::new(&fs::fstat(&fd)?);
        self.check_hard_link(place, &stat, &controllers)?;
        let below = if stat.is_dir() { Some(Arc::new(place.directory.directory(&place.name)?)) } else { None };
        if access.changes_owner(&stat) || access.changes_group(&stat) {
            self.give(&fd, &stat, access)?;
        }
        let Some(directory) = below else { return Ok(()) };
        drop(fd);
        // Who controls the entries is decided by what the directory was.
        for name in directory.names()? {
            let entry = match directory.stat_of(&name) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                other => other?,
            };
            let mut controllers = controllers.clone();
            self.add_controllers(&directory, &stat, Some(&entry), || directory.path().join(&name), &mut controllers);
            self.give_all(&Place::of(&directory, &name), controllers, access)?;
        }
        Ok(())
    }
}
