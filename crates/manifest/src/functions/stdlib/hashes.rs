//! Functions of hashes.

use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::function::Function;
use crate::compile::value::{Map, Value};
use crate::functions::collections::element;
use crate::functions::ruby::{class_name, flatten, inspect, integer, to_s_legacy};
use crate::functions::strings::elements;
use crate::functions::{Block, Evaluated, argument, legacy, signature, typed};
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[Function] = &[
    legacy("deep_merge", -1, deep_merge),
    legacy("dig44", -2, dig44),
    legacy("has_key", -1, has_key),
    legacy("hash", -1, hash),
    legacy("join_keys_to_values", -1, join_keys_to_values),
    legacy("try_get_value", -2, try_get_value),
    typed(
        "merge",
        &[
            signature("(Variant[Hash[Scalar, Any], Undef, String[0, 0]] *$args)", merge),
            signature("(Iterable *$args, Callable[3, 3] &block)", merge_indexed),
            signature("(Iterable *$args, Callable[2, 2] &block)", merge_each),
        ],
    ),
];

/// Merges hashes at all depths.
fn merged(lower: &Map, higher: &Map) -> Map {
    let mut out = lower.clone();
    for (key, value) in higher {
        let value = match (out.get(key), value) {
            (Some(Value::Hash(lower)), Value::Hash(higher)) => Value::Hash(Arc::new(merged(lower, higher))),
            _ => value.clone(),
        };
        out.insert(key.clone(), value);
    }
    out
}

fn deep_merge(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(Failure::new(format!("deep_merge(): wrong number of arguments ({}; must be at least 2)", arguments.len())));
    }
    let mut result = Map::new();
    for argument in arguments {
        match argument {
            Value::Hash(map) => result = merged(&result, map),
            Value::String(text) if text.is_empty() => {}
            other => {
                let class = class_name(other);
                return Err(Failure::new(format!("deep_merge: unexpected argument type {class}, only expects hash arguments")));
            }
        }
    }
    Ok(Value::Hash(Arc::new(result)))
}

fn merge(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let maps = arguments.iter().filter_map(Value::as_map).flatten();
    Ok(Value::hash(maps.map(|(key, value)| (key.clone(), value.clone()))))
}

