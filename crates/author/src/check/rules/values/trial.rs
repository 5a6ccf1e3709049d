//! Tries values on attributes whose blocks read only the value.

use super::patterns::newline;
use super::reads::own_blocks;
use crate::check::TypeSubject;
use rtype_lang::eval::UnknownWorld;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Item, Statement, TestStep};
use rtype_lang::types::{AttrId, AttributeDef, Default, Role, ValueStep};
use rtype_lang::value::{Bounds, DataType, REDACTED, Regex, Value, inspect};
use rtype_model::manifest::from_statements;
use rtype_model::resource::take_alone;

/// Maximum number of values to try per attribute.
const MAX_SAMPLES: usize = 24;
/// Maximum number of types in a file for which tests are searched for values: each type searches all tests.
const MAX_TYPES: usize = 16;
/// Typical values for attributes that accept everything.
const USUAL: &[&str] = &["Example", " a b ", "/srv/a/", "b,a:1", "user@example.com", "yes", "0644"];

/// The result of canonicalizing a value twice.
pub struct SecondPass {
    pub given: Value,
    pub once: Value,
    pub again: SecondResult,
}

/// The result of canonicalizing a canonical value.
pub enum SecondResult {
    /// The value changed.
    Changed(Value),
    /// The rule at this location rejected the value.
    Refused(Span),
}

/// Canonicalizes sample values of an attribute with a `munge` block twice. Returns the first value with a change that `wanted` selects.
pub fn second_pass(subject: &TypeSubject<'_>, id: AttrId, wanted: impl Fn(&SecondResult) -> bool) -> Option<SecondPass> {
    let attribute = subject.type_def.attribute(id)?;
    let judged = attribute.role != Role::Metaparam && attribute.conversion.is_none() && attribute.readonly.is_none();
    // A shared kind's blocks are tested in the file that defines the kind, not once per attribute.
    let file = subject.file.source.span();
    if !judged || !own_blocks(&attribute.munge).any(|code| file.contains(code.inner.span)) {
        return None;
    }
    samples(subject, attribute).into_iter().take(MAX_SAMPLES).find_map(|given| {
        let once = take_alone(subject.type_def, id, &given)?.ok()?;
        // The attribute is then not managed, which RM037 and RT172 report.
        if once.is_nil() {
            return None;
        }
        let again = match take_alone(subject.type_def, id, &once)? {
            Ok(twice) if twice == once => return None,
            Ok(twice) => SecondResult::Changed(twice),
            Err(refusal) => {
                let rule = refusal.labels.iter().find(|l| l.text == "the rule").map_or(Span::NONE, |l| l.span);
                SecondResult::Refused(rule)
            }
        };
        wanted(&again).then_some(SecondPass { given, once, again })
    })
}

/// Returns `true` if a span is within the munge blocks of an attribute.
pub fn in_munge(attribute: &AttributeDef, span: Span) -> bool {
    own_blocks(&attribute.munge).any(|code| code.inner.span.contains(span))
}

/// Returns `true` if anything but an attribute's munge blocks may reject a value.
pub fn may_refuse(attribute: &AttributeDef) -> bool {
    let validates = attribute.validate.steps.iter().any(|step| !matches!(step, ValueStep::Values));
    validates || attribute.data_type.is_some() || !attribute.values.is_empty()
}

/// Formats a value for a message; secrets are redacted.
pub fn shown(attribute: &AttributeDef, value: &Value) -> String {
    if attribute.sensitive || value.has_secret() {
        return REDACTED.into();
    }
    let text = inspect(value);
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn samples(subject: &TypeSubject<'_>, attribute: &AttributeDef) -> Vec<Value> {
    let set = &attribute.values;
    let mut samples: Vec<Value> = set.literals().chain(set.aliases.iter().map(|a| &a.name)).map(|s| Value::Str(s.text())).collect();
    if let Some(Default::Value(value, _)) = &attribute.default {
        samples.push(value.clone());
    }
    set.regexes().for_each(|regex| matching(regex, &mut samples));
    if let Some(data_type) = &attribute.data_type {
        of_type(data_type, &mut samples);
    }
    samples.extend(in_tests(subject, attribute));
    samples.extend(USUAL.iter().map(|text| Value::str(*text)));
    samples
}

/// Adds two strings that match the regex.
fn matching(regex: &Regex, samples: &mut Vec<Value>) {
    let Some(Some(first)) = Regex::witness(&[regex], &[]) else { return };
    let second = Regex::exactly([first.as_str()]).and_then(|known| Regex::witness(&[regex], &[&known, newline()?])?);
    samples.extend([Some(first), second].into_iter().flatten().map(Value::str));
}

fn of_type(data_type: &DataType, samples: &mut Vec<Value>) {
    let ends = |Bounds { min, max }: &Bounds<i64>| [*min, *max, Some(7)].into_iter().flatten().collect::<Vec<i64>>();
    match data_type {
        DataType::OneBoolean(only) => samples.push(Value::Bool(*only)),
        DataType::Boolean => samples.extend([Value::Bool(true), Value::Bool(false)]),
        DataType::Integer(bounds) => samples.extend(ends(bounds).into_iter().map(Value::Int)),
        DataType::Enum(names) => samples.extend(names.iter().map(Value::str)),
        DataType::Pattern(patterns) => patterns.iter().for_each(|p| matching(p, samples)),
        DataType::Optional(inner) | DataType::Sensitive(inner) => of_type(inner, samples),
        DataType::Variant(types) => types.iter().for_each(|t| of_type(t, samples)),
        DataType::Array(element, _) => {
            let mut inner = Vec::new();
            of_type(element, &mut inner);
            samples.extend(inner.into_iter().take(2).map(|value| Value::array([value])));
        }
        _ => {}
    }
}

/// Returns the simple values that tests in the file set for the attribute.
fn in_tests(subject: &TypeSubject<'_>, attribute: &AttributeDef) -> Vec<Value> {
    let mut samples = Vec::new();
    if subject.file.types.len() > MAX_TYPES {
        return samples;
    }
    for item in &subject.file.ast.items {
        let Item::Test(test) = item else { continue };
        for step in &test.steps {
            let TestStep::Declare(resource) = step else { continue };
            let (declared, _) = from_statements(&[Statement::Resource(resource.clone())], &UnknownWorld);
            let of_type = declared.resources.iter().filter(|d| d.type_name == subject.type_def.name);
            samples.extend(of_type.filter_map(|d| d.attributes.get(attribute.name.as_str())).map(|given| given.value.clone()));
        }
    }
    samples
}
