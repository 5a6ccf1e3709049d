//! Checks on the complete catalog: unresolved references, the types' `pre_run_check`, and `purges`.

use super::verdict::view_of;
use super::{Catalog, Context, Instance, UNDECIDED, relations};
use crate::manifest::Declarations;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::{Failure, Frame, run};
use rtype_lang::source::Span;
use rtype_lang::value::{ResourceRef, Value};

const RELATIONSHIPS: &[&str] = &["require", "before", "notify", "subscribe"];

/// Returns a diagnostic for each unresolved reference in an instance. `declared` accepts declarations outside the catalog: classes, and
/// resources that could not be built.
///
/// Follows Puppet's `Puppet::Type#finish`.
pub fn dangling(instance: &Instance, catalog: &Catalog, declared: &dyn Fn(&ResourceRef) -> bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let own = instance.reference();
    for name in RELATIONSHIPS {
        let value = instance.get(name);
        let span = instance.type_def.id_of(name).and_then(|id| instance.slot(id)).map_or(Span::NONE, |s| s.span);
        lost(&value, catalog, declared, |target| found.push(unknown(&own, name, target, span)));
    }
    found
}

/// Like [`dangling`], for arrows, classes, and resources that could not be built.
pub fn dangling_beside(declarations: &Declarations, catalog: &Catalog, declared: &dyn Fn(&ResourceRef) -> bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let unbuilt = declarations.resources.iter().filter(|d| catalog.named(&d.reference()).is_none());
    for declared_so in unbuilt.chain(declarations.containers.iter().map(|c| &c.declared)) {
        let own = declared_so.reference();
        for (name, given) in RELATIONSHIPS.iter().filter_map(|name| Some((name, declared_so.attributes.get(*name)?))) {
            lost(&given.value, catalog, declared, |target| found.push(unknown(&own, name, target, given.span)));
        }
    }
    for edge in &declarations.edges {
        for end in [&edge.from, &edge.to] {
            if is_lost(end, catalog, declared) {
                found.push(Diagnostic::new(Code::UnknownReference, edge.span, undeclared(end)).help(DECLARE_IT));
            }
        }
    }
    found
}

/// Calls `report` with each unresolved reference in a relationship value.
fn lost(value: &Value, catalog: &Catalog, declared: &dyn Fn(&ResourceRef) -> bool, mut report: impl FnMut(&ResourceRef)) {
    let targets = match value.unwrapped() {
        Value::Array(targets) => targets.as_slice(),
        one => std::slice::from_ref(one),
    };
    for target in targets {
        if let Value::Resource(target) = target
            && is_lost(target, catalog, declared)
        {
            report(target);
        }
    }
}

fn is_lost(target: &ResourceRef, catalog: &Catalog, declared: &dyn Fn(&ResourceRef) -> bool) -> bool {
    catalog.get(target.type_name.as_str(), &target.title).is_none() && !declared(target)
}

const DECLARE_IT: &str = "declare it, or delete the relation; a reference goes by title, alias or name";

fn undeclared(target: &ResourceRef) -> String {
    format!("`{target}` is not declared")
}

fn unknown(own: &ResourceRef, attribute: &str, target: &ResourceRef, span: Span) -> Diagnostic {
    Diagnostic::of_resource(Code::UnknownReference, span, own, Some(attribute), undeclared(target)).help(DECLARE_IT)
}

/// The label of code without a result: code left in Ruby, and operations whose result Ruby alone knows, such as the class of some errors.
pub(super) const NOT_EVALUATED: &str = "rtype cannot evaluate this";

/// Returns the diagnostic for a block that is left in Ruby.
pub fn left_in_ruby(own: &ResourceRef, span: Span, failure: &Failure, strict: bool) -> Diagnostic {
    let message = format!("not checked: {}", failure.message);
    Diagnostic::of_resource(Code::NotChecked, span, own, None, message).error_if(strict).also(failure.span, NOT_EVALUATED)
}

/// Runs an instance's `pre_run_check` blocks within the complete catalog, including generated resources. Returns the diagnostics.
///
/// Follows Puppet's `Puppet::Transaction#perform_pre_run_checks`.
pub fn pre_run_checks(instance: &Instance, context: Context<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let own = instance.reference();
    let view = view_of(instance, context, None);
    for code in &instance.type_def.pre_run_checks {
        let frame = Frame { scope: &view, attribute: None, is: None, should: None, base: None };
        let Err(failure) = run(code, &[], &frame) else { continue };
        if failure.is_unknown() {
            let left = failure.is_untranslated();
            let (message, label) = match left {
                true => (format!("not checked: {}", failure.message), NOT_EVALUATED),
                false => (UNDECIDED.into(), "unknown value"),
            };
            let d = Diagnostic::of_resource(Code::NotChecked, instance.span, &own, None, message);
            found.push(d.error_if(context.strict && left).also(failure.span, label));
            continue;
        }
        let blamed = failure.at.as_deref().and_then(|a| instance.type_def.id_of(a)).and_then(|id| instance.slot(id));
        let span = blamed.map_or(instance.span, |s| s.span);
        found.push(
            Diagnostic::of_resource(Code::PreRunCheck, span, &own, failure.at.as_deref(), failure.message)
                .also(failure.span, "the rule")
                .maybe_help(failure.help),
        );
    }
    found
}

/// Returns an error for each block that fails within the complete catalog and does not change the resource: relation blocks and `purges`.
/// For relation blocks left in Ruby, a run evaluates the original code.
pub fn failed_blocks(instance: &Instance, context: Context<'_>) -> Vec<Diagnostic> {
    let type_def = &instance.type_def;
    let own = instance.reference();
    let failed = |block: &str, message: &str, span: Span| {
        let message = format!("{block}: {message}");
        Diagnostic::of_resource(Code::BlockFailed, instance.span, &own, None, message).also(span, "it fails here")
    };
    let found = if type_def.autorelations.is_empty() { Vec::new() } else { relations(instance, None, context).unresolved };
    let found = found.iter().filter(|relation| !relation.is_untranslated);
    let mut found: Vec<Diagnostic> = found.map(|r| failed(&r.block(), &r.message, r.span)).collect();
    if let Some(Err(failure)) = run_purges(instance, context).filter(|result| result.as_ref().is_err_and(|f| !f.is_unknown())) {
        found.push(failed("purges", &failure.message, failure.span));
    }
    found
}

/// Runs a resource's `purges` block. Returns `None` if the type has no such block.
fn run_purges(instance: &Instance, context: Context<'_>) -> Option<Result<Value, Failure>> {
    let code = instance.type_def.purges.as_ref()?;
    let view = view_of(instance, context, None);
    Some(run(code, &[], &Frame { scope: &view, attribute: None, is: None, should: None, base: None }))
}

/// Returns true if the resource removes undeclared resources without a limit. Unknown conditions count as `false`.
pub fn purges(instance: &Instance, context: Context<'_>) -> bool {
    run_purges(instance, context).is_some_and(|found| found.is_ok_and(|value| value.is_truthy() && !value.has_unknown()))
}
