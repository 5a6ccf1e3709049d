//! Properties of the parser of Puppet's language, for any source.

use super::layout::{self, Language};
use rtype_lang::source::SourceMap;
use rtype_manifest::syntax::{Form, parse, pn};

/// Parses a source as manifest and as template, and asserts the properties: the tokens are in order and inside the source, the tree can be
/// printed, and the formatter keeps the meaning of a manifest without errors.
pub fn text(text: &str) {
    let Ok(source) = SourceMap::new().add("fuzz.pp", text) else { return };
    for form in [Form::Manifest, Form::Template] {
        let parsed = parse(&source, form);
        let mut end = 0;
        for token in &parsed.tokens.tokens {
            assert!(token.start >= end && token.end >= token.start && token.end as usize <= text.len(), "{token:?} in\n{text}");
            end = token.start;
        }
        let spans = parsed.diagnostics.iter().map(|d| d.span());
        assert!(spans.into_iter().all(|span| source.span().contains(span)), "a diagnostic outside of the source:\n{text}");
        pn(&parsed.tree);
    }
    layout::holds(text, Language::Manifest, 100);
}
