//! What it does: Reports conditions with a constant result: literals, and a value compared with itself.
//!
//! Why: One branch is never executed. Often a part of the condition is missing, as in `a == :x || :y`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty state { newvalues open, shut, locked }
//!   newparam key
//!   validate { fail "no key" if self.key.nil? && (self.state == :shut || :locked) }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty state { newvalues open, shut, locked }
//!   newparam key
//!   validate { fail "no key" if self.key.nil? && (self.state == :shut || self.state == :locked) }
//! }
//! ```
//!
//! Constants are not reported, because they may be switches. In Ruby, loops and constants are evaluated before: only comparisons that
//! are written like this are reported.

use crate::check::{FileSubject, Sink};
use rtype_lang::syntax::ast::{BinaryOp, Expr, ExprKind, TestDecl, TestStep, UnaryOp};
use rtype_lang::syntax::visit::{Visit, walk, walk_expr, walk_test};

pub fn check(file: &FileSubject<'_>, sink: &mut Sink<'_>) {
    walk(&mut Conditions { file, sink }, file.ast);
}

struct Conditions<'f, 's, 'k> {
    file: &'f FileSubject<'f>,
    sink: &'s mut Sink<'k>,
}

impl<'a> Visit<'a> for Conditions<'_, '_, '_> {
    fn condition(&mut self, condition: &'a Expr) {
        self.look(condition);
        self.expr(condition);
    }

    fn test(&mut self, test: &'a TestDecl) {
        for step in &test.steps {
            if let TestStep::Expect(expectation, _) = step {
                self.look(expectation);
            }
        }
        walk_test(self, test);
    }

    fn expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Binary { op, left, right, .. } = &expr.kind {
            match op {
                BinaryOp::And | BinaryOp::Or => self.look(left),
                BinaryOp::Equal | BinaryOp::NotEqual if is_plain(left) && same(left, right) && self.is_written(left) => {
                    let what = if *op == BinaryOp::Equal { "equals itself" } else { "never differs from itself" };
                    let found = self.sink.finding(expr.span, format!("a value {what}"));
                    self.sink.report(found.help("compare it with another one"));
                }
                _ => {}
            }
        }
        walk_expr(self, expr);
    }
}

impl Conditions<'_, '_, '_> {
    /// Returns `true` if an author wrote an operand, as opposed to an operand that was evaluated in Ruby.
    fn is_written(&self, operand: &Expr) -> bool {
        let text = self.file.around.types.sources.slice(operand.span);
        let is_variable = matches!(operand.kind, ExprKind::Name(_) | ExprKind::Method(..));
        !self.file.is_ruby() || is_variable && self.file.is_written(text.split('.').next().unwrap_or_default(), operand.span)
    }

    /// Checks an expression that is used as a condition.
    fn look(&mut self, condition: &Expr) {
        match &condition.kind {
            ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Not, inner) => self.look(inner),
            // Left operands are visited as conditions in any case.
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, right, .. } => self.look(right),
            _ => {
                if let Some(truth) = truth(condition).filter(|_| !self.file.is_ruby()) {
                    let found = self.sink.finding(condition.span, format!("this is always {truth}"));
                    let help = match &condition.kind {
                        ExprKind::Bool(_) | ExprKind::Nil => "drop the condition, or say what it depends upon",
                        _ => "only `nil` and `false` count as false; say what it is compared with",
                    };
                    self.sink.report(found.help(help));
                }
            }
        }
    }
}

fn truth(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Nil | ExprKind::Bool(false) => Some(false),
        ExprKind::Bool(true) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Symbol(_) | ExprKind::Regex(_) => Some(true),
        ExprKind::Str(_) | ExprKind::Words(_) | ExprKind::Array(_) | ExprKind::Map(_) => Some(true),
        ExprKind::Unary(UnaryOp::Minus, inner) => truth(inner),
        _ => None,
    }
}

/// Returns `true` if an expression has the same value each time it is evaluated.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::SelfRef | ExprKind::Capture(_) | ExprKind::Symbol(_) | ExprKind::Int(_) | ExprKind::Nil => true,
        ExprKind::Str(text) => text.plain().is_some(),
        ExprKind::Method(receiver, call) => is_plain(receiver) && call.args.is_empty() && call.named.is_empty() && call.closure.is_none(),
        ExprKind::Paren(inner) => is_plain(inner),
        _ => false,
    }
}

/// Returns `true` if two plain expressions are the same.
fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Paren(a), _) => same(a, b),
        (_, ExprKind::Paren(b)) => same(a, b),
        (ExprKind::Method(a, x), ExprKind::Method(b, y)) => x.name.name == y.name.name && same(a, b) && is_plain(b) && y.args.is_empty(),
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Str(a), ExprKind::Str(b)) => a.plain() == b.plain(),
        (a, b) => a == b,
    }
}
