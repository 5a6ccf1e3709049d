//! Providers: the code that reads and changes a real machine.
//!
//! A provider reports facts. It never decides whether a resource is in sync, never validates values and does not know
//! which values are allowed; the type does that. The exception is [`Decider`]: the original code of a type. Each provider is intentionally described twice: in `.rtype`
//! (features, commands, confines) and here (code). `rtype check` verifies that the two agree.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

mod asked;
mod change;
mod code;
pub mod declared;
pub mod external;
mod facts;
mod file_server;
pub mod interrupt;
mod known;
mod machine;
pub mod native;
mod need;
mod puppet_conf;
pub mod ruby;
mod shape;
mod simulated;
mod system;
pub mod text;
pub mod transfer;
mod walk;
mod whole;

pub use asked::{QueriedResource, setting, setting_span};
pub use change::{Change, Operation, log_level};
pub use code::{MissingCode, code_of, code_without_provider, has_code, program_of, shape};
pub use file_server::{FileQuery, FileServer, RemoteFile};
pub use machine::{Machine, PURGE_LIMIT};
pub use native::NativeProviders;
pub use native::formats::{FILE_FORMATS, FileFormat};
pub use need::{Need, Thing};
pub use puppet_conf::{PuppetLayout, PuppetSettings, parse_puppet_conf};
pub use shape::{Attribute, ResourceShape};
pub use simulated::Simulation;
pub use system::{Access, Command, Draft, Output, ProgramOutput, Replace, System, Talk, own_state};
pub use whole::{ChangeContext, DesiredValues, Difference, GetSet, Simple, WholeResource};

use indexmap::IndexMap;
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::source::Span;
use rtype_lang::types::RelationKind;
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};

/// An error of reading or changing a resource. A resource that cannot be read is never treated as absent.
///
/// Both parts must pass through the run's redactor before they are printed, because programs may repeat secrets from
/// their input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderError {
    /// The kind of the failure, for code that handles some kinds specially.
    pub kind: ErrorKind,
    /// What went wrong, with the file or command: `cannot read /etc/shadow: permission denied`.
    pub message: Foreign,
    /// How to fix it, if known: `run as root`.
    pub help: Option<Foreign>,
    /// The span of the failed setting or block in the type's file, for declarative providers.
    pub span: Option<Span>,
}

/// The kind of a [`ProviderError`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorKind {
    /// Reading or changing the resource failed.
    #[default]
    Failed,
    /// An attribute is not set that the provider needs to find or change the resource.
    MissingAttribute,
    /// A program that implements a provider violated the protocol, crashed or timed out.
    Protocol,
}

impl ProviderError {
    /// Creates an error without help.
    pub fn new(message: impl Into<Foreign>) -> ProviderError {
        ProviderError { kind: ErrorKind::Failed, message: message.into(), help: None, span: None }
    }

    /// Sets the kind.
    #[must_use]
    pub fn of_kind(mut self, kind: ErrorKind) -> ProviderError {
        self.kind = kind;
        self
    }

    /// Sets the span, unless a more precise one is known.
    #[must_use]
    pub fn at(mut self, span: Option<Span>) -> ProviderError {
        self.span = self.span.or(span);
        self
    }

    /// Adds help.
    #[must_use]
    pub fn help(mut self, help: impl Into<Foreign>) -> ProviderError {
        self.help = Some(help.into());
        self
    }

    /// Adds a prefix to the message.
    #[must_use]
    pub fn context(mut self, before: impl Into<Foreign>) -> ProviderError {
        self.message = before.into().then(self.message);
        self
    }

    /// Returns message and help on one line.
    pub fn line(&self) -> Foreign {
        match &self.help {
            Some(help) => self.message.clone().then(" (").then(help.clone()).then(")"),
            None => self.message.clone(),
        }
    }

    /// Returns message and help on one line, with secrets redacted.
    pub fn describe(&self, redactor: &Redactor) -> String {
        redactor.reveal(&self.line())
    }
}

/// For assertion messages in tests.
#[cfg(test)]
impl std::fmt::Display for ProviderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&rtype_lang::redact::Redactor::default().reveal(&self.message))
    }
}

/// The properties of an existing resource, including `ensure`; each one has a value or an error.
///
/// A property without a value is `:absent`; a property that was not requested is missing.
pub type State = IndexMap<Symbol, Result<Value, ProviderError>>;

/// The result of reading one resource.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// The resource exists, with these properties.
    Present(State),
    /// The resource does not exist.
    Absent,
    /// Whether the resource exists could not be determined.
    Error(ProviderError),
    /// No resource of this provider can be read: the run does not call the provider again, and changes none of its
    /// resources.
    Unavailable(ProviderError),
}

impl Reading {
    /// Returns the error if the resource could not be read.
    pub fn error(&self) -> Option<&ProviderError> {
        match self {
            Reading::Error(error) | Reading::Unavailable(error) => Some(error),
            Reading::Present(_) | Reading::Absent => None,
        }
    }
}

