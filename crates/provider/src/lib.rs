//! Providers: the code that reads and changes a real machine.
//!
//! A provider reports facts. It never decides whether something is in sync, never validates and never
//! knows which values are allowed: that is the type's business. It is declared twice on purpose, in
//! `.rtype` (features, commands, confine) and here (code); `rtype check` proves that the two agree.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

mod asked;
mod change;
mod code;
pub mod declared;
pub mod external;
mod facts;
pub mod interrupt;
mod known;
mod machine;
pub mod native;
mod need;
mod shape;
mod system;
pub mod text;
mod walk;
mod whole;

pub use asked::{AskedResource, setting};
pub use change::{Change, Operation};
pub use code::{code_of, has_code, program_of, shape};
pub use machine::{Machine, PURGE_LIMIT};
pub use native::NativeProviders;
pub use need::{Need, Thing};
pub use shape::{Attribute, Shape};
pub use system::{Access, Command, Draft, Output, Replace, Said, System, Talk, own_state};
pub use whole::{Difference, GetSet, Simple, Wanted, Whole};

use indexmap::IndexMap;
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::value::{EcoString, Symbol, Value};

/// Why something could not be read, never to be mistaken for "absent"; or why it could not be changed.
///
/// Neither part can be printed before the run's redactor has seen it: programs repeat what they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderError {
    /// What went wrong, naming the file or command: `cannot read /etc/shadow: permission denied`.
    pub message: Foreign,
    /// The way out, where there is one: `run as root`.
    pub help: Option<Foreign>,
}

impl ProviderError {
    /// An error without advice.
    pub fn new(message: impl Into<Foreign>) -> ProviderError {
        ProviderError { message: message.into(), help: None }
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<Foreign>) -> ProviderError {
        self.help = Some(help.into());
        self
    }

    /// The same with words before the message.
    #[must_use]
    pub fn context(mut self, before: impl Into<Foreign>) -> ProviderError {
        self.message = before.into().then(self.message);
        self
    }

    /// Message and help in one line.
    pub fn line(&self) -> Foreign {
        match &self.help {
            Some(help) => self.message.clone().then(" (").then(help.clone()).then(")"),
            None => self.message.clone(),
        }
    }

    /// Message and help in one line, without secrets.
    pub fn describe(&self, redactor: &Redactor) -> String {
        redactor.reveal(&self.line())
    }
}

/// Tests say what they found.
#[cfg(test)]
impl std::fmt::Display for ProviderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&rtype_lang::redact::Redactor::default().reveal(&self.message))
    }
}

/// The properties of one thing that exists, `ensure` among them; each read or failed by itself.
///
/// A property that the thing has not is `:absent`; one that was not asked for is missing from the map.
pub type State = IndexMap<Symbol, Result<Value, ProviderError>>;

/// What reading one resource gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// It exists, with these properties.
    Present(State),
    /// It does not exist; the provider has looked and is sure.
    Absent,
    /// Whether it exists could not be told.
    Error(ProviderError),
    /// Nothing could be told of any resource: the provider is not asked again in the run, and none of its resources is changed.
    Unavailable(ProviderError),
}

impl Reading {
    /// Why nothing could be told.
    pub fn error(&self) -> Option<&ProviderError> {
        match self {
            Reading::Error(error) | Reading::Unavailable(error) => Some(error),
            Reading::Present(_) | Reading::Absent => None,
        }
    }
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

    /// The value of an attribute as it was given, where its type asks for such values; else as [`Resource::wanted`]. A file's
    /// content, of which only the checksum is canonical.
    fn given(&self, attribute: &str) -> Value {
        self.wanted(attribute)
    }

    /// Whether the value of an attribute is a secret: it goes to programs by standard input, and into no message or backup.
    fn is_secret(&self, attribute: &str) -> bool {
        let _ = attribute;
        false
    }

    /// The names of the attributes that are set, in the type's order.
    fn attributes(&self) -> Vec<Symbol> {
        Vec::new()
    }

    /// The file and the line where it is declared, where it stands in one.
    fn place(&self) -> Option<(EcoString, u32)> {
        None
    }

    /// What a block of its provider's declaration gives for these arguments, secrets wrapped; `nil` where there is none.
    ///
    /// # Errors
    /// When the block fails.
    fn ask(&self, setting: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let _ = arguments;
        self.setting(setting)
    }

