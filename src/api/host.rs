//! A real machine: reading, comparing, planning and applying.

use super::problem::Problems;
use super::resources::Resources;
use super::types::problems;
use crate::app::target::Target;
use rtype_engine::apply::{self, EventStatus, Listener, ResourceOutcome};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::{Failure, LogLevel};
use rtype_lang::library::TypeSet;
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::value::{ResourceRef, Value};
use rtype_model::declare::{Declaring, Purpose};
use rtype_model::manifest::{Declarations, from_source};
use rtype_model::resource::Status;
use rtype_provider::{Machine, NativeProviders, Provider, System, interrupt};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The machine that this program runs on, with the code of providers.
///
/// ```
/// let types = rtype::Loader::new().load()?;
/// let resources = types.declare("site.pp", "file { '/': ensure => directory }")?;
/// let host = rtype::Host::local();
/// let root = &host.compare(&resources)?[0];
/// assert_eq!((root.reference.as_str(), root.in_sync), ("File[/]", Some(true)));
/// # Ok::<(), rtype::Problems>(())
/// ```
#[derive(Clone)]
pub struct Host {
    machine: Machine,
    natives: NativeProviders,
}

/// A resource next to its state on the machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparedResource {
    /// `Type[title]`.
    pub reference: String,
    /// Whether all properties are in sync; `None` if that is not known because one cannot be read.
    pub in_sync: Option<bool>,
    /// The properties with a desired value.
    pub properties: Vec<ComparedProperty>,
    /// The messages that blocks of the type logged while rtype built and compared the resource.
    pub messages: Vec<ResourceMessage>,
}

/// A message that a block of a type logged with `warning`, `notice` or a similar function. Secrets are redacted.
///
/// ```
/// let text = "type t { newparam name { isnamevar }; newproperty size; validate { warning(\"large\") if self.size > 9 } }";
/// let types = rtype::Loader::new().text("t.rtype", text).load()?;
/// let resources = types.declare("site.pp", "t { 'a': size => 10 }")?;
/// let compared = rtype::Host::local().compare(&resources)?;
/// assert_eq!(compared[0].messages[0].text, "large");
/// # Ok::<(), rtype::Problems>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResourceMessage {
    /// The level.
    pub level: LogLevel,
    /// The message.
    pub text: String,
}

/// A property next to its state on the machine. Secrets are wrapped in [`Value::Sensitive`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparedProperty {
    /// The name of the property.
    pub name: String,
    /// The current value, or why it cannot be read.
    pub current: Result<Value, Unreadable>,
    /// The desired value.
    pub desired: Value,
    /// Whether the current and the desired value agree, as the type defines it; `None` if rtype cannot know.
    pub in_sync: Option<bool>,
    /// The message that a run would report for changing the property.
    pub change: Option<String>,
}

/// Why the current value of a property cannot be read. Secrets are redacted.
///
/// `Display` prints the message.
///
/// ```
/// let types = rtype::Loader::new().load()?;
/// let resources = types.declare("site.pp", "file { '/': mode => '0755' }")?;
/// for property in &rtype::Host::local().compare(&resources)?[0].properties {
///     if let Err(why) = &property.current {
///         eprintln!("{}[{}]: {why}", property.name, why.code);
///     }
/// }
/// # Ok::<(), rtype::Problems>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unreadable {
    /// The stable code, such as `RT302`; `rtype explain CODE` describes it.
    pub code: String,
    /// A description of the failure, as a sentence.
    pub message: String,
    /// A way to solve the problem.
    pub help: Option<String>,
}

impl Unreadable {
    fn new(failure: &Failure, redactor: &Redactor) -> Unreadable {
        Unreadable {
            code: failure.code.to_string(),
            message: redactor.redact(&failure.message),
            help: failure.help.as_ref().map(|help| redactor.redact(&help.to_string())),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unreadable {}

/// A step of a run: a change of a property, a refresh, a failure, or a message of a block or provider.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// `Type[title]`; empty for a message about the whole run.
    pub reference: String,
    /// The property, if the step is about a property.
    pub property: Option<String>,
    /// A description of what happened. Secrets are redacted.
    pub message: String,
    /// The status of the step.
    pub status: StepStatus,
}

/// The status of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepStatus {
    /// The change was made.
    Done,
    /// The change failed, or will certainly fail.
    Failed,
    /// A run would make the change.
    Planned,
    /// An audited property has changed since the last run.
    Audited,
    /// A block or provider logged a message of this level.
    Logged(LogLevel),
}

/// The numbers of resources in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunSummary {
    /// All resources, including generated resources.
    pub total: usize,
    /// The number of changed resources.
    pub changed: usize,
    /// The number of failed resources.
    pub failed: usize,
    /// The number of skipped resources: a dependency failed, or tags or a schedule exclude them.
    pub skipped: usize,
}

