//! Lowers `test "…" { … }` to a [`TestDef`]: the simulated machine and the expectations.

use super::block::{Bindings, BlockKind, BlockLowerer, FunctionSignature, TypeScope};
use super::expr::is_name;
use super::literal::Literals;
use super::names::Names;
use super::test_cases::{self, Case};
use super::test_names;
use super::{LoweredTests, NameKind, Sink};
use crate::diagnostics::{Code, Diagnostic, attribute_twice, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{
    BinaryOp, Call, Expr, ExprKind, Ident, PuppetExpr, PuppetValue, ResourceDecl, Statement, TestDecl, TestStep, UnaryOp,
};
use crate::types::{
    AttrId, Expectation, ExpectationParts, Node, Op, Role, TestBinaries, TestCheck, TestCode, TestDef, TestGiven, TestMessage, TestOutcome,
    TypeDef,
};
use crate::value::{EcoString, Map, Value};
use indexmap::IndexMap;
use std::sync::Arc;

/// Lowers a test for a type loaded by `find`.
pub(super) fn lower_test(
    decl: &TestDecl,
    names: &Names<'_>,
    find: &mut dyn FnMut(&str) -> Option<Arc<TypeDef>>,
    sink: &Sink,
    out: &mut LoweredTests,
) {
    let before = sink.error_count();
    let title = decl.title.plain().unwrap_or_default();
    if decl.title.span == decl.span {
        // The title is missing, which has been reported.
        return;
    }
    if title.trim().is_empty() {
        let d = Diagnostic::new(Code::BadTest, decl.title.span, "a test says what it shows, as plain text in quotes");
        sink.report(d.help("write one sentence that holds when the test passes"));
    }
    report_duplicates(decl, sink);
    let mut hides = |decl: &TestDecl, span| {
        secrets(&resources(decl), find, sink);
        sink.secrets.borrow().contains(&span)
    };
    let cases = test_cases::expand(decl, names, &mut hides, sink);
    // Tests with errors in the title or in a row, which have been reported, do not run.
    let is_complete = sink.error_count() == before;
    for Case { decl, bindings, suffix } in cases {
        let tests = out.tests.len();
        lower_case(&decl, ecow::eco_format!("{title}{suffix}"), &bindings, names, find, sink, out);
        if !is_complete {
            out.tests.truncate(tests);
        }
    }
}

/// Returns the resources in a test.
fn resources(decl: &TestDecl) -> Vec<Statement> {
    let statements = decl.steps.iter().flat_map(|step| match step {
        TestStep::Also(statements, _) => statements.clone(),
        TestStep::Declare(r) => vec![Statement::Resource(r.clone())],
        _ => Vec::new(),
    });
    statements.collect()
}

/// Reports attributes that a resource of the test sets twice.
fn report_duplicates(decl: &TestDecl, sink: &Sink) {
    for statement in resources(decl) {
        let bodies: Vec<_> = match &statement {
            Statement::Resource(r) => r.bodies.iter().map(|body| &body.attributes).collect(),
            Statement::Defaults(d) => vec![&d.attributes],
            Statement::Chain(..) | Statement::Uncompiled(..) | Statement::Error(_) => continue,
        };
        for attributes in bodies {
            let mut seen = IndexMap::new();
            for name in attributes.iter().map(|attribute| &attribute.name) {
                let first = *seen.entry(name.name.as_str()).or_insert(name.span);
                if first != name.span {
                    sink.report(attribute_twice(&name.name, name.span, first));
                }
            }
        }
    }
}

/// Lowers a test after expansion of `cases`.
fn lower_case(
    decl: &TestDecl,
    title: EcoString,
    bindings: &Bindings,
    names: &Names<'_>,
    find: &mut dyn FnMut(&str) -> Option<Arc<TypeDef>>,
    sink: &Sink,
    out: &mut LoweredTests,
) {
    let before = sink.error_count();
    secrets(&resources(decl), find, sink);
    test_names::record(decl, names, find, sink);
    let Some(resource) = resource(decl, sink) else { return };
    let Some(type_def) = find(&resource.type_name.name) else {
        out.unknown.push((resource.type_name.name.clone(), resource.type_name.span));
        return;
    };
    let scope = scope(&type_def, names, sink);
    let secret = secret_attributes(resource, &type_def);
    let lowering = Lowering { scope: &scope, bindings, type_def: &type_def, secret };
    let mut given = TestGiven::default();
    let (mut also, mut checks, mut seen) = (Vec::new(), Vec::new(), Vec::<&Ident>::new());
    for step in &decl.steps {
        match step {
            TestStep::Setup(word, _) if word.name == "cases" => seen.push(word),
            TestStep::Setup(word, value) => {
                if let Some(first) = seen.iter().find(|w| w.name == word.name) {
                    let d = Diagnostic::new(Code::BadTest, word.span, format!("duplicate `{}` in this test", word.name));
                    sink.report(d.also(first.span, "first here").help("merge them"));
                }
                seen.push(word);
                lowering.given(word, value, &mut given);
            }
            TestStep::Also(statements, _) => also.extend(statements.iter().cloned()),
            TestStep::Declare(_) => {}
            TestStep::Expect(expr, span) => checks.push(TestCheck::Expect(Box::new(lowering.expectation(expr, *span)))),
            TestStep::Rejects(name, pattern, span) => checks.extend(lowering.rejects(name.as_ref(), pattern.as_ref(), *span)),
        }
    }
    let rejected = checks.iter().find_map(|c| if let TestCheck::Rejects { span, .. } = c { Some(*span) } else { None });
    let expected = checks.iter().find_map(|c| if let TestCheck::Expect(e) = c { Some(e.span) } else { None });
    if let (Some(rejected), Some(expected)) = (rejected, expected) {
        let d = Diagnostic::new(Code::BadTest, rejected, "a test with `rejects` cannot have `expect`");
        sink.report(d.also(expected, "`expect` is here").help("split it into two tests"));
    }
    if checks.is_empty() && sink.error_count() == before {
        let d = Diagnostic::new(Code::BadTest, decl.title.span, "this test expects nothing");
        sink.report(d.help("add `expect self.x == …`, `expect insync(:x)` or `rejects x, /why/`"));
    }
    // Expressions that could not be parsed have been reported.
    let understood =
        decl.steps.iter().all(|s| !matches!(s, TestStep::Setup(_, e) | TestStep::Expect(e, _) if matches!(e.kind, ExprKind::Error)));
    if understood && sink.error_count() == before {
        let resource = resource.clone();
        out.tests.push(TestDef { title, span: decl.title.span, type_def: Arc::clone(&type_def), given, also, resource, checks });
    }
}

/// Marks values in sensitive attributes and in `Sensitive(…)` as secrets, even if the test does not run.
fn secrets(statements: &[Statement], find: &mut dyn FnMut(&str) -> Option<Arc<TypeDef>>, sink: &Sink) {
    for statement in statements {
        let (type_name, attributes): (_, Vec<_>) = match statement {
            Statement::Resource(r) => (&r.type_name, r.bodies.iter().flat_map(|b| &b.attributes).collect()),
            Statement::Defaults(d) => (&d.type_name, d.attributes.iter().collect()),
            Statement::Chain(..) | Statement::Uncompiled(..) | Statement::Error(_) => continue,
        };
        let type_def = find(&type_name.name);
        for attribute in attributes {
            let sensitive = type_def.as_ref().and_then(|t| t.attribute_named(&attribute.name.name)).is_some_and(|a| a.sensitive);
            if sensitive || wrapped(&attribute.value) {
                sink.secret(attribute.value.span);
            }
        }
    }
}

/// Returns `true` if some part of a value is wrapped in `Sensitive(…)`.
fn wrapped(value: &PuppetExpr) -> bool {
    match &value.kind {
        PuppetValue::Sensitive(_) => true,
        PuppetValue::Array(all) | PuppetValue::Interpolated(all) => all.iter().any(wrapped),
        PuppetValue::Hash(pairs) => pairs.iter().any(|(k, v)| wrapped(k) || wrapped(v)),
        _ => false,
    }
}

/// Returns the attributes with secret values in a test.
fn secret_attributes(resource: &ResourceDecl, type_def: &TypeDef) -> Vec<AttrId> {
    let given = resource.bodies.iter().flat_map(|b| &b.attributes).filter(|a| wrapped(&a.value));
    let given = given.filter_map(|a| type_def.id_declared_as(&a.name.name));
    let sensitive = type_def.attributes.iter().enumerate().filter(|(_, a)| a.sensitive).map(|(i, _)| AttrId(i as u16));
    given.chain(sensitive).collect()
}

/// Returns the resource under test, and reports a test without a resource or with several resources.
fn resource<'a>(decl: &'a TestDecl, sink: &Sink) -> Option<&'a ResourceDecl> {
    let mut all = decl.steps.iter().filter_map(|s| if let TestStep::Declare(r) = s { Some(r) } else { None });
    let Some(first) = all.next() else {
        let d = Diagnostic::new(Code::BadTest, decl.title.span, "this test declares no resource");
        sink.report(d.help("write the resource under test as in a manifest: `user { 'bob': uid => '7' }`"));
        return None;
    };
    if let Some(second) = all.next() {
        let d = Diagnostic::new(Code::BadTest, second.span, "a test is about one resource");
        sink.report(d.label("a second one").also(first.type_name.span, "the first").help("put the others into `also { … }`"));
        return None;
    }
    if let Some(second) = first.bodies.get(1) {
        let d = Diagnostic::new(Code::BadTest, second.span, "a test is about one resource");
        sink.report(d.label("a second body").help("put the others into `also { … }`"));
        return None;
    }
    Some(first)
}

