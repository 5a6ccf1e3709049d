//! Providers: the code that reads (and later changes) a real machine.
//!
//! A provider reports facts. It never decides whether something is in sync, never validates and never
//! knows which values are allowed: that is the type's business. It is declared twice on purpose, in
//! `.rtype` (features, commands, confine) and here (code); `rtype check` proves that the two agree.
#![allow(clippy::disallowed_methods, reason = "providers are how the machine is touched")]

mod facts;
mod machine;
pub mod native;
mod system;

pub use machine::Machine;
pub use native::NativeProviders;
pub use system::{Output, System};

use crate::value::{EcoString, Symbol, Value};
use indexmap::IndexMap;

/// Why something could not be read. Never to be mistaken for "absent".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ReadError {
    /// What went wrong, naming the file or command: `cannot read /etc/shadow: permission denied`.
    pub message: String,
    /// The way out, where there is one: `run as root`.
    pub help: Option<String>,
}

impl ReadError {
    /// An error without advice.
    pub fn new(message: impl Into<String>) -> ReadError {
        ReadError { message: message.into(), help: None }
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> ReadError {
        self.help = Some(help.into());
        self
    }
}

/// The properties of one thing that exists, `ensure` among them; each read or failed by itself.
///
/// A property that the thing has not is `:absent`; one that was not asked for is missing from the map.
pub type State = IndexMap<Symbol, Result<Value, ReadError>>;

/// What reading one resource gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// It exists, with these properties.
    Present(State),
    /// It does not exist; the provider has looked and is sure.
    Absent,
    /// Whether it exists could not be told.
    Error(ReadError),
}

/// One thing found by [`Provider::instances`].
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The value of the type's namevar; also the title under which it is shown.
    pub name: EcoString,
    /// Its properties, and params that belong to its identity.
    pub state: State,
}

/// A resource as a provider sees it.
pub trait Resource {
    /// The wanted value of an attribute, canonical; `nil` where it is not set.
    fn wanted(&self, attribute: &str) -> Value;

    /// A setting of its provider's declaration (`section { … }`), `nil` where there is none.
    ///
    /// # Errors
    /// When its block fails.
    fn setting(&self, name: &str) -> Result<Value, ReadError> {
        let _ = name;
        Ok(Value::Nil)
    }
}

/// A resource to read.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The value of its namevar.
    pub name: &'a str,
    /// Its other attributes, for providers whose reading depends on them (a file's `links`, a cron job's `user`).
    pub resource: &'a dyn Resource,
}

/// Which properties are wanted: reading others may be left out, and costly ones must be.
#[derive(Clone, Copy, Debug)]
pub enum Select<'a> {
    /// All that can be read.
    All,
    /// These.
    Only(&'a [Symbol]),
}

impl Select<'_> {
    /// Whether the property of this name shall be read.
    pub fn wants(self, name: &str) -> bool {
        match self {
            Select::All => true,
            Select::Only(names) => names.iter().any(|n| n.as_str() == name),
        }
    }
}

/// Native code behind a `provider … { native }` declaration.
pub trait Provider: Send + Sync {
    /// The properties that [`Provider::get`] can read, `ensure` among them.
    fn reads(&self) -> &'static [&'static str];

    /// The methods that value blocks may ask for: the declaration's `queries`.
    fn queries(&self) -> &'static [&'static str] {
        &[]
    }

    /// Reads the named resources in one batch; answers in the order of `requests`, one each.
    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading>;

    /// Reads all that there are.
    ///
    /// # Errors
    /// When they cannot be listed at all, or when listing makes no sense (all files of a machine).
    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<Found>, ReadError>;

    /// Reads all that there are for a declaration with settings, such as the path of a file; blocks of settings see no
    /// resource then.
    ///
    /// # Errors
    /// As [`Provider::instances`].
    fn instances_of(&self, system: &System, settings: &dyn Resource, select: Select<'_>) -> Result<Vec<Found>, ReadError> {
        let _ = settings;
        self.instances(system, select)
    }

    /// Answers a query of a value block about one resource.
    ///
    /// # Errors
    /// When the answer cannot be had.
    fn query(&self, system: &System, request: Request<'_>, method: &str, arguments: &[Value]) -> Result<Value, ReadError> {
        let _ = (system, request, arguments);
        Err(ReadError::new(format!("the provider does not answer `{method}`")))
    }
}
