//! Compares two catalogs or other lists of resources by their effect on a machine, not by their syntax.
//!
//! Values are compared according to their type as far as possible without a machine: by canonical values, and lists, modes and
//! versions by their `compare`. Resources of unknown types, and invalid ones, are compared as given. Tags, parameters of classes,
//! locations and the order of declarations are ignored.

mod ignore;
mod json;
mod markdown;
mod relations;
mod text;

pub use ignore::{IgnorePatterns, InvalidPattern};
pub use json::json;
pub use markdown::markdown;
pub use text::text;

use super::DiffSource;
use foldhash::fast::RandomState;
use indexmap::{IndexMap, IndexSet};
use relations::Relations;
use rtype_lang::source::Span;
use rtype_lang::types::{ArrayMatching, AttributeDef, Compare, NativeKind, Role};
use rtype_lang::value::{ComparisonMode, EcoString, ResourceRef, Value, in_sync};
use rtype_model::manifest::{Declarations, Declared, is_suspect};
use rtype_model::resource::{Catalog, Instance};
use serde::Serialize;

/// One of the two versions.
#[derive(Clone, Copy)]
pub struct Version<'a> {
    /// The declarations.
    pub declarations: &'a Declarations,
    /// The valid resources.
    pub catalog: &'a Catalog,
    /// The source.
    pub side: DiffSource<'a>,
}

/// A resource that differs between the versions.
#[derive(Clone, Debug)]
pub struct ResourceDifference {
    /// The kind of change.
    pub what: What,
    /// The resource.
    pub resource: ResourceRef,
    /// Location of the old declaration.
    pub old_place: Option<DeclarationSite>,
    /// Location of the new declaration.
    pub new_place: Option<DeclarationSite>,
    /// Attributes that differ; all attributes for an added or removed resource.
    pub attributes: Vec<AttributeDifference>,
    /// The class or defined resource around the resource before and now, if they differ.
    pub container: Option<(Option<ResourceRef>, Option<ResourceRef>)>,
}

/// The way in which a resource changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// The resource is new.
    Added,
    /// The resource was removed.
    Removed,
    /// The resource has changed.
    Changed,
}

/// Location of a declaration: in the manifest, or in the file that contains it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeclarationSite {
    /// File name.
    pub file: String,
    /// Line, starting at 1.
    pub line: u32,
}

/// An attribute that differs.
#[derive(Clone, Debug)]
pub struct AttributeDifference {
    /// Its name.
    pub name: EcoString,
    /// Old value, if it was set.
    pub old: Option<DisplayedValue>,
    /// New value, if it is set.
    pub new: Option<DisplayedValue>,
    /// `true` for a relationship.
    pub is_relation: bool,
}

/// A value that may be shown.
#[derive(Clone, Debug, PartialEq)]
pub enum DisplayedValue {
    /// The value as given, or the default that applies instead.
    Value(Value),
    /// A secret, which is not shown.
    Secret,
}

/// Returns the differences in the order of the new version, removed resources last.
pub fn compare(old: Version<'_>, new: Version<'_>, ignored: &IgnorePatterns) -> Vec<ResourceDifference> {
    let (was, is) = (IndexedVersion::new(old), IndexedVersion::new(new));
    let mut all = Vec::new();
    for (reference, declared) in &is.resources {
        if ignored.resource(reference) {
            continue;
        }
        match was.resources.get(reference) {
            None => all.push(is.alone(What::Added, reference, declared, ignored)),
            Some(before) => all.extend(changed((&was, before), (&is, declared), reference, ignored)),
        }
    }
    let gone = was.resources.iter().filter(|(reference, _)| !is.resources.contains_key(*reference) && !ignored.resource(reference));
    all.extend(gone.map(|(reference, declared)| was.alone(What::Removed, reference, declared, ignored)));
    all
}

/// A version with its resources and relationships, indexed.
struct IndexedVersion<'a> {
    version: Version<'a>,
    resources: IndexMap<ResourceRef, Thing<'a>, RandomState>,
    relations: Relations<'a>,
}

/// A resource, or a class or defined resource. Parameters of classes and defined resources are ignored, because their effects are
/// compared.
#[derive(Clone, Copy)]
struct Thing<'a> {
    declared: &'a Declared,
    is_container: bool,
    instance: Option<&'a Instance>,
}

impl<'a> IndexedVersion<'a> {
    fn new(version: Version<'a>) -> IndexedVersion<'a> {
        let mut resources: IndexMap<ResourceRef, Thing<'a>, RandomState> = IndexMap::default();
        for container in &version.declarations.containers {
            let declared = &container.declared;
            resources.insert(declared.reference(), Thing { declared, is_container: true, instance: None });
        }
        for declared in &version.declarations.resources {
            let reference = declared.reference();
            let instance = version.catalog.named(&reference).map(|i| &**i).filter(|i| i.span == declared.title_span);
            resources.insert(reference, Thing { declared, is_container: false, instance });
        }
        IndexedVersion { version, resources, relations: Relations::new(version.declarations) }
    }

    /// Describes a resource that exists in only one version.
    fn alone(&self, what: What, reference: &ResourceRef, thing: &Thing<'_>, ignored: &IgnorePatterns) -> ResourceDifference {
        let place = self.place(thing.declared.span);
        let mut attributes: Vec<AttributeDifference> = thing
            .names()
            .filter(|name| !ignored.attribute(reference, name))
            .filter_map(|name| {
                let shown = Some(thing.shown(&name)?);
                let (old, new) = if what == What::Added { (None, shown) } else { (shown, None) };
                Some(AttributeDifference { name, old, new, is_relation: false })
            })
            .collect();
        let none = Relations::default();
        attributes.extend(match what {
            What::Added => self.relations.compared_to(&none, reference, ignored),
            _ => none.compared_to(&self.relations, reference, ignored),
        });
        let (old_place, new_place) = if what == What::Added { (None, place) } else { (place, None) };
        ResourceDifference { what, resource: reference.clone(), old_place, new_place, attributes, container: None }
    }

    fn place(&self, span: Span) -> Option<DeclarationSite> {
        if let Some(origin) = self.version.declarations.origin(span) {
            return Some(DeclarationSite { file: origin.file.to_string(), line: origin.line });
        }
        let source = self.version.side.sources.find(span)?;
        Some(DeclarationSite { file: self.version.side.name(source.name()), line: source.position(span.start).line })
    }
}

impl<'a> Thing<'a> {
    /// Drops the instance unless `typed`, so that values are compared as data.
    fn if_typed(self, typed: bool) -> Thing<'a> {
        Thing { instance: self.instance.filter(|_| typed), ..self }
    }

