//! Starts mount(8) and umount(8).
//!
//! Both programs resolve the mount point once more, so that another user who controls a directory of the path could redirect them with a
//! symbolic link. Where that is possible, rtype opens the directory, and the program receives `.` or the last component, which the kernel
//! resolves from the open directory.

use super::parsed::Line;
use crate::system::Command;
use crate::{ProviderError, System};
use rtype_system::Directory;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long mounting may take: a journal may have to be replayed, a server may be slow to answer.
const PATIENCE: Duration = Duration::from_secs(300);

/// A mount point and its line in `/etc/fstab`, for the programs that mount and unmount.
pub(super) struct MountPoint<'a> {
    pub(super) system: &'a System,
    pub(super) path: &'a str,
    pub(super) line: Option<&'a Line>,
}

impl MountPoint<'_> {
    /// Mounts the file system of the line.
    ///
    /// # Errors
    /// If mount(8) fails, or if another user controls the path and the file system needs a program of its own.
    pub(super) fn mount(&self) -> Result<(), ProviderError> {
        match self.refused() {
            Ok(()) => self.run(self.command("mount").args(["--", self.path])),
            Err(refused) => self.mount_inside(&refused, None),
        }
    }

    /// Applies the options of the line to the mounted file system (`mount -o remount`).
    ///
    /// # Errors
    /// As [`MountPoint::mount`].
    pub(super) fn remount(&self) -> Result<(), ProviderError> {
        match self.refused() {
            Ok(()) => self.run(self.command("mount").args(["-o", "remount", "--", self.path])),
            Err(refused) => self.mount_inside(&refused, Some("remount")),
        }
    }

    /// Unmounts it.
    ///
    /// # Errors
    /// If umount(8) fails, or if the path leads through a symbolic link of another user.
    pub(super) fn unmount(&self) -> Result<(), ProviderError> {
        if self.refused().is_ok() {
            return self.run(self.command("umount").args(["--", self.path]));
        }
        let place = self.system.tree().place(Path::new(self.path)).map_err(|e| self.unresolved(&e))?;
        let command = self.command("umount").inside(Arc::clone(place.directory()));
        command.args(["--no-canonicalize", "--internal-only", "--"]).arg(place.name()).succeed().map(drop)
    }

    fn command(&self, program: &str) -> Command<'_> {
        self.system.command(program).time_limit(Some(PATIENCE))
    }

    /// Runs a program that resolves the path itself.
    fn run(&self, command: Command<'_>) -> Result<(), ProviderError> {
        command.own_path(self.path).succeed().map(drop)
    }

    /// Returns the error of a path that another user controls.
    fn refused(&self) -> Result<(), ProviderError> {
        self.system.check_path(self.path)
    }

    /// Mounts on a directory that is open. mount(8) then reads no table, and starts no program of the file system, which would need a path.
    fn mount_inside(&self, refused: &ProviderError, option: Option<&str>) -> Result<(), ProviderError> {
        let Some(line) = self.line else { return Err(cannot_run("mount", refused)) };
        let fstype = line.fstype.as_deref().unwrap_or("auto");
        let directory = self.open(refused, fstype)?;
        let options = option.into_iter().chain(line.options.as_deref()).collect::<Vec<_>>().join(",");
        let options = if options.is_empty() { "defaults".to_owned() } else { options };
        let command = self.command("mount").inside(directory).args(["--no-canonicalize", "--internal-only", "-t", fstype, "-o"]);
        command.arg(options).arg("--").arg(line.device.as_str()).arg(".").succeed().map(drop)
    }

    /// Opens the directory for a file system that needs no program of its own.
    fn open(&self, refused: &ProviderError, fstype: &str) -> Result<Arc<Directory>, ProviderError> {
        if self.system.which(&format!("mount.{fstype}")).is_some() {
            return Err(cannot_run("mount", refused));
        }
        self.system.tree().directory(Path::new(self.path)).map_err(|e| self.unresolved(&e))
    }

    /// Returns the error that mounting a file system of this type would have because another user controls the path.
    pub(super) fn foreseen(&self, fstype: &str) -> Option<ProviderError> {
        self.open(&self.refused().err()?, fstype).err()
    }

    fn unresolved(&self, error: &std::io::Error) -> ProviderError {
        ProviderError::new(format!("cannot open the mount point {}: {error}", self.path))
    }
}

fn cannot_run(program: &str, refused: &ProviderError) -> ProviderError {
    refused.clone().context(format!("cannot run `{program}`: "))
}
