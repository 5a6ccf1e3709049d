//! Resolution of paths to open directories.

use super::control::Controller;
use super::{Directory, Stat};
use rustix::fs::{self, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// The maximum number of symbolic links in a path, as in the kernel.
const MOST_LINKS: u32 = 40;
/// The maximum length of a path in bytes, as in the kernel.
const LONGEST: usize = 4096;

/// The root of a machine: `/`, or a directory of fixtures. Directories above it are not checked.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    opened: OnceLock<Arc<Directory>>,
    /// The device and inode of links that belonged to another user before this process changed their owner. That user chose the target.
    pub(super) adopted: Arc<Mutex<HashSet<(u64, u64)>>>,
    /// Directories from which this process has removed leftovers of killed runs.
    pub(super) swept: Mutex<HashSet<PathBuf>>,
    /// True if an empty group is untrusted, because it may have members outside the account files.
    pub(super) requires_private_groups: bool,
    /// The user ID of a trusted service account, in addition to root and this process's user.
    pub(super) service: Option<u32>,
}

/// A name in an open directory.
#[derive(Clone, Debug)]
pub struct DirectoryEntry {
    pub(super) directory: Arc<Directory>,
    pub(super) name: OsString,
}

/// An open file. The value refers to the same file even if the path leads elsewhere now.
#[derive(Debug)]
pub struct Held(std::os::fd::OwnedFd);

impl Held {
    /// Returns the metadata.
    ///
    /// # Errors
    /// If `fstat` fails.
    pub fn stat(&self) -> io::Result<Stat> {
        Ok(Stat::new(&fs::fstat(&self.0)?))
    }

    /// Returns a path to the file for child processes with the same rights.
    pub fn path(&self) -> PathBuf {
        format!("/proc/{}/fd/{}", std::process::id(), std::os::fd::AsRawFd::as_raw_fd(&self.0)).into()
    }
}

/// A directory on the way, and the other users who control it.
#[derive(Clone, Debug)]
struct Step {
    directory: Arc<Directory>,
    stat: Stat,
    controllers: Vec<Controller>,
}

/// The result of resolving a path component by component.
#[derive(Debug)]
pub(super) struct Walked {
    pub(super) place: DirectoryEntry,
    /// The metadata, `None` for a missing path.
    pub(super) stat: Option<Stat>,
    /// The other users who control the path.
    pub(super) controllers: Vec<Controller>,
}

impl Tree {
    /// Returns the tree below a directory.
    pub fn at(root: impl Into<PathBuf>) -> Tree {
        Tree {
            root: root.into(),
            opened: OnceLock::new(),
            adopted: Arc::default(),
            swept: Mutex::default(),
            requires_private_groups: false,
            service: None,
        }
    }

