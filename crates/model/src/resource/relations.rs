//! Evaluates the automatic relations of a resource.

use super::Context;
use super::instance::Instance;
use super::verdict::{PropertyReader, view_of};
use rtype_lang::eval::{Frame, run};
use rtype_lang::source::Span;
use rtype_lang::types::RelationKind;
use rtype_lang::value::{ResourceRef, Symbol, Value};
use std::collections::HashSet;

/// An automatic relation, even if the target is not declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The kind of relation.
    pub kind: RelationKind,
    /// The target.
    pub target: ResourceRef,
    /// True if the target is declared, so that the relation takes effect.
    pub declared: bool,
    /// True if the target's title is derived from a sensitive value and must not be shown. Declared titles are not secret.
    pub secret: bool,
}

/// Relations with the same kind and target type that could not be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnresolvedRelation {
    /// The kind of relation.
    pub kind: RelationKind,
    /// The type of the targets.
    pub target: Symbol,
    /// The error.
    pub message: String,
    /// True if the block is left in Ruby; the message is the reason.
    pub is_untranslated: bool,
    /// The code that failed.
    pub span: Span,
}

impl UnresolvedRelation {
    /// Returns the directive and the argument: `autorequire file`.
    pub fn block(&self) -> String {
        format!("{} {}", self.kind.directive(), self.target)
    }
}

/// The automatic relations of a resource.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    /// Relations without duplicates, in the order of the type's blocks.
    pub resolved: Vec<Relation>,
    /// Relations omitted because a block failed.
    pub unresolved: Vec<UnresolvedRelation>,
    /// The resolved relations, to find duplicates.
    seen: HashSet<(&'static str, ResourceRef, bool)>,
}

/// Runs an instance's relation blocks. Nil results are dropped, and results from several blocks for a type are merged. A block that depends
/// on an unknown value yields no relations; a failure does not affect other blocks. If a block is left in Ruby and the type's original code
/// runs, the original code returns all relations.
///
/// If `current` is given, lists with minimum membership include the current members.
pub fn relations(instance: &Instance, current: Option<PropertyReader<'_>>, context: Context<'_>) -> Relations {
    let mut all = Relations::default();
    let view = view_of(instance, context, current);
    for relation in &instance.type_def.autorelations {
        let frame = Frame { scope: &view, attribute: None, is: None, should: None, base: None };
        let value = match run(&relation.names, &[], &frame) {
            Ok(value) => value,
            Err(failure) if failure.is_unknown() && !failure.is_untranslated() => continue,
            Err(failure) => {
                let is_untranslated = failure.is_untranslated();
                let original = if is_untranslated { context.backend.and_then(|b| b.relations(instance, context)) } else { None };
                let message = match original {
                    Some(Ok(found)) => return original_relations(instance, found, context),
                    Some(Err(error)) => error.to_string(),
                    None => failure.message.clone(),
                };
                let (kind, target, span) = (relation.kind, relation.target.clone(), failure.span);
                all.unresolved.push(UnresolvedRelation { kind, target, message, is_untranslated, span });
                continue;
            }
        };
        if !value.is_nil()
            && let Some(coverage) = context.world.coverage()
        {
            coverage.reach(relation.target_span);
        }
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
            all.add(instance, relation.kind, target, secret, context);
        }
    }
    all
}

/// Resolves the relations returned by a type's original code.
fn original_relations(instance: &Instance, found: Vec<(RelationKind, ResourceRef)>, context: Context<'_>) -> Relations {
    let mut all = Relations::default();
    for (kind, target) in found {
        all.add(instance, kind, target, false, context);
    }
    all
}

impl Relations {
    /// Adds a relation, except duplicates and relations from the resource to itself.
    fn add(&mut self, instance: &Instance, kind: RelationKind, target: ResourceRef, secret: bool, context: Context<'_>) {
        let declared = context.catalog.find(target.type_name.as_str(), &target.title);
        let (is_declared, target) = (declared.is_some(), declared.unwrap_or(target));
        let relation = Relation { kind, declared: is_declared, secret: secret && !is_declared, target };
        let own = relation.target.type_name == instance.type_def.name && relation.target.title == instance.title;
        if !own && self.seen.insert((kind.metaparameter(), relation.target.clone(), relation.secret)) {
            self.resolved.push(relation);
        }
    }
}

/// Adds a name unless it is nil. Lists and maps are never titles and are skipped.
fn name(value: &Value, secret: bool, out: &mut Vec<(Value, bool)>) {
    let (value, inside) = open(value);
    if !matches!(value, Value::Nil | Value::Unknown | Value::Array(_) | Value::Map(_)) {
        out.push((value.clone(), secret || inside));
    }
}

/// Returns the content of a sensitive value, and true if the value was sensitive.
fn open(value: &Value) -> (&Value, bool) {
    match value {
        Value::Sensitive(inner) => (open(inner).0, true),
        other => (other, false),
    }
}
