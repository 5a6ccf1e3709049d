//! Directives for code that many types share.

use crate::lower::build;
use rtype_lang::syntax::ast::{BinaryOp, Body, Closure, Condition, Directive, DirectiveBlock, Expr, ExprKind, Opt};

/// Placeholders for secrets in OpenStack's modules, which the kind `ini_value` uses as well.
const SECRETS: (&str, &str) = ("[old secret redacted]", "[new secret redacted]");

/// Rewrites the directives of an attribute.
pub fn rewrite_attribute(attribute: &mut Directive) {
    let all = has_option(attribute, "array_matching");
    let has_kind = has_option(attribute, "kind");
    let Some(DirectiveBlock::Body(body)) = &mut attribute.block else { return };
    readonly(body);
    if all && !has_kind {
        intersect(body);
    }
    let is_ini = !has_kind && only(body, "munge").is_some_and(|(_, code)| is_ini_munge(code));
    let secret = redacted(body, is_ini);
    if is_ini && let Some((at, _)) = only(body, "munge") {
        body.directives.remove(at);
        let name = build::ident("ini_value");
        let args: Vec<Expr> = secret.iter().map(|attribute| build::expr(ExprKind::Word(attribute.as_str().into()))).collect();
        let call = rtype_lang::syntax::ast::Call { name, parens: !args.is_empty(), args, named: Vec::new(), closure: None };
        let value = if call.parens { build::expr(ExprKind::Call(call)) } else { build::expr(ExprKind::Word("ini_value".into())) };
        attribute.options.push(Opt { name: build::ident("kind"), value });
    }
}

fn has_option(directive: &Directive, name: &str) -> bool {
    directive.options.iter().any(|option| option.name.name == name)
}

/// Returns the only directive of this name, if it has code.
fn only<'b>(body: &'b Body, name: &str) -> Option<(usize, &'b Closure)> {
    let mut all = body.directives.iter().enumerate().filter(|(_, directive)| directive.name.name == name);
    let (at, directive) = all.next().filter(|(_, directive)| !directive.is_override)?;
    match (&directive.block, all.next()) {
        (Some(DirectiveBlock::Code(code)), None) => Some((at, code)),
        _ => None,
    }
}

/// Returns whether the attribute has one of these directives, or leaves its code in Ruby.
fn says(body: &Body, names: &[&str]) -> bool {
    let is_left = |directive: &Directive| {
        directive.name.name == "untranslated"
            && matches!(directive.args.first().map(|arg| &arg.kind), Some(ExprKind::Word(word)) if names.contains(&word.as_str()))
    };
    body.directives.iter().any(|directive| names.contains(&directive.name.name.as_str()) || is_left(directive))
}

