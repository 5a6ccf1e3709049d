//! Diagnostics: the type [`Diagnostic`], the table of [`Code`]s, and one renderer per format.
//!
//! Messages begin in lower case, have no final full stop and no line breaks, quote user text in backticks, and never mention internals.
//! The message states the problem; `help` states the allowed values or an alternative.

mod blanks;
mod codes;
mod duplicates;
mod findings;
mod help;
mod outcome;
mod redactions;
mod render;
mod run_findings;
mod subject;

pub use blanks::blank_in_line;
pub(crate) use blanks::{blank_at, blank_help, blank_name, unexpected_blank};
pub use codes::{CODES, Code, CodeInfo};
pub use duplicates::attribute_twice;
pub use findings::Findings;
pub use help::Help;
pub use outcome::Outcome;
pub use redactions::Redactions;
pub(crate) use render::is_unprintable;
pub use render::{
    Paint, Renderer, Style, Tally, clipped, columns, padded, printable, printable_json, printable_lines, printable_output, printable_text,
    summary, to_json,
};
pub use run_findings::{Brief, RunFindings};
pub use subject::MessageSubject;

use crate::redact::Redactor;
use crate::source::{SourceMap, Span};
use std::collections::HashSet;
use std::sync::Arc;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Useful to know.
    Note,
    /// Probably a mistake.
    Warning,
    /// Makes its subject unusable.
    Error,
}

impl Severity {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// The strictness of the checks; each profile includes all reports of the previous profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Errors only.
    Min,
    /// Likely mistakes as well.
    Default,
    /// Style and completeness as well.
    Strict,
}

impl Profile {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Min => "min",
            Profile::Default => "default",
            Profile::Strict => "strict",
        }
    }
}

/// A change to sources that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The action as an imperative: "anchor the pattern".
    pub title: String,
    /// `true` if the fix keeps the meaning, or gives the source the only possible meaning.
    pub safe: bool,
    /// The edits; their spans do not overlap.
    pub edits: Vec<Edit>,
}

/// A replacement in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The span to replace; empty to insert.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// A span with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The span to underline.
    pub span: Span,
    /// The message next to the span; may be empty.
    pub text: String,
    /// The line from which a program generated the source at the span.
    pub origin: Option<OriginLine>,
}

/// A line in a file that rtype has not read, such as the manifest from which a catalog was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OriginLine {
    /// The file.
    pub file: Arc<str>,
    /// The line number, from 1.
    pub line: u32,
}

impl std::fmt::Display for OriginLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A finding. The first label has the primary span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// The severity; initially the default severity of the code.
    pub severity: Severity,
    /// The message: one sentence that states the problem.
    pub message: String,
    /// The spans with their messages, the primary span first.
    pub labels: Vec<Label>,
    /// The allowed values, or an alternative.
    pub help: Option<Help>,
    /// A fix for the finding.
    pub fix: Option<Box<Fix>>,
    /// The resource's attribute that the diagnostic is about, and the rest of the message.
    pub subject: Option<Box<MessageSubject>>,
}

