//! Prints resources in a form that can be read back: in the style of `puppet resource`, as JSON or as YAML.
//!
//! Secrets are omitted with a note, because printed passwords, hashed or not, end up in paste bins. Unknown values are omitted because they
//! cannot be read back.

use super::declared::Declared;
use super::quote;
use rtype_lang::value::{EcoString, Symbol, Value, capitalized_type};
use std::fmt::Write;

/// A resource to print.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedResource {
    /// Type name in lower case.
    pub type_name: Symbol,
    /// The title.
    pub title: EcoString,
    /// Attributes and values in any order; nil values are omitted.
    pub attributes: Vec<(EcoString, Value)>,
}

impl From<&Declared> for PrintedResource {
    fn from(declared: &Declared) -> PrintedResource {
        PrintedResource {
            type_name: declared.type_name.clone(),
            title: declared.title.clone(),
            attributes: declared.attributes.iter().map(|(name, given)| (name.clone(), given.value.clone())).collect(),
        }
    }
}

/// Why an attribute is not printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeftOut {
    Redacted,
    /// The value is only known after another resource has changed.
    Unknown,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LeftOut::Redacted => "redacted",
            LeftOut::Unknown => "not known yet",
        })
    }
}

/// Printed and omitted attributes, each in Puppet's order: `ensure` first, then by name. Omitted attributes have a reason.
struct Sorted<'a> {
    printed: Vec<(&'a str, &'a Value)>,
    left_out: Vec<(&'a str, LeftOut)>,
}

fn sorted(resource: &PrintedResource) -> Sorted<'_> {
    let mut all: Vec<_> = resource.attributes.iter().filter(|(_, v)| !v.is_nil()).map(|(n, v)| (n.as_str(), v)).collect();
    all.sort_by_key(|(name, _)| (*name != "ensure", *name));
    let mut result = Sorted { printed: Vec::new(), left_out: Vec::new() };
    for (name, value) in all {
        match (value.has_secret(), value.has_unknown()) {
            (true, _) => result.left_out.push((name, LeftOut::Redacted)),
            (_, true) => result.left_out.push((name, LeftOut::Unknown)),
            _ => result.printed.push((name, value)),
        }
    }
    result
}

/// Formats resources like `puppet resource`.
pub fn to_puppet<'a>(resources: impl IntoIterator<Item = &'a PrintedResource>) -> String {
    let mut out = String::new();
    for resource in resources {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{} {{ {}:", resource.type_name, quote::puppet(&resource.title));
        body(&mut out, resource);
    }
    out
}

/// Formats a type's defaults, `File { … }`. The title in `defaults` is not used.
pub fn defaults_to_puppet(defaults: &PrintedResource) -> String {
    let mut out = format!("{} {{\n", capitalized_type(defaults.type_name.as_str()));
    body(&mut out, defaults);
    out
}

fn body(out: &mut String, resource: &PrintedResource) {
    let Sorted { printed, left_out } = sorted(resource);
    let width = printed.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in printed {
        let _ = write!(out, "  {name:width$} => ");
        puppet_value(out, value, 1);
        out.push_str(",\n");
    }
    for (name, why) in left_out {
        let _ = writeln!(out, "  # {name}: {why}");
    }
    out.push_str("}\n");
}

fn puppet_value(out: &mut String, value: &Value, depth: usize) {
    let indent = |out: &mut String, depth: usize| out.extend(std::iter::repeat_n("  ", depth));
    match value {
        Value::Map(map) if map.is_empty() => out.push_str("{}"),
        Value::Map(map) => {
            out.push_str("{\n");
            for (i, (key, value)) in map.iter().enumerate() {
                out.push_str(if i > 0 { ",\n" } else { "" });
                indent(out, depth + 1);
                puppet_value(out, key, depth + 1);
                out.push_str(" => ");
                puppet_value(out, value, depth + 1);
            }
            out.push('\n');
            indent(out, depth);
            out.push('}');
        }
        Value::Array(items) => {
            // Puppet prints a list of plain values on a single line, however long.
            let nested = items.iter().any(|i| matches!(i, Value::Map(_)));
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                match (nested, i) {
                    (true, _) => {
                        out.push_str(if i > 0 { ",\n" } else { "\n" });
                        indent(out, depth + 1);
                    }
                    (false, 0) => {}
                    (false, _) => out.push_str(", "),
                }
                puppet_value(out, item, depth + usize::from(nested));
            }
            if nested {
                out.push('\n');
                indent(out, depth);
            }
            out.push(']');
        }
        Value::Nil => out.push_str("undef"),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
            let _ = write!(out, "{value}");
        }
        Value::Resource(r) => {
            let whole = r.to_string();
            let _ = write!(out, "{}[{}]", whole.split('[').next().unwrap_or_default(), quote::puppet(&r.title));
        }
        Value::Binary(_) => {
            let _ = write!(out, "Binary({})", quote::puppet(&value.to_text()));
        }
        other => out.push_str(&quote::puppet(&other.to_text())),
    }
}

