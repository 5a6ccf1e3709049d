//! What a run found, for people, forges and programs: one file a format.
//!
//! Renderers tell what [`Checked`] holds, in its order, and add nothing that changes from run to run: no times, no folders of the
//! machine. Texts of sources come in through fixes alone, and a fix that touches a secret is left out.

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
mod xml;

use super::Checked;
use rtype_lang::diagnostics::{Diagnostic, Edit, Fix, Redactions, Renderer, printable};
use rtype_lang::source::{Position, Source, SourceMap, Span};
use std::sync::Arc;

/// What findings are written in.
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

/// What is told, and the texts that it is about.
#[derive(Clone, Copy)]
pub struct Results<'a> {
    /// What was found.
    pub checked: &'a Checked,
    /// All texts.
    pub sources: &'a SourceMap,
    /// What of them must not be shown.
    pub secrets: &'a Redactions,
    /// Lines for people, beside the findings.
    pub remarks: &'a [String],
}

/// The results as a text that ends with a newline, or is empty; `renderer` draws the findings of [`Format::Full`].
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

/// Where a span lies.
struct Place<'a> {
    source: &'a Arc<Source>,
    /// As far as the text goes.
    span: Span,
    start: Position,
    /// The place behind the last character.
    end: Position,
}

impl<'a> Results<'a> {
    fn place(&self, span: Span) -> Option<Place<'a>> {
        let source = self.sources.find(span)?;
        let span = source.span_of(source.range(span));
        Some(Place { source, span, start: source.position(span.start), end: source.position(span.end) })
    }

    /// The place in the text that a program has made, when the finding is put where that was written: `in catalog.json:4:12`.
    fn compiled(&self, diagnostic: &Diagnostic) -> Option<String> {
        diagnostic.origin()?;
        Some(format!("in {}", printable(&self.sources.locate(diagnostic.span())?)))
    }

    /// What is wrong and what to do, on a line each.
    fn message(&self, diagnostic: &Diagnostic) -> String {
        let label = diagnostic.labels.first().filter(|l| !l.text.is_empty()).map(|l| printable(&l.text));
        let help = diagnostic.help.as_deref().map(|h| format!("help: {}", printable(h)));
        let parts = [label, help, self.compiled(diagnostic)].into_iter().flatten();
        let lines: Vec<String> = std::iter::once(printable(&diagnostic.message)).chain(parts).collect();
        lines.join("\n")
    }

    /// The fix of a finding, unless it would show what is secret.
    fn fix<'d>(&self, diagnostic: &'d Diagnostic) -> Option<&'d Fix> {
        let is_secret = |e: &Edit| self.secrets.touches(e.span) || self.secrets.is_in(&e.text);
        diagnostic.fix.as_deref().filter(|fix| !fix.edits.iter().any(is_secret))
    }
}

/// Where a finding is put that has no place, in formats which want one.
const NOWHERE: &str = ".";

/// JSON for a file: readable, with a newline at its end.
fn pretty(json: &serde_json::Value) -> String {
    // Strings and numbers always serialise.
    format!("{}\n", serde_json::to_string_pretty(json).unwrap_or_default())
}
