//! Value blocks ask providers.

use super::code_of;
use crate::provider::{NativeProviders, ProviderError, Reading, Request, Resource, Select, System};
use crate::resource::{Asked, Backend};
use crate::value::{Symbol, Value};

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

    fn setting(&self, name: &str) -> Result<Value, ProviderError> {
        super::read::setting((self.0.setting)(name), name)
    }
}

impl Backend for NativeBackend<'_> {
    fn query(&self, asked: &Asked<'_>, method: &str, arguments: &[Value]) -> Result<Value, String> {
        let provider = &asked.provider.name;
        let code = code_of(asked.type_def, asked.provider, self.natives);
        let code = code.map_err(|_| format!("the provider `{provider}` has no code yet that could answer `{method}`"))?;
        let wanted = Wanted(asked);
        let request = Request { name: asked.name, resource: &wanted };
        // A property's name asks what the property is now.
        if code.can_read(method) {
            let select = [Symbol::from(method)];
            return match code.get(self.system, &[request], Select::Only(&select)).into_iter().next() {
                Some(Reading::Present(state)) => state.get(method).cloned().map_or(Ok(Value::sym("absent")), |r| r.map_err(|e| e.message)),
                Some(Reading::Absent) => Ok(Value::sym("absent")),
                Some(Reading::Error(e)) => Err(e.message),
                None => Err("its provider gave no answer".into()),
            };
        }
        code.query(self.system, request, method, arguments).map_err(|e| e.message)
    }
}
