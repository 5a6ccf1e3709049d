//! Compares sets of regexes as languages.

use rtype_lang::value::Regex;

/// A string on one side that the other side lacks.
pub enum Counterexample {
    /// No such string exists.
    Nothing,
    /// An example of such a string.
    Text(String),
    /// The comparison is not possible.
    Unknown,
}

/// Returns a string that matches all regexes in `all_of` and no regex in `none_of`.
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

/// Formats a string.
pub fn quoted(text: &str) -> String {
    if text.is_empty() {
        "the empty text".to_owned()
    } else if text.chars().all(|c| c.is_ascii_graphic() && c != '`') {
        format!("`{text}`")
    } else {
        rtype_lang::value::inspect(&text.into())
    }
}
