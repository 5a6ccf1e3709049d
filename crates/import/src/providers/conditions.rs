//! Conditions around the declarations of a provider: `if`, `unless` and `case` around `commands`, `confine` and `has_feature`.

use super::ProviderWriter;
use super::directives::which;
use crate::lower::{BlockRole, BodyLowering, Lowered, UntranslatedReason, build, slice};
use crate::puppet::DeclaredDirective;
use crate::report::directive::option;
use crate::report::words;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Arm, BinaryOp, Directive, Expr, ExprKind, FeatureDecl, FnDecl, Item, Quote, StrPart};
use rtype_ruby::hir::{Case, Element, ExprId, HirKind, MethodCall, Pair};

/// The maximum nesting of conditions.
const MAX_BRANCHES: usize = 16;

/// What the declarations in branches are asked for.
#[derive(Clone, Copy)]
enum Query<'q> {
    /// Whether all programs exist and all conditions hold.
    Suitable,
    /// Whether the provider has a feature.
    Feature(&'q str),
}

/// An answer: code, or a constant.
#[derive(Clone, PartialEq)]
enum Answer {
    Constant(bool),
    Code(Expr),
}

impl Query<'_> {
    /// The answer of code without declarations.
    fn nothing(self) -> Answer {
        Answer::Constant(matches!(self, Query::Suitable))
    }

    /// Combines the answers of several declarations.
    fn join(self, answers: Vec<Answer>) -> Answer {
        let (op, nothing) = match self {
            Query::Suitable => (BinaryOp::And, true),
            Query::Feature(_) => (BinaryOp::Or, false),
        };
        if answers.contains(&Answer::Constant(!nothing)) {
            return Answer::Constant(!nothing);
        }
        let codes = answers.into_iter().filter_map(|answer| match answer {
            Answer::Code(code) => Some(code),
            Answer::Constant(_) => None,
        });
        codes.reduce(|left, right| build::binary(op, left, right)).map_or(Answer::Constant(nothing), Answer::Code)
    }
}

impl Answer {
    fn expr(self) -> Expr {
        match self {
            Answer::Constant(value) => build::expr(ExprKind::Bool(value)),
            Answer::Code(code) => code,
        }
    }
}

impl ProviderWriter<'_, '_> {
    /// Returns the statement of the provider's body that contains a declaration.
    pub(super) fn statement_with(&self, directive: &DeclaredDirective) -> Option<ExprId> {
        let code = self.body.as_ref().filter(|code| code.hir.file == directive.origin.file)?;
        let body = code.hir.body(code.body)?;
        let statements = match body.kind(body.root) {
            HirKind::Seq(all) => all.clone(),
            _ => vec![body.root],
        };
        statements.into_iter().find(|statement| {
            let around = body.expr(*statement).origin;
            around.start <= directive.origin.start && directive.origin.end <= around.end
        })
    }

    /// Translates a statement: to one `confine`, and to features that depend on platform features.
    pub(super) fn conditional(&mut self, statement: ExprId) -> Lowered<()> {
        let Some(body) = self.body.clone() else { return Ok(()) };
        let role = BlockRole::of_provider();
        let names = &self.owner.names;
        let (features, _) = slice::in_body(&mut self.file.run, names, &body, &role, |lowering| claimed(lowering, statement))?;
        let mut codes: Vec<(Vec<Expr>, Vec<String>)> = Vec::new();
        let mut all = Vec::new();
        for query in std::iter::once(Query::Suitable).chain(features.iter().map(|feature| Query::Feature(feature))) {
            let decided = slice::in_body(&mut self.file.run, names, &body, &role, |lowering| {
                let mut constant = None;
                let code = lowering.slice(&[statement], |lowering| {
                    let answer = decision(lowering, statement, query, 0)?;
                    constant = matches!(answer, Answer::Constant(_)).then(|| answer.clone());
                    Ok(answer.expr())
                })?;
                Ok((code, constant))
            })?;
            all.push((query, decided));
        }
        for (query, ((code, constant), parts)) in all {
            match (query, constant) {
                (Query::Suitable, Some(Answer::Constant(true))) | (Query::Feature(_), Some(Answer::Constant(false))) => {}
                (Query::Suitable, _) => {
                    let block = crate::idiom::rewrite_result(build::block(code));
                    self.condition(build::closure(Vec::new(), block.statements));
                }
                (Query::Feature(feature), Some(_)) => self.claim(feature),
                (Query::Feature(feature), None) => match codes.iter_mut().find(|(known, _)| *known == code) {
                    Some((_, same)) => same.push(feature.to_owned()),
                    None => codes.push((code, vec![feature.to_owned()])),
                },
            }
            parts.into_iter().for_each(|part| self.note(part));
        }
        for (code, features) in codes {
            self.claim_under(code, &features);
        }
        Ok(())
    }

