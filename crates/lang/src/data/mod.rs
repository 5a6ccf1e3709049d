//! Reads JSON and YAML into a tree with source spans. All JSON and YAML from outside of rtype is read here.
//!
//! Both readers are exact: values that rtype cannot represent, such as integers beyond 64 bits, are errors.

mod json;
mod json_error;
mod keys;
mod node;
mod scalar;
mod yaml;
mod yaml_mistake;

pub use json::{parse_json, parse_json_values};
pub use json_error::json_error;
pub use node::{DataNode, Kind, MAX_DEPTH};
pub use scalar::{ScalarClass, is_plain_text};
pub use yaml::{YamlRules, parse_yaml};

use crate::diagnostics::Diagnostic;
use crate::source::{Source, SourceMap};
use std::sync::Arc;

/// Parses a string outside files. Errors contain the line and column.
///
/// # Errors
/// Returns why the text cannot be read.
pub fn parse_text<T>(text: &str, parse: impl FnOnce(&Source) -> Result<T, Box<Diagnostic>>) -> Result<T, String> {
    let source: Arc<Source> = SourceMap::new().add("", text).map_err(|_| "the text is too large".to_owned())?;
    parse(&source).map_err(|found| {
        let at = source.position(found.span().start);
        format!("{} at line {}, column {}", found.message, at.line, at.column)
    })
}

/// Parses a JSON string outside files.
///
///
/// # Errors
///
/// Returns the reason if the string is not JSON, or has a number that rtype's JSON values cannot represent.
pub fn json_from_text(text: &str) -> Result<serde_json::Value, String> {
    parse_text(text, |source| parse_json(source, 0)).map(|node| node.to_json())
}

#[cfg(test)]
mod tests;
