//! The search for a key in all layers.

use super::hierarchy::Layer;
use super::interpolation::Interpolation;
use super::merge::Strategy;
use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::value::{Map, Value};
use crate::functions::patterns;
use rtype_lang::value::Flags;
use std::path::Path;
use std::sync::Arc;

/// The key of the options for other keys.
const OPTIONS: &str = "lookup_options";

/// A search.
#[derive(Clone, Debug)]
pub struct KeySearch {
    /// The key with a path in its value: `a::b.c.0`.
    pub key: String,
    /// The strategy, unless the options of the key say it.
    pub merge: Option<Value>,
    /// The keys that are being looked up.
    pub pending: Vec<String>,
}

impl KeySearch {
    /// Returns the search for a key.
    pub fn new(key: &str) -> KeySearch {
        KeySearch { key: key.to_owned(), merge: None, pending: Vec::new() }
    }
}

/// Splits a key at its dots outside of quotes.
///
/// # Errors
/// Returns Puppet's error for a quote without an end.
pub fn split_key(key: &str) -> Result<Vec<String>, Failure> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    for c in key.chars() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '.') => parts.push(String::new()),
            (_, c) => {
                if let Some(part) = parts.last_mut() {
                    part.push(c);
                }
            }
        }
    }
    match quote {
        Some(_) => Err(Failure::unsupported(format!("the key `{key}`"))),
        None => Ok(parts),
    }
}

/// Returns a part of a value; `None` if it has none.
///
/// # Errors
/// Returns Puppet's error for a name in an array.
pub fn dig(value: &Value, path: &[String], key: &str) -> Result<Option<Value>, Failure> {
    let mut current = value.clone();
    for part in path {
        let index = part.parse::<usize>().ok();
        let found = match (&current, index) {
            (Value::Array(elements), Some(index)) => elements.get(index).cloned(),
            // A number is the key of an integer, never that of a string.
            (Value::Hash(map), Some(index)) => map.get(&crate::functions::length(index)).cloned(),
            (Value::Hash(map), None) => map.get(&Value::from(part.as_str())).cloned(),
            (Value::Array(_), None) => {
                return Err(Failure::plain(
                    None,
                    format!(
                        "Data Provider type mismatch: Got Array when a hash-like object was expected to access value using '{part}' from key '{key}'"
                    ),
                ));
            }
            (Value::Undef, _) => None,
            _ => return Err(Failure::unsupported(format!("the part `{part}` of a value that is not a collection"))),
        };
        match found {
            Some(value) => current = value,
            None => return Ok(None),
        }
    }
    Ok(Some(current))
}

/// Returns the layers for a key: the environment, and the module of the key.
fn layers(context: &mut Context<'_>, key: &str) -> Result<Vec<Layer>, Failure> {
    let files = &context.evaluator.environment.clone().files;
    let mut all = Vec::new();
    // The global layer has precedence.
    let global = context.setting("hiera_config");
    if let Some(root) = global.as_ref().and_then(Value::as_str).and_then(|path| Path::new(path).parent()) {
        all.extend(Layer::read(context, root.to_owned(), None)?);
    }
    if let Some(root) = &files.environment {
        all.extend(Layer::read(context, root.clone(), None)?);
    }
    if let Some((module, _)) = key.split_once("::")
        && let Some(directory) = files.module_directory(module)
    {
        all.extend(Layer::read(context, directory, Some(module))?);
    }
    Ok(all)
}

/// Returns the options of a key.
fn options(context: &mut Context<'_>, sources: &[Arc<Map>], key: &str) -> Result<Value, Failure> {
    let mut all = Map::new();
    for data in sources.iter().rev() {
        match data.get(&Value::from(OPTIONS)) {
            None => {}
            Some(Value::Hash(map)) => all.extend(map.iter().map(|(key, value)| (key.clone(), value.clone()))),
            Some(_) => return Err(Failure::plain(None, "value of lookup_options must be a hash")),
        }
    }
    let found = match all.get(&Value::from(key)) {
        Some(options) => Some(options.clone()),
        None => {
            let mut matched = None;
            for (pattern, options) in &all {
                let Some(pattern) = pattern.as_str().filter(|pattern| pattern.starts_with('^')) else { continue };
                if patterns::compile(pattern, Flags::default())?.is_match(key) {
                    matched = Some(options.clone());
                    break;
                }
            }
            matched
        }
    };
    match found {
        Some(options) => Interpolation::data(&[]).value(context, &options),
        None => Ok(Value::Undef),
    }
}

