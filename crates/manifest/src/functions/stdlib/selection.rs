//! Functions that select values: by being set, by equality, by a regular expression.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::patterns::compile;
use crate::functions::ruby::{class_name, equal, to_s_legacy};
use crate::functions::{Block, Evaluated, argument, legacy, no_method, type_error};
use rtype_lang::value::{Flags, Regex};
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("delete", -1, delete),
    legacy("delete_regex", -1, delete_regex),
    legacy("delete_undef_values", -1, delete_undef_values),
    legacy("delete_values", -1, delete_values),
    legacy("grep", -1, grep),
    legacy("pick", -1, pick),
    legacy("pick_default", -1, pick_default),
    legacy("reject", -1, reject),
];

fn wrong_number(context: &CallContext<'_>, arguments: &[ManifestValue]) -> EvaluationFailure {
    EvaluationFailure::new(format!("{}(): Wrong number of arguments given {} for 2", context.name(), arguments.len()))
}

/// Returns `true` for values that `pick` skips.
fn is_unset(value: &ManifestValue) -> bool {
    *value == ManifestValue::Undef || value.as_str() == Some("")
}

fn pick(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments.iter().find(|value| !is_unset(value)) {
        Some(value) => Ok(value.clone()),
        None => Err(EvaluationFailure::new("pick(): must receive at least one non empty value")),
    }
}

fn pick_default(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let Some((default, values)) = arguments.split_last() else {
        return Err(EvaluationFailure::new("Must receive at least one argument."));
    };
    Ok(values.iter().find(|value| !is_unset(value)).unwrap_or(default).clone())
}

/// Returns the elements of an argument that may be a single item, as Ruby's `Array()`.
fn items(value: &ManifestValue) -> Vec<ManifestValue> {
    match value {
        ManifestValue::Array(elements) => elements.to_vec(),
        ManifestValue::Hash(map) => map.iter().map(|(key, value)| ManifestValue::array(vec![key.clone(), value.clone()])).collect(),
        ManifestValue::Undef => Vec::new(),
        other => vec![other.clone()],
    }
}

fn delete(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [collection, wanted] = arguments else { return Err(wrong_number(context, arguments)) };
    let mut collection = collection.clone();
    for item in items(wanted) {
        collection = match &collection {
            ManifestValue::Array(elements) => {
                ManifestValue::array(elements.iter().filter(|element| !equal(element, &item)).cloned().collect())
            }
            ManifestValue::Hash(map) => {
                ManifestValue::hash(map.iter().filter(|(key, _)| **key != item).map(|(key, value)| (key.clone(), value.clone())))
            }
            ManifestValue::String(text) => match &item {
                ManifestValue::String(part) if part.is_empty() => collection,
                ManifestValue::String(part) => ManifestValue::string(text.replace(part.as_str(), "")),
                other => return Err(EvaluationFailure::new(format!("wrong argument type {} (expected Regexp)", class_name(other)))),
            },
            other => {
                let class = class_name(other);
                return Err(EvaluationFailure::new(format!(
                    "delete(): First argument must be an Array, String, or Hash. Given an argument of class {class}."
                )));
            }
        };
    }
    Ok(collection)
}

fn delete_regex(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [collection, wanted] = arguments else { return Err(wrong_number(context, arguments)) };
    let mut collection = collection.clone();
    for item in items(wanted) {
        let regex = || compile(&format!("\\b{}\\b", to_s_legacy(&item)), Flags::default());
        collection = match &collection {
            ManifestValue::Array(elements) if elements.is_empty() => collection,
            ManifestValue::Array(elements) => {
                let regex = regex()?;
                ManifestValue::array(elements.iter().filter(|element| !matches(&regex, element)).cloned().collect())
            }
            // Pairs of a hash are arrays, which a regex never matches.
            ManifestValue::Hash(map) => {
                if !map.is_empty() {
                    regex()?;
                }
                collection
            }
            ManifestValue::String(_) => return Err(no_method(&collection, "reject!")),
            other => {
                let class = class_name(other);
                return Err(EvaluationFailure::new(format!(
                    "delete_regex(): First argument must be an Array, Hash, or String. Given an argument of class {class}."
                )));
            }
        };
    }
    Ok(collection)
}

/// Returns `true` if a value is a string that matches.
pub fn matches(regex: &Regex, value: &ManifestValue) -> bool {
    value.as_str().is_some_and(|text| regex.is_match(text))
}

fn delete_undef_values(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments.first() {
        None => Err(EvaluationFailure::new("delete_undef_values(): Wrong number of arguments given (0)")),
        Some(ManifestValue::Array(elements)) => {
            Ok(ManifestValue::array(elements.iter().filter(|element| **element != ManifestValue::Undef).cloned().collect()))
        }
        Some(ManifestValue::Hash(map)) => {
            let kept = map.iter().filter(|(_, value)| **value != ManifestValue::Undef);
            Ok(ManifestValue::hash(kept.map(|(key, value)| (key.clone(), value.clone()))))
        }
        Some(other) => Err(EvaluationFailure::new(format!(
            "delete_undef_values(): expected an array or hash, got {} type  {} ",
            to_s_legacy(other),
            class_name(other)
        ))),
    }
}

fn delete_values(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [hash, item] = arguments else {
        return Err(EvaluationFailure::new(format!("delete_values(): Wrong number of arguments given ({} of 2)", arguments.len())));
    };
    let ManifestValue::Hash(map) = hash else {
        let class = class_name(hash);
        return Err(EvaluationFailure::new(format!("delete_values(): First argument must be a Hash. Given an argument of class {class}.")));
    };
    let kept = map.iter().filter(|(_, value)| !equal(item, value));
    Ok(ManifestValue::hash(kept.map(|(key, value)| (key.clone(), value.clone()))))
}

fn pattern(value: &ManifestValue) -> Result<Arc<Regex>, EvaluationFailure> {
    match value {
        ManifestValue::String(source) => compile(source, Flags::default()),
        other => Err(type_error(other, "String")),
    }
}

fn grep(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [collection, source] = arguments else { return Err(wrong_number(context, arguments)) };
    let regex = pattern(source)?;
    match collection {
        ManifestValue::Array(elements) => {
            Ok(ManifestValue::array(elements.iter().filter(|element| matches(&regex, element)).cloned().collect()))
        }
        ManifestValue::Hash(_) => Ok(ManifestValue::array(Vec::new())),
        other => Err(no_method(other, "grep")),
    }
}

fn reject(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [collection, source] = arguments else { return Err(wrong_number(context, arguments)) };
    let regex = pattern(source)?;
    match collection {
        ManifestValue::Array(elements) => {
            Ok(ManifestValue::array(elements.iter().filter(|element| !matches(&regex, element)).cloned().collect()))
        }
        ManifestValue::Hash(_) => Ok(argument(arguments, 0).clone()),
        other => Err(no_method(other, "reject")),
    }
}
