//! What a resource's automatic relations point at.

use super::Context;
use super::instance::Instance;
use super::verdict::{Current, view_of};
use rtype_lang::eval::{Frame, run};
use rtype_lang::types::RelationKind;
use rtype_lang::value::{ResourceRef, Symbol, Value};

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

/// Relations of one kind to resources of one type that could not be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UntoldRelation {
    /// Which way.
    pub kind: RelationKind,
    /// The type they would point at.
    pub target: Symbol,
    /// Why.
    pub message: String,
}

/// The automatic relations of a resource.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    /// Each once, in the order of the type's blocks.
    pub told: Vec<Relation>,
    /// What is left out because a block failed.
    pub untold: Vec<UntoldRelation>,
}

/// Runs the relation blocks of an instance; nils are dropped, several blocks for a type add up. A block that waits for a
/// value gives none, one that fails leaves the others alone.
///
/// Where `current` tells what is there, lists that only have to be contained show what is there, too.
pub fn relations(instance: &Instance, current: Option<Current<'_>>, context: Context<'_>) -> Relations {
    let mut all = Relations::default();
    let view = view_of(instance, context, current);
    for relation in &instance.type_def.autorelations {
        let frame = Frame { scope: &view, attribute: None, is: None, should: None, base: None };
        let value = match run(&relation.names, &[], &frame) {
            Ok(value) => value,
            Err(failure) if failure.unknown => continue,
            Err(failure) => {
                let (kind, target) = (relation.kind, relation.target.clone());
                all.untold.push(UntoldRelation { kind, target, message: failure.message });
                continue;
            }
        };
        let mut names = Vec::new();
        match open(&value) {
            (Value::Array(values), secret) => values.iter().for_each(|v| name(v, secret, &mut names)),
            (_, secret) => name(&value, secret, &mut names),
        }
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
            if !own && !all.told.contains(&relation) {
                all.told.push(relation);
            }
        }
    }
    all
}

/// A name, unless it is nil. No resource has a list or a map for its title, so that these name nothing.
fn name(value: &Value, secret: bool, out: &mut Vec<(Value, bool)>) {
    let (value, inside) = open(value);
    if !matches!(value, Value::Nil | Value::Unknown | Value::Array(_) | Value::Map(_)) {
        out.push((value.clone(), secret || inside));
    }
}

/// What is inside a sensitive value, and whether it was one.
fn open(value: &Value) -> (&Value, bool) {
    match value {
        Value::Sensitive(inner) => (open(inner).0, true),
        other => (other, false),
    }
}