impl Host {
    /// Returns this machine with the providers that come with rtype.
    pub fn local() -> Host {
        Host { machine: Machine::new(System::host()), natives: NativeProviders::standard() }
    }

    /// Adds the native code of a provider, or replaces it. Its type declares the provider with `native`.
    #[must_use]
    pub fn register(mut self, type_name: &str, provider: &str, code: Arc<dyn Provider>) -> Host {
        self.natives.register(type_name, provider, code);
        self
    }

    /// Keeps all resources in memory, where they are absent at first, and changes nothing on this machine. On other hosts, resources
    /// of types without a provider fail.
    ///
    /// ```
    /// let types = rtype::Loader::new().text("t.rtype", "type t { newparam name { isnamevar }; newproperty size }").load()?;
    /// let resources = types.declare("site.pp", "t { 'a': size => 3 }")?;
    /// assert_eq!(rtype::Host::local().simulated().apply(&resources, &mut |_| {})?.changed, 1);
    /// assert_eq!(rtype::Host::local().compare(&resources)?[0].in_sync, None);
    /// # Ok::<(), rtype::Problems>(())
    /// ```
    #[must_use]
    pub fn simulated(mut self) -> Host {
        self.natives.simulate();
        self
    }

    /// Keeps the state of runs (schedules, audited properties, backups) in a directory of this program instead of rtype's own.
    ///
    /// # Errors
    /// If the path is relative and the working directory does not exist.
    pub fn state_directory(mut self, path: impl Into<PathBuf>) -> std::io::Result<Host> {
        let path = std::path::absolute(path.into())?;
        self.machine = Machine::new(self.machine.system().clone().with_state(path));
        Ok(self)
    }

    /// Reads the resources from the machine and compares them, without changes.
    ///
    /// # Errors
    /// If a resource is not valid on this machine. A resource that cannot be read is not an error: its properties carry the reason.
    pub fn compare(&self, resources: &Resources) -> Result<Vec<ComparedResource>, Problems> {
        let types = self.types_of(resources);
        let (_, declared) = self.declared(resources, &types, Purpose::Check)?;
        let (inspected, logged) = self.target().inspect(&declared.catalog, &types, false);
        let redactor = self.redactor();
        let messages = |reference: &ResourceRef| {
            let of_resource = declared.catalog.messages().iter().chain(&logged).filter(|message| message.reference == *reference);
            of_resource.map(|message| ResourceMessage { level: message.level, text: redactor.redact(&message.message) }).collect()
        };
        let compared = inspected.into_iter().map(|one| ComparedResource {
            reference: one.instance.label().to_string(),
            in_sync: one.in_sync(),
            messages: messages(&one.instance.reference()),
            properties: one
                .verdict
                .properties
                .into_iter()
                .map(|property| ComparedProperty {
                    name: property.name.to_string(),
                    in_sync: property.status.in_sync(),
                    change: match &property.status {
                        Status::OutOfSync(change) => Some(redactor.redact(change)),
                        _ => None,
                    },
                    current: property.is.map_err(|failure| Unreadable::new(&failure, redactor)),
                    desired: property.should,
                })
                .collect(),
        });
        Ok(compared.collect())
    }

    /// Returns the steps that [`Host::apply`] would take, as far as rtype can predict them. Makes no changes.
    ///
    /// ```
    /// let types = rtype::Loader::new().load()?;
    /// let resources = types.declare("site.pp", "file { '/no/such/directory/file': ensure => file }")?;
    /// let steps = rtype::Host::local().plan(&resources)?;
    /// assert_eq!(steps[0].status, rtype::StepStatus::Failed);
    /// # Ok::<(), rtype::Problems>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`Host::apply`].
    pub fn plan(&self, resources: &Resources) -> Result<Vec<Step>, Problems> {
        let mut steps = Vec::new();
        self.run(resources, true, &mut |step| steps.push(step.clone()))?;
        Ok(steps)
    }