/// Returns the scope of a test's expressions, for a loaded type.
pub(super) fn scope<'a>(type_def: &TypeDef, names: &'a Names<'a>, sink: &'a Sink) -> TypeScope<'a> {
    let functions = type_def.program.functions.iter().enumerate().map(|(i, f)| {
        let max = usize::from(f.code.inner.params);
        let signature = FunctionSignature { id: i as u16, min: max - f.defaults.len().min(max), max, span: f.span };
        (f.name.text(), signature)
    });
    // If several functions have the same name, the first function is called.
    let mut by_name = indexmap::IndexMap::new();
    for (name, signature) in functions {
        by_name.entry(name).or_insert(signature);
    }
    let attributes = type_def.attributes.iter().enumerate();
    let falsy = attributes
        .filter(|(_, a)| a.role != Role::Metaparam && a.munge.steps.len() == 1 && a.values.literals().any(|l| l.as_str() == "false"));
    let lineages = || type_def.providers.values().flat_map(|p| type_def.lineage(p));
    TypeScope {
        names,
        sink,
        owner: type_def.span,
        reads_raw: std::cell::RefCell::default(),
        attribute_spans: type_def.attributes.iter().map(|a| if a.name.as_str() == "provider" { Span::NONE } else { a.span }).collect(),
        attributes: type_def.by_name.clone(),
        open: false,
        falsy: falsy.map(|(i, _)| AttrId(i as u16)).collect(),
        features: type_def.features.iter().map(|(name, f)| (name.text(), f.span)).collect(),
        functions: by_name,
        queries: lineages().flat_map(|(t, p)| p.queries.iter().chain(p.settings.keys()).map(|m| (m.text(), t.method_span(m)))).collect(),
        actions: lineages().flat_map(|(t, p)| p.actions.iter().map(|m| (m.text(), t.method_span(m)))).collect(),
        has_providers: !type_def.providers.is_empty(),
    }
}

