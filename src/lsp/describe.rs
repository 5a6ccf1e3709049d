//! Descriptions of declared names: their syntax and the author's documentation.

use super::cursor::Cursor;
use super::index::{Definition, File};
pub(super) use rtype_author::editor::describe::attribute;
use rtype_author::editor::describe::directive;
use rtype_lang::syntax::ast::{Body, Directive, DirectiveBlock, Expr, ExprKind, Item};

/// Returns the type at the cursor of a file.
pub(super) fn type_name(file: &File, cursor: &Cursor<'_>) -> String {
    rtype_author::editor::describe::type_name(file.ast(), file.source.base(), cursor)
}

/// Returns the first line of a declaration, without its block.
pub(super) fn written(found: &Definition) -> String {
    let source = &found.file.source;
    let at = source.range(found.span).start;
    let text = source.text();
    let start = text.get(..at).and_then(|t| t.rfind(['\n', ';', '{'])).map_or(0, |i| i + 1);
    let line = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default().trim();
    let line = line.split(" {").next().unwrap_or_default().trim_end_matches([',', ' ', '}']);
    line.chars().take(120).collect()
}

/// Returns the author's documentation of a declaration: a `desc`, the description of a feature, or the comment above the declaration.
pub(super) fn author(found: &Definition) -> String {
    let Some(ast) = found.file.ast() else { return String::new() };
    for item in &ast.items {
        match item {
            Item::Type(d) | Item::Provider(d) | Item::Kind(d) | Item::Mixin(d) => {
                if d.name.span == found.span {
                    return desc(&d.body).unwrap_or_else(|| comment(found));
                }
                if let Some(directive) = directive(d, found.span) {
                    return of_directive(directive).unwrap_or_else(|| comment(found));
                }
            }
            Item::Feature(f) if f.test.name.span == found.span => {
                return f.doc.as_ref().and_then(|d| d.plain()).map(|d| d.to_string()).unwrap_or_default();
            }
            _ => {}
        }
    }
    comment(found)
}

fn of_directive(directive: &Directive) -> Option<String> {
    match (&directive.block, directive.args.get(1)) {
        (Some(DirectiveBlock::Body(body)), _) => desc(body),
        (_, Some(Expr { kind: ExprKind::Str(text), .. })) => text.plain().map(|t| t.to_string()),
        _ => None,
    }
}

fn desc(body: &Body) -> Option<String> {
    let said = body.directives.iter().find(|d| d.name.name == "desc")?;
    match said.args.first().map(|a| &a.kind) {
        Some(ExprKind::Str(text)) => text.plain().map(|t| t.to_string()),
        _ => None,
    }
}

/// Returns the comment directly above a declaration.
fn comment(found: &Definition) -> String {
    let text = found.file.source.text();
    let at = found.file.source.range(found.span).start;
    let Some(above) = text.get(..at).and_then(|t| t.rfind('\n')).and_then(|i| text.get(..i)) else { return String::new() };
    let mut lines: Vec<&str> = above.lines().rev().map(str::trim).map_while(|l| l.strip_prefix('#')).map(str::trim).collect();
    lines.reverse();
    lines.join("\n")
}

/// Returns the head of an attribute's declared data type, such as `Integer`.
pub(super) fn data_type(found: &Definition) -> Option<String> {
    rtype_author::editor::describe::data_type(found.file.ast()?, found.span)
}
