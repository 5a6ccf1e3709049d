//! From a [`Diagnostic`](super::Diagnostic) to what people and programs read: one file a format.

mod excerpt;
mod json;
mod summary;
mod text;

pub use json::to_json;
pub use summary::{Tally, summary};
pub use text::{Renderer, Style};

/// Characters that would move the cursor, colour the terminal or reorder text.
fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
}

/// What of a message is shown, from its beginning and its end: it may quote a title or a word of megabytes.
const HEAD: usize = 3_000;
const TAIL: usize = 500;

/// One line of a message: what a terminal would act upon is spelled out, the middle of a long one left out.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4 * (HEAD + TAIL)));
    let mut push = |c: char| if is_unprintable(c) { out.extend(c.escape_default()) } else { out.push(c) };
    match text.char_indices().nth(HEAD + TAIL) {
        None => text.chars().for_each(push),
        Some(_) => {
            text.chars().take(HEAD).chain(" … ".chars()).for_each(&mut push);
            let tail = text.char_indices().nth_back(TAIL - 1).map_or(0, |(at, _)| at);
            text.get(tail..).unwrap_or_default().chars().for_each(push);
        }
    }
    out
}

#[cfg(test)]
mod tests;
