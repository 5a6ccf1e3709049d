//! What it does: Reports comparisons whose sides are never equal: a string and a symbol, a symbol that is not an allowed
//! value, values of different types.
//!
//! Why: A value of `newvalues` becomes a symbol, and a string never equals a symbol. The branch after such a comparison is
//! never executed (or always, with `!=`), and tests of other branches do not show it.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty state { newvalues open, shut }
//!   newparam force
//!   validate { fail "it is open" if self.state == "open" && self.force }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty state { newvalues open, shut }
//!   newparam force
//!   validate { fail "it is open" if self.state == :open && self.force }
//! }
//! ```
//!
//! The rule examines `==`, `!=`, `match` arms, and `include?` on lists. The possible values of an attribute are derived from
//! `newvalues`, `type` and the result of `munge`.
//!
//! Fix: unsafe; converts the literal to the symbol, string or number with the same characters.

use crate::check::blocks::{blocks, typing};
use rtype_lang::typing::{Attributes, Kinds, PossibleValues, Typing};
use crate::check::rules::values::{Mistake, mistakes};
use crate::check::{Sink, TypeSubject};
use rtype_lang::diagnostics::{Diagnostic, nearest};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Arm, Expr, ExprKind};
use rtype_lang::syntax::visit::{Visit, walk};
use rtype_lang::types::builtin::Method;
use rtype_lang::types::{BinaryOp, MatchArm, Node, Op, Pattern};
use rtype_lang::value::Value;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let attributes = Attributes::new(subject.type_def);
    for block in blocks(subject.type_def) {
        let mut inferred = None;
        block.code.inner.body.walk(&mut |node| {
            let is_comparison = match &node.op {
                Op::Binary(op, ..) => matches!(op, BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::Match | BinaryOp::NotMatch),
                Op::Match(..) | Op::Method(Method::Include, ..) | Op::ProviderHas(_) => true,
                _ => false,
            };
            if !is_comparison {
                return;
            }
            let typing = inferred.get_or_insert_with(|| typing(&attributes, &block));
            look(subject, typing, node, &mistakes(&block, typing, node), sink);
        });
    }
}

/// Reports a comparison, unless the comparison is one of the `others`, which RT166 reports.
fn look(subject: &TypeSubject<'_>, typing: &Typing<'_>, node: &Node, others: &[Mistake<'_>], sink: &mut Sink<'_>) {
    match &node.op {
        Op::Binary(..) | Op::Method(..) if !others.is_empty() => {}
        Op::Binary(op @ (BinaryOp::Match | BinaryOp::NotMatch), text, regex) => {
            let given = typing.of(text);
            if !given.may_be(Kinds::STR.or(Kinds::SYM)) && given.kinds != Kinds::NONE && matches!(regex.op, Op::Const(Value::Regex(_))) {
                let always = if *op == BinaryOp::Match { "never" } else { "always" };
                let found = sink.finding(node.span, format!("this is {always} true: {} does not match a regex", given.kinds.words()));
                sink.report(found.help("match its text: `value.to_s =~ /…/`"));
            }
        }
        Op::Binary(op, left, right) => {
            let (a, b) = (typing.of(left), typing.of(right));
            // Two literals form a constant condition, which another rule reports.
            let both_written = matches!((&left.op, &right.op), (Op::Const(_), Op::Const(_)));
            if !both_written && a.excludes(&b) {
                let always = if *op == BinaryOp::Equal { "never" } else { "always" };
                let found = sink.finding(node.span, format!("this is {always} true: {}", why(&a, &b)));
                sink.report(mend(mend(found, right, &a), left, &b));
            }
        }
        Op::Method(Method::Include, receiver, arguments, _) => {
            let (Some(elements), [asked]) = (elements(receiver), arguments.as_slice()) else { return };
            let asked_for = typing.of(asked);
            let possible: Vec<PossibleValues> = elements.iter().map(|v| PossibleValues::value(v)).collect();
            if !possible.is_empty() && possible.iter().all(|p| p.excludes(&asked_for)) {
                let first = possible.first().cloned().unwrap_or(PossibleValues::any());
                let found = sink.finding(node.span, format!("this is never true: {}", why(&asked_for, &first)));
                sink.report(found.label("no element can be this"));
            }
        }
        Op::ProviderHas(asked) => look_at_method(subject, asked, sink),
        Op::Match(value, arms) => {
            let value = typing.of(value);
            arms.iter().for_each(|arm| look_at_arm(subject, &value, arm, others, sink));
        }
        _ => {}
    }
}

/// Reports a misspelled method or feature in `provider.has?(:m)`. A name without a similar known name may belong to a provider in
/// another file.
fn look_at_method(subject: &TypeSubject<'_>, asked: &Node, sink: &mut Sink<'_>) {
    let Op::Const(Value::Sym(name)) = &asked.op else { return };
    let type_def = subject.type_def;
    let of_features = type_def.features.iter().flat_map(|(name, feature)| std::iter::once(name).chain(&feature.methods));
    let of_providers = type_def.providers.values().flat_map(|p| p.queries.iter().chain(&p.actions).chain(p.settings.keys()));
    let of_attributes = type_def.attributes.iter().map(|a| a.name.as_str());
    let known: Vec<&str> = of_features.chain(of_providers).map(|name| name.as_str()).chain(of_attributes).collect();
    if known.contains(&name.as_str()) {
        return;
    }
    if let Some(near) = nearest(name.as_str(), known) {
        let found = sink.finding(asked.span, format!("this is never true: no provider has the method `{name}`"));
        sink.report(found.help(format!("did you mean `:{near}`?")).unsafe_fix(format!("make it `:{near}`"), asked.span, format!(":{near}")));
    }
}

/// Returns the values of a literal list.
fn elements(node: &Node) -> Option<Vec<&Value>> {
    match &node.op {
        Op::Const(value) => value.as_array().map(|all| all.iter().collect()),
        Op::Array(all) => all.iter().map(|n| if let Op::Const(value) = &n.op { Some(value) } else { None }).collect(),
        _ => None,
    }
}

fn look_at_arm(subject: &TypeSubject<'_>, value: &PossibleValues, arm: &MatchArm, others: &[Mistake<'_>], sink: &mut Sink<'_>) {
    for pattern in &arm.patterns {
        let Pattern::Value(wanted) = pattern else { continue };
        if others.iter().any(|other| other.value == wanted) {
            continue;
        }
        let wanted_ones = PossibleValues::value(wanted);
        if value.excludes(&wanted_ones) {
            let span = written(subject, arm.body.span, wanted).unwrap_or(arm.body.span);
            let found = sink.finding(span, format!("this arm is never taken: {}", why(value, &wanted_ones)));
            let pattern = Node { op: Op::Const(wanted.clone()), span };
            let fixable = span != arm.body.span;
            sink.report(if fixable { mend(found, &pattern, value) } else { found });
        }
    }
}

