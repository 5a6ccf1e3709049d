//! Explains YAML syntax errors from the lines around them, with the cause, the location, and the correction.
//!
//!
//! The parser reports the location at which it gave up, possibly a line later, in its own terms. Messages show keys but no values,
//! which may be secret.

use crate::source::{Source, Span};

/// A syntax error with its location, the message, and the correction.
pub(super) struct Mistake {
    pub span: Span,
    pub message: String,
    pub help: String,
}

/// A line with its byte offset, without the line break.
#[derive(Clone, Copy)]
struct Line<'a> {
    start: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn indent(self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    fn is_blank(self) -> bool {
        let text = self.text.trim();
        text.is_empty() || text.starts_with('#')
    }

    /// Returns the key and value with their byte offsets; list dashes before the key are skipped.
    fn entry(self) -> Option<Entry<'a>> {
        let body = self.text.trim_start_matches([' ', '-']);
        let at = self.text.len() - body.len();
        let quote = body.chars().next().filter(|c| matches!(c, '"' | '\''));
        let from = quote.map_or(Some(0), |quote| body.get(1..)?.find(quote).map(|close| close + 2))?;
        let colon = from + body.get(from..)?.find(": ").or_else(|| body.get(from..)?.ends_with(':').then(|| body.len() - from - 1))?;
        let rest = body.get(colon + 1..)?;
        let value = rest.trim();
        let value_at = self.start + at + colon + 1 + (rest.len() - rest.trim_start().len());
        Some(Entry { key: body.get(..colon)?, key_column: at, value, value_at })
    }
}

struct Entry<'a> {
    key: &'a str,
    key_column: usize,
    value: &'a str,
    value_at: usize,
}

/// Characters that cannot start a value without quotes.
const RESERVED: &[char] = &['%', '@', '`'];

/// Explains a syntax error that the parser reported at byte `at`.
pub(super) fn explain(source: &Source, at: usize) -> Mistake {
    let text = source.text();
    let mut start = 0;
    let mut lines: Vec<Line<'_>> = Vec::new();
    for line in text.split_inclusive('\n') {
        lines.push(Line { start, text: line.trim_end_matches(['\n', '\r']) });
        start += line.len();
    }
    let index = lines.partition_point(|line| line.start <= at).saturating_sub(1);
    let mistake = |from: usize, length: usize, message: String, help: String| {
        let end = (from + length).min(text.len());
        Mistake { span: source.span_of(from.min(end)..end), message, help }
    };
    let at_line = |offset: usize| lines.get(index + offset).copied();
    let tab = |line: &Line<'_>| {
        let blanks = line.text.len() - line.text.trim_start_matches([' ', '\t']).len();
        line.text.get(..blanks)?.find('\t').map(|tab| line.start + tab)
    };
    // A value that continues on the next line is reported where it starts.
    if let Some(at) = [at_line(0), at_line(1)].iter().flatten().find_map(tab) {
        return mistake(at, 1, "tab in the indentation".into(), "indent with spaces".into());
    }
    let line = at_line(0).unwrap_or(Line { start: text.len(), text: "" });
    let before = lines.get(..index).unwrap_or_default().iter().rev().find(|line| !line.is_blank()).copied();
    if let Some(found) = [Some(line), before].into_iter().flatten().find_map(|line| quoted(line, text, mistake)) {
        return found;
    }
    if let Some(entry) = line.entry() {
        if let Some(first) = entry.value.chars().next().filter(|c| RESERVED.contains(c)) {
            let message = format!("a value without quotes cannot start with `{first}`");
            return mistake(entry.value_at, entry.value.len(), message, format!("quote it: `{}: '…'`", entry.key));
        }
        if entry.value.contains(": ") && !entry.value.starts_with(['{', '[']) {
            let message = "`: ` in a value without quotes".to_owned();
            return mistake(entry.value_at, entry.value.len(), message, format!("quote it: `{}: '…'`", entry.key));
        }
    }
    if let Some(found) = [Some(line), before].into_iter().flatten().find_map(|line| unclosed(line, mistake)) {
        return found;
    }
    let body = line.text.trim_start();
    let shown = line.entry().map_or_else(|| body.to_owned(), |entry| entry.key.to_owned());
    let place = line.start + (line.text.len() - body.len());
    if let Some(before) = before
        && let Some(above) = before.entry()
        && line.entry().is_some()
        && !body.starts_with('-')
    {
        if line.indent() > above.key_column && !above.value.is_empty() {
            let message = format!("`{shown}` is indented below `{}`, which has a value", above.key);
            return mistake(place, shown.len(), message, format!("indent it like `{}`", above.key));
        }
        let message = format!("wrong indentation of `{shown}`");
        return mistake(place, shown.len(), message, "indent the keys of a map by the same number of spaces".into());
    }
    if line.entry().is_none() && !body.is_empty() && !body.starts_with('-') {
        return mistake(place, body.len(), "expected `key: value`".into(), "write `key: value`, with a space after the colon".into());
    }
    mistake(at, 1, "invalid YAML".into(), "check the quotes and the indentation of this line".into())
}

/// Detects an unterminated quoted value, and a value that ends too early.
fn quoted(line: Line<'_>, text: &str, mistake: impl Fn(usize, usize, String, String) -> Mistake) -> Option<Mistake> {
    let entry = line.entry()?;
    let quote = entry.value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = text.get(entry.value_at + 1..)?;
    let mut letters = inside.char_indices().peekable();
    let close = loop {
        match letters.next() {
            None => break None,
            Some((_, '\\')) if quote == '"' => drop(letters.next()),
            Some((_, c)) if c == quote && quote == '\'' && letters.peek().is_some_and(|(_, next)| *next == '\'') => drop(letters.next()),
            Some((at, c)) if c == quote => break Some(at),
            Some(_) => {}
        }
    };
    let Some(close) = close else {
        return Some(mistake(entry.value_at, entry.value.len(), "unterminated string".into(), format!("add `{quote}` at its end")));
    };
    let rest = inside.get(close + 1..)?.lines().next().unwrap_or_default();
    if !inside.get(..close)?.contains('\n') && !rest.trim().is_empty() && !rest.trim_start().starts_with('#') {
        let at = entry.value_at + 1 + close + 1;
        let help = match quote {
            '\'' => format!("write quotes inside the string twice (`''`), or use double quotes: `{}: \"…\"`", entry.key),
            _ => format!("escape quotes inside the string (`\\\"`), or use single quotes: `{}: '…'`", entry.key),
        };
        return Some(mistake(at, rest.trim_end().len(), "unexpected text after a string".into(), help));
    }
    // The quoted part up to the next quote contains other keys, so the closing quote is missing.
    let swallowed = inside.get(..close)?.lines().skip(1).any(|line| Line { start: 0, text: line }.entry().is_some());
    swallowed.then(|| mistake(entry.value_at, entry.value.len(), "unterminated string".into(), format!("add `{quote}` at its end")))
}

/// Detects a `{` or `[` that is still open at the end of its line.
fn unclosed(line: Line<'_>, mistake: impl Fn(usize, usize, String, String) -> Mistake) -> Option<Mistake> {
    let entry = line.entry()?;
    let (open, close) = match entry.value.chars().next()? {
        '{' => ('{', '}'),
        '[' => ('[', ']'),
        _ => return None,
    };
    let count = |wanted: char| entry.value.matches(wanted).count();
    (count(open) > count(close)).then(|| mistake(entry.value_at, 1, format!("unclosed `{open}`"), format!("add `{close}` at its end")))
}
