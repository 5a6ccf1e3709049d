//! Failures of an evaluation, and jumps out of lambdas and functions.

use super::value::ManifestValue;
use ecow::EcoString;
use rtype_lang::source::Span;

/// An evaluation that ended without a value.
#[derive(Clone, Debug)]
pub struct EvaluationFailure(Box<Content>);

#[derive(Clone, Debug)]
struct Content {
    kind: EvaluationFailureKind,
    text: EcoString,
    span: Option<Span>,
    position: ReportedPosition,
    is_syntax: bool,
}

/// Why an evaluation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum EvaluationFailureKind {
    /// An error in a function or operator. The evaluator adds the expression that failed: `Error while evaluating a Function Call, …`.
    Error,
    /// An error with its complete text.
    Complete,
    /// Puppet's answer is not known: the construct is not supported.
    Unsupported,
    /// A limit of steps, bytes, elements or depth was reached.
    Limit,
    /// A parameter without a value was read while the parameters are evaluated.
    Unevaluated(EcoString),
    /// `next(value)`
    Next(ManifestValue),
    /// `break()`
    Break,
    /// `return(value)`
    Return(ManifestValue),
}

/// How much of the position Puppet reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedPosition {
    /// Line and column.
    Column,
    /// The line.
    Line,
    /// Nothing.
    Nowhere,
}

impl EvaluationFailure {
    /// Returns an error of a function: Puppet's `ArgumentError` or `Puppet::ParseError` without a place. The call adds prefix and place.
    pub fn new(text: impl Into<EcoString>) -> EvaluationFailure {
        EvaluationFailure::with(EvaluationFailureKind::Error, text.into(), None)
    }

    /// Returns an error at a place of the source, with Puppet's text after `Evaluation Error: `.
    pub fn at(span: Span, text: impl AsRef<str>) -> EvaluationFailure {
        EvaluationFailure::with(EvaluationFailureKind::Complete, ecow::eco_format!("Evaluation Error: {}", text.as_ref()), Some(span))
    }

    /// Returns an error with its complete text, for which Puppet reports the line alone, or no place.
    pub fn plain(span: Option<Span>, text: impl Into<EcoString>) -> EvaluationFailure {
        let position = if span.is_some() { ReportedPosition::Line } else { ReportedPosition::Nowhere };
        EvaluationFailure::with(EvaluationFailureKind::Complete, text.into(), span).position(position)
    }

    /// Returns the refusal of something that is not supported.
    pub fn unsupported(text: impl Into<EcoString>) -> EvaluationFailure {
        EvaluationFailure::with(EvaluationFailureKind::Unsupported, text.into(), None)
    }

    /// Returns the error of a limit that was reached.
    pub fn limit(text: impl Into<EcoString>) -> EvaluationFailure {
        EvaluationFailure::with(EvaluationFailureKind::Limit, text.into(), None)
    }

    /// Returns the failure that a parameter has no value yet.
    pub fn unevaluated(name: &str) -> EvaluationFailure {
        EvaluationFailure::with(EvaluationFailureKind::Unevaluated(name.into()), EcoString::new(), None)
    }

    /// Returns a jump out of a lambda, function, class or defined type.
    pub fn jump(kind: EvaluationFailureKind, span: Span) -> EvaluationFailure {
        EvaluationFailure::with(kind, EcoString::new(), Some(span))
    }

    fn with(kind: EvaluationFailureKind, text: EcoString, span: Option<Span>) -> EvaluationFailure {
        EvaluationFailure(Box::new(Content { kind, text, span, position: ReportedPosition::Column, is_syntax: false }))
    }

    /// Returns the failure with its complete text and a place.
    #[must_use]
    pub fn complete(mut self, span: Option<Span>, text: impl Into<EcoString>) -> EvaluationFailure {
        self.0.kind = EvaluationFailureKind::Complete;
        self.0.text = text.into();
        self.0.span = span;
        self
    }

    /// Sets whether the failure reports line and column, the line, or no position.
    #[must_use]
    pub fn position(mut self, position: ReportedPosition) -> EvaluationFailure {
        self.0.position = position;
        self
    }

    /// Returns the failure as a syntax error, which has this program's own words.
    #[must_use]
    pub fn syntax(mut self) -> EvaluationFailure {
        self.0.is_syntax = true;
        self
    }

    /// Returns `true` for syntax errors.
    pub fn is_syntax(&self) -> bool {
        self.0.is_syntax
    }

    /// Returns the failure with a place, if it has none.
    #[must_use]
    pub fn or_at(mut self, span: Span) -> EvaluationFailure {
        self.0.span.get_or_insert(span);
        self
    }

    /// Returns the reason.
    pub fn kind(&self) -> &EvaluationFailureKind {
        &self.0.kind
    }

    /// Returns the message.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns the place of the failed expression.
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// Returns how much of the place Puppet reports.
    pub fn reported_position(&self) -> ReportedPosition {
        self.0.position
    }

    /// Returns `true` for errors that Puppet reports, too.
    pub fn is_error(&self) -> bool {
        matches!(self.0.kind, EvaluationFailureKind::Error | EvaluationFailureKind::Complete)
    }
}
