//! What a resource's automatic relations point at.

use super::Context;
use super::instance::Instance;
use super::verdict::{Current, view_of};
use crate::eval::{Failure, Frame, run};
use crate::types::RelationKind;
use crate::value::{ResourceRef, Value};

/// An automatic relation, whether or not its target is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Which way.
    pub kind: RelationKind,
    /// What it points at.
    pub target: ResourceRef,
    /// Whether the target is declared, so that the relation holds.
    pub declared: bool,
    /// Whether the target's title comes from a sensitive value and must not be shown. What is declared has a title that is known.
    pub secret: bool,
}

/// Runs the relation blocks of an instance; nils are dropped, several blocks for a type add up.
///
/// Where `current` tells what is there, lists that only have to be contained show what is there, too.
///
/// # Errors
/// The failure of the first block that fails, unless it only waits for a value.
pub fn relations(instance: &Instance, current: Option<Current<'_>>, context: Context<'_>) -> Result<Vec<Relation>, Failure> {
    let mut found: Vec<Relation> = Vec::new();
    let view = view_of(instance, context, current);
    for relation in &instance.type_def.autorelations {
        let frame = Frame { scope: &view, attribute: None, is: None, should: None, base: None };
        let value = match run(&relation.names, &[], &frame) {
            Ok(value) => value,
            Err(failure) if failure.unknown => continue,
            Err(failure) => return Err(failure),
        };
        let mut names = Vec::new();
        flatten(&value, false, &mut names);
        for (name, secret) in names {
            let target = match name {
                Value::Resource(r) => r.as_ref().clone(),
                other => ResourceRef { type_name: relation.target.clone(), title: other.to_text() },
            };
            let declared = context.catalog.find(target.type_name.as_str(), &target.title);
            let relation = Relation {
                kind: relation.kind,
                declared: declared.is_some(),
                secret: secret && declared.is_none(),
                target: declared.unwrap_or(target),
            };
            // A resource has no relation to itself.
            let own = relation.target.type_name == instance.type_def.name && relation.target.title == instance.title;
            if !own && !found.contains(&relation) {
                found.push(relation);
            }
        }
    }
    Ok(found)
}

fn flatten(value: &Value, secret: bool, out: &mut Vec<(Value, bool)>) {
    match value {
        Value::Nil | Value::Unknown => {}
        Value::Array(values) => values.iter().for_each(|v| flatten(v, secret, out)),
        Value::Sensitive(inner) => flatten(inner, true, out),
        other => out.push((other.clone(), secret)),
    }
}
