//! Output formats for findings, one file per format.
//!
//! Renderers print the content of [`Checked`] in order and add nothing that differs between runs, such as times or directories of
//! the machine. Only fixes contain source text, and a fix that touches a secret is omitted.

mod checkstyle;
mod concise;
mod full;
mod github;
mod gitlab;
mod json;
mod jsonl;
mod junit;
mod rdjson;
mod sarif;
mod statistics;
pub(crate) mod xml;

use super::Checked;
use rtype_lang::diagnostics::{Diagnostic, Edit, Fix, Redactions, Renderer, printable, printable_json};
use rtype_lang::source::{Position, Source, SourceMap, Span};
use std::sync::Arc;

/// Output format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
    /// Messages with excerpts of the source
    Full,
    /// One line per finding: `path:line:column: code message`
    Concise,
    /// One object: findings, suppressed findings, files, counts (docs/check.schema.json)
    Json,
    /// One object per line, without suppressed findings
    Jsonl,
    /// Workflow commands, shown by GitHub next to the changed lines
    Github,
    /// GitLab's code quality report
    Gitlab,
    /// SARIF 2.1.0, for GitHub code scanning and others
    Sarif,
    /// JUnit XML: one test case per file
    Junit,
    /// Checkstyle XML, for build servers
    Checkstyle,
    /// Reviewdog's format, with suggestions
    Rdjson,
}

/// The findings to print, with their source texts.
#[derive(Clone, Copy)]
pub struct Results<'a> {
    /// The result of the run.
    pub checked: &'a Checked,
    /// All source texts.
    pub sources: &'a SourceMap,
    /// Locations and texts that must not be shown.
    pub secrets: &'a Redactions,
    /// Additional lines for human-readable output.
    pub remarks: &'a [String],
}

/// Counts the findings per code, as JSON if `is_json`.
pub fn render_statistics(is_json: bool, results: &Results<'_>) -> String {
    if is_json { pretty(&statistics::json(results)) } else { statistics::text(results) }
}

/// Formats the results; the text ends with a newline or is empty. `renderer` is used for the findings of [`Format::Full`].
pub fn render(format: Format, results: &Results<'_>, renderer: &Renderer) -> String {
    let checked = results.checked.redacted(results.secrets.redactor());
    let results = &Results { checked: &checked, ..*results };
    match format {
        Format::Full => full::render(results, renderer),
        Format::Concise => concise::render(results),
        Format::Json => json::render(results),
        Format::Jsonl => jsonl::render(results),
        Format::Github => github::render(results),
        Format::Gitlab => gitlab::render(results),
        Format::Sarif => sarif::render(results),
        Format::Junit => junit::render(results),
        Format::Checkstyle => checkstyle::render(results),
        Format::Rdjson => rdjson::render(results),
    }
}

/// A resolved span.
struct FileLocation<'a> {
    source: &'a Arc<Source>,
    /// The span, limited to the text.
    span: Span,
    start: Position,
    /// The position after the last character.
    end: Position,
}

impl<'a> Results<'a> {
    fn place(&self, span: Span) -> Option<FileLocation<'a>> {
        let source = self.sources.find(span)?;
        let span = source.span_of(source.range(span));
        Some(FileLocation { source, span, start: source.position(span.start), end: source.position(span.end) })
    }

    /// Returns the location in a compiled catalog if the finding is reported at the original location: `in catalog.json:4:12`.
    fn compiled(&self, diagnostic: &Diagnostic) -> Option<String> {
        diagnostic.origin()?;
        Some(format!("in {}", printable(&self.sources.locate(diagnostic.span())?)))
    }

    /// Returns message, label and help, one per line.
    fn message(&self, diagnostic: &Diagnostic) -> String {
        let label = diagnostic.labels.first().filter(|l| !l.text.is_empty()).map(|l| printable(&l.text));
        let help = diagnostic.help.as_ref().map(|h| format!("help: {}", printable(&h.to_string())));
        let parts = [label, help, self.compiled(diagnostic)].into_iter().flatten();
        let lines: Vec<String> = std::iter::once(printable(&diagnostic.message)).chain(parts).collect();
        lines.join("\n")
    }

    /// Returns the fix of a finding, unless it would reveal a secret.
    fn fix<'d>(&self, diagnostic: &'d Diagnostic) -> Option<&'d Fix> {
        let is_secret = |e: &Edit| self.secrets.touches(e.span) || self.secrets.is_in(&e.text);
        diagnostic.fix.as_deref().filter(|fix| !fix.edits.iter().any(is_secret))
    }
}

/// The path for findings without a location, in formats that require a path.
const NOWHERE: &str = ".";

/// Formats a JSON file, indented and with a trailing newline.
fn pretty(json: &serde_json::Value) -> String {
    // Strings and numbers can always be serialized.
    format!("{}\n", printable_json(&serde_json::to_string_pretty(json).unwrap_or_default()))
}
