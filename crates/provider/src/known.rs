//! Provider properties that can be determined without running code.

use crate::asked::QueriedResource;
use crate::{NativeProviders, Request, System, code_of, program_of};
use rtype_lang::eval::QueryError;
use rtype_lang::types::ProgramDef;
use rtype_lang::value::Value;
use rtype_model::providers::{Capabilities, MayRead, ProgramDescription, Providers};
use rtype_model::resource::QueryContext;

impl Providers for NativeProviders {
    fn names(&self) -> Vec<(String, String)> {
        NativeProviders::names(self).map(|(type_name, provider)| (type_name.to_owned(), provider.to_owned())).collect()
    }

    fn capabilities(&self, type_name: &str, provider: &str) -> Option<Capabilities> {
        let code = self.get(type_name, provider)?;
        Some(Capabilities { reads: code.reads(), writes: code.writes(), queries: code.queries(), actions: code.actions() })
    }

    fn program(&self, def: &ProgramDef, may_read: MayRead<'_>) -> ProgramDescription {
        let program = program_of(def);
        if let Some(path) = program.missing() {
            return ProgramDescription::Missing(path);
        }
        if let Some(Err(why)) = program.sidecar_path().map(|path| may_read(&path)) {
            return ProgramDescription::Refused(why);
        }
        match program.sidecar() {
            Ok(Some(hello)) => ProgramDescription::Hello(Box::new(hello)),
            Ok(None) => ProgramDescription::None,
            Err(error) => ProgramDescription::Invalid(error.to_string()),
        }
    }

    fn in_sync(&self, asked: &QueryContext<'_>, arguments: &[Value]) -> Result<Value, QueryError> {
        let system = System::at("/nonexistent");
        let code = code_of(asked.type_def, asked.provider, self).map_err(|missing| QueryError::ProviderUnusable(missing.to_string()))?;
        let resource = QueriedResource(asked);
        let request = Request { name: asked.name, resource: &resource };
        code.query(&system, request, "insync?", arguments).map_err(|error| QueryError::Reported(system.redactor().redacted(&error.message)))
    }
}
