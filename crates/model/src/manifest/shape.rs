//! Detects JSON and YAML files with resources: most JSON and YAML files in a directory are unrelated to rtype.

use super::DataFormat;
use super::{catalog, compiled};
use rtype_lang::data::{DataNode, Kind};
use rtype_lang::source::Source;

/// In larger files, only the beginning is examined (in bytes).
const LONG: usize = 1024 * 1024;
/// Number of examined bytes in a long string.
const BEGINNING: usize = 64 * 1024;
/// Number of examined list elements.
const FEW: usize = 100;
/// Values for `type` in a JSON Schema, which often also has a `title`.
const SCHEMA_TYPES: &[&str] = &["object", "array", "string", "number", "integer", "boolean", "null"];

/// Returns true if a source looks like resources or a catalog, even with errors. `is_type` returns true for known type names.
pub fn holds_resources(source: &Source, format: DataFormat, is_type: &dyn Fn(&str) -> bool) -> bool {
    let text = source.text();
    let keys = match format {
        DataFormat::Json => ["\"type\"", "\"title\""],
        DataFormat::Yaml => ["type:", "title:"],
    };
    let has_keys = |text: &str| keys.iter().all(|key| text.contains(key));
    if text.len() > LONG {
        let end = (BEGINNING..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        let beginning = text.get(..end).unwrap_or_default();
        return has_keys(beginning);
    }
    match super::tree(source, format) {
        Ok(node) => is_resources(&node, is_type),
        // Without a syntax tree, the keys decide: a syntax error must not take resources out of the check.
        Err(_) => has_keys(text) || types_with_titles(text, format).any(|name| is_type(&name.to_lowercase())),
    }
}

/// Returns true if a source can be read as one document of its format.
pub fn is_data(source: &Source, format: DataFormat) -> bool {
    source.text().len() > LONG || super::tree(source, format).is_ok()
}

/// Returns the keys of the outermost object of a text with syntax errors whose value seems to be a map of maps, as a type with its titles is: in
/// YAML keys at the beginning of lines, in JSON the first key.
fn types_with_titles(text: &str, format: DataFormat) -> Box<dyn Iterator<Item = &str> + '_> {
    let quotes = ['"', '\''];
    match format {
        DataFormat::Json => {
            let mut parts = text.trim_start().strip_prefix('{').unwrap_or_default().splitn(5, '"');
            let (key, title, end) = (parts.nth(1), parts.nth(1), parts.next());
            let begins_map = |after: &str| after.trim_start().strip_prefix(':').is_some_and(|value| value.trim_start().starts_with('{'));
            Box::new(key.filter(|_| title.is_some() && end.is_some_and(begins_map)).into_iter())
        }
        DataFormat::Yaml => {
            let is_content = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
            let lines = text.lines().filter(is_content).map(str::trim_end);
            let titles = text.lines().filter(is_content).skip(1);
            let is_title = |line: &str| line.starts_with([' ', '\t']) && (line.trim_end().ends_with(':') || line.contains(": {"));
            let pairs = lines.zip(titles).filter(move |(_, title)| is_title(title));
            Box::new(pairs.filter_map(move |(line, _)| Some(line.strip_suffix(':')?.trim_matches(quotes))))
        }
    }
}

fn is_resources(root: &DataNode, is_type: &dyn Fn(&str) -> bool) -> bool {
    match compiled::find(root) {
        Ok(Some(catalog)) => {
            let resources = catalog.resources();
            return if resources.is_empty() { root.get("edges").is_some() } else { resources.iter().take(FEW).any(is_resource) };
        }
        Err(_) => return true,
        Ok(None) => {}
    }
    match &root.kind {
        Kind::Array(items) => items.iter().take(FEW).any(is_resource),
        Kind::Object(_) if is_resource(root) => true,
        Kind::Object(pairs) => {
            // Types → titles → attributes. In other data, a key may equal a type name by accident.
            let (types, others): (Vec<_>, Vec<_>) = pairs
                .iter()
                .partition(|(name, titles)| name.text().is_some_and(|name| is_type(&name.to_lowercase())) && has_titles(titles));
            !types.is_empty() && others.iter().filter(|(_, titles)| !has_titles(titles)).count() <= types.len()
        }
        _ => false,
    }
}

/// Returns true if an object has the keys that a resource in a list has.
fn is_resource(node: &DataNode) -> bool {
    let Kind::Object(pairs) = &node.kind else { return false };
    let Some(of) = node.get("type").and_then(DataNode::text) else { return false };
    let has_parameters = node.get("parameters").is_some();
    if node.get("title").is_none() && !has_parameters {
        return false;
    }
    let unknown = pairs.iter().filter(|(key, _)| key.text().is_none_or(|key| !catalog::KEYS.contains(&key.as_str()))).count();
    has_parameters || (!SCHEMA_TYPES.contains(&of.as_str()) && unknown <= 1)
}

fn has_titles(node: &DataNode) -> bool {
    match &node.kind {
        Kind::Object(titles) => !titles.is_empty() && titles.iter().all(|(_, value)| matches!(value.kind, Kind::Object(_) | Kind::Null)),
        _ => false,
    }
}
