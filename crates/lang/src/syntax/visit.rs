//! A visitor for syntax trees.

use super::ast::{
    Arm, Ast, Block, Body, Call, Closure, Condition, Declaration, Directive, DirectiveBlock, Expr, ExprKind, FnDecl, Item, Opt, Param,
    StrPart, TestDecl, TestStep,
};

/// Visits the nodes of a syntax tree. By default, each method visits the children. An implementation of a method can call the
/// corresponding `walk_` function.
pub trait Visit<'a>: Sized {
    /// Visits a directive of a body.
    fn directive(&mut self, directive: &'a Directive) {
        walk_directive(self, directive);
    }
    /// Visits a closure; `_of` is the directive with this block.
    fn closure(&mut self, closure: &'a Closure, _of: Option<&'a Directive>) {
        self.block(&closure.body);
    }
    /// Visits a function.
    fn function(&mut self, function: &'a FnDecl) {
        walk_function(self, function);
    }
    /// Visits a sequence of statements.
    fn block(&mut self, block: &'a Block) {
        walk_block(self, block);
    }
    /// Visits an expression or statement.
    fn expr(&mut self, expr: &'a Expr) {
        walk_expr(self, expr);
    }
    /// Visits the condition of an `if`, `unless`, `?` or guard.
    fn condition(&mut self, condition: &'a Expr) {
        self.expr(condition);
    }
    /// Visits a test.
    fn test(&mut self, test: &'a TestDecl) {
        walk_test(self, test);
    }
}

/// Visits all items of a file.
pub fn walk<'a, V: Visit<'a>>(visitor: &mut V, ast: &'a Ast) {
    ast.items.iter().for_each(|item| walk_item(visitor, item));
}

/// Visits the children of an item.
pub fn walk_item<'a, V: Visit<'a>>(visitor: &mut V, item: &'a Item) {
    match item {
        Item::Type(d) | Item::Provider(d) | Item::Kind(d) | Item::Mixin(d) => walk_declaration(visitor, d),
        Item::Fn(f) => visitor.function(f),
        Item::Const(c) => visitor.expr(&c.value),
        Item::Feature(f) => visitor.function(&f.test),
        Item::TypeAlias(t) => visitor.expr(&t.value),
        Item::Test(t) => visitor.test(t),
        Item::Use(_) | Item::Error(_) => {}
    }
}

/// Visits the children of a declaration.
pub fn walk_declaration<'a, V: Visit<'a>>(visitor: &mut V, declaration: &'a Declaration) {
    params(visitor, &declaration.params);
    options(visitor, &declaration.options);
    body(visitor, &declaration.body);
}

/// Visits the directives of a body.
pub fn body<'a, V: Visit<'a>>(visitor: &mut V, body: &'a Body) {
    body.directives.iter().for_each(|d| visitor.directive(d));
}

/// Visits the children of a directive.
pub fn walk_directive<'a, V: Visit<'a>>(visitor: &mut V, directive: &'a Directive) {
    directive.args.iter().for_each(|a| visitor.expr(a));
    options(visitor, &directive.options);
    if let Some(Condition { test, .. }) = &directive.condition {
        visitor.condition(test);
    }
    match &directive.block {
        Some(DirectiveBlock::Body(inner)) => body(visitor, inner),
        Some(DirectiveBlock::Code(closure)) => visitor.closure(closure, Some(directive)),
        Some(DirectiveBlock::TitlePatterns(rows, _)) => rows.iter().for_each(|r| visitor.expr(&r.pattern)),
        Some(DirectiveBlock::Fn(function)) => visitor.function(function),
        Some(DirectiveBlock::Const(c)) => visitor.expr(&c.value),
        Some(DirectiveBlock::TypeAlias(t)) => visitor.expr(&t.value),
        None => {}
    }
}

/// Visits the children of a function.
pub fn walk_function<'a, V: Visit<'a>>(visitor: &mut V, function: &'a FnDecl) {
    params(visitor, &function.params);
    visitor.block(&function.body);
}

/// Visits the children of a block.
pub fn walk_block<'a, V: Visit<'a>>(visitor: &mut V, block: &'a Block) {
    block.statements.iter().for_each(|s| visitor.expr(s));
}

