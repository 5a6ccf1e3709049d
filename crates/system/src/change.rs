//! Changes to ownership and permissions, made through file descriptors.

use super::acl;
use super::control::{Controller, Who};
use super::directory::by_descriptor;
use super::{DirectoryEntry, Stat, Tree};
use rustix::fs::{self, AtFlags, Gid, Mode, OFlags, Uid};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

/// A file's owner, group and permissions. A `None` field keeps the current value; a new file gets the process's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The owner's user ID.
    pub owner: Option<u32>,
    /// The group ID.
    pub group: Option<u32>,
    /// The permission bits.
    pub mode: Option<u32>,
}

/// The setuid and setgid bits.
const SPECIAL: u32 = 0o6000;
/// Write permission for the group and for others.
const SHARED: u32 = 0o022;

impl Access {
    fn changes_owner(&self, stat: &Stat) -> bool {
        self.owner.is_some_and(|uid| uid != stat.uid)
    }

    fn changes_group(&self, stat: &Stat) -> bool {
        self.group.is_some_and(|gid| gid != stat.gid)
    }

    /// Returns the permissions of an existing file after this change. Permissions granted by the old owner are not kept: without an
    /// explicit mode, a file with a new owner loses write access for group and others, and a file with a new owner or group loses setuid
    /// and setgid.
    pub fn kept_mode(&self, stat: &Stat) -> u32 {
        if let Some(mode) = self.mode {
            return mode;
        }
        let mut mode = stat.mode();
        if self.changes_owner(stat) {
            mode &= !SHARED;
        }
        // On a directory, setgid only sets the group of new entries.
        if !stat.is_dir() && (self.changes_owner(stat) || self.changes_group(stat)) {
            mode &= !SPECIAL;
        }
        mode
    }
}

impl Tree {
    /// Changes a file's owner and group, and sets the permissions in `access.mode`. Without a mode, setuid and setgid are cleared, and with
    /// a new owner also write access for group and others.
    ///
    /// # Errors
    /// If the operating system refuses the change, or another user controls the path.
    pub fn set_owner(&self, path: &Path, access: Access, follow: bool) -> io::Result<()> {
        let (fd, stat) = self.open_for_change(path, follow)?;
        if access.changes_owner(&stat) || access.changes_group(&stat) { self.give(&fd, &stat, access) } else { Ok(()) }
    }

    /// Changes a file's permissions, except for a symbolic link.
    ///
    /// # Errors
    /// If the operating system refuses the change, or another user controls the path.
    pub fn set_mode(&self, path: &Path, mode: u32, follow: bool) -> io::Result<()> {
        let (fd, stat) = self.open_for_change(path, follow)?;
        if stat.is_symlink() { Ok(()) } else { set_mode(&fd, mode) }
    }

    /// Opens a file for a metadata change. A file with several hard links is only accepted if only the file's owner could have created the
    /// links.
    fn open_for_change(&self, path: &Path, follow: bool) -> io::Result<(OwnedFd, Stat)> {
        let open = |place: &DirectoryEntry| -> io::Result<(OwnedFd, Stat)> {
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

    pub(super) fn check_hard_link(&self, place: &DirectoryEntry, stat: &Stat, controllers: &[Controller]) -> io::Result<()> {
        let is_own = |c: &&Controller| c.who != Who::User(stat.uid);
        match controllers.iter().find(is_own).filter(|_| !stat.is_dir() && stat.nlink > 1) {
            Some(controller) => Err(self.refused_hard_link(place.path(), stat, controller)),
            None => Ok(()),
        }
    }

    /// Changes an open file's owner and group.
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
        // Clear the bits first, so that no other user can open the file for writing once the file has a new owner.
        let kept = access.kept_mode(stat);
        if access.mode.is_none() && kept != stat.mode() {
            set_mode(fd, kept)?;
        }
        own(fd, access)?;
        // The old owner's lists would still grant access to that user. From here on, only the new owner can set lists.
        let of_group = if access.changes_owner(stat) && !self.trusts(stat.uid) { acl::remove(fd)? } else { None };
        let now = Stat::new(&fs::fstat(fd)?);
        // The old owner may have changed the mode in the meantime.
        let kept = access.mode.unwrap_or(now.mode() & kept & of_group.map_or(0o7777, |bits| 0o7707 | bits << 3));
        if now.mode() == kept { Ok(()) } else { set_mode(fd, kept) }
    }
}

/// Sets an open file's owner and group. Accepts any kind of descriptor, including `O_PATH`.
pub(super) fn own(fd: impl AsFd, access: Access) -> io::Result<()> {
    if access.owner.is_none() && access.group.is_none() {
        return Ok(());
    }
    let (uid, gid) = (access.owner.map(Uid::from_raw), access.group.map(Gid::from_raw));
    Ok(fs::chownat(fd, "", uid, gid, AtFlags::EMPTY_PATH)?)
}

/// Sets an open file's permissions. Accepts any kind of descriptor, unlike `fchmod`, which rejects `O_PATH`.
pub(super) fn set_mode(fd: impl AsFd, mode: u32) -> io::Result<()> {
    let mode = Mode::from_raw_mode(mode);
    match fs::chmod(by_descriptor(&fd), mode) {
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => {
            // `/proc` is not mounted. A directory can be reopened as `.`.
            let opened = fs::openat(&fd, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
            Ok(fs::fchmod(opened, mode)?)
        }
        other => Ok(other?),
    }
}

impl Tree {
    /// Changes the owner and group of everything at and below a path; symbolic links are changed themselves. See
    /// [`Tree::set_owner`].
    ///
    /// # Errors
    /// If the operating system refuses the change, or another user controls the path.
    pub fn set_owner_of_all(&self, path: &Path, access: Access) -> io::Result<()> {
        let walked = self.walk(path, false)?;
        self.give_all(&walked.place, walked.controllers, access)
    }

    fn give_all(&self, place: &DirectoryEntry, controllers: Vec<Controller>, access: Access) -> io::Result<()> {
        let fd = place.directory.handle(&place.name)?;
        let stat = Stat::new(&fs::fstat(&fd)?);
        self.check_hard_link(place, &stat, &controllers)?;
        let below = if stat.is_dir() { Some(Arc::new(place.directory.directory(&place.name)?)) } else { None };
        if access.changes_owner(&stat) || access.changes_group(&stat) {
            self.give(&fd, &stat, access)?;
        }
        let Some(directory) = below else { return Ok(()) };
        drop(fd);
        // Use the metadata from before the change to decide who controls the entries.
        for name in directory.names()? {
            let entry = match directory.stat_of(&name) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                other => other?,
            };
            let mut controllers = controllers.clone();
            self.add_controllers(&directory, &stat, Some(&entry), || directory.path().join(&name), &mut controllers);
            self.give_all(&DirectoryEntry::of(&directory, &name), controllers, access)?;
        }
        Ok(())
    }
}
