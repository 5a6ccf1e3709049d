//! What rtype tells people: one [`Diagnostic`] value, the table of [`Code`]s, one renderer a format.
//!
//! Message style: lower-case first word, no final full stop, user text in backticks, no line breaks,
//! nothing of Rust. What is wrong goes into the message, what is allowed or what to do into `help`.

mod codes;
mod findings;
mod redactions;
mod render;
mod run_findings;

pub use codes::{CODES, Code, CodeInfo};
pub use findings::Findings;
pub use redactions::Redactions;
pub use render::{Renderer, Style, Tally, columns, padded, printable, printable_lines, summary, to_json};
pub use run_findings::{Brief, RunFindings};

use crate::redact::Redactor;
use crate::source::{SourceMap, Span};
use std::sync::Arc;

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant.
    Warning,
    /// Cannot be used like this.
    Error,
}

/// How much is asked of types and resources; each profile tells all that the one before it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// What cannot work.
    Min,
    /// Also what is hardly meant.
    Default,
    /// Also what a careful author would do otherwise.
    Strict,
}

/// A change of texts that takes a finding away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a command: "anchor the pattern".
    pub title: String,
    /// Whether what the text means stays the same, or becomes what can only have been meant.
    pub safe: bool,
    /// The changes; their spans do not overlap.
    pub edits: Vec<Edit>,
}

/// A piece of text in place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// By what.
    pub text: String,
}

/// A place with a few words beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The text to underline.
    pub span: Span,
    /// What to say there; may be empty.
    pub text: String,
    /// Where what stands there was written, when a program made the text of it.
    pub origin: Option<Origin>,
}

/// A line of a text that we have not read: of the manifest that a catalog was compiled from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The file.
    pub file: Arc<str>,
    /// Its line, from 1.
    pub line: u32,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// One finding. The first label is the place it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// Its weight; starts as the code's own.
    pub severity: Severity,
    /// One sentence: what is wrong.
    pub message: String,
    /// Places, the main one first.
    pub labels: Vec<Label>,
    /// What is allowed, or what to do instead.
    pub help: Option<String>,
    /// A change that takes it away.
    pub fix: Option<Box<Fix>>,
}

impl Diagnostic {
    /// A diagnostic of `code` about `span`.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        let labels = if span.is_none() { Vec::new() } else { vec![Label { span, text: String::new(), origin: None }] };
        Diagnostic { code, severity: code.info().severity, message: message.into(), labels, help: None, fix: None }
    }

    /// Reports that findings were left out of the output; a note if they are all notes.
    pub fn not_shown(left_out: &Tally) -> Diagnostic {
        let count = left_out.total();
        let (s, are) = if count == 1 { ("", "is") } else { ("s", "are") };
        let d = Diagnostic::new(Code::MoreFindings, Span::NONE, format!("… and {count} more finding{s} {are} not shown"));
        let severity = if count == left_out.of(Severity::Note) { Severity::Note } else { Severity::Warning };
        Diagnostic { severity, ..d }.help("fix these first, or show all with `--max-findings 0`")
    }

    /// The same without secrets in its words. Edits of a fix stay: they are for files.
    #[must_use]
    pub fn redacted(mut self, redactor: &Redactor) -> Diagnostic {
        self.message = redactor.redact(&self.message);
        self.help = self.help.map(|help| redactor.redact(&help));
        self.labels.iter_mut().for_each(|label| label.text = redactor.redact(&label.text));
        self
    }

    /// Words beside the main place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    /// A second place. Dropped when it is in no file.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        if !span.is_none() {
            self.labels.push(Label { span, text: text.into(), origin: None });
        }
        self
    }

    /// What is allowed, or what to do instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// [`Diagnostic::help`] where there is something to say.
    #[must_use]
    pub fn maybe_help(mut self, text: Option<impl Into<String>>) -> Diagnostic {
        self.help = text.map(Into::into).or(self.help);
        self
    }

    /// A change that keeps the meaning, or gives the text the only one that it can have.
    #[must_use]
    pub fn fix(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fixes(title, true, vec![Edit { span, text: text.into() }])
    }

    /// A change that somebody should look at: it alters what the text means.
    #[must_use]
    pub fn unsafe_fix(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fixes(title, false, vec![Edit { span, text: text.into() }])
    }

    /// The same about the places that people know: those that derived texts come from. Changes of such texts are none of theirs.
    #[must_use]
    pub fn at_origin(mut self, sources: &SourceMap) -> Diagnostic {
        let is_derived = |span: Span| sources.origin(span) != span;
        if self.fix.as_ref().is_some_and(|fix| fix.edits.iter().any(|e| is_derived(e.span))) {
            self.fix = None;
        }
        let mut seen = Vec::new();
        for label in &mut self.labels {
            label.span = sources.origin(label.span);
        }
        // Two places of a text may come from the same one.
        self.labels.retain(|l| {
            let is_new = !seen.contains(&l.span);
            seen.push(l.span);
            is_new
        });
        self
    }

    /// A change of several places.
    #[must_use]
    pub fn fixes(mut self, title: impl Into<String>, safe: bool, edits: Vec<Edit>) -> Diagnostic {
        self.fix = Some(Box::new(Fix { title: title.into(), safe, edits }));
        self
    }

    /// Where what it is about was written, when that is another text than the one with its main place.
    pub fn origin(&self) -> Option<&Origin> {
        self.labels.first().and_then(|l| l.origin.as_ref())
    }

    /// The main place, or [`Span::NONE`].
    pub fn span(&self) -> Span {
        self.labels.first().map_or(Span::NONE, |l| l.span)
    }

    /// Whether it makes what it is about unusable.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The name among `known` that `wrong` was probably meant to be.
///
/// Names count as near when at most a third of their letters differ (Damerau-Levenshtein, without case).
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wrong.to_lowercase();
    let length = wrong.chars().count();
    let limit = (length.max(3)) / 3;
    known
        .into_iter()
        // As many letters differ at least. Comparing takes both lengths multiplied, and `wrong` may be a whole file.
        .filter(|name| name.chars().count().abs_diff(length) <= limit)
        .map(|name| (strsim::damerau_levenshtein(&lower, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= limit.max(1) && *distance < name.chars().count())
        .min_by_key(|(distance, name)| (*distance, name.len().abs_diff(wrong.len())))
        .map(|(_, name)| name)
}

/// `did you mean `x`?`, or what is known when nothing is near.
pub fn did_you_mean<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
    if let Some(name) = nearest(wrong, known.clone()) {
        return Some(format!("did you mean `{name}`?"));
    }
    let all: Vec<_> = known.into_iter().map(|n| format!("`{n}`")).collect();
    match all.len() {
        0 => None,
        1..=12 => Some(format!("use one of {}", all.join(", "))),
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
    fn a_text_of_megabytes_is_not_compared() {
        let begun = std::time::Instant::now();
        assert_eq!(nearest(&"a".repeat(4_000_000), ["ensure"; 100]), None);
        assert!(begun.elapsed() < std::time::Duration::from_secs(20));
    }
}
