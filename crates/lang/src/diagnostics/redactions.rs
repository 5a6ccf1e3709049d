//! Spans whose text must not be printed.

use crate::redact::Redactor;
use crate::source::{Source, Span};

/// The spans of secrets. Code that finds a secret in a source adds its span; renderers print a mask in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redactions {
    // INVARIANT: sorted, disjoint, none empty.
    spans: Vec<Span>,
    redactor: Redactor,
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

    /// Shares a redactor: adds the secrets of this set to it, and uses it from now on.
    pub fn share(&mut self, redactor: &Redactor) {
        redactor.extend(&self.redactor);
        self.redactor = redactor.clone();
    }

    /// Marks a span as secret.
    pub fn add(&mut self, span: Span) {
        if span.is_none() || span.is_empty() {
            return;
        }
        let first = self.spans.partition_point(|s| s.end < span.start);
        let after = self.spans.partition_point(|s| s.start <= span.end);
        let merged = self.spans.drain(first..after.max(first)).fold(span, Span::to);
        self.spans.insert(first, merged);
    }

    /// Adds the secrets of another set.
    pub fn extend(&mut self, other: &Redactions) {
        for span in &other.spans {
            self.add(*span);
        }
        self.redactor.extend(&other.redactor);
    }

    /// Returns the secret parts of a span, in order.
    pub fn within(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        let first = self.spans.partition_point(|s| s.end <= span.start);
        self.spans
            .iter()
            .skip(first)
            .take_while(move |s| s.start < span.end)
            .map(move |s| Span::new(s.start.max(span.start), s.end.min(span.end)))
    }

    /// Returns whether any part of a span is secret.
    pub fn touches(&self, span: Span) -> bool {
        self.within(span).next().is_some()
    }

    /// Returns whether an external text contains a secret value.
    pub fn is_in(&self, text: &str) -> bool {
        !self.redactor.find(text).is_empty()
    }

    /// Returns the secrets in a text by line, without quotes, longest first. They are searched for in texts that were generated from this
    /// one.
    pub fn words(&self, source: &Source) -> Vec<String> {
        let quotes = |c: char| c.is_whitespace() || "\"',".contains(c);
        let lines = self.within(source.span()).flat_map(|span| source.slice(span).lines());
        let mut words: Vec<String> = lines.map(|l| l.trim_matches(quotes).to_owned()).filter(|l| !l.is_empty()).collect();
        words.sort_by_key(|w| std::cmp::Reverse(w.len()));
        words.dedup();
        words
    }

    /// Returns whether no span is secret.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_spans_melt_into_one() {
        let mut secrets = Redactions::new();
        for (start, end) in [(20, 30), (5, 8), (8, 10), (25, 40), (50, 50)] {
            secrets.add(Span::new(start, end));
        }
        let all: Vec<_> = secrets.within(Span::new(0, 100)).collect();
        assert_eq!(all, [Span::new(5, 10), Span::new(20, 40)]);
        let cut: Vec<_> = secrets.within(Span::new(9, 21)).collect();
        assert_eq!(cut, [Span::new(9, 10), Span::new(20, 21)]);
        assert!(!secrets.touches(Span::new(10, 20)));
    }
}
