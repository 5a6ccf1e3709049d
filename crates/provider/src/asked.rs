//! Resources as blocks query them.

use crate::{ProviderError, Resource};
use rtype_lang::eval::Failure;
use rtype_lang::value::Value;
use rtype_model::resource::Asked;

/// The resource of a block's query, as a provider sees it.
pub struct AskedResource<'a>(pub &'a Asked<'a>);

impl Resource for AskedResource<'_> {
    fn wanted(&self, attribute: &str) -> Value {
        (self.0.wanted)(attribute).unwrapped().clone()
    }

    fn ask(&self, name: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        setting((self.0.setting)(name, arguments), name)
    }

    fn setting(&self, name: &str) -> Result<Value, ProviderError> {
        Ok(self.ask(name, &[])?.unwrapped().clone())
    }
}

/// Returns the value of a provider setting in the form that provider code expects.
///
/// # Errors
/// If its block fails.
pub fn setting(value: Result<Value, Failure>, name: &str) -> Result<Value, ProviderError> {
    match value {
        Ok(value) => Ok(value),
        Err(failure) => Err(ProviderError::new(format!("cannot evaluate the setting `{name}`: {}", failure.message))),
    }
}
