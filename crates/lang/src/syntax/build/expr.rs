//! Builds expressions: operators, operands, names and literals.

use super::{Builder, DEEPEST, P};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::expected::{End, Expected};
use crate::syntax::hints;
use crate::syntax::parser::Rule;
use pest::pratt_parser::{Assoc, Op, PrattParser};
use std::sync::LazyLock;

static PRECEDENCE: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    PrattParser::new()
        .op(Op::infix(Rule::op_or, Assoc::Left))
        .op(Op::infix(Rule::op_and, Assoc::Left))
        .op(Op::infix(Rule::bad_operator, Assoc::Left))
        .op(Op::infix(Rule::op_compare, Assoc::Left))
        .op(Op::infix(Rule::op_add, Assoc::Left))
        .op(Op::infix(Rule::op_multiply, Assoc::Left))
        .op(Op::infix(Rule::op_power, Assoc::Right))
});

impl Builder<'_> {
    /// Calls `build` with the depth increased by `levels`, or reports that the expression is nested too deeply.
    pub(super) fn deeper(&mut self, levels: usize, span: Span, build: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.depth += levels;
        let expr = if self.depth > DEEPEST {
            if !self.diagnostics.iter().any(|d| d.code == Code::NestingTooDeep) {
                self.error(
                    Code::NestingTooDeep,
                    span,
                    format!("this expression has more than {DEEPEST} levels"),
                    "split it: give its parts names with `let`",
                );
            }
            self.error_expr(span)
        } else {
            build(self)
        };
        self.depth -= levels;
        expr
    }

    /// Builds an `expr` or `expr_flat`.
    pub(super) fn expr(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner();
        if parts.len() == 1 {
            // Fast path: nearly all expressions are a single operand.
            return match parts.next() {
                Some(only) => self.deeper(1, span, |b| b.operand(only)),
                None => self.error_expr(span),
            };
        }
        let parts: Vec<P<'_>> = parts.collect();
        self.deeper(parts.len(), span, |b| {
            let first_ternary = parts.iter().position(|p| p.as_rule() == Rule::ternary).unwrap_or(parts.len());
            let (run, ternaries) = parts.split_at(first_ternary);
            let condition = b.run(run);
            let mut tests = vec![condition];
            let mut thens = Vec::new();
            for ternary in ternaries {
                let mut inner = ternary.clone().into_inner();
                thens.push(b.value(inner.next(), Expected::ValueIfTrue));
                tests.push(match inner.next() {
                    Some(colon) if colon.as_rule() == Rule::missing_colon => {
                        b.missing(&colon, Expected::ColonAndValueIfFalse);
                        b.error_expr(span)
                    }
                    other => b.value(other, Expected::ValueIfFalse),
                });
            }
            let Some(mut result) = tests.pop() else { return b.error_expr(span) };
            while let (Some(test), Some(then)) = (tests.pop(), thens.pop()) {
                let span = test.span.to(result.span);
                result = Expr { kind: ExprKind::Ternary(Box::new(test), Box::new(then), Box::new(result)), span };
            }
            result
        })
    }

    /// Builds an expression, or reports a missing expression.
    pub(super) fn value(&mut self, pair: Option<P<'_>>, expected: Expected<'_>) -> Expr {
        match pair {
            Some(pair) => match pair.as_rule() {
                Rule::expr | Rule::expr_flat => self.expr(pair),
                Rule::operand => self.operand(pair),
                Rule::dvalue => self.directive_value(pair),
                _ => {
                    let span = self.span_of(&pair);
                    self.missing(&pair, expected);
                    self.error_expr(span)
                }
            },
            None => self.error_expr(Span::NONE),
        }
    }

    /// Builds the value after `key:`.
    pub(super) fn option_value(&mut self, key: &str, pair: Option<P<'_>>) -> Expr {
        match pair {
            Some(hole) if hole.as_rule() == Rule::hole => self.value(Some(hole), Expected::ValueFor(key)),
            other => self.value(other, Expected::Value),
        }
    }

    /// Builds a sequence of operands and operators.
    fn run(&mut self, pairs: &[P<'_>]) -> Expr {
        let mut operands = Vec::with_capacity(pairs.len() / 2 + 1);
        let mut after = "";
        for pair in pairs {
            match pair.as_rule() {
                Rule::operand => operands.push(self.operand(pair.clone())),
                Rule::hole => {
                    operands.push(self.value(Some(pair.clone()), Expected::ValueAfter(after)));
                }
                Rule::bad_operator => {
                    let (message, help) = hints::operator(pair.as_str());
                    let span = self.span_of(pair);
                    self.error(Code::RubyOperator, span, message, help);
                    self.mark(pair);
                }
                _ => after = pair.as_str(),
            }
        }
        if pairs.len() == 1 {
            return operands.pop().unwrap_or_else(|| self.error_expr(Span::NONE));
        }
        let mut operands = operands.into_iter();
        let mut chains = Vec::new();
        let nothing = || Expr { kind: ExprKind::Error, span: Span::NONE };
        let this = &*self;
        let result = PRECEDENCE
            .map_primary(|_| operands.next().unwrap_or_else(nothing))
            .map_infix(|left, op, right| {
                let span = left.span.to(right.span);
                let op_span = this.span_of(&op);
                // `===` compares with `==`.
                let symbol = if op.as_str() == "===" { "==" } else { op.as_str() };
                let Some(op) = BinaryOp::named(symbol) else {
                    return Expr { kind: ExprKind::Error, span };
                };
                if is_comparison(op) && (is_chainable(&left) || is_chainable(&right)) {
                    chains.push((op, op_span));
                }
                Expr { kind: ExprKind::Binary { op, op_span, left: Box::new(left), right: Box::new(right) }, span }
            })
            .parse(pairs.iter().cloned());
        for (op, span) in chains {
            self.error(
                Code::ChainedComparison,
                span,
                format!("`{}` compares what is already the result of a comparison", op.symbol()),
                "compare twice, with `&&` between: `low <= x && x <= high`; or put one of them in parentheses",
            );
        }
        result
    }

    /// Builds an operand: prefix operators, a primary expression and its suffixes.
    pub(super) fn operand(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner();
        let levels = parts.len().max(1);
        if levels == 1 {
            return match parts.next() {
                Some(only) => self.primary(only),
                None => self.error_expr(span),
            };
        }
        self.deeper(levels - 1, span, |b| {
            let mut prefixes = Vec::new();
            let mut result: Option<Expr> = None;
            for part in parts {
                match part.as_rule() {
                    Rule::op_not => prefixes.push((UnaryOp::Not, part.as_span().start())),
                    Rule::op_minus => prefixes.push((UnaryOp::Minus, part.as_span().start())),
                    Rule::bad_not => {
                        let start = part.as_span().start();
                        let span = b.span(start, start + 3);
                        b.error(Code::RubyOperator, span, "`not` is not an operator", "write `!`, as in `!x`");
                        prefixes.push((UnaryOp::Not, part.as_span().start()));
                    }
                    Rule::hole => result = Some(b.value(Some(part), Expected::Value)),
                    Rule::index => {
                        let end = b.span_of(&part);
                        let items = b.index(part);
                        let target = result.take().unwrap_or_else(|| b.error_expr(span));
                        let span = target.span.to(end);
                        result = Some(Expr { kind: ExprKind::Index(Box::new(target), items), span });
                    }
                    Rule::method => {
                        let target = result.take().unwrap_or_else(|| b.error_expr(span));
                        result = Some(b.method(target, part));
                    }
                    _ => result = Some(b.primary(part)),
                }
            }
            let mut result = result.unwrap_or_else(|| b.error_expr(span));
            let whole = span;
            for (op, start) in prefixes.into_iter().rev() {
                let span = Span::new(b.place(start), whole.end.max(result.span.end));
                // The sign is part of a number, so that `-1` is a literal.
                result = match (op, result.kind) {
                    (UnaryOp::Minus, ExprKind::Int(n)) if n >= 0 => Expr { kind: ExprKind::Int(n.wrapping_neg()), span },
                    (UnaryOp::Minus, ExprKind::Float(n)) if n >= 0.0 => Expr { kind: ExprKind::Float(-n), span },
                    (op, kind) => Expr { kind: ExprKind::Unary(op, Box::new(Expr { kind, span: result.span })), span },
                };
            }
            result
        })
    }

    pub(super) fn primary(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        let kind = match pair.as_rule() {
            Rule::call => return self.call_or_name(pair),
            Rule::string => ExprKind::Str(self.string(pair)),
            Rule::symbol => return self.symbol(pair),
            Rule::number => self.number(pair.as_str(), span),
            Rule::regex => self.regex(pair),
            Rule::words => ExprKind::Words(pair.into_inner().map(|w| w.as_str().into()).collect()),
            Rule::array => ExprKind::Array(self.list(pair, Expected::ListEnd)),
            Rule::map => ExprKind::Map(self.map(pair)),
            Rule::paren => return self.paren(pair),
            Rule::capture => {
                let digits = pair.as_str().trim_start_matches('$');
                match digits.parse() {
                    Ok(n) => ExprKind::Capture(n),
                    Err(_) => ExprKind::Error,
                }
            }
            Rule::if_expr => self.if_expr(pair),
            Rule::match_expr => self.match_expr(pair),
            Rule::try_expr => self.try_expr(pair),
            Rule::fail_call => {
                let (mut args, named) = pair.into_inner().next().map(|a| self.arguments(a)).unwrap_or_default();
                match args.is_empty() {
                    true => {
                        self.error(Code::Syntax, span, "`fail` needs a message", "write `fail(\"what is wrong\")`");
                        ExprKind::Error
                    }
                    false => self.failing(args.swap_remove(0), named),
                }
            }
            _ => {
                let (message, help) = hints::primary(pair.as_str());
                let code = hints::primary_code(pair.as_str());
                self.mark(&pair);
                self.error(code, span, message, help);
                ExprKind::Error
            }
        };
        Expr { kind, span }
    }

    fn paren(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        // Inside parentheses bare words are names, in directives as well.
        let words = std::mem::replace(&mut self.words, false);
        let mut inner = pair.into_inner();
        let value = self.value(inner.next(), Expected::Value);
        self.words = words;
        for rest in inner {
            self.rest(rest, Expected::Operator(End::Parenthesis));
        }
        Expr { kind: ExprKind::Paren(Box::new(value)), span }
    }

    /// Reports what the grammar accepts at the end of a bracket: `junk_in`, `unclosed` or `missing_comma`.
    pub(super) fn rest(&mut self, pair: P<'_>, expected: Expected<'_>) {
        match pair.as_rule() {
            Rule::unclosed => self.unclosed(&pair),
            Rule::missing_comma => self.missing_comma(&pair),
            _ => self.junk(&pair, expected),
        }
    }

    pub(super) fn missing_comma(&mut self, pair: &P<'_>) {
        let at = pair.as_span().start();
        if self.is_follow_up(at, at) {
            return;
        }
        let text = self.text();
        let found = hints::token(text, at);
        let end = at + found.len();
        let span = self.span(at, end);
        self.error(
            Code::MissingComma,
            span,
            format!("missing comma before `{found}`"),
            format!("separate arguments with commas: write `, {found}`"),
        );
    }

    /// Calls `build` in code, where bare words are names. In arguments, words keep the meaning that they have around the call.
    pub(super) fn in_expression<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> T {
        let words = std::mem::replace(&mut self.words, false);
        let result = build(self);
        self.words = words;
        result
    }

    fn symbol(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        let written = pair.as_str().to_owned();
        let name = match pair.into_inner().next() {
            Some(part) if part.as_rule() == Rule::string => self.string(part).plain().unwrap_or_default(),
            Some(part) => part.as_str().into(),
            None => Default::default(),
        };
        if !self.words {
            return Expr { kind: ExprKind::Symbol(name), span };
        }
        self.symbol_in_directive(&written, &name, span);
        Expr { kind: ExprKind::Word(name), span }
    }

    /// Reports a symbol in a directive, where a bare word is required.
    pub(super) fn symbol_in_directive(&mut self, written: &str, name: &str, span: Span) {
        if self.symbols_reported {
            return;
        }
        let plain =
            name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '?') && !name.starts_with(|c: char| c.is_ascii_digit());
        let instead = if plain { name.to_owned() } else { format!("\"{name}\"") };
        self.error(
            Code::SymbolInDirective,
            span,
            format!("a symbol in a directive is a bare word, without the colon of `{written}`"),
            format!("write `{instead}`"),
        );
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | Compare | Match | NotMatch)
}

fn is_chainable(side: &Expr) -> bool {
    matches!(&side.kind, ExprKind::Binary { op, .. } if is_comparison(*op))
}
