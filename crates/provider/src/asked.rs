//! Resources as blocks query them.

use crate::{ProviderError, Resource};
use rtype_lang::eval::Failure;
use rtype_lang::source::Span;
use rtype_lang::types::{ProviderDef, Setting, TypeDef};
use rtype_lang::value::Value;
use rtype_model::resource::QueryContext;

/// The resource of a block's query, as a provider sees it.
pub struct QueriedResource<'a>(pub &'a QueryContext<'a>);

impl Resource for QueriedResource<'_> {
    fn wanted(&self, attribute: &str) -> Value {
        (self.0.wanted)(attribute).unwrapped().clone()
    }

    fn ask(&self, name: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        setting((self.0.setting)(name, arguments), name)
    }

    fn setting(&self, name: &str) -> Result<Value, ProviderError> {
        Ok(self.ask(name, &[])?.unwrapped().clone())
    }

    fn setting_span(&self, name: &str) -> Option<Span> {
        setting_span(self.0.type_def, self.0.provider, name)
    }
}

/// Returns the span of the block that defines a setting. For a constant, returns the span of the directive with the provider's kind.
pub fn setting_span(type_def: &TypeDef, provider: &ProviderDef, name: &str) -> Option<Span> {
    let (definer, setting) = type_def.lineage(provider).find_map(|(_, p)| Some((p, p.settings.get(name)?)))?;
    match setting {
        Setting::Code(code) => Some(code.inner.span),
        Setting::Value(_) => Some(definer.body.span().unwrap_or(definer.span)),
    }
}

/// Returns the value of a provider setting in the form that provider code expects.
///
/// # Errors
/// If its block fails.
pub fn setting(value: Result<Value, Failure>, name: &str) -> Result<Value, ProviderError> {
    match value {
        Ok(value) => Ok(value),
        Err(failure) => {
            let span = Some(failure.span).filter(|span| *span != Span::NONE);
            Err(ProviderError::new(format!("cannot evaluate the setting `{name}`: {}", failure.message)).at(span))
        }
    }
}
