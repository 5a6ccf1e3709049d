//! Access control lists of files with a new owner.

use super::directory::by_descriptor;
use std::io;
use std::os::fd::AsFd;

/// A file's list, and the list that new files in a directory inherit.
const LISTS: [&str; 2] = ["system.posix_acl_access", "system.posix_acl_default"];

/// The tag for the owning group's entry in a list (the kernel's `ACL_GROUP_OBJ`).
const OWNING_GROUP: u16 = 0x04;

/// Returns true if an extended attribute is an access control list.
pub(super) fn is_list(name: &std::ffi::OsStr) -> bool {
    LISTS.iter().any(|list| name == *list)
}

/// Removes an open file's access control lists. Returns the owning group's permissions, 0 to 7, if the file had a list. The mode of a file
/// with a list contains the mask instead of these permissions.
pub(super) fn remove(fd: impl AsFd) -> io::Result<Option<u32>> {
    let path = by_descriptor(fd);
    let list = xattr::get_deref(&path, "system.posix_acl_access").or_else(absent)?;
    for name in LISTS {
        xattr::remove_deref(&path, name).map(Some).or_else(absent)?;
    }
    Ok(list.map(|list| group_permissions(&list)))
}

/// Converts errors about missing support or missing lists to `None`.
fn absent<T>(error: io::Error) -> io::Result<Option<T>> {
    match error.raw_os_error() {
        Some(nix::libc::ENODATA | nix::libc::EOPNOTSUPP | nix::libc::ENOENT | nix::libc::ENOTDIR | nix::libc::EACCES) => Ok(None),
        _ => Err(error),
    }
}

/// Returns the owning group's permissions in a list: a 4-byte header, then entries with a tag, permissions and an ID.
fn group_permissions(list: &[u8]) -> u32 {
    let entries = list.get(4..).unwrap_or_default().chunks_exact(8);
    let field = |entry: &[u8], at: usize| Some(u16::from_le_bytes([*entry.get(at)?, *entry.get(at + 1)?]));
    let group = entries.into_iter().find(|entry| field(entry, 0) == Some(OWNING_GROUP)).and_then(|entry| field(entry, 2));
    u32::from(group.unwrap_or_default()) & 0o7
}