struct Lowering<'a> {
    scope: &'a TypeScope<'a>,
    bindings: &'a Bindings,
    type_def: &'a TypeDef,
    /// The attributes with values that must not be shown.
    secret: Vec<AttrId>,
}

impl Lowering<'_> {
    fn literals(&self) -> Literals<'_> {
        Literals { names: self.scope.names, bindings: self.bindings, sink: self.scope.sink }
    }

    fn given(&self, word: &Ident, expr: &Expr, given: &mut TestGiven) {
        let word = word.name.as_str();
        if let (ExprKind::Array(_) | ExprKind::Words(_), "binaries") = (&expr.kind, word) {
            if let Some(Value::Array(names)) = self.literals().value(expr) {
                given.binaries = TestBinaries::Only(names.iter().map(Value::to_text).collect());
            }
            return;
        }
        let ExprKind::Map(pairs) = &expr.kind else {
            if !matches!(expr.kind, ExprKind::Error) {
                let example = match word {
                    "facts" => "facts { kernel: \"Linux\" }",
                    "features" => "features { root: false }",
                    "settings" => "settings { show_diff: true }",
                    "binaries" => "binaries [\"ip\", \"ss\"]` or `binaries { ip: false }",
                    "is" => "is { ensure: :present }",
                    _ => "answers { latest: \"1.2\" }",
                };
                let d = Diagnostic::new(Code::BadTest, expr.span, format!("`{word}` takes a map"));
                self.scope.sink.report(d.help(format!("write `{example}`")));
            }
            return;
        };
        if word == "is" {
            given.is = Some(self.is(pairs));
            return;
        }
        let mut map = Map::new();
        for (key, value) in pairs {
            let (Some(name), Some(value)) = (self.literals().value(key), self.literals().value(value)) else { continue };
            let name = name.to_text();
            match word {
                "facts" => unfold(&mut map, &name, value),
                "answers" => {
                    self.answered(&name, key.span);
                    self.scope.lowerer(BlockKind::EXPECT, self.bindings).refer_method(&name, key.span);
                    map.insert(Value::Str(name), value);
                }
                _ => {
                    if word == "features"
                        && let Some(feature) = self.scope.names.platform.get(name.as_str())
                    {
                        self.scope.sink.refer(NameKind::Platform, key.span, feature.test.name.span);
                    }
                    if word == "is"
                        && let Some(id) = self.scope.attributes.get(name.as_str())
                    {
                        self.scope.refer_attribute(*id, key.span);
                    }
                    map.insert(Value::Str(name), value);
                }
            }
        }
        match word {
            "facts" => given.facts = map,
            "features" => given.features = map,
            "settings" => given.settings = map,
            "binaries" => given.binaries = TestBinaries::Except(map),
            _ => given.answers = map,
        }
    }

    /// Lowers the state of the resource under test, which consists of properties only.
    fn is(&self, pairs: &[(Expr, Expr)]) -> Vec<(AttrId, Value)> {
        let mut state = Vec::new();
        let lowerer = self.scope.lowerer(BlockKind::EXPECT, self.bindings);
        for (key, whole) in pairs {
            let (Some(name), Some(value)) = (self.literals().value(key), self.literals().value(whole)) else { continue };
            let name = name.to_text();
            let Some(id) = lowerer.check_attribute(&name, key.span) else { continue };
            if self.type_def.attribute(id).is_some_and(|a| a.sensitive) {
                self.scope.sink.secret(whole.span);
            }
            if self.type_def.attribute(id).is_some_and(|a| a.role != Role::Property) {
                let d = Diagnostic::new(Code::BadTest, key.span, format!("`{name}` is not a property, so it has no current value"));
                self.scope.sink.report(d.help("`is` sets what the provider reads; set desired values in the resource"));
            }
            state.push((id, value));
        }
        state
    }

    /// Reports an answer for a method that the type's providers do not have.
    fn answered(&self, name: &str, span: Span) {
        let scope = self.scope;
        let known = |n: &str| scope.queries.contains_key(n) || scope.attributes.contains_key(n) || matches!(n, "exists?" | "insync?");
        if !known(name) && !scope.actions.contains_key(name) {
            let names = scope.queries.keys().map(EcoString::as_str);
            let d = Diagnostic::new(Code::BadTest, span, format!("no provider of the type answers `{name}`"));
            scope.sink.report(d.help(did_you_mean(name, names).unwrap_or_else(|| "only methods listed in `queries` can be set".into())));
        }
    }

    fn expectation(&self, expr: &Expr, span: Span) -> Expectation {
        let whole = self.code(|l| l.condition_expr(expr), expr.span);
        let value = |part: &Expr| self.code(|l| l.expr(part), part.span);
        let parts = match &inner(expr).kind {
            ExprKind::Binary { op, left, right, .. } if shows_sides(*op) => ExpectationParts::Compared(value(left), *op, value(right)),
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                let mut operands = Vec::new();
                self.operands(inner(expr), *op, &mut operands);
                if *op == BinaryOp::And { ExpectationParts::All(operands) } else { ExpectationParts::Any(operands) }
            }
            _ => {
                let mut parts = Vec::new();
                deciding(expr, &mut parts);
                if parts.is_empty() {
                    parts.push(expr);
                }
                ExpectationParts::Values(parts.into_iter().map(value).collect())
            }
        };
        Expectation { whole, parts, span }
    }

    /// Collects the operands in a chain of `&&` or `||`.
    fn operands(&self, expr: &Expr, chain: BinaryOp, out: &mut Vec<Expectation>) {
        match &expr.kind {
            ExprKind::Binary { op, left, right, .. } if *op == chain => {
                self.operands(left, chain, out);
                self.operands(right, chain, out);
            }
            _ => out.push(self.expectation(expr, expr.span)),
        }
    }

    fn code(&self, lower: impl FnOnce(&BlockLowerer<'_>) -> Node, span: Span) -> TestCode {
        let lowerer = self.scope.lowerer(BlockKind::EXPECT, self.bindings);
        let body = lower(&lowerer);
        let secret = lowerer.asked.borrow().iter().any(|id| self.secret.contains(id));
        if secret {
            // A literal on the other side of a comparison with a secret may be the secret.
            self.scope.sink.secret(span);
        }
        let uses = lowerer.outcomes.take();
        let mut code = lowerer.finish(0, body, span);
        if let Some(code) = Arc::get_mut(&mut code.inner) {
            // Outcomes are passed in slots, like arguments.
            code.params = code.slots;
        }
        TestCode { code, uses, secret }
    }

    fn rejects(&self, name: Option<&Ident>, pattern: Option<&Expr>, span: Span) -> Option<TestCheck> {
        let message = match pattern {
            None => None,
            Some(expr) => match self.literals().value(expr)? {
                Value::Regex(regex) => Some(TestMessage::Matches(regex)),
                Value::Str(text) => Some(TestMessage::Contains(text)),
                other => {
                    let d = Diagnostic::new(
                        Code::BadTest,
                        expr.span,
                        format!("expected a regex or string for the message, found {}", other.kind_name()),
                    );
                    self.scope.sink.report(d.help("write `rejects x, /part of the message/`"));
                    return None;
                }
            },
        };
        // The name of an unknown attribute is an error here: types refuse unknown attributes anyway.
        if let Some(name) = name {
            let lowerer = self.scope.lowerer(BlockKind::EXPECT, self.bindings);
            lowerer.check_attribute(&name.name, name.span)?;
        }
        Some(TestCheck::Rejects { attribute: name.map(|n| n.name.clone().into()), message, span })
    }
}

