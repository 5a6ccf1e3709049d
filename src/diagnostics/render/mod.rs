//! From a [`Diagnostic`](super::Diagnostic) to what people and programs read: one file a format.

mod excerpt;
mod json;
mod summary;
mod text;

pub use json::to_json;
pub use summary::summary;
pub use text::{Renderer, Style};

/// Characters that would move the cursor, colour the terminal or reorder text.
fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
}

/// One line of a message: what a terminal would act upon is spelled out.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

#[cfg(test)]
mod tests;
