//! Traces how values are derived.

use rtype_lang::source::Span;

/// A step in deriving a value. Texts are redacted if the value is sensitive.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TraceStep {
    /// What happened: `given 'yes'`, `default`, `alias of present`, `munged to "a"`.
    pub what: String,
    /// The rule or value that caused the step.
    #[serde(skip)]
    pub span: Span,
}
