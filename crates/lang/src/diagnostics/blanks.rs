//! Blanks and invisible characters outside the syntax, which look like a plain space or like nothing.

use super::{Code, Diagnostic};
use crate::source::{Source, Span};

/// Returns the name of a blank or invisible character outside the syntax; `None` for other characters.
pub(crate) fn blank_name(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{A0}' => "no-break space",
        '\u{202F}' => "narrow no-break space",
        '\u{2007}' => "figure space",
        '\u{2009}' => "thin space",
        '\u{3000}' => "ideographic space",
        '\u{200B}' | '\u{2060}' | '\u{FEFF}' => "zero-width space",
        '\u{AD}' => "soft hyphen",
        '\u{200C}' | '\u{200D}' => "zero-width joiner",
        '\u{200E}' | '\u{200F}' | '\u{61C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => "text direction mark",
        '\u{2028}' | '\u{2029}' => "line separator",
        c if c.is_whitespace() && !c.is_ascii() => "blank",
        _ => return None,
    })
}

/// Returns what to do with a blank or invisible character.
pub(crate) fn blank_help(blank: char) -> &'static str {
    if blank.is_whitespace() { "write a plain space" } else { "delete the invisible character" }
}

/// Returns the error for a blank or invisible character.
pub(crate) fn unexpected_blank(code: Code, place: Span, blank: char) -> Diagnostic {
    let name = blank_name(blank).unwrap_or("blank");
    Diagnostic::new(code, place, format!("unexpected {name} (U+{:04X})", u32::from(blank))).help(blank_help(blank))
}

/// Returns the error for the character at byte `at`, if it is a blank or invisible character outside the syntax.
pub(crate) fn blank_at(code: Code, source: &Source, at: usize) -> Option<Diagnostic> {
    let blank = source.text().get(at..)?.chars().next().filter(|c| blank_name(*c).is_some())?;
    Some(unexpected_blank(code, source.span_of(at..at + blank.len_utf8()), blank))
}

/// Returns the error for the first blank or invisible character outside quotes in the line around byte `at`. Characters between two letters of a
/// text are not in the place of a plain space of the syntax.
pub fn blank_in_line(code: Code, source: &Source, at: usize) -> Option<Diagnostic> {
    let (before, after) = source.text().split_at_checked(at)?;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let end = after.find('\n').map_or(source.text().len(), |length| at + length);
    let line = source.text().get(start..end)?;
    let is_in_text = |offset: usize, c: char| {
        let before = line.get(..offset).and_then(|before| before.chars().next_back());
        let after = line.get(offset + c.len_utf8()..).and_then(|after| after.chars().next());
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    };
    let mut quote = None;
    for (offset, c) in line.char_indices() {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            // The rest is a comment.
            None if c == '#' => return None,
            None if !c.is_ascii() && blank_name(c).is_some() && !is_in_text(offset, c) => return blank_at(code, source, start + offset),
            _ => {}
        }
    }
    None
}
