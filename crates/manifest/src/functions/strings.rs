//! String functions that accept numbers and arrays, too.

use super::{Block, Evaluated, argument, bridge, signature, text, typed};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{FunctionRow, Signature};
use crate::compile::value::ManifestValue;

const fn scalar(body: crate::compile::function::FunctionBody) -> [Signature; 3] {
    [signature("(Numeric $arg)", same), signature("(String $arg)", body), signature("(Iterable[Variant[String, Numeric]] $arg)", body)]
}

const fn nested(body: crate::compile::function::FunctionBody) -> [Signature; 4] {
    [
        signature("(Numeric $arg)", same),
        signature("(String $arg)", body),
        signature("(Array[Any] $arg)", body),
        signature("(Hash[Any, Any] $arg)", body),
    ]
}

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    typed("camelcase", &scalar(camelcase)),
    typed("capitalize", &scalar(method)),
    typed("chomp", &scalar(method)),
    typed("chop", &scalar(method)),
    typed("lstrip", &scalar(method)),
    typed("rstrip", &scalar(method)),
    typed("strip", &scalar(method)),
    typed("downcase", &nested(nested_method)),
    typed("upcase", &nested(nested_method)),
    typed("size", &[signature("(Variant[Collection, String, Binary] $arg)", size)]),
    typed("length", &[signature("(Collection $arg)", size), signature("(String $arg)", size), signature("(Binary $arg)", size)]),
];

fn same(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Ok(argument(arguments, 0).clone())
}

/// Returns the elements of an iterable value.
///
/// # Errors
/// Refuses iterable types.
pub fn elements(value: &ManifestValue) -> Result<Vec<ManifestValue>, EvaluationFailure> {
    match value {
        ManifestValue::Array(elements) => Ok(elements.to_vec()),
        ManifestValue::Iterator(sequence) => Ok(sequence.elements.clone()),
        ManifestValue::Hash(map) => Ok(map.iter().map(|(key, value)| ManifestValue::array(vec![key.clone(), value.clone()])).collect()),
        ManifestValue::Integer(count) => Ok((0..*count).map(ManifestValue::Integer).collect()),
        _ => Err(EvaluationFailure::unsupported("iterable types as arguments of this function")),
    }
}

/// Applies a function to a string, or to the strings of an iterable value.
pub fn each_string(value: &ManifestValue, apply: &dyn Fn(&ManifestValue) -> Evaluated) -> Evaluated {
    match value {
        ManifestValue::String(_) => apply(value),
        _ => {
            let mapped = elements(value)?.into_iter().map(|e| if matches!(e, ManifestValue::String(_)) { apply(&e) } else { Ok(e) });
            Ok(ManifestValue::array(mapped.collect::<Result<_, _>>()?))
        }
    }
}

/// Calls the Ruby method with the same name as the function.
fn method(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    each_string(argument(arguments, 0), &|value| bridge::call(value, &name, &[]))
}

fn camelcase(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    each_string(argument(arguments, 0), &|value| {
        let words = value.as_str().unwrap_or_default().split('_').map(|word| bridge::call(&ManifestValue::from(word), "capitalize", &[]));
        let words = words.collect::<Result<Vec<_>, _>>()?;
        Ok(ManifestValue::string(words.iter().filter_map(ManifestValue::as_str).collect::<String>()))
    })
}

/// Like [`method`], for strings at any depth.
fn nested_method(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    change_case(&name, argument(arguments, 0))
}

fn change_case(name: &str, value: &ManifestValue) -> Evaluated {
    match value {
        ManifestValue::String(_) => bridge::call(value, name, &[]),
        ManifestValue::Integer(_) | ManifestValue::Float(_) => Ok(value.clone()),
        ManifestValue::Array(elements) => {
            let mapped = elements.iter().map(|element| change_case(name, element));
            Ok(ManifestValue::array(mapped.collect::<Result<_, _>>()?))
        }
        ManifestValue::Hash(map) => {
            let pairs = map.iter().map(|(key, value)| Ok((change_case(name, key)?, change_case(name, value)?)));
            Ok(ManifestValue::hash(pairs.collect::<Result<Vec<_>, EvaluationFailure>>()?))
        }
        _ => Err(EvaluationFailure::unsupported(format!("`{name}` of {} inside of an array or hash", super::ruby::class_name(value)))),
    }
}

fn size(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Ok(super::length(match argument(arguments, 0) {
        ManifestValue::Array(elements) => elements.len(),
        ManifestValue::Hash(map) => map.len(),
        ManifestValue::Binary(bytes) => bytes.len(),
        _ => text(arguments, 0).chars().count(),
    }))
}
