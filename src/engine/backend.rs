//! Value blocks ask native providers.

use crate::provider::{NativeProviders, Reading, Request, Resource, Select, System};
use crate::resource::Backend;
use crate::types::{ProviderBody, ProviderDef};
use crate::value::{Symbol, Value};

/// Answers queries with the native code of a table.
pub struct NativeBackend<'a> {
    /// The code.
    pub natives: &'a NativeProviders,
    /// The machine.
    pub system: &'a System,
}

struct Asked<'a>(&'a dyn Fn(&str) -> Value);

impl Resource for Asked<'_> {
    fn wanted(&self, attribute: &str) -> Value {
        (self.0)(attribute).unwrapped().clone()
    }
}

impl Backend for NativeBackend<'_> {
    fn query(
        &self,
        provider: &ProviderDef,
        name: &str,
        wanted: &dyn Fn(&str) -> Value,
        method: &str,
        arguments: &[Value],
    ) -> Result<Value, String> {
        let native = match provider.body {
            ProviderBody::Native(_) => self.natives.get(provider.type_name.as_str(), provider.name.as_str()),
            _ => None,
        };
        let native =
            native.ok_or_else(|| format!("the provider `{}` has no native code yet that could answer `{method}`", provider.name))?;
        let asked = Asked(wanted);
        let request = Request { name, resource: &asked };
        // A property's name asks what the property is now.
        if native.reads().contains(&method) {
            let select = [Symbol::from(method)];
            return match native.get(self.system, &[request], Select::Only(&select)).into_iter().next() {
                Some(Reading::Present(state)) => state.get(method).cloned().map_or(Ok(Value::sym("absent")), |r| r.map_err(|e| e.message)),
                Some(Reading::Absent) => Ok(Value::sym("absent")),
                Some(Reading::Error(e)) => Err(e.message),
                None => Err("its provider gave no answer".into()),
            };
        }
        native.query(self.system, request, method, arguments).map_err(|e| e.message)
    }
}
