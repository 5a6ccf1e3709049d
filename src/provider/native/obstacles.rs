//! What prevents changes, as far as it is known before they are made.

use crate::eval::World;
use crate::provider::{Machine, Obstacle, Resource, System};
use crate::system::named;
use crate::value::{EcoString, ResourceRef, Symbol, Value};
use std::path::Path;

fn reference(type_name: &str, title: impl Into<EcoString>) -> ResourceRef {
    ResourceRef { type_name: Symbol::from(type_name), title: title.into() }
}

/// The directory of a file that is to be made is not there.
pub(super) fn directory_of(system: &System, absolute: &str) -> Option<Obstacle> {
    let parent = Path::new(absolute).parent()?.to_str().filter(|parent| !parent.is_empty())?;
    // What cannot be looked at may be there.
    let is_missing = matches!(named::metadata(system.path(parent)), Err(e) if e.kind() == std::io::ErrorKind::NotFound);
    is_missing.then(|| Obstacle {
        message: format!("cannot write {absolute}: there is no directory {parent}"),
        removed_by: vec![reference("file", parent)],
    })
}

/// The users and groups that attributes of a resource name and that are not there. Numbers need no account.
pub(super) fn accounts(system: &System, resource: &dyn Resource, users: &[&str], groups: &[&str]) -> Vec<Obstacle> {
    let machine = Machine::new(system.clone());
    let name = |attribute: &str| match resource.wanted(attribute) {
        Value::Str(name) if !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) => Some(name),
        _ => None,
    };
    let users = users.iter().filter_map(|attribute| name(attribute)).filter(|user| machine.uid_of(user).is_none());
    let groups = groups.iter().filter_map(|attribute| name(attribute)).filter(|group| machine.gid_of(group).is_none());
    let user = |name: EcoString| Obstacle { message: format!("could not find user {name}"), removed_by: vec![reference("user", name)] };
    // A user may come with a group of the same name.
    let group = |name: EcoString| Obstacle {
        message: format!("could not find group {name}"),
        removed_by: vec![reference("group", name.clone()), reference("user", name)],
    };
    users.map(user).chain(groups.map(group)).collect()
}
