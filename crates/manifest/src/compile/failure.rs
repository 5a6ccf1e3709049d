//! Failures of an evaluation, and jumps out of lambdas and functions.

pub use self::EvaluationFailure as Failure;
pub use self::EvaluationFailureKind as FailureKind;
pub use self::ReportedPosition as Position;
use super::value::Value;
use ecow::EcoString;
use rtype_lang::source::Span;

/// An evaluation that ended without a value.
#[derive(Clone, Debug)]
pub struct EvaluationFailure(Box<Content>);

#[derive(Clone, Debug)]
struct Content {
    kind: FailureKind,
    text: EcoString,
    span: Option<Span>,
    position: Position,
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
    Next(Value),
    /// `break()`
    Break,
    /// `return(value)`
    Return(Value),
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

impl Failure {
    /// Returns an error of a function: Puppet's `ArgumentError` or `Puppet::ParseError` without a place. The call adds prefix and place.
    pub fn new(text: impl Into<EcoString>) -> Failure {
        Failure::with(FailureKind::Error, text.into(), None)
    }

    /// Returns an error at a place of the source, with Puppet's text after `Evaluation Error: `.
    pub fn at(span: Span, text: impl AsRef<str>) -> Failure {
        Failure::with(FailureKind::Complete, ecow::eco_format!("Evaluation Error: {}", text.as_ref()), Some(span))
    }

    /// Returns an error with its complete text, for which Puppet reports the line alone, or no place.
    pub fn plain(span: Option<Span>, text: impl Into<EcoString>) -> Failure {
        let position = if span.is_some() { Position::Line } else { Position::Nowhere };
        Failure::with(FailureKind::Complete, text.into(), span).position(position)
    }

    /// Returns the refusal of something that is not supported.
    pub fn unsupported(text: impl Into<EcoString>) -> Failure {
        Failure::with(FailureKind::Unsupported, text.into(), None)
    }

    /// Returns the error of a limit that was reached.
    pub fn limit(text: impl Into<EcoString>) -> Failure {
        Failure::with(FailureKind::Limit, text.into(), None)
    }

    /// Returns the failure that a parameter has no value yet.
    pub fn unevaluated(name: &str) -> Failure {
        Failure::with(FailureKind::Unevaluated(name.into()), EcoString::new(), None)
    }

    /// Returns a jump out of a lambda, function, class or defined type.
    pub fn jump(kind: FailureKind, span: Span) -> Failure {
        Failure::with(kind, EcoString::new(), Some(span))
    }

    fn with(kind: FailureKind, text: EcoString, span: Option<Span>) -> Failure {
        Failure(Box::new(Content { kind, text, span, position: Position::Column, is_syntax: false }))
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

    /// Returns the failure as a syntax error, which has this program's own words.
    #[must_use]
    pub fn syntax(mut self) -> Failure {
        self.0.is_syntax = true;
        self
    }

    /// Returns `true` for syntax errors.
    pub fn is_syntax(&self) -> bool {
        self.0.is_syntax
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
