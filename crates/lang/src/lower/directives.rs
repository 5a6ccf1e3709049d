//! Checks that directives are allowed in their bodies, and extracts their arguments.

use super::Sink;
use super::block::Bindings;
use super::refused::{DirectiveScope, refused};
use super::words::{ATTRIBUTE_DIRECTIVES, PROVIDER_DIRECTIVES, TYPE_DIRECTIVES, Word, options_of};
use crate::diagnostics::{Code, Diagnostic, Help, did_you_mean, nearest};
use crate::source::Span;
use crate::syntax::ast::{Body, Closure, Directive, DirectiveBlock, Expr, ExprKind, Opt};

/// Reports a directive not allowed here.
pub(super) fn unknown(directive: &Directive, here: &[&'static str], place: &str, sink: &Sink) {
    let name = directive.name.name.as_str();
    let span = directive.name.span;
    let body = match place {
        "a provider" => DirectiveScope::Provider,
        "an attribute" | "the `provider` attribute" => DirectiveScope::Attribute,
        _ => DirectiveScope::Type,
    };
    if refused(directive, body, sink) {
        return;
    }
    if let Some(near) = nearest(name, here.iter().copied()) {
        let d = Diagnostic::new(Code::UnknownDirective, span, format!("unknown directive `{name}` in {place}"));
        sink.report(d.help(Help::suggestion(near)));
        return;
    }
    let elsewhere = [("a type", TYPE_DIRECTIVES), ("an attribute", ATTRIBUTE_DIRECTIVES), ("a provider", PROVIDER_DIRECTIVES)];
    if let Some((home, _)) = elsewhere.iter().find(|(_, list)| list.contains(&name)) {
        let d = Diagnostic::new(Code::MisplacedDirective, span, format!("`{name}` does not belong in {place}"));
        sink.report(d.help(format!("move it into the body of {home}")));
        return;
    }
    let d = Diagnostic::new(Code::UnknownDirective, span, format!("unknown directive `{name}` in {place}"));
    sink.report(d.help(format!("use one of {}", here.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "))));
}

/// Returns the directive `name` in a body.
pub(super) fn body_directive<'a>(body: &'a Body, name: &str) -> Option<&'a Directive> {
    body.directives.iter().find(|directive| directive.name.name == name)
}

/// A directive with the parameters of the kind or mixin that contains it.
pub(super) struct Placed<'a> {
    pub directive: &'a Directive,
    pub bindings: Bindings,
}

/// Reports options that the directive does not have.
pub(super) fn only_options(options: &[Opt], of: &str, sink: &Sink) {
    let known = options_of(of);
    for (i, option) in options.iter().enumerate() {
        let name = option.name.name.as_str();
        if !known.contains(&name) {
            let d = Diagnostic::new(Code::UnknownOption, option.name.span, format!("`{of}` has no option `{name}`"));
            let none = known.is_empty().then(|| Help::from("it takes none"));
            sink.report(d.maybe_help(in_body(of, name).or_else(|| did_you_mean(name, known.iter().copied())).or(none)));
        } else if options.iter().take(i).any(|o| o.name.name == name) {
            sink.error(Code::DuplicateDirective, option.name.span, format!("the option `{name}` is given twice"));
        }
    }
}

/// Returns the help for an option that must be written as a directive in the body.
fn in_body(of: &str, option: &str) -> Option<Help> {
    const SYNONYMS: &[(&str, &str)] = &[
        ("values", "newvalues"),
        ("value", "newvalue"),
        ("choices", "newvalues"),
        ("enum", "newvalues"),
        ("default", "defaultto"),
        ("doc", "desc"),
        ("description", "desc"),
    ];
    let directive = SYNONYMS.iter().find(|(name, _)| *name == option).map_or(option, |(_, ours)| *ours);
    let fits = matches!(of, "newparam" | "newproperty" | "ensurable") && ATTRIBUTE_DIRECTIVES.contains(&directive);
    fits.then(|| format!("write it in the body: `{of} NAME {{ {directive} … }}`").into())
}

/// Reports options, conditions and blocks that the directive's syntax in the keyword table does not allow.
pub(super) fn only_parts(directive: &Directive, table: &[Word], sink: &Sink) {
    let name = directive.name.name.as_str();
    let Some(word) = table.iter().find(|word| word.name == name) else { return };
    if !word.names_options() {
        only_options(&directive.options, name, sink);
    }
    if !word.takes_condition() {
        no_condition(directive, word.takes_block(), sink);
    }
    if !word.takes_block() {
        no_block(directive, sink);
    }
}

/// Reports the condition of a directive without conditions.
pub(super) fn no_condition(directive: &Directive, has_block: bool, sink: &Sink) {
    if let Some(condition) = &directive.condition {
        let message = format!("`{}` takes no condition", directive.name.name);
        let help = if has_block { "move the condition into the block" } else { "delete the condition: the directive always applies" };
        sink.report(Diagnostic::new(Code::WrongArgument, condition.test.span, message).help(help));
    }
}

/// Returns the value of an option.
pub(super) fn option<'a>(options: &'a [Opt], name: &str) -> Option<&'a Expr> {
    options.iter().find(|o| o.name.name == name).map(|o| &o.value)
}

