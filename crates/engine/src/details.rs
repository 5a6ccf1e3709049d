//! Content diffs and new resources' attributes, which are shown below change messages.
//!
//! Runs with and without `--noop` and `inspect` show the same details, so they are computed here.

use super::read::DesiredResource;
use rtype_lang::redact::Foreign;
use rtype_lang::types::Role;
use rtype_lang::value::{REDACTED, Symbol, Value};
use rtype_model::resource::{Comparison, Context, Instance, Origin, Status, Verdict, for_display, sides};
use rtype_model::text_diff;
use rtype_provider::{Provider, Request, System};
use std::sync::Arc;

/// Maximum size of a diff in bytes. Further lines are only counted.
const MAX_DIFF: usize = 100_000;

/// An attribute set at the resource's creation.
#[derive(Clone, Debug)]
pub struct InitialValue {
    /// The attribute.
    pub name: Symbol,
    /// The value; secrets are wrapped. If the type's message format hides the value, this is the formatted string.
    pub value: Value,
    /// The value as shown to the user.
    pub shown: Foreign,
}

/// Returns the attributes set at a resource's creation: the properties that change with `ensure`, and the declared parameters. Absent
/// properties are not set. The list is empty if `ensure` is in sync or removes the resource.
pub(crate) fn initial_values(instance: &Instance, verdict: &Verdict, context: Context<'_>) -> Vec<InitialValue> {
    let plan = verdict.plan();
    let creates = plan.first().is_some_and(|ensure| ensure.name.as_str() == "ensure" && !ensure.should.unwrapped().is_absent());
    if !creates {
        return Vec::new();
    }
    let set = verdict.properties.iter().filter(|p| p.status == Status::WithEnsure && !is_absent(&p.should));
    set.map(|p| property(instance, p, context)).chain(parameters(instance)).collect()
}

/// Returns true if a desired value is `absent`, or a list with only `absent`.
fn is_absent(should: &Value) -> bool {
    match should.unwrapped() {
        Value::Array(items) if items.len() == 1 => items.iter().all(Value::is_absent),
        one => one.is_absent(),
    }
}

fn property(instance: &Instance, comparison: &Comparison, context: Context<'_>) -> InitialValue {
    let is_secret = comparison.should.has_secret() || instance.type_def.attribute(comparison.id).is_some_and(|a| a.sensitive);
    let (_, value) = reported_sides(instance, comparison, context);
    let (value, shown) = match value.unwrapped() {
        value if is_secret => (Value::Sensitive(Arc::new(value.clone())), REDACTED.to_owned()),
        value if value == comparison.should.unwrapped() => (value.clone(), for_display(value)),
        formatted => (formatted.clone(), formatted.to_text().to_string()),
    };
    InitialValue { name: comparison.name.clone(), value, shown: shown.into() }
}

/// Returns a property's current and desired value for reports. A value hidden by the type's message format, for example because of
/// `show_diff => false`, is replaced with the formatted string.
pub(crate) fn reported_sides(instance: &Instance, comparison: &Comparison, context: Context<'_>) -> (Value, Value) {
    let is = comparison.is.as_ref().map_or(Value::Nil, Value::clone);
    let should = comparison.should.clone();
    let has_format =
        instance.type_def.attribute(comparison.id).is_some_and(|a| a.is_to_s.is_some() || a.should_to_s.is_some() || a.redact.is_some());
    if !has_format {
        return (is, should);
    }
    // A failing format may exist to hide the value.
    let unknown = || "[cannot be formatted]".to_owned();
    let (shown_is, shown_should) = sides(instance, comparison, context).unwrap_or_else(|_| (unknown(), unknown()));
    let reported = |value: Value, shown: String| if value.has_secret() || is_shown(&value, &shown) { value } else { Value::str(shown) };
    (reported(is, shown_is), reported(should, shown_should))
}

/// Returns true if a format shows a value: a single value completely, a collection with all elements.
fn is_shown(value: &Value, text: &str) -> bool {
    match value {
        Value::Array(_) | Value::Map(_) => is_in(value, text),
        one => one.is_absent() || one.is_nil() || *text == *one.to_text() || text == for_display(one),
    }
}

/// Returns true if a string contains all parts of a value.
fn is_in(value: &Value, text: &str) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|item| is_in(item, text)),
        Value::Map(pairs) => pairs.iter().all(|(key, value)| is_in(key, text) && is_in(value, text)),
        part => part.is_absent() || text.contains(part.to_text().as_str()),
    }
}

/// Returns the declared parameters, except parameters from the title.
fn parameters(instance: &Instance) -> impl Iterator<Item = InitialValue> {
    let type_def = &instance.type_def;
    let declared = type_def.order.iter().filter_map(|id| instance.slot(*id)).filter(|slot| slot.origin == Origin::Explicit);
    declared.filter_map(|slot| {
        let attribute = type_def.attribute(slot.id).filter(|a| a.role == Role::Param && a.name.as_str() != "provider")?;
        let value = slot.seen();
        let (value, shown) = match attribute.sensitive || slot.has_secret() {
            true => (Value::Sensitive(Arc::new(value.unwrapped().clone())), REDACTED.to_owned()),
            false => (value.clone(), for_display(value)),
        };
        Some(InitialValue { name: attribute.name.clone(), value, shown: shown.into() })
    })
}

/// Returns the content differences of planned changes as unified diffs.
pub(crate) fn differences(
    instance: &Instance,
    planned: &[&Comparison],
    code: &dyn Provider,
    system: &System,
    context: Context<'_>,
) -> Vec<Foreign> {
    let title = instance.name();
    let wanted = DesiredResource { instance, context };
    let is_shown = |c: &&&Comparison| !c.should.has_secret() && !c.is.as_ref().is_ok_and(Value::has_secret);
    // A failure to compute the diff does not affect the change.
    let texts = planned.iter().filter(is_shown).filter_map(|comparison| {
        let request = Request { name: &title, resource: &wanted };
        code.texts(system, request, comparison.name.as_str()).ok().flatten()
    });
    let diffs = texts.map(|(before, after)| text_diff::unified((&title, &before), (&format!("{title} (wanted)"), &after)));
    diffs.filter(|diff| !diff.is_empty()).map(|diff| Foreign::output(bounded(diff))).collect()
}

/// Replaces the lines after the maximum size with their number.
fn bounded(mut diff: String) -> String {
    if diff.len() <= MAX_DIFF {
        return diff;
    }
    let end = diff.as_bytes().iter().take(MAX_DIFF).rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let more = diff.get(end..).unwrap_or_default().lines().count();
    diff.truncate(end);
    diff.push_str(&format!("\\ {more} more line{} not shown\n", if more == 1 { "" } else { "s" }));
    diff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_diffs_end_with_the_number_of_lines_that_are_left_out() {
        let line = format!("+{}\n", "x".repeat(98));
        assert_eq!(bounded(line.repeat(1000)), line.repeat(1000));
        assert_eq!(bounded(line.repeat(1002)), line.repeat(1000) + "\\ 2 more lines not shown\n");
        assert_eq!(bounded("x".repeat(MAX_DIFF + 1)), "\\ 1 more line not shown\n");
    }
}
