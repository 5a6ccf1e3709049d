//! The result of a stage.

use super::Diagnostic;

/// A value, as complete as possible, and the diagnostics about it.
#[derive(Clone, Debug, Default)]
pub struct Outcome<T> {
    /// The value. It may be incomplete if any diagnostic is an error.
    pub value: T,
    /// All diagnostics, in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Outcome<T> {
    /// Returns an outcome without diagnostics.
    pub fn of(value: T) -> Outcome<T> {
        Outcome { value, diagnostics: Vec::new() }
    }

    /// Moves the diagnostics to `diagnostics` and returns the value.
    pub fn report_to(self, diagnostics: &mut Vec<Diagnostic>) -> T {
        diagnostics.extend(self.diagnostics);
        self.value
    }
}

impl<T> Outcome<Vec<T>> {
    /// Appends the values and diagnostics of another outcome.
    pub fn merge(&mut self, other: Outcome<Vec<T>>) {
        self.value.extend(other.value);
        self.diagnostics.extend(other.diagnostics);
    }
}

impl<T> From<Result<T, Diagnostic>> for Outcome<Option<T>> {
    fn from(result: Result<T, Diagnostic>) -> Outcome<Option<T>> {
        match result {
            Ok(value) => Outcome::of(Some(value)),
            Err(diagnostic) => Outcome { value: None, diagnostics: vec![diagnostic] },
        }
    }
}