impl Diagnostic {
    /// Creates a diagnostic about a span.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        let labels = if span.is_none() { Vec::new() } else { vec![Label { span, text: String::new(), origin: None }] };
        Diagnostic { code, severity: code.info().severity, message: message.into(), labels, help: None, fix: None, subject: None }
    }

    /// Creates the diagnostic about hidden findings: a warning, or a note if all of them are notes.
    pub fn not_shown(left_out: &Tally) -> Diagnostic {
        let count = left_out.total();
        let (s, are) = if count == 1 { ("", "is") } else { ("s", "are") };
        let d = Diagnostic::new(Code::MoreFindings, Span::NONE, format!("… and {count} more finding{s} {are} not shown"));
        let severity = if count == left_out.of(Severity::Note) { Severity::Note } else { Severity::Warning };
        Diagnostic { severity, ..d }.help("fix these first, or show all with `--max-findings 0`")
    }

    /// Redacts secrets in the message, help and labels. Edits in a fix are kept, because they are applied to files.
    #[must_use]
    pub fn redacted(mut self, redactor: &Redactor) -> Diagnostic {
        self.message = redactor.redact(&self.message);
        self.help = self.help.map(|help| help.redacted(redactor));
        self.subject.iter_mut().for_each(|subject| subject.redact(redactor));
        self.labels.iter_mut().for_each(|label| label.text = redactor.redact(&label.text));
        self
    }

    /// Sets the message of the primary label.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    /// Adds a label, unless the span is outside all files.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        if !span.is_none() {
            self.labels.push(Label { span, text: text.into(), origin: None });
        }
        self
    }

    /// Sets the help: the allowed values, or an alternative.
    #[must_use]
    pub fn help(mut self, help: impl Into<Help>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Sets the help if there is one.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<impl Into<Help>>) -> Diagnostic {
        self.help = help.map(Into::into).or(self.help);
        self
    }

    /// Makes the diagnostic an error in strict mode.
    #[must_use]
    pub fn error_if(mut self, strict: bool) -> Diagnostic {
        if strict {
            self.severity = Severity::Error;
        }
        self
    }

    /// Adds a fix that keeps the meaning, or gives the source the only possible meaning.
    #[must_use]
    pub fn fix(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fixes(title, true, vec![Edit { span, text: text.into() }])
    }

    /// Adds a fix that changes the meaning and must be reviewed.
    #[must_use]
    pub fn unsafe_fix(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fixes(title, false, vec![Edit { span, text: text.into() }])
    }

    /// Moves labels in derived sources to their original spans, and removes a fix that would edit a derived source.
    #[must_use]
    pub fn at_origin(mut self, sources: &SourceMap) -> Diagnostic {
        let is_derived = |span: Span| sources.origin(span) != span;
        if self.fix.as_ref().is_some_and(|fix| fix.edits.iter().any(|e| is_derived(e.span))) {
            self.fix = None;
        }
        let mut seen = HashSet::new();
        for label in &mut self.labels {
            label.span = sources.origin(label.span);
        }
        // Several spans in a derived source may have the same origin.
        self.labels.retain(|l| seen.insert(l.span));
        self
    }

    /// Returns the diagnostic with its spans shifted by this number of bytes.
    #[must_use]
    pub fn moved(mut self, by: u32) -> Diagnostic {
        self.labels.iter_mut().for_each(|label| label.span = label.span.moved(by));
        self.fix.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| edit.span = edit.span.moved(by));
        self
    }

    /// Adds a fix with several edits.
    #[must_use]
    pub fn fixes(mut self, title: impl Into<String>, safe: bool, edits: Vec<Edit>) -> Diagnostic {
        self.fix = Some(Box::new(Fix { title: title.into(), safe, edits }));
        self
    }

    /// Returns the line from which the source at the primary span was generated, if any.
    pub fn origin(&self) -> Option<&OriginLine> {
        self.labels.first().and_then(|l| l.origin.as_ref())
    }

    /// Returns the primary span, or [`Span::NONE`].
    pub fn span(&self) -> Span {
        self.labels.first().map_or(Span::NONE, |l| l.span)
    }

    /// Returns `true` if the diagnostic is shown only with `--verbose`: a note that no block logged.
    pub fn is_detail(&self) -> bool {
        self.severity <= Severity::Note && !matches!(self.code, Code::BlockMessage | Code::ManifestMessage)
    }

    /// Returns `true` if the severity is error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Returns the name in `known` most similar to `wrong`.
///
/// The distance may be at most a third of the length (Damerau-Levenshtein, ignoring case).
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wrong.to_lowercase();
    let length = wrong.chars().count();
    let limit = (length.max(3)) / 3;
    known
        .into_iter()
        // The difference in length is a lower bound. Comparing takes time proportional to both lengths, and `wrong` may be a whole file.
        .filter(|name| name.chars().count().abs_diff(length) <= limit)
        .map(|name| (strsim::damerau_levenshtein(&lower, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= limit.max(1) && *distance < name.chars().count())
        .min_by_key(|(distance, name)| (*distance, name.len().abs_diff(wrong.len())))
        .map(|(_, name)| name)
}

/// Suggests a known name similar to the wrong name.
pub fn suggest_nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<Help> {
    nearest(wrong, known).map(Help::suggestion)
}

/// Suggests a known name similar to the wrong name, or lists the known names if all of them differ.
pub fn did_you_mean<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<Help> {
    if let Some(suggestion) = suggest_nearest(wrong, known.clone()) {
        return Some(suggestion);
    }
    let all: Vec<_> = known.into_iter().map(|n| format!("`{n}`")).collect();
    match all.len() {
        0 => None,
        1..=12 => Some(format!("use one of {}", all.join(", ")).into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_offered_far_ones_are_not() {
        assert_eq!(nearest("enusre", ["ensure", "name"]), Some("ensure"));
        assert_eq!(nearest("NewParam", ["newparam"]), Some("newparam"));
        assert_eq!(nearest("zzz", ["ensure", "name"]), None);
        assert_eq!(nearest("x", ["y"]), None);
    }

    #[test]
    fn long_names_are_not_compared() {
        let begun = std::time::Instant::now();
        assert_eq!(nearest(&"a".repeat(4_000_000), ["ensure"; 100]), None);
        assert!(begun.elapsed() < std::time::Duration::from_secs(20));
    }
}
