//! Reviewdog's diagnostic format, for review comments with suggestions.

use super::{FileLocation, NOWHERE, Results, pretty};
use rtype_lang::diagnostics::{Diagnostic, Fix, Severity};
use rtype_lang::source::{Source, Span};
use serde_json::{Value as Json, json};

pub(super) fn render(results: &Results<'_>) -> String {
    let diagnostics: Vec<Json> = results.checked.findings.iter().map(|f| diagnostic(&f.diagnostic, results)).collect();
    pretty(&json!({ "source": { "name": "rtype" }, "diagnostics": diagnostics }))
}

fn diagnostic(d: &Diagnostic, results: &Results<'_>) -> Json {
    let severity = match d.severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Note => "INFO",
    };
    let place = results.place(d.span());
    let location = match (d.origin(), &place) {
        (Some(origin), _) => json!({ "path": &*origin.file, "range": { "start": { "line": origin.line } } }),
        (None, Some(place)) => json!({ "path": place.source.name(), "range": range(place) }),
        (None, None) => json!({ "path": NOWHERE }),
    };
    let mut object =
        json!({ "message": results.message(d), "location": location, "severity": severity, "code": { "value": d.code.info().id } });
    // A fix for a compiled catalog does not apply to the catalog's source file.
    let suggestion = place.filter(|_| d.origin().is_none()).and_then(|place| suggestion(results.fix(d)?, &place, results));
    if let (Some(object), Some(suggestion)) = (object.as_object_mut(), suggestion) {
        object.insert("suggestions".into(), json!([suggestion]));
    }
    object
}

/// Formats a range: lines and byte columns start at 1, the end is exclusive.
fn range(place: &FileLocation<'_>) -> Json {
    let point = |line: u32, at: u32| {
        let source = place.source;
        let start = source.line_starts().get(line as usize - 1).copied().unwrap_or(0);
        json!({ "line": line, "column": at - source.base() - start + 1 })
    };
    json!({ "start": point(place.start.line, place.span.start), "end": point(place.end.line, place.span.end) })
}

/// Merges the edits of a fix into one suggestion: reviewdog offers suggestions separately, and part of a fix would be wrong.
fn suggestion(fix: &Fix, place: &FileLocation<'_>, results: &Results<'_>) -> Option<Json> {
    let whole = fix.edits.iter().fold(Span::NONE, |all, edit| all.to(edit.span));
    let inside = fix.edits.iter().all(|e| place.source.span().contains(e.span));
    // The suggestion includes the source text between the edits.
    if whole.is_none() || !inside || results.secrets.touches(whole) {
        return None;
    }
    let target = results.place(whole)?;
    let text = edited(fix, whole, place.source);
    (!results.secrets.is_in(&text)).then(|| json!({ "range": range(&target), "text": text }))
}

/// Applies the edits to part of the source.
fn edited(fix: &Fix, whole: Span, source: &Source) -> String {
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|e| e.span);
    let mut out = String::new();
    let mut at = whole.start;
    for edit in edits {
        out += source.slice(Span::new(at, edit.span.start));
        out += &edit.text;
        at = edit.span.end;
    }
    out
}
