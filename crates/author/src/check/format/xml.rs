//! Escapes text for XML. Characters that XML cannot represent have been escaped by
//! [`printable`](rtype_lang::diagnostics::printable); file names go through [`name`].

use rtype_lang::diagnostics::printable;

/// Escapes text between tags.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Noncharacters, which XML 1.0 does not allow.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Escapes an attribute value, where a bare newline would be read as a space.
pub(crate) fn attribute(value: &str) -> String {
    text(value).replace('\n', "&#10;")
}

/// Escapes a file name as an attribute value.
pub(crate) fn name(name: &str) -> String {
    attribute(&printable(name))
}
