//! JSON Lines: the findings of [`json`](super::json), one object per line.

use super::{Results, json};

pub(super) fn render(results: &Results<'_>) -> String {
    results.checked.findings.iter().map(|finding| format!("{}\n", json::finding(finding, results))).collect()
}
