//! Defaults: Puppet drops the default `false`.

use crate::lower::build;
use rtype_lang::syntax::ast::{BinaryOp, Block, Condition, Expr, ExprKind, UnaryOp};

/// Rewrites a block whose result is false to return nil. `is_falsy` says which attributes may be false.
pub fn without_false(mut block: Block, is_falsy: &dyn Fn(&str) -> bool) -> Block {
    for statement in &mut block.statements {
        in_returns(statement, is_falsy);
    }
    if let Some(last) = block.statements.pop() {
        block.statements.push(result(last, is_falsy));
    }
    block
}

/// Rewrites the values of `return` in a statement.
fn in_returns(statement: &mut Expr, is_falsy: &dyn Fn(&str) -> bool) {
    match &mut statement.kind {
        ExprKind::Return(Some(value)) => **value = result((**value).clone(), is_falsy),
        ExprKind::Modified(inner, _) => in_returns(inner, is_falsy),
        ExprKind::If { branches, otherwise } => {
            let blocks = branches.iter_mut().map(|(_, then)| then).chain(otherwise);
            blocks.flat_map(|block| &mut block.statements).for_each(|inner| in_returns(inner, is_falsy));
        }
        ExprKind::Match(_, arms) => {
            arms.iter_mut().flat_map(|arm| &mut arm.body.statements).for_each(|inner| in_returns(inner, is_falsy));
        }
        _ => {}
    }
}

fn result(value: Expr, is_falsy: &dyn Fn(&str) -> bool) -> Expr {
    let span = value.span;
    let inside = |block: Block| without_false(block, is_falsy);
    let kind = match value.kind {
        ExprKind::Bool(false) => ExprKind::Nil,
        ExprKind::Paren(inner) => return result(*inner, is_falsy),
        ExprKind::If { branches, otherwise } => {
            let branches = branches.into_iter().map(|(test, then)| (test, inside(then))).collect();
            ExprKind::If { branches, otherwise: otherwise.map(inside) }
        }
        ExprKind::Modified(inner, condition) => ExprKind::Modified(Box::new(result(*inner, is_falsy)), condition),
        ExprKind::Match(subject, arms) => {
            let arms = arms.into_iter().map(|mut arm| {
                arm.body = inside(arm.body);
                arm
            });
            ExprKind::Match(subject, arms.collect())
        }
        ExprKind::Try { body, errors, params, otherwise } => {
            ExprKind::Try { body: inside(body), errors, params, otherwise: inside(otherwise) }
        }
        ExprKind::Ternary(test, then, otherwise) => {
            let [then, otherwise] = [*then, *otherwise].map(|value| Box::new(build::operand(result(value, is_falsy), build::Binding::Or)));
            ExprKind::Ternary(test, then, otherwise)
        }
        kind => {
            let value = Expr { kind, span };
            return if is_test(&value) {
                let condition = Condition { negated: false, test: value };
                build::expr(ExprKind::Modified(Box::new(build::expr(ExprKind::Bool(true))), Box::new(condition)))
            } else if may_be_false(&value, is_falsy) {
                build::binary(BinaryOp::Or, value, build::expr(ExprKind::Nil))
            } else {
                value
            };
        }
    };
    Expr { kind, span }
}

/// Returns whether a value is always true or false.
fn is_test(value: &Expr) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    match &value.kind {
        ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary { op, .. } => matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual),
        ExprKind::Method(of, call) => call.name.name.ends_with('?') && of.kind != ExprKind::SelfRef,
        _ => false,
    }
}

fn may_be_false(value: &Expr, is_falsy: &dyn Fn(&str) -> bool) -> bool {
    match &value.kind {
        ExprKind::Name(_) | ExprKind::Index(..) => true,
        ExprKind::Binary { op: BinaryOp::Or, right, .. } => may_be_false(right, is_falsy) || is_test(right),
        ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
            [left, right].iter().any(|operand| may_be_false(operand, is_falsy) || is_test(operand))
        }
        ExprKind::Binary { op: BinaryOp::Match, .. } => true,
        ExprKind::Method(of, call) if of.kind == ExprKind::SelfRef => is_falsy(&call.name.name) || call.name.name.ends_with('?'),
        ExprKind::Method(_, call) => matches!(call.name.name.as_str(), "fetch" | "dig" | "first" | "last" | "find"),
        ExprKind::Call(call) => call.name.name != "untranslated" && rtype_lang::types::builtin::Function::named(&call.name.name).is_none(),
        ExprKind::Paren(inner) => may_be_false(inner, is_falsy),
        _ => false,
    }
}