fn params<'a, V: Visit<'a>>(visitor: &mut V, params: &'a [Param]) {
    params.iter().filter_map(|p| p.default.as_ref()).for_each(|e| visitor.expr(e));
}

fn options<'a, V: Visit<'a>>(visitor: &mut V, options: &'a [Opt]) {
    options.iter().for_each(|o| visitor.expr(&o.value));
}

fn call<'a, V: Visit<'a>>(visitor: &mut V, call: &'a Call) {
    call.args.iter().for_each(|a| visitor.expr(a));
    options(visitor, &call.named);
    call.closure.iter().for_each(|c| visitor.closure(c, None));
}

/// Visits the children of a test.
pub fn walk_test<'a, V: Visit<'a>>(visitor: &mut V, test: &'a TestDecl) {
    for step in &test.steps {
        match step {
            TestStep::Setup(_, e) | TestStep::Expect(e, _) => visitor.expr(e),
            TestStep::Rejects(_, Some(e), _) => visitor.expr(e),
            TestStep::Also(..) | TestStep::Declare(_) | TestStep::Rejects(..) => {}
        }
    }
}

/// Visits the children of a `match` arm.
pub fn walk_arm<'a, V: Visit<'a>>(visitor: &mut V, arm: &'a Arm) {
    arm.patterns.iter().for_each(|p| visitor.expr(p));
    arm.guard.iter().for_each(|g| visitor.condition(&g.test));
    visitor.block(&arm.body);
}

/// Visits the children of an expression.
pub fn walk_expr<'a, V: Visit<'a>>(visitor: &mut V, expr: &'a Expr) {
    match &expr.kind {
        ExprKind::Nil | ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Symbol(_) | ExprKind::Regex(_) => {}
        ExprKind::Words(_) | ExprKind::Word(_) | ExprKind::Name(_) | ExprKind::Splat(_) | ExprKind::SelfRef | ExprKind::Error => {}
        ExprKind::Capture(_) => {}
        ExprKind::Str(text) => {
            for part in &text.parts {
                if let StrPart::Expr(e) = part {
                    visitor.expr(e);
                }
            }
        }
        ExprKind::Array(all) => all.iter().for_each(|e| visitor.expr(e)),
        ExprKind::Map(pairs) => pairs.iter().for_each(|(k, v)| {
            visitor.expr(k);
            visitor.expr(v);
        }),
        ExprKind::Super(all) => all.iter().flatten().for_each(|e| visitor.expr(e)),
        ExprKind::Call(c) => call(visitor, c),
        ExprKind::Method(receiver, c) => {
            visitor.expr(receiver);
            call(visitor, c);
        }
        ExprKind::Index(receiver, all) => {
            visitor.expr(receiver);
            all.iter().for_each(|e| visitor.expr(e));
        }
        ExprKind::Range { from, to, .. } => from.iter().chain(to).for_each(|e| visitor.expr(e)),
        ExprKind::Unary(_, e) | ExprKind::Let(_, e) | ExprKind::Paren(e) => visitor.expr(e),
        ExprKind::Binary { left, right, .. } => {
            visitor.expr(left);
            visitor.expr(right);
        }
        ExprKind::Ternary(test, yes, no) => {
            visitor.condition(test);
            visitor.expr(yes);
            visitor.expr(no);
        }
        ExprKind::If { branches, otherwise } => {
            for (condition, block) in branches {
                visitor.condition(&condition.test);
                visitor.block(block);
            }
            otherwise.iter().for_each(|b| visitor.block(b));
        }
        ExprKind::Match(subject, arms) => {
            visitor.expr(subject);
            arms.iter().for_each(|a| walk_arm(visitor, a));
        }
        ExprKind::Try { body, otherwise, .. } => {
            visitor.block(body);
            visitor.block(otherwise);
        }
        ExprKind::Fail(fail) => {
            visitor.expr(&fail.message);
            fail.at.iter().for_each(|e| visitor.expr(e));
        }
        ExprKind::Untranslated(why) => visitor.expr(why),
        ExprKind::Return(e) | ExprKind::Next(e) => e.iter().for_each(|e| visitor.expr(e)),
        ExprKind::Assign { target, value, .. } => {
            visitor.expr(target);
            visitor.expr(value);
        }
        ExprKind::Modified(statement, condition) => {
            visitor.condition(&condition.test);
            visitor.expr(statement);
        }
    }
}
