//! Writing below a user's home directory without being led astray by that user.
//!
//! Root that writes there can be made to write anywhere: by a link that is put in place of a directory at the right moment
//! (CVE-2011-3870). So it is done with the user's rights, and the kernel checks each step.

use crate::provider::native::accounts;
use crate::provider::{ProviderError, System};
use crate::value::EcoString;
use nix::unistd::{Gid, Uid, setfsgid, setfsuid};
use std::fs::{DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, lchown};

/// A user to whom files belong.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    pub(super) name: String,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) home: String,
}

/// The user of this name, if there is one.
///
/// # Errors
/// When that cannot be told.
pub(super) fn owner_of(system: &System, name: &str) -> Result<Option<Owner>, ProviderError> {
    let text = system.read("/etc/passwd")?.unwrap_or_default();
    if let Some(user) = accounts::passwd(&text).find(|u| u.name == name) {
        return Ok(Some(Owner { name: name.into(), uid: user.uid, gid: user.gid, home: user.home.into() }));
    }
    if system.is_fixture() {
        return Ok(None);
    }
    let user = accounts::ask_for_user(name)?;
    Ok(user.map(|u| Owner { name: name.into(), uid: u.uid.as_raw(), gid: u.gid.as_raw(), home: u.dir.to_string_lossy().into_owned() }))
}

/// Lets `write` write the files with the rights of the user; or, when these are not dropped, with one's own, where nobody else could
/// put anything in the way. The files are the user's and nobody else's afterwards.
///
/// # Errors
/// When it cannot be done so.
pub(super) fn write_as<T>(
    system: &System,
    owner: &Owner,
    drops: bool,
    paths: &[EcoString],
    write: impl FnOnce() -> T,
) -> Result<T, ProviderError> {
    let _rights = if drops { Rights::of(owner)? } else { None };
    for path in paths {
        prepare(system, owner, path, drops)?;
    }
    let written = write();
    for path in paths {
        let place = system.path(path);
        let Ok(is) = place.symlink_metadata() else { continue };
        if !drops && (is.uid(), is.gid()) != (owner.uid, owner.gid) {
            lchown(&place, Some(owner.uid), Some(owner.gid)).map_err(|e| System::cannot_write(path, &e))?;
        }
        if is.is_file() && is.mode() & 0o7777 != 0o600 {
            std::fs::set_permissions(&place, Permissions::from_mode(0o600)).map_err(|e| System::cannot_write(path, &e))?;
        }
    }
    Ok(written)
}

/// Sees to it that the directory is there, and that the file is what it should be.
fn prepare(system: &System, owner: &Owner, path: &str, drops: bool) -> Result<(), ProviderError> {
    let place = system.path(path);
    if let Some(folder) = place.parent().filter(|f| drops && f.symlink_metadata().is_err()) {
        DirBuilder::new().mode(0o700).create(folder).map_err(|e| System::cannot_write(path, &e))?;
    }
    if !drops {
        trust(system, path)?;
    }
    match place.symlink_metadata() {
        Ok(is) if is.is_symlink() => Err(ProviderError::new(format!("{path} is a symbolic link and is not followed"))),
        Ok(is) if drops && is.uid() != owner.uid => {
            let message = format!("{path} does not belong to {}, with whose rights it is written", owner.name);
            Err(ProviderError::new(message).help(format!("chown {} {path}", owner.name)))
        }
        _ => Ok(()),
    }
}

/// Whether nobody but oneself can put anything in the way to the file.
fn trust(system: &System, path: &str) -> Result<(), ProviderError> {
    let me = Uid::effective().as_raw();
    let mut folder = path;
    while let Some((parent, _)) = folder.rsplit_once('/') {
        let shown = if parent.is_empty() { "/" } else { parent };
        let real = system.path(shown).canonicalize().and_then(|p| p.metadata()).map_err(|e| System::cannot_read(shown, &e))?;
        if real.uid() != me || real.mode() & 0o022 != 0 {
            let message = format!("{path} is not written with the rights of this program, for others can change {shown}");
            return Err(ProviderError::new(message).help("leave `drop_privileges` at `true`"));
        }
        folder = parent;
    }
    Ok(())
}

/// The rights of another user to files, for this thread, until it is dropped.
struct Rights;

impl Rights {
    fn of(owner: &Owner) -> Result<Option<Rights>, ProviderError> {
        if Uid::effective().as_raw() == owner.uid {
            return Ok(None);
        }
        let rights = Rights;
        setfsgid(Gid::from_raw(owner.gid));
        setfsuid(Uid::from_raw(owner.uid));
        // They tell no errors, only what it was before.
        let (uid, gid) = (setfsuid(Uid::from_raw(owner.uid)), setfsgid(Gid::from_raw(owner.gid)));
        if (uid.as_raw(), gid.as_raw()) != (owner.uid, owner.gid) {
            return Err(ProviderError::new(format!("cannot write files as {}", owner.name)).help("run as root"));
        }
        Ok(Some(rights))
    }
}

impl Drop for Rights {
    fn drop(&mut self) {
        setfsuid(Uid::effective());
        setfsgid(Gid::effective());
    }
}
