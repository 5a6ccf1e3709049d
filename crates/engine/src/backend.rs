//! Lets value blocks call providers.

use super::read::{DesiredResource, code_for};
use super::secrets::{learn_asked, learn_state};
use rtype_lang::eval::QueryError;
use rtype_lang::types::{RelationKind, TypeDef};
use rtype_lang::value::{Map, ResourceRef, Symbol, Value};
use rtype_model::manifest::PrintedResource;
use rtype_model::resource::{Backend, Context, Instance, QueryContext};
use rtype_provider::{Machine, NativeProviders, ProviderError, QueriedResource, Reading, Request, Select, System, code_of};
use std::sync::Arc;

/// Answers queries with the providers' code.
pub struct NativeBackend<'a> {
    /// Code of the providers.
    pub natives: &'a NativeProviders,
    /// The machine.
    pub system: &'a System,
}

impl Backend for NativeBackend<'_> {
    fn query(&self, asked: &QueryContext<'_>, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        let provider = &asked.provider.name;
        let code = code_of(asked.type_def, asked.provider, self.natives);
        let code = code.map_err(|_| QueryError::NoCode { provider: provider.clone(), method: method.into() })?;
        let wanted = QueriedResource(asked);
        let request = Request { name: asked.name, resource: &wanted };
        let redactor = self.system.redactor();
        learn_asked(redactor, asked);
        let reported = |error: ProviderError| QueryError::Reported(redactor.redacted(&error.message));
        // A property name reads the property.
        if code.can_read(method) {
            let select = [Symbol::from(method)];
            return match code.get(self.system, &[request], Select::Only(&select)).into_iter().next() {
                Some(Reading::Present(state)) => {
                    learn_state(redactor, asked.type_def, &state);
                    state.get(method).cloned().map_or(Ok(Value::sym("absent")), |r| r.map_err(reported))
                }
                Some(Reading::Absent) => Ok(Value::sym("absent")),
                Some(Reading::Error(e) | Reading::Unavailable(e)) => Err(reported(e)),
                None => Err(QueryError::NoAnswer),
            };
        }
        code.query(&self.system.guarding([request.resource]), request, method, arguments).map_err(reported)
    }

    fn relations(&self, instance: &Instance, context: Context<'_>) -> Option<Result<Vec<(RelationKind, ResourceRef)>, QueryError>> {
        let code = code_for(instance, self.natives)?;
        let decider = code.decider()?;
        let (name, wanted) = (instance.name(), DesiredResource { instance, context });
        let found = decider.relations(self.system, Request { name: &name, resource: &wanted });
        Some(found.map_err(|error| QueryError::Reported(self.system.redactor().redacted(&error.message))))
    }

    fn instances(&self, type_def: &TypeDef) -> Result<Value, QueryError> {
        let machine = Machine::new(self.system.clone());
        let listed = super::instances::instances(type_def, self.natives, &machine);
        // An incomplete list must not be mistaken for missing resources.
        if let Some(error) = listed.diagnostics.iter().find(|d| d.is_error()).filter(|_| listed.resources.is_empty()) {
            return Err(QueryError::Diagnostic(Box::new(error.clone())));
        }
        let one = |shown: PrintedResource| {
            let title = (Value::sym("title"), Value::Str(shown.title));
            // A list with secrets would make all derived values secret, including titles.
            let public = shown.attributes.into_iter().filter(|(_, value)| !value.has_secret());
            let attributes = public.map(|(name, value)| (Value::sym(name), value));
            Value::Map(Arc::new(std::iter::once(title).chain(attributes).collect::<Map>()))
        };
        Ok(Value::array(listed.resources.into_iter().map(one)))
    }
}
