//! Workflow commands of GitHub: one per line; the runner turns them into annotations.

use super::Results;
use rtype_lang::diagnostics::{Severity, printable};

pub(super) fn render(results: &Results<'_>) -> String {
    let mut out = String::new();
    for finding in &results.checked.findings {
        let d = &finding.diagnostic;
        let command = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut properties = Vec::new();
        if let Some(origin) = d.origin() {
            properties.push(format!("file={}", property(&printable(&origin.file))));
            properties.push(format!("line={0},endLine={0}", origin.line));
        } else if let Some(place) = results.place(d.span()) {
            let (start, end) = (place.start, place.end);
            properties.push(format!("file={}", property(&printable(place.source.name()))));
            properties.push(format!("line={},endLine={}", start.line, end.line));
            // GitHub does not accept columns for a range of several lines.
            if start.line == end.line {
                properties.push(format!("col={},endColumn={}", start.column, end.column));
            }
        }
        properties.push(format!("title={}", property(d.code.info().id)));
        out += &format!("::{command} {}::{}\n", properties.join(","), text(&results.message(d)));
    }
    out
}

fn text(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(value: &str) -> String {
    text(value).replace(':', "%3A").replace(',', "%2C")
}
