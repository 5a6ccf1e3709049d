//! Value blocks ask providers.

use super::code_of;
use super::secrets::{learn_asked, learn_state};
use crate::manifest::Shown;
use crate::provider::{Machine, NativeProviders, ProviderError, Reading, Request, Resource, Select, System};
use crate::resource::{Asked, Backend};
use crate::types::TypeDef;
use crate::value::{Map, Symbol, Value};
use std::sync::Arc;

/// Answers queries with the native code of a table.
pub struct NativeBackend<'a> {
    /// The code.
    pub natives: &'a NativeProviders,
    /// The machine.
    pub system: &'a System,
}

struct Wanted<'a>(&'a Asked<'a>);

impl Resource for Wanted<'_> {
    fn wanted(&self, attribute: &str) -> Value {
        (self.0.wanted)(attribute).unwrapped().clone()
    }

    fn ask(&self, name: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        super::read::setting((self.0.setting)(name, arguments), name)
    }

    fn setting(&self, name: &str) -> Result<Value, ProviderError> {
        Ok(self.ask(name, &[])?.unwrapped().clone())
    }
}

impl Backend for NativeBackend<'_> {
    fn query(&self, asked: &Asked<'_>, method: &str, arguments: &[Value]) -> Result<Value, String> {
        let provider = &asked.provider.name;
        let code = code_of(asked.type_def, asked.provider, self.natives);
        let code = code.map_err(|_| format!("the provider `{provider}` has no code yet that could answer `{method}`"))?;
        let wanted = Wanted(asked);
        let request = Request { name: asked.name, resource: &wanted };
        let redactor = self.system.redactor();
        learn_asked(redactor, asked);
        let words = |error: ProviderError| redactor.reveal(&error.message);
        // A property's name asks what the property is now.
        if code.can_read(method) {
            let select = [Symbol::from(method)];
            return match code.get(self.system, &[request], Select::Only(&select)).into_iter().next() {
                Some(Reading::Present(state)) => {
                    learn_state(redactor, asked.type_def, &state);
                    state.get(method).cloned().map_or(Ok(Value::sym("absent")), |r| r.map_err(words))
                }
                Some(Reading::Absent) => Ok(Value::sym("absent")),
                Some(Reading::Error(e) | Reading::Unavailable(e)) => Err(words(e)),
                None => Err("its provider gave no answer".into()),
            };
        }
        code.query(self.system, request, method, arguments).map_err(words)
    }

    fn instances(&self, type_def: &TypeDef) -> Result<Value, String> {
        let machine = Machine::new(self.system.clone());
        let listed = super::instances::instances(type_def, self.natives, &machine);
        // What could not be listed might be taken for what is not there.
        if let Some(error) = listed.diagnostics.iter().find(|d| d.is_error()).filter(|_| listed.resources.is_empty()) {
            return Err(error.message.clone());
        }
        let one = |shown: Shown| {
            let title = (Value::sym("title"), Value::Str(shown.title));
            // A list with secrets in it would make a secret of all that is found in it, titles too.
            let told = shown.attributes.into_iter().filter(|(_, value)| !value.has_secret());
            let attributes = told.map(|(name, value)| (Value::sym(name), value));
            Value::Map(Arc::new(std::iter::once(title).chain(attributes).collect::<Map>()))
        };
        Ok(Value::array(listed.resources.into_iter().map(one)))
    }
}
