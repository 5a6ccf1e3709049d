//! Regexes as languages: which of two sets of them allows more.

use rtype_lang::value::Regex;

/// What can be said of texts that one side has and the other lacks.
pub enum Outside {
    /// There are none.
    Nothing,
    /// Such as this.
    Text(String),
    /// Nobody knows.
    Unknown,
}

/// A text that matches all of the first and none of the second.
pub fn outside(all_of: &[&Regex], none_of: &[&Regex]) -> Outside {
    match Regex::example(all_of, none_of) {
        Some(None) => Outside::Nothing,
        Some(Some(text)) => Outside::Text(text),
        None => Outside::Unknown,
    }
}

/// A regex or a data type as it is shown.
pub fn code(what: impl std::fmt::Display) -> String {
    let text = what.to_string();
    if text.contains('`') { text } else { format!("`{text}`") }
}

/// A text as it is shown.
pub fn quoted(text: &str) -> String {
    if text.is_empty() {
        "the empty text".to_owned()
    } else if text.chars().all(|c| c.is_ascii_graphic() && c != '`') {
        format!("`{text}`")
    } else {
        rtype_lang::value::inspect(&text.into())
    }
}