    /// Claims features under a condition, which becomes a platform feature.
    fn claim_under(&mut self, code: Vec<Expr>, features: &[String]) {
        let Some(first) = features.first() else { return };
        let provider = &self.draft.provider.name;
        let platform = format!("{provider}_{first}");
        let doc = format!("What `{provider}` takes for `{first}`.");
        let block = crate::idiom::rewrite_result(build::block(code));
        self.draft.before.push(platform_feature(&platform, &doc, block));
        self.draft.blocks += 1;
        self.draft.translated += 1;
        let args = features.iter().map(|feature| words::member(feature)).collect();
        let word = if features.len() == 1 { "has_feature" } else { "has_features" };
        self.draft.directives.push(Directive {
            args,
            options: vec![option("feature", words::word(&platform))],
            ..crate::report::directive::new(word)
        });
    }
}

/// Returns the declaration of a platform feature.
pub(super) fn platform_feature(name: &str, doc: &str, body: rtype_lang::syntax::ast::Block) -> Item {
    let doc = build::literal(vec![StrPart::Text(doc.into())], Quote::Double);
    let test = FnDecl { name: build::ident(name), params: Vec::new(), body, span: Span::NONE };
    Item::Feature(FeatureDecl { doc: Some(doc), test })
}

/// Returns the calls on the class in a statement, which must all be known declarations.
fn calls(lowering: &BodyLowering<'_, '_, '_>, root: ExprId) -> Vec<MethodCall> {
    let (mut open, mut all) = (vec![root], Vec::new());
    while let Some(id) = open.pop() {
        match lowering.kind(id) {
            HirKind::Seq(inner) => open.extend(inner.into_iter().rev()),
            HirKind::If { then, otherwise, .. } => open.extend([otherwise, then]),
            HirKind::Case(case) => {
                open.push(case.otherwise);
                open.extend(case.arms.iter().rev().map(|arm| arm.body));
            }
            HirKind::Call(call) => all.push(*call),
            _ => {}
        }
    }
    all
}

/// Returns the features that a statement claims in some branch.
fn claimed(lowering: &mut BodyLowering<'_, '_, '_>, root: ExprId) -> Lowered<Vec<String>> {
    let mut features: Vec<String> = Vec::new();
    for call in calls(lowering, root).iter().filter(|call| matches!(&*call.name, "has_feature" | "has_features")) {
        for name in names(lowering, call, root)? {
            if !features.contains(&name) {
                features.push(name);
            }
        }
    }
    Ok(features)
}

/// Returns the literal names that a call is given.
fn names(lowering: &BodyLowering<'_, '_, '_>, call: &MethodCall, root: ExprId) -> Lowered<Vec<String>> {
    let name = |element: &Element| match element {
        Element::Plain(id) => match lowering.kind(*id) {
            HirKind::Symbol(name) => Ok(name.to_string()),
            HirKind::Str { text, .. } => Ok(text.to_string()),
            _ => lowering.fail(UntranslatedReason::Computed("the feature".into()), lowering.origin(*id)),
        },
        Element::Splat(id) => lowering.fail(UntranslatedReason::Computed("the feature".into()), lowering.origin(*id)),
    };
    match call.args.positional.as_slice() {
        [] => lowering.fail(UntranslatedReason::Computed("the feature".into()), lowering.origin(root)),
        all => all.iter().map(name).collect(),
    }
}

