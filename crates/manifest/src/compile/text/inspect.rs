//! Values as Ruby prints them, which some messages contain.

use super::display;
use crate::compile::value::Value;

/// Returns a value as Ruby interpolates it into a message.
pub fn ruby_text(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Hash(_) => ruby_inspect(value),
        other => display(other),
    }
}

/// Returns a value as Ruby's `inspect` prints it.
pub fn ruby_inspect(value: &Value) -> String {
    match value {
        Value::Undef => "nil".to_owned(),
        Value::Default => ":default".to_owned(),
        Value::String(text) => {
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
        Value::Array(elements) => format!("[{}]", elements.iter().map(ruby_inspect).collect::<Vec<_>>().join(", ")),
        Value::Hash(map) => {
            format!("{{{}}}", map.iter().map(|(k, v)| format!("{}=>{}", ruby_inspect(k), ruby_inspect(v))).collect::<Vec<_>>().join(", "))
        }
        other => display(other),
    }
}

/// Returns a string as Ruby's `inspect` prints it.
pub fn quoted(text: &str) -> String {
    ruby_inspect(&Value::string(text))
}
