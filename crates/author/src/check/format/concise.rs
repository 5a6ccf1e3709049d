//! One line per finding, in the format of compilers, for editors and `grep`.

use super::Results;
use rtype_lang::diagnostics::printable;

pub(super) fn render(results: &Results<'_>) -> String {
    let mut out = String::new();
    for finding in &results.checked.findings {
        let d = &finding.diagnostic;
        let place = d.origin().map(ToString::to_string).or_else(|| results.sources.locate(d.span()));
        let place = place.map(|p| format!("{}: ", printable(&p))).unwrap_or_default();
        let compiled = results.compiled(d).map(|p| format!(" ({p})")).unwrap_or_default();
        let fix = match &d.fix {
            Some(fix) if fix.safe => " [fixable]",
            Some(_) => " [unsafe fix]",
            None => "",
        };
        out += &format!("{place}{} {}{compiled}{fix}\n", d.code, printable(&d.message));
    }
    out
}