    /// Iterates over the names of the attributes that are set, except relationships, as named by the type.
    fn names(&self) -> impl Iterator<Item = EcoString> + '_ {
        let given = self.declared.attributes.keys().filter(|_| !self.is_container);
        given.filter(|name| !relations::NAMES.contains(&name.as_str())).map(|name| match self.definition(name) {
            Some(attribute) => attribute.name.text(),
            None => name.clone(),
        })
    }

    fn definition(&self, name: &str) -> Option<&AttributeDef> {
        let type_def = &self.instance?.type_def;
        type_def.attribute(type_def.id_declared_as(name)?)
    }

    /// Returns the canonical value, or the declared value without a canonical value.
    fn value(&self, name: &str) -> Option<Value> {
        let slot = self.definition(name).and_then(|attribute| self.instance?.slot(self.instance?.type_def.id_of(attribute.name.as_str())?));
        let value = slot.map(|slot| slot.value.unwrapped().clone()).filter(|value| !value.has_unknown());
        value.or_else(|| Some(self.declared.attributes.get(name)?.value.unwrapped().clone()))
    }

    fn shown(&self, name: &str) -> Option<DisplayedValue> {
        let given = self.declared.attributes.get(name);
        let value = given.map(|given| given.value.clone()).or_else(|| self.value(name))?;
        let is_sensitive = match self.instance {
            Some(_) => self.definition(name).is_some_and(|attribute| attribute.sensitive),
            // Without a type, only the name can suggest a secret.
            None => is_suspect(name),
        };
        let is_secret = is_sensitive || value.has_secret() || given.is_some_and(|given| given.sensitive);
        Some(if is_secret { DisplayedValue::Secret } else { DisplayedValue::Value(value) })
    }
}

fn changed(
    (was, before): (&IndexedVersion<'_>, &Thing<'_>),
    (is, after): (&IndexedVersion<'_>, &Thing<'_>),
    reference: &ResourceRef,
    ignored: &IgnorePatterns,
) -> Option<ResourceDifference> {
    // If only one version is valid for the type, both are compared as data.
    let both = before.instance.is_some() && after.instance.is_some();
    let (old, new) = (before.if_typed(both), after.if_typed(both));
    let names: IndexSet<EcoString> = old.names().chain(new.names()).collect();
    let mut attributes = Vec::new();
    for name in names {
        if ignored.attribute(reference, &name) || same(new.definition(&name), old.value(&name).as_ref(), new.value(&name).as_ref()) {
            continue;
        }
        let (mut shown_old, mut shown_new) = (before.shown(&name), after.shown(&name));
        // A value that is secret in one version must not be shown in the other.
        if [&shown_old, &shown_new].iter().any(|shown| **shown == Some(DisplayedValue::Secret)) {
            (shown_old, shown_new) = (shown_old.map(|_| DisplayedValue::Secret), shown_new.map(|_| DisplayedValue::Secret));
        }
        attributes.push(AttributeDifference { name, old: shown_old, new: shown_new, is_relation: false });
    }
    attributes.extend(is.relations.compared_to(&was.relations, reference, ignored));
    let container = (was.relations.container(reference), is.relations.container(reference));
    let container = (container.0 != container.1).then(|| (container.0.cloned(), container.1.cloned()));
    if attributes.is_empty() && container.is_none() {
        return None;
    }
    let (old_place, new_place) = (was.place(before.declared.span), is.place(after.declared.span));
    Some(ResourceDifference { what: What::Changed, resource: reference.clone(), old_place, new_place, attributes, container })
}

/// Returns `true` if two desired values are the same according to their type.
fn same(attribute: Option<&AttributeDef>, old: Option<&Value>, new: Option<&Value>) -> bool {
    let (Some(old), Some(new)) = (old, new) else { return old == new };
    if old == new {
        return true;
    }
    let Some(attribute) = attribute.filter(|a| a.role == Role::Property) else { return false };
    let how = match (&attribute.native, &attribute.compare) {
        (Some(NativeKind::List { ordered: false, .. }), _) => ComparisonMode::Set,
        // The lenient part of the default comparison, `is == should.to_s`, does not apply to two desired values.
        (_, Compare::Named(ComparisonMode::Default) | Compare::Code(_)) => return false,
        (_, Compare::Named(how)) => *how,
    };
    let all = attribute.array_matching == ArrayMatching::All;
    // A value that merely includes the other is different.
    in_sync(how, old, new, all) && in_sync(how, new, old, all)
}
