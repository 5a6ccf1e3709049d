//! Reads JSON and YAML.

use super::Value;
use crate::data::{self, DataNode, YamlRules};

/// Parses JSON; keys are strings. The last value of a duplicate key wins, as in Ruby.
///
///
/// # Errors
///
/// Returns the reason if the string is not JSON.
pub fn parse_json(text: &str) -> Result<Value, String> {
    let parsed = data::parse_text(text, |source| data::parse_json(source, 0));
    parsed.map(|node| node.to_value()).map_err(|why| format!("not JSON: {why}"))
}

/// Parses YAML as Ruby's `YAML.safe_load` does, except that aliases are allowed. Further documents are ignored, and the last value of a
/// duplicate key wins.
///
///
/// # Errors
///
/// Returns the reason if the string is not YAML.
pub fn parse_yaml(text: &str) -> Result<Value, String> {
    let parsed: Result<DataNode, String> = data::parse_text(text, |source| data::parse_yaml(source, YamlRules::default()));
    parsed.map(|node| node.to_value()).map_err(|why| format!("not YAML: {why}"))
}
