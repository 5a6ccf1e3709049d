//! Recursive copies.

use super::change::{own, set_mode};
use super::{Access, DirectoryEntry};
use std::fs::{File, FileTimes};
use std::io;
use std::sync::Arc;

impl DirectoryEntry {
    /// Copies a file or directory tree to a path that does not exist yet, with owners, permissions and times.
    /// Symbolic links are copied as links; pipes, sockets and devices are skipped.
    ///
    /// # Errors
    /// If a file cannot be read or created.
    pub fn copy_to(&self, to: &DirectoryEntry) -> io::Result<()> {
        let stat = self.directory.stat_of(&self.name)?;
        let access = Access { owner: Some(stat.uid), group: Some(stat.gid), mode: None };
        let times = |stat: &super::Stat| FileTimes::new().set_modified(stat.modified()).set_accessed(stat.accessed());
        if stat.is_symlink() {
            return to.directory.make_link(&self.target()?, &to.name);
        }
        if stat.is_dir() {
            let (from, made) = (Arc::new(self.directory.directory(&self.name)?), Arc::new(to.directory.make_directory(&to.name)?));
            for name in from.names()? {
                DirectoryEntry::of(&from, &name).copy_to(&DirectoryEntry::of(&made, &name))?;
            }
            own(made.as_ref(), access)?;
            set_mode(made.as_ref(), stat.mode())?;
            return File::from(made.readable()?).set_times(times(&stat));
        }
        if stat.is_file() {
            let ((mut from, stat), mut made) = (self.open()?, to.directory.make_file(&to.name)?);
            io::copy(&mut from, &mut made)?;
            own(&made, access)?;
            set_mode(&made, stat.mode())?;
            made.set_times(times(&stat))?;
        }
        Ok(())
    }
}
