//! Verdicts by provider code that compares properties with the type's original code.

use crate::read::{Current, DesiredResource};
use rtype_lang::value::Value;
use rtype_model::resource::{Comparison, Context, Instance, Status, Verdict, change_message};
use rtype_provider::{Provider, Reading, Request};
use std::sync::Arc;

/// Returns the context for the type's own comparison. If the code decides, blocks that query the provider are not needed and do not run.
pub(crate) fn comparing<'c>(context: Context<'c>, code: Option<&dyn Provider>) -> Context<'c> {
    if code.is_some_and(|code| code.decider().is_some()) { Context { backend: None, ..context } } else { context }
}

/// If the provider's code compares properties, replaces the verdicts from the type's blocks.
pub(crate) fn decide(verdict: &mut Verdict, instance: &Instance, current: &Current, code: Option<&dyn Provider>, context: Context<'_>) {
    let Some(decider) = code.and_then(Provider::decider) else { return };
    if !matches!(current, Current::Read(Reading::Present(_) | Reading::Absent, _)) {
        return;
    }
    let name = instance.name();
    let wanted = DesiredResource { instance, context };
    let answer = |property: &Comparison| decider.is_in_sync(Request { name: &name, resource: &wanted }, property.name.as_str());
    let ensure = verdict.properties.iter().find(|p| p.name.as_str() == "ensure").and_then(answer);
    for property in &mut verdict.properties {
        if property.should.has_unknown() {
            property.should = declared(instance, property);
        }
        if let Ok(is) = current.property(instance, property.id) {
            let hide = property.should.has_secret() || instance.type_def.attribute(property.id).is_some_and(|a| a.sensitive);
            property.is = Ok(if hide { Value::Sensitive(Arc::new(is.unwrapped().clone())) } else { is });
        }
        let is_ensure = property.name.as_str() == "ensure";
        property.status = match answer(property) {
            _ if !is_ensure && ensure == Some(false) => Status::WithEnsure,
            Some(false) if matches!(property.status, Status::OutOfSync(_)) => continue,
            Some(false) => Status::OutOfSync(message(instance, property, context)),
            // The code has compared every managed property. If `ensure` is not declared, this includes a missing resource.
            Some(true) | None => Status::InSync,
        };
    }
}

/// Returns the desired value as declared, if the converting block is not translated.
fn declared(instance: &Instance, property: &Comparison) -> Value {
    let sensitive = instance.type_def.attribute(property.id).is_some_and(|a| a.sensitive) || property.should.has_secret();
    let raw = instance.slot(property.id).map(|slot| slot.raw()).unwrap_or_default();
    if sensitive { Value::Sensitive(Arc::new(raw.unwrapped().clone())) } else { raw }
}

/// Describes a change like Puppet. If the type's formatting blocks are not translated, the values are omitted.
fn message(instance: &Instance, property: &Comparison, context: Context<'_>) -> String {
    change_message(instance, property, context).unwrap_or_else(|_| format!("{} changed", property.name))
}
