//! Connects block actions to the resource's provider.

use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{Failure, LogLevel, QueryError};
use rtype_lang::redact::Foreign;
use rtype_lang::source::Span;
use rtype_lang::value::{Symbol, Value};
use rtype_model::resource::{ActionEffect, Actor, Comparison, Instance, event};
use rtype_provider::{Change, Provider, ProviderError, Reading, Select, System};
use std::cell::RefCell;
use std::sync::Arc;

/// A resource being changed.
pub(super) struct ProviderActor<'a, 'c> {
    /// The provider's code; `None` if the type needs no provider. The type's blocks then cannot call provider methods.
    pub code: Option<&'a Arc<dyn Provider>>,
    pub system: &'a System,
    pub change: &'a RefCell<Change<'c>>,
    /// Receives log messages.
    pub log: &'a dyn Fn(LogLevel, &Foreign),
    /// True if changes have been recorded but not written yet.
    pub unwritten: std::cell::Cell<bool>,
}

impl ProviderActor<'_, '_> {
    /// Redacts an error message.
    fn reported(&self, error: &ProviderError) -> QueryError {
        QueryError::Reported(self.system.redactor().redacted(&error.line()))
    }

    /// Passes the messages of the provider to the log.
    fn tell(&self) {
        let messages = std::mem::take(&mut self.change.borrow_mut().messages);
        for (level, message) in messages {
            self.system.redactor().lines(&message).iter().for_each(|line| (self.log)(level, line));
        }
    }

    /// Returns a system that refuses program arguments with the resource's secrets.
    fn guarded(&self) -> std::borrow::Cow<'_, System> {
        self.system.guarding([self.change.borrow().resource])
    }

    /// Writes the recorded changes.
    pub fn flush(&self) -> Result<(), ProviderError> {
        let Some(code) = self.code else { return Ok(()) };
        self.unwritten.set(false);
        let system = self.guarded();
        let mut change = self.change.borrow_mut();
        let result = code.flush(&system, std::slice::from_mut(&mut change)).pop();
        drop(change);
        self.tell();
        result.unwrap_or(Ok(()))
    }

    fn perform(&self, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let code = self.code.ok_or_else(|| ProviderError::new(format!("no provider can `{method}`")))?;
        if method == "flush" {
            return self.flush().map(|()| Value::Nil);
        }
        if code.can_call(method) {
            self.unwritten.set(true);
            let result = code.call(&self.guarded(), &mut self.change.borrow_mut(), method, arguments);
            self.tell();
            return result;
        }
        if code.can_read(method) {
            return self.current(method);
        }
        let request = self.change.borrow().request();
        code.query(&self.guarded(), request, method, arguments)
    }

    fn assign(&self, property: &str, value: &Value) -> Result<(), ProviderError> {
        let code = self.code.ok_or_else(|| ProviderError::new(format!("no provider can change `{property}`")))?;
        if !code.can_write(property) {
            return Err(ProviderError::new(format!("the provider cannot change `{property}`")));
        }
        self.unwritten.set(true);
        let result = code.set(&self.guarded(), &mut self.change.borrow_mut(), property, value);
        self.tell();
        result
    }

    /// Records a desired value for a provider that sets properties with the type's original code.
    pub fn assign_original(&self, instance: &Instance, comparison: &Comparison) -> Result<ActionEffect, Failure> {
        let span = instance.type_def.attribute(comparison.id).map_or(Span::NONE, |a| a.span);
        let failed = |e: ProviderError| Failure::query(Code::BlockFailed, span, self.reported(&e));
        self.assign(comparison.name.as_str(), &comparison.should).map_err(failed)?;
        let attribute = instance.type_def.attribute(comparison.id);
        let plain = || ActionEffect { name: comparison.name.clone(), invalidate_refreshes: false };
        Ok(attribute.map_or_else(plain, |attribute| event(instance, attribute, &comparison.should)))
    }

    fn current(&self, property: &str) -> Result<Value, ProviderError> {
        let absent = || Value::sym("absent");
        let code = self.code.ok_or_else(|| ProviderError::new(format!("no provider can read `{property}`")))?;
        let request = self.change.borrow().request();
        match code.get(&self.guarded(), &[request], Select::Only(&[Symbol::from(property)])).into_iter().next() {
            Some(Reading::Present(state)) => match state.get(property) {
                Some(Ok(value)) => Ok(value.clone()),
                Some(Err(e)) => Err(e.clone()),
                None if property == "ensure" => Ok(Value::sym("present")),
                None => Ok(absent()),
            },
            Some(Reading::Absent) => Ok(absent()),
            Some(Reading::Error(e) | Reading::Unavailable(e)) => Err(e),
            None => Err(ProviderError::new("its provider returned no result")),
        }
    }
}

impl Actor for ProviderActor<'_, '_> {
    fn call(&self, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        self.perform(method, arguments).map_err(|e| self.reported(&e))
    }

    fn set(&self, property: &str, value: &Value) -> Result<(), QueryError> {
        self.assign(property, value).map_err(|e| self.reported(&e))
    }

    fn read(&self, property: &str) -> Result<Value, QueryError> {
        self.current(property).map_err(|e| self.reported(&e))
    }

    fn has_code(&self) -> bool {
        self.code.is_some()
    }

    fn log(&self, level: LogLevel, message: &str) {
        (self.log)(level, &message.into());
    }
}
