//! What it does: Reports `validate` blocks of types that reject every resource, or that reject a listed value in every
//! resource. rtype tries all combinations of listed values, and of set and unset attributes.
//!
//! Why: The type, or the value, cannot be used. Conditions about the machine, other resources or arbitrary text are assumed
//! to have either result. In Ruby, types that only devices have reject every resource on
//! purpose, and are not reported.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam key
//!   newproperty state { newvalues open, closed, locked }
//!   validate {
//!     fail "a locked door needs a key" if self.state == :locked && !self.key
//!     fail "only an open door has a key" if self.key && self.state != :open
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam key
//!   newproperty state { newvalues open, closed, locked }
//!   validate {
//!     fail "a locked door needs a key" if self.state == :locked && !self.key
//!     fail "an open door needs no key" if self.key && self.state == :open
//!   }
//! }
//! ```

use super::possible::{PartialValue, Possible, fails, symbol};
use super::reads::reads;
use crate::check::{Sink, TypeSubject};
use rtype_model::resource::take_alone;
use rtype_lang::source::Span;
use rtype_lang::types::{ArrayMatching, AttrId, AttributeDef, Default, Role, ValueStep, TypeCheck, TypeDef};
use rtype_lang::value::Value;
use std::sync::Arc;

/// Maximum number of combinations to check.
const MAX_COMBINATIONS: usize = 2_000;

/// The possible values of an attribute.
struct Choices {
    id: AttrId,
    known: Vec<PartialValue>,
    /// The allowed values among them, with index, name and location.
    listed: Vec<(usize, String, Span)>,
}

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    let failing = |check: &TypeCheck| matches!(check, TypeCheck::Validate(code) if fails(code).is_some());
    // Untranslated Ruby always fails, which another rule reports.
    let left = subject.declaration.body.directives.iter().any(|d| d.name.name == "untranslated");
    let unconditional = |check: &TypeCheck| matches!(check, TypeCheck::Validate(code) if Possible::new(type_def).must_fail(code));
    if left || !type_def.checks.iter().any(failing) || subject.file.is_ruby() && type_def.checks.iter().any(unconditional) {
        return;
    }
    let choices = choices(type_def);
    let combinations = choices.iter().fold(1usize, |n, c| n.saturating_mul(c.known.len()));
    if combinations > MAX_COMBINATIONS {
        return;
    }
    let mut usable = false;
    let mut unused: Vec<(usize, usize, Span)> = Vec::new();
    for (i, choice) in choices.iter().enumerate() {
        unused.extend(choice.listed.iter().map(|(place, _, _)| (i, *place, Span::NONE)));
    }
    for combination in 0..combinations {
        let picked = pick(&choices, combination);
        match refused(type_def, &choices, &picked) {
            None => {
                usable = true;
                unused.retain(|(i, place, _)| picked.get(*i) != Some(place));
                if unused.is_empty() {
                    return;
                }
            }
            Some(rule) => {
                let here = unused.iter_mut().filter(|(i, place, _)| picked.get(*i) == Some(place));
                here.for_each(|(_, _, span)| *span = rule);
            }
        }
    }
    if !usable {
        let rule = refused(type_def, &choices, &pick(&choices, 0)).unwrap_or_default();
        let found = sink.finding(rule, format!("no resource of the type `{}` satisfies its rules", type_def.name));
        sink.report(found.help("every combination of values violates one of the rules"));
        return;
    }
    for (i, place, rule) in unused {
        let Some(choice) = choices.get(i) else { continue };
        let Some((_, name, span)) = choice.listed.iter().find(|(p, _, _)| *p == place) else { continue };
        let attribute = type_def.attribute(choice.id).map(|a| a.name.to_string()).unwrap_or_default();
        let found = sink.finding(*span, format!("the value `{name}` of `{attribute}` can never be used, regardless of the other attributes"));
        sink.report(found.also(rule, "rejects it").help("remove the value, or fix the rules that reject it"));
    }
}

