//! The response of the back end to an input.

use rtype_lang::diagnostics::{Code, Diagnostic, Help};
use rtype_lang::redact::Redactor;
use rtype_lang::source::Span;

/// The answer to an input.
#[derive(Debug, Default)]
pub struct Answer {
    /// Output and findings, in order.
    pub parts: Vec<AnswerPart>,
    /// A question for the next line: `y` calls [`super::ReplSession::apply`].
    pub question: Option<String>,
    /// The input or file to open in an editor.
    pub edit: Option<EditTarget>,
    /// Whether the session has ended.
    pub quit: bool,
}

/// What `:edit` opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditTarget {
    /// An input, evaluated if the editor has changed it.
    Text(String),
    /// A file, which is loaded again if the editor has changed it.
    File(String),
}

impl EditTarget {
    /// Returns the command for opening the target again.
    pub fn command(&self) -> String {
        match self {
            EditTarget::Text(_) => ":edit".to_owned(),
            EditTarget::File(path) => format!(":edit {path}"),
        }
    }
}

/// A part of an answer.
#[derive(Debug)]
pub enum AnswerPart {
    /// Output, including the newline.
    Text(String),
    /// A finding, which the front end renders.
    Diagnostic(Diagnostic),
}

impl Answer {
    /// Adds output, with a newline if missing.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        let mut text = text.into();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.parts.push(AnswerPart::Text(text));
    }

    /// Adds findings.
    pub(super) fn report(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        self.parts.extend(found.into_iter().map(AnswerPart::Diagnostic));
    }

    /// Adds the error of a command that cannot be executed.
    pub(super) fn wrong(&mut self, span: Span, message: impl Into<String>, help: impl Into<Help>) {
        self.report([Diagnostic::new(Code::BadCommand, span, message).help(help)]);
    }

    /// Redacts secrets in all parts.
    pub(super) fn redact(&mut self, redactor: &Redactor) {
        for part in &mut self.parts {
            match part {
                AnswerPart::Text(text) => *text = redactor.redact(text),
                AnswerPart::Diagnostic(d) => *d = d.clone().redacted(redactor),
            }
        }
    }

    /// Returns whether there is an error among the parts from `start`.
    pub(super) fn failed(&self, start: usize) -> bool {
        self.parts.iter().skip(start).any(|p| matches!(p, AnswerPart::Diagnostic(d) if d.is_error()))
    }

    /// Returns all output, for tests. Findings are reduced to code and message.
    pub fn plain(&self) -> String {
        let line = |p: &AnswerPart| match p {
            AnswerPart::Text(text) => text.clone(),
            AnswerPart::Diagnostic(d) => {
                let help = d.help.as_ref().map(|h| format!(" | {h}")).unwrap_or_default();
                format!("{} {}{help}\n", d.code, d.message)
            }
        };
        self.parts.iter().map(line).collect()
    }
}
