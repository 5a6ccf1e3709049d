//! Human-readable output: each finding with an excerpt, then remarks and a summary line.

use super::Results;
use rtype_lang::diagnostics::Renderer;

pub(super) fn render(results: &Results<'_>, renderer: &Renderer) -> String {
    let found = || results.checked.findings.iter().map(|f| &f.diagnostic);
    let out: String = found().flat_map(|d| [renderer.render(d, results.sources, results.secrets), "\n".into()]).collect();
    out + &ending(results)
}

/// Formats the remarks and the summary of a run.
pub(super) fn ending(results: &Results<'_>) -> String {
    let mut out: String = results.remarks.iter().map(String::as_str).collect();
    let checked = results.checked.checked_text();
    out += &match results.checked.tally(results.sources).summary() {
        Some(summary) => format!("{summary}\n{checked}"),
        None => format!("{checked}, nothing found"),
    };
    out.extend(results.checked.not_checked_text().map(|text| format!("; {text}")));
    out.push('\n');
    out
}
