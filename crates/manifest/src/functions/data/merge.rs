//! Merge strategies of Hiera. Puppet merges in steps: the files of a level, the levels of a hierarchy, the hierarchies.

use crate::compile::failure::EvaluationFailure;
use crate::compile::text::display;
use crate::compile::types::{Type, describe_mismatch, infer_exact};
use crate::compile::value::{ManifestValue, ValueMap};
use crate::functions::collections::{order, sort_with};
use crate::functions::ruby::flatten;
use indexmap::IndexSet;
use std::sync::Arc;

/// A strategy.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// The highest value.
    First,
    /// All elements without duplicates.
    Unique,
    /// Hashes merged at the first depth.
    Hash,
    /// Hashes and arrays merged at all depths.
    Deep(DeepOptions),
}

/// The options of a deep merge.
#[derive(Clone, Debug, Default)]
pub struct DeepOptions {
    /// The prefix: the element `--a` with the prefix `--` removes the element `a` of a lower level.
    knockout: Option<String>,
    sorts_arrays: bool,
    /// Whether arrays of hashes are merged hash by hash.
    merges_hashes_in_arrays: bool,
    /// Whether the lower value has precedence.
    is_reversed: bool,
}

/// The options of `deep`, with their types.
const DEEP_OPTIONS: &str = "Struct[{strategy => Optional[Pattern[/deep/]], knockout_prefix => Optional[String], \
                            merge_debug => Optional[Boolean], merge_hash_arrays => Optional[Boolean], sort_merged_arrays => Optional[Boolean]}]";

impl Strategy {
    /// Reads the name of a strategy or a hash with its options.
    ///
    /// # Errors
    /// Returns Puppet's error for an unknown strategy or option; refuses options that are not supported.
    pub fn of_value(value: &ManifestValue) -> Result<Strategy, EvaluationFailure> {
        let name = match value {
            ManifestValue::Hash(_) => value.get("strategy").unwrap_or(&ManifestValue::Undef),
            name => name,
        };
        let Some(name) = name.as_str() else {
            let text = "The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'";
            return Err(EvaluationFailure::plain(None, text));
        };
        let strategy = match name {
            "first" | "default" => Strategy::First,
            "unique" => Strategy::Unique,
            "hash" => Strategy::Hash,
            "deep" | "unconstrained_deep" => Strategy::Deep(DeepOptions::read(value, false)?),
            "reverse_deep" => Strategy::Deep(DeepOptions::read(value, true)?),
            name => return Err(EvaluationFailure::plain(None, format!("Unknown merge strategy: '{name}'"))),
        };
        let options = match name {
            "unconstrained_deep" | "reverse_deep" => return Ok(strategy),
            "deep" => DEEP_OPTIONS.to_owned(),
            name => format!("Struct[{{strategy => Optional[Pattern[/{name}/]]}}]"),
        };
        if value.as_map().is_some_and(|map| map.len() > 1) {
            assert_type("The merge options", &options, value)?;
        }
        Ok(strategy)
    }

