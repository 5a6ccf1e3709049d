//! The changes of a resource, as they are passed to a provider.

use super::{Draft, ProviderError, Reading, Request, Resource};
use indexmap::IndexMap;
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::Foreign;
use rtype_lang::value::{Symbol, Value};

/// The operation that the changes of a resource amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The resource does not exist and has to be created.
    Create,
    /// The resource exists and some of its properties change.
    Update,
    /// The resource exists and has to be removed.
    Delete,
    /// There is nothing to do.
    Nothing,
}

/// Returns the level of messages about a resource, which its metaparameter `loglevel` names.
pub fn log_level(loglevel: &Value) -> LogLevel {
    match loglevel.to_text().as_str() {
        "debug" => LogLevel::Debug,
        "info" => LogLevel::Info,
        "warning" => LogLevel::Warning,
        "err" | "crit" | "alert" | "emerg" => LogLevel::Err,
        _ => LogLevel::Notice,
    }
}

/// One resource that is being changed: its state before, and the changes recorded so far.
///
/// A provider that writes immediately does so in [`super::Provider::set`] and [`super::Provider::call`]. One that
/// edits a file, or passes all changes to a program in one call, keeps the default implementations of these two,
/// which record the changes here, and writes them in [`super::Provider::flush`].
pub struct Change<'a> {
    /// The value of its namevar.
    pub name: &'a str,
    /// The desired values and the settings of the provider.
    pub resource: &'a dyn Resource,
    /// The state that was read before the first change.
    pub is: &'a Reading,
    /// The new values of properties that are not written yet, in the order in which they were set. Secrets are
    /// wrapped in [`Value::Sensitive`]; messages must not show them.
    pub should: IndexMap<Symbol, Value>,
    /// Whether the resource should exist, if set: `create` and `destroy` record it.
    pub exists: Option<bool>,
    /// The new file, if it is written but not at its path yet; [`super::Provider::flush`] moves it there.
    pub draft: Option<Draft>,
    /// Why [`super::Provider::flush`] could not set some of the properties, although it has set the others.
    pub failed: IndexMap<Symbol, ProviderError>,
    /// Messages for the log, in order; the run takes them after each call.
    pub messages: Vec<(LogLevel, Foreign)>,
}

impl<'a> Change<'a> {
    /// Creates a change with nothing recorded.
    pub fn new(request: Request<'a>, is: &'a Reading) -> Change<'a> {
        Change {
            name: request.name,
            resource: request.resource,
            is,
            should: IndexMap::new(),
            exists: None,
            draft: None,
            failed: IndexMap::new(),
            messages: Vec::new(),
        }
    }

    /// Returns the request to read the resource.
    pub fn request(&self) -> Request<'a> {
        Request { name: self.name, resource: self.resource }
    }

    /// Adds a message to the log.
    pub fn log(&mut self, level: LogLevel, message: impl Into<Foreign>) {
        self.messages.push((level, message.into()));
    }

    /// Returns the value that a property had before the change.
    pub fn was(&self, property: &str) -> Option<&Value> {
        match self.is {
            Reading::Present(state) => state.get(property)?.as_ref().ok(),
            _ => None,
        }
    }

    /// Returns whether the resource existed before the change.
    pub fn was_there(&self) -> bool {
        match self.is {
            Reading::Present(_) => !self.was("ensure").is_some_and(Value::is_absent),
            _ => false,
        }
    }

    /// Returns the value that a property should get: the last recorded one, else the desired value if the resource is
    /// being created, else nil.
    pub fn value(&self, property: &str) -> Value {
        match self.should.get(property) {
            Some(value) => value.unwrapped().clone(),
            None if self.operation() == Operation::Create => self.resource.wanted(property),
            None => Value::Nil,
        }
    }

    /// Returns the operation that the recorded changes amount to.
    pub fn operation(&self) -> Operation {
        match (self.was_there(), self.exists) {
            (false, Some(true)) => Operation::Create,
            (true, Some(false)) => Operation::Delete,
            (true, _) if !self.should.is_empty() => Operation::Update,
            _ => Operation::Nothing,
        }
    }

    /// Records `create` or `destroy`.
    ///
    /// # Errors
    /// If it is another action.
    pub fn note(&mut self, action: &str) -> Result<Value, ProviderError> {
        self.exists = Some(match action {
            "create" => true,
            "destroy" | "delete" => false,
            other => return Err(ProviderError::new(format!("the provider cannot `{other}`"))),
        });
        Ok(Value::Nil)
    }
}
