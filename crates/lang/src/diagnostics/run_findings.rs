//! Collects the findings of a whole run, with a limit.

use super::{Code, Diagnostic, Severity};
use crate::source::Span;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

/// Keeps the first findings per severity by position, in any order of addition. For other findings, only a summary is kept for
/// counting, so that little memory is needed.
#[derive(Debug)]
pub struct RunFindings {
    /// The maximum number of complete findings to keep per severity.
    most: usize,
    whole: [BinaryHeap<ByPlace>; 3],
    brief: Vec<Brief>,
}

/// The summary of a finding for which the rest was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Brief {
    /// The primary span.
    pub span: Span,
    /// The code.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// A hash of the message, to distinguish findings at the same position.
    pub message: u64,
}

impl From<&Diagnostic> for Brief {
    fn from(finding: &Diagnostic) -> Brief {
        let message = foldhash::quality::FixedState::default().hash_one(&finding.message);
        Brief { span: finding.span(), code: finding.code, severity: finding.severity, message }
    }
}

/// A finding, ordered by its position.
#[derive(Debug)]
struct ByPlace(Diagnostic);

impl ByPlace {
    fn key(&self) -> (Span, Code, &str) {
        (self.0.span(), self.0.code, &self.0.message)
    }
}

impl PartialEq for ByPlace {
    fn eq(&self, other: &ByPlace) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ByPlace {}

impl PartialOrd for ByPlace {
    fn partial_cmp(&self, other: &ByPlace) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByPlace {
    fn cmp(&self, other: &ByPlace) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl RunFindings {
    /// Creates an empty collection that keeps up to `most` complete findings per severity.
    pub fn new(most: usize) -> RunFindings {
        RunFindings { most, whole: Default::default(), brief: Vec::new() }
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: Diagnostic) {
        let [notes, warnings, errors] = &mut self.whole;
        let whole = match finding.severity {
            Severity::Note => notes,
            Severity::Warning => warnings,
            Severity::Error => errors,
        };
        let finding = ByPlace(finding);
        if whole.len() < self.most {
            whole.push(finding);
            return;
        }
        let last = match whole.peek_mut() {
            Some(mut last) if finding < *last => std::mem::replace(&mut *last, finding),
            _ => finding,
        };
        self.brief.push(Brief::from(&last.0));
    }

    /// Adds the findings of another collection.
    #[must_use]
    pub fn with(mut self, other: RunFindings) -> RunFindings {
        let (whole, brief) = other.into_parts();
        self.extend(whole);
        self.brief.extend(brief);
        self
    }

    /// Returns the complete findings and the summaries of the others, each ordered by position.
    pub fn into_parts(self) -> (Vec<Diagnostic>, Vec<Brief>) {
        let mut whole: Vec<ByPlace> = self.whole.into_iter().flat_map(BinaryHeap::into_vec).collect();
        whole.sort();
        let mut brief = self.brief;
        brief.sort_unstable();
        (whole.into_iter().map(|finding| finding.0).collect(), brief)
    }
}

impl Extend<Diagnostic> for RunFindings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, found: I) {
        found.into_iter().for_each(|finding| self.push(finding));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_severity_are_kept_in_whatever_order_they_come() {
        let finding = |at: u32| {
            let code = if at.is_multiple_of(2) { Code::BadInput } else { Code::MoreFindings };
            Diagnostic::new(code, Span::new(at, at + 1), format!("finding {at}"))
        };
        let (mut ascending, mut descending) = (RunFindings::new(3), RunFindings::new(3));
        ascending.extend((1..=10).map(finding));
        descending.extend((6..=10).rev().map(finding));
        let mut others = RunFindings::new(3);
        others.extend((1..=5).rev().map(finding));
        for found in [ascending, descending.with(others)] {
            let (whole, brief) = found.into_parts();
            let spans = |spans: &mut dyn Iterator<Item = Span>| spans.map(|span| span.start).collect::<Vec<_>>();
            assert_eq!(spans(&mut whole.iter().map(Diagnostic::span)), [1, 2, 3, 4, 5, 6]);
            assert_eq!(spans(&mut brief.iter().map(|b| b.span)), [7, 8, 9, 10]);
            assert_eq!(brief.first(), Some(&Brief::from(&finding(7))));
        }
    }
}