/// Merges the hashes that a lambda returns, which gets the result so far.
fn merge_with(
    context: &mut Context<'_>,
    arguments: &[Value],
    block: Block<'_>,
    parameters: &dyn Fn(usize, Value, bool) -> Vec<Value>,
) -> Evaluated {
    let [source] = arguments else {
        let expected = format!("wrong number of arguments (given {}, expected 1)", arguments.len());
        return Err(Failure::new(expected));
    };
    let (Some(block), is_hash) = (block, matches!(source, Value::Hash(_))) else { return Ok(Value::Undef) };
    let mut result = Map::new();
    for (at, entry) in elements(source)?.into_iter().enumerate() {
        let mut lambda = vec![Value::Hash(Arc::new(result.clone()))];
        lambda.extend(parameters(at, entry, is_hash));
        context.spend(result.len())?;
        if let Value::Hash(more) = context.yield_to(block, lambda)? {
            result.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
    }
    Ok(Value::Hash(Arc::new(result)))
}

fn merge_each(context: &mut Context<'_>, arguments: &[Value], block: Block<'_>) -> Evaluated {
    merge_with(context, arguments, block, &|_, entry, _| vec![entry])
}

fn merge_indexed(context: &mut Context<'_>, arguments: &[Value], block: Block<'_>) -> Evaluated {
    merge_with(context, arguments, block, &|at, entry, is_hash| match (is_hash, &entry) {
        (true, Value::Array(pair)) => pair.to_vec(),
        _ => vec![crate::functions::length(at), entry],
    })
}

/// Returns the value at a path, or `None`.
fn walk(data: &Value, path: &[Value]) -> Option<Value> {
    let mut current = data.clone();
    for key in path {
        current = match &current {
            Value::Hash(map) => map.get(key).cloned()?,
            Value::Array(elements) => element(elements, index(key)?),
            _ => return None,
        };
        if current == Value::Undef {
            return None;
        }
    }
    Some(current)
}

fn index(key: &Value) -> Option<i64> {
    match key {
        Value::Integer(index) => Some(*index),
        Value::Float(number) => crate::functions::ruby::whole(number.trunc()).ok(),
        Value::String(text) => integer(text).ok(),
        _ => None,
    }
}

fn dig_path(arguments: &[Value]) -> Evaluated {
    if arguments.len() < 2 {
        return Err(Failure::new(format!("dig44(): Wrong number of arguments given ({} for at least 2)", arguments.len())));
    }
    let (data, path) = (argument(arguments, 0), argument(arguments, 1));
    if !matches!(data, Value::Hash(_) | Value::Array(_)) {
        return Err(Failure::new(format!("dig44(): first argument must be a hash or an array, given {}", class_name(data))));
    }
    let Value::Array(path) = path else {
        return Err(Failure::new(format!("dig44(): second argument must be an array, given {}", class_name(path))));
    };
    Ok(walk(data, path).unwrap_or_else(|| argument(arguments, 2).clone()))
}

fn dig44(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    dig_path(arguments)
}

fn try_get_value(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    context.warn("try_get_value() DEPRECATED: this function is deprecated, please use dig() instead.");
    let data = argument(arguments, 0);
    let is_true = |at: usize| arguments.get(at).filter(|value| value.is_true());
    let path = is_true(1).cloned().unwrap_or_else(|| Value::from(""));
    if !matches!(data, Value::Hash(_) | Value::Array(_)) || path == Value::from("") {
        return Ok(is_true(2).unwrap_or(data).clone());
    }
    let Value::String(path) = &path else { return Err(crate::functions::no_method(&path, "split")) };
    let separator = is_true(3).cloned().unwrap_or_else(|| Value::from("/"));
    let plain = crate::functions::bridge::to_plain(&separator).unwrap_or_default();
    let keys = crate::functions::bridge::call(&Value::String(path.clone()), "split", &[plain])?;
    let keys = keys.as_array().unwrap_or_default().iter().map(|key| match key {
        Value::String(text) if super::booleans::is_digits_line(text) => Value::Integer(crate::functions::ruby::to_i(text)),
        other => other.clone(),
    });
    let keys = Value::array(keys.collect());
    context.warn(
        "dig() DEPRECATED: This function has been replaced in Puppet 4.5.0, please use dig44() for backwards compatibility or use the new \
         version.",
    );
    super::deprecation::warn_autoloader(context, "dig44");
    dig_path(&[data.clone(), keys, argument(arguments, 2).clone()])
}

fn has_key(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    match arguments {
        [Value::Hash(map), key] => Ok(Value::Boolean(map.contains_key(key))),
        [other, _] => Err(Failure::new(format!(
            "has_key(): expects the first argument to be a hash, got {} which is of type {}",
            inspect(other),
            class_name(other)
        ))),
        _ => Err(Failure::new(format!("has_key(): wrong number of arguments ({}; must be 2)", arguments.len()))),
    }
}

fn hash(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let elements = match arguments.first() {
        None => return Err(Failure::new("hash(): Wrong number of arguments given (0 for 1)")),
        Some(Value::Array(elements)) => flatten(elements),
        Some(_) => return Err(Failure::new("hash(): Requires array to work with")),
    };
    match elements.as_slice() {
        // `Hash[hash]` is a copy.
        [Value::Hash(map)] => Ok(Value::Hash(map.clone())),
        elements if elements.len() % 2 == 0 => {
            let pairs = elements.chunks(2).filter_map(|pair| Some((pair.first()?.clone(), pair.get(1)?.clone())));
            Ok(Value::hash(pairs))
        }
        _ => Err(Failure::new("hash(): Unable to compute hash from array given")),
    }
}

fn join_keys_to_values(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let [hash, separator] = arguments else {
        return Err(Failure::new(format!("join_keys_to_values(): Takes exactly two arguments, but {} given.", arguments.len())));
    };
    let Value::Hash(map) = hash else {
        let class = class_name(hash);
        return Err(Failure::new(format!("join_keys_to_values(): The first argument must be a hash, but a {class} was given.")));
    };
    let Value::String(separator) = separator else {
        let class = class_name(separator);
        return Err(Failure::new(format!("join_keys_to_values(): The second argument must be a string, but a {class} was given.")));
    };
    let mut joined = Vec::new();
    for (key, value) in map.iter() {
        let key = to_s_legacy(key);
        match value {
            Value::Array(elements) => {
                joined.extend(elements.iter().map(|element| Value::string(format!("{key}{separator}{}", to_s_legacy(element)))));
            }
            Value::String(text) if text == "undef" => joined.push(Value::string(key)),
            other => joined.push(Value::string(format!("{key}{separator}{}", to_s_legacy(other)))),
        }
    }
    Ok(Value::array(joined))
}
