//! Functions of hashes.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::{ManifestValue, ValueMap};
use crate::functions::collections::element;
use crate::functions::ruby::{class_name, flatten, inspect, integer, to_s_legacy};
use crate::functions::strings::elements;
use crate::functions::{Block, Evaluated, argument, legacy, signature, typed};
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
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
fn merged(lower: &ValueMap, higher: &ValueMap) -> ValueMap {
    let mut out = lower.clone();
    for (key, value) in higher {
        let value = match (out.get(key), value) {
            (Some(ManifestValue::Hash(lower)), ManifestValue::Hash(higher)) => ManifestValue::Hash(Arc::new(merged(lower, higher))),
            _ => value.clone(),
        };
        out.insert(key.clone(), value);
    }
    out
}

fn deep_merge(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(EvaluationFailure::new(format!("deep_merge(): wrong number of arguments ({}; must be at least 2)", arguments.len())));
    }
    let mut result = ValueMap::new();
    for argument in arguments {
        match argument {
            ManifestValue::Hash(map) => result = merged(&result, map),
            ManifestValue::String(text) if text.is_empty() => {}
            other => {
                let class = class_name(other);
                return Err(EvaluationFailure::new(format!("deep_merge: unexpected argument type {class}, only expects hash arguments")));
            }
        }
    }
    Ok(ManifestValue::Hash(Arc::new(result)))
}

fn merge(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let maps = arguments.iter().filter_map(ManifestValue::as_map).flatten();
    Ok(ManifestValue::hash(maps.map(|(key, value)| (key.clone(), value.clone()))))
}