    /// Returns the name of the strategy.
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::First => "first",
            Strategy::Unique => "unique",
            Strategy::Hash => "hash",
            Strategy::Deep(DeepOptions { is_reversed: true, .. }) => "reverse_deep",
            Strategy::Deep(_) => "deep",
        }
    }

    /// Merges the values of places, the highest first; a place without a value is `None`, and so is the result without any value.
    ///
    /// # Errors
    /// Returns Puppet's error for values that the strategy cannot merge.
    pub fn merge(&self, places: Vec<Option<ManifestValue>>) -> Result<Option<ManifestValue>, EvaluationFailure> {
        let is_single = places.len() == 1;
        let mut values = places.into_iter().flatten();
        let Some(first) = values.next() else { return Ok(None) };
        if is_single {
            return Ok(Some(match (self, &first) {
                (Strategy::Unique, ManifestValue::Array(elements)) => union(elements.to_vec(), Vec::new()),
                _ => first,
            }));
        }
        let first = if matches!(self, Strategy::Unique) { ManifestValue::array(elements_of(&first)) } else { first };
        // A result of a step has lost its knockouts: they remove nothing from the values below.
        values.try_fold(first, |merged, value| self.merge_two(&merged, &value)).map(Some)
    }

    fn merge_two(&self, higher: &ManifestValue, lower: &ManifestValue) -> Result<ManifestValue, EvaluationFailure> {
        let check = |of: &str| {
            assert_type("The first element of the merge", of, higher)?;
            assert_type("The second element of the merge", of, lower)
        };
        match self {
            Strategy::First => Ok(higher.clone()),
            Strategy::Unique => {
                check("Variant[Scalar, Array[Data]]")?;
                Ok(union(elements_of(higher), elements_of(lower)))
            }
            Strategy::Hash => {
                check("Hash[String, Data]")?;
                let mut merged = ValueMap::new();
                for map in [lower, higher].into_iter().filter_map(ManifestValue::as_map) {
                    merged.extend(map.iter().map(|(key, value)| (key.clone(), value.clone())));
                }
                Ok(ManifestValue::Hash(Arc::new(merged)))
            }
            Strategy::Deep(options) if options.is_reversed => options.merge(lower, higher),
            Strategy::Deep(options) => options.merge(higher, lower),
        }
    }
}

fn assert_type(what: &str, of: &str, value: &ManifestValue) -> Result<(), EvaluationFailure> {
    let of = Type::parse(of)?;
    if of.is_instance(value) {
        return Ok(());
    }
    Err(EvaluationFailure::new(describe_mismatch(&format!("{what} has wrong type,"), &of, &infer_exact(value))))
}

fn elements_of(value: &ManifestValue) -> Vec<ManifestValue> {
    flatten(std::slice::from_ref(value))
}

fn union(first: Vec<ManifestValue>, second: Vec<ManifestValue>) -> ManifestValue {
    let all: IndexSet<ManifestValue> = first.into_iter().chain(second).collect();
    ManifestValue::array(all.into_iter().collect())
}

/// The same as the gem `deep_merge` gives, with its exceptions.
impl DeepOptions {
    fn read(value: &ManifestValue, is_reversed: bool) -> Result<DeepOptions, EvaluationFailure> {
        let mut options = DeepOptions { is_reversed, ..DeepOptions::default() };
        for (key, option) in value.as_map().into_iter().flatten() {
            match key.as_str() {
                Some("strategy" | "merge_debug") => {}
                Some("sort_merged_arrays") => options.sorts_arrays = option.is_true(),
                Some("merge_hash_arrays") => options.merges_hashes_in_arrays = option.is_true(),
                Some("knockout_prefix") => options.knockout = option.as_str().map(knockout).transpose()?,
                _ if !option.is_true() => {}
                _ => return Err(EvaluationFailure::unsupported(format!("the merge option `{}`", display(key)))),
            }
        }
        Ok(options)
    }

    fn merge(&self, higher: &ManifestValue, lower: &ManifestValue) -> Result<ManifestValue, EvaluationFailure> {
        match (higher, lower) {
            (ManifestValue::Undef, _) => Ok(lower.clone()),
            (_, ManifestValue::Undef | ManifestValue::Boolean(false)) => Ok(higher.clone()),
            (ManifestValue::Hash(above), ManifestValue::Hash(below)) => {
                let mut merged = (**below).clone();
                for (key, value) in above.iter() {
                    let below = merged.get(key).filter(|below| below.is_true()).unwrap_or(value);
                    let value = self.merge(value, below)?;
                    merged.insert(key.clone(), value);
                }
                Ok(ManifestValue::Hash(Arc::new(merged)))
            }
            (ManifestValue::Hash(above), _) if above.is_empty() => Ok(lower.clone()),
            (ManifestValue::Hash(above), _) => {
                // The first key replaces the lower value; the others are then merged into the hash itself.
                let mut merged = (**above).clone();
                for (key, value) in above.iter().skip(1) {
                    merged.insert(key.clone(), self.merge(value, value)?);
                }
                Ok(ManifestValue::Hash(Arc::new(merged)))
            }
            (ManifestValue::Array(above), _) => self.merge_array(above.to_vec(), lower),
            _ => Ok(self.replacement(higher)),
        }
    }

