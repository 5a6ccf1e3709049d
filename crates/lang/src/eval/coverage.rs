//! Records the parts of types that the tests reach.

use crate::source::Span;
use std::cell::RefCell;
use std::collections::HashSet;

/// The spans of values, branches, patterns and other parts that a run has reached.
#[derive(Debug, Default)]
pub struct Coverage(RefCell<HashSet<Span>>);

impl Coverage {
    /// Records that the part at this span was reached.
    pub fn reach(&self, span: Span) {
        self.0.borrow_mut().insert(span);
    }

    /// Returns `true` if the part at this span was reached.
    pub fn has_reached(&self, span: Span) -> bool {
        self.0.borrow().contains(&span)
    }
}
