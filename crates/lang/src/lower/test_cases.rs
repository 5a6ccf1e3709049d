//! Expands `cases [{ x: 1 }, { x: 2 }]` in a test: the test runs once for each row, with the row's values in place of `x` and `$x`.

use super::block::{Bindings, Bound};
use super::literal::Literals;
use super::names::Names;
use super::{NameKind, Sink};
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{ChainOperand, Expr, ExprKind, Ident, PuppetExpr, PuppetValue, ResourceDecl, Statement, TestDecl, TestStep};
use crate::value::{EcoString, Value, inspect};
use indexmap::IndexMap;
use std::fmt::Write;
use std::rc::Rc;

/// The maximum length of a row's description in a test's title.
const MAX_TITLE: usize = 60;

/// A test, filled in from a row of `cases`.
pub(super) struct Case {
    /// The test with the row's values in its resources.
    pub decl: TestDecl,
    /// The values in the row.
    pub bindings: Bindings,
    /// The row's description at the end of the title; empty without `cases`.
    pub suffix: String,
}

/// Expands a test for each row of `cases`. `hides` returns whether a span is a secret in the resources of a test.
pub(super) fn expand(decl: &TestDecl, names: &Names<'_>, hides: &mut dyn FnMut(&TestDecl, Span) -> bool, sink: &Sink) -> Vec<Case> {
    let table = decl.steps.iter().find_map(|step| match step {
        TestStep::Setup(word, rows) if word.name == "cases" => Some((word, rows)),
        _ => None,
    });
    let Some((word, rows)) = table else {
        return vec![Case { decl: filled(decl, &IndexMap::new(), sink), bindings: Rc::default(), suffix: String::new() }];
    };
    let Some(rows) = rows_of(rows, word, sink) else { return Vec::new() };
    let none: Bindings = Rc::default();
    let literals = Literals { names, bindings: &none, sink };
    let Some((_, first)) = rows.first() else { return Vec::new() };
    let columns: Vec<(EcoString, Span)> = first.iter().filter_map(|(key, _)| Some((literals.value(key)?.to_text(), key.span))).collect();
    columns.iter().for_each(|(_, span)| sink.define(NameKind::Local, *span));
    let mut cases = Vec::new();
    for (i, (span, pairs)) in rows.iter().enumerate() {
        let Some(row) = row(pairs, *span, &columns, literals) else { continue };
        let decl = filled(decl, &row, sink);
        let suffix = suffix(i, &row, &mut |span| hides(&decl, span));
        let bindings =
            columns.iter().filter_map(|(name, span)| Some((name.clone(), Bound { value: row.get(name)?.0.clone(), span: *span })));
        cases.push(Case { bindings: Rc::new(bindings.collect()), decl, suffix });
    }
    cases
}

/// The span of a row, with the expressions for keys and values.
type RowExprs<'a> = (Span, &'a [(Expr, Expr)]);

/// Values by column, with the spans of the values.
type Row = IndexMap<EcoString, (Value, Span)>;

fn rows_of<'a>(rows: &'a Expr, word: &Ident, sink: &Sink) -> Option<Vec<RowExprs<'a>>> {
    let pairs = |row: &'a Expr| if let ExprKind::Map(pairs) = &row.kind { Some((row.span, pairs.as_slice())) } else { None };
    let all: Option<Vec<_>> = if let ExprKind::Array(rows) = &rows.kind { rows.iter().map(pairs).collect() } else { None };
    let all = all.filter(|rows| !rows.is_empty());
    if all.is_none() && !matches!(rows.kind, ExprKind::Error) {
        let d = Diagnostic::new(Code::BadTest, word.span, "`cases` takes a list of maps, one for each run");
        sink.report(d.help("write `cases [{ given: \"80\", port: 80 }, { given: \"81\", port: 81 }]`"));
    }
    all
}

