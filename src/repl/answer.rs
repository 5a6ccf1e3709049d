//! What the back end says to an input.

use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::redact::Redactor;
use rtype_lang::source::Span;

/// What is said to an input, in order.
#[derive(Debug, Default)]
pub struct Answer {
    /// Texts and findings.
    pub parts: Vec<Part>,
    /// What the next line is to answer: `y` has [`super::Backend::apply`] done.
    pub question: Option<String>,
    /// Whether the conversation is over.
    pub quit: bool,
}

/// A piece of an answer.
#[derive(Debug)]
pub enum Part {
    /// Text, with its newline.
    Text(String),
    /// A finding; the front end draws it.
    Diagnostic(Diagnostic),
}

impl Answer {
    /// Adds a text; a missing newline is added.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        let mut text = text.into();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.parts.push(Part::Text(text));
    }

    /// Adds findings.
    pub(super) fn report(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        self.parts.extend(found.into_iter().map(Part::Diagnostic));
    }

    /// A command that cannot be carried out.
    pub(super) fn wrong(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report([Diagnostic::new(Code::BadCommand, span, message).help(help)]);
    }

    /// Takes secrets out of all parts.
    pub(super) fn redact(&mut self, redactor: &Redactor) {
        for part in &mut self.parts {
            match part {
                Part::Text(text) => *text = redactor.redact(text),
                Part::Diagnostic(d) => *d = d.clone().redacted(redactor),
            }
        }
    }

    /// Whether an error is among the parts from `start` on.
    pub(super) fn failed(&self, start: usize) -> bool {
        self.parts.iter().skip(start).any(|p| matches!(p, Part::Diagnostic(d) if d.is_error()))
    }

    /// All texts together, for tests; of findings code and message.
    pub fn plain(&self) -> String {
        let line = |p: &Part| match p {
            Part::Text(text) => text.clone(),
            Part::Diagnostic(d) => {
                let help = d.help.as_ref().map(|h| format!(" | {h}")).unwrap_or_default();
                format!("{} {}{help}\n", d.code, d.message)
            }
        };
        self.parts.iter().map(line).collect()
    }
}
