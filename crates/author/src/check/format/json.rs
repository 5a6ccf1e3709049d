//! Machine-readable output: everything known about a run. Its schema is `docs/check.schema.json`.

use super::{Results, pretty};
use crate::check::{Finding, LeftOutGroup, left_out_groups};
use rtype_lang::diagnostics::{Severity, to_json};
use serde_json::{Value as Json, json};

pub(super) fn render(results: &Results<'_>) -> String {
    let checked = results.checked;
    let suppressed = checked.suppressed.iter().map(|(finding, reason)| {
        let mut object = self::finding(finding, results);
        if let Some(object) = object.as_object_mut() {
            object.insert("reason".into(), json!(reason));
        }
        object
    });
    pretty(&json!({
        "version": 1,
        "files": checked.files,
        "not_checked": left_out_groups(&checked.left_out).iter().map(not_checked).collect::<Vec<_>>(),
        "counts": {
            "errors": checked.count(Severity::Error),
            "warnings": checked.count(Severity::Warning),
            "notes": checked.count(Severity::Note),
            "suppressed": checked.suppressed.len() + checked.suppressed_not_shown,
            "not_shown": checked.not_shown.total(),
            "limits": checked.limits.parts,
        },
        "findings": checked.findings.iter().map(|f| self::finding(f, results)).collect::<Vec<_>>(),
        "suppressed": suppressed.collect::<Vec<_>>(),
    }))
}

fn not_checked(group: &LeftOutGroup<'_>) -> Json {
    json!({ "kind": group.kind, "reason": group.reason.id(), "count": group.count, "files": group.paths })
}

/// Formats a finding's diagnostic and further fields.
pub(super) fn finding(finding: &Finding, results: &Results<'_>) -> Json {
    let mut object = to_json(&finding.diagnostic, results.sources);
    let fix = results.fix(&finding.diagnostic).map(|fix| {
        let edits = fix.edits.iter().filter_map(|edit| {
            let place = results.place(edit.span)?;
            let point = |at: rtype_lang::source::Position| json!({ "line": at.line, "column": at.column });
            Some(json!({
                "file": place.source.name(),
                "start": point(place.start),
                "end": point(place.end),
                "offset": place.source.range(place.span).start,
                "length": place.span.len(),
                "text": edit.text,
            }))
        });
        json!({ "title": fix.title, "safe": fix.safe, "edits": edits.collect::<Vec<_>>() })
    });
    if let Some(object) = object.as_object_mut() {
        object.insert("item".into(), json!(finding.item));
        object.insert("fingerprint".into(), json!(finding.fingerprint));
        object.insert("fix".into(), json!(fix));
    }
    object
}
