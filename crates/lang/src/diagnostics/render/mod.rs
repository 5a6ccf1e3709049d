//! Renders [`Diagnostic`](super::Diagnostic)s for people and programs, with one file per format.

mod excerpt;
mod json;
mod paint;
mod summary;
mod text;

pub use json::to_json;
pub use paint::Paint;
use std::borrow::Cow;
pub use summary::{Tally, summary};
pub use text::{Renderer, Style};

/// Returns `true` if a character moves the cursor, changes colors, breaks lines, reorders text or is invisible.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Soft hyphen, Arabic and Mongolian zero-width marks, Hangul fillers.
            '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'
            // Zero-width characters, line and paragraph separators, directional overrides, invisible operators.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Tags, which encode invisible text.
            | '\u{e0000}'..='\u{e007f}')
}

/// Returns the width of a string in terminal columns: wide characters take two columns, combining characters no column.
pub fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// Pads a string with spaces to a width in columns.
pub fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(columns(text))))
}

/// Shortens a string to a width in columns; `…` is the last character of a shortened string.
pub fn clipped(text: &str, to: usize) -> String {
    if columns(text) <= to {
        return text.to_owned();
    }
    let mut width = 1;
    let fits = |c: &char| {
        width += unicode_width::UnicodeWidthChar::width(*c).unwrap_or(0);
        width <= to
    };
    format!("{}…", text.chars().take_while(fits).collect::<String>())
}

/// Returns an external string with each line made [`printable`] and all lines but the first indented, so that readers cannot mistake
/// them for rtype's own lines. Tabs are kept.
pub fn printable_lines(text: &str) -> String {
    let line = |line: &str| line.split('\t').map(printable).collect::<Vec<_>>().join("\t");
    let lines: Vec<String> = text.split('\n').map(|l| line(l.strip_suffix('\r').unwrap_or(l))).collect();
    lines.join("\n  ")
}

/// Escapes the characters in an output that move the cursor, reorder text or are invisible. Line breaks and tabs are kept and, if
/// `colors` is set, escape sequences that only change colors.
pub fn printable_output(text: &str, colors: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let color = rest.strip_prefix("\u{1b}[").filter(|_| colors).and_then(|after| {
            let end = after.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            after.get(end..)?.starts_with('m').then_some("\u{1b}[".len() + end + 1)
        });
        let length = color.unwrap_or(c.len_utf8());
        let (head, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
        match is_unprintable(c) && color.is_none() && !matches!(c, '\n' | '\t') {
            true => out.extend(c.escape_default()),
            false => out.push_str(head),
        }
        rest = tail;
    }
    out
}

/// Escapes the unprintable characters in a string with several lines. Line ends, tabs and colors are kept.
pub fn printable_text(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_unprintable(c) && c != '\n' && c != '\t') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = color_sequence(rest).unwrap_or(c.len_utf8());
        match c {
            '\n' | '\t' => out.push(c),
            c if is_unprintable(c) && length == c.len_utf8() => out.extend(c.escape_default()),
            _ => out.push_str(rest.get(..length).unwrap_or_default()),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    Cow::Owned(out)
}

/// Returns the length of a leading escape sequence, if the sequence only sets the color or weight of letters. Sequences that hide
/// letters do not count.
fn color_sequence(text: &str) -> Option<usize> {
    let (parameters, _) = text.strip_prefix("\u{1b}[")?.split_once('m')?;
    let is_color = |n: &str| n.is_empty() || matches!(n.parse(), Ok(0..=4 | 22..=24 | 30..=39 | 90..=97_u32));
    parameters.split(';').all(is_color).then_some(parameters.len() + 3)
}

/// Escapes the characters in JSON strings that [`printable`] escapes.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| c != '\n' && is_unprintable(c);
    if !json.contains(is_escaped) && !json.contains("##[") {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_escaped(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    // GitHub's runner finds commands such as `##[error]` anywhere in a line.
    Cow::Owned(out.replace("##[", "#\\u0023["))
}

/// The number of characters shown from both ends of a message, which may quote a title with several megabytes.
const HEAD: usize = 3_000;
const TAIL: usize = 500;

/// Returns a message as one line: control characters are escaped, and the middle of a long message is omitted.
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