    fn merge_array(&self, mut above: Vec<ManifestValue>, lower: &ManifestValue) -> Result<ManifestValue, EvaluationFailure> {
        let mut below = lower.as_array().map(<[ManifestValue]>::to_vec);
        let is_prefix = |element: &ManifestValue| self.knockout.is_some() && element.as_str() == self.knockout.as_deref();
        if above.iter().any(is_prefix) {
            // The prefix alone removes all lower elements.
            below = below.map(|_| Vec::new());
            above.retain(|element| !is_prefix(element));
        }
        let Some(mut below) = below else { return Ok(self.replacement(&ManifestValue::array(above))) };
        above.retain(|element| match self.knocked_out(element) {
            Some(item) => {
                below.retain(|lower| lower.as_str() != Some(&item) && lower != element);
                false
            }
            None => true,
        });
        let are_hashes = above.iter().chain(&below).all(|element| matches!(element, ManifestValue::Hash(_)));
        let merged = if self.merges_hashes_in_arrays && are_hashes {
            let mut merged = Vec::with_capacity(above.len().max(below.len()));
            for (index, lower) in below.iter().enumerate() {
                merged.push(above.get(index).map_or_else(|| Ok(lower.clone()), |above| self.merge(above, lower))?);
            }
            merged.extend(above.into_iter().skip(below.len()));
            merged
        } else {
            let all: IndexSet<ManifestValue> = below.into_iter().chain(above).collect();
            all.into_iter().collect()
        };
        Ok(ManifestValue::array(if self.sorts_arrays { sort_with(merged, &mut |a, b| order(a, b))? } else { merged }))
    }

    /// Returns the element that an element with the prefix removes: its text without the prefix, in each line.
    fn knocked_out(&self, element: &ManifestValue) -> Option<String> {
        let (prefix, text) = (self.knockout.as_deref()?, element.as_str()?);
        let item: String = text.split_inclusive('\n').map(|line| line.strip_prefix(prefix).unwrap_or(line)).collect();
        (item != text).then_some(item)
    }

    /// Returns a higher value that replaces a lower value of another kind. A string with the prefix becomes the empty string.
    fn replacement(&self, higher: &ManifestValue) -> ManifestValue {
        match higher {
            ManifestValue::Array(elements) => {
                ManifestValue::array(elements.iter().filter(|element| self.knocked_out(element).is_none()).cloned().collect())
            }
            other if self.knocked_out(other).is_some() => ManifestValue::from(""),
            other => other.clone(),
        }
    }
}

/// Reads a prefix. The gem takes it as a part of a regex.
fn knockout(prefix: &str) -> Result<String, EvaluationFailure> {
    if prefix.is_empty() {
        return Err(EvaluationFailure::plain(None, "knockout_prefix cannot be an empty string in deep_merge!"));
    }
    if prefix.contains(['.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '^', '$', '\\']) {
        return Err(EvaluationFailure::unsupported(format!("the prefix `{prefix}`, which is a regex to Puppet")));
    }
    Ok(prefix.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line has the option `merge`, the values from the highest to the lowest, and what Puppet 7.23 answers.
    #[test]
    fn merged_values_are_those_of_puppet() {
        let cases = include_str!("../../../tests/functions/merges.jsonl");
        let mut wrong = Vec::new();
        for line in cases.lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let places = case[1].as_array().unwrap().iter().map(|value| Some(ManifestValue::from(value))).collect();
            let merged = Strategy::of_value(&ManifestValue::from(&case[0])).and_then(|strategy| strategy.merge(places));
            let agrees = match (&merged, case[2].get("value"), case[2]["error"].as_str()) {
                (Ok(Some(merged)), Some(value), _) => *merged == ManifestValue::from(value),
                (Err(failure), None, Some(error)) => failure.text() == error || !failure.is_error(),
                _ => false,
            };
            if !agrees {
                wrong.push(format!("{line}\n    {merged:?}"));
            }
        }
        assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), cases.lines().count(), wrong.join("\n"));
    }
}
