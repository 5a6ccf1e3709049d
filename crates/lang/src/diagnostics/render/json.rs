//! Renders diagnostics as JSON objects. They contain no excerpts of sources, so no spans need to be masked.

use crate::diagnostics::{Diagnostic, Help, Severity};
use crate::source::{Position, SourceMap};
use serde::Serialize;

#[derive(Serialize)]
struct Object<'a> {
    code: &'a str,
    name: &'a str,
    severity: Severity,
    message: &'a str,
    help: Option<String>,
    labels: Vec<JsonLocation<'a>>,
}

#[derive(Serialize)]
struct JsonLocation<'a> {
    file: &'a str,
    start: Point,
    end: Point,
    /// The offset in bytes from the start of the file.
    offset: usize,
    /// The length in bytes.
    length: usize,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<Written<'a>>,
}

#[derive(Serialize)]
struct Written<'a> {
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct Point {
    line: u32,
    column: u32,
}

impl From<Position> for Point {
    fn from(at: Position) -> Point {
        Point { line: at.line, column: at.column }
    }
}

/// Returns the diagnostic as a JSON object: `code`, `name`, `severity`, `message`, `help` and `labels`, in this order.
///
/// Lines and columns start at 1, columns count code points; `offset` and `length` are in bytes.
pub fn to_json(diagnostic: &Diagnostic, sources: &SourceMap) -> serde_json::Value {
    let info = diagnostic.code.info();
    let labels = diagnostic.labels.iter().filter_map(|label| {
        let source = sources.find(label.span)?;
        let range = source.range(label.span);
        let span = source.span_of(range.clone());
        Some(JsonLocation {
            file: source.name(),
            start: source.position(span.start).into(),
            end: source.position(span.end).into(),
            offset: range.start,
            length: range.len(),
            text: &label.text,
            origin: label.origin.as_ref().map(|o| Written { file: &o.file, line: o.line }),
        })
    });
    let object = Object {
        code: info.id,
        name: info.name,
        severity: diagnostic.severity,
        message: &diagnostic.message,
        help: diagnostic.help.as_ref().map(Help::to_string),
        labels: labels.collect(),
    };
    // Strings and numbers can always be serialized.
    serde_json::to_value(object).unwrap_or_default()
}