/// Merges the hashes that a lambda returns, which gets the result so far.
fn merge_with(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Block<'_>,
    parameters: &dyn Fn(usize, ManifestValue, bool) -> Vec<ManifestValue>,
) -> Evaluated {
    let [source] = arguments else {
        let expected = format!("wrong number of arguments (given {}, expected 1)", arguments.len());
        return Err(EvaluationFailure::new(expected));
    };
    let (Some(block), is_hash) = (block, matches!(source, ManifestValue::Hash(_))) else { return Ok(ManifestValue::Undef) };
    let mut result = ValueMap::new();
    for (at, entry) in elements(source)?.into_iter().enumerate() {
        let mut lambda = vec![ManifestValue::Hash(Arc::new(result.clone()))];
        lambda.extend(parameters(at, entry, is_hash));
        context.spend(result.len())?;
        if let ManifestValue::Hash(more) = context.yield_to(block, lambda)? {
            result.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
    }
    Ok(ManifestValue::Hash(Arc::new(result)))
}

fn merge_each(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>) -> Evaluated {
    merge_with(context, arguments, block, &|_, entry, _| vec![entry])
}

fn merge_indexed(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>) -> Evaluated {
    merge_with(context, arguments, block, &|at, entry, is_hash| match (is_hash, &entry) {
        (true, ManifestValue::Array(pair)) => pair.to_vec(),
        _ => vec![crate::functions::length(at), entry],
    })
}

/// Returns the value at a path, or `None`.
fn walk(data: &ManifestValue, path: &[ManifestValue]) -> Option<ManifestValue> {
    let mut current = data.clone();
    for key in path {
        current = match &current {
            ManifestValue::Hash(map) => map.get(key).cloned()?,
            ManifestValue::Array(elements) => element(elements, index(key)?),
            _ => return None,
        };
        if current == ManifestValue::Undef {
            return None;
        }
    }
    Some(current)
}

fn index(key: &ManifestValue) -> Option<i64> {
    match key {
        ManifestValue::Integer(index) => Some(*index),
        ManifestValue::Float(number) => crate::functions::ruby::whole(number.trunc()).ok(),
        ManifestValue::String(text) => integer(text).ok(),
        _ => None,
    }
}

fn dig_path(arguments: &[ManifestValue]) -> Evaluated {
    if arguments.len() < 2 {
        return Err(EvaluationFailure::new(format!("dig44(): Wrong number of arguments given ({} for at least 2)", arguments.len())));
    }
    let (data, path) = (argument(arguments, 0), argument(arguments, 1));
    if !matches!(data, ManifestValue::Hash(_) | ManifestValue::Array(_)) {
        return Err(EvaluationFailure::new(format!("dig44(): first argument must be a hash or an array, given {}", class_name(data))));
    }
    let ManifestValue::Array(path) = path else {
        return Err(EvaluationFailure::new(format!("dig44(): second argument must be an array, given {}", class_name(path))));
    };
    Ok(walk(data, path).unwrap_or_else(|| argument(arguments, 2).clone()))
}

fn dig44(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    dig_path(arguments)
}

fn try_get_value(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    context.warn("try_get_value() DEPRECATED: this function is deprecated, please use dig() instead.");
    let data = argument(arguments, 0);
    let is_true = |at: usize| arguments.get(at).filter(|value| value.is_true());
    let path = is_true(1).cloned().unwrap_or_else(|| ManifestValue::from(""));
    if !matches!(data, ManifestValue::Hash(_) | ManifestValue::Array(_)) || path == ManifestValue::from("") {
        return Ok(is_true(2).unwrap_or(data).clone());
    }
    let ManifestValue::String(path) = &path else { return Err(crate::functions::no_method(&path, "split")) };
    let separator = is_true(3).cloned().unwrap_or_else(|| ManifestValue::from("/"));
    let plain = crate::functions::bridge::to_plain(&separator).unwrap_or_default();
    let keys = crate::functions::bridge::call(&ManifestValue::String(path.clone()), "split", &[plain])?;
    let keys = keys.as_array().unwrap_or_default().iter().map(|key| match key {
        ManifestValue::String(text) if super::booleans::is_digits_line(text) => ManifestValue::Integer(crate::functions::ruby::to_i(text)),
        other => other.clone(),
    });
    let keys = ManifestValue::array(keys.collect());
    context.warn(
        "dig() DEPRECATED: This function has been replaced in Puppet 4.5.0, please use dig44() for backwards compatibility or use the new \
         version.",
    );
    super::deprecation::warn_autoloader(context, "dig44");
    dig_path(&[data.clone(), keys, argument(arguments, 2).clone()])
}

fn has_key(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments {
        [ManifestValue::Hash(map), key] => Ok(ManifestValue::Boolean(map.contains_key(key))),
        [other, _] => Err(EvaluationFailure::new(format!(
            "has_key(): expects the first argument to be a hash, got {} which is of type {}",
            inspect(other),
            class_name(other)
        ))),
        _ => Err(EvaluationFailure::new(format!("has_key(): wrong number of arguments ({}; must be 2)", arguments.len()))),
    }
}

fn hash(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let elements = match arguments.first() {
        None => return Err(EvaluationFailure::new("hash(): Wrong number of arguments given (0 for 1)")),
        Some(ManifestValue::Array(elements)) => flatten(elements),
        Some(_) => return Err(EvaluationFailure::new("hash(): Requires array to work with")),
    };
    match elements.as_slice() {
        // `Hash[hash]` is a copy.
        [ManifestValue::Hash(map)] => Ok(ManifestValue::Hash(map.clone())),
        elements if elements.len() % 2 == 0 => {
            let pairs = elements.chunks(2).filter_map(|pair| Some((pair.first()?.clone(), pair.get(1)?.clone())));
            Ok(ManifestValue::hash(pairs))
        }
        _ => Err(EvaluationFailure::new("hash(): Unable to compute hash from array given")),
    }
}

fn join_keys_to_values(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [hash, separator] = arguments else {
        return Err(EvaluationFailure::new(format!("join_keys_to_values(): Takes exactly two arguments, but {} given.", arguments.len())));
    };
    let ManifestValue::Hash(map) = hash else {
        let class = class_name(hash);
        return Err(EvaluationFailure::new(format!("join_keys_to_values(): The first argument must be a hash, but a {class} was given.")));
    };
    let ManifestValue::String(separator) = separator else {
        let class = class_name(separator);
        return Err(EvaluationFailure::new(format!(
            "join_keys_to_values(): The second argument must be a string, but a {class} was given."
        )));
    };
    let mut joined = Vec::new();
    for (key, value) in map.iter() {
        let key = to_s_legacy(key);
        match value {
            ManifestValue::Array(elements) => {
                joined.extend(elements.iter().map(|element| ManifestValue::string(format!("{key}{separator}{}", to_s_legacy(element)))));
            }
            ManifestValue::String(text) if text == "undef" => joined.push(ManifestValue::string(key)),
            other => joined.push(ManifestValue::string(format!("{key}{separator}{}", to_s_legacy(other)))),
        }
    }
    Ok(ManifestValue::array(joined))
}
