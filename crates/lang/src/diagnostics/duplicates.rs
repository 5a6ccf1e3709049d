//! Errors for declarations of the same thing.

use super::{Code, Diagnostic};
use crate::source::Span;

/// Returns the error for an attribute that a resource sets twice.
#[must_use]
pub fn attribute_twice(name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::AttributeTwice, again, format!("`{name}` is given twice"))
        .label("given again here")
        .also(first, "first given here")
        .help("keep one of the two")
}
