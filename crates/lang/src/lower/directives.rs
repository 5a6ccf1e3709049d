//! Where directives may stand, and how their arguments are taken apart.

use super::Sink;
use super::block::Bindings;
use super::refused::{Place, refused};
use super::words::{ATTRIBUTE_DIRECTIVES, PROVIDER_DIRECTIVES, TYPE_DIRECTIVES, options_of};
use crate::diagnostics::{Code, Diagnostic, did_you_mean, nearest};
use crate::source::Span;
use crate::syntax::ast::{Body, Closure, Directive, DirectiveBlock, Expr, ExprKind, Opt};

/// Reports a directive that does not belong where it stands.
pub(super) fn unknown(directive: &Directive, here: &[&'static str], place: &str, sink: &Sink) {
    let name = directive.name.name.as_str();
    let span = directive.name.span;
    let body = match place {
        "a provider" => Place::Provider,
        "an attribute" | "the `provider` attribute" => Place::Attribute,
        _ => Place::Type,
    };
    if refused(directive, body, sink) {
        return;
    }
    if let Some(near) = nearest(name, here.iter().copied()) {
        let d = Diagnostic::new(Code::UnknownDirective, span, format!("unknown directive `{name}` in {place}"));
        sink.report(d.help(format!("did you mean `{near}`?")));
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

/// The directive of this name in a body.
pub(super) fn body_directive<'a>(body: &'a Body, name: &str) -> Option<&'a Directive> {
    body.directives.iter().find(|directive| directive.name.name == name)
}

/// A directive with the parameters of the kind or mixin it comes from.
pub(super) struct Placed<'a> {
    pub directive: &'a Directive,
    pub bindings: Bindings,
}

/// Reports options that the directive does not know.
pub(super) fn only_options(options: &[Opt], of: &str, sink: &Sink) {
    let known = options_of(of);
    for (i, option) in options.iter().enumerate() {
        let name = option.name.name.as_str();
        if !known.contains(&name) {
            let d = Diagnostic::new(Code::UnknownOption, option.name.span, format!("`{of}` has no option `{name}`"));
            let none = known.is_empty().then(|| "it takes none".to_owned());
            sink.report(d.maybe_help(in_body(of, name).or_else(|| did_you_mean(name, known.iter().copied())).or(none)));
        } else if options.iter().take(i).any(|o| o.name.name == name) {
            sink.error(Code::DuplicateDirective, option.name.span, format!("the option `{name}` is given twice"));
        }
    }
}

/// What to write for an option that is a directive of the body.
fn in_body(of: &str, option: &str) -> Option<String> {
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
    fits.then(|| format!("write it in the body: `{of} NAME {{ {directive} … }}`"))
}

/// The value of an option.
pub(super) fn option<'a>(options: &'a [Opt], name: &str) -> Option<&'a Expr> {
    options.iter().find(|o| o.name.name == name).map(|o| &o.value)
}

/// Reports another number of arguments than the directive takes.
pub(super) fn arity(directive: &Directive, min: usize, max: usize, example: &str, sink: &Sink) -> bool {
    let given = directive.args.len();
    // What could not be read has been reported.
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
    let d = Diagnostic::new(Code::WrongArity, span, format!("`{}` takes {takes}, not {given}", directive.name.name));
    sink.report(d.help(format!("write `{example}`")));
    false
}

/// The block of statements behind a directive that needs one.
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

/// Reports a block behind a directive that takes none.
pub(super) fn no_block(directive: &Directive, sink: &Sink) {
    let span = match &directive.block {
        Some(DirectiveBlock::Code(c)) => c.span,
        Some(DirectiveBlock::Body(b)) => b.span,
        _ => return,
    };
    sink.error(Code::WrongArgument, span, format!("`{}` takes no block", directive.name.name));
}

/// The body of directives behind `newparam` and the like; nothing where no braces stand.
pub(super) fn body(directive: &Directive) -> Option<&Body> {
    match &directive.block {
        Some(DirectiveBlock::Body(body)) => Some(body),
        _ => None,
    }
}

/// A bare word (or a string) as a name.
pub(super) fn word<'a>(expr: &'a Expr, what: &str, sink: &Sink) -> Option<(&'a str, Span)> {
    match &expr.kind {
        ExprKind::Word(w) | ExprKind::Symbol(w) => Some((w, expr.span)),
        // `newvalue true` and the like: a name that happens to be a literal.
        ExprKind::Bool(true) => Some(("true", expr.span)),
        ExprKind::Bool(false) => Some(("false", expr.span)),
        ExprKind::Error => None,
        _ => {
            let d = Diagnostic::new(Code::WrongArgument, expr.span, format!("{what} is expected here, as a bare word"));
            let plain = match &expr.kind {
                ExprKind::Str(text) => text.plain(),
                _ => None,
            };
            sink.report(d.maybe_help(plain.map(|plain| format!("write `{plain}`, without quotes"))));
            None
        }
    }
}

/// A word or a list of words.
pub(super) fn words<'a>(expr: &'a Expr, what: &str, sink: &Sink) -> Vec<(&'a str, Span)> {
    match &expr.kind {
        ExprKind::Array(items) => items.iter().filter_map(|e| word(e, what, sink)).collect(),
        ExprKind::Words(items) => items.iter().map(|w| (w.as_str(), expr.span)).collect(),
        _ => word(expr, what, sink).into_iter().collect(),
    }
}
