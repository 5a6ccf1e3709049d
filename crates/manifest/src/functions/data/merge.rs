//! Merge strategies of Hiera.

use crate::compile::failure::EvaluationFailure;
use crate::compile::text::display;
use crate::compile::types::infer;
use crate::compile::value::{ManifestValue, ValueMap};
use crate::functions::collections::{order, sort_with};
use crate::functions::ruby::flatten;
use indexmap::IndexSet;
use std::sync::Arc;

/// A strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The highest value.
    First,
    /// All elements without duplicates.
    Unique,
    /// Hashes merged at the first depth.
    Hash,
    /// Hashes and arrays merged at all depths; the flags are those of `sort_merged_arrays`.
    Deep { is_sorted: bool, is_reversed: bool },
}

impl Strategy {
    /// Reads the name of a strategy or a hash with its options.
    ///
    /// # Errors
    /// Returns Puppet's error for an unknown strategy; refuses options that are not supported.
    pub fn of_value(value: &ManifestValue) -> Result<Strategy, EvaluationFailure> {
        let name = value.as_str().or_else(|| value.get("strategy").and_then(ManifestValue::as_str));
        for (key, option) in value.as_map().into_iter().flatten() {
            match key.as_str() {
                Some("strategy" | "sort_merged_arrays" | "merge_hash_arrays") => {}
                _ if !option.is_true() => {}
                _ => return Err(EvaluationFailure::unsupported(format!("the merge option `{}`", display(key)))),
            }
        }
        let is_sorted = value.get("sort_merged_arrays").is_some_and(ManifestValue::is_true);
        match name {
            Some("first" | "default") => Ok(Strategy::First),
            Some("unique") => Ok(Strategy::Unique),
            Some("hash") => Ok(Strategy::Hash),
            Some("deep" | "unconstrained_deep") => Ok(Strategy::Deep { is_sorted, is_reversed: false }),
            Some("reverse_deep") => Ok(Strategy::Deep { is_sorted, is_reversed: true }),
            Some(name) => Err(EvaluationFailure::new(format!("Unknown merge strategy: '{name}'"))),
            None => Err(EvaluationFailure::unsupported("a merge strategy without a name")),
        }
    }

    /// Merges values, the highest first; `None` without values.
    ///
    /// # Errors
    /// Refuses values that the strategy cannot merge.
    pub fn merge(self, values: Vec<ManifestValue>) -> Result<Option<ManifestValue>, EvaluationFailure> {
        match (self, values.as_slice()) {
            (_, []) => Ok(None),
            (Strategy::First, [first, ..]) => Ok(Some(first.clone())),
            (Strategy::Unique, values) => {
                if values.iter().any(|value| matches!(value, ManifestValue::Hash(_))) {
                    return Err(EvaluationFailure::unsupported("hashes that are merged with `unique`"));
                }
                let all: IndexSet<ManifestValue> = flatten(values).into_iter().collect();
                Ok(Some(ManifestValue::array(all.into_iter().collect())))
            }
            (_, [only]) => Ok(Some(only.clone())),
            (Strategy::Hash, values) => {
                let mut merged = ValueMap::new();
                for value in values.iter().rev() {
                    let ManifestValue::Hash(map) = value else { return Err(wrong_kind(value)) };
                    merged.extend(map.iter().map(|(key, value)| (key.clone(), value.clone())));
                }
                Ok(Some(ManifestValue::Hash(Arc::new(merged))))
            }
            (Strategy::Deep { is_sorted, is_reversed }, values) => {
                let mut ordered: Vec<&ManifestValue> = values.iter().collect();
                if !is_reversed {
                    ordered.reverse();
                }
                let mut ordered = ordered.into_iter();
                let mut merged = ordered.next().cloned().unwrap_or(ManifestValue::Undef);
                for value in ordered {
                    merged = deep(&merged, value, is_sorted)?;
                }
                Ok(Some(merged))
            }
        }
    }
}

fn wrong_kind(value: &ManifestValue) -> EvaluationFailure {
    EvaluationFailure::unsupported(format!("the merge of a value of type {}", infer(value)))
}

/// Merges a value of higher precedence into another.
fn deep(lower: &ManifestValue, higher: &ManifestValue, is_sorted: bool) -> Result<ManifestValue, EvaluationFailure> {
    Ok(match (lower, higher) {
        (ManifestValue::Hash(lower), ManifestValue::Hash(higher)) => {
            let mut merged = (**lower).clone();
            for (key, value) in higher.iter() {
                let value = match merged.get(key) {
                    Some(below) => deep(below, value, is_sorted)?,
                    None => value.clone(),
                };
                merged.insert(key.clone(), value);
            }
            ManifestValue::Hash(Arc::new(merged))
        }
        (ManifestValue::Array(lower), ManifestValue::Array(higher)) => {
            let all: IndexSet<ManifestValue> = lower.iter().chain(higher.iter()).cloned().collect();
            let all: Vec<ManifestValue> = all.into_iter().collect();
            ManifestValue::array(if is_sorted { sort_with(all, &mut |a, b| order(a, b))? } else { all })
        }
        (ManifestValue::Array(_), _) | (_, ManifestValue::Array(_)) => {
            return Err(EvaluationFailure::unsupported("the deep merge of an array with another value"));
        }
        _ => higher.clone(),
    })
}
