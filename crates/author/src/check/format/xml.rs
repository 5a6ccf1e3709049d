//! Text in XML. Characters that XML cannot hold never come here: [`printable`](rtype_lang::diagnostics::printable) spells them out, and
//! names of files go through [`name`].

use rtype_lang::diagnostics::printable;

/// Text between tags.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Noncharacters, which XML 1.0 does not have.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Text in double quotes, where a bare newline would be read as a blank.
pub(super) fn attribute(value: &str) -> String {
    text(value).replace('\n', "&#10;")
}

/// The name of a file in double quotes.
pub(super) fn name(name: &str) -> String {
    attribute(&printable(name))
}
