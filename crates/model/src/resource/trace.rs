//! Traces how values are derived.

use rtype_lang::source::Span;

/// One step in the derivation of a value. Texts are redacted if the value is sensitive.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TraceStep {
    /// What happened: `given 'yes'`, `default`, `alias of present`, `munged to "a"`.
    pub what: String,
    /// The rule or value that caused it.
    #[serde(skip)]
    pub span: Span,
}