/// A resource found by [`Provider::instances`].
#[derive(Clone, Debug, PartialEq)]
pub struct ListedResource {
    /// The value of the type's namevar, also used as the title.
    pub name: EcoString,
    /// The properties, and the params that identify the resource.
    pub state: State,
}

/// The values that a type file gives the attributes of a resource. They replace the values of the Ruby type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileValues {
    /// The values of attributes without untranslated blocks; `nil` if an attribute is not set.
    pub values: IndexMap<Symbol, FileValue>,
    /// Whether the resource has passed a `validate` block of the type file.
    pub is_validated: bool,
}

/// The value that a type file gives an attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct FileValue {
    /// The canonical value; for properties, all desired values.
    pub value: Value,
    /// Whether the type file checks or converts values of the attribute.
    pub has_rules: bool,
}

/// A resource as a provider sees it.
pub trait Resource {
    /// Returns the desired value of an attribute in canonical form, `nil` if it is not set.
    fn wanted(&self, attribute: &str) -> Value;

    /// Returns the value of an attribute as written in the source, if its type keeps it; else the same as
    /// [`Resource::wanted`]. Used for the content of files, where the canonical value is only the checksum.
    fn given(&self, attribute: &str) -> Value {
        self.wanted(attribute)
    }

    /// Returns whether the value of an attribute is a secret: it may be passed to programs on standard input only,
    /// and must not appear in messages or backups.
    fn is_secret(&self, attribute: &str) -> bool {
        let _ = attribute;
        false
    }

    /// Returns the names of the attributes that are set, in the order of the type.
    fn attributes(&self) -> Vec<Symbol> {
        Vec::new()
    }

    /// Returns whether an attribute has the type's default, not a declared value.
    fn is_default(&self, attribute: &str) -> bool {
        let _ = attribute;
        false
    }

    /// Returns the values that a type file gives the attributes; `None` if the file is Ruby code or the provider is not in Ruby.
    fn checked(&self) -> Option<FileValues> {
        None
    }

    /// Returns whether another resource generates this one.
    fn is_generated(&self) -> bool {
        false
    }

    /// Returns the title of the declaration, if there is one.
    fn title(&self) -> Option<EcoString> {
        None
    }

    /// Returns the file and line of the declaration, if there is one.
    fn place(&self) -> Option<(EcoString, u32)> {
        None
    }

    /// Evaluates a block of the provider's declaration with these arguments; `nil` if there is no such block. Secrets
    /// in the result are wrapped.
    ///
    /// # Errors
    /// If the block fails.
    fn ask(&self, setting: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let _ = arguments;
        self.setting(setting)
    }

    /// Returns a setting of the provider's declaration (`section { … }`), `nil` if it is not set.
    ///
    /// # Errors
    /// If its block fails.
    fn setting(&self, name: &str) -> Result<Value, ProviderError> {
        let _ = name;
        Ok(Value::Nil)
    }

    /// Returns whether a setting in the provider's declaration is a block that uses the resource. Its value may differ between resources.
    fn varies(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Returns the span of a setting in the provider's declaration, for errors about it.
    fn setting_span(&self, name: &str) -> Option<Span> {
        let _ = name;
        None
    }
}

/// A resource to read or change.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The value of its namevar.
    pub name: &'a str,
    /// The other attributes, for providers with results that depend on other attributes (`links` of a file, `user` of a cron job).
    pub resource: &'a dyn Resource,
}

/// The properties to read. Others may be skipped, and expensive ones must be.
#[derive(Clone, Copy, Debug)]
pub enum Select<'a> {
    /// All readable properties.
    All,
    /// Only these properties.
    Only(&'a [Symbol]),
}

impl Select<'_> {
    /// Returns whether this property should be read.
    pub fn wants(self, name: &str) -> bool {
        match self {
            Select::All => true,
            Select::Only(names) => names.iter().any(|n| n.as_str() == name),
        }
    }
}