    /// A setting of its provider's declaration (`section { … }`), `nil` where there is none.
    ///
    /// # Errors
    /// When its block fails.
    fn setting(&self, name: &str) -> Result<Value, ProviderError> {
        let _ = name;
        Ok(Value::Nil)
    }
}

/// A resource to read or to change.
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

/// The code behind a provider: registered for `native`, or made of what the declaration says.
pub trait Provider: Send + Sync {
    /// The properties that [`Provider::get`] can read, `ensure` among them.
    fn reads(&self) -> &'static [&'static str];

    /// Whether it takes bytes that are not text as the value of an attribute.
    fn takes_bytes(&self, attribute: &str) -> bool {
        let _ = attribute;
        false
    }

    /// Whether it can read a property, for code that learns at run time which it can.
    fn can_read(&self, property: &str) -> bool {
        self.reads().contains(&property)
    }

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
    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<Found>, ProviderError>;

    /// Reads all that there are for a declaration with settings, such as the path of a file; blocks of settings see no
    /// resource then.
    ///
    /// # Errors
    /// As [`Provider::instances`].
    fn instances_of(&self, system: &System, settings: &dyn Resource, select: Select<'_>) -> Result<Vec<Found>, ProviderError> {
        let _ = settings;
        self.instances(system, select)
    }

    /// The properties that it can change. `ensure` is among them only if it is set as others are; mostly actions change it.
    fn writes(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether it can change a property; as [`Provider::can_read`].
    fn can_write(&self, property: &str) -> bool {
        self.writes().contains(&property)
    }

    /// The methods that action blocks may call: the declaration's `actions`.
    fn actions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Gives one property its new value: at once, or by noting it for [`Provider::flush`], as it is done here. Secrets come
    /// wrapped in [`Value::Sensitive`].
    ///
    /// # Errors
    /// Why it was not done. The resource has failed then, and is not flushed.
    fn set(&self, system: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        let _ = system;
        change.should.insert(Symbol::from(property), value.clone());
        Ok(())
    }

    /// Performs an action: at once, or by noting it for [`Provider::flush`], as it is done here with `create` and `destroy`.
    ///
    /// # Errors
    /// As [`Provider::set`].
    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let _ = (system, arguments);
        change.note(action)
    }

    /// Writes what was noted, once for each resource after all its properties; answers in the order of `changes`, one each.
    /// What was written must be forgotten in the change (`should`, `exists`), for there may be another flush.
    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let _ = system;
        changes.iter().map(|_| Ok(())).collect()
    }

    /// How many resources one flush may take, which follow one another in the run's order. More than one is for providers
    /// that write all at once: lines of a file, packages that one program installs together.
    fn batch(&self, system: &System) -> usize {
        let _ = system;
        1
    }

    /// Whether resources may be read long before their turn comes, many at once. Not where reading is more than looking: what
    /// it needs may only be there when what the resource depends on has been done.
    fn reads_ahead(&self) -> bool {
        true
    }

    /// Whether reading a property again tells if a change took hold. An act that leaves nothing to be read, such as running a
    /// command, is not asked for again.
    fn converges(&self, property: &str) -> bool {
        let _ = property;
        true
    }

    /// Returns what changing these properties needs, whether it is there or not. A run without changes reports what neither the
    /// machine has nor an earlier resource brings as the failure that it would be.
    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let _ = (system, request, properties);
        Vec::new()
    }

    /// Returns what is on the machine after a change of the resource, and what is gone from it if the resource is to be absent:
    /// what needs of other resources name.
    fn brings(&self, system: &System, request: Request<'_>) -> Vec<Thing> {
        let _ = (system, request);
        Vec::new()
    }

    /// Whether changes do only what the properties and [`Provider::brings`] say: no program is run that may do more, nothing is
    /// installed.
    fn keeps_to_plan(&self) -> bool {
        false
    }

    /// The texts of a property before and after a change, where people want to see what differs line by line.
    ///
    /// # Errors
    /// When one of them cannot be read.
    fn texts(&self, system: &System, request: Request<'_>, property: &str) -> Result<Option<(String, String)>, ProviderError> {
        let _ = (system, request, property);
        Ok(None)
    }

    /// Answers a query of a value block about one resource.
    ///
    /// # Errors
    /// When the answer cannot be had.
    fn query(&self, system: &System, request: Request<'_>, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let _ = (system, request, arguments);
        Err(ProviderError::new(format!("the provider does not answer `{method}`")))
    }
}