/// Searches a key; `None` if no layer has it.
///
/// # Errors
/// Returns the failure of the data or of an interpolation.
pub fn search(context: &mut Context<'_>, request: &KeySearch) -> Result<Option<Value>, Failure> {
    context.spend(10)?;
    let parts = split_key(&request.key)?;
    let Some((root, path)) = parts.split_first() else { return Ok(None) };
    if root == OPTIONS {
        return Err(Failure::unsupported("the lookup of lookup_options"));
    }
    let layers = layers(context, root)?;
    for is_fallback in [false, true] {
        if let Some(found) = search_layers(context, request, &layers, is_fallback, (root, path))? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn search_layers(
    context: &mut Context<'_>,
    request: &KeySearch,
    layers: &[Layer],
    is_fallback: bool,
    (root, path): (&String, &[String]),
) -> Result<Option<Value>, Failure> {
    let mut sources = Vec::new();
    for layer in layers.iter().filter(|layer| !is_fallback || !layer.fallback.is_empty()) {
        sources.extend(layer.data(context, is_fallback)?);
    }
    let options = options(context, &sources, root)?;
    let merge = request.merge.clone().or_else(|| options.get("merge").cloned());
    let strategy = merge.as_ref().map_or(Ok(Strategy::First), Strategy::of_value)?;
    let mut pending = request.pending.clone();
    pending.push(request.key.clone());
    let interpolation = Interpolation::data(&pending);
    let mut values = Vec::new();
    for data in &sources {
        let Some(value) = data_value(context, data, root)? else { continue };
        let value = interpolation.value(context, &value)?;
        if let Some(value) = dig(&value, path, &request.key)? {
            values.push(value);
            if strategy == Strategy::First {
                break;
            }
        } else if strategy == Strategy::First {
            return Ok(None);
        }
    }
    let Some(value) = strategy.merge(values)? else { return Ok(None) };
    match options.get("convert_to") {
        Some(convert) => converted(context, value, convert, &request.key).map(Some),
        None => Ok(Some(value)),
    }
}

/// Returns the value of a key, whose keys may have interpolations.
fn data_value(context: &mut Context<'_>, data: &Map, root: &str) -> Result<Option<Value>, Failure> {
    if let Some(value) = data.get(&Value::from(root)) {
        return Ok(Some(value.clone()));
    }
    for (key, value) in data {
        if let Some(text) = key.as_str().filter(|key| key.contains("%{"))
            && Interpolation::data(&[]).text(context, text)? == root
        {
            return Ok(Some(value.clone()));
        }
    }
    Ok(None)
}

/// Converts a value to the type that the options name.
fn converted(context: &mut Context<'_>, value: Value, convert: &Value, key: &str) -> Result<Value, Failure> {
    let (name, more) = match convert {
        Value::Array(elements) => (elements.first().cloned().unwrap_or(Value::Undef), elements.get(1..).unwrap_or_default().to_vec()),
        other => (other.clone(), Vec::new()),
    };
    let of = crate::compile::types::Type::parse(name.as_str().unwrap_or_default())?;
    let mut arguments = vec![value, Value::of_type(of)];
    arguments.extend(more);
    context.call("convert_to", arguments, None).map_err(|failure| {
        if !failure.is_error() {
            return failure;
        }
        Failure::plain(None, format!("The convert_to lookup_option for key '{key}' raised error: {}", failure.text()))
    })
}

/// Looks up the parameter of a class.
///
/// # Errors
/// Returns the failure of the data.
pub fn parameter(context: &mut Context<'_>, key: &str) -> Result<Option<Value>, Failure> {
    search(context, &KeySearch::new(key))
}
