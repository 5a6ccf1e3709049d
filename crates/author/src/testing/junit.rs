//! JUnit XML of a test run: one suite per file, one case per test or automatic check.

use super::{Suite, TestResult};
use crate::check::format::xml;
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Diagnostic, Label, Redactions, printable};
use rtype_lang::source::SourceMap;

impl Suite {
    /// Formats the results as JUnit XML. Errors in the files are a separate failed case, so that the report never shows success.
    pub fn junit(&self, errors: &[&Diagnostic], sources: &SourceMap, secrets: &Redactions) -> String {
        let redactor = secrets.redactor();
        let line = |d: &Diagnostic| {
            let location = sources.locate(d.span()).map(|l| format!("{l}: ")).unwrap_or_default();
            let help = d.help.as_ref().map(|h| format!("\n  help: {h}")).unwrap_or_default();
            // The values of a failed expectation.
            let value = |label: &Label| format!("\n  `{}` {}", sources.slice(label.span).lines().next().unwrap_or_default(), label.text);
            let values: String = d.labels.iter().filter(|label| !label.text.is_empty()).map(value).collect();
            redactor.redact(&format!("{location}{} {}{values}{help}", d.code, d.message))
        };
        let mut files: IndexMap<String, Vec<&TestResult>> = IndexMap::new();
        for result in &self.results {
            let name = sources.find(result.span).map(|s| s.name().to_owned()).unwrap_or_default();
            files.entry(name).or_default().push(result);
        }
        let mut suites = String::new();
        for (name, results) in &files {
            let cases: String = results.iter().map(|r| case(r, &redactor.redact(&r.title), &line)).collect();
            let failed = results.iter().filter(|r| !r.passed()).count();
            suites += &suite(name, results.len(), failed, &cases);
        }
        if !errors.is_empty() {
            let lines: Vec<String> = errors.iter().map(|d| line(d)).collect();
            let failure = failure("the files have errors", &lines.join("\n"));
            suites += &suite("errors", 1, 1, &format!("    <testcase name=\"load\" classname=\"rtype.test\">\n{failure}    </testcase>\n"));
        }
        let wrong = usize::from(!errors.is_empty());
        let counts = counts(self.results.len() + wrong, self.failed() + wrong);
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rtype test\" {counts}>\n{suites}</testsuites>\n")
    }
}

fn counts(tests: usize, failures: usize) -> String {
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"")
}

fn suite(name: &str, tests: usize, failures: usize, cases: &str) -> String {
    format!("  <testsuite name=\"{}\" {}>\n{cases}  </testsuite>\n", xml::name(name), counts(tests, failures))
}

fn case(result: &TestResult, title: &str, line: &dyn Fn(&Diagnostic) -> String) -> String {
    let (name, class) = (xml::name(title), xml::name(result.type_name.as_str()));
    let head = format!("    <testcase name=\"{name}\" classname=\"{class}\"");
    let Some(first) = result.found.first() else { return format!("{head}/>\n") };
    let message = line(first);
    let lines: Vec<String> = result.found.iter().map(line).collect();
    format!("{head}>\n{}    </testcase>\n", failure(message.lines().next().unwrap_or_default(), &lines.join("\n")))
}

fn failure(message: &str, text: &str) -> String {
    format!(
        "      <failure type=\"error\" message=\"{}\">{}</failure>\n",
        xml::name(message),
        xml::text(&text.lines().map(printable).collect::<Vec<_>>().join("\n"))
    )
}
