//! Collects findings about one source, with a limit.

use super::{Code, Diagnostic};
use crate::source::Span;

/// The maximum number of findings to keep for a source or resource: ten times the number shown by default.
const MOST: usize = 10_000;

/// Keeps the first findings and counts the others, so that memory is bounded.
#[derive(Debug, Default)]
pub struct Findings {
    kept: Vec<Diagnostic>,
    has_error: bool,
    /// The number of dropped findings.
    left_out: usize,
}

impl Findings {
    /// Adds a finding. The first error is always kept, because an error makes the source or resource unusable.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let is_first_error = diagnostic.is_error() && !self.has_error;
        if self.kept.len() < MOST || is_first_error {
            self.has_error |= diagnostic.is_error();
            self.kept.push(diagnostic);
        } else {
            self.left_out += 1;
        }
    }

    /// Returns `true` after an error.
    pub fn has_error(&self) -> bool {
        self.has_error
    }

    /// Returns the number of findings, including dropped findings.
    pub fn count(&self) -> usize {
        self.kept.len() + self.left_out
    }

    /// Returns the findings that were kept. If findings were dropped, the last finding reports their number, at the position of the
    /// finding before.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.left_out > 0 {
            let at = self.kept.last().map_or(Span::NONE, Diagnostic::span);
            let message = format!("… and {} more findings are not shown", self.left_out);
            self.kept.push(Diagnostic::new(Code::MoreMistakes, at, message).help("correct the first ones and check again"));
        }
        self.kept
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, found: I) {
        found.into_iter().for_each(|d| self.push(d));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Severity;

    #[test]
    fn findings_beyond_the_limit_are_counted_and_the_first_error_is_kept() {
        let mut found = Findings::default();
        let note = Diagnostic { severity: Severity::Note, ..Diagnostic::new(Code::BadInput, Span::new(1, 2), "a note") };
        found.extend(std::iter::repeat_n(note, MOST + 5));
        assert!(!found.has_error());
        found.extend(std::iter::repeat_n(Diagnostic::new(Code::BadInput, Span::new(1, 2), "an error"), 3));
        assert!(found.has_error());
        assert_eq!(found.count(), MOST + 8);
        let kept = found.into_vec();
        assert_eq!(kept.len(), MOST + 2);
        assert_eq!(kept.iter().filter(|d| d.is_error()).count(), 1);
        assert_eq!(kept.last().unwrap().message, "… and 7 more findings are not shown");
    }
}