/// Returns an expression without enclosing parentheses.
fn inner(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Paren(inside) => inner(inside),
        _ => expr,
    }
}

/// Collects the operands that decide an expression's truth: sides of comparisons, receivers, arguments and conditions. Literals are
/// omitted.
fn deciding<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Not, inner) => deciding(inner, parts),
        ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, left, right, .. } => {
            deciding(left, parts);
            deciding(right, parts);
        }
        ExprKind::Binary { op, left, right, .. } if shows_sides(*op) => {
            parts.extend([&**left, &**right].into_iter().filter(|side| !is_literal(side)));
        }
        ExprKind::Ternary(condition, then, otherwise) => [condition, then, otherwise].into_iter().for_each(|part| deciding(part, parts)),
        ExprKind::Match(subject, _) => parts.extend([&**subject, expr]),
        ExprKind::Method(receiver, call) => {
            let is_of_receiver =
                !matches!(receiver.kind, ExprKind::SelfRef) && !is_name(receiver, "provider") && !is_name(receiver, "catalog");
            let asks = call.name.name.ends_with('?') || call.closure.is_some() || !call.args.is_empty();
            if is_of_receiver && asks {
                parts.extend(std::iter::once(&**receiver).chain(&call.args).filter(|part| !is_literal(part)));
            } else {
                parts.push(expr);
            }
        }
        _ if is_literal(expr) => {}
        _ => parts.push(expr),
    }
}

