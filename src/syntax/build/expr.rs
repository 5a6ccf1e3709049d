//! Expressions and statements.

use super::{Builder, DEEPEST, P};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::syntax::ast::*;
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
    /// Runs `build` with `levels` more above it; too deep a tree is an error instead.
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

    /// `expr` and `expr_flat`.
    pub(super) fn expr(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner();
        if parts.len() == 1 {
            // Nearly all expressions are one operand.
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
                thens.push(b.value(inner.next(), "a value for the case that it is true"));
                tests.push(match inner.next() {
                    Some(colon) if colon.as_rule() == Rule::missing_colon => {
                        b.missing(&colon, "`:` and the value for the case that it is false");
                        b.error_expr(span)
                    }
                    other => b.value(other, "a value for the case that it is false"),
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

    /// An expression, or the hole where one is missing.
    pub(super) fn value(&mut self, pair: Option<P<'_>>, expected: &str) -> Expr {
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

    /// What stands behind `key:`.
    pub(super) fn option_value(&mut self, key: &str, pair: Option<P<'_>>) -> Expr {
        match pair {
            Some(hole) if hole.as_rule() == Rule::hole => self.value(Some(hole), &format!("a value for `{key}`")),
            other => self.value(other, "a value"),
        }
    }

    /// Operands and operators in turn.
    fn run(&mut self, pairs: &[P<'_>]) -> Expr {
        let mut operands = Vec::with_capacity(pairs.len() / 2 + 1);
        let mut after = "";
        for pair in pairs {
            match pair.as_rule() {
                Rule::operand => operands.push(self.operand(pair.clone())),
                Rule::hole => {
                    let expected = format!("a value behind `{after}`");
                    operands.push(self.value(Some(pair.clone()), &expected));
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
                let Some(op) = operator(op.as_str()) else {
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

    /// Prefixes, a primary, and what is behind it.
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
                        b.error(Code::RubyOperator, span, "`not` is no operator here", "write `!`, as in `!x`");
                        prefixes.push((UnaryOp::Not, part.as_span().start()));
                    }
                    Rule::hole => result = Some(b.value(Some(part), "a value")),
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
                let span = Span::new(b.scan.place(start), whole.end.max(result.span.end));
                // A number takes its sign with it, so that `-1` is a literal.
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
            Rule::array => ExprKind::Array(self.list(pair, "`,` or `]`")),
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
                let at = named.into_iter().find(|o| o.name.name == "at").map(|o| Box::new(o.value));
                match args.is_empty() {
                    true => {
                        self.error(Code::Syntax, span, "`fail` needs a message", "write `fail(\"what is wrong\")`");
                        ExprKind::Error
                    }
                    false => ExprKind::Fail(Box::new(args.swap_remove(0)), at),
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
        // Inside parentheses words are names again, in directives, too.
        let words = std::mem::replace(&mut self.words, false);
        let mut inner = pair.into_inner();
        let value = self.value(inner.next(), "a value");
        self.words = words;
        for rest in inner {
            self.rest(rest, "an operator or `)`");
        }
        Expr { kind: ExprKind::Paren(Box::new(value)), span }
    }

    /// What may stand at the end of a bracket: `junk_in` or `unclosed`.
    pub(super) fn rest(&mut self, pair: P<'_>, expected: &str) {
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
            format!("a comma is missing before `{found}`"),
            format!("arguments are separated by commas: write `, {found}`"),
        );
    }

    fn list(&mut self, pair: P<'_>, expected: &str) -> Vec<Expr> {
        let mut items = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::expr => items.push(self.expr(part)),
                Rule::bad_rocket => {
                    let span = self.span_of(&part);
                    self.mark(&part);
                    self.error(Code::HashRocketOption, span, "`=>` has no place in a list", "a map stands in braces: `{k => v}`");
                }
                _ => self.rest(part, expected),
            }
        }
        items
    }

    pub(super) fn index(&mut self, pair: P<'_>) -> Vec<Expr> {
        let mut items = Vec::new();
        for part in pair.into_inner() {
            if part.as_rule() != Rule::index_item {
                self.rest(part, "`,` or `]`");
                continue;
            }
            let span = self.span_of(&part);
            let (mut from, mut to, mut dots) = (None, None, None);
            for piece in part.into_inner() {
                match piece.as_rule() {
                    Rule::dots => dots = Some(piece.as_str() == "..."),
                    _ if dots.is_some() => to = Some(Box::new(self.expr(piece))),
                    _ => from = Some(self.expr(piece)),
                }
            }
            items.push(match (dots, from) {
                (None, Some(only)) => only,
                (dots, from) => {
                    let exclusive = dots.unwrap_or(false);
                    Expr { kind: ExprKind::Range { from: from.map(Box::new), to, exclusive }, span }
                }
            });
        }
        items
    }

    pub(super) fn map(&mut self, pair: P<'_>) -> Vec<(Expr, Expr)> {
        let mut entries = Vec::new();
        for part in pair.into_inner() {
            if part.as_rule() != Rule::entry {
                self.rest(part, "`,` or `}`");
                continue;
            }
            let whole = self.span_of(&part);
            let mut inner = part.into_inner();
            let Some(first) = inner.next() else { continue };
            if first.as_rule() == Rule::key {
                let key = Expr { kind: ExprKind::Symbol(first.as_str().into()), span: self.span_of(&first) };
                let value = self.option_value(first.as_str(), inner.next());
                entries.push((key, value));
                continue;
            }
            let text = first.as_str().to_owned();
            let key = self.expr(first);
            match inner.next() {
                Some(sign) if sign.as_rule() == Rule::bad_map_colon => {
                    let span = self.span_of(&sign);
                    self.error(
                        Code::Syntax,
                        span,
                        "`:` stands behind a bare word only",
                        format!("write `{text} => …` for this key, or a word without quotes for a symbol as key"),
                    );
                }
                Some(sign) if sign.as_rule() == Rule::missing_rocket => {
                    self.missing(&sign, "`=>` or `key: value`");
                    entries.push((key, self.error_expr(whole)));
                    continue;
                }
                _ => {}
            }
            let value = self.value(inner.next(), "a value behind `=>`");
            entries.push((key, value));
        }
        entries
    }

    /// `( … )` behind a name: arguments and named ones.
    pub(super) fn arguments(&mut self, pair: P<'_>) -> (Vec<Expr>, Vec<Opt>) {
        let (mut args, mut named) = (Vec::new(), Vec::new());
        for part in pair.into_inner() {
            if part.as_rule() == Rule::argument {
                self.argument(part, &mut args, &mut named);
            } else {
                self.rest(part, "`,` or `)`");
            }
        }
        (args, named)
    }

    pub(super) fn argument(&mut self, pair: P<'_>, args: &mut Vec<Expr>, named: &mut Vec<Opt>) {
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else { return };
        if first.as_rule() == Rule::key {
            let name = self.ident(&first);
            let value = self.option_value(&name.name, inner.next());
            named.push(Opt { name, value });
            return;
        }
        let text = first.as_str();
        let symbols = self.symbols_reported;
        let rocket = inner.next();
        self.symbols_reported |= rocket.is_some();
        let value = self.value(Some(first.clone()), "a value");
        if let Some(rocket) = rocket {
            self.rocket(text, value.span, rocket, named);
        } else {
            args.push(value);
        }
        self.symbols_reported = symbols;
    }

    /// `key => value` where `key: value` belongs; read as if it were that.
    pub(super) fn rocket(&mut self, key: &str, key_span: Span, rocket: P<'_>, named: &mut Vec<Opt>) {
        let end = rocket.as_span().start() + 2;
        let span = Span::new(key_span.start, self.scan.place(end));
        let word = hints::bare_word(key);
        let value = rocket.into_inner().next();
        let written = value.as_ref().map(|v| hints::one_line(v.as_str()).trim_start_matches(':').to_owned());
        let written = written.filter(|_| self.words).unwrap_or_else(|| "…".to_owned());
        self.error(
            Code::HashRocketOption,
            span,
            format!("an option is written `{word}:`, not `{}`", hints::one_line(self.source.slice(span))),
            format!("write `{word}: {written}`"),
        );
        let value = self.value(value, "a value");
        named.push(Opt { name: Ident { name: word.into(), span: key_span }, value });
    }

    fn method(&mut self, target: Expr, pair: P<'_>) -> Expr {
        let end = self.span_of(&pair);
        let span = target.span.to(end);
        let mut call = Call {
            name: Ident { name: "".into(), span: Span::new(end.end, end.end) },
            args: Vec::new(),
            named: Vec::new(),
            closure: None,
            parens: false,
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => call.name = self.ident(&part),
                Rule::bad_safe => {
                    let span = self.span_of(&part);
                    self.error(
                        Code::RubyOperator,
                        span,
                        "`&.` is no operator here",
                        "test first: `x.nil? ? nil : x.name`, or use `x && x.name`",
                    );
                }
                Rule::bad_bang => {
                    let span = self.span_of(&part);
                    let name = call.name.name.clone();
                    self.error(
                        Code::RubyOperator,
                        call.name.span.to(span),
                        format!("there is no `{name}!`: values never change"),
                        format!("use `{name}`, which gives a new value, and assign it: `x = x.{name}`"),
                    );
                }
                Rule::arguments => {
                    (call.args, call.named) = self.in_expression(|b| b.arguments(part));
                    call.parens = true;
                }
                Rule::closure => call.closure = Some(self.closure(part)),
                Rule::ruby_do => self.ruby_do(part),
                _ => {
                    self.missing(&part, "the name of a method behind `.`");
                    return self.error_expr(span);
                }
            }
        }
        Expr { kind: ExprKind::Method(Box::new(target), call), span }
    }

    /// Arguments keep the meaning of words of where they stand; inside code words are names.
    fn in_expression<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> T {
        let words = std::mem::replace(&mut self.words, false);
        let result = build(self);
        self.words = words;
        result
    }

    fn call_or_name(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        let pair_text = pair.as_str();
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else { return self.error_expr(span) };
        let name = self.ident(&first);
        let Some(arguments) = inner.next() else {
            let kind = match first.as_str() {
                "nil" => ExprKind::Nil,
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                "self" => ExprKind::SelfRef,
                "super" => ExprKind::Super(None),
                _ if self.words => ExprKind::Word(name.name),
                "null" | "undef" | "None" => {
                    self.error(Code::Syntax, span, format!("`{}` is called `nil` here", name.name), "write `nil`");
                    ExprKind::Nil
                }
                _ => ExprKind::Name(name.name),
            };
            return Expr { kind, span };
        };
        if arguments.as_rule() == Rule::bad_constant {
            let (message, help) = hints::primary(pair_text);
            let code = hints::primary_code(pair_text);
            self.mark(&arguments);
            self.error(code, span, message, help);
            return self.error_expr(span);
        }
        let (args, named) = self.arguments(arguments);
        if name.name == "super" {
            return Expr { kind: ExprKind::Super(Some(args)), span };
        }
        let closure = inner.next().map(|c| self.closure(c));
        Expr { kind: ExprKind::Call(Call { name, args, named, closure, parens: true }), span }
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

    /// In directives a bare word is the symbol.
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

    /// `{ |a, b| … }`, `{ … }` behind a directive.
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
                                Rule::name => params.push(b.ident(&name)),
                                _ => b.junk(&name, "a name, `,` or `|`"),
                            }
                        }
                    }
                    _ => b.block_part(part, &mut body.statements),
                }
            }
        });
        Closure { params, body, span }
    }

    /// `{ statements }`
    pub(super) fn block(&mut self, pair: P<'_>) -> Block {
        let span = self.span_of(&pair);
        let mut statements = Vec::new();
        self.in_expression(|b| {
            for part in pair.into_inner() {
                b.block_part(part, &mut statements);
            }
        });
        Block { statements, span }
    }

    fn block_part(&mut self, part: P<'_>, statements: &mut Vec<Expr>) {
        match part.as_rule() {
            Rule::statement => {
                let statement = self.statement(part);
                statements.push(statement);
            }
            _ => self.rest(part, "an operator or the end of the statement"),
        }
    }

    fn statement(&mut self, pair: P<'_>) -> Expr {
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
                        let expected = format!("a value behind `{op}`");
                        let value = b.value(parts.next(), &expected);
                        let span = result.span.to(value.span);
                        result = b.assign(result, op == "+=", value, span);
                    }
                    _ => b.rest(part, "an operator or the end of the statement"),
                }
            }
            result
        })
    }

    fn assign(&mut self, target: Expr, add: bool, value: Expr, span: Span) -> Expr {
        let fits = match &target.kind {
            ExprKind::Name(_) | ExprKind::Error => true,
            ExprKind::Method(_, call) => !call.parens && call.closure.is_none(),
            _ => false,
        };
        if !fits {
            self.error(
                Code::Syntax,
                target.span,
                format!("`{}` cannot be given a value", hints::one_line(self.source.slice(target.span))),
                "only a name, `self.x` and `provider.x` can; values never change, so build a new one; to compare, write `==`",
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
                        Rule::name => names.push(self.ident(&part)),
                        Rule::hole if names.is_empty() => self.missing(&part, "a name behind `let`"),
                        Rule::missing_equals => {
                            self.missing(&part, "`=` and a value");
                            value = Some(self.error_expr(span));
                        }
                        _ => value = Some(self.value(Some(part), "a value behind `=`")),
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
                let message = self.value(parts.next(), "a message behind `fail`");
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
                let at = named.into_iter().find(|o| o.name.name == "at").map(|o| Box::new(o.value));
                ExprKind::Fail(Box::new(message), at)
            }
            Rule::ruby_statement => {
                self.ruby(pair);
                ExprKind::Error
            }
            _ => {
                self.junk(&pair, "a statement");
                ExprKind::Error
            }
        };
        Expr { kind, span }
    }

    pub(super) fn guard(&mut self, pair: P<'_>) -> Condition {
        let mut inner = pair.into_inner();
        let word = inner.next();
        let negated = word.as_ref().is_some_and(|w| w.as_rule() == Rule::kw_unless);
        let test = self.in_expression(|b| b.value(inner.next(), "a condition"));
        Condition { negated, test }
    }

    fn if_expr(&mut self, pair: P<'_>) -> ExprKind {
        let whole = pair.as_span();
        let mut branches = Vec::new();
        let mut otherwise = None;
        let mut condition: Option<Condition> = None;
        let mut negated = false;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::kw_if => negated = false,
                Rule::kw_unless => negated = true,
                Rule::expr | Rule::hole => {
                    let test = self.value(Some(part), "a condition");
                    condition = Some(Condition { negated, test });
                }
                Rule::block => {
                    let block = self.block(part);
                    branches.extend(condition.take().map(|c| (c, block)));
                }
                Rule::ruby_rest => {
                    let start = whole.start();
                    let span = self.span(start, start + 2 + if negated { 4 } else { 0 });
                    self.mark(&part);
                    self.error(
                        Code::RubyBlock,
                        span,
                        "a branch stands in braces, not between a line break and `end`",
                        "write `if condition { … } else { … }`",
                    );
                    return ExprKind::Error;
                }
                Rule::missing_block => {
                    let span = self.span_of(&part);
                    self.missing(&part, "`{`");
                    branches.extend(condition.take().map(|c| (c, Block { statements: Vec::new(), span })));
                }
                Rule::elsif => {
                    if let Some(branch) = self.elsif(part) {
                        branches.push(branch);
                    }
                }
                Rule::otherwise => {
                    for piece in part.into_inner() {
                        match piece.as_rule() {
                            Rule::block => otherwise = Some(self.block(piece)),
                            Rule::late_else => self.late_else(&piece, "else"),
                            _ => self.missing(&piece, "`{`"),
                        }
                    }
                }
                _ => {}
            }
        }
        ExprKind::If { branches, otherwise }
    }

    fn elsif(&mut self, pair: P<'_>) -> Option<(Condition, Block)> {
        let mut condition = None;
        let mut block = None;
        for part in pair.into_inner() {
            let span = self.span_of(&part);
            match part.as_rule() {
                Rule::late_else => self.late_else(&part, "elsif"),
                Rule::kw_elsif if part.as_str() != "elsif" => {
                    let message = format!("`{}` is called `elsif` here", part.as_str());
                    self.error(Code::RubyOperator, span, message, "write `elsif`");
                }
                Rule::else_if => {
                    self.error(Code::RubyOperator, span, "`else if` is one word here", "write `elsif`");
                }
                Rule::expr | Rule::hole => condition = Some(self.value(Some(part), "a condition")),
                Rule::block => block = Some(self.block(part)),
                Rule::missing_block => {
                    self.missing(&part, "`{`");
                    block = Some(Block { statements: Vec::new(), span });
                }
                _ => {}
            }
        }
        Some((Condition { negated: false, test: condition? }, block?))
    }

    fn late_else(&mut self, gap: &P<'_>, word: &str) {
        let at = gap.as_span().end();
        let span = self.span(at, at + hints::token(self.text(), at).len());
        self.error(
            Code::Syntax,
            span,
            format!("`{word}` stands on a line of its own: the line break before it ends the statement"),
            format!("put it behind the brace: `}} {word}`"),
        );
    }

    fn match_expr(&mut self, pair: P<'_>) -> ExprKind {
        let mut subject = None;
        let mut arms = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::arms => {
                    for arm in part.into_inner() {
                        match arm.as_rule() {
                            Rule::arm => arms.extend(self.arm(arm)),
                            _ => self.rest(arm, "`=>`, `|` or the end of the arm"),
                        }
                    }
                }
                Rule::missing_block => self.missing(&part, "`{` and the arms"),
                _ => subject = Some(self.value(Some(part), "a value to match")),
            }
        }
        match subject {
            Some(subject) => ExprKind::Match(Box::new(subject), arms),
            None => ExprKind::Error,
        }
    }

    fn arm(&mut self, pair: P<'_>) -> Option<Arm> {
        let span = self.span_of(&pair);
        let mut patterns = Vec::new();
        let mut guard = None;
        let mut body = Block::default();
        let mut braces = false;
        let mut seen_rocket = false;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::operand => patterns.push(self.operand(part)),
                Rule::bad_arm_comma => {
                    let span = self.span_of(&part);
                    self.error(
                        Code::RubyOperator,
                        span,
                        "patterns of one arm are separated by `|`, not by commas",
                        "write `\"a\" | \"b\" => …`",
                    );
                }
                Rule::guard => guard = Some(self.guard(part)),
                Rule::rocket => seen_rocket = true,
                Rule::missing_rocket => {
                    self.missing(&part, "`=>`, `|` or `if`");
                    body.span = self.span_of(&part);
                }
                Rule::block => {
                    body = self.block(part);
                    braces = true;
                }
                Rule::statement => {
                    let statement = self.statement(part);
                    body = Block { span: statement.span, statements: vec![statement] };
                }
                Rule::hole if seen_rocket => {
                    body.span = self.span_of(&part);
                    self.missing(&part, "a value behind `=>`");
                }
                Rule::hole => self.missing(&part, "a pattern behind `|`"),
                _ => {
                    self.junk(&part, "a pattern and `=>`");
                    return None;
                }
            }
        }
        Some(Arm { patterns, guard, body, braces, span })
    }

    fn try_expr(&mut self, pair: P<'_>) -> ExprKind {
        let span = self.span_of(&pair);
        let mut body = None;
        let mut otherwise = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::block => body = Some(self.block(part)),
                Rule::code => otherwise = Some(self.closure(part)),
                Rule::late_else => self.late_else(&part, "else"),
                _ => self.missing(&part, "`{`"),
            }
        }
        let Some(otherwise) = otherwise else {
            if body.is_some() {
                self.error(
                    Code::Syntax,
                    span,
                    "`try` without `else`: it does not say what to do when it fails",
                    "write `try { … } else { |message| … }`",
                );
            }
            return ExprKind::Error;
        };
        match body {
            Some(body) => ExprKind::Try { body, param: otherwise.params.into_iter().next(), otherwise: otherwise.body },
            None => ExprKind::Error,
        }
    }
}

fn operator(text: &str) -> Option<BinaryOp> {
    Some(match text {
        "**" => BinaryOp::Power,
        "*" => BinaryOp::Multiply,
        "%" => BinaryOp::Modulo,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "&" => BinaryOp::Intersect,
        "==" | "===" => BinaryOp::Equal,
        "!=" => BinaryOp::NotEqual,
        "<" => BinaryOp::Less,
        "<=" => BinaryOp::LessEqual,
        ">" => BinaryOp::Greater,
        ">=" => BinaryOp::GreaterEqual,
        "<=>" => BinaryOp::Compare,
        "=~" => BinaryOp::Match,
        "!~" => BinaryOp::NotMatch,
        "&&" => BinaryOp::And,
        "||" => BinaryOp::Or,
        _ => return None,
    })
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | Compare | Match | NotMatch)
}

fn is_chainable(side: &Expr) -> bool {
    matches!(&side.kind, ExprKind::Binary { op, .. } if is_comparison(*op))
}
