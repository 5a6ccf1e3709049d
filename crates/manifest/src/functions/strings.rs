//! Functions of strings that also take numbers, and arrays of both.

use super::{Block, Evaluated, argument, bridge, signature, text, typed};
use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::function::{Function, Signature};
use crate::compile::value::Value;

const fn scalar(body: crate::compile::function::Body) -> [Signature; 3] {
    [signature("(Numeric $arg)", same), signature("(String $arg)", body), signature("(Iterable[Variant[String, Numeric]] $arg)", body)]
}

const fn nested(body: crate::compile::function::Body) -> [Signature; 4] {
    [
        signature("(Numeric $arg)", same),
        signature("(String $arg)", body),
        signature("(Array[Any] $arg)", body),
        signature("(Hash[Any, Any] $arg)", body),
    ]
}

/// The functions of this file.
pub const TABLE: &[Function] = &[
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

fn same(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    Ok(argument(arguments, 0).clone())
}

/// Returns the elements of an iterable value.
///
/// # Errors
/// Refuses iterable types.
pub fn elements(value: &Value) -> Result<Vec<Value>, Failure> {
    match value {
        Value::Array(elements) => Ok(elements.to_vec()),
        Value::Iterator(sequence) => Ok(sequence.elements.clone()),
        Value::Hash(map) => Ok(map.iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect()),
        Value::Integer(count) => Ok((0..*count).map(Value::Integer).collect()),
        _ => Err(Failure::unsupported("iterable types as arguments of this function")),
    }
}

/// Applies a function to a string, or to the strings of an iterable value.
pub fn each_string(value: &Value, apply: &dyn Fn(&Value) -> Evaluated) -> Evaluated {
    match value {
        Value::String(_) => apply(value),
        _ => {
            let mapped = elements(value)?.into_iter().map(|e| if matches!(e, Value::String(_)) { apply(&e) } else { Ok(e) });
            Ok(Value::array(mapped.collect::<Result<_, _>>()?))
        }
    }
}

/// Calls the method of Ruby that has the name of the function.
fn method(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    each_string(argument(arguments, 0), &|value| bridge::call(value, &name, &[]))
}

fn camelcase(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    each_string(argument(arguments, 0), &|value| {
        let words = value.as_str().unwrap_or_default().split('_').map(|word| bridge::call(&Value::from(word), "capitalize", &[]));
        let words = words.collect::<Result<Vec<_>, _>>()?;
        Ok(Value::string(words.iter().filter_map(Value::as_str).collect::<String>()))
    })
}

/// Like [`method`], for strings at any depth.
fn nested_method(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    change_case(&name, argument(arguments, 0))
}

fn change_case(name: &str, value: &Value) -> Evaluated {
    match value {
        Value::String(_) => bridge::call(value, name, &[]),
        Value::Integer(_) | Value::Float(_) => Ok(value.clone()),
        Value::Array(elements) => {
            let mapped = elements.iter().map(|element| change_case(name, element));
            Ok(Value::array(mapped.collect::<Result<_, _>>()?))
        }
        Value::Hash(map) => {
            let pairs = map.iter().map(|(key, value)| Ok((change_case(name, key)?, change_case(name, value)?)));
            Ok(Value::hash(pairs.collect::<Result<Vec<_>, Failure>>()?))
        }
        _ => Err(Failure::unsupported(format!("`{name}` of {} inside of an array or hash", super::ruby::class_name(value)))),
    }
}

fn size(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    Ok(super::length(match argument(arguments, 0) {
        Value::Array(elements) => elements.len(),
        Value::Hash(map) => map.len(),
        Value::Binary(bytes) => bytes.len(),
        _ => text(arguments, 0).chars().count(),
    }))
}
