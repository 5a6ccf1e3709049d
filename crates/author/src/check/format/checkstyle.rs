//! Checkstyle XML: one `file` element per checked file, one `error` element per finding.

use super::{NOWHERE, Results, xml};
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Diagnostic, Severity};

pub(super) fn render(results: &Results<'_>) -> String {
    let mut files: IndexMap<&str, String> = results.checked.files.iter().map(|f| (f.as_str(), String::new())).collect();
    for finding in &results.checked.findings {
        let name = results.sources.find(finding.diagnostic.span()).map_or(NOWHERE, |s| s.name());
        let name = finding.diagnostic.origin().map_or(name, |origin| &*origin.file);
        *files.entry(name).or_default() += &error(&finding.diagnostic, results);
    }
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"{version}\">\n");
    for (name, errors) in files {
        let name = xml::name(name);
        out += &match errors.as_str() {
            "" => format!("  <file name=\"{name}\"/>\n"),
            errors => format!("  <file name=\"{name}\">\n{errors}  </file>\n"),
        };
    }
    out + "</checkstyle>\n"
}

fn error(d: &Diagnostic, results: &Results<'_>) -> String {
    let severity = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "info",
    };
    let place = match d.origin() {
        Some(origin) => Some(format!("line=\"{}\" ", origin.line)),
        None => results.place(d.span()).map(|p| format!("line=\"{}\" column=\"{}\" ", p.start.line, p.start.column)),
    };
    let (place, text) = (place.unwrap_or_default(), xml::attribute(&results.message(d)));
    format!("    <error {place}severity=\"{severity}\" message=\"{text}\" source=\"rtype.{}\"/>\n", d.code)
}