/// Explains why two sides are never equal.
fn why(a: &PossibleValues, b: &PossibleValues) -> String {
    if a.kinds == b.kinds || (a.may_be(Kinds::SYM) && b.may_be(Kinds::SYM)) || (a.may_be(Kinds::STR) && b.may_be(Kinds::STR)) {
        return "this value is not possible here".to_owned();
    }
    if a.kinds == Kinds::DECLARED || b.kinds == Kinds::DECLARED {
        return "a declared value is never a symbol".to_owned();
    }
    format!("{} never equals {}", a.kinds.words(), b.kinds.words())
}

/// Suggests a literal of a kind that the other side can have.
fn mend(found: Diagnostic, written: &Node, other: &PossibleValues) -> Diagnostic {
    let Op::Const(value @ (Value::Str(_) | Value::Sym(_) | Value::Bool(_))) = &written.op else { return found };
    let letters = value.to_text();
    let number = letters.parse().ok().map(Value::Int);
    let other_ways = [Value::sym(letters.clone()), Value::str(letters.clone())].into_iter().chain(number);
    let possible = |v: &Value| !other.excludes(&PossibleValues::value(v));
    if let Some(turned) = other_ways.filter(|way| way != value).find(possible) {
        let text = rtype_lang::value::inspect(&turned);
        return found.help(format!("write `{text}`")).unsafe_fix(format!("make it `{text}`"), written.span, text);
    }
    let known: Vec<Value> = other.only.iter().flatten().cloned().collect();
    let names: Vec<String> = known.iter().map(|v| v.to_text().to_string()).collect();
    match nearest(&letters, names.iter().map(String::as_str)) {
        Some(near) => {
            let near = known.iter().find(|v| v.to_text() == near).map(rtype_lang::value::inspect).unwrap_or_default();
            found.help(format!("did you mean `{near}`?"))
        }
        None if !known.is_empty() && known.len() <= 8 => {
            let all: Vec<String> = known.iter().map(|v| format!("`{}`", rtype_lang::value::inspect(v))).collect();
            found.help(format!("possible are {}", all.join(", ")))
        }
        None => found,
    }
}

/// Returns the location of a pattern. A lowered arm has only its body's span.
fn written(subject: &TypeSubject<'_>, body: Span, wanted: &Value) -> Option<Span> {
    struct Search<'v> {
        body: Span,
        wanted: &'v Value,
        found: Option<Span>,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn expr(&mut self, expr: &'a Expr) {
            if let ExprKind::Match(_, arms) = &expr.kind {
                arms.iter().for_each(|arm| self.arm(arm));
            }
            rtype_lang::syntax::visit::walk_expr(self, expr);
        }
    }
    impl Search<'_> {
        fn arm(&mut self, arm: &Arm) {
            let is_body = arm.body.span == self.body || matches!(arm.body.statements.as_slice(), [one] if one.span == self.body);
            if is_body {
                let same = |p: &&Expr| match (&p.kind, self.wanted) {
                    (ExprKind::Str(text), Value::Str(wanted)) => text.plain().as_ref() == Some(wanted),
                    (ExprKind::Symbol(name), Value::Sym(wanted)) => *name == wanted.as_str(),
                    (ExprKind::Int(n), Value::Int(wanted)) => n == wanted,
                    (ExprKind::Bool(b), Value::Bool(wanted)) => b == wanted,
                    (ExprKind::Nil, Value::Nil) => true,
                    _ => false,
                };
                self.found = arm.patterns.iter().find(same).map(|p| p.span);
            }
        }
    }
    let mut search = Search { body, wanted, found: None };
    walk(&mut search, subject.file.ast);
    search.found
}
