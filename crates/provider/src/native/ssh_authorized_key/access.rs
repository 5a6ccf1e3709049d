//! Writing below a user's home directory without being led astray by that user.
//!
//! Root that writes there can be made to write anywhere: by a link that is put in place of a directory at the right moment
//! (CVE-2011-3870). So it is done with the user's rights, and the kernel checks each step.

use crate::native::accounts;
use crate::native::rights::Rights;
use crate::system::AccountKey;
use crate::{Access, ProviderError, Replace, System};
use rtype_lang::value::EcoString;
use rtype_system::Stat;
use std::path::Path;

/// A user to whom files belong.
#[derive(Clone, Debug)]
pub(super) struct KeyOwner {
    pub(super) name: String,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) home: String,
}

/// Returns the user of this name, if there is one.
///
/// # Errors
/// When that cannot be determined.
pub(super) fn owner_of(system: &System, name: &str) -> Result<Option<KeyOwner>, ProviderError> {
    let text = system.read("/etc/passwd")?.unwrap_or_default();
    if let Some(user) = accounts::passwd(&text).find(|u| u.name == name) {
        return Ok(Some(KeyOwner { name: name.into(), uid: user.uid, gid: user.gid, home: user.home.into() }));
    }
    let user = system.find_user(AccountKey::Name(name))?;
    Ok(user.map(|u| KeyOwner { name: name.into(), uid: u.uid.as_raw(), gid: u.gid.as_raw(), home: u.dir.to_string_lossy().into_owned() }))
}

/// Calls `write` with the privileges of the user; or, if `drop_privileges` is false, with those of this process if no
/// other user can interfere with the path. Afterwards the files belong to the user only.
///
/// A user's file in a directory that the user cannot write to, such as a `~/.ssh` owned by root, is replaced with the
/// privileges of this process and given back to the user, who could have written the same content to it.
///
/// # Errors
/// If this is not possible.
pub(super) fn write_as<T>(
    system: &System,
    owner: &KeyOwner,
    drops: bool,
    paths: &[EcoString],
    write: impl FnOnce(Replace) -> T,
) -> Result<T, ProviderError> {
    let mut new = Replace { mode: Some(0o600), owner: Some(owner.uid), group: Some(owner.gid), only_of: None };
    let mut rights = if drops { Rights::of(&owner.name, owner.uid, owner.gid)? } else { None };
    let mut needs_own = false;
    for path in paths {
        prepare(system, owner, path, drops)?;
        needs_own |= rights.is_some() && is_in_foreign_directory(system, owner, path)?;
    }
    if needs_own {
        rights = None;
        new.only_of = Some(owner.uid);
    }
    let written = write(new);
    let has_own_rights = rights.is_none();
    for path in paths {
        let Some(is) = system.look(path, false)? else { continue };
        if !is.is_file() {
            continue;
        }
        if has_own_rights && !needs_own && (is.uid, is.gid) != (owner.uid, owner.gid) {
            let access = Access { owner: Some(owner.uid), group: Some(owner.gid), mode: Some(0o600) };
            system.set_owner(path, access, false)?;
        } else if is.mode() != 0o600 {
            system.set_mode(path, 0o600, false)?;
        }
    }
    Ok(written)
}

/// Creates the directory if needed, and checks that the file may be written.
fn prepare(system: &System, owner: &KeyOwner, path: &str, drops: bool) -> Result<(), ProviderError> {
    if let Some((directory, _)) = path.rsplit_once('/').filter(|(directory, _)| drops && !directory.is_empty())
        && system.look(directory, false)?.is_none()
    {
        system.make_directory(directory, Access { mode: Some(0o700), ..Access::default() })?;
    }
    if !drops {
        trust(system, path)?;
    }
    match system.look(path, false)? {
        Some(is) if is.is_symlink() => Err(ProviderError::new(format!("{path} is a symbolic link and is not followed"))),
        Some(is) if drops && is.uid != owner.uid => {
            let message = format!("{path} does not belong to {}, with whose rights it is written", owner.name);
            Err(ProviderError::new(message).help(format!("chown {} {path}", owner.name)))
        }
        _ => Ok(()),
    }
}

/// Returns whether the user's file is in a directory in which the user cannot create files. Checked with the user's
/// privileges.
fn is_in_foreign_directory(system: &System, owner: &KeyOwner, path: &str) -> Result<bool, ProviderError> {
    let can_write = system.draft(path, Access::default(), false, None).is_ok();
    let is_own = |stat: &Stat| stat.is_file() && stat.uid == owner.uid && stat.nlink == 1;
    let is_foreign = |(directory, _): (&str, &str)| system.look(directory, true).ok().flatten().is_some_and(|d| d.uid != owner.uid);
    Ok(!can_write && path.rsplit_once('/').is_some_and(is_foreign) && system.look(path, false)?.as_ref().is_some_and(is_own))
}

/// Returns an error if another user controls the path of the file.
fn trust(system: &System, path: &str) -> Result<(), ProviderError> {
    system.tree().check_own(Path::new(path)).map_err(|e| {
        ProviderError::new(format!("cannot write {path} with the rights of root: {e}")).help("leave `drop_privileges` at `true`")
    })
}
