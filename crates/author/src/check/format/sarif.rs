//! SARIF 2.1.0: findings, the pages of their rules, fixes, and suppressions with reasons.
//!
//! Rules have no `helpUri`: it must be an absolute URI, and the pages are part of the program. `help` contains the whole page. A
//! finding without a location in a file, such as an unreadable file, is a notification of the run instead of a result.

use super::{FileLocation, Results, pretty};
use crate::check::{CodePage, Finding, LeftOutGroup, explain, left_out_groups};
use indexmap::{IndexMap, IndexSet};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rtype_lang::diagnostics::{Code, Diagnostic, Fix, Label, Profile, printable};
use rtype_lang::source::Source;
use serde_json::{Value as Json, json};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Base of relative paths: the directory in which rtype ran. Its absolute path is not disclosed.
const ROOT: &str = "SRCROOT";

pub(super) fn render(results: &Results<'_>) -> String {
    let checked = results.checked;
    let silenced = || checked.suppressed.iter().map(|(finding, _)| finding);
    let placed = |f: &&Finding| results.sources.find(f.diagnostic.span()).is_some();
    let rules: IndexSet<Code> = codes(checked.findings.iter().chain(silenced()).filter(placed));
    let unplaced = || checked.findings.iter().filter(|f| !placed(f));
    let notifications: IndexSet<Code> = codes(unplaced());
    // If one result has `suppressions`, the standard requires all results to have them, even if empty.
    let reported = checked.findings.iter().filter(placed).map(|f| result(f, json!([]), &rules, results));
    let kept = checked.suppressed.iter().filter(|(f, _)| placed(&f)).map(|(finding, reason)| {
        let mut suppression = json!({ "kind": "inSource" });
        insert(&mut suppression, "justification", reason.as_deref().map(printable).map(Json::from));
        result(finding, json!([suppression]), &rules, results)
    });
    let mut invocation = json!({ "executionSuccessful": !unplaced().any(|f| f.diagnostic.is_error()) });
    let mut notified: Vec<Json> = unplaced().map(|f| notification(&f.diagnostic, &notifications, results)).collect();
    notified.extend(left_out_groups(&checked.left_out).iter().map(not_checked));
    insert(&mut invocation, "toolExecutionNotifications", (!notified.is_empty()).then(|| Json::Array(notified)));
    let mut driver = json!({
        "name": "rtype",
        "fullName": concat!("rtype check ", env!("CARGO_PKG_VERSION")),
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules.iter().map(|code| descriptor(*code)).collect::<Vec<_>>(),
    });
    let described: Vec<Json> = notifications.iter().map(|code| descriptor(*code)).collect();
    insert(&mut driver, "notifications", (!described.is_empty()).then(|| Json::Array(described)));
    let root = "The directory in which rtype ran.";
    pretty(&json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "invocations": [invocation],
            "originalUriBaseIds": { ROOT: { "description": { "text": root } } },
            "artifacts": checked.files.iter().map(|f| json!({ "location": location(f), "roles": ["analysisTarget"] })).collect::<Vec<_>>(),
            "columnKind": "unicodeCodePoints",
            "properties": { "limits": checked.limits.parts },
            "results": reported.chain(kept).collect::<Vec<_>>(),
        }],
    }))
}

fn codes<'a>(findings: impl Iterator<Item = &'a Finding>) -> IndexSet<Code> {
    let mut codes: IndexSet<Code> = findings.map(|f| f.diagnostic.code).collect();
    codes.sort();
    codes
}

fn insert(object: &mut Json, key: &str, value: Option<Json>) {
    if let (Some(object), Some(value)) = (object.as_object_mut(), value) {
        object.insert(key.into(), value);
    }
}

/// Formats the description of a code.
fn descriptor(code: Code) -> Json {
    let info = code.info();
    let unknown = || CodePage { summary: info.name.to_owned(), reason: None, text: info.name.to_owned() };
    let page = CodePage::of(code).unwrap_or_else(unknown);
    let full: Vec<&str> = std::iter::once(page.summary.as_str()).chain(page.reason.as_deref()).collect();
    json!({
        "id": info.id,
        "name": info.name,
        "shortDescription": { "text": page.summary.split_inclusive(". ").next().unwrap_or_default().trim_end() },
        "fullDescription": { "text": full.join(" ") },
        "help": { "text": page.text, "markdown": explain(code).unwrap_or_else(|| page.text.clone()) },
        "defaultConfiguration": { "enabled": info.profile <= Profile::Default, "level": info.severity.name() },
    })
}