/// Returns `true` if the number of arguments is right. Otherwise reports the number.
pub(super) fn arity(directive: &Directive, min: usize, max: usize, example: &str, sink: &Sink) -> bool {
    let given = directive.args.len();
    // Arguments with syntax errors have been reported.
    if directive.args.iter().any(|argument| matches!(argument.kind, ExprKind::Error)) {
        return given >= min && given <= max;
    }
    if (min..=max).contains(&given) {
        return true;
    }
    let takes = match (min, max) {
        (0, 0) => "no argument".to_owned(),
        (a, b) if a == b => format!("{a} argument{}", if a == 1 { "" } else { "s" }),
        (a, usize::MAX) => format!("at least {a} argument{}", if a == 1 { "" } else { "s" }),
        (a, b) => format!("{a} to {b} arguments"),
    };
    let span = directive.args.get(max).map_or(directive.name.span, |extra| extra.span);
    // `required_features: f, g`: the second value is meant to belong to the option.
    if let Some(option) = directive.options.iter().rev().find(|option| option.value.span.end <= span.start)
        && directive.args.get(max).is_some()
    {
        let name = &option.name.name;
        let d = Diagnostic::new(Code::WrongArity, span, format!("this is not a part of the value of `{name}`"));
        sink.report(d.help(format!("write several values as a list: `{name}: [a, b]`")));
        return false;
    }
    let d = Diagnostic::new(Code::WrongArity, span, format!("`{}` takes {takes}, not {given}", directive.name.name));
    sink.report(d.help(format!("write `{example}`")));
    false
}

/// Returns the statement block of a directive that requires a block, and reports a missing block.
pub(super) fn code<'a>(directive: &'a Directive, example: &str, sink: &Sink) -> Option<&'a Closure> {
    match &directive.block {
        Some(DirectiveBlock::Code(closure)) => Some(closure),
        _ => {
            let d = Diagnostic::new(Code::WrongArgument, directive.name.span, format!("`{}` needs a block", directive.name.name));
            sink.report(d.help(format!("write `{example}`")));
            None
        }
    }
}

/// Reports the block of a directive without blocks.
fn no_block(directive: &Directive, sink: &Sink) {
    let span = match &directive.block {
        Some(DirectiveBlock::Code(c)) => c.span,
        Some(DirectiveBlock::Body(b)) => b.span,
        _ => return,
    };
    sink.error(Code::WrongArgument, span, format!("`{}` takes no block", directive.name.name));
}

/// Returns the directives in the body of `newparam` and similar directives, if the directive has a body.
pub(super) fn body(directive: &Directive) -> Option<&Body> {
    match &directive.block {
        Some(DirectiveBlock::Body(body)) => Some(body),
        _ => None,
    }
}

/// Returns the name in a bare word, and reports anything else.
pub(super) fn word<'a>(expr: &'a Expr, what: &str, sink: &Sink) -> Option<(&'a str, Span)> {
    match &expr.kind {
        ExprKind::Word(w) | ExprKind::Symbol(w) => Some((w, expr.span)),
        // Names that other places read as literals, as in `newvalue true`.
        ExprKind::Bool(true) => Some(("true", expr.span)),
        ExprKind::Bool(false) => Some(("false", expr.span)),
        ExprKind::Error => None,
        _ => {
            let d = Diagnostic::new(Code::WrongArgument, expr.span, format!("{what} is expected here, as a bare word"));
            let plain = match &expr.kind {
                ExprKind::Str(text) => text.plain(),
                _ => None,
            };
            let written = plain.map(|plain| if plain.contains([',', ' ']) { list_of(&plain) } else { plain.to_string() });
            sink.report(d.maybe_help(written.map(|written| format!("write `{written}`, without quotes"))));
            None
        }
    }
}

/// Writes the names in a source as a list: `f, g` becomes `[f, g]`.
fn list_of(text: &str) -> String {
    let names: Vec<_> = text.split([',', ' ']).filter(|name| !name.is_empty()).collect();
    format!("[{}]", names.join(", "))
}

/// Returns the names in a word or list of words, and reports anything else.
pub(super) fn words<'a>(expr: &'a Expr, what: &str, sink: &Sink) -> Vec<(&'a str, Span)> {
    match &expr.kind {
        ExprKind::Array(items) => items.iter().filter_map(|e| word(e, what, sink)).collect(),
        ExprKind::Words(items) => items.iter().map(|w| (w.as_str(), expr.span)).collect(),
        _ => word(expr, what, sink).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests;
