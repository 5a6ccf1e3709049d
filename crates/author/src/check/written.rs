//! Finds the source of definitions, and edits the source.

use super::{FileSubject, TypeSubject};
use rtype_lang::diagnostics::Edit;
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Body, Directive, DirectiveBlock, Item};
use rtype_lang::types::AttributeDef;

/// Returns the directive for an attribute, in the type or in a mixin in the same file.
pub(super) fn attribute_directive<'a>(subject: &TypeSubject<'a>, attribute: &AttributeDef) -> Option<&'a Directive> {
    let declares = |d: &&Directive| d.args.first().map_or(d.name.span, |a| a.span) == attribute.span;
    bodies(subject.file).flat_map(|body| body.directives.iter()).find(declares)
}

/// Iterates over the bodies of all items in a file.
pub(super) fn bodies<'a>(file: FileSubject<'a>) -> impl Iterator<Item = &'a Body> {
    file.ast.items.iter().filter_map(|item| match item {
        Item::Type(d) | Item::Provider(d) | Item::Kind(d) | Item::Mixin(d) => Some(&d.body),
        _ => None,
    })
}

/// Inserts a directive at the start of an attribute's body, adding a body if necessary.
pub(super) fn add_directive(source: &Source, directive: &Directive, text: &str) -> Option<Edit> {
    match &directive.block {
        None => Some(Edit { span: Span::new(directive.span.end, directive.span.end), text: format!(" {{ {text} }}") }),
        Some(DirectiveBlock::Body(body)) => {
            let at = body.span.start + 1;
            let place = Span::new(at, at);
            let is_empty = body.directives.is_empty();
            let written = source.slice(body.span);
            let text = if !written.contains('\n') {
                if is_empty { format!(" {text} ") } else { format!(" {text};") }
            } else {
                let indent = body.directives.first().map_or(2, |d| source.position(d.span.start).column as usize - 1);
                format!("\n{}{text}", " ".repeat(indent))
            };
            Some(Edit { span: place, text })
        }
        Some(_) => None,
    }
}

/// Like [`removal`], limited to the type itself: kinds and mixins are shared with other types.
pub(super) fn own_removal(subject: &TypeSubject<'_>, span: Span) -> Option<Edit> {
    subject.declaration.span.contains(span).then(|| removal(subject.file.source, span))
}

/// Removes a directive or item with its line, or with the following `;`.
pub(super) fn removal(source: &Source, span: Span) -> Edit {
    let text = source.text();
    let range = source.range(span);
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let blanks_before = before.len() - before.trim_end_matches([' ', '\t']).len();
    let blanks_after = after.len() - after.trim_start_matches([' ', '\t']).len();
    let rest = after.get(blanks_after..).unwrap_or_default();
    let first_on_line = before.len() == blanks_before || before.trim_end_matches([' ', '\t']).ends_with('\n');
    let range = if first_on_line && (rest.is_empty() || rest.starts_with('\n')) {
        range.start - blanks_before..range.end + blanks_after + usize::from(!rest.is_empty())
    } else if rest.starts_with(';') {
        let behind = rest.get(1..).unwrap_or_default();
        range.start..range.end + blanks_after + 1 + (behind.len() - behind.trim_start_matches([' ', '\t']).len())
    } else {
        let kept = before.get(..before.len() - blanks_before).unwrap_or_default();
        let start = if kept.ends_with(';') { kept.len() - 1 } else { range.start - blanks_before };
        start..range.end
    };
    Edit { span: source.span_of(range), text: String::new() }
}