fn result(finding: &Finding, suppressions: Json, rules: &IndexSet<Code>, results: &Results<'_>) -> Json {
    let d = &finding.diagnostic;
    let mut place = match d.origin() {
        Some(origin) => {
            json!({ "physicalLocation": { "artifactLocation": location(&origin.file), "region": { "startLine": origin.line } } })
        }
        None => d.labels.first().and_then(|l| results.place(l.span)).map(|p| physical(&p)).unwrap_or_default(),
    };
    let item = (!finding.item.is_empty()).then(|| json!([{ "fullyQualifiedName": finding.item }]));
    insert(&mut place, "logicalLocations", item);
    let mut result = json!({
        "ruleId": d.code.info().id,
        "ruleIndex": rules.get_index_of(&d.code),
        "level": d.severity.name(),
        "message": { "text": escaped(&results.message(d)) },
        "locations": [place],
        "partialFingerprints": { "rtype/v1": finding.fingerprint },
        "suppressions": suppressions,
    });
    // For a finding with an original location, the location in the compiled catalog is a related location.
    let first = usize::from(d.origin().is_none());
    let related: Vec<Json> = d.labels.iter().skip(first).enumerate().filter_map(|(id, label)| further(id, label, results)).collect();
    insert(&mut result, "relatedLocations", (!related.is_empty()).then(|| Json::Array(related)));
    insert(&mut result, "fixes", results.fix(d).and_then(|fix| self::fix(fix, results)).map(|fix| json!([fix])));
    result
}

fn further(id: usize, label: &Label, results: &Results<'_>) -> Option<Json> {
    let mut place = physical(&results.place(label.span)?);
    insert(&mut place, "id", Some(json!(id)));
    insert(&mut place, "message", (!label.text.is_empty()).then(|| json!({ "text": escaped(&printable(&label.text)) })));
    Some(place)
}

fn physical(place: &FileLocation<'_>) -> Json {
    json!({ "physicalLocation": { "artifactLocation": location(place.source.name()), "region": region(place) } })
}

fn region(place: &FileLocation<'_>) -> Json {
    let (start, end) = (place.start, place.end);
    json!({ "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column })
}

/// Formats a fix, grouped by changed file.
fn fix(fix: &Fix, results: &Results<'_>) -> Option<Json> {
    let mut files: IndexMap<&str, Vec<Json>> = IndexMap::new();
    for edit in &fix.edits {
        let place = results.place(edit.span)?;
        let replacement = json!({ "deletedRegion": region(&place), "insertedContent": { "text": edit.text } });
        files.entry(Source::name(place.source)).or_default().push(replacement);
    }
    let changes = files.into_iter().map(|(file, replacements)| json!({ "artifactLocation": location(file), "replacements": replacements }));
    Some(json!({
        "description": { "text": escaped(&printable(&fix.title)) },
        "artifactChanges": changes.collect::<Vec<_>>(),
        "properties": { "safe": fix.safe },
    }))
}

fn notification(d: &Diagnostic, codes: &IndexSet<Code>, results: &Results<'_>) -> Json {
    json!({
        "descriptor": { "id": d.code.info().id, "index": codes.get_index_of(&d.code) },
        "level": d.severity.name(),
        "message": { "text": escaped(&results.message(d)) },
    })
}

fn not_checked(group: &LeftOutGroup<'_>) -> Json {
    let places = group.paths.iter().map(|path| json!({ "physicalLocation": { "artifactLocation": location(path) } }));
    json!({
        "level": "note",
        "message": { "text": format!("not checked: {}", group.text()) },
        "locations": places.collect::<Vec<_>>(),
    })
}

/// Formats a file name as a URI: absolute, or relative to the root. Names in angle brackets are not files.
fn location(name: &str) -> Json {
    match name {
        name if name.starts_with('/') => json!({ "uri": format!("file://{}", percent(name)) }),
        name if name.starts_with('<') => json!({ "uri": percent(name) }),
        name => json!({ "uri": percent(name), "uriBaseId": ROOT }),
    }
}

/// Path characters that must be encoded in a URI.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Percent-encodes a path for a URI.
fn percent(path: &str) -> String {
    utf8_percent_encode(path, ESCAPED).to_string()
}

/// Escapes brackets that would form a link in a message.
///
/// Braces are not doubled, although the standard requires it: doubling escapes placeholders, which only exist in messages with
/// arguments, and viewers print doubled braces as they are.
fn escaped(text: &str) -> String {
    if text.contains("](") { text.replace('[', "\\[").replace(']', "\\]") } else { text.to_owned() }
}
