//! Changes that diagnostics suggest without a fix.

use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::{Source, Span};

/// Returns the replacement if a diagnostic marks one word and suggests another.
pub fn suggested<'d>(diagnostic: &'d Diagnostic, source: &Source) -> Option<(Span, &'d str)> {
    let word = diagnostic.help.as_ref()?.suggested()?;
    let mut span = diagnostic.span();
    let text = source.slice(span);
    let inner = text.trim_matches(['\'', '"']);
    let is_word = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '?');
    let quote = u32::from(inner.len() < text.len());
    (span.start, span.end) = (span.start + quote, span.end.saturating_sub(quote));
    (is_word(inner) && is_word(word) && source.slice(span) == inner).then_some((span, word))
}
