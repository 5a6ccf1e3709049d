//! Failures of an evaluation, and jumps out of lambdas and functions.

use super::value::Value;
use ecow::EcoString;
use rtype_lang::source::Span;

/// An evaluation that ended without a value.
#[derive(Clone, Debug)]
pub struct Failure(Box<Content>);

#[derive(Clone, Debug)]
struct Content {
    kind: FailureKind,
    text: EcoString,
    span: Option<Span>,
    position: Position,
}

/// Why an evaluation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum FailureKind {
    /// An error in a function or operator. The evaluator adds the expression that failed: `Error while evaluating a Function Call, …`.
    Error,
    /// An error with its complete text.
    Complete,
    /// Puppet's answer is not known: the construct is not supported.
    Unsupported,
    /// A limit of steps, bytes, elements or depth was reached.
    Limit,
    /// `next(value)`
    Next(Value),
    /// `break()`
    Break,
    /// `return(value)`
    Return(Value),
}

/// How much of the position Puppet reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Line and column.
    Column,
    /// The line.
    Line,
    /// Nothing.
    Nowhere,
}

impl Failure {
    /// Returns an error of a function: Puppet's `ArgumentError` or `Puppet::ParseError` without a place. The call adds prefix and place.
    pub fn new(text: impl Into<EcoString>) -> Failure {
        Failure::with(FailureKind::Error, text.into(), None)
    }

    /// Returns an error at a place of the source, with Puppet's text after `Evaluation Error: `.
    pub fn at(span: Span, text: impl Into<EcoString>) -> Failure {
        Failure::with(FailureKind::Complete, text.into(), Some(span))
    }

    /// Returns the refusal of something that is not supported.
    pub fn unsupported(text: impl Into<EcoString>) -> Failure {
        Failure::with(FailureKind::Unsupported, text.into(), None)
    }

    /// Returns the error of a limit that was reached.
    pub fn limit(text: impl Into<EcoString>) -> Failure {
        Failure::with(FailureKind::Limit, text.into(), None)
    }

    /// Returns a jump out of a lambda, function, class or defined type.
    pub fn jump(kind: FailureKind, span: Span) -> Failure {
        Failure::with(kind, EcoString::new(), Some(span))
    }

    fn with(kind: FailureKind, text: EcoString, span: Option<Span>) -> Failure {
        Failure(Box::new(Content { kind, text, span, position: Position::Column }))
    }

    /// Returns the failure with its complete text and a place.
    #[must_use]
    pub fn complete(mut self, span: Option<Span>, text: impl Into<EcoString>) -> Failure {
        self.0.kind = FailureKind::Complete;
        self.0.text = text.into();
        self.0.span = span;
        self
    }

    /// Returns the failure with less of its position.
    #[must_use]
    pub fn position(mut self, position: Position) -> Failure {
        self.0.position = position;
        self
    }

    /// Returns the failure with a place, if it has none.
    #[must_use]
    pub fn or_at(mut self, span: Span) -> Failure {
        self.0.span.get_or_insert(span);
        self
    }

    /// Returns the reason.
    pub fn kind(&self) -> &FailureKind {
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
    pub fn reported_position(&self) -> Position {
        self.0.position
    }

    /// Returns `true` for errors that Puppet reports, too.
    pub fn is_error(&self) -> bool {
        matches!(self.0.kind, FailureKind::Error | FailureKind::Complete)
    }
}
