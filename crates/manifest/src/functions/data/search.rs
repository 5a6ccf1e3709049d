//! The search for a key in all layers.

use super::hierarchy::{DataFile, Layer};
use super::interpolation::Interpolation;
use super::merge::Strategy;
use super::trace::{FileOutcome, KeyTrace, SearchedFile};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::value::{ManifestValue, ValueMap};
use crate::functions::patterns;
use rtype_lang::value::Flags;
use std::path::Path;
use std::sync::Arc;

/// The key of the options for other keys.
pub const OPTIONS: &str = "lookup_options";

/// A search.
#[derive(Clone, Debug)]
pub struct KeySearch {
    /// The key with a path in its value: `a::b.c.0`.
    pub key: String,
    /// The strategy, unless the options of the key say it.
    pub merge: Option<ManifestValue>,
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
pub fn split_key(key: &str) -> Result<Vec<String>, EvaluationFailure> {
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
        Some(_) => Err(EvaluationFailure::unsupported(format!("the key `{key}`"))),
        None => Ok(parts),
    }
}

/// Returns a part of a value; `None` if it has none.
///
/// # Errors
/// Returns Puppet's error for a name in an array.
pub fn dig(value: &ManifestValue, path: &[String], key: &str) -> Result<Option<ManifestValue>, EvaluationFailure> {
    let mut current = value.clone();
    for part in path {
        let index = part.parse::<usize>().ok();
        let found = match (&current, index) {
            (ManifestValue::Array(elements), Some(index)) => elements.get(index).cloned(),
            // A number is the key of an integer, never that of a string.
            (ManifestValue::Hash(map), Some(index)) => map.get(&crate::functions::length(index)).cloned(),
            (ManifestValue::Hash(map), None) => map.get(&ManifestValue::from(part.as_str())).cloned(),
            (ManifestValue::Array(_), None) => {
                return Err(EvaluationFailure::plain(
                    None,
                    format!(
                        "Data Provider type mismatch: Got Array when a hash-like object was expected to access value using '{part}' from key '{key}'"
                    ),
                ));
            }
            (ManifestValue::Undef, _) => None,
            _ => return Err(EvaluationFailure::unsupported(format!("the part `{part}` of a value that is not a collection"))),
        };
        match found {
            Some(value) => current = value,
            None => return Ok(None),
        }
    }
    Ok(Some(current))
}

