//! The formatter of manifests: indentation, blanks, aligned arrows and trailing commas. Line breaks, blank lines and comments stay.

mod facts;
mod items;
mod layout;
mod spacing;

use crate::syntax::{Form, Parsed, parse, pn};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::syntax::{FormatEdit, format_failed};
use std::ops::Range;

/// Returns the formatted text of a manifest. A manifest with a heredoc inside a string stays as it is.
///
/// # Errors
///
/// Returns the syntax errors of the manifest, or [`FormatFailed`](rtype_lang::diagnostics::Code::FormatFailed) if the formatted text would
/// have another syntax tree or other comments.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(source, Form::Manifest);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics.into_iter().filter(Diagnostic::is_error).collect());
    }
    let text = source.text();
    let wrong = |what: &str| Err(vec![format_failed(source, what)]);
    // A heredoc that begins inside a string.
    let Some(items) = items::items(text, &parsed.tokens) else { return Ok(text.to_owned()) };
    let facts = facts::Facts::of(source, &parsed.tree, &parsed.tokens);
    let formatted = layout::layout(text, &items, &facts);
    let Ok(result) = SourceMap::new().add(source.name(), &*formatted) else { return wrong("its size") };
    let again = parse(&result, Form::Manifest);
    if pn(&parsed.tree) != pn(&again.tree) {
        return wrong("what it means");
    }
    if comments(text, &parsed) == comments(&formatted, &again) { Ok(formatted) } else { wrong("its comments") }
}

/// Formats the lines that a range touches; `None` if it touches only blank lines.
///
/// # Errors
///
/// Returns the same errors as [`format`].
pub fn format_range(source: &Source, range: Span) -> Result<Option<FormatEdit>, Vec<Diagnostic>> {
    let formatted = format(source)?;
    let range = source.range(range);
    // The formatter adds and removes only blank lines.
    let (old, new) = (code_lines(source.text()), code_lines(&formatted));
    let is_touched = |line: &&(Range<usize>, Range<usize>)| line.0.start <= range.end && range.start <= line.0.end;
    let lines: Vec<_> = old.into_iter().zip(new).collect();
    let mut touched = lines.iter().filter(is_touched);
    let Some(first) = touched.next() else { return Ok(None) };
    let last = touched.next_back().unwrap_or(first);
    let text = formatted.get(first.1.start..last.1.end).unwrap_or_default().to_owned();
    Ok(Some(FormatEdit { span: source.span_of(first.0.start..last.0.end), text }))
}

/// Returns the byte ranges of the lines that are not blank, without line ends.
fn code_lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            lines.push(start..start + line.trim_end_matches(['\r', '\n']).len());
        }
        start += line.len();
    }
    lines
}

fn comments(text: &str, parsed: &Parsed) -> Vec<String> {
    let comment = |c: &crate::syntax::token::Trivia| text.get(c.start as usize..c.end as usize).unwrap_or_default().trim_end().to_owned();
    parsed.tokens.comments.iter().map(comment).collect()
}
