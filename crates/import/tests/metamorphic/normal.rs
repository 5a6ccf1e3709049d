//! Brings a translation to a normal form in which statements without effect and the forms of `if` make no difference.

use rtype_lang::syntax::ast::{
    Arm, Ast, Block, Body, Call, Closure, Condition, Declaration, Directive, DirectiveBlock, Expr, ExprKind, FnDecl, Item, Opt, StrPart,
};

/// Removes statements without effect, and replaces `a if b` by `if b { a }`.
pub fn normalize(ast: &mut Ast) {
    for item in &mut ast.items {
        match item {
            Item::Type(d) | Item::Provider(d) | Item::Kind(d) | Item::Mixin(d) => declaration(d),
            Item::Fn(f) => function(f),
            Item::Const(c) => expr(&mut c.value),
            Item::Feature(f) => function(&mut f.test),
            Item::TypeAlias(_) | Item::Test(_) | Item::Use(_) | Item::Error(_) => {}
        }
    }
}

fn declaration(declaration: &mut Declaration) {
    declaration.params.iter_mut().filter_map(|p| p.default.as_mut()).for_each(expr);
    options(&mut declaration.options);
    body(&mut declaration.body);
}

fn body(of: &mut Body) {
    of.directives.iter_mut().for_each(directive);
}

fn directive(directive: &mut Directive) {
    directive.args.iter_mut().for_each(expr);
    options(&mut directive.options);
    directive.condition.iter_mut().for_each(condition);
    match &mut directive.block {
        Some(DirectiveBlock::Body(inner)) => body(inner),
        Some(DirectiveBlock::Code(code)) => closure(code),
        Some(DirectiveBlock::Fn(f)) => function(f),
        Some(DirectiveBlock::Const(c)) => expr(&mut c.value),
        Some(DirectiveBlock::TitlePatterns(..) | DirectiveBlock::TypeAlias(_)) | None => {}
    }
}

fn function(of: &mut FnDecl) {
    of.params.iter_mut().filter_map(|p| p.default.as_mut()).for_each(expr);
    block(&mut of.body);
}

fn options(options: &mut [Opt]) {
    options.iter_mut().for_each(|o| expr(&mut o.value));
}

fn condition(of: &mut Condition) {
    expr(&mut of.test);
}

fn closure(of: &mut Closure) {
    block(&mut of.body);
}

fn block(block: &mut Block) {
    block.statements.iter_mut().for_each(expr);
    let last = block.statements.len().saturating_sub(1);
    let mut at = 0;
    block.statements.retain(|statement| {
        at += 1;
        at > last || !is_without_effect(statement)
    });
}

/// Returns whether a transformation may have inserted a statement.
fn is_without_effect(statement: &Expr) -> bool {
    match &statement.kind {
        ExprKind::Nil => true,
        ExprKind::Let(names, value) => {
            matches!((names.as_slice(), &value.kind), ([name], ExprKind::Int(1)) if name.name == "_unused")
        }
        ExprKind::Assign { target, add: false, value } => {
            matches!((&target.kind, &value.kind), (ExprKind::Name(name), ExprKind::Int(1)) if name == "_unused")
                || matches!((&target.kind, &value.kind), (ExprKind::Name(one), ExprKind::Name(other)) if one == other)
                || matches!((&target.kind, &value.kind), (ExprKind::Word(one), ExprKind::Word(other)) if one == other)
        }
        _ => false,
    }
}

fn call(of: &mut Call) {
    of.args.iter_mut().for_each(expr);
    options(&mut of.named);
    of.closure.iter_mut().for_each(closure);
}

fn arm(of: &mut Arm) {
    of.patterns.iter_mut().for_each(expr);
    of.guard.iter_mut().for_each(condition);
    block(&mut of.body);
    of.braces = true;
}

fn expr(of: &mut Expr) {
    match &mut of.kind {
        ExprKind::Str(text) => text.parts.iter_mut().for_each(|part| {
            if let StrPart::Expr(value) = part {
                expr(value);
            }
        }),
        ExprKind::Array(all) | ExprKind::Super(Some(all)) => all.iter_mut().for_each(expr),
        ExprKind::Map(pairs) => pairs.iter_mut().for_each(|(key, value)| {
            expr(key);
            expr(value);
        }),
        ExprKind::Call(c) => call(c),
        ExprKind::Method(receiver, c) => {
            expr(receiver);
            call(c);
        }
        ExprKind::Index(receiver, all) => {
            expr(receiver);
            all.iter_mut().for_each(expr);
        }
        ExprKind::Range { from, to, .. } => from.iter_mut().chain(to).for_each(|e| expr(e)),
        ExprKind::Unary(_, e) | ExprKind::Untranslated(e) | ExprKind::Paren(e) | ExprKind::Let(_, e) => expr(e),
        ExprKind::Binary { left, right, .. } => {
            expr(left);
            expr(right);
        }
        ExprKind::Ternary(test, yes, no) => [test, yes, no].into_iter().for_each(|e| expr(e)),
        ExprKind::If { branches, otherwise } => {
            for (test, then) in branches {
                condition(test);
                block(then);
            }
            otherwise.iter_mut().for_each(block);
        }
        ExprKind::Match(value, arms) => {
            expr(value);
            arms.iter_mut().for_each(arm);
        }
        ExprKind::Try { body, otherwise, .. } => {
            block(body);
            block(otherwise);
        }
        ExprKind::Fail(failing) => {
            expr(&mut failing.message);
            failing.at.iter_mut().for_each(expr);
        }
        ExprKind::Return(value) | ExprKind::Next(value) => value.iter_mut().for_each(|e| expr(e)),
        ExprKind::Assign { target, value, .. } => {
            expr(target);
            expr(value);
        }
        ExprKind::Modified(statement, test) => {
            expr(statement);
            condition(test);
            let then = Block { statements: vec![(**statement).clone()], span: of.span };
            of.kind = ExprKind::If { branches: vec![((**test).clone(), then)], otherwise: None };
        }
        ExprKind::Nil
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Symbol(_)
        | ExprKind::Regex(_)
        | ExprKind::Words(_)
        | ExprKind::Word(_)
        | ExprKind::Name(_)
        | ExprKind::Splat(_)
        | ExprKind::SelfRef
        | ExprKind::Super(None)
        | ExprKind::Capture(_)
        | ExprKind::Error => {}
    }
}
