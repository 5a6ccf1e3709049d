//! A line a finding, as compilers write them: editors and `grep` read it.

use super::Results;
use crate::diagnostics::printable;

pub(super) fn render(results: &Results<'_>) -> String {
    let mut out = String::new();
    for finding in &results.checked.findings {
        let d = &finding.diagnostic;
        let place = results.sources.locate(d.span()).map(|p| format!("{}: ", printable(&p))).unwrap_or_default();
        let fix = match &d.fix {
            Some(fix) if fix.safe => " [fixable]",
            Some(_) => " [unsafe fix]",
            None => "",
        };
        out += &format!("{place}{} {}{fix}\n", d.code, printable(&d.message));
    }
    out
}
