//! The formatter of manifests: indentation, blanks, aligned arrows and trailing commas. Line breaks, blank lines and comments stay.

mod facts;
mod items;
mod layout;
mod spacing;

use crate::syntax::{Form, Parsed, parse, pn};
use rtype_lang::source::{Source, SourceMap};

/// Returns the formatted text of a manifest without errors. `None` if it has errors.
///
/// The formatted text has the same tree and the same comments; if it had not, the text would be returned unchanged.
pub fn format(source: &Source, parsed: &Parsed) -> Option<String> {
    if parsed.diagnostics.iter().any(|d| d.is_error()) || parsed.tree.template.is_some() {
        return None;
    }
    let text = source.text();
    let Some(items) = items::items(text, &parsed.tokens) else { return Some(text.to_owned()) };
    let facts = facts::Facts::of(source, &parsed.tree, &parsed.tokens);
    let formatted = layout::layout(text, &items, &facts);
    Some(if keeps_meaning(text, parsed, &formatted) { formatted } else { text.to_owned() })
}

fn keeps_meaning(text: &str, parsed: &Parsed, formatted: &str) -> bool {
    let Ok(source) = SourceMap::new().add("formatted.pp", formatted) else { return false };
    let again = parse(&source, Form::Manifest);
    let comments = |text: &str, parsed: &Parsed| -> Vec<String> {
        let comment =
            |c: &crate::syntax::token::Trivia| text.get(c.start as usize..c.end as usize).unwrap_or_default().trim_end().to_owned();
        parsed.tokens.comments.iter().map(comment).collect()
    };
    pn(&parsed.tree) == pn(&again.tree) && comments(text, parsed) == comments(formatted, &again)
}
