//! The interface through which pure code reads the machine.

use super::{Coverage, QueryError};
use crate::value::{EcoString, Value};

/// Options for listing the files below a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The number of levels to descend; `None` for all, 0 for the directory itself only.
    pub depth: Option<u32>,
    /// Patterns of file names to skip, including files in skipped directories.
    pub ignore: Vec<String>,
    /// Patterns of file names to include; empty for all.
    pub matches: Vec<String>,
    /// `true` to follow symbolic links.
    pub follow: bool,
}

/// The result of listing files below a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Walked {
    /// The machine cannot be read.
    Unknown,
    /// The path does not exist.
    Nothing,
    /// The file at the path and the files below it, sorted by path.
    Files(Vec<FileBelow>),
}

/// A file found below a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileBelow {
    /// The full path.
    pub path: String,
    /// The path relative to the directory; `.` for the directory itself.
    pub relative: String,
    /// The kind of file: `file`, `directory`, `link` or another kind.
    pub kind: &'static str,
    /// The permissions.
    pub mode: u32,
    /// The user ID of the owner.
    pub uid: u32,
    /// The group ID.
    pub gid: u32,
    /// The size in bytes.
    pub size: u64,
    /// The last change of the content, in seconds since 1970.
    pub mtime: i64,
    /// The last access, in seconds since 1970.
    pub atime: i64,
    /// The last change of the content or metadata, in seconds since 1970.
    pub ctime: i64,
}

/// What Ruby returns about a provider of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubyProviderStatus {
    /// Why the provider is not suitable; empty if it is.
    pub reasons: Vec<String>,
    /// The default provider of its type.
    pub default: Option<String>,
}

/// The parts of the machine that blocks and confines can read. Each frontend passes an implementation; the default methods know
/// nothing.
pub trait World {
    /// Returns `true` if the run does not read the machine, so that all answers are unknown.
    fn is_unknown(&self) -> bool {
        false
    }

    /// Returns a fact by its dotted path, such as `os.family`, or nil for an unknown fact.
    fn fact(&self, path: &str) -> Value {
        let _ = path;
        Value::Nil
    }

    /// Returns `true` for an existing platform feature, such as `posix` or `root`.
    fn feature(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Returns the value of `feature(…)` in blocks; [`Value::Unknown`] without a machine.
    fn feature_value(&self, name: &str) -> Value {
        Value::Bool(self.feature(name))
    }

    /// Returns a setting for the run, such as `show_diff`.
    fn setting(&self, name: &str) -> Value {
        let _ = name;
        Value::Nil
    }

    /// Returns an environment variable, or nil if it is not set. Variables with the name of a secret are sensitive.
    fn env(&self, name: &str) -> Value {
        let _ = name;
        Value::Nil
    }

    /// Returns `true` if providers written in Ruby run. These providers convert values themselves.
    fn runs_ruby(&self) -> bool {
        false
    }

    /// Asks Ruby about a provider; `None` if Ruby does not run or does not know the provider.
    fn provider_in_ruby(&self, type_name: &str, provider: &str) -> Option<RubyProviderStatus> {
        let _ = (type_name, provider);
        None
    }

    /// Returns the path of a program.
    fn which(&self, command: &str) -> Option<String> {
        let _ = command;
        None
    }

    /// Returns `true` if an absolute path exists.
    fn exists(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Lists the file at a path, or at a URL that is a valid file source, and all files below it.
    ///
    ///
    /// # Errors
    ///
    /// Returns the reason if a directory cannot be read.
    fn files_below(&self, path: &str, how: &Walk) -> Result<Walked, QueryError> {
        let _ = (path, how);
        Ok(Walked::Nothing)
    }

    /// Returns the content of the file at a path, or at a URL that is a valid file source; nil if the file does not exist, unknown if
    /// the machine cannot be read.
    ///
    ///
    /// # Errors
    ///
    /// Returns the reason if the file cannot be read or is not text.
    fn file_text(&self, path: &str) -> Result<Value, QueryError> {
        let _ = path;
        Ok(Value::Nil)
    }

    /// Returns the time in seconds since 1970.
    fn now(&self) -> Option<i64> {
        None
    }

    /// Returns the name of the current user.
    fn current_user(&self) -> Option<EcoString> {
        None
    }

    /// Returns the user ID of a user name.
    fn uid_of(&self, user: &str) -> Option<i64> {
        let _ = user;
        None
    }

    /// Returns the group ID of a group name.
    fn gid_of(&self, group: &str) -> Option<i64> {
        let _ = group;
        None
    }

    /// Returns the user name of a user ID.
    fn user_name(&self, number: i64) -> Option<EcoString> {
        let _ = number;
        None
    }

    /// Returns the group name of a group ID.
    fn group_name(&self, number: i64) -> Option<EcoString> {
        let _ = number;
        None
    }

    /// Returns the home directory of a user.
    fn home_dir(&self, user: &str) -> Option<EcoString> {
        let _ = user;
        None
    }

    /// Returns the port number for a service such as `ssh` and a protocol such as `tcp`.
    fn service_port(&self, service: &str, protocol: &str) -> Option<i64> {
        let _ = (service, protocol);
        None
    }

    /// Returns the recorder of reached parts, if the run records coverage.
    fn coverage(&self) -> Option<&Coverage> {
        None
    }
}

/// A world in which nothing exists.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoWorld;

impl World for NoWorld {}

/// A world without a machine: all answers are unknown, and checks that need an answer are postponed.
#[derive(Debug, Clone, Copy, Default)]
pub struct UnknownWorld;

impl World for UnknownWorld {
    fn is_unknown(&self) -> bool {
        true
    }

    fn fact(&self, _: &str) -> Value {
        Value::Unknown
    }

    fn feature_value(&self, _: &str) -> Value {
        Value::Unknown
    }

    fn setting(&self, _: &str) -> Value {
        Value::Unknown
    }

    fn env(&self, _: &str) -> Value {
        Value::Unknown
    }

    fn files_below(&self, _: &str, _: &Walk) -> Result<Walked, QueryError> {
        Ok(Walked::Unknown)
    }

    fn file_text(&self, _: &str) -> Result<Value, QueryError> {
        Ok(Value::Unknown)
    }
}