/// Returns `true` if an expression is a literal.
fn is_literal(expr: &Expr) -> bool {
    use ExprKind as E;
    matches!(expr.kind, E::Nil | E::Bool(_) | E::Int(_) | E::Float(_) | E::Str(_) | E::Symbol(_) | E::Regex(_) | E::Words(_))
}

/// Returns `true` if a failure should show both sides of the comparison.
fn shows_sides(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Match | B::NotMatch)
}

/// Inserts a fact into nested maps: `os.family` becomes the member `family` of `os`, next to existing members.
fn unfold(tree: &mut Map, name: &str, value: Value) {
    let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
    let key = Value::str(first);
    let inside = || match tree.get(&key) {
        Some(Value::Map(map)) => map.as_ref().clone(),
        _ => Map::new(),
    };
    let value = match (rest, value) {
        (Some(rest), value) => {
            let mut inside = inside();
            unfold(&mut inside, rest, value);
            Value::Map(Arc::new(inside))
        }
        (None, Value::Map(members)) => {
            let mut inside = inside();
            for (member, value) in members.iter() {
                unfold(&mut inside, &member.to_text(), value.clone());
            }
            Value::Map(Arc::new(inside))
        }
        (None, value) => value,
    };
    tree.insert(key, value);
}

impl BlockLowerer<'_> {
    /// Returns the outcome of a keyword if the block can read outcomes.
    pub(super) fn outcome(&self, word: &str) -> Option<TestOutcome> {
        TestOutcome::named(word).filter(|_| self.kind.sees_outcomes)
    }

    /// Allocates a slot for an outcome and reads it.
    pub(super) fn ask(&self, outcome: TestOutcome, span: Span) -> Node {
        let slot = self.declare_as(&EcoString::new(), Span::NONE);
        self.outcomes.borrow_mut().push((slot, outcome, span));
        Node { op: Op::Local(slot), span }
    }

    /// Lowers `insync(:x)`, `change(:x)`, and the other outcomes when written with empty parentheses.
    pub(super) fn outcome_call(&self, call: &Call, span: Span) -> Option<Node> {
        if !self.kind.sees_outcomes {
            return None;
        }
        let name = call.name.name.as_str();
        let wrong = |takes: &str| {
            let d = Diagnostic::new(Code::WrongArity, span, format!("`{name}` {takes}"));
            self.scope.sink.report(d);
            Some(Node { op: Op::Const(Value::Nil), span })
        };
        if let Some(outcome) = self.outcome(name) {
            return if call.args.is_empty() && call.named.is_empty() && call.closure.is_none() {
                Some(self.ask(outcome, span))
            } else {
                wrong("takes no arguments")
            };
        }
        let (_, make, _) = TestOutcome::ASKED.iter().find(|(word, _, _)| *word == name)?;
        let [Expr { kind: ExprKind::Symbol(attribute), span: at }] = call.args.as_slice() else {
            return wrong("takes the name of one property as a symbol: `insync(:ensure)`");
        };
        let nil = Node { op: Op::Const(Value::Nil), span };
        Some(self.check_attribute(attribute, *at).map_or(nil, |id| self.ask(make(id), span)))
    }
}
