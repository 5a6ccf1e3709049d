//! TOML as the module stdlib writes it.

use crate::compile::failure::EvaluationFailure;
use crate::compile::value::{ManifestValue, ValueMap};
use crate::functions::collections::{order, sort_with};
use crate::functions::no_method;
use crate::functions::ruby::{inspect, inspect_string, to_s};

/// Writes a hash.
///
/// # Errors
/// Returns Ruby's error for keys without an order.
pub fn write(map: &ValueMap) -> Result<String, EvaluationFailure> {
    let mut out = String::new();
    visit(map, &[], &mut out)?;
    Ok(out)
}

/// The entries of a hash: those with plain values, tables, and arrays of tables.
#[derive(Default)]
struct Sorted<'m> {
    plain: Vec<(ManifestValue, &'m ManifestValue)>,
    tables: Vec<(ManifestValue, &'m ValueMap)>,
    arrays: Vec<(ManifestValue, &'m [ManifestValue])>,
}

fn sort(map: &ValueMap) -> Result<Sorted<'_>, EvaluationFailure> {
    let mut sorted = Sorted::default();
    for key in sort_with(map.keys().cloned().collect(), &mut |a, b| order(a, b))? {
        match map.get(&key) {
            Some(ManifestValue::Hash(inner)) => sorted.tables.push((key, inner)),
            Some(ManifestValue::Array(elements)) if matches!(elements.first(), Some(ManifestValue::Hash(_))) => {
                sorted.arrays.push((key, elements))
            }
            Some(value) => sorted.plain.push((key, value)),
            None => {}
        }
    }
    Ok(sorted)
}

fn visit(map: &ValueMap, prefix: &[String], out: &mut String) -> Result<(), EvaluationFailure> {
    let sorted = sort(map)?;
    if !prefix.is_empty() && (!sorted.plain.is_empty() || map.is_empty()) {
        out.push_str(&format!("[{}]\n", prefix.join(".")));
    }
    dump(&sorted, prefix, out)
}

fn dump(sorted: &Sorted<'_>, prefix: &[String], out: &mut String) -> Result<(), EvaluationFailure> {
    for (key, value) in &sorted.plain {
        out.push_str(&format!("{} = {}\n", name(key)?, scalar(value)));
    }
    let below =
        |key: &ManifestValue| -> Result<Vec<String>, EvaluationFailure> { Ok(prefix.iter().cloned().chain([name(key)?]).collect()) };
    for (key, table) in &sorted.tables {
        visit(table, &below(key)?, out)?;
    }
    for (key, tables) in &sorted.arrays {
        let below = below(key)?;
        for table in *tables {
            let ManifestValue::Hash(map) = table else { return Err(no_method(table, "keys")) };
            out.push_str(&format!("[[{}]]\n", below.join(".")));
            dump(&sort(map)?, &below, out)?;
        }
    }
    Ok(())
}

fn name(key: &ManifestValue) -> Result<String, EvaluationFailure> {
    let text = to_s(key);
    let is_bare = text.split('\n').any(|line| line.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    match key {
        _ if is_bare => Ok(text),
        ManifestValue::String(text) => Ok(format!("\"{}\"", text.replace("\"", "\\\""))),
        other => Err(no_method(other, "gsub")),
    }
}

fn scalar(value: &ManifestValue) -> String {
    match value {
        // Only Ruby needs the backslash before `#{`, `#$` and `#@`.
        ManifestValue::String(text) => inspect_string(text).replace("\\#{", "#{").replace("\\#$", "#$").replace("\\#@", "#@"),
        ManifestValue::Regexp(_) => inspect_string(&inspect(value)),
        other => inspect(other),
    }
}
