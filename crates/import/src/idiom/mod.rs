//! Rewrites translated code to the usual forms of the language.

mod attribute;
mod default;

pub use attribute::rewrite_attribute;
pub use default::without_false;

use crate::lower::build;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{BinaryOp, Block, Call, Condition, Expr, ExprKind, UnaryOp};

/// Rewrites a statement and the statements inside it.
pub fn rewrite(statement: Expr) -> Expr {
    let kind = match statement.kind {
        ExprKind::If { branches, otherwise } => {
            let branches = branches.into_iter().map(|(test, then)| (test, rewrite_block(then))).collect();
            return shorter_branch(branches, otherwise.map(rewrite_block), statement.span);
        }
        ExprKind::Match(subject, arms) => {
            let arms = arms.into_iter().map(|mut arm| {
                arm.body = rewrite_block(arm.body);
                arm
            });
            ExprKind::Match(subject, arms.collect())
        }
        ExprKind::Method(receiver, mut call) => {
            if let Some(closure) = &mut call.closure {
                closure.body = rewrite_block(std::mem::take(&mut closure.body));
            }
            resources_of_type(&receiver, &mut call).unwrap_or_else(|| ExprKind::Method(Box::new(rewrite(*receiver)), call))
        }
        ExprKind::Let(names, value) => ExprKind::Let(names, Box::new(rewrite(*value))),
        ExprKind::Assign { target, add, value } => ExprKind::Assign { target, add, value: Box::new(rewrite(*value)) },
        kind => kind,
    };
    Expr { kind, ..statement }
}

/// Replaces `catalog.resources().select { |r| type_name(r) == :file && … }` by `catalog.resources(:file).select { |r| … }`.
fn resources_of_type(receiver: &Expr, call: &mut Call) -> Option<ExprKind> {
    let ExprKind::Method(catalog, resources) = &receiver.kind else { return None };
    let is_all = catalog.kind == ExprKind::Name("catalog".into()) && resources.name.name == "resources" && resources.args.is_empty();
    let closure = call.closure.as_mut().filter(|_| is_all && matches!(call.name.name.as_str(), "select" | "find_all" | "find" | "each"))?;
    let [param] = closure.params.as_slice() else { return None };
    let (of, rest) = match (call.name.name.as_str(), closure.body.statements.as_slice()) {
        ("each", [Expr { kind: ExprKind::If { branches, otherwise: None }, .. }]) => match branches.as_slice() {
            [(test, then)] if !test.negated => (type_test(&test.test, &param.name)?, Some(then.statements.clone())),
            _ => return None,
        },
        ("each", [Expr { kind: ExprKind::Modified(statement, condition), .. }]) if !condition.negated => {
            (type_test(&condition.test, &param.name)?, Some(vec![(**statement).clone()]))
        }
        ("each", _) => return None,
        (_, [only]) => {
            let (mut first, mut rest) = (only, Vec::new());
            while let ExprKind::Binary { op: BinaryOp::And, left, right, .. } = &first.kind {
                rest.push((**right).clone());
                first = left;
            }
            let rest = rest.into_iter().rev().reduce(|left, right| build::binary(BinaryOp::And, left, right));
            (type_test(first, &param.name)?, rest.map(|rest| vec![rest]))
        }
        _ => return None,
    };
    let mut resources = resources.clone();
    resources.args = vec![build::expr(ExprKind::Symbol(of.as_str().into()))];
    let found = ExprKind::Method(catalog.clone(), resources);
    match rest {
        Some(rest) => closure.body.statements = rest,
        None if call.name.name == "find" => {
            let first = Call { name: build::ident("first"), closure: None, args: Vec::new(), named: Vec::new(), parens: false };
            return Some(ExprKind::Method(Box::new(build::expr(found)), first));
        }
        None => return Some(found),
    }
    Some(ExprKind::Method(Box::new(build::expr(found)), call.clone()))
}

