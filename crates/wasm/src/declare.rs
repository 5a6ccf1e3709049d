//! Compares resources with a written state instead of a machine.

use crate::report;
use crate::service::{RESOURCES, Texts};
use crate::state::State;
use rtype_author::testing::Simulated;
use rtype_author::trace::trace;
use rtype_lang::eval::QueryError;
use rtype_lang::library::TypeSet;
use rtype_lang::redact::Redactor;
use rtype_lang::types::AttrId;
use rtype_lang::value::Value;
use rtype_model::declare::{DeclareOptions, KnownResources};
use rtype_model::manifest::from_source;
use rtype_model::resource::{Comparison, Context, Instance, NoCatalog, Status, Verdict, compare_all, late_finalized, row};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Declares resources on a simulated Debian, and compares them with their written state.
pub(crate) fn declare(types: TypeSet, texts: &Texts) -> Json {
    let machine = Simulated::debian();
    let source = match types.keep(RESOURCES, texts.resources.clone()) {
        Ok(source) => source,
        Err(why) => return json!({ "resources": [], "diagnostics": report::diagnostics(&[why], &types) }),
    };
    let (declarations, mut found) = from_source(&source, &machine);
    types.secrets.extend(&declarations.secrets);
    let state = State::read(&texts.state, &types, &machine, &mut found);
    let context =
        Context { world: &machine, catalog: &NoCatalog, backend: Some(&state), strict: false, trace: true, offline: false, log: None };
    let declared = rtype_model::declare::declare(&declarations, &types, context, DeclareOptions::default());
    found.extend(declared.diagnostics);
    found.extend(types.diagnostics());
    found.iter_mut().for_each(|diagnostic| declarations.trace(diagnostic));
    let known = KnownResources::new(&declared.catalog, &types, context.backend);
    let context = Context { catalog: &known, ..context };
    let mut resources: Json = declared.catalog.iter().map(|instance| inspected(instance, &state, context, &types)).collect();
    types.secrets.redactor().redact_json(&mut resources);
    json!({ "resources": resources, "diagnostics": report::diagnostics(&found, &types) })
}

fn inspected(instance: &Arc<Instance>, state: &State, context: Context<'_>, types: &TypeSet) -> Json {
    let (instance, failure) = match late_finalized(instance, context) {
        Ok(None) => (Arc::clone(instance), None),
        Ok(Some(late)) => (Arc::new(late), None),
        Err(failure) => (Arc::clone(instance), Some(failure.message)),
    };
    let read = |id: AttrId| -> Result<Value, QueryError> { Ok(state.property(&instance, id)) };
    let verdict = compare_all(&instance, &read, context);
    let ensure = instance.type_def.id_of("ensure");
    let is_absent = ensure.is_some_and(|id| state.property(&instance, id).is_absent());
    let redactor = types.secrets.redactor();
    json!({
        "reference": instance.label().to_string(),
        "provider": instance.provider().map(|provider| provider.as_str().to_owned()),
        "generatedBy": instance.generated_by().map(ToString::to_string),
        "inSync": verdict.in_sync(),
        "failure": failure,
        "properties": verdict.properties.iter().map(|property| compared(property, redactor)).collect::<Vec<_>>(),
        "ignored": ignored(&instance),
        "trace": redactor.redact(&trace(&instance, &verdict, is_absent, &types.sources)),
        "plan": plan(&verdict),
    })
}

/// Returns the properties that a run would change, in order.
fn plan(verdict: &Verdict) -> Vec<String> {
    verdict.plan().into_iter().map(|property| property.name.to_string()).collect()
}

fn compared(property: &Comparison, redactor: &Redactor) -> Json {
    let [name, is, should, note] = row(property, &|text| redactor.redact(text), false);
    let status = match &property.status {
        Status::InSync => "in-sync",
        Status::OutOfSync(_) => "out-of-sync",
        Status::WithEnsure => "with-ensure",
        Status::Unreadable(_) => "unreadable",
        Status::Unknown => "unknown",
        Status::Failed(_) => "failed",
        Status::Untranslated(_) => "not-checked",
    };
    json!({ "name": name, "is": is, "should": should, "inSync": property.status.in_sync(), "status": status, "note": note })
}

fn ignored(instance: &Instance) -> Vec<Json> {
    let name = |id: AttrId| instance.type_def.attribute(id).map(|attribute| attribute.name.to_string());
    let features = |all: &[_]| all.iter().map(ToString::to_string).collect::<Vec<String>>();
    instance.ignored().iter().map(|one| json!({ "name": name(one.id), "missing": features(&one.missing) })).collect()
}
