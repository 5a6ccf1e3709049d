//! What a resource is to become, as a provider is told.

use super::{ProviderError, Reading, Request, Resource};
use indexmap::IndexMap;
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::Foreign;
use rtype_lang::value::{Symbol, Value};

/// What the changes of one resource come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// It is not there and shall be.
    Create,
    /// It is there and some of its properties change.
    Update,
    /// It is there and shall not be.
    Delete,
    /// Nothing is to be done.
    Nothing,
}

/// One resource that is being changed: what it was, and what has been noted to be written.
///
/// A provider that writes at once does so in [`super::Provider::set`] and [`super::Provider::call`]. One that edits a file, or
/// hands all changes to a program in one go, leaves these two as they are: they note what is wanted here, and
/// [`super::Provider::flush`] writes it.
pub struct Change<'a> {
    /// The value of its namevar.
    pub name: &'a str,
    /// Its wanted values and the settings of its provider.
    pub resource: &'a dyn Resource,
    /// What was read before the first change.
    pub is: &'a Reading,
    /// Properties that were given a new value and are not written yet, in that order. Secrets come wrapped, messages must
    /// not show them.
    pub should: IndexMap<Symbol, Value>,
    /// Whether it shall be there, where that was said: `create` and `destroy` note it.
    pub exists: Option<bool>,
    /// Messages for the run's log, in that order; the run takes them after each call.
    pub messages: Vec<(LogLevel, Foreign)>,
}

impl<'a> Change<'a> {
    /// Nothing is noted yet.
    pub fn new(request: Request<'a>, is: &'a Reading) -> Change<'a> {
        Change { name: request.name, resource: request.resource, is, should: IndexMap::new(), exists: None, messages: Vec::new() }
    }

    /// The resource as reading is asked for it.
    pub fn request(&self) -> Request<'a> {
        Request { name: self.name, resource: self.resource }
    }

    /// A message for the run's log.
    pub fn log(&mut self, level: LogLevel, message: impl Into<Foreign>) {
        self.messages.push((level, message.into()));
    }

    /// What it was before.
    pub fn was(&self, property: &str) -> Option<&Value> {
        match self.is {
            Reading::Present(state) => state.get(property)?.as_ref().ok(),
            _ => None,
        }
    }

    /// Whether it was there before.
    pub fn was_there(&self) -> bool {
        match self.is {
            Reading::Present(_) => !self.was("ensure").is_some_and(Value::is_absent),
            _ => false,
        }
    }

    /// What a property is to be: what was noted last, else what the resource wants when it is made anew, else nil.
    pub fn value(&self, property: &str) -> Value {
        match self.should.get(property) {
            Some(value) => value.unwrapped().clone(),
            None if self.operation() == Operation::Create => self.resource.wanted(property),
            None => Value::Nil,
        }
    }

    /// What all that was noted comes to.
    pub fn operation(&self) -> Operation {
        match (self.was_there(), self.exists) {
            (false, Some(true)) => Operation::Create,
            (true, Some(false)) => Operation::Delete,
            (true, _) if !self.should.is_empty() => Operation::Update,
            _ => Operation::Nothing,
        }
    }

    /// Notes an action that only says whether the resource shall be there.
    ///
    /// # Errors
    /// When it is another action.
    pub fn note(&mut self, action: &str) -> Result<Value, ProviderError> {
        self.exists = Some(match action {
            "create" => true,
            "destroy" | "delete" => false,
            other => return Err(ProviderError::new(format!("the provider cannot `{other}`"))),
        });
        Ok(Value::Nil)
    }
}