    /// Applies the resources in the order of their relations, and calls `listener` after each step.
    ///
    /// # Errors
    /// If a resource is not valid on this machine, relations form a cycle, another run is going on, or the state directory cannot be used.
    /// Nothing was changed then. A resource that fails is not an error: it is a step, and counts as failed.
    pub fn apply(&self, resources: &Resources, listener: &mut dyn FnMut(&Step)) -> Result<RunSummary, Problems> {
        self.run(resources, false, listener)
    }

    fn run(&self, resources: &Resources, noop: bool, listener: &mut dyn FnMut(&Step)) -> Result<RunSummary, Problems> {
        let types = self.types_of(resources);
        let (declarations, declared) = self.declared(resources, &types, Purpose::Run)?;
        let problem = |why: Diagnostic| Problems::new(problems([&why], &types));
        let mut run = self.target().begin(noop, Duration::ZERO, &mut |_| {}).map_err(problem)?;
        let options = apply::ApplyOptions { noop, tags: Vec::new(), skip_tags: Vec::new(), now: jiff::Zoned::now(), show_diff: false };
        let stop = interrupt::graceful();
        let mut listener = Steps { listener, redactor: self.redactor() };
        let result = run.apply(&declarations, declared.catalog, &types, &options, stop.stopped(), &mut listener);
        let counts = result.map_err(|found| Problems::new(problems(&found, &types)))?;
        run.finish().map_err(problem)?;
        Ok(RunSummary { total: counts.total, changed: counts.changed, failed: counts.failed, skipped: counts.skipped })
    }

    /// Returns the types of the resources. Programs of this host do not print secrets of these types either.
    fn types_of(&self, resources: &Resources) -> TypeSet {
        let mut types = resources.types.clone();
        types.share_redactor(self.redactor());
        types
    }

    /// Declares the resources again with the facts and providers of this machine.
    fn declared(&self, resources: &Resources, types: &TypeSet, purpose: Purpose) -> Result<(Declarations, Declaring), Problems> {
        let before = types.diagnostic_count();
        let (declarations, mut found) = from_source(&resources.source, &self.machine);
        types.secrets.extend(&declarations.secrets);
        let mut declared = self.target().declare(&declarations, types, purpose);
        found.append(&mut declared.diagnostics);
        found.extend(types.diagnostics_after(before));
        if found.iter().any(Diagnostic::is_error) {
            found.iter_mut().for_each(|diagnostic| declarations.trace(diagnostic));
            return Err(Problems::new(problems(&found, types)));
        }
        Ok((declarations, declared))
    }

    fn target(&self) -> Target<'_> {
        Target { machine: &self.machine, natives: &self.natives, strict: false }
    }

    fn redactor(&self) -> &Redactor {
        self.machine.system().redactor()
    }
}

/// Translates the events of a run.
struct Steps<'a> {
    listener: &'a mut dyn FnMut(&Step),
    redactor: &'a Redactor,
}

impl Listener for Steps<'_> {
    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        let reference = reference.map(ToString::to_string).unwrap_or_default();
        let status = StepStatus::Logged(level);
        (self.listener)(&Step { reference, property: None, message: self.redactor.reveal(message), status });
    }

    fn done(&mut self, outcome: &ResourceOutcome) {
        let reference = outcome.reference.to_string();
        for event in &outcome.events {
            let status = match event.status {
                EventStatus::Success => StepStatus::Done,
                EventStatus::Failure => StepStatus::Failed,
                EventStatus::Noop => StepStatus::Planned,
                EventStatus::Audit => StepStatus::Audited,
            };
            let property = event.property.as_ref().map(ToString::to_string);
            (self.listener)(&Step { reference: reference.clone(), property, message: self.redactor.reveal(&event.message), status });
        }
        if let Some(failure) = &outcome.failure {
            let message = self.redactor.reveal(failure);
            (self.listener)(&Step { reference, property: None, message, status: StepStatus::Failed });
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this machine")
    }
}
