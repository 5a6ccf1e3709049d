//! Compares sets of regexes as languages.

use rtype_lang::value::Regex;

/// Whether one side has texts that the other lacks.
pub enum Counterexample {
    /// It has none.
    Nothing,
    /// It has, for example this one.
    Text(String),
    /// The comparison is not possible.
    Unknown,
}

/// Returns a text that matches all of the first regexes and none of the second.
pub fn outside(all_of: &[&Regex], none_of: &[&Regex]) -> Counterexample {
    match Regex::example(all_of, none_of) {
        Some(None) => Counterexample::Nothing,
        Some(Some(text)) => Counterexample::Text(text),
        None => Counterexample::Unknown,
    }
}

/// Formats a regex or a data type.
pub fn code(what: impl std::fmt::Display) -> String {
    let text = what.to_string();
    if text.contains('`') { text } else { format!("`{text}`") }
}

/// Formats a text.
pub fn quoted(text: &str) -> String {
    if text.is_empty() {
        "the empty text".to_owned()
    } else if text.chars().all(|c| c.is_ascii_graphic() && c != '`') {
        format!("`{text}`")
    } else {
        rtype_lang::value::inspect(&text.into())
    }
}