/// Returns the values of a row, and reports columns that differ from the first row.
fn row(pairs: &[(Expr, Expr)], span: Span, columns: &[(EcoString, Span)], literals: Literals<'_>) -> Option<Row> {
    let mut row = Row::new();
    for (key, value) in pairs {
        let name = literals.value(key)?.to_text();
        let Some((_, first)) = columns.iter().find(|(column, _)| *column == name) else {
            let d = Diagnostic::new(Code::BadTest, key.span, format!("unknown column `{name}`"));
            literals.sink.report(d.maybe_help(did_you_mean(&name, columns.iter().map(|(n, _)| n.as_str()))));
            return None;
        };
        if key.span != *first {
            literals.sink.refer(NameKind::Local, key.span, *first);
        }
        row.insert(name, (literals.value(value)?, value.span));
    }
    if let Some((missing, first)) = columns.iter().find(|(name, _)| !row.contains_key(name)) {
        let d = Diagnostic::new(Code::BadTest, span, format!("missing column `{missing}`"));
        literals.sink.report(d.also(*first, "column of the first row").help(format!("add `{missing}: …`")));
        return None;
    }
    Some(row)
}

/// Describes a row by its values, or by its number if the values are long or secret.
fn suffix(index: usize, row: &Row, is_secret: &mut dyn FnMut(Span) -> bool) -> String {
    let mut text = String::new();
    for (name, (value, _)) in row {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{name}: {}", if text.is_empty() { "" } else { ", " }, inspect(value));
    }
    let is_short = text.chars().count() <= MAX_TITLE && !row.values().any(|(_, span)| is_secret(*span));
    if is_short { format!(" ({text})") } else { format!(" (case {})", index + 1) }
}

/// Replaces the variables in a test's resources by the values of a row, and reports unknown variables.
fn filled(decl: &TestDecl, row: &Row, sink: &Sink) -> TestDecl {
    let mut decl = decl.clone();
    let mut fill = Fill { row, sink };
    for step in &mut decl.steps {
        match step {
            TestStep::Declare(resource) => fill.resource(resource),
            TestStep::Also(statements, _) => statements.iter_mut().for_each(|statement| fill.statement(statement)),
            _ => {}
        }
    }
    decl
}

struct Fill<'a> {
    row: &'a Row,
    sink: &'a Sink,
}

impl Fill<'_> {
    fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Resource(resource) => self.resource(resource),
            Statement::Defaults(defaults) => defaults.attributes.iter_mut().for_each(|a| self.value(&mut a.value)),
            Statement::Chain(operands, ..) => {
                for operand in operands {
                    match operand {
                        ChainOperand::References(value) => self.value(value),
                        ChainOperand::Resource(resource) => self.resource(resource),
                    }
                }
            }
            Statement::Uncompiled(..) | Statement::Error(_) => {}
        }
    }

    fn resource(&mut self, resource: &mut ResourceDecl) {
        for body in &mut resource.bodies {
            self.value(&mut body.title);
            body.attributes.iter_mut().for_each(|a| self.value(&mut a.value));
        }
    }

    fn value(&mut self, expr: &mut PuppetExpr) {
        match &mut expr.kind {
            PuppetValue::Array(all) | PuppetValue::Interpolated(all) | PuppetValue::Reference(_, all) | PuppetValue::Deferred(all) => {
                all.iter_mut().for_each(|inner| self.value(inner));
            }
            PuppetValue::Hash(pairs) => pairs.iter_mut().for_each(|(key, value)| {
                self.value(key);
                self.value(value);
            }),
            PuppetValue::Sensitive(inner) | PuppetValue::Binary(inner) => self.value(inner),
            PuppetValue::Variable(name) => match self.row.get(name) {
                Some((value, span)) => *expr = PuppetExpr { kind: literal(value), span: *span },
                None => {
                    let d = Diagnostic::new(Code::BadTest, expr.span, format!("unknown variable `${name}`"));
                    let near = did_you_mean(name, self.row.keys().map(EcoString::as_str));
                    self.sink.report(d.help(near.unwrap_or_else(|| format!("add a column: `cases [{{ {name}: … }}]`").into())));
                    expr.kind = PuppetValue::Error;
                }
            },
            _ => {}
        }
    }
}

/// Returns a value in the syntax of resources.
fn literal(value: &Value) -> PuppetValue {
    let of = |value: &Value| PuppetExpr { kind: literal(value), span: Span::NONE };
    match value {
        Value::Nil => PuppetValue::Undef,
        Value::Bool(b) => PuppetValue::Bool(*b),
        Value::Int(n) => PuppetValue::Int(*n),
        Value::Float(n) => PuppetValue::Float(*n),
        Value::Array(items) => PuppetValue::Array(items.iter().map(of).collect()),
        Value::Map(map) => PuppetValue::Hash(map.iter().map(|(k, v)| (of(k), of(v))).collect()),
        other => PuppetValue::Str(other.to_text()),
    }
}
