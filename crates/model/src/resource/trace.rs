//! Traces how values are derived.

use rtype_lang::source::Span;

/// A step in a value's derivation. If the value is sensitive, the description is redacted.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TraceStep {
    /// A description: `given 'yes'`, `default`, `alias of present`, `munged to "a"`.
    pub what: String,
    /// The rule or value that caused the step.
    #[serde(skip)]
    pub span: Span,
}