/// The implementation of a provider: registered for `native`, or built from the declaration.
pub trait Provider: Send + Sync {
    /// Returns the properties that [`Provider::get`] can read, including `ensure`.
    fn reads(&self) -> &'static [&'static str];

    /// Returns whether an attribute accepts bytes that are not valid UTF-8.
    fn takes_bytes(&self, attribute: &str) -> bool {
        let _ = attribute;
        false
    }

    /// Returns whether a property can be read, for code that determines this at run time.
    fn can_read(&self, property: &str) -> bool {
        self.reads().contains(&property)
    }

    /// Returns the methods that value blocks may call: the declaration's `queries`.
    fn queries(&self) -> &'static [&'static str] {
        &[]
    }

    /// Reads the given resources in one batch. Returns one result per request, in the same order.
    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading>;

    /// Reads all instances.
    ///
    /// # Errors
    /// If the instances cannot be listed, or if listing makes no sense (all files of a machine).
    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError>;

    /// Reads all instances for a declaration with settings, such as the path of a file; blocks of settings are then
    /// evaluated without a resource.
    ///
    /// # Errors
    /// As [`Provider::instances`].
    fn instances_of(&self, system: &System, settings: &dyn Resource, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let _ = settings;
        self.instances(system, select)
    }

    /// Returns the properties that can be changed. `ensure` is included only if it is set like other properties;
    /// usually actions change it.
    fn writes(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns whether a property can be changed; see [`Provider::can_read`].
    fn can_write(&self, property: &str) -> bool {
        self.writes().contains(&property)
    }

    /// Returns the methods that action blocks may call: the declaration's `actions`.
    fn actions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns whether blocks may call a method as an action; see [`Provider::can_read`].
    fn can_call(&self, action: &str) -> bool {
        self.actions().contains(&action) || ["create", "destroy", "delete"].contains(&action)
    }

    /// Sets a property, either immediately or, as the default implementation does, by recording the value for
    /// [`Provider::flush`]. Secrets are wrapped in [`Value::Sensitive`].
    ///
    /// # Errors
    /// If the property was not set. The resource is then failed and not flushed.
    fn set(&self, system: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        let _ = system;
        change.should.insert(Symbol::from(property), value.clone());
        Ok(())
    }

    /// Performs an action, either immediately or, as the default implementation does for `create` and `destroy`, by
    /// recording it for [`Provider::flush`].
    ///
    /// # Errors
    /// As [`Provider::set`].
    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let _ = (system, arguments);
        change.note(action)
    }

    /// Writes the recorded changes, once per resource after all its properties. Returns one result per change, in the
    /// same order. Changes that were written must be cleared (`should`, `exists`), because there may be another
    /// flush.
    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let _ = system;
        changes.iter().map(|_| Ok(())).collect()
    }

    /// Returns the maximum number of consecutive resources per flush. Greater than 1 for providers that write several resources together:
    /// lines of a file, packages installed by a single program run.
    fn batch(&self, system: &System) -> usize {
        let _ = system;
        1
    }

    /// Returns whether a resource may be read, changed and flushed together with others of its batch. False if its state or changes may
    /// depend on another resource of the batch without a declared relation.
    fn is_independent(&self, request: Request<'_>) -> bool {
        let _ = request;
        true
    }

    /// Returns whether resources may be read in batches long before it is their turn. False for providers whose
    /// reading depends on resources that have been applied before.
    fn reads_ahead(&self) -> bool {
        true
    }

    /// Returns whether reading a property again shows if the change was successful. An action without observable
    /// state, such as running a command, is not verified.
    fn converges(&self, property: &str) -> bool {
        let _ = property;
        true
    }

    /// Returns whether a change of one property is complete without the others. If all recorded changes of a resource cannot be written
    /// together, [`Provider::flush`] is called again for each property.
    fn has_independent_properties(&self) -> bool {
        false
    }

    /// Returns the name of the event when a property is changed, if it does not follow from the property and its value.
    fn event(&self, property: &str) -> Option<&'static str> {
        let _ = property;
        None
    }

    /// Returns whether a change has failed if reading again does not confirm it. Otherwise that is a warning.
    fn fails_unconfirmed(&self) -> bool {
        true
    }

    /// Returns what a change of these properties requires, whether it exists or not. In a run without changes,
    /// requirements that are neither met nor provided by an earlier resource are reported as the failures that they
    /// would cause.
    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let _ = (system, request, properties);
        Vec::new()
    }

    /// Returns what exists on the machine after a change of the resource, or is removed if the resource should be
    /// absent. These are matched with the needs of other resources.
    fn brings(&self, system: &System, request: Request<'_>) -> Vec<Thing> {
        let _ = (system, request);
        Vec::new()
    }

    /// Returns whether a change does exactly what the properties and [`Provider::brings`] say: it runs no programs
    /// with other effects and installs nothing.
    fn keeps_to_plan(&self) -> bool {
        false
    }

    /// Returns the texts of a property before and after a change, for properties that are shown as a diff.
    ///
    /// # Errors
    /// If a text cannot be read.
    fn texts(&self, system: &System, request: Request<'_>, property: &str) -> Result<Option<(String, String)>, ProviderError> {
        let _ = (system, request, property);
        Ok(None)
    }

    /// Returns the code that decides in place of the type's blocks, if this provider has it.
    fn decider(&self) -> Option<&dyn Decider> {
        None
    }

    /// Answers a query of a value block about a resource.
    ///
    /// # Errors
    /// If the query cannot be answered.
    fn query(&self, system: &System, request: Request<'_>, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let _ = (system, request, arguments);
        Err(ProviderError::new(format!("the provider does not answer `{method}`")))
    }
}
/// The original code of a type, which compares properties, changes them and refreshes resources in place of the type's blocks.
pub trait Decider {
    /// Returns whether a property was in sync when the resource was read last.
    fn is_in_sync(&self, request: Request<'_>, property: &str) -> Option<bool>;

    /// Refreshes a resource.
    ///
    /// # Errors
    /// If it fails.
    fn refresh(&self, system: &System, request: Request<'_>) -> Result<(), ProviderError>;

    /// Returns the automatic relations of a resource.
    ///
    /// # Errors
    /// If they cannot be determined.
    fn relations(&self, system: &System, request: Request<'_>) -> Result<Vec<(RelationKind, ResourceRef)>, ProviderError>;
}
