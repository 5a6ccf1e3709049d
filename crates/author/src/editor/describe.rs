//! Descriptions for editors, in Markdown.

use super::cursor::Cursor;
use crate::docs::{DefaultDoc, comparison, default_of, matches};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Ast, Declaration, Directive, DirectiveBlock, ExprKind, Item, TestStep};
use rtype_lang::types::{AttributeDef, Role, TypeDef};
use std::fmt::Write;

/// Describes an attribute of a loaded type.
pub fn attribute(type_def: &TypeDef, a: &AttributeDef) -> String {
    let mut out = format!("{}\n", a.doc.trim());
    let mut line = |head: &str, text: &str| {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n- {head}{text}");
    };
    if type_def.namevars.iter().any(|id| type_def.attribute(*id).is_some_and(|n| n.name == a.name)) {
        line("namevar", "");
    }
    if a.required.is_some() {
        line("required", "");
    }
    if a.sensitive {
        line("sensitive, always redacted", "");
    }
    if let Some(why) = &a.readonly {
        line("cannot be set: ", why);
    }
    if let Some(instead) = &a.deprecated {
        line("deprecated: ", instead);
    }
    if let Some(data_type) = &a.data_type {
        line("type: ", &format!("`{data_type}`"));
    }
    let values: Vec<String> = a.values.literals().map(|v| format!("`{v}`")).chain(a.values.regexes().map(|r| format!("`{r}`"))).collect();
    if !values.is_empty() {
        line("values: ", &values.join(", "));
    }
    let aliases: Vec<String> = a.values.aliases.iter().map(|x| format!("`{}` for `{}`", x.name, x.target)).collect();
    if !aliases.is_empty() {
        line("aliases: ", &aliases.join(", "));
    }
    for pattern in matches(&a.validate) {
        line("must match: ", &format!("`{}`", pattern.regex));
    }
    match default_of(a) {
        Some(DefaultDoc::Value { text, .. }) if !a.sensitive => line("default: ", &format!("`{text}`")),
        Some(DefaultDoc::Computed { values }) if values.is_empty() => line("default: ", "computed"),
        Some(DefaultDoc::Computed { values }) => line("default: ", &format!("`{}`, computed", values.join("` or `"))),
        _ => {}
    }
    if a.role == Role::Property && comparison(a) != "exact" {
        line("compared by: ", comparison(a));
    }
    if !a.required_features.is_empty() {
        let names: Vec<String> = a.required_features.iter().map(|f| format!("`{f}`")).collect();
        line("needs: ", &names.join(", "));
    }
    out
}

/// Returns the type at the cursor: the enclosing type, the type of the provider at the cursor, or the type under test. `base` is the
/// start position of the source with the tree `ast`.
pub fn type_name(ast: Option<&Ast>, base: u32, cursor: &Cursor<'_>) -> String {
    let line = cursor.line();
    let provided = || line.windows(3).find_map(|words| if let ["for", ":", name] = words { Some(*name) } else { None });
    let named = cursor.type_name().or_else(provided).map(str::to_owned);
    named.or_else(|| tested_type(ast?, base + cursor.start as u32)).unwrap_or_default()
}

/// Returns the type under test at a position.
fn tested_type(ast: &Ast, at: u32) -> Option<String> {
    let around = |s: Span| s.start <= at && at <= s.end;
    ast.items.iter().find_map(|i| match i {
        Item::Test(t) if around(t.span) => {
            t.steps.iter().find_map(|s| if let TestStep::Declare(r) = s { Some(r.type_name.name.to_string()) } else { None })
        }
        _ => None,
    })
}

/// Returns the directive that declares the name at a location.
pub fn directive(d: &Declaration, span: Span) -> Option<&Directive> {
    d.body.directives.iter().find(|x| x.name.span == span || x.args.first().is_some_and(|a| a.span.contains(span)))
}

/// Returns the head of an attribute's data type, if the author wrote a data type.
pub fn data_type(ast: &Ast, attribute: Span) -> Option<String> {
    let declaration = ast.items.iter().find_map(|i| match i {
        Item::Type(d) | Item::Mixin(d) => directive(d, attribute),
        _ => None,
    })?;
    let Some(DirectiveBlock::Body(body)) = &declaration.block else { return None };
    let argument = body.directives.iter().find(|d| d.name.name == "type")?.args.first()?;
    let mut e = argument;
    while let ExprKind::Index(of, _) = &e.kind {
        e = of;
    }
    match &e.kind {
        ExprKind::Word(w) | ExprKind::Name(w) => Some(w.to_string()),
        _ => None,
    }
}
