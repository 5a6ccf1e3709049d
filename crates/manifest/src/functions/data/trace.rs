//! What lookups searched, for `rtype lookup --explain`.

use crate::compile::value::ManifestValue;
use std::path::PathBuf;

/// The search for a key.
#[derive(Clone, Debug)]
pub struct KeyTrace {
    /// The key.
    pub key: String,
    /// The number of keys whose values refer to this key, one to the next.
    pub depth: usize,
    /// The options of the key in `lookup_options`; `undef` if there are none.
    pub options: ManifestValue,
    /// The name of the merge strategy.
    pub strategy: &'static str,
    /// The files in the order of the search.
    pub steps: Vec<SearchedFile>,
}

/// The search for a key in a file.
#[derive(Clone, Debug)]
pub struct SearchedFile {
    /// The layer: `environment`, `global`, or the name of a module.
    pub layer: String,
    /// The name of the level in `hiera.yaml`.
    pub level: String,
    /// The path of the file.
    pub path: PathBuf,
    /// What was found.
    pub outcome: FileOutcome,
}

/// What a file has for a key.
#[derive(Clone, Debug)]
pub enum FileOutcome {
    /// There is no such file.
    Missing,
    /// The file does not have the key.
    WithoutKey,
    /// The file has a value, but one of a higher file is used.
    Overridden,
    /// The value.
    Value(ManifestValue),
}
