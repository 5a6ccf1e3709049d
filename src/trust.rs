//! Who controls a path: what rtype runs, or takes types from, must belong to root or the caller.

use crate::system::named;
use nix::unistd::{Gid, Group, Uid, User};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// As many links on the way to a file as the kernel follows.
const MAX_LINKS: usize = 40;

const STICKY: u32 = 0o1000;
const GROUP_WRITE: u32 = 0o020;
const WORLD_WRITE: u32 = 0o002;

/// A path that another user could replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untrusted {
    /// Which component of the path is whose.
    pub message: String,
    /// How its owner makes it safe.
    pub help: String,
}

/// Checks that only root and the caller can decide what is at a path: neither the file or directory itself nor any
/// directory or link on the way to it belongs to others or can be written by them. A path that does not exist passes.
///
/// # Errors
/// The first component that others control.
pub fn check(path: &Path) -> Result<(), Untrusted> {
    match walk(path) {
        Ok(found) => found.map_or(Ok(()), Err),
        // A path that cannot be looked at cannot be used either: opening it reports why.
        Err(_) => Ok(()),
    }
}

fn walk(path: &Path) -> io::Result<Option<Untrusted>> {
    let absolute = std::path::absolute(path)?;
    let mut pending: VecDeque<OsString> = parts(&absolute);
    let mut here = PathBuf::from("/");
    let mut stat = named::link_metadata(&here)?;
    if let Some(found) = problem(path, &here, &stat, pending.is_empty()) {
        return Ok(Some(found));
    }
    let mut links = 0;
    while let Some(part) = pending.pop_front() {
        if part == ".." {
            here.pop();
            stat = named::link_metadata(&here)?;
            continue;
        }
        let next = here.join(&part);
        let found = named::link_metadata(&next)?;
        if found.is_symlink() {
            // In a directory that others may write to, the sticky bit keeps them from replacing links that are not theirs.
            if is_shared(&stat) && !is_own(found.uid()) {
                return Ok(Some(owned(path, &next, &found)));
            }
            links += 1;
            if links > MAX_LINKS {
                return Err(io::Error::from_raw_os_error(nix::libc::ELOOP));
            }
            let target = named::target(&next)?;
            if target.is_absolute() {
                here = PathBuf::from("/");
            }
            for part in parts(&target).into_iter().rev() {
                pending.push_front(part);
            }
        } else {
            if let Some(found) = problem(path, &next, &found, pending.is_empty()) {
                return Ok(Some(found));
            }
            here = next;
        }
        stat = named::link_metadata(&here)?;
    }
    Ok(None)
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let part = |c: Component<'_>| match c {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(part).collect()
}

fn is_own(uid: u32) -> bool {
    uid == 0 || uid == Uid::effective().as_raw()
}

/// Whether others may put entries into a directory without being able to replace those of its owner.
fn is_shared(stat: &Metadata) -> bool {
    stat.is_dir() && stat.mode() & STICKY != 0 && stat.mode() & (WORLD_WRITE | GROUP_WRITE) != 0
}

fn problem(path: &Path, at: &Path, stat: &Metadata, is_last: bool) -> Option<Untrusted> {
    if !is_own(stat.uid()) {
        return Some(owned(path, at, stat));
    }
    if is_shared(stat) && !is_last {
        return None;
    }
    let mode = stat.mode();
    let by_everyone = mode & WORLD_WRITE != 0;
    let by_group = mode & GROUP_WRITE != 0 && !is_private(at, stat);
    if !by_everyone && !by_group {
        return None;
    }
    let who = if by_everyone { "by everyone".to_owned() } else { format!("by the group `{}`", group_name(stat.gid())) };
    Some(Untrusted {
        message: format!(
            "{}`{}` is writable {who} (owner `{}`, mode {:04o})",
            prefix(path, at),
            at.display(),
            user_name(stat.uid()),
            mode & 0o7777
        ),
        help: format!("run `chmod go-w {}`, after a look at what is in it", at.display()),
    })
}

fn owned(path: &Path, at: &Path, stat: &Metadata) -> Untrusted {
    let is_link = stat.is_symlink();
    let (what, option) = if is_link { ("the link ", "-h ") } else { ("", "") };
    let mode = if is_link { String::new() } else { format!(" (mode {:04o})", stat.mode() & 0o7777) };
    let caller = if Uid::effective().is_root() { String::new() } else { format!(" or `{}`", user_name(Uid::effective().as_raw())) };
    Untrusted {
        message: format!("{}{what}`{}` is owned by `{}`{mode}, not by root{caller}", prefix(path, at), at.display(), user_name(stat.uid())),
        help: format!("run `chown {option}root {}`, after a look at what is in it", at.display()),
    }
}

/// The path in question, where one of its components is to blame.
fn prefix(path: &Path, at: &Path) -> String {
    let is_same = std::path::absolute(path).is_ok_and(|p| p == at);
    if is_same { String::new() } else { format!("cannot trust `{}`: ", path.display()) }
}

/// Whether a group has no member but the owner of a file, or is root's. An ACL may name others.
fn is_private(at: &Path, stat: &Metadata) -> bool {
    if named::has_access_list(at) {
        return false;
    }
    if stat.uid() == 0 && stat.gid() == 0 {
        return true;
    }
    let Ok(Some(owner)) = User::from_uid(Uid::from_raw(stat.uid())) else { return false };
    let Ok(Some(group)) = Group::from_gid(Gid::from_raw(stat.gid())) else { return false };
    owner.gid == group.gid && group.mem.iter().all(|member| *member == owner.name) && !is_shared_primary(group.gid, &owner.name)
}

/// Whether the account of anybody else names this group as theirs.
fn is_shared_primary(gid: Gid, owner: &str) -> bool {
    let accounts = named::read("/etc/passwd").unwrap_or_default();
    let accounts = String::from_utf8_lossy(&accounts);
    let gid = gid.to_string();
    accounts.lines().any(|line| {
        let mut fields = line.split(':');
        fields.next().is_some_and(|name| name != owner) && fields.nth(2) == Some(gid.as_str())
    })
}

fn user_name(uid: u32) -> String {
    User::from_uid(Uid::from_raw(uid)).ok().flatten().map_or_else(|| uid.to_string(), |user| user.name)
}

fn group_name(gid: u32) -> String {
    Group::from_gid(Gid::from_raw(gid)).ok().flatten().map_or_else(|| gid.to_string(), |group| group.name)
}
