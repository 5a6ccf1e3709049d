//! What a change needs on the machine, and what a resource brings there.
//!
//! Providers declare both. A run without changes compares them, so that it can predict failures without knowing any type.

use super::{Machine, System};
use rtype_lang::eval::World;
use rtype_lang::value::EcoString;
use rtype_system::Stat;
use std::path::Path;

/// Something on a machine that a change may need and that a resource may bring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// A directory, by its full path.
    Directory(EcoString),
    /// Anything else with a path: a file, or a link to one.
    File(EcoString),
    /// A program, by its full path.
    Program(EcoString),
    /// A user, by name or by number.
    User(EcoString),
    /// A group, by name or by number.
    Group(EcoString),
}

impl Thing {
    /// The path of what has one.
    pub fn path(&self) -> Option<&str> {
        match self {
            Thing::Directory(path) | Thing::File(path) | Thing::Program(path) => Some(path),
            Thing::User(_) | Thing::Group(_) => None,
        }
    }

    /// Whether it is on the machine. What cannot be looked at may be there.
    pub fn exists(&self, system: &System) -> bool {
        let looked = |path: &str, fits: fn(&Stat) -> bool| system.look(path, true).map_or(true, |found| found.as_ref().is_some_and(fits));
        match self {
            Thing::Directory(path) => looked(path, Stat::is_dir),
            Thing::File(path) => looked(path, |found| !found.is_dir()),
            Thing::Program(path) => system.which(path).is_some(),
            Thing::User(name) => Machine::new(system.clone()).uid_of(name).is_some(),
            Thing::Group(name) => Machine::new(system.clone()).gid_of(name).is_some(),
        }
    }
}

/// Something without which a change fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// Each of these is enough.
    pub any_of: Vec<Thing>,
    /// What the failure is when there is none of them.
    pub failure: String,
}

impl Need {
    /// One thing without which the change fails so.
    pub fn new(thing: Thing, failure: impl Into<String>) -> Need {
        Need { any_of: vec![thing], failure: failure.into() }
    }

    /// The directory of a file that is written.
    pub fn directory_of(path: &str) -> Option<Need> {
        let parent = Path::new(path).parent()?.to_str().filter(|parent| !parent.is_empty())?;
        Some(Need::new(Thing::Directory(parent.into()), format!("cannot write {path}: there is no directory {parent}")))
    }

    /// A user, unless it is a number: that needs no account.
    pub fn user(name: &str) -> Option<Need> {
        is_name(name).then(|| Need::new(Thing::User(name.into()), format!("could not find user {name}")))
    }

    /// A group, unless it is a number.
    pub fn group(name: &str) -> Option<Need> {
        is_name(name).then(|| Need::new(Thing::Group(name.into()), format!("could not find group {name}")))
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())
}
