//! Human-readable output: each finding with an excerpt, then remarks and a summary line.

use super::Results;
use rtype_lang::diagnostics::Renderer;

pub(super) fn render(results: &Results<'_>, renderer: &Renderer) -> String {
    let found = || results.checked.findings.iter().map(|f| &f.diagnostic);
    let mut out: String = found().flat_map(|d| [renderer.render(d, results.sources, results.secrets), "\n".into()]).collect();
    out.extend(results.remarks.iter().map(String::as_str));
    let count = results.checked.files.len();
    out += &results
        .checked
        .tally(results.sources)
        .summary()
        .unwrap_or_else(|| format!("{count} file{} checked, nothing found", if count == 1 { "" } else { "s" }));
    out.push('\n');
    out
}
