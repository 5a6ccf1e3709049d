//! Candidates shared by the prompt and the language server.

use rtype_lang::types::AttributeDef;
use rtype_lang::value::DataType;

/// The metaparameters whose values name resources.
pub const RELATIONS: &[&str] = &["require", "before", "notify", "subscribe"];

/// Returns the enumerable values of an attribute, including aliases.
pub fn listed(attribute: &AttributeDef) -> Vec<String> {
    let aliases = attribute.values.aliases.iter().map(|a| a.name.to_string());
    let mut all: Vec<String> = attribute.values.literals().map(ToString::to_string).chain(aliases).collect();
    match &attribute.data_type {
        Some(DataType::OneBoolean(only)) => all.push(only.to_string()),
        Some(DataType::Boolean) => all.extend(["true".to_owned(), "false".to_owned()]),
        Some(DataType::Enum(names)) => all.extend(names.iter().cloned()),
        _ => {}
    }
    all
}

/// Returns `true` if a value needs no quotes.
pub fn is_bare(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