/// Returns the answer of a statement.
fn decision(lowering: &mut BodyLowering<'_, '_, '_>, id: ExprId, query: Query<'_>, depth: usize) -> Lowered<Answer> {
    let origin = lowering.origin(id);
    if depth >= MAX_BRANCHES {
        return lowering.fail(UntranslatedReason::Form("deeply nested code"), origin);
    }
    match lowering.kind(id) {
        HirKind::Nil | HirKind::Def { .. } => Ok(query.nothing()),
        HirKind::Seq(all) => {
            let answers = all.into_iter().map(|inner| decision(lowering, inner, query, depth + 1)).collect::<Lowered<Vec<_>>>()?;
            Ok(query.join(answers))
        }
        HirKind::If { condition, then, otherwise } => {
            let yes = decision(lowering, then, query, depth + 1)?;
            let no = decision(lowering, otherwise, query, depth + 1)?;
            if yes == no {
                return Ok(yes);
            }
            let test = lowering.condition(condition)?;
            Ok(either(test, yes, no))
        }
        HirKind::Case(case) => of_case(lowering, &case, query, depth),
        HirKind::Call(call) => declaration(lowering, &call, id, query),
        _ => lowering.fail(UntranslatedReason::Form("a condition around declarations of a provider"), origin),
    }
}

fn either(test: Expr, yes: Answer, no: Answer) -> Answer {
    match (&yes, &no) {
        (Answer::Constant(true), Answer::Constant(false)) => return Answer::Code(test),
        (Answer::Constant(false), Answer::Constant(true)) => return Answer::Code(build::not(test)),
        _ => {}
    }
    let first = (crate::lower::condition(test), build::block(vec![yes.expr()]));
    let (mut branches, mut otherwise) = (vec![first], Some(build::block(vec![no.clone().expr()])));
    if let Answer::Code(Expr { kind: ExprKind::If { branches: more, otherwise: last }, .. }) = no {
        branches.extend(more);
        otherwise = last;
    }
    Answer::Code(build::expr(ExprKind::If { branches, otherwise }))
}

fn of_case(lowering: &mut BodyLowering<'_, '_, '_>, case: &Case, query: Query<'_>, depth: usize) -> Lowered<Answer> {
    let last = decision(lowering, case.otherwise, query, depth + 1)?;
    let mut answers = Vec::new();
    for arm in &case.arms {
        answers.push(decision(lowering, arm.body, query, depth + 1)?);
    }
    if answers.iter().all(|answer| *answer == last) {
        return Ok(last);
    }
    let Some(subject) = case.subject else {
        return lowering.fail(UntranslatedReason::Form("`case` without a value"), lowering.origin(case.otherwise));
    };
    let subject = lowering.expr(subject)?;
    let mut arms = Vec::new();
    for (arm, answer) in case.arms.iter().zip(answers) {
        let mut patterns = Vec::new();
        for pattern in &arm.conditions {
            patterns.extend(lowering.pattern(pattern)?);
        }
        arms.push(arm_of(patterns, answer));
    }
    arms.push(arm_of(vec![build::name("_")], last));
    Ok(Answer::Code(build::expr(ExprKind::Match(Box::new(subject), arms))))
}

fn arm_of(patterns: Vec<Expr>, answer: Answer) -> Arm {
    let body = answer.expr();
    let braces = matches!(body.kind, ExprKind::If { .. } | ExprKind::Match(..));
    Arm { patterns, guard: None, body: build::block(vec![body]), braces, span: Span::NONE }
}

