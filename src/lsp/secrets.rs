//! Redacts the secrets of a document in responses.

use rtype_lang::redact::Redactor;
use serde_json::Value as Json;

/// Requests with responses that the editor displays. Responses of other requests only change or find source code that the editor already
/// has, and must not be altered.
const SHOWN: &[&str] = &[
    "textDocument/completion",
    "textDocument/codeAction",
    "textDocument/inlayHint",
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/documentSymbol",
    "workspace/symbol",
];

/// Keys with values that are not displayed, such as locations and kinds.
const TECHNICAL: &[&str] = &["uri", "kind", "sortText", "code", "source"];

/// Returns whether the editor displays the response of a request.
pub(super) fn is_shown(method: &str) -> bool {
    SHOWN.contains(&method)
}

/// Redacts the displayed parts of a response, and removes completions that would insert a secret.
pub(super) fn redact(answer: &mut Json, redactor: &Redactor) {
    match answer {
        Json::String(text) => *text = redactor.redact(text),
        Json::Array(items) => {
            items.retain(|item| !inserts_secret(item, redactor));
            items.iter_mut().for_each(|item| redact(item, redactor));
        }
        // Numbers are locations. Keep them.
        Json::Object(map) => {
            map.iter_mut().filter(|(key, _)| !TECHNICAL.contains(&key.as_str())).for_each(|(_, value)| redact(value, redactor));
        }
        _ => {}
    }
}

fn inserts_secret(item: &Json, redactor: &Redactor) -> bool {
    match item {
        Json::Object(map) => map.iter().any(|(key, value)| match value {
            Json::String(text) if key == "newText" => !redactor.find(text).is_empty(),
            value => inserts_secret(value, redactor),
        }),
        Json::Array(items) => items.iter().any(|item| inserts_secret(item, redactor)),
        _ => false,
    }
}
