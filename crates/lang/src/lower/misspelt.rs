//! Corrects misspelled directives and options. Each mistake is reported once, and the word is then treated as the intended word.
//!
//!
//! Otherwise everything that the misspelled word declares (an attribute's namevar, a value, a feature) would be reported as missing at
//! each use as well.

use super::Sink;
use super::refused::{DirectiveScope, is_refused};
use super::words::{ATTRIBUTE_DIRECTIVES, TYPE_DIRECTIVES, options_of};
use crate::diagnostics::{Code, Diagnostic, Help, nearest};
use crate::syntax::ast::{Ast, Body, Directive, DirectiveBlock, Item, Opt};
use std::borrow::Cow;

/// Returns the file with misspelled words replaced, and reports each misspelled word.
pub(super) fn corrected<'a>(file: &'a Ast, sink: &Sink) -> Cow<'a, Ast> {
    let is_wrong = |item: &Item| match item {
        Item::Type(d) | Item::Mixin(d) => has_misspelt(&d.body, DirectiveScope::Type),
        Item::Kind(d) => has_misspelt(&d.body, DirectiveScope::Attribute),
        _ => false,
    };
    if !file.items.iter().any(is_wrong) {
        return Cow::Borrowed(file);
    }
    let mut file = file.clone();
    for item in &mut file.items {
        match item {
            Item::Type(d) => correct(&mut d.body, DirectiveScope::Type, "a type", sink),
            Item::Mixin(d) => correct(&mut d.body, DirectiveScope::Type, "a mixin", sink),
            Item::Kind(d) => correct(&mut d.body, DirectiveScope::Attribute, "an attribute", sink),
            _ => {}
        }
    }
    Cow::Owned(file)
}

fn has_misspelt(body: &Body, place: DirectiveScope) -> bool {
    body.directives.iter().any(|directive| {
        meant(directive, place).is_some()
            || directive.options.iter().any(|option| meant_option(directive, option).is_some())
            || inner(directive).is_some_and(|body| has_misspelt(body, DirectiveScope::Attribute))
    })
}

fn correct(body: &mut Body, place: DirectiveScope, place_name: &str, sink: &Sink) {
    for directive in &mut body.directives {
        if let Some(meant) = meant(directive, place) {
            let word = &mut directive.name;
            let message = format!("unknown directive `{}` in {place_name}", word.name);
            sink.report(Diagnostic::new(Code::UnknownDirective, word.span, message).help(Help::suggestion(meant)));
            word.name = meant.into();
        }
        let options: Vec<_> = directive.options.iter().map(|option| meant_option(directive, option)).collect();
        for (option, meant) in directive.options.iter_mut().zip(options) {
            let Some(meant) = meant else { continue };
            let message = format!("`{}` has no option `{}`", directive.name.name, option.name.name);
            sink.report(Diagnostic::new(Code::UnknownOption, option.name.span, message).help(Help::suggestion(meant)));
            option.name.name = meant.into();
        }
        if is_attribute(directive)
            && let Some(DirectiveBlock::Body(body)) = &mut directive.block
        {
            correct(body, DirectiveScope::Attribute, "an attribute", sink);
        }
    }
}

fn is_attribute(directive: &Directive) -> bool {
    matches!(directive.name.name.as_str(), "newparam" | "newproperty" | "ensurable")
}

fn inner(directive: &Directive) -> Option<&Body> {
    match &directive.block {
        Some(DirectiveBlock::Body(body)) if is_attribute(directive) => Some(body),
        _ => None,
    }
}

/// Returns the directive that the author probably intended, if the word is unknown in this body.
fn meant(directive: &Directive, place: DirectiveScope) -> Option<&'static str> {
    let word = directive.name.name.as_str();
    let here = if place == DirectiveScope::Type { TYPE_DIRECTIVES } else { ATTRIBUTE_DIRECTIVES };
    if word.is_empty() || here.contains(&word) || is_refused(word, place) {
        return None;
    }
    // A directive with a body has been parsed differently, so it cannot be corrected here.
    nearest(word, here.iter().copied())
        .filter(|meant| !matches!(*meant, "newparam" | "newproperty" | "ensurable" | "title_patterns" | "fn" | "const"))
}

fn meant_option(directive: &Directive, option: &Opt) -> Option<&'static str> {
    let known = options_of(&directive.name.name);
    let word = option.name.name.as_str();
    let is_given = |name: &str| directive.options.iter().any(|o| o.name.name == name);
    if known.contains(&word) {
        return None;
    }
    nearest(word, known.iter().copied()).filter(|meant| !is_given(meant))
}
