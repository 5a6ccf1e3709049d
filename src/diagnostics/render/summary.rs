//! The last line of a run.

use crate::diagnostics::{Diagnostic, Severity};
use crate::source::SourceMap;
use std::collections::HashSet;

/// `3 errors, 1 warning in 2 files`; `None` when there is nothing to count.
///
/// A file counts when the main place of a diagnostic lies in it.
pub fn summary<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, sources: &SourceMap) -> Option<String> {
    let (mut errors, mut warnings, mut notes) = (0, 0, 0);
    let mut files = HashSet::new();
    for diagnostic in diagnostics {
        match diagnostic.severity {
            Severity::Error => errors += 1,
            Severity::Warning => warnings += 1,
            Severity::Note => notes += 1,
        }
        files.extend(sources.find(diagnostic.span()).map(|s| s.base()));
    }
    let counted = [(errors, "error"), (warnings, "warning"), (notes, "note")];
    let parts: Vec<_> = counted.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| count(n, what)).collect();
    if parts.is_empty() {
        return None;
    }
    let place = if files.is_empty() { String::new() } else { format!(" in {}", count(files.len(), "file")) };
    Some(format!("{}{place}", parts.join(", ")))
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
