//! `--since`: keeps findings in changed lines, and findings about changed types and resources.

use crate::app::input::ChangedLines;
use rtype_author::check::{Checked, Input};
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::syntax::ast::Item;
use rtype_lang::syntax::parse_types;
use std::collections::HashSet;

/// Removes findings outside of changed lines, changed items and resources of changed types. Findings without a location are kept.
pub(super) fn keep_changed(checked: &mut Checked, inputs: &[Input], changes: &ChangedLines, sources: &SourceMap) {
    let touches = |span: Span| {
        let source = sources.find(span)?;
        Some(changes.touch(source.name(), source.line(span.start)..=source.line(span.end)))
    };
    let types = changed_types(inputs, changes);
    let is_of_changed_type = |item: &str| item.split_once('[').is_some_and(|(name, _)| types.contains(&name.to_lowercase()));
    // The span of an unknown-type finding is the name of the type.
    let is_removed_type = |span: Span| changes.removed_types().contains(&sources.slice(span).to_lowercase());
    checked.findings.retain(|finding| {
        let span = finding.diagnostic.span();
        let is_changed = touches(span).is_none_or(|touches| touches) || touches(finding.scope).unwrap_or(false);
        is_changed || is_of_changed_type(&finding.item) || is_removed_type(span)
    });
}

/// Returns the names of types with a changed or removed declaration.
fn changed_types(inputs: &[Input], changes: &ChangedLines) -> HashSet<String> {
    let mut types = changes.removed_types().clone();
    for input in inputs {
        let Input::Types(source, _) = input else { continue };
        if !changes.touch(source.name(), 1..=u32::MAX) {
            continue;
        }
        for item in &parse_types(source).0.items {
            let (span, Item::Type(declaration)) = (item.span(), item) else { continue };
            if changes.touch(source.name(), source.line(span.start)..=source.line(span.end)) {
                types.insert(declaration.name.name.to_lowercase().to_string());
            }
        }
    }
    types
}
