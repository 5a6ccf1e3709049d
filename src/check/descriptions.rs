//! The descriptions of a type as they are written, and the examples in them.

use super::TypeSubject;
use crate::source::{Source, Span};
use crate::syntax::ast::{Body, DirectiveBlock, ExprKind, StrLit};

/// The texts of `desc` in a type: of the type itself and of what stands in it, each with the place of the name that it describes.
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

/// The Puppet code in a description: what stands between the lines ```` ```puppet ```` and ```` ``` ````.
pub(super) fn examples(doc: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut lines = doc.lines();
    while let Some(line) = lines.next() {
        let Some(indent) = line.find("```puppet").filter(|at| line.get(..*at).is_some_and(|b| b.trim().is_empty())) else { continue };
        let inside = lines.by_ref().take_while(|l| !l.trim_start().starts_with("```"));
        all.push(inside.map(|l| format!("{}\n", l.get(indent..).unwrap_or(l.trim_start()))).collect());
    }
    all
}

/// Where a piece of a description stands in the source; the whole text where that cannot be told.
pub(super) fn place(source: &Source, text: &StrLit, piece: &str) -> Span {
    let written = source.slice(text.span);
    let start = source.range(text.span).start;
    match written.find(piece).filter(|_| !piece.is_empty()) {
        Some(at) => source.span_of(start + at..start + at + piece.len()),
        None => text.span,
    }
}
