//! The descriptions in the source of a type.

use super::TypeSubject;
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Body, DirectiveBlock, ExprKind, StrLit};

/// Returns the `desc` strings in a type and its items, each with the span of the described name.
pub(super) fn descriptions<'a>(subject: &TypeSubject<'a>) -> Vec<(Span, &'a StrLit)> {
    let mut all = Vec::new();
    within(&subject.declaration.body, subject.type_def.span, &mut all);
    all
}

fn within<'a>(body: &'a Body, of: Span, all: &mut Vec<(Span, &'a StrLit)>) {
    for directive in &body.directives {
        if directive.name.name == "desc"
            && let Some(ExprKind::Str(text)) = directive.args.first().map(|a| &a.kind)
        {
            all.push((of, text));
        }
        if let Some(DirectiveBlock::Body(inner)) = &directive.block {
            within(inner, directive.args.first().map_or(directive.name.span, |a| a.span), all);
        }
    }
}

/// Returns the span of a part in a description, or the whole description's span if the part is not found.
pub(super) fn place(source: &Source, text: &StrLit, piece: &str) -> Span {
    let written = source.slice(text.span);
    let start = source.range(text.span).start;
    match written.find(piece).filter(|_| !piece.is_empty()) {
        Some(at) => source.span_of(start + at..start + at + piece.len()),
        None => text.span,
    }
}
