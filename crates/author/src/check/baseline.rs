//! Baselines: known findings, which later runs do not report.

use super::finding::{Checked, Finding};
use super::select::{Root, Selection};
use indexmap::IndexSet;
use rtype_lang::data::json_error;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, SourceMap, Span};
use serde::{Deserialize, Serialize};

/// The findings of a baseline file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Version of the file format: 1.
    version: u32,
    findings: Vec<BaselineEntry>,
}

/// A finding in the file. Only the fingerprint is compared; the other fields are for readers of the file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BaselineEntry {
    fingerprint: String,
    code: String,
    file: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    item: String,
}

impl BaselineEntry {
    /// Returns `true` if a run with this selection would report the finding.
    fn is_reported(&self, selection: &Selection) -> bool {
        Code::named(&self.code).is_none_or(|code| selection.tells_at(code, &self.file))
    }
}

impl Baseline {
    /// Parses a baseline file.
    ///
    /// # Errors
    /// Returns RT408 if the file is invalid.
    pub fn parse(source: &Source) -> Result<Baseline, Diagnostic> {
        let wrong = |message: String| {
            Diagnostic::new(Code::BadConfiguration, source.span_of(0..0), message).help("recreate it with `rtype check --update-baseline`")
        };
        let baseline: Baseline = serde_json::from_str(source.text()).map_err(|e| wrong(format!("invalid baseline: {}", json_error(&e))))?;
        if baseline.version != 1 {
            return Err(wrong(format!("this baseline has the form {}, known is 1", baseline.version)));
        }
        Ok(baseline)
    }

    /// Creates a baseline from the findings of a run that have a location in a file.
    pub fn of(checked: &Checked, sources: &SourceMap, root: &Root) -> Baseline {
        let known = |finding: &Finding| {
            let file = sources.find(finding.diagnostic.span()).map(|s| root.place(s.name())).unwrap_or_default();
            let code = finding.diagnostic.code.to_string();
            BaselineEntry { fingerprint: finding.fingerprint.clone(), code, file, item: finding.item.clone() }
        };
        let may = |f: &&Finding| sources.find(f.diagnostic.span()).is_some();
        Baseline { version: 1, findings: checked.findings.iter().filter(may).map(known).collect() }
    }

    /// Keeps findings of an older baseline that this run did not check: the file exists (`there`) but was not checked, or the rule was
    /// not selected.
    pub fn keep(&mut self, old: Baseline, checked: &Checked, selection: &Selection, there: &dyn Fn(&str) -> bool) {
        let files: IndexSet<String> = checked.files.iter().map(|f| selection.root.place(f)).collect();
        let unseen = |f: &BaselineEntry| there(&f.file) && !(files.contains(&f.file) && f.is_reported(selection));
        self.findings.extend(old.findings.into_iter().filter(unseen));
        self.findings.sort_by(|a, b| a.file.cmp(&b.file));
    }

    /// Returns the number of findings.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Returns `true` if the baseline is empty.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Formats the file with one finding per line, so that versions can be diffed.
    pub fn to_text(&self) -> String {
        let lines: Vec<String> = self.findings.iter().filter_map(|f| serde_json::to_string(f).ok()).map(|l| format!("    {l}")).collect();
        let list = if lines.is_empty() { String::new() } else { format!("\n{}\n  ", lines.join(",\n")) };
        format!("{{\n  \"version\": {},\n  \"findings\": [{list}]\n}}\n", self.version)
    }

    /// Removes the findings that are in the baseline and returns their number. Reports entries for checked files that no longer
    /// match a finding.
    pub fn apply(&self, checked: &mut Checked, selection: &Selection) -> usize {
        let mut known: IndexSet<&str> = self.findings.iter().map(|f| f.fingerprint.as_str()).collect();
        let before = checked.findings.len();
        checked.findings.retain(|f| !known.swap_remove(f.fingerprint.as_str()));
        let counted = checked.counted.len();
        checked.counted.retain(|c| !known.swap_remove(c.fingerprint().as_str()));
        let left_out = before - checked.findings.len() + counted - checked.counted.len();
        let files: IndexSet<String> = checked.files.iter().map(|f| selection.root.place(f)).collect();
        let stale = self.findings.iter().filter(|f| known.contains(f.fingerprint.as_str()) && files.contains(&f.file));
        for finding in stale.filter(|f| selection.tells(Code::StaleBaseline) && f.is_reported(selection)) {
            let place = if finding.item.is_empty() { String::new() } else { format!(" ({})", finding.item) };
            let message = format!("the baseline has a finding {} of {}{place} that is no longer there", finding.code, finding.file);
            let diagnostic = Diagnostic::new(Code::StaleBaseline, Span::NONE, message).help("take it out: `rtype check --update-baseline`");
            checked.findings.push(Finding {
                diagnostic: selection.weigh(diagnostic),
                fingerprint: format!("stale-{}", finding.fingerprint),
                item: String::new(),
                scope: Span::NONE,
            });
        }
        left_out
    }
}