/// Returns the layers for a key: the environment, and the module of the key.
fn layers(context: &mut CallContext<'_>, key: &str) -> Result<Vec<Layer>, EvaluationFailure> {
    let files = &context.evaluator.environment.clone().files;
    let mut all = Vec::new();
    // The global layer has precedence.
    let global = context.setting("hiera_config");
    if let Some(root) = global.as_ref().and_then(ManifestValue::as_str).and_then(|path| Path::new(path).parent()) {
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
fn options(context: &mut CallContext<'_>, layers: &[LayerFiles], key: &str) -> Result<ManifestValue, EvaluationFailure> {
    let mut all = ValueMap::new();
    let files = layers.iter().flat_map(|layer| layer.levels.iter().flatten());
    let sources: Vec<&Arc<ValueMap>> = files.filter_map(|file| file.data.as_ref()).collect();
    for data in sources.into_iter().rev() {
        match data.get(&ManifestValue::from(OPTIONS)) {
            None => {}
            Some(ManifestValue::Hash(map)) => all.extend(map.iter().map(|(key, value)| (key.clone(), value.clone()))),
            Some(_) => return Err(EvaluationFailure::plain(None, "value of lookup_options must be a hash")),
        }
    }
    let found = match all.get(&ManifestValue::from(key)) {
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
        None => Ok(ManifestValue::Undef),
    }
}

/// Searches a key; `None` if no layer has it.
///
/// # Errors
/// Returns the failure of the data or of an interpolation.
pub fn search(context: &mut CallContext<'_>, request: &KeySearch) -> Result<Option<ManifestValue>, EvaluationFailure> {
    context.spend(10)?;
    let parts = split_key(&request.key)?;
    let Some((root, path)) = parts.split_first() else { return Ok(None) };
    if root == OPTIONS {
        return Err(EvaluationFailure::unsupported("the lookup of lookup_options"));
    }
    let layers = layers(context, root)?;
    for is_fallback in [false, true] {
        if is_fallback && layers.iter().all(|layer| layer.fallback.is_empty()) {
            break;
        }
        if let Some(found) = search_layers(context, request, &layers, is_fallback, (root, path))? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// A layer (the environment or a module) with the data files of each level.
struct LayerFiles {
    name: String,
    levels: Vec<Vec<DataFile>>,
}

fn search_layers(
    context: &mut CallContext<'_>,
    request: &KeySearch,
    layers: &[Layer],
    is_fallback: bool,
    (root, path): (&String, &[String]),
) -> Result<Option<ManifestValue>, EvaluationFailure> {
    let mut all = Vec::new();
    for layer in layers.iter().filter(|layer| !is_fallback || !layer.fallback.is_empty()) {
        all.push(LayerFiles { name: layer.name(), levels: layer.data(context, is_fallback)? });
    }
    let options = options(context, &all, root)?;
    let merge = request.merge.clone().or_else(|| options.get("merge").cloned());
    let strategy = merge.as_ref().map_or(Ok(Strategy::First), Strategy::of_value)?;
    let mut pending = request.pending.clone();
    pending.push(request.key.clone());
    let number = context.evaluator.logs.begin_lookup(KeyTrace {
        key: request.key.clone(),
        depth: request.pending.len(),
        options: options.clone(),
        strategy: strategy.name(),
        steps: Vec::new(),
    });
    let interpolation = Interpolation::data(&pending);
    let mut search = FileSearch { request, root, path, interpolation, finds_first: matches!(strategy, Strategy::First), is_done: false };
    let mut of_layers = Vec::with_capacity(all.len());
    for layer in &all {
        let mut of_levels = Vec::with_capacity(layer.levels.len());
        for level in &layer.levels {
            let mut of_files = Vec::with_capacity(level.len());
            for file in level {
                let outcome = search.file(context, file)?;
                of_files.push(if let FileOutcome::Value(value) = &outcome { Some(value.clone()) } else { None });
                let step = SearchedFile { layer: layer.name.clone(), level: file.level.clone(), path: file.path.clone(), outcome };
                context.evaluator.logs.add_to_lookup(number, step);
            }
            of_levels.push(strategy.merge(of_files)?);
        }
        of_layers.push(strategy.merge(of_levels)?);
    }
    let Some(value) = strategy.merge(of_layers)? else { return Ok(None) };
    match options.get("convert_to") {
        Some(convert) => converted(context, value, convert, &request.key).map(Some),
        None => Ok(Some(value)),
    }
}

/// The search for a key in one file after the other.
struct FileSearch<'a> {
    request: &'a KeySearch,
    root: &'a str,
    /// The path in the value of the key.
    path: &'a [String],
    interpolation: Interpolation<'a>,
    /// Whether the first file with the key decides.
    finds_first: bool,
    is_done: bool,
}

impl FileSearch<'_> {
    fn file(&mut self, context: &mut CallContext<'_>, file: &DataFile) -> Result<FileOutcome, EvaluationFailure> {
        let Some(data) = &file.data else { return Ok(FileOutcome::Missing) };
        if self.is_done {
            let has_key = data.contains_key(&ManifestValue::from(self.root));
            return Ok(if has_key { FileOutcome::Overridden } else { FileOutcome::WithoutKey });
        }
        let Some(value) = data_value(context, data, self.root)? else { return Ok(FileOutcome::WithoutKey) };
        if file.is_encrypted && has_ciphertext(&value) {
            let text = format!("the encrypted value of `{}` in {}", self.root, file.path.display());
            return Err(EvaluationFailure::unsupported(text));
        }
        let value = self.interpolation.value(context, &value)?;
        let found = dig(&value, self.path, &self.request.key)?;
        self.is_done = self.finds_first;
        Ok(found.map_or(FileOutcome::WithoutKey, FileOutcome::Value))
    }
}

/// Returns whether a value contains what `eyaml` decrypts.
fn has_ciphertext(value: &ManifestValue) -> bool {
    match value {
        ManifestValue::String(text) => text.contains("ENC["),
        ManifestValue::Array(elements) => elements.iter().any(has_ciphertext),
        ManifestValue::Hash(map) => map.iter().any(|(key, value)| has_ciphertext(key) || has_ciphertext(value)),
        _ => false,
    }
}

/// Returns the value of a key, whose keys may have interpolations.
fn data_value(context: &mut CallContext<'_>, data: &ValueMap, root: &str) -> Result<Option<ManifestValue>, EvaluationFailure> {
    if let Some(value) = data.get(&ManifestValue::from(root)) {
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
fn converted(
    context: &mut CallContext<'_>,
    value: ManifestValue,
    convert: &ManifestValue,
    key: &str,
) -> Result<ManifestValue, EvaluationFailure> {
    let (name, more) = match convert {
        ManifestValue::Array(elements) => {
            (elements.first().cloned().unwrap_or(ManifestValue::Undef), elements.get(1..).unwrap_or_default().to_vec())
        }
        other => (other.clone(), Vec::new()),
    };
    let of = crate::compile::types::Type::parse(name.as_str().unwrap_or_default())?;
    let mut arguments = vec![value, ManifestValue::of_type(of)];
    arguments.extend(more);
    context.call("convert_to", arguments, None).map_err(|failure| {
        if !failure.is_error() {
            return failure;
        }
        EvaluationFailure::plain(None, format!("The convert_to lookup_option for key '{key}' raised error: {}", failure.text()))
    })
}

/// Looks up the parameter of a class.
///
/// # Errors
/// Returns the failure of the data.
pub fn parameter(context: &mut CallContext<'_>, key: &str) -> Result<Option<ManifestValue>, EvaluationFailure> {
    search(context, &KeySearch::new(key))
}
