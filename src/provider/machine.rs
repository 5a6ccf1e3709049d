//! The real machine as a [`World`]: facts, features, users, programs.

use super::System;
use crate::eval::World;
use crate::value::{EcoString, Value};

/// A [`World`] over a [`System`].
#[derive(Debug, Clone)]
pub struct Machine {
    system: System,
}

impl Machine {
    /// The machine that `system` reads.
    pub fn new(system: System) -> Machine {
        Machine { system }
    }

    /// Where providers read.
    pub fn system(&self) -> &System {
        &self.system
    }
}

impl World for Machine {
    fn fact(&self, _path: &str) -> Value {
        Value::Nil
    }
    fn feature(&self, name: &str) -> bool {
        matches!(name, "posix")
    }
    fn setting(&self, _: &str) -> Value {
        Value::Nil
    }
    fn which(&self, command: &str) -> Option<String> {
        self.system.which(command).map(|p| p.to_string_lossy().into_owned())
    }
    fn exists(&self, path: &str) -> bool {
        self.system.exists(path)
    }
    fn current_user(&self) -> Option<EcoString> {
        None
    }
    fn uid_of(&self, _: &str) -> Option<i64> {
        None
    }
    fn gid_of(&self, _: &str) -> Option<i64> {
        None
    }
    fn home_dir(&self, _: &str) -> Option<EcoString> {
        None
    }
    fn service_port(&self, _: &str, _: &str) -> Option<i64> {
        None
    }
}