    /// Returns the root directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn top(&self) -> io::Result<Arc<Directory>> {
        if let Some(opened) = self.opened.get() {
            return Ok(Arc::clone(opened));
        }
        let fd = fs::open(&self.root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Arc::clone(self.opened.get_or_init(|| Arc::new(Directory { fd, path: "/".into(), depth: 0 }))))
    }

    /// Resolves a path; the last component is not followed.
    ///
    /// # Errors
    /// If a directory is missing, or another user controls a symbolic link on the way.
    pub fn place(&self, path: &Path) -> io::Result<DirectoryEntry> {
        let (parent, name) = split(path)?;
        Ok(DirectoryEntry { directory: self.directory(parent)?, name: name.to_owned() })
    }

    /// Resolves a path, and follows a symbolic link at the end. The target may be missing.
    ///
    /// # Errors
    /// The same as for [`Tree::place`], and if another user controls the last link.
    pub fn follow(&self, path: &Path) -> io::Result<DirectoryEntry> {
        let place = self.place(path)?;
        match place.stat() {
            Ok(Some(stat)) if stat.is_symlink() => Ok(self.walk(path, true)?.place),
            _ => Ok(place),
        }
    }

    /// Resolves a path; the last component is followed only if `follow` is set.
    ///
    /// # Errors
    /// The same as for [`Tree::place`] and [`Tree::follow`].
    pub fn find(&self, path: &Path, follow: bool) -> io::Result<DirectoryEntry> {
        if follow { self.follow(path) } else { self.place(path) }
    }

    /// Returns a file's metadata by path, `None` for a missing file.
    ///
    /// # Errors
    /// If the metadata cannot be determined.
    pub fn look(&self, path: &Path, follow: bool) -> io::Result<Option<Stat>> {
        Ok(self.find_existing(path, follow)?.map(|(_, stat)| stat))
    }

    /// Returns a file's location and metadata by path, `None` for a missing file.
    ///
    /// # Errors
    /// If the metadata cannot be determined.
    pub fn find_existing(&self, path: &Path, follow: bool) -> io::Result<Option<(DirectoryEntry, Stat)>> {
        let place = match self.place(path) {
            Ok(place) => place,
            Err(e) => return missing(e),
        };
        match place.stat()? {
            Some(stat) if follow && stat.is_symlink() => match self.walk(path, true) {
                Ok(walked) => Ok(walked.place.stat()?.map(|stat| (walked.place, stat))),
                Err(e) => missing(e),
            },
            stat => Ok(stat.map(|stat| (place, stat))),
        }
    }

    /// Opens a directory. Links, including the last link, are followed if only root or this process's user controls them.
    ///
    /// # Errors
    /// The same as for [`Tree::place`], and if the path is not a directory.
    pub fn directory(&self, path: &Path) -> io::Result<Arc<Directory>> {
        let top = self.top()?;
        if let Some(fd) = self.open_plain(&top, path) {
            return Ok(Arc::new(Directory { fd, path: shown(path), depth: 0 }));
        }
        let walked = self.walk(path, true)?;
        if walked.place.name == OsStr::new(".") {
            return Ok(walked.place.directory);
        }
        Ok(Arc::new(walked.place.directory.directory(&walked.place.name)?))
    }

    /// Opens a directory at a path without links, with a single system call if the kernel supports it.
    fn open_plain(&self, top: &Directory, path: &Path) -> Option<std::os::fd::OwnedFd> {
        let relative = path.strip_prefix("/").unwrap_or(path);
        if relative.components().any(|c| !matches!(c, Component::Normal(_))) {
            return None;
        }
        let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS | ResolveFlags::BENEATH;
        fs::openat2(top, relative, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty(), resolve).ok()
    }

    /// Resolves a path component by component.
    pub(super) fn walk(&self, path: &Path, follow: bool) -> io::Result<Walked> {
        check(path)?;
        let top = self.top()?;
        let stat = top.stat()?;
        let mut steps = vec![Step { directory: top, stat, controllers: Vec::new() }];
        // The next component is the last element.
        let mut rest: Vec<OsString> = Vec::new();
        push(path, &mut rest);
        let mut links = 0;
        while let Some(name) = rest.pop() {
            if name == OsStr::new("..") {
                if steps.len() > 1 {
                    steps.pop();
                }
                continue;
            }
            let Some(step) = steps.last() else { return Err(Errno::NOENT.into()) };
            let directory = Arc::clone(&step.directory);
            let stat = match directory.stat_of(&name) {
                Ok(stat) => stat,
                Err(e) if e.kind() == io::ErrorKind::NotFound && rest.is_empty() => {
                    let mut controllers = step.controllers.clone();
                    self.add_controllers(&directory, &step.stat, None, || directory.path.join(&name), &mut controllers);
                    return Ok(Walked { place: DirectoryEntry { directory, name }, stat: None, controllers });
                }
                Err(e) => return Err(e),
            };
            let mut controllers = step.controllers.clone();
            self.add_controllers(&directory, &step.stat, Some(&stat), || directory.path.join(&name), &mut controllers);
            let is_last = rest.is_empty();
            if stat.is_symlink() && (!is_last || follow) {
                links += 1;
                if links > MOST_LINKS {
                    return Err(Errno::LOOP.into());
                }
                let target = self.target(&directory, &name, &stat, &controllers)?;
                if target.is_absolute() {
                    steps.truncate(1);
                }
                push(self.inside(&target), &mut rest);
                continue;
            }
            if is_last {
                return Ok(Walked { place: DirectoryEntry { directory, name }, stat: Some(stat), controllers });
            }
            if !stat.is_dir() {
                return Err(Errno::NOTDIR.into());
            }
            let opened = directory.directory(&name)?;
            // Another process may have replaced the directory.
            let stat = opened.stat()?;
            steps.push(Step { directory: Arc::new(opened), stat, controllers });
        }
        // The path ends in a directory that is already open: the root, or the target of `..`.
        let Some(Step { directory, stat, controllers }) = steps.pop() else { return Err(Errno::NOENT.into()) };
        Ok(Walked { place: DirectoryEntry { directory, name: ".".into() }, stat: Some(stat), controllers })
    }

    /// Returns a link's target if only root or this process's user controls the link.
    fn target(&self, directory: &Directory, name: &OsStr, stat: &Stat, controllers: &[Controller]) -> io::Result<PathBuf> {
        let adopted = || self.adopted.lock().is_ok_and(|adopted| adopted.contains(&(stat.dev, stat.ino)));
        if !controllers.is_empty() || !self.trusts(stat.uid) || adopted() {
            return Err(self.refused_link(directory.path.join(name), stat, controllers));
        }
        let fd = directory.handle(name)?;
        if !Stat::new(&fs::fstat(&fd)?).is_same(stat) {
            return Err(super::directory::swapped(&directory.path.join(name)));
        }
        let target = fs::readlinkat(&fd, "", Vec::new())?;
        Ok(PathBuf::from(OsStr::from_bytes(target.to_bytes())))
    }

    /// Removes the fixture root from the beginning of a target.
    fn inside<'a>(&self, target: &'a Path) -> &'a Path {
        if self.root == Path::new("/") { target } else { target.strip_prefix(&self.root).unwrap_or(target) }
    }
}