/// Formats resources as a list: `[{type, title, parameters}, …]`. `redacted` lists the secret parameters.
pub fn to_json<'a>(resources: impl IntoIterator<Item = &'a PrintedResource>) -> serde_json::Value {
    let object = |resource: &PrintedResource| {
        let Sorted { printed, left_out } = sorted(resource);
        let parameters: serde_json::Map<_, _> = printed.into_iter().map(|(name, value)| (name.to_owned(), json_value(value))).collect();
        let secrets: Vec<_> = left_out.into_iter().filter(|(_, why)| *why == LeftOut::Redacted).map(|(name, _)| name.into()).collect();
        let mut object = serde_json::Map::new();
        object.insert("type".into(), resource.type_name.as_str().into());
        object.insert("title".into(), resource.title.as_str().into());
        object.insert("parameters".into(), parameters.into());
        if !secrets.is_empty() {
            object.insert("redacted".into(), serde_json::Value::Array(secrets));
        }
        serde_json::Value::Object(object)
    };
    resources.into_iter().map(object).collect()
}

fn json_value(value: &Value) -> serde_json::Value {
    // Numbers that JSON cannot represent become null; everything else can be serialized.
    serde_json::to_value(value).unwrap_or_default()
}

/// Formats resources like `puppet resource --to_yaml`: titles grouped by type.
pub fn to_yaml<'a>(resources: impl IntoIterator<Item = &'a PrintedResource>) -> String {
    let mut by_type: indexmap::IndexMap<&Symbol, Vec<&PrintedResource>> = indexmap::IndexMap::new();
    for resource in resources {
        by_type.entry(&resource.type_name).or_default().push(resource);
    }
    let mut out = String::from(if by_type.is_empty() { "--- {}\n" } else { "---\n" });
    for (type_name, resources) in by_type {
        let _ = writeln!(out, "{}:", quote::yaml(type_name.as_str()));
        for resource in resources {
            let Sorted { printed, left_out } = sorted(resource);
            let empty = if printed.is_empty() { " {}" } else { "" };
            let _ = writeln!(out, "  {}:{empty}", quote::yaml(&resource.title));
            for (name, value) in printed {
                let _ = write!(out, "    {}:", quote::yaml(name));
                yaml_value(&mut out, value, 2);
            }
            for (name, why) in left_out {
                let _ = writeln!(out, "    # {name}: {why}");
            }
        }
    }
    out
}

/// Writes a value after `key:` or `-`, including the newline. As in Puppet, lists are indented like their key.
fn yaml_value(out: &mut String, value: &Value, depth: usize) {
    let pad = "  ".repeat(depth);
    match value {
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            for item in items {
                // A nested list or map starts after the dash: `- - 1`, `- key: 1`.
                let mut inner = String::new();
                yaml_value(&mut inner, item, if matches!(item, Value::Map(_)) { depth } else { depth + 1 });
                let text = inner.strip_prefix('\n').map_or(inner.as_str(), str::trim_start);
                let _ = write!(out, "{pad}-{}{text}", if text.starts_with(' ') { "" } else { " " });
            }
        }
        Value::Map(map) if !map.is_empty() => {
            out.push('\n');
            let pad = "  ".repeat(depth + 1);
            for (key, value) in map.iter() {
                let key = if matches!(key, Value::Int(_) | Value::Bool(_)) { key.to_string() } else { quote::yaml(&key.to_text()) };
                let _ = write!(out, "{pad}{key}:");
                yaml_value(out, value, depth + 1);
            }
        }
        Value::Array(_) => out.push_str(" []\n"),
        Value::Map(_) => out.push_str(" {}\n"),
        Value::Nil => out.push_str(" null\n"),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
            let _ = writeln!(out, " {value}");
        }
        Value::Binary(_) => {
            let _ = writeln!(out, " !binary {}", quote::yaml(&value.to_text()));
        }
        other => {
            let _ = writeln!(out, " {}", quote::yaml(&other.to_text()));
        }
    }
}
