//! Reads resource declarations in Puppet's syntax, JSON and YAML, and writes them.
//!
//! All formats become [`Declarations`]: values with source spans, not yet checked against a type; `resource` checks them. This module reads
//! no files.

mod catalog;
mod compiled;
mod declared;
mod parts;
mod print;
mod puppet;
mod puppet_value;
mod quote;
mod rich;
mod shape;
mod suspects;
mod yaml;

pub use declared::{
    AllDefaults, Container, CopyLimit, Declarations, Declared, DeclaredValue, Edge, EdgeKind, TypeDefaults, count, declared_twice,
    is_relationship,
};
pub use parts::PartSpans;
pub use print::{PrintedResource, defaults_to_puppet, to_json, to_puppet, to_yaml};
pub use puppet::{from_manifest, from_statements};
pub use puppet_value::PuppetReader;
pub use quote::puppet as quoted;
pub use shape::{holds_resources, is_data};
pub use suspects::{blacked_out, is_suspect, suspects};
pub use yaml::comments as yaml_comments;

use rtype_lang::data::{DataNode, YamlRules, parse_json, parse_yaml};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::World;
use rtype_lang::source::Source;
use rtype_lang::syntax::parse_manifest;

/// Data formats for declarations, as an alternative to Puppet's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataFormat {
    /// JSON: a list of resources, one resource, types with titles, or a compiled catalog.
    Json,
    /// YAML in the same shapes.
    Yaml,
}

impl DataFormat {
    /// Returns the data format for a file name's extension; `None` for `.pp` and all others.
    pub fn of(name: &str) -> Option<DataFormat> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "json" => Some(DataFormat::Json),
            "yaml" | "yml" => Some(DataFormat::Yaml),
            _ => None,
        }
    }

    /// Returns the data format for a source: by file name, or for standard input by the first characters. `None` means Puppet's syntax.
    pub fn of_source(source: &Source) -> Option<DataFormat> {
        if source.name() == "<stdin>" { DataFormat::guess(source.text()) } else { DataFormat::of(source.name()) }
    }

    /// Guesses the data format of standard input. `None` means Puppet's syntax.
    pub fn guess(text: &str) -> Option<DataFormat> {
        let text = text.trim_start_matches('\u{feff}');
        let text = text.get(logged(text)..).unwrap_or_default();
        let mut lines = text.lines().map(str::trim_end).filter(|l| !l.is_empty() && !l.trim_start().starts_with('#'));
        let first = lines.next()?;
        let letters: String = text.chars().filter(|c| !c.is_whitespace()).take(2).collect();
        if matches!(letters.as_str(), "{\"" | "{}" | "[{" | "[\"" | "[]") {
            return Some(DataFormat::Json);
        }
        // In a Puppet declaration, an unindented line never ends with a colon or starts with a dash.
        let is_key = first.ends_with(':') && !first.contains(['{', ' ', '\'']);
        (first.starts_with("---") || first.starts_with("- ") || is_key).then_some(DataFormat::Yaml)
    }
}

/// Reads the declarations in a source. The file name determines the format, or for standard input the first characters.
///
/// If the source has syntax errors, every value with a secret-like name is treated as a secret, so that no snippet shows it.
pub fn from_source(source: &Source, world: &dyn World) -> (Declarations, Vec<Diagnostic>) {
    from_source_after(source, world, &AllDefaults::new())
}

/// Reads declarations like [`from_source`]. The defaults from `earlier` sources also apply.
pub fn from_source_after(source: &Source, world: &dyn World, earlier: &AllDefaults) -> (Declarations, Vec<Diagnostic>) {
    let (declarations, found) = match DataFormat::of_source(source) {
        Some(format) => from_data(source, format),
        None => {
            let (manifest, mut found) = parse_manifest(source);
            let (mut declarations, more) = puppet::from_statements_after(&manifest.statements, world, earlier);
            declarations.comments = manifest.comments.iter().map(|c| c.span).collect();
            found.extend(more);
            (declarations, found)
        }
    };
    if found.iter().any(Diagnostic::is_error) {
        declarations.secrets.extend(&suspects(source));
    }
    (declarations, found)
}

/// Reads the declarations in a JSON or YAML source. Reports all errors and keeps the usable declarations.
pub fn from_data(source: &Source, format: DataFormat) -> (Declarations, Vec<Diagnostic>) {
    match tree(source, format) {
        Ok(node) => {
            let (mut declarations, found) = catalog::from_node(&node);
            if format == DataFormat::Yaml {
                declarations.comments = yaml::comments(source, &node);
            }
            (declarations, found)
        }
        Err(diagnostic) => (Declarations::default(), vec![*diagnostic]),
    }
}

/// Parses a text into a tree with source spans. A second YAML document is an error; repeated keys are kept.
fn tree(source: &Source, format: DataFormat) -> Result<DataNode, Box<Diagnostic>> {
    match format {
        DataFormat::Json => parse_json(source, logged(source.text())),
        DataFormat::Yaml => parse_yaml(source, YamlRules { strict: true, as_text: &[] }),
    }
}

/// Returns the length of the log lines before the JSON that `puppet catalog compile` prints.
fn logged(text: &str) -> usize {
    let is_logged = |line: &&str| {
        let line = line.strip_prefix("\x1b[").and_then(|rest| Some(rest.split_once('m')?.1)).unwrap_or(line);
        ["Notice: ", "Warning: ", "Info: ", "Debug: "].iter().any(|level| line.starts_with(level))
            // A warning's second line: the file and line number, and the end of the colour sequence.
            || line.starts_with("   (")
    };
    text.split_inclusive('\n').take_while(is_logged).map(str::len).sum()
}

/// Keys of a resource in a JSON or YAML list.
pub const RESOURCE_KEYS: &[&str] = catalog::KEYS;

#[cfg(test)]
mod tests;
