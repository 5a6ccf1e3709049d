//! Values as Ruby prints them, which some messages contain.

use super::display;
use crate::compile::value::ManifestValue;

/// Returns a value as Ruby interpolates it into a message.
pub fn ruby_text(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Array(_) | ManifestValue::Hash(_) => ruby_inspect(value),
        other => display(other),
    }
}

/// Returns a value as Ruby's `inspect` prints it.
pub fn ruby_inspect(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Undef => "nil".to_owned(),
        ManifestValue::Default => ":default".to_owned(),
        ManifestValue::String(text) => {
            let mut out = String::from("\"");
            let mut rest = text.chars().peekable();
            while let Some(c) = rest.next() {
                match c {
                    '"' => out.push_str("\\\""),
                    '\\' => out.push_str("\\\\"),
                    '\n' => out.push_str("\\n"),
                    '\t' => out.push_str("\\t"),
                    '\r' => out.push_str("\\r"),
                    '\u{1b}' => out.push_str("\\e"),
                    '#' if matches!(rest.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
                    c if c.is_control() => out.push_str(&format!("\\x{:02X}", c as u32)),
                    c => out.push(c),
                }
            }
            out.push('"');
            out
        }
        ManifestValue::Array(elements) => format!("[{}]", elements.iter().map(ruby_inspect).collect::<Vec<_>>().join(", ")),
        ManifestValue::Hash(map) => {
            format!("{{{}}}", map.iter().map(|(k, v)| format!("{}=>{}", ruby_inspect(k), ruby_inspect(v))).collect::<Vec<_>>().join(", "))
        }
        other => display(other),
    }
}

/// Returns a string as Ruby's `inspect` prints it.
pub fn quoted(text: &str) -> String {
    ruby_inspect(&ManifestValue::string(text))
}
