//! Builds statements and blocks.

use super::{Builder, P};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::expected::{End, Expected};
use crate::syntax::hints;
use crate::syntax::parser::Rule;

impl Builder<'_> {
    /// Builds a closure `{ |a, b| … }`, or the block `{ … }` of a directive.
    pub(super) fn closure(&mut self, pair: P<'_>) -> Closure {
        let start = pair.as_str().len() - pair.as_str().trim_start().len();
        let at = pair.as_span().start() + start;
        let span = self.span(at, pair.as_span().end());
        let mut params = Vec::new();
        let mut body = Block { statements: Vec::new(), span };
        self.in_expression(|b| {
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::bars => {
                        for name in part.into_inner() {
                            match name.as_rule() {
                                Rule::name => params.push(b.local(&name)),
                                _ => b.junk(&name, Expected::ClosureParametersEnd),
                            }
                        }
                    }
                    _ => b.block_part(part, &mut body.statements),
                }
            }
        });
        body.statements.shrink_to_fit();
        Closure { params, body, span }
    }

    /// Builds `{ statements }`.
    pub(super) fn block(&mut self, pair: P<'_>) -> Block {
        let span = self.span_of(&pair);
        let mut statements = Vec::new();
        self.in_expression(|b| {
            for part in pair.into_inner() {
                b.block_part(part, &mut statements);
            }
        });
        statements.shrink_to_fit();
        Block { statements, span }
    }

    /// Builds statements without braces around them.
    pub fn entered(&mut self, text: P<'_>) -> Vec<Expr> {
        let mut statements = Vec::new();
        for part in text.into_inner() {
            if part.as_rule() != Rule::EOI {
                self.block_part(part, &mut statements);
            }
        }
        statements
    }

    pub(super) fn block_part(&mut self, part: P<'_>, statements: &mut Vec<Expr>) {
        match part.as_rule() {
            Rule::statement => {
                let statement = self.statement(part);
                statements.push(statement);
            }
            _ => self.rest(part, Expected::Operator(End::Statement)),
        }
    }

    pub(super) fn statement(&mut self, pair: P<'_>) -> Expr {
        let whole = self.span_of(&pair);
        let levels = pair.clone().into_inner().len().saturating_sub(1);
        self.deeper(levels, whole, |b| {
            let mut parts = pair.into_inner().peekable();
            let Some(first) = parts.next() else { return b.error_expr(whole) };
            let mut result = b.statement_head(first);
            while let Some(part) = parts.next() {
                match part.as_rule() {
                    Rule::guard => {
                        let condition = b.guard(part);
                        let span = result.span.to(condition.test.span);
                        result = Expr { kind: ExprKind::Modified(Box::new(result), Box::new(condition)), span };
                    }
                    Rule::assign_op | Rule::bad_assign => {
                        let op = part.as_str().to_owned();
                        if part.as_rule() == Rule::bad_assign {
                            let span = b.span_of(&part);
                            let (message, help) = hints::assignment(&op, b.source.slice(result.span));
                            b.error(Code::RubyOperator, span, message, help);
                        }
                        let value = b.value(parts.next(), Expected::ValueAfter(&op));
                        let span = result.span.to(value.span);
                        result = b.assign(result, op == "+=", value, span);
                    }
                    _ => {
                        b.rest(part, Expected::Operator(End::Statement));
                        // In `for x in list` or `puts x` the name is not a local.
                        if matches!(result.kind, ExprKind::Name(_)) {
                            result = b.error_expr(result.span);
                        }
                    }
                }
            }
            result
        })
    }

    fn assign(&mut self, target: Expr, add: bool, value: Expr, span: Span) -> Expr {
        let fits = match &target.kind {
            ExprKind::Name(_) | ExprKind::Error => true,
            ExprKind::Method(_, call) => !call.parens && call.closure.is_none(),
            ExprKind::Index(of, names) => matches!(of.kind, ExprKind::SelfRef) && names.len() == 1,
            _ => false,
        };
        if !fits {
            self.error(
                Code::Syntax,
                target.span,
                format!("`{}` cannot be given a value", hints::one_line(self.source.slice(target.span))),
                "only a name, `self.x`, `self[e]` and `provider.x` can; values never change, so build a new one; to compare, write `==`",
            );
            return self.error_expr(span);
        }
        Expr { kind: ExprKind::Assign { target: Box::new(target), add, value: Box::new(value) }, span }
    }

    fn statement_head(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        let kind = match pair.as_rule() {
            Rule::expr => return self.expr(pair),
            Rule::let_stmt => {
                let mut names = Vec::new();
                let mut value = None;
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::name => names.push(self.local(&part)),
                        Rule::hole if names.is_empty() => self.missing(&part, Expected::NameAfter("let")),
                        Rule::missing_equals => {
                            self.missing(&part, Expected::EqualsAndValue);
                            value = Some(self.error_expr(span));
                        }
                        _ => value = Some(self.value(Some(part), Expected::ValueAfter("="))),
                    }
                }
                match value {
                    Some(value) if !names.is_empty() => ExprKind::Let(names, Box::new(value)),
                    _ => ExprKind::Error,
                }
            }
            Rule::return_stmt => ExprKind::Return(pair.into_inner().next().map(|e| Box::new(self.expr(e)))),
            Rule::next_stmt => ExprKind::Next(pair.into_inner().next().map(|e| Box::new(self.expr(e)))),
            Rule::fail_stmt => {
                let mut parts = pair.into_inner();
                let message = self.value(parts.next(), Expected::MessageAfterFail);
                let (mut args, mut named) = (Vec::new(), Vec::new());
                for part in parts {
                    self.argument(part, &mut args, &mut named);
                }
                if let Some(extra) = args.first() {
                    self.error(
                        Code::Syntax,
                        extra.span,
                        "`fail` takes one message",
                        "write `fail \"…\"`, and `at: :name` for the attribute it is about",
                    );
                }
                self.failing(message, named)
            }
            Rule::ruby_statement => {
                self.ruby(pair);
                ExprKind::Error
            }
            _ => {
                self.junk(&pair, Expected::Statement);
                ExprKind::Error
            }
        };
        Expr { kind, span }
    }
}
