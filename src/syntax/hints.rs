//! What to say about text that does not fit: never a name of the grammar, always what to write instead.

use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

/// The word, number, operator or character at byte `at`.
pub(crate) fn token(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let Some(first) = rest.chars().next() else {
        return "";
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let end = if is_word(first) {
        rest.find(|c| !is_word(c)).unwrap_or(rest.len())
    } else if matches!(first, '"' | '\'') {
        let line = rest.find('\n').unwrap_or(rest.len());
        let close = rest.get(1..line).and_then(|inner| inner.find(first)).map(|i| i + 2);
        close.unwrap_or(line)
    } else if let Some(op) = OPERATORS.iter().find(|op| rest.starts_with(**op)) {
        op.len()
    } else if first == ':' && rest.get(1..).is_some_and(|r| r.starts_with(is_word)) {
        1 + rest.get(1..).and_then(|r| r.find(|c| !is_word(c))).unwrap_or(rest.len() - 1)
    } else {
        first.len_utf8()
    };
    rest.get(..end).unwrap_or("")
}

const OPERATORS: &[&str] = &["=>", "->", "<<", "&&", "||", "==", "!=", "=~", "!~", "<=", ">=", "::", "+=", "&.", "&:"];

/// A text without line breaks and of a length that fits a sentence.
pub(crate) fn one_line(text: &str) -> &str {
    let line = text.split(['\n', '\r']).next().unwrap_or("").trim();
    match line.char_indices().nth(60) {
        Some((end, _)) => line.get(..end).unwrap_or(line),
        None => line,
    }
}

/// `:x`, `"x"`, `'x'` without what makes them so.
pub(crate) fn bare_word(text: &str) -> &str {
    text.trim().trim_start_matches(':').trim_matches(['"', '\''])
}

/// Something was expected at `at`.
pub(crate) fn missing(text: &str, at: usize, expected: &str, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    let found = token(text, at);
    let place = span(at, at + found.len());
    let found = match found {
        "" => "the end of the file".to_owned(),
        "\n" | "\r" | "#" => "the end of the line".to_owned(),
        _ => format!("`{found}`"),
    };
    Diagnostic::new(Code::Syntax, place, format!("expected {expected}, found {found}"))
}

/// Text from `start` to `end` fits nowhere.
pub(crate) fn junk(text: &str, start: usize, end: usize, expected: &str, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    let skipped = text.get(start..end).unwrap_or("");
    let start = start + (skipped.len() - skipped.trim_start().len());
    missing(text, start, expected, span)
}

/// Text at the top of a file that begins no declaration.
pub(crate) fn bad_item(text: &str, start: usize, _end: usize, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    missing(text, start, "`type`, `provider` or another declaration", span)
}

/// Junk in the braces of a resource.
pub(crate) fn resource_junk(text: &str, start: usize, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    missing(text, start, "a title", span)
}

/// A statement of a manifest that declares no resource.
pub(crate) fn manifest_line(text: &str, start: usize, _end: usize, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    let word = token(text, start);
    Diagnostic::new(Code::NeedsCompiler, span(start, start + word.len()), format!("`{word}` needs Puppet's compiler"))
        .help("compile the manifest with Puppet and hand over the catalog as JSON")
}

/// An operator of Ruby.
pub(crate) fn operator(text: &str) -> (String, String) {
    (format!("`{text}` is no operator here"), "see the language reference".to_owned())
}

/// An assignment of Ruby; `target` is what stands before it.
pub(crate) fn assignment(op: &str, target: &str) -> (String, String) {
    let base = op.trim_end_matches('=');
    (format!("there is no `{op}`"), format!("write `{target} = {target} {base} …`"))
}

/// A value of Ruby or of a word processor.
pub(crate) fn primary(text: &str) -> (String, String) {
    (format!("`{}` means nothing here", one_line(text)), "see the language reference".to_owned())
}

/// The code that goes with [`primary`].
pub(crate) fn primary_code(_text: &str) -> Code {
    Code::RubyCode
}

/// `def`, `case`, `end` …
pub(crate) fn ruby_word(word: &str) -> (String, String) {
    (format!("`{word}` is Ruby"), "see the language reference".to_owned())
}