/// Returns the type in `type_name(r) == :file`.
fn type_test(test: &Expr, param: &str) -> Option<String> {
    let ExprKind::Binary { op: BinaryOp::Equal, left, right, .. } = &test.kind else { return None };
    match (&left.kind, &right.kind) {
        (ExprKind::Call(call), ExprKind::Symbol(name)) if call.name.name == "type_name" => match call.args.as_slice() {
            [Expr { kind: ExprKind::Name(read), .. }] if read == param => Some(name.to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// Rewrites the body of a directive with a result. A `return` at the end is redundant.
pub fn rewrite_result(mut block: Block) -> Block {
    without_return(&mut block);
    without_last_name(&mut block);
    gathered(&mut block);
    rewrite_block(block)
}

fn without_return(block: &mut Block) {
    let Some(last) = block.statements.last_mut() else { return };
    match &mut last.kind {
        ExprKind::Return(Some(value)) if !matches!(value.kind, ExprKind::Map(_)) => *last = build::anchored((**value).clone(), last.span),
        ExprKind::If { branches, otherwise } => {
            branches.iter_mut().for_each(|(_, then)| without_return(then));
            otherwise.iter_mut().for_each(without_return);
        }
        _ => {}
    }
}

/// Replaces `x = f(x); x` at the end by `f(x)`.
fn without_last_name(block: &mut Block) {
    let [.., write, last] = block.statements.as_slice() else { return };
    let ExprKind::Name(read) = &last.kind else { return };
    let value = match &write.kind {
        ExprKind::Let(names, value) if names.len() == 1 && names.iter().all(|name| name.name == *read) => (**value).clone(),
        ExprKind::Assign { target, add: false, value } if target.kind == ExprKind::Name(read.clone()) => (**value).clone(),
        _ => return,
    };
    if !matches!(value.kind, ExprKind::Map(_)) {
        block.statements.truncate(block.statements.len() - 2);
        block.statements.push(value);
    }
}

/// Replaces `let l = []; l = l.push(x) if c; l` by `[x] if c`, which is nil if `c` is false.
fn gathered(block: &mut Block) {
    let [first, middle @ .., last] = block.statements.as_slice() else { return };
    let ExprKind::Name(list) = &last.kind else { return };
    let is_start = matches!(&first.kind, ExprKind::Let(names, value)
        if names.iter().all(|name| name.name == *list) && value.kind == ExprKind::Array(Vec::new()));
    let pushed = |statement: &Expr| match &statement.kind {
        ExprKind::Assign { target, value, .. } if target.kind == ExprKind::Name(list.clone()) => match &value.kind {
            ExprKind::Method(of, call) if of.kind == ExprKind::Name(list.clone()) && call.name.name == "push" => match call.args.as_slice()
            {
                [only] if !mentions(only, list) => Some(only.clone()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    if !is_start {
        return;
    }
    if let [only] = middle
        && let ExprKind::If { branches, otherwise: None } = &only.kind
        && let [(test, then)] = branches.as_slice()
        && let [one] = then.statements.as_slice()
        && let Some(value) = pushed(one).filter(|_| !mentions(&test.test, list))
    {
        let then = build::block(vec![build::expr(ExprKind::Array(vec![value]))]);
        block.statements = vec![build::expr(ExprKind::If { branches: vec![(test.clone(), then)], otherwise: None })];
        return;
    }
    let all: Option<Vec<Expr>> = middle.iter().map(pushed).collect();
    if let Some(all) = all.filter(|all| !all.is_empty()) {
        block.statements = vec![build::expr(ExprKind::Array(all))];
    }
}

/// Returns whether an expression may refer to a variable.
pub fn mentions(value: &Expr, name: &str) -> bool {
    match &value.kind {
        ExprKind::Name(word) => word == name,
        ExprKind::Nil | ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Symbol(_) | ExprKind::SelfRef => false,
        ExprKind::Method(of, call) => call.closure.is_some() || mentions(of, name) || call.args.iter().any(|arg| mentions(arg, name)),
        ExprKind::Unary(_, of) | ExprKind::Paren(of) => mentions(of, name),
        ExprKind::Binary { left, right, .. } => mentions(left, name) || mentions(right, name),
        ExprKind::Array(items) => items.iter().any(|item| mentions(item, name)),
        ExprKind::Str(text) => text.plain().is_none(),
        _ => true,
    }
}

/// Rewrites the statements of a block.
pub fn rewrite_block(block: Block) -> Block {
    Block { statements: block.statements.into_iter().map(rewrite).collect(), ..block }
}

/// Writes a branch with one statement after its statement, and a negated condition with `unless`.
fn shorter_branch(mut branches: Vec<(Condition, Block)>, otherwise: Option<Block>, span: Span) -> Expr {
    let whole = |kind| Expr { kind, span };
    if branches.len() != 1 || otherwise.is_some() {
        return whole(ExprKind::If { branches, otherwise });
    }
    let Some((mut condition, mut then)) = branches.pop() else { return whole(ExprKind::If { branches, otherwise }) };
    if !condition.negated
        && let ExprKind::Unary(UnaryOp::Not, inner) = condition.test.kind
    {
        let test = match inner.kind {
            ExprKind::Paren(inside) => *inside,
            kind => Expr { kind, span: inner.span },
        };
        condition = Condition { negated: true, test };
    }
    let is_simple = |e: &Expr| !matches!(e.kind, ExprKind::If { .. } | ExprKind::Match(..) | ExprKind::Let(..) | ExprKind::Modified(..));
    match then.statements.pop() {
        Some(only) if then.statements.is_empty() && is_simple(&only) => {
            // Comments inside the branch come before the statement.
            let span = if only.span.is_none() || span.is_none() { span } else { Span::new(only.span.start, span.end.max(only.span.end)) };
            Expr { kind: ExprKind::Modified(Box::new(build::expr(only.kind)), Box::new(condition)), span }
        }
        last => {
            then.statements.extend(last);
            whole(ExprKind::If { branches: vec![(condition, then)], otherwise: None })
        }
    }
}