fn text_of(value: &Expr) -> Option<&str> {
    use rtype_lang::syntax::ast::StrPart;
    match &value.kind {
        ExprKind::Str(text) => match text.parts.as_slice() {
            [StrPart::Text(text)] => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn is_name(value: &Expr, name: &str) -> bool {
    matches!(&value.kind, ExprKind::Name(word) if word == name)
}

/// Returns the receiver and the arguments of a method call without a closure.
fn method_call<'e>(value: &'e Expr, name: &str) -> Option<(&'e Expr, &'e [Expr])> {
    match &value.kind {
        ExprKind::Method(receiver, call) if call.name.name == name && call.closure.is_none() => Some((receiver, &call.args)),
        _ => None,
    }
}

/// A validation that always fails rejects every value. Not with allowed values or a default, which would suggest that the attribute can
/// be set.
fn readonly(body: &mut Body) {
    let Some((at, code)) = only(body, "validate") else { return };
    let message = match code.body.statements.as_slice() {
        [Expr { kind: ExprKind::Fail(failing), .. }] if text_of(&failing.message).is_some() => failing.message.clone(),
        _ => return,
    };
    if !says(body, &["newvalue", "newvalues", "aliasvalue", "defaultto", "isnamevar"])
        && let Some(directive) = body.directives.get_mut(at)
    {
        *directive = Directive { name: build::ident("readonly"), args: vec![message], block: None, ..directive.clone() };
    }
}

/// OpenStack's unordered comparison of lists: lists of the same length without duplicates, with equal elements or equal texts.
fn intersect(body: &mut Body) {
    let Some((at, code)) = only(body, "insync") else { return };
    let [param] = code.params.as_slice() else { return };
    let (is, should) = (|| build::name(&param.name), || build::name("should"));
    let [empty, kind, length, equal] = code.body.statements.as_slice() else { return };
    let guard = |statement: &Expr, value: bool, negated: bool, test: Expr| {
        let returned = build::expr(ExprKind::Return(Some(Box::new(build::expr(ExprKind::Bool(value))))));
        let guard = ExprKind::Modified(Box::new(returned), Box::new(Condition { negated, test }));
        statement.kind == guard
    };
    let texts = build::method(
        should(),
        "map",
        Vec::new(),
        Some(build::closure(vec![build::ident("x")], vec![build::method(build::name("x"), "to_s", Vec::new(), None)])),
    );
    let both = |other: Expr| build::binary(BinaryOp::Equal, build::binary(BinaryOp::Intersect, is(), other), is());
    let lengths = build::binary(
        BinaryOp::Equal,
        build::method(is(), "length", Vec::new(), None),
        build::method(should(), "length", Vec::new(), None),
    );
    let is_it = guard(empty, true, false, build::method(should(), "empty?", Vec::new(), None))
        && guard(kind, false, true, build::method(is(), "is_a?", vec![build::name("Array")], None))
        && guard(length, false, true, lengths)
        && without_parens(equal) == build::binary(BinaryOp::Or, both(should()), both(texts));
    if is_it
        && !says(body, &["compare", "should", "unmunge"])
        && let Some(directive) = body.directives.get_mut(at)
    {
        let word = build::expr(ExprKind::Word("intersect".into()));
        *directive = Directive { name: build::ident("compare"), args: vec![word], block: None, ..directive.clone() };
    }
}

fn without_parens(value: &Expr) -> Expr {
    match &value.kind {
        ExprKind::Paren(inner) => without_parens(inner),
        ExprKind::Binary { op, op_span, left, right } => {
            let (left, right) = (Box::new(without_parens(left)), Box::new(without_parens(right)));
            build::expr(ExprKind::Binary { op: *op, op_span: *op_span, left, right })
        }
        kind => build::expr(kind.clone()),
    }
}

/// Splits `if self.secret? { "…" } else { v }` into the condition and the text.
fn guarded(code: &Closure) -> Option<(Option<Expr>, Expr)> {
    let [param] = code.params.as_slice() else { return None };
    match code.body.statements.as_slice() {
        [only] if text_of(only).is_some() => Some((None, only.clone())),
        [Expr { kind: ExprKind::If { branches, otherwise: Some(shown) }, .. }] => {
            let [(test, hidden)] = branches.as_slice() else { return None };
            let ([hidden], [shown]) = (hidden.statements.as_slice(), shown.statements.as_slice()) else { return None };
            let of_self = matches!(&test.test.kind, ExprKind::Method(of, call) if of.kind == ExprKind::SelfRef && call.args.is_empty());
            let fits = of_self && !test.negated && text_of(hidden).is_some() && is_name(shown, &param.name);
            fits.then(|| (Some(test.test.clone()), hidden.clone()))
        }
        _ => None,
    }
}

/// Replaces `is_to_s` and `should_to_s` that return a constant text, always or under the same condition, by `redact`. Returns the
/// attribute in the condition if the kind `ini_value` does the same.
fn redacted(body: &mut Body, is_ini: bool) -> Option<String> {
    let ((is_at, is_code), (should_at, should_code)) = (only(body, "is_to_s")?, only(body, "should_to_s")?);
    let ((test, is), (same, should)) = (guarded(is_code)?, guarded(should_code)?);
    if test != same || says(body, &["sensitive", "change_to_s"]) {
        return None;
    }
    let secret = match test.as_ref().map(|test| &test.kind) {
        Some(ExprKind::Method(_, call)) => call.name.name.strip_suffix('?').map(str::to_owned),
        _ => None,
    };
    let is_secret = is_ini && (text_of(&is), text_of(&should)) == (Some(SECRETS.0), Some(SECRETS.1)) && secret.is_some();
    let options = vec![Opt { name: build::ident("is"), value: is }, Opt { name: build::ident("should"), value: should }];
    let condition = test.clone().map(|test| Condition { negated: false, test });
    let redact = Directive { name: build::ident("redact"), options, condition, block: None, ..body.directives.get(is_at)?.clone() };
    if test.is_none() {
        *body.directives.get_mut(is_at)? = redact;
        body.directives.remove(should_at);
        return None;
    }
    for at in [is_at, should_at] {
        let shown = build::closure(vec![build::ident("v")], vec![build::name("v")]);
        body.directives.get_mut(at)?.block = Some(DirectiveBlock::Code(shown));
    }
    if is_secret {
        return secret;
    }
    body.directives.insert(should_at + 1, redact);
    None
}

/// Returns whether code strips a text and capitalizes booleans.
fn is_ini_munge(code: &Closure) -> bool {
    let [param] = code.params.as_slice() else { return false };
    let [strip, capitalize, last] = code.body.statements.as_slice() else { return false };
    let name = &param.name;
    let assigned = |statement: &Expr| match &statement.kind {
        ExprKind::Assign { target, add: false, value } if is_name(target, name) => Some((**value).clone()),
        _ => None,
    };
    let of_name = |value: &Expr| is_name(value, name);
    let strips = assigned(strip)
        .is_some_and(|value| method_call(&value, "strip").and_then(|(of, _)| method_call(of, "to_s")).is_some_and(|(of, _)| of_name(of)));
    let capitalizes = match &capitalize.kind {
        ExprKind::Modified(statement, condition) => {
            let is_boolean = match &condition.test.kind {
                ExprKind::Binary { op: BinaryOp::Match, left, right, .. } => {
                    let regex = matches!(&right.kind, ExprKind::Regex(r) if r.source == "(?m:^(true|false)$)" && r.flags.ignore_case);
                    of_name(left) && regex && !condition.negated
                }
                _ => false,
            };
            is_boolean && assigned(statement).is_some_and(|v| method_call(&v, "capitalize").is_some_and(|(of, _)| of_name(of)))
        }
        _ => false,
    };
    strips && capitalizes && of_name(last)
}
