//! GitLab's code quality report, which is shown in merge requests.

use super::{NOWHERE, Results, pretty};
use rtype_lang::diagnostics::{Severity, printable};
use serde_json::{Value as Json, json};

pub(super) fn render(results: &Results<'_>) -> String {
    let issues = results.checked.findings.iter().map(|finding| {
        let d = &finding.diagnostic;
        let location = match (d.origin(), results.place(d.span())) {
            (Some(origin), _) => json!({ "path": &*origin.file, "lines": { "begin": origin.line } }),
            (None, Some(place)) => json!({
                "path": place.source.name(),
                "lines": { "begin": place.start.line, "end": place.end.line },
            }),
            (None, None) => json!({ "path": NOWHERE, "lines": { "begin": 1 } }),
        };
        json!({
            "description": format!("{}: {}{}", d.code, printable(&d.message), results.compiled(d).map(|p| format!(" ({p})")).unwrap_or_default()),
            "check_name": d.code.info().name,
            "fingerprint": finding.fingerprint,
            "severity": severity(d.severity),
            "location": location,
        })
    });
    pretty(&Json::Array(issues.collect()))
}

/// Maps a severity to a GitLab severity; `blocker` and `critical` are not used.
fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Note => "info",
    }
}
