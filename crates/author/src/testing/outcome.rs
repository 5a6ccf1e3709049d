//! The state of a tested resource, as values that a test compares.

use rtype_lang::diagnostics::{Code, Diagnostic, Severity};
use rtype_lang::eval::Failure;
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, Role, TestOutcome, TypeDef};
use rtype_lang::value::{Symbol, Value};
use rtype_model::resource::{Catalog, Comparison, Context, Instance, Origin, PropertyReader, Status, compare_all, compare_one, relations};
use std::sync::Arc;

/// Converts a value in a test to the value that a provider reports: `absent` and allowed values of `ensure` become symbols.
pub fn reported(type_def: &TypeDef, name: &str, value: &Value) -> Value {
    let literal = |s: &str| s == "present" || type_def.attribute_named(name).is_some_and(|a| a.values.literals().any(|l| l.as_str() == s));
    match value {
        Value::Str(s) if s == "absent" || (name == "ensure" && literal(s)) => Value::Sym(s.clone().into()),
        other => other.clone(),
    }
}

/// A valid resource, with its simulated machine.
pub(super) struct Accepted<'a> {
    pub instance: &'a Instance,
    /// The catalog, including generated resources.
    pub catalog: &'a Catalog,
    pub read: PropertyReader<'a>,
    pub context: Context<'a>,
    /// Warnings from building the catalog.
    pub warnings: Vec<String>,
}

impl Accepted<'_> {
    /// Returns the value of an outcome.
    pub fn value(&self, outcome: TestOutcome, span: Span) -> Result<Value, Failure> {
        let fail = |message: String| Err(Failure::new(Code::BlockFailed, span, message));
        let type_def = &self.instance.type_def;
        Ok(match outcome {
            TestOutcome::Insync(id) | TestOutcome::Change(id) => {
                let name = type_def.attribute(id).map(|a| a.name.clone()).unwrap_or_else(|| Symbol::from(""));
                if type_def.attribute(id).is_some_and(|a| a.role != Role::Property) {
                    return fail(format!("`{name}` is not a property: only properties are compared"));
                }
                let Some(comparison) = self.comparison(id) else {
                    return fail(format!("`{name}` is not managed here: no value is wanted, so that nothing is compared"));
                };
                if let (Some(why), TestOutcome::Change(_)) = (&comparison.unformatted, outcome) {
                    return fail(format!("the message of the change of `{name}` cannot be formatted: {why}"));
                }
                match (comparison.status, outcome) {
                    (Status::Unreadable(why) | Status::Failed(why) | Status::Untranslated(why), _) => {
                        return fail(format!("`{name}` cannot be compared: {why}"));
                    }
                    (Status::Unknown, _) => Value::Nil,
                    (Status::OutOfSync(message), TestOutcome::Change(_)) => Value::str(message),
                    (_, TestOutcome::Change(_)) => Value::Nil,
                    (status, _) => status.in_sync().map_or(Value::Nil, Value::Bool),
                }
            }
            TestOutcome::Plan => {
                let verdict = compare_all(self.instance, self.read, self.context);
                let plan = verdict.plan();
                let ensure_alone = plan.first().is_some_and(|c| c.name.as_str() == "ensure");
                let failed = verdict.properties.iter().find_map(|p| match &p.status {
                    Status::Unreadable(why) | Status::Failed(why) | Status::Untranslated(why) => Some((&p.name, why)),
                    _ => None,
                });
                if let Some((name, why)) = failed.filter(|_| !ensure_alone) {
                    return fail(format!("`{name}` cannot be compared: {why}"));
                }
                Value::array(plan.into_iter().map(|c| Value::Sym(c.name.clone())))
            }
            TestOutcome::Relations(kind) => {
                let found = relations(self.instance, Some(self.read), self.context);
                if let Some(unresolved) = found.unresolved.iter().find(|u| u.kind == kind) {
                    return fail(unresolved.message.clone());
                }
                let of_kind = found.resolved.into_iter().filter(|r| r.kind == kind);
                Value::array(of_kind.map(|r| Value::Resource(Arc::new(r.target))))
            }
            TestOutcome::Generate => {
                let own = Some(self.instance.reference());
                let made = self.catalog.iter().filter(|i| i.generated_by() == own.as_ref());
                Value::array(made.map(|i| Value::Resource(Arc::new(i.reference()))))
            }
            TestOutcome::Defaulted => {
                let own = |id: AttrId| type_def.attribute(id).filter(|a| a.role != Role::Metaparam && a.name.as_str() != "provider");
                let slots = self.instance.slots.iter().filter(|s| matches!(s.origin, Origin::Default | Origin::Finalize));
                Value::array(slots.filter_map(|s| own(s.id)).map(|a| Value::Sym(a.name.clone())))
            }
            TestOutcome::Ignored => {
                let names = self.instance.ignored().iter().filter_map(|i| type_def.attribute(i.id));
                Value::array(names.map(|a| Value::Sym(a.name.clone())))
            }
            TestOutcome::Warnings => Value::array(self.warnings.iter().map(|w| Value::str(w.as_str()))),
        })
    }

    /// Compares a single property.
    pub fn comparison(&self, id: AttrId) -> Option<Comparison> {
        compare_one(self.instance, id, self.read, self.context)
    }
}

/// Returns the messages of the warnings among the diagnostics.
pub(super) fn warnings(found: &[Diagnostic]) -> Vec<String> {
    found.iter().filter(|d| d.severity == Severity::Warning).map(|d| d.message.clone()).collect()
}
