//! Prints strings and symbols.

use crate::diagnostics::is_unprintable;

/// Returns a string literal in double quotes.
pub fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

/// Escapes the content of a string literal in double quotes.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '#' => out.push_str("\\#"),
            c if is_unprintable(c) => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.replace("\\# ", "# ")
}

/// Returns a symbol literal.
pub fn symbol(name: &str) -> String {
    if is_word(name) { format!(":{name}") } else { format!(":{}", quote(name)) }
}

/// Returns `true` if a symbol needs no quotes.
pub(super) fn is_word(name: &str) -> bool {
    let plain = name.strip_suffix('?').unwrap_or(name);
    plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
