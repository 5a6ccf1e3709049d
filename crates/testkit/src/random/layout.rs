//! Properties of formatting, for any source.

use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::{Source, SourceMap, Span};
use rtype_lang::syntax::{self, FormatEdit};
use rtype_manifest::format as manifest;
use rtype_manifest::syntax::{Form, parse};
use std::sync::Arc;

/// The languages that have a formatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Type files.
    Types,
    /// Puppet's language.
    Manifest,
}

impl Language {
    /// Formats a source; only the layout of type files depends on the line width.
    ///
    /// # Errors
    ///
    /// As the formatter.
    pub fn format(self, source: &Source, width: usize) -> Result<String, Vec<Diagnostic>> {
        match self {
            Language::Types => syntax::format(source, width),
            Language::Manifest => manifest::format(source),
        }
    }

    fn format_range(self, source: &Source, width: usize, range: Span) -> Result<Option<FormatEdit>, Vec<Diagnostic>> {
        match self {
            Language::Types => syntax::format_range(source, width, range),
            Language::Manifest => manifest::format_range(source, range),
        }
    }
}

fn source(text: &str) -> Option<Arc<Source>> {
    SourceMap::new().add("fuzz.rtype", text).ok()
}

/// Returns true if a source has no errors.
#[allow(dead_code, reason = "not each of those who share this file asks it")]
pub fn parses(text: &str, language: Language) -> bool {
    let Some(source) = source(text) else { return false };
    match language {
        Language::Types => syntax::parse_types(&source).1.is_empty(),
        Language::Manifest => !parse(&source, Form::Manifest).diagnostics.iter().any(Diagnostic::is_error),
    }
}

/// Formats a source without errors, and asserts the properties: the tree and the comment order are kept, and a second run, on the whole
/// source or any part, makes no changes. Returns true if the source has no errors.
pub fn holds(text: &str, language: Language, width: usize) -> bool {
    let Some(one) = source(text) else { return false };
    let formatted = match language.format(&one, width) {
        Ok(formatted) => formatted,
        Err(found) => {
            // The formatter itself compares trees and comments.
            let failed = found.iter().any(|d| d.code.info().name == "format-failed");
            assert!(!failed, "at width {width}: {}\n{text}\nis printed as\n{}", found[0].message, printed(&one));
            return false;
        }
    };
    let two = source(&formatted).expect("what is formatted is not much longer");
    let again = language.format(&two, width);
    let again = again.unwrap_or_else(|found| panic!("what is formatted does not parse: {found:?}\n{formatted}"));
    if again != formatted {
        let same = formatted.lines().zip(again.lines()).take_while(|(a, b)| a == b).count();
        let part = |text: &str| text.lines().skip(same.saturating_sub(4)).take(12).collect::<Vec<_>>().join("\n");
        panic!(
            "at width {width} formatting twice changes something:\n{}\n--- again\n{}\n--- source\n{text}",
            part(&formatted),
            part(&again)
        );
    }
    assert!(
        !formatted.lines().any(|line| line.ends_with(' ')) || text.lines().any(|line| line.ends_with(' ')),
        "blanks at the end of a line:\n{text}\n---\n{formatted}"
    );
    let third = one.span().len() as u32 / 3;
    let range = Span::new(one.base() + third, one.base() + 2 * third);
    let part = language.format_range(&one, width, range);
    assert!(part.is_ok(), "a range at width {width}:\n{text}\n{part:?}");
    true
}

fn printed(source: &Source) -> String {
    let (ast, _) = syntax::parse_types(source);
    syntax::print_types(&ast, source)
}

/// Returns a source with random changes at token starts: inserted comments, line breaks and blanks, and removed pieces.
#[allow(dead_code, reason = "not each of those who share this file asks it")]
pub fn tampered(text: &str, changes: &[(u16, u8, u8)]) -> String {
    let mut out = text.to_owned();
    for (n, (place, what, size)) in changes.iter().enumerate() {
        let mut starts: Vec<usize> = Vec::new();
        let mut before = ' ';
        for (i, c) in out.char_indices() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let inside = is_word(c) && is_word(before);
            if !inside && !c.is_whitespace() {
                starts.push(i);
            }
            before = c;
        }
        if starts.is_empty() {
            return out;
        }
        let which = usize::from(*place) % starts.len();
        let at = starts[which];
        let end = starts.get(which + 1 + usize::from(*size) % 3).copied().unwrap_or(out.len());
        match what % 9 {
            0 | 1 => out.insert_str(at, &format!("# c{n}\n")),
            2 => out.insert_str(at, &format!("\n  # own {n}\n\n")),
            3 | 4 => out.insert(at, '\n'),
            5 => out.insert_str(at, "\n\n\n   "),
            6 => out.insert_str(at, "  "),
            7 => out.replace_range(at..end, ""),
            _ => {
                let piece = out[at..end].to_owned();
                out.insert_str(at, &piece);
            }
        }
    }
    out
}
