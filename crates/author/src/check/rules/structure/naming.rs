//! What it does: Reports unusual names: lower case with `_` is expected for types, attributes, features, providers, kinds,
//! mixins and functions, upper case for constants.
//!
//! Why: Users write these names in resources. An unusual name is easily misspelled, and Puppet does not accept upper case in
//! names of types and attributes.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty handleColor
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty handle_color
//! }
//! ```

use crate::check::{FileSubject, Sink};
use rtype_lang::syntax::ast::{Directive, DirectiveBlock, ExprKind, Ident, Item};

pub fn check(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    let is_ruby = file.is_ruby();
    let mut named = |what: &str, name: &str, span, capitals: bool| {
        // In Ruby, a leading `_` marks something as internal.
        let name = name.strip_prefix('_').filter(|_| is_ruby).unwrap_or(name);
        if is_usual(name, capitals) {
            return;
        }
        let usual = if capitals { name.to_uppercase() } else { usual(name) };
        let found = sink.finding(span, format!("the {what} `{name}` is not written as usual"));
        sink.report(found.help(format!("call it `{usual}`")));
    };
    let mut ident = |what: &str, ident: &Ident, capitals: bool| named(what, &ident.name, ident.span, capitals);
    for item in &file.ast.items {
        match item {
            Item::Type(d) => ident("type", &d.name, false),
            Item::Provider(d) => ident("provider", &d.name, false),
            Item::Kind(d) => ident("kind", &d.name, false),
            Item::Mixin(d) => ident("mixin", &d.name, false),
            Item::Fn(f) => ident("function", &f.name, false),
            Item::Feature(f) => ident("feature", &f.test.name, false),
            Item::Const(c) => ident("constant", &c.name, true),
            Item::TypeAlias(_) | Item::Use(_) | Item::Test(_) | Item::Error(_) => {}
        }
        if let Item::Type(d) | Item::Mixin(d) = item {
            for directive in &d.body.directives {
                if let Some(DirectiveBlock::Fn(f)) = &directive.block {
                    ident("function", &f.name, false);
                } else if let Some((what, name)) = declared(directive) {
                    ident(what, &name, false);
                }
            }
        }
    }
}

/// Returns the kind and name of the item that a directive declares.
fn declared(directive: &Directive) -> Option<(&'static str, Ident)> {
    let what = match directive.name.name.as_str() {
        "newparam" => "param",
        "newproperty" => "property",
        "feature" => "feature",
        _ => return None,
    };
    let first = directive.args.first()?;
    let ExprKind::Word(name) = &first.kind else { return None };
    Some((what, Ident { name: name.clone(), span: first.span }))
}

fn is_usual(name: &str, capitals: bool) -> bool {
    let name = name.strip_suffix('?').unwrap_or(name);
    let letter = |c: char| if capitals { c.is_ascii_uppercase() } else { c.is_ascii_lowercase() };
    name.starts_with(letter)
        && name.chars().all(|c| letter(c) || c.is_ascii_digit() || c == '_')
        && !name.ends_with('_')
        && !name.contains("__")
}

/// Converts `handleColor` to `handle_color`.
fn usual(name: &str) -> String {
    let mut out = String::new();
    let mut after_small = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && after_small {
            out.push('_');
        }
        if c != '_' || !(out.is_empty() || out.ends_with('_')) {
            out.extend(c.to_lowercase());
        }
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}
