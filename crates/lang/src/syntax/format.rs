//! Formats a type file: returns it in canonical layout, or the reason why it cannot be formatted.

use super::ast::Ast;
use super::print::{Unit, lay_out_types};
use super::{parse_types, same_tree};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::{Source, SourceMap, Span};

/// A replacement in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatEdit {
    /// The span to replace.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// Parses a type file; returns the errors if it has any.
fn parse(source: &Source) -> Result<Ast, Vec<Diagnostic>> {
    let (ast, found) = parse_types(source);
    if found.is_empty() { Ok(ast) } else { Err(found) }
}

/// Returns the comments without trailing whitespace.
fn comments<'a>(ast: &'a Ast, source: &'a Source) -> impl Iterator<Item = String> + 'a {
    ast.comments.iter().map(|c| source.slice(c.span).trim_end().replace("\r\n", "\n"))
}

/// Returns the source in canonical layout, with lines of at most `width` columns where possible.
///
///
/// # Errors
///
/// Returns the errors in the source, or [`Code::FormatFailed`] if the result would have a different meaning.
pub fn format(source: &Source, width: usize) -> Result<String, Vec<Diagnostic>> {
    format_parsed(source, &parse(source)?, width)
}

/// As [`format`], for a parsed type file without errors.
///
/// # Errors
/// Returns [`Code::FormatFailed`] if the result would have a different meaning.
pub fn format_parsed(source: &Source, ast: &Ast, width: usize) -> Result<String, Vec<Diagnostic>> {
    let (text, _) = lay_out_types(ast, source, width);
    if text != source.text() {
        check(source, ast, &text)?;
    }
    Ok(text)
}

/// Formats the items and directives that overlap the range; `None` if the range overlaps none.
///
///
/// # Errors
///
/// Returns the same errors as [`format`].
pub fn format_range(source: &Source, width: usize, range: Span) -> Result<Option<FormatEdit>, Vec<Diagnostic>> {
    let ast = parse(source)?;
    let (text, units) = lay_out_types(&ast, source, width);
    let Some((first, last)) = touched(source, &units, range) else { return Ok(None) };
    let before = source.slice(Span::new(source.base(), first.source.start));
    let indented = before.trim_end_matches([' ', '\t']);
    // At the start of a line the indentation is replaced as well.
    let is_first = indented.is_empty() || indented.ends_with('\n');
    let start = if is_first { first.source.start - (before.len() - indented.len()) as u32 } else { first.source.start };
    let piece = text.get(first.start..last.end).unwrap_or_default();
    let piece = if is_first { piece } else { piece.trim_start_matches(' ') };
    let edit = FormatEdit { span: Span::new(start, last.source.end), text: piece.to_owned() };
    check(source, &ast, &apply(source, &edit))?;
    Ok(Some(edit))
}

/// Returns the source with the edit applied.
pub fn apply(source: &Source, edit: &FormatEdit) -> String {
    let range = source.range(edit.span);
    let text = source.text();
    let (before, after) = (text.get(..range.start).unwrap_or_default(), text.get(range.end..).unwrap_or_default());
    format!("{before}{}{after}", edit.text)
}

/// Checks that a formatted source has the same syntax tree and comments as the original.
fn check(source: &Source, ast: &Ast, text: &str) -> Result<(), Vec<Diagnostic>> {
    let wrong = |what: &str| Err(vec![format_failed(source, what)]);
    let Ok(result) = SourceMap::new().add(source.name(), text) else { return wrong("its size") };
    let Ok(again) = parse(&result) else { return wrong("what it means") };
    if !same_tree(ast, &again) {
        return wrong("what it means");
    }
    if comments(ast, source).eq(comments(&again, &result)) { Ok(()) } else { wrong("its comments") }
}

/// Returns the error of a formatter whose result would differ from the source in more than layout. `what` would change.
pub fn format_failed(source: &Source, what: &str) -> Diagnostic {
    Diagnostic::new(Code::FormatFailed, source.span_of(0..0), format!("formatting `{}` would change {what}", source.name()))
        .help("the file is left as it is; please report this with the file, or with as much of it as shows it")
}

/// Returns the first and the last of the smallest adjacent units that cover everything in a range.
fn touched(source: &Source, units: &[Unit], range: Span) -> Option<(Unit, Unit)> {
    // Whitespace and comments around a unit do not belong to other units.
    let is_empty = |from: u32, to: u32| {
        from >= to || source.slice(Span::new(from, to)).lines().all(|line| line.trim().is_empty() || line.trim().starts_with('#'))
    };
    let meets = |unit: &&Unit| unit.source.start <= range.end && range.start <= unit.source.end;
    let mut around: Option<Unit> = None;
    loop {
        // Units are followed by the units they contain.
        let inside = |unit: &&Unit| around.is_none_or(|a| a.source.contains(unit.source) && a != **unit);
        let mut found: Vec<Unit> = Vec::new();
        for unit in units.iter().filter(inside).filter(meets) {
            if found.last().is_none_or(|last| !last.source.contains(unit.source)) {
                found.push(*unit);
            }
        }
        let (Some(first), Some(last)) = (found.first(), found.last()) else { return around.map(|a| (a, a)) };
        let covers = is_empty(range.start, first.source.start) && is_empty(last.source.end, range.end);
        match (around, found.len()) {
            // The range extends to lines around these units.
            (Some(around), _) if !covers => return Some((around, around)),
            (_, 1) if covers => around = Some(*first),
            _ => return Some((*first, *last)),
        }
    }
}
