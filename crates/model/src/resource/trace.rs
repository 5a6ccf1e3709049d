//! How a value came about, for people who ask.

use rtype_lang::source::Span;

/// One step on the way of a value. Texts are redacted where the value is sensitive.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TraceStep {
    /// What happened: `given 'yes'`, `default`, `alias of present`, `munged to "a"`.
    pub what: String,
    /// The rule or value that did it.
    #[serde(skip)]
    pub span: Span,
}
