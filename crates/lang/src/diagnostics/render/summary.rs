//! The summary at the end of a run.

use crate::diagnostics::{Diagnostic, Severity};
use crate::source::{SourceMap, Span};
use std::collections::HashSet;

/// The number of diagnostics per severity, and the files with diagnostics.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    errors: usize,
    warnings: usize,
    notes: usize,
    files: HashSet<u32>,
}

impl Tally {
    /// Counts a diagnostic and its primary span's file.
    pub fn add(&mut self, diagnostic: &Diagnostic, sources: &SourceMap) {
        self.add_at(diagnostic.severity, diagnostic.span(), sources);
    }

    /// Counts a finding with this severity and span.
    pub fn add_at(&mut self, severity: Severity, span: Span, sources: &SourceMap) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => self.notes += 1,
        }
        self.files.extend(sources.find(span).map(|s| s.base()));
    }

    /// Returns the number of diagnostics with this severity.
    pub fn of(&self, severity: Severity) -> usize {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
            Severity::Note => self.notes,
        }
    }

    /// Returns the number of all diagnostics.
    pub fn total(&self) -> usize {
        self.errors + self.warnings + self.notes
    }

    /// Returns a summary such as `3 errors, 1 warning in 2 files`; `None` if nothing was counted.
    pub fn summary(&self) -> Option<String> {
        let counted = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")];
        let parts: Vec<_> = counted.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| count(n, what)).collect();
        if parts.is_empty() {
            return None;
        }
        let place = if self.files.is_empty() { String::new() } else { format!(" in {}", count(self.files.len(), "file")) };
        Some(format!("{}{place}", parts.join(", ")))
    }
}

/// Returns the [`Tally::summary`] of these diagnostics.
pub fn summary<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, sources: &SourceMap) -> Option<String> {
    let mut tally = Tally::default();
    diagnostics.into_iter().for_each(|d| tally.add(d, sources));
    tally.summary()
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
