//! The `rows` setting for providers without code: a program's output format.

use rtype_lang::data::{DataNode, parse_json_values, parse_text};
use rtype_lang::value::{Map, Regex, Value};
use std::sync::Arc;

/// Why a program's output cannot be parsed.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// The setting is not a format.
    #[error("`rows` is a regex, `json` or `key_value`")]
    Format,
    /// The output is not JSON.
    #[error("its program did not give JSON: {0}")]
    Json(String),
}

/// Parses a program's output to a list of maps, or to a JSON value.
///
/// # Errors
/// Returns an error if `format` is not a format, or the output is not the expected JSON.
pub fn rows(format: &Value, output: &str) -> Result<Value, RowsError> {
    Ok(match format {
        Value::Regex(regex) => Value::array(output.lines().filter_map(|line| named_groups(regex, line))),
        rows if rows.as_text() == Some("key_value") => Value::array(output.split("\n\n").filter_map(pairs)),
        rows if rows.as_text() == Some("json") => json(output)?,
        _ => return Err(RowsError::Format),
    })
}

/// Returns the named groups from a matching line.
fn named_groups(regex: &Regex, line: &str) -> Option<Value> {
    let groups = regex.captures_at(line, 0)?;
    let named = regex.group_names().into_iter().filter_map(|(name, number)| {
        let range = groups.get(number)?.clone()?;
        Some((Value::str(name), Value::str(line.get(range)?)))
    });
    Some(Value::Map(Arc::new(named.collect::<Map>())))
}

/// Lines `key=value`.
fn pairs(text: &str) -> Option<Value> {
    let pair = |line: &str| line.split_once('=').map(|(key, value)| (Value::str(key.trim()), Value::str(value.trim())));
    let map: Map = text.lines().filter_map(pair).collect();
    (!map.is_empty()).then(|| Value::Map(Arc::new(map)))
}

/// Parses a list of objects, an object, or one object per line.
fn json(text: &str) -> Result<Value, RowsError> {
    let all = parse_text(text, parse_json_values).map_err(RowsError::Json)?;
    Ok(match all.as_slice() {
        [one] => one.to_value(),
        several => Value::array(several.iter().map(DataNode::to_value)),
    })
}
