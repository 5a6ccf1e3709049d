//! Spans that must not be printed.

use crate::redact::Redactor;
use crate::source::{Source, Span};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// The spans of secrets. Code that finds a secret in a source adds the secret's span; renderers print a mask instead. Clones share
/// their secrets.
#[derive(Clone, Debug, Default)]
pub struct Redactions {
    // INVARIANT: sorted, disjoint, none empty.
    spans: Arc<RwLock<Vec<Span>>>,
    redactor: Redactor,
}

impl PartialEq for Redactions {
    fn eq(&self, other: &Redactions) -> bool {
        *self.spans() == *other.spans()
    }
}

impl Redactions {
    /// Creates an empty set.
    pub fn new() -> Redactions {
        Redactions::default()
    }

    /// Returns the redactor with the secret values.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Returns this set with another redactor, to which the set adds its secrets.
    #[must_use]
    pub fn with_redactor(&self, redactor: &Redactor) -> Redactions {
        redactor.extend(&self.redactor);
        Redactions { spans: Arc::clone(&self.spans), redactor: redactor.clone() }
    }

    /// Returns a set with the same spans. Spans added to either set do not appear in the other; the secret values are shared.
    #[must_use]
    pub fn fork(&self) -> Redactions {
        Redactions { spans: Arc::new(RwLock::new(self.spans().clone())), redactor: self.redactor.clone() }
    }

    // Each change leaves the spans consistent, so that a panic in another thread does no harm.
    fn spans(&self) -> RwLockReadGuard<'_, Vec<Span>> {
        self.spans.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks a span as secret.
    pub fn add(&self, span: Span) {
        if span.is_none() || span.is_empty() {
            return;
        }
        let mut spans = self.spans.write().unwrap_or_else(PoisonError::into_inner);
        let first = spans.partition_point(|s| s.end < span.start);
        let after = spans.partition_point(|s| s.start <= span.end);
        let merged = spans.drain(first..after.max(first)).fold(span, Span::to);
        spans.insert(first, merged);
    }

    /// Adds the secrets of another set.
    pub fn extend(&self, other: &Redactions) {
        if !Arc::ptr_eq(&self.spans, &other.spans) {
            let spans = other.spans().clone();
            spans.into_iter().for_each(|span| self.add(span));
        }
        self.redactor.extend(&other.redactor);
    }

    /// Returns the secret parts of a span, in order.
    pub fn within(&self, span: Span) -> Vec<Span> {
        let spans = self.spans();
        let first = spans.partition_point(|s| s.end <= span.start);
        let here = spans.iter().skip(first).take_while(|s| s.start < span.end);
        here.map(|s| Span::new(s.start.max(span.start), s.end.min(span.end))).collect()
    }

    /// Returns `true` if any part of a span is secret.
    pub fn touches(&self, span: Span) -> bool {
        !self.within(span).is_empty()
    }

    /// Returns `true` if an external string contains a secret value.
    pub fn is_in(&self, text: &str) -> bool {
        !self.redactor.find(text).is_empty()
    }

    /// Returns the secrets in a source by line, without quotes, longest first. Callers search generated sources for these secrets.
    pub fn words(&self, source: &Source) -> Vec<String> {
        let quotes = |c: char| c.is_whitespace() || "\"',".contains(c);
        let lines = self.within(source.span()).into_iter().flat_map(|span| source.slice(span).lines());
        let mut words: Vec<String> = lines.map(|l| l.trim_matches(quotes).to_owned()).filter(|l| !l.is_empty()).collect();
        words.sort_by_key(|w| std::cmp::Reverse(w.len()));
        words.dedup();
        words
    }

    /// Returns `true` if no span is secret.
    pub fn is_empty(&self) -> bool {
        self.spans().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_spans_melt_into_one() {
        let secrets = Redactions::new();
        for (start, end) in [(20, 30), (5, 8), (8, 10), (25, 40), (50, 50)] {
            secrets.add(Span::new(start, end));
        }
        let all = secrets.within(Span::new(0, 100));
        assert_eq!(all, [Span::new(5, 10), Span::new(20, 40)]);
        let cut = secrets.within(Span::new(9, 21));
        assert_eq!(cut, [Span::new(9, 10), Span::new(20, 21)]);
        assert!(!secrets.touches(Span::new(10, 20)));
    }
}