fn pick(choices: &[Choices], mut combination: usize) -> Vec<usize> {
    let mut picked = Vec::with_capacity(choices.len());
    for choice in choices {
        let count = choice.known.len().max(1);
        picked.push(combination % count);
        combination /= count;
    }
    picked
}

/// Returns the `fail` that certainly rejects a combination.
fn refused(type_def: &TypeDef, choices: &[Choices], picked: &[usize]) -> Option<Span> {
    let mut possible = Possible::new(type_def);
    for (choice, place) in choices.iter().zip(picked) {
        possible.attributes.insert(choice.id, choice.known.get(*place).cloned().unwrap_or(PartialValue::Nothing));
    }
    for check in &type_def.checks {
        match check {
            TypeCheck::Finalize(code) => possible.forget_written(code),
            TypeCheck::Validate(code) if possible.must_fail(code) => return Some(possible.failed_at),
            TypeCheck::Validate(_) => {}
        }
    }
    None
}

/// Returns the possible values of attributes in rules.
fn choices(type_def: &Arc<TypeDef>) -> Vec<Choices> {
    let mut ids: Vec<AttrId> = Vec::new();
    for check in &type_def.checks {
        if let TypeCheck::Validate(code) = check {
            ids.extend(reads(type_def, code).into_iter().map(|(id, _)| id));
        }
    }
    ids.sort();
    ids.dedup();
    ids.into_iter().filter_map(|id| choice(type_def, id)).collect()
}

fn choice(type_def: &Arc<TypeDef>, id: AttrId) -> Option<Choices> {
    let attribute = type_def.attribute(id)?;
    let free = attribute.role == Role::Metaparam
        || type_def.namevars.contains(&id)
        || attribute.name.as_str() == "provider"
        // Without the feature, the attribute is unset even if a declaration sets it.
        || !attribute.required_features.is_empty()
        || matches!(attribute.default, Some(Default::Code(_)))
        || attribute.native.is_some()
        || attribute.unmunge.is_some()
        || attribute.should.is_some()
        || attribute.sensitive;
    if free {
        return None;
    }
    let mut choices = Choices { id, known: Vec::new(), listed: Vec::new() };
    if attribute.required.is_none() && attribute.default.is_none() {
        choices.known.push(PartialValue::Is(Value::Nil));
    }
    match listed(type_def, id, attribute) {
        Some(values) => {
            for (known, name, span) in values {
                choices.listed.push((choices.known.len(), name, span));
                choices.known.push(known);
            }
        }
        None => {
            // Every value except `false` is truthy.
            choices.known.extend([PartialValue::True, PartialValue::Is(Value::Bool(false))]);
        }
    }
    Some(choices)
}

/// Returns the canonical values of an attribute, if all allowed values are literals.
fn listed(type_def: &Arc<TypeDef>, id: AttrId, attribute: &AttributeDef) -> Option<Vec<(PartialValue, String, Span)>> {
    let checked = attribute.validate.steps.iter().any(|s| matches!(s, ValueStep::Values));
    let set = &attribute.values;
    let lists = attribute.role == Role::Property && attribute.array_matching == ArrayMatching::All;
    if attribute.data_type.is_some() || lists {
        return None;
    }
    if set.is_empty() || set.regexes().next().is_some() || !checked || set.values.iter().any(|v| !v.required_features.is_empty()) {
        return None;
    }
    let plain = matches!(attribute.munge.steps.as_slice(), [ValueStep::Values]);
    let literals = set.values.iter().zip(set.literals());
    literals
        .map(|(value, literal)| {
            let known = if plain {
                symbol(literal)
            } else {
                let taken = take_alone(type_def, id, &Value::Str(literal.text()))?.ok()?;
                // The list of a property's desired values is stored as a single value if it has one element.
                if taken.as_array().is_some() || taken.has_unknown() {
                    return None;
                }
                PartialValue::Is(taken)
            };
            Some((known, literal.to_string(), value.span))
        })
        .collect()
}
