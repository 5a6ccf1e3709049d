//! Formats values as strings, like Ruby's `inspect`, or as Puppet source.

use super::{RANGE, REDACTED, Value, to_base64};
use std::fmt::{self, Display, Write};

impl Display for Value {
    /// Writes the string for interpolation, like Ruby's `to_s`; secrets are written as [`REDACTED`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nil => Ok(()),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Float(n) => f.write_str(&float(*n)),
            Value::Str(s) => f.write_str(s),
            Value::Binary(bytes) => f.write_str(&to_base64(bytes)),
            Value::Sym(s) => f.write_str(s.as_str()),
            Value::Array(_) | Value::Map(_) => f.write_str(&inspect(self)),
            Value::Regex(r) => write!(f, "{r}"),
            Value::Sensitive(_) => f.write_str(REDACTED),
            Value::Resource(r) => write!(f, "{r}"),
            Value::Object(object) => match &object.text {
                Ok(text) => f.write_str(text),
                Err(_) => write!(f, "#<{}>", object.class),
            },
            Value::Type(t) => write!(f, "{t}"),
            Value::Unknown => f.write_str("unknown"),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&inspect(self))
    }
}

impl serde::Serialize for Value {
    /// Serializes symbols as strings and secrets as [`REDACTED`].
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Nil => s.serialize_unit(),
            Value::Bool(b) => s.serialize_bool(*b),
            Value::Int(n) => s.serialize_i64(*n),
            Value::Float(n) => s.serialize_f64(*n),
            Value::Array(values) => s.collect_seq(values.iter()),
            Value::Map(map) => s.collect_map(map.iter().map(|(k, v)| (k.to_text(), v))),
            // The format of Puppet's rich data, which can be read back.
            Value::Binary(bytes) => s.collect_map([("__ptype", "Binary".to_owned()), ("__pvalue", to_base64(bytes))]),
            other => s.collect_str(other),
        }
    }
}

fn float(n: f64) -> String {
    if n.is_nan() {
        "NaN".into()
    } else if n.is_infinite() {
        if n > 0.0 { "Infinity".into() } else { "-Infinity".into() }
    } else if n == n.trunc() && n.abs() < 1e15 {
        format!("{n:.1}")
    } else if n == n.trunc() || n.abs() < 1e-4 {
        // Ruby writes 1.0e+20 and 1.5e-05.
        let text = format!("{n:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let dot = if mantissa.contains('.') { "" } else { ".0" };
        let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |d| ('-', d));
        format!("{mantissa}{dot}e{sign}{digits:0>2}")
    } else {
        format!("{n}")
    }
}

/// Formats a value like Ruby's `inspect`.
pub fn inspect(value: &Value) -> String {
    let mut out = String::new();
    write_inspect(&mut out, value);
    out
}

fn write_inspect(out: &mut String, value: &Value) {
    match value {
        Value::Nil => out.push_str("nil"),
        Value::Str(s) => write_ruby_string(out, s),
        Value::Binary(bytes) => out.push_str(&describe_bytes(bytes)),
        Value::Sym(s) => {
            out.push(':');
            if is_plain_symbol(s.as_str()) { out.push_str(s.as_str()) } else { write_ruby_string(out, s.as_str()) }
        }
        Value::Array(values) => {
            out.push('[');
            for (i, v) in values.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_inspect(out, v);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (i, (k, v)) in map.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_inspect(out, k);
                out.push_str("=>");
                write_inspect(out, v);
            }
            out.push('}');
        }
        Value::Object(object) => {
            // Writing to a String cannot fail.
            let _ = match &object.text {
                Ok(text) if object.class == RANGE => write!(out, "{text}"),
                Ok(text) if !text.starts_with("#<") => write!(out, "#<{} {text}>", object.class),
                _ => write!(out, "{value}"),
            };
        }
        other => {
            // Writing to a String cannot fail.
            let _ = write!(out, "{other}");
        }
    }
}

/// Formats bytes for messages: base64, truncated if it is long, and the number of bytes.
pub fn describe_bytes(bytes: &[u8]) -> String {
    /// A multiple of three, which avoids padding before the ellipsis.
    const SHOWN: usize = 48;
    let shown = to_base64(bytes.get(..SHOWN).unwrap_or(bytes));
    let more = if bytes.len() > SHOWN { "…" } else { "" };
    format!("Binary(\"{shown}{more}\", {} byte{})", bytes.len(), if bytes.len() == 1 { "" } else { "s" })
}

/// Symbols that Ruby writes without quotes because they are the names of operators.
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "**", "==", "!=", "===", "=~", "!~", "<=>", "<", "<=", ">", ">=", "!", "~", "+@", "-@", "[]", "[]=", "<<",
    ">>", "&", "|", "^", "`",
];

fn is_plain_symbol(s: &str) -> bool {
    if OPERATORS.contains(&s) {
        return true;
    }
    let body = s.strip_suffix(['?', '!']).unwrap_or(s);
    let mut letters = body.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_') && letters.all(|c| c.is_alphanumeric() || c == '_')
}

fn write_ruby_string(out: &mut String, s: &str) {
    out.push('"');
    let mut letters = s.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\x1b' => out.push_str("\\e"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0b' => out.push_str("\\v"),
            '\x0c' => out.push_str("\\f"),
            '#' if matches!(letters.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Quotes a string for a Puppet manifest, in single quotes with `\` and `'` escaped.
pub fn quote_puppet(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn floats_and_strings_are_written_as_ruby_does() {
        assert_eq!(Value::Float(1.0).to_string(), "1.0");
        assert_eq!(Value::Float(1e20).to_string(), "1.0e+20");
        assert_eq!(Value::Float(1e15).to_string(), "1.0e+15");
        assert_eq!(Value::Float(1_000_000_000_000_001.9).to_string(), "1000000000000001.9");
        assert_eq!(Value::Float(999_999_999_999_999.9).to_string(), "999999999999999.9");
        assert_eq!(inspect(&Value::array([Value::sym("<=>"), Value::sym("%"), Value::sym("=")])), "[:<=>, :%, :\"=\"]");
        assert_eq!(Value::Float(0.000_015).to_string(), "1.5e-05");
        assert_eq!(inspect(&Value::str("a\"#{x}\n")), "\"a\\\"\\#{x}\\n\"");
        assert_eq!(inspect(&Value::array([Value::sym("a"), Value::sym("a-b"), Value::Nil])), "[:a, :\"a-b\", nil]");
    }

    #[test]
    fn a_secret_shows_itself_nowhere() {
        let secret = Value::array([Value::Sensitive(Arc::new(Value::str("hunter2")))]);
        let everything = format!("{secret} {secret:?} {}", serde_json::to_string(&secret).unwrap());
        assert!(!everything.contains("hunter2"), "{everything}");
    }
}
