//! The one window through which pure code sees a machine.

use super::LogLevel;
use crate::value::{EcoString, Value};

/// Which files below a directory are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// How many levels down; `None`: all, 0: the directory alone.
    pub depth: Option<u32>,
    /// Patterns of names that are left out, with all below them.
    pub ignore: Vec<String>,
    /// Patterns of which a name must fit one; none: all names do.
    pub matches: Vec<String>,
    /// Whether of a link its target is looked at.
    pub follow: bool,
}

/// What a look below a directory gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Walked {
    /// It is not known what is there.
    Unknown,
    /// Nothing is there.
    Nothing,
    /// What is at the path, and what is below it, by their paths.
    Files(Vec<FileBelow>),
}

/// A file found below a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileBelow {
    /// Where it is.
    pub path: String,
    /// The same without the directory; `.` is that itself.
    pub relative: String,
    /// `file`, `directory`, `link` or what else there is.
    pub kind: &'static str,
    /// Its permissions.
    pub mode: u32,
    /// The number of its owner.
    pub uid: u32,
    /// The number of its group.
    pub gid: u32,
    /// Its size in bytes.
    pub size: u64,
    /// When its content last changed, in seconds since 1970.
    pub mtime: i64,
    /// When it was last read.
    pub atime: i64,
    /// When anything of it last changed.
    pub ctime: i64,
}

/// What blocks and confines may know of the machine. The faces hand in an implementation; what it leaves out is not known.
pub trait World {
    /// A fact by its dotted path, `nil` where there is none: `os.family`, `kernel`.
    fn fact(&self, path: &str) -> Value {
        let _ = path;
        Value::Nil
    }

    /// Whether a feature of the platform holds: `posix`, `root`.
    fn feature(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// What blocks are told of a feature; [`Value::Unknown`] where there is no machine to ask.
    fn feature_value(&self, name: &str) -> Value {
        Value::Bool(self.feature(name))
    }

    /// A setting of the run: `show_diff`.
    fn setting(&self, name: &str) -> Value {
        let _ = name;
        Value::Nil
    }

    /// Where a program is found.
    fn which(&self, command: &str) -> Option<String> {
        let _ = command;
        None
    }

    /// Whether something is at an absolute path.
    fn exists(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// The file at a path, or at an address that a file may have as its source, and all below it.
    ///
    /// # Errors
    /// When a directory cannot be read.
    fn files_below(&self, path: &str, how: &Walk) -> Result<Walked, String> {
        let _ = (path, how);
        Ok(Walked::Nothing)
    }

    /// The text of the file at a path, or at an address that a file may have as its source: nil where there is none, unknown
    /// where nobody can look.
    ///
    /// # Errors
    /// When it cannot be read, or is no text.
    fn file_text(&self, path: &str) -> Result<Value, String> {
        let _ = path;
        Ok(Value::Nil)
    }

    /// The seconds since 1970.
    fn now(&self) -> Option<i64> {
        None
    }

    /// The name of the user who runs this.
    fn current_user(&self) -> Option<EcoString> {
        None
    }

    /// The number of a user.
    fn uid_of(&self, user: &str) -> Option<i64> {
        let _ = user;
        None
    }

    /// The number of a group.
    fn gid_of(&self, group: &str) -> Option<i64> {
        let _ = group;
        None
    }

    /// The name of the user of this number.
    fn user_name(&self, number: i64) -> Option<EcoString> {
        let _ = number;
        None
    }

    /// The name of the group of this number.
    fn group_name(&self, number: i64) -> Option<EcoString> {
        let _ = number;
        None
    }

    /// The home directory of a user.
    fn home_dir(&self, user: &str) -> Option<EcoString> {
        let _ = user;
        None
    }

    /// The port of a service: `ssh`, `tcp`.
    fn service_port(&self, service: &str, protocol: &str) -> Option<i64> {
        let _ = (service, protocol);
        None
    }

    /// A message of a block; secrets are redacted. Nobody hears it unless somebody listens.
    fn log(&self, level: LogLevel, message: &str) {
        let _ = (level, message);
    }
}

/// A world in which nothing is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoWorld;

impl World for NoWorld {}

/// A world that cannot be looked at: facts and settings are unknown, rules that read them wait.
#[derive(Debug, Clone, Copy, Default)]
pub struct UnknownWorld;

impl World for UnknownWorld {
    fn fact(&self, _: &str) -> Value {
        Value::Unknown
    }

    fn feature_value(&self, _: &str) -> Value {
        Value::Unknown
    }

    fn setting(&self, _: &str) -> Value {
        Value::Unknown
    }

    fn files_below(&self, _: &str, _: &Walk) -> Result<Walked, String> {
        Ok(Walked::Unknown)
    }

    fn file_text(&self, _: &str) -> Result<Value, String> {
        Ok(Value::Unknown)
    }
}
