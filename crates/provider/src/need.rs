//! What a change requires on the machine, and what a resource provides there.
//!
//! Providers declare both. A run without changes compares them to predict failures without knowing any type.

use super::{Machine, ProviderError, System};
use rtype_lang::eval::World;
use rtype_lang::redact::Foreign;
use rtype_lang::value::EcoString;
use rtype_system::Stat;
use std::path::Path;

/// Something on a machine that a change may require and a resource may provide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// A directory, by absolute path.
    Directory(EcoString),
    /// A file or link, by absolute path.
    File(EcoString),
    /// A file that an earlier resource of the run writes, by absolute path. The current content is irrelevant.
    WrittenFile(EcoString),
    /// A program, by absolute path.
    Program(EcoString),
    /// A user, by name or ID.
    User(EcoString),
    /// A group, by name or ID.
    Group(EcoString),
}

impl Thing {
    /// Returns the path of a file, directory or program.
    pub fn path(&self) -> Option<&str> {
        match self {
            Thing::Directory(path) | Thing::File(path) | Thing::WrittenFile(path) | Thing::Program(path) => Some(path),
            Thing::User(_) | Thing::Group(_) => None,
        }
    }

    /// Returns whether it exists on the machine. True if that cannot be determined.
    pub fn exists(&self, system: &System) -> bool {
        let looked = |path: &str, fits: fn(&Stat) -> bool| system.look(path, true).map_or(true, |found| found.as_ref().is_some_and(fits));
        match self {
            Thing::Directory(path) => looked(path, Stat::is_dir),
            Thing::File(path) => looked(path, |found| !found.is_dir()),
            Thing::WrittenFile(_) => false,
            Thing::Program(path) => system.which(path).is_some(),
            Thing::User(name) => Machine::new(system.clone()).uid_of(name).is_some(),
            Thing::Group(name) => Machine::new(system.clone()).gid_of(name).is_some(),
        }
    }
}

/// A requirement without which a change fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// Alternatives, each of which is sufficient. Without any, the change is impossible.
    pub any_of: Vec<Thing>,
    /// The error message if all are missing.
    pub failure: Foreign,
}

impl Need {
    /// Creates a requirement for one thing, with the error message if it is missing.
    pub fn new(thing: Thing, failure: impl Into<Foreign>) -> Need {
        Need { any_of: vec![thing], failure: failure.into() }
    }

    /// Creates the requirement of a change that fails on every machine.
    pub fn impossible(error: &ProviderError) -> Need {
        Need { any_of: Vec::new(), failure: error.line() }
    }

    /// Returns the requirement for the parent directory of a file.
    pub fn directory_of(path: &str) -> Option<Need> {
        let parent = Path::new(path).parent()?.to_str().filter(|parent| !parent.is_empty())?;
        Some(Need::new(Thing::Directory(parent.into()), format!("cannot write {path}: the directory {parent} does not exist")))
    }

    /// Returns the requirement for a user; `None` for a number, which needs no account.
    pub fn user(name: &str) -> Option<Need> {
        is_name(name).then(|| Need::new(Thing::User(name.into()), format!("could not find user {name}")))
    }

    /// Returns the requirement for a group; `None` for a number.
    pub fn group(name: &str) -> Option<Need> {
        is_name(name).then(|| Need::new(Thing::Group(name.into()), format!("could not find group {name}")))
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())
}