/// Returns the answer of one declaration.
fn declaration(lowering: &mut BodyLowering<'_, '_, '_>, call: &MethodCall, id: ExprId, query: Query<'_>) -> Lowered<Answer> {
    let origin = lowering.origin(id);
    let is_feature = matches!(query, Query::Feature(_));
    if !matches!(lowering.kind(call.receiver), HirKind::SelfValue) {
        let logs = matches!(&*call.name, "debug" | "info" | "notice" | "warning" | "err" | "deprecation_warning");
        let of_puppet = matches!(lowering.kind(call.receiver), HirKind::Constant(path) if &*path.name == "Puppet");
        return if logs && of_puppet { Ok(query.nothing()) } else { lowering.fail(UntranslatedReason::Method(call.name.clone()), origin) };
    }
    match (&*call.name, query) {
        ("optional_commands", _) => Ok(query.nothing()),
        ("has_feature" | "has_features", _) => {
            let all = names(lowering, call, id)?;
            let claims = matches!(query, Query::Feature(feature) if all.iter().any(|name| name == feature));
            Ok(if claims { Answer::Constant(true) } else { query.nothing() })
        }
        ("commands" | "confine", _) if call.args.positional.is_empty() && !call.args.keywords.is_empty() => {
            if is_feature {
                return Ok(query.nothing());
            }
            let mut answers = Vec::new();
            for pair in &call.args.keywords {
                let Pair::Entry(key, value) = pair else { return lowering.fail(UntranslatedReason::Form("`**`"), origin) };
                answers.push(match &*call.name {
                    "commands" => Answer::Code(which(lowering.expr(*value)?)),
                    _ => confined(lowering, *key, *value)?,
                });
            }
            Ok(query.join(answers))
        }
        ("has_command", _) => match call.args.positional.as_slice() {
            [_, Element::Plain(program)] if call.args.block.is_none() && !is_feature => Ok(Answer::Code(which(lowering.expr(*program)?))),
            _ if is_feature => Ok(query.nothing()),
            _ => lowering.fail(UntranslatedReason::Method(call.name.clone()), origin),
        },
        _ => lowering.fail(UntranslatedReason::Method(call.name.clone()), origin),
    }
}

/// Translates an option of `confine` to a condition. Puppet compares facts without regard to capitals.
fn confined(lowering: &mut BodyLowering<'_, '_, '_>, key: ExprId, value: ExprId) -> Lowered<Answer> {
    let origin = lowering.origin(value);
    let key = match lowering.kind(key) {
        HirKind::Symbol(name) => name.to_string(),
        HirKind::Str { text, .. } => text.to_string(),
        _ => return lowering.fail(UntranslatedReason::Computed("the condition".into()), origin),
    };
    let literals = |lowering: &BodyLowering<'_, '_, '_>| -> Option<Vec<String>> {
        let items = match lowering.kind(value) {
            HirKind::Array(items) => items,
            _ => vec![Element::Plain(value)],
        };
        let word = |item: &Element| match item {
            Element::Plain(id) => match lowering.kind(*id) {
                HirKind::Symbol(name) => Some(name.to_string()),
                HirKind::Str { text, .. } => Some(text.to_string()),
                _ => None,
            },
            Element::Splat(_) => None,
        };
        items.iter().map(word).collect()
    };
    let is_plain = !matches!(lowering.kind(value), HirKind::Array(_) | HirKind::Lambda(_));
    let all = literals(lowering);
    Ok(Answer::Code(match (key.as_str(), all) {
        ("true", _) if is_plain => lowering.condition(value)?,
        ("false", _) if is_plain => build::not(lowering.condition(value)?),
        ("exists", _) if is_plain => build::call("exists", vec![lowering.expr(value)?]),
        ("true" | "false" | "exists" | "any" | "for_binary", _) | (_, None) => {
            return lowering.fail(UntranslatedReason::Computed(format!("`{key}`")), origin);
        }
        ("feature", Some(all)) => {
            let tests = all.iter().map(|name| build::call("feature", vec![build::string(name)]));
            tests.reduce(|left, right| build::binary(BinaryOp::And, left, right)).unwrap_or_else(|| build::expr(ExprKind::Bool(true)))
        }
        (fact, Some(all)) => {
            let list = build::expr(ExprKind::Array(all.iter().map(|value| build::string(&value.to_lowercase())).collect()));
            let value = build::call("fact", vec![build::string(fact)]);
            let value = build::method(build::method(value, "to_s", Vec::new(), None), "downcase", Vec::new(), None);
            build::method(list, "include?", vec![value], None)
        }
    }))
}
