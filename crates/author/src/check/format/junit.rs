//! JUnit XML: one test case per file, so that clean files are shown as passed. Notes do not fail a file; they are part of its
//! output.
//!
//! Each file has at most one failure, with one line per finding, because readers of the format show only the first failure.

use super::{NOWHERE, Results, xml};
use crate::check::{Finding, LeftOutGroup, left_out_groups};
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Severity, printable, summary};

pub(super) fn render(results: &Results<'_>) -> String {
    let mut files: IndexMap<&str, Vec<&Finding>> = results.checked.files.iter().map(|f| (f.as_str(), Vec::new())).collect();
    for finding in &results.checked.findings {
        let name = results.sources.find(finding.diagnostic.span()).map_or(NOWHERE, |s| s.name());
        files.entry(name).or_default().push(finding);
    }
    let cases: Vec<(bool, String)> = files.iter().map(|(name, findings)| case(name, findings, results)).collect();
    let groups = left_out_groups(&results.checked.left_out);
    let skipped: Vec<String> = groups.iter().flat_map(skipped).collect();
    let (tests, failures) = (cases.len() + skipped.len(), cases.iter().filter(|(failed, _)| *failed).count());
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"");
    let cases: String = cases.into_iter().map(|(_, text)| text).chain(skipped).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rtype check\" {counts}>\n  \
         <testsuite name=\"rtype check\" {counts}>\n{cases}  </testsuite>\n</testsuites>\n"
    )
}

/// Formats the files that were not checked as skipped tests.
fn skipped(group: &LeftOutGroup<'_>) -> Vec<String> {
    let message = xml::attribute(&format!("not checked: {}", group.reason.text()));
    let case = |path: &&str| {
        let name = xml::name(path);
        format!("    <testcase name=\"{name}\" classname=\"rtype.check\">\n      <skipped message=\"{message}\"/>\n    </testcase>\n")
    };
    group.paths.iter().map(case).collect()
}

/// Formats a file. Returns whether it fails, and the XML.
fn case(name: &str, findings: &[&Finding], results: &Results<'_>) -> (bool, String) {
    let (notes, wrong): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(|f| f.diagnostic.severity == Severity::Note);
    let head = format!("    <testcase name=\"{}\" classname=\"rtype.check\"", xml::name(name));
    if findings.is_empty() {
        return (false, format!("{head}/>\n"));
    }
    let mut out = format!("{head}>\n");
    if let Some(worst) = wrong.iter().map(|f| f.diagnostic.severity).max() {
        let kind = if worst == Severity::Error { "error" } else { "warning" };
        // Without sources, so that the summary does not say "in 1 file".
        let count = summary(wrong.iter().map(|f| &f.diagnostic), &Default::default()).unwrap_or_default();
        out += &format!("      <failure type=\"{kind}\" message=\"{count}\">{}</failure>\n", xml::text(&lines(&wrong, results)));
    }
    if !notes.is_empty() {
        out += &format!("      <system-out>{}</system-out>\n", xml::text(&lines(&notes, results)));
    }
    (!wrong.is_empty(), out + "    </testcase>\n")
}

fn lines(findings: &[&Finding], results: &Results<'_>) -> String {
    let lines = findings.iter().map(|finding| {
        let d = &finding.diagnostic;
        let place = results.place(d.span()).map(|p| format!("{}:{}: ", p.start.line, p.start.column)).unwrap_or_default();
        let place = d.origin().map(|origin| format!("{place}{}: ", printable(&origin.to_string()))).unwrap_or(place);
        let help = d.help.as_ref().map(|h| format!("\n  help: {}", printable(&h.to_string()))).unwrap_or_default();
        format!("{place}{} {}{help}", d.code, printable(&d.message))
    });
    lines.collect::<Vec<_>>().join("\n")
}
