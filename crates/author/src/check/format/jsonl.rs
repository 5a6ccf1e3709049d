//! JSON Lines: the findings of [`json`](super::json), each object on its line.

use super::{Results, json};
use rtype_lang::diagnostics::printable_json;

pub(super) fn render(results: &Results<'_>) -> String {
    results.checked.findings.iter().map(|finding| format!("{}\n", printable_json(&json::finding(finding, results).to_string()))).collect()
}