impl DirectoryEntry {
    /// Returns the open directory.
    pub fn directory(&self) -> &Arc<Directory> {
        &self.directory
    }

    /// Returns the name in the directory.
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// Returns the location of a name in an open directory, for example when processing a batch.
    pub fn of(directory: &Arc<Directory>, name: &OsStr) -> DirectoryEntry {
        DirectoryEntry { directory: Arc::clone(directory), name: name.to_owned() }
    }

    /// Returns the path for messages.
    pub fn path(&self) -> PathBuf {
        if self.name == OsStr::new(".") { self.directory.path.clone() } else { self.directory.path.join(&self.name) }
    }

    /// Returns the metadata without following symbolic links, `None` for a missing file.
    ///
    /// # Errors
    /// If the metadata cannot be determined.
    pub fn stat(&self) -> io::Result<Option<Stat>> {
        match self.directory.stat_of(&self.name) {
            Ok(stat) => Ok(Some(stat)),
            Err(e) => missing(e),
        }
    }

    /// Opens a file with `O_PATH`, without access to the content, so that child processes can inherit the file.
    ///
    /// # Errors
    /// If the file does not exist.
    pub fn hold(&self) -> io::Result<Held> {
        Ok(Held(self.directory.handle(&self.name)?))
    }

    /// Returns the target of a symbolic link.
    ///
    /// # Errors
    /// If the file is not a symbolic link.
    pub fn target(&self) -> io::Result<PathBuf> {
        self.directory.target_of(&self.name)
    }
}

/// Converts the error for a missing path to `None`.
pub(super) fn missing<T>(error: io::Error) -> io::Result<Option<T>> {
    if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) { Ok(None) } else { Err(error) }
}

/// Splits a path into a directory and a name. The root becomes `.` in the root.
pub(super) fn split(path: &Path) -> io::Result<(&Path, &OsStr)> {
    check(path)?;
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok((parent, name)),
        // The path ends in `..` or is the root.
        _ => Ok((path, OsStr::new("."))),
    }
}

fn check(path: &Path) -> io::Result<()> {
    let bytes = path.as_os_str().as_bytes();
    if bytes.len() >= LONGEST {
        return Err(Errno::NAMETOOLONG.into());
    }
    if bytes.contains(&0) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path contains a NUL character"));
    }
    Ok(())
}

/// Pushes the components of a path onto the stack of remaining components, in reverse order.
fn push(path: &Path, rest: &mut Vec<OsString>) {
    rest.extend(path.components().rev().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    }));
}

fn shown(path: &Path) -> PathBuf {
    Path::new("/").join(path.strip_prefix("/").unwrap_or(path))
}
