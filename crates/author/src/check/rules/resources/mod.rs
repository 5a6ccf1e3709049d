//! Rules about declared resources.

use super::{ResourceSubject, ResourcesSubject};
use rtype_lang::eval::UnknownWorld;
use rtype_lang::types::{AttrId, AttributeDef, RelationKind, Role};
use rtype_lang::value::{ResourceRef, Value};
use rtype_model::manifest::{Declared, DeclaredValue};
use rtype_model::resource::{Context, Instance, NoCatalog, build};

super::table! {
    Resources mode_as_number => ModeAsNumber supersedes InvalidValue,
    Resource attributes_beside_absent => AttributesBesideAbsent,
    Resource probable_typo => ProbableTypo,
    Resources dependency_cycle => DependencyCycle,
    Resource secret_literal => SecretLiteral,
    Resource purge_without_cap => PurgeWithoutCap,
    Resource moving_target => MovingTarget,
    Resource unmanaged_parent => UnmanagedParent,
    Resource title_repeated => TitleRepeated,
    Resource default_restated => DefaultRestated,
    Resource relation_repeated => RelationRepeated,
    Resource quoted_boolean => QuotedBoolean,
    Resource world_writable => WorldWritable,
    Resource nothing_managed => NothingManaged,
    Resource ensure_missing => EnsureMissing,
}

/// Returns the attributes set by a resource, including defaults in the file, with their definitions.
fn given<'a>(subject: &ResourceSubject<'a>) -> impl Iterator<Item = (AttrId, &'a AttributeDef, &'a DeclaredValue)> {
    let type_def = &*subject.instance.type_def;
    subject.declared.attributes.iter().filter_map(|(name, given)| {
        let id = type_def.id_declared_as(name)?;
        Some((id, type_def.attribute(id)?, given))
    })
}

/// Returns the values of an attribute, flattening a list; none if the attribute is secret.
fn open_values(given: &DeclaredValue) -> impl Iterator<Item = &Value> {
    let values = match &given.value {
        Value::Array(values) => values.as_slice(),
        one => std::slice::from_ref(one),
    };
    values.iter().filter(|_| !given.sensitive)
}

/// Returns `true` if the file is a program, so that other files and conditions decide which other resources exist.
fn is_program(file: &ResourcesSubject<'_>) -> bool {
    file.declarations.is_program
}

/// Returns `true` if the file is a compiled catalog. Redundant values in a catalog come from classes that serve many machines.
fn is_compiled(file: &ResourcesSubject<'_>) -> bool {
    file.declarations.is_compiled
}

/// Builds a changed version of the resource, without the other resources; `None` if it is invalid.
fn otherwise(subject: &ResourceSubject<'_>, change: impl FnOnce(&mut Declared)) -> Option<Instance> {
    let mut declared = subject.declared.clone();
    change(&mut declared);
    let offline =
        Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true, log: None };
    build(&subject.instance.type_def, &declared, offline).instance
}

/// Returns `true` if two versions of a resource have the same values except for one attribute.
fn same_beside(one: &Instance, other: &Instance, but: AttrId) -> bool {
    let count = |i: &Instance| i.slots.iter().filter(|s| s.id != but).count();
    let same = |i: AttrId| one.slot(i).map(|s| &s.value) == other.slot(i).map(|s| &s.value);
    count(one) == count(other) && one.slots.iter().filter(|s| s.id != but).all(|s| same(s.id))
}

/// Returns `true` if the resource's desired state is absent.
fn is_absent(instance: &Instance) -> bool {
    instance.get("ensure").is_absent()
}

/// Returns `true` if the attribute identifies the resource: a namevar, or a property that title patterns set.
fn names_it(attribute: &AttributeDef) -> bool {
    attribute.namevar
}

/// Returns `true` if the attribute belongs to the type and is neither a metaparameter nor `provider`.
fn is_own(attribute: &AttributeDef) -> bool {
    attribute.role != Role::Metaparam && attribute.name.as_str() != "provider"
}

/// Relationship metaparameters that a declaration may use.
const RELATIONS: &[RelationKind] = &[RelationKind::Require, RelationKind::Before, RelationKind::Notify, RelationKind::Subscribe];

/// Collects the resources that a value references.
fn references<'a>(value: &'a Value, out: &mut Vec<&'a ResourceRef>) {
    match value {
        Value::Resource(r) => out.push(r),
        Value::Array(values) => values.iter().for_each(|v| references(v, out)),
        _ => {}
    }
}
