//! Formatting of a document or a range.

use super::documents::{Document, Language};
use super::error::RequestError;
use super::workspace::{Answer, Workspace};
use lsp_types::{DocumentFormattingParams, DocumentRangeFormattingParams, TextEdit};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, SourceMap};
use rtype_lang::syntax::{self, LINE_WIDTH};
use rtype_manifest::format as manifest;
use std::ops::Range;
use std::sync::Arc;

/// `textDocument/formatting`
pub(super) fn whole(w: &mut Workspace, params: DocumentFormattingParams) -> Answer<Option<Vec<TextEdit>>> {
    let Some((source, language, width)) = layout(w, w.document(&params.text_document)?)? else { return Ok(None) };
    let formatted = match language {
        Formatter::Types => syntax::format(&source, width),
        Formatter::Manifest => manifest::format(&source),
    };
    let formatted = formatted.map(|text| Some((0..source.text().len(), text)));
    answer(w, &source, formatted)
}

/// `textDocument/rangeFormatting`
pub(super) fn part(w: &mut Workspace, params: DocumentRangeFormattingParams) -> Answer<Option<Vec<TextEdit>>> {
    let Some((source, language, width)) = layout(w, w.document(&params.text_document)?)? else { return Ok(None) };
    let (start, end) = (w.encoding.byte(&source, params.range.start), w.encoding.byte(&source, params.range.end));
    let range = source.span_of(start.min(end)..start.max(end));
    let formatted = match language {
        Formatter::Types => syntax::format_range(&source, width, range),
        Formatter::Manifest => manifest::format_range(&source, range),
    };
    let formatted = formatted.map(|edit| edit.map(|e| (source.range(e.span), e.text)));
    answer(w, &source, formatted)
}

/// The languages with a formatter.
#[derive(Clone, Copy)]
enum Formatter {
    Types,
    Manifest,
}

/// Returns the source and language of a document and the line width of its repository; `None` for a language without a formatter.
fn layout(w: &Workspace, document: &Document) -> Answer<Option<(Arc<Source>, Formatter, usize)>> {
    let language = match document.language {
        Language::Types => Formatter::Types,
        Language::Puppet => Formatter::Manifest,
        Language::Data | Language::Other => return Ok(None),
    };
    let name = document.path.to_string_lossy();
    let source = SourceMap::new().add(name, document.text.to_string()).map_err(|_| RequestError::TooLarge)?;
    let width = w.configuration(&document.path).and_then(|c| c.line_width).unwrap_or(LINE_WIDTH);
    Ok(Some((source, language, width)))
}

fn answer(
    w: &Workspace,
    source: &Source,
    formatted: Result<Option<(Range<usize>, String)>, Vec<Diagnostic>>,
) -> Answer<Option<Vec<TextEdit>>> {
    match formatted {
        Ok(changed) => Ok(Some(changed.map(|(range, new)| difference(w, source, range, &new)).unwrap_or_default())),
        // Syntax errors are published as diagnostics. An error of the formatter would not be published.
        Err(found) => match found.iter().find(|d| d.code == Code::FormatFailed) {
            Some(failed) => Err(RequestError::FormatFailed(Box::new(failed.clone()))),
            None => Ok(Some(Vec::new())),
        },
    }
}

/// Returns a single change of the differing lines, so that the cursor and marks elsewhere keep their positions.
fn difference(w: &Workspace, source: &Source, range: Range<usize>, new: &str) -> Vec<TextEdit> {
    let old = source.text().get(range.clone()).unwrap_or_default();
    if old == new {
        return Vec::new();
    }
    let same = |a: &str, b: &str| {
        a.split_inclusive('\n').zip(b.split_inclusive('\n')).take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum::<usize>()
    };
    let head = same(old, new);
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let back = old_rest.split_inclusive('\n').rev().zip(new_rest.split_inclusive('\n').rev());
    let tail: usize = back.take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum();
    let start = range.start + head;
    let end = (range.start + old.len()).saturating_sub(tail).max(start);
    let text = new_rest.get(..new_rest.len().saturating_sub(tail)).unwrap_or_default();
    vec![TextEdit { range: w.encoding.bytes(source, start..end), new_text: text.to_owned() }]
}
