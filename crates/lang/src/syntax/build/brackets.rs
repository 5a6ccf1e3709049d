//! Builds bracketed syntax: lists, maps, indexes, arguments of calls.

use super::{Builder, P};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::expected::Expected;
use crate::syntax::hints;
use crate::syntax::parser::Rule;

impl Builder<'_> {
    pub(super) fn list(&mut self, pair: P<'_>, expected: Expected<'_>) -> Vec<Expr> {
        let mut items = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::expr => items.push(self.expr(part)),
                Rule::bad_rocket => {
                    let span = self.span_of(&part);
                    self.mark(&part);
                    self.error(Code::HashRocketOption, span, "`=>` has no place in a list", "write maps in braces: `{k => v}`");
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
                self.rest(part, Expected::ListEnd);
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
                self.rest(part, Expected::MapEnd);
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
                        "`:` must follow a bare word",
                        format!("write `{text} => …` for this key, or a word without quotes for a symbol as key"),
                    );
                }
                Some(sign) if sign.as_rule() == Rule::missing_rocket => {
                    self.missing(&sign, Expected::RocketOrKey);
                    entries.push((key, self.error_expr(whole)));
                    continue;
                }
                _ => {}
            }
            let value = self.value(inner.next(), Expected::ValueAfter("=>"));
            entries.push((key, value));
        }
        entries
    }

    /// Builds `( … )` after a name: positional and named arguments.
    pub(super) fn arguments(&mut self, pair: P<'_>) -> (Vec<Expr>, Vec<Opt>) {
        let (mut args, mut named) = (Vec::new(), Vec::new());
        for part in pair.into_inner() {
            if part.as_rule() == Rule::argument {
                self.argument(part, &mut args, &mut named);
            } else {
                let place = self.span_of(&part);
                self.rest(part, Expected::ArgumentsEnd);
                // The source with the syntax error may be an argument.
                if args.is_empty() {
                    args.push(self.error_expr(place));
                }
            }
        }
        args.shrink_to_fit();
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
        let value = self.value(Some(first.clone()), Expected::Value);
        if let Some(rocket) = rocket {
            self.rocket(text, value.span, rocket, named);
        } else {
            args.push(value);
        }
        self.symbols_reported = symbols;
    }

    /// Reports `key => value` in place of `key: value`, and builds the named argument.
    pub(super) fn rocket(&mut self, key: &str, key_span: Span, rocket: P<'_>, named: &mut Vec<Opt>) {
        let end = rocket.as_span().start() + 2;
        let span = Span::new(key_span.start, self.place(end));
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
        let value = self.value(value, Expected::Value);
        named.push(Opt { name: Ident { name: word.into(), span: key_span }, value });
    }

    pub(super) fn method(&mut self, target: Expr, pair: P<'_>) -> Expr {
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
                        "`&.` is not an operator",
                        "test first: `x.nil? ? nil : x.name`, or use `x && x.name`",
                    );
                }
                Rule::bad_bang => {
                    let span = self.span_of(&part);
                    let name = call.name.name.clone();
                    self.error(
                        Code::RubyOperator,
                        call.name.span.to(span),
                        format!("unknown method `{name}!`: values are immutable"),
                        format!("use `{name}`, which returns a new value, and assign the result: `x = x.{name}`"),
                    );
                }
                Rule::arguments => {
                    (call.args, call.named) = self.in_expression(|b| b.arguments(part));
                    call.parens = true;
                }
                Rule::closure => call.closure = Some(self.closure(part)),
                Rule::ruby_do => self.ruby_do(part),
                _ => {
                    self.missing(&part, Expected::MethodName);
                    return self.error_expr(span);
                }
            }
        }
        Expr { kind: ExprKind::Method(Box::new(target), call), span }
    }

    pub(super) fn call_or_name(&mut self, pair: P<'_>) -> Expr {
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
}
