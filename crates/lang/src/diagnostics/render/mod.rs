//! From a [`Diagnostic`](super::Diagnostic) to what people and programs read: one file a format.

mod excerpt;
mod json;
mod summary;
mod text;

pub use json::to_json;
pub use summary::{Tally, summary};
pub use text::{Renderer, Style};

/// Characters that would move the cursor, colour the terminal, begin a line, reorder text or are invisible.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Soft hyphen, Arabic and Mongolian marks without width, Hangul fillers.
            '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'
            // Zero-width characters, line and paragraph separators, overrides of the direction, invisible operators.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Tags, which spell invisible text.
            | '\u{e0000}'..='\u{e007f}')
}

/// How many columns of a terminal a text takes: wide characters take two, combining ones none.
pub fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// The text with blanks up to so many columns.
pub fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(columns(text))))
}

/// Lines of a text that is not ours, [`printable`] each; all but the first are indented, so that none looks like a line of ours. Tabs stay.
pub fn printable_lines(text: &str) -> String {
    let line = |line: &str| line.split('\t').map(printable).collect::<Vec<_>>().join("\t");
    let lines: Vec<String> = text.split('\n').map(|l| line(l.strip_suffix('\r').unwrap_or(l))).collect();
    lines.join("\n  ")
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
