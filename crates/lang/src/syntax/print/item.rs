//! Prints items, directives and tests.

use super::expr::MOST_PADDING;
use super::layout::Token;
use super::{Brackets, Printer};
use crate::source::Span;
use crate::syntax::ast::*;

impl Printer<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        let span = item.span();
        self.tokens.push(Token::UnitStart(span));
        match item {
            Item::Use(u) => {
                self.push("use ");
                if u.path_span.is_none() || !self.written(u.path_span).starts_with(['"', '\'']) {
                    self.quoted(&u.path);
                } else {
                    self.verbatim(u.path_span);
                }
            }
            Item::Type(d) => self.declaration("type ", d),
            Item::Provider(d) => self.declaration("provider ", d),
            Item::Kind(d) => self.declaration("kind ", d),
            Item::Mixin(d) => self.declaration("mixin ", d),
            Item::Fn(f) => self.function(f),
            Item::Const(c) => self.constant(c),
            Item::Feature(f) => self.feature(f),
            Item::TypeAlias(a) => self.alias(a),
            Item::Test(t) => self.test(t),
            Item::Error(span) => self.verbatim(*span),
        }
        self.tokens.push(Token::UnitEnd);
    }

    fn declaration(&mut self, word: &str, d: &Declaration) {
        self.push(word);
        self.push(&d.name.name);
        let end = self.params(&d.params, d.name.span.end);
        self.following_options(&d.options, end);
        self.push(" ");
        self.body(&d.body);
    }

    /// Prints the options `, key: value` after a name, before a body.
    fn following_options(&mut self, options: &[Opt], before: u32) {
        let forced = options.first().is_some_and(|o| self.broken(before, o.name.span.start));
        let group = self.begin(forced);
        for option in options {
            self.push(",");
            self.line_in(2, " ", option.name.span);
            self.nested(group, 2, |p| p.option(option));
        }
        self.end();
    }

    /// Prints the parameters in parentheses; returns the position after them.
    fn params(&mut self, params: &[Param], after: u32) -> u32 {
        if params.is_empty() {
            return after;
        }
        let place = |p: &Param| p.default.as_ref().map_or(p.name.span, |d| p.name.span.to(d.span));
        let end = params.last().map_or(after, |p| place(p).end);
        // The tree has no span for the parentheses, so the closing parenthesis is searched for.
        let close = self.written(Span::new(end, self.source.span().end)).find(')').map_or(end, |at| end + at as u32 + 1);
        let span = if after == 0 { Span::NONE } else { Span::new(after, close) };
        self.list(Brackets::new("(", ")", span), params, place, |p, param| {
            p.push(&param.name.name);
            if let Some(default) = &param.default {
                p.push(" = ");
                p.expr(default);
            }
        });
        close
    }

    fn body(&mut self, body: &Body) {
        self.braces(body.span, "", &body.directives, |d| d.span, |p, d| p.directive(d));
    }

    fn function(&mut self, f: &FnDecl) {
        self.push("fn ");
        self.push(&f.name.name);
        if f.params.is_empty() {
            self.push("()");
        }
        self.params(&f.params, f.name.span.end);
        self.push(" ");
        self.block(&f.body);
    }

    fn feature(&mut self, f: &FeatureDecl) {
        self.push("feature ");
        self.push(&f.test.name.name);
        if let Some(doc) = &f.doc {
            self.push(", ");
            match self.written(doc.span) {
                "" => self.string(doc),
                _ => self.verbatim(doc.span),
            }
        }
        self.push(" ");
        self.block(&f.test.body);
    }

    fn constant(&mut self, c: &ConstDecl) {
        self.push("const ");
        self.push(&c.name.name);
        self.push(" = ");
        self.expr(&c.value);
    }

    fn alias(&mut self, a: &TypeAliasDecl) {
        self.push("typealias ");
        self.push(&a.name.name);
        self.push(" = ");
        self.expr(&a.value);
    }

    fn directive(&mut self, d: &Directive) {
        self.tokens.push(Token::UnitStart(d.span));
        self.directive_inside(d);
        self.tokens.push(Token::UnitEnd);
    }

    fn directive_inside(&mut self, d: &Directive) {
        match &d.block {
            Some(DirectiveBlock::Fn(f)) => return self.function(f),
            Some(DirectiveBlock::Const(c)) => return self.constant(c),
            Some(DirectiveBlock::TypeAlias(a)) => return self.alias(a),
            _ => {}
        }
        if d.is_override {
            self.push("override ");
        }
        self.push(&d.name.name);
        self.directive_arguments(d);
        if let Some(condition) = &d.condition {
            self.condition(condition);
        }
        match &d.block {
            Some(DirectiveBlock::Body(body)) => {
                self.push(" ");
                self.body(body);
            }
            Some(DirectiveBlock::Code(code)) => {
                self.push(" ");
                self.closure(code);
            }
            Some(DirectiveBlock::TitlePatterns(rows, span)) => {
                self.push(" ");
                let mut arrows = Vec::new();
                self.braces(*span, "", rows, |r| r.span, |p, r| p.row(r, &mut arrows));
                self.align(&arrows, MOST_PADDING);
            }
            _ => {}
        }
    }

    /// Prints arguments and options in the order of the source. If they do not fit on one line, each option gets a separate line,
    /// arguments share lines, and the first argument stays after the word.
    fn directive_arguments(&mut self, d: &Directive) {
        let parts = Argument::sorted(&d.args, &d.options);
        let steps = if matches!(d.block, None | Some(DirectiveBlock::Code(_))) { 1 } else { 2 };
        self.push(if parts.is_empty() { "" } else { " " });
        let is_option = |part: &Argument<'_>| matches!(part, Argument::Option(_));
        let pairs = parts.iter().zip(parts.iter().skip(1));
        let forced =
            pairs.clone().find(|(_, next)| is_option(next)).is_some_and(|(one, next)| self.broken(one.span().end, next.span().start));
        let group = self.begin(forced);
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.push(",");
                self.line_in(steps, " ", part.span());
                if let Some(Token::Break { fill, .. }) = self.tokens.last_mut() {
                    *fill = !is_option(part);
                }
            }
            let levels = if i > 0 && is_option(part) { steps } else { 0 };
            self.nested(group, levels, |p| p.argument(part));
        }
        self.end();
    }

    fn row(&mut self, row: &TitlePatternRow, arrows: &mut Vec<(usize, usize)>) {
        let from = self.tokens.len();
        self.expr(&row.pattern);
        arrows.push(self.pad(from));
        self.push(" => ");
        if row.attributes.is_empty() {
            self.push("nil");
        }
        for (i, name) in row.attributes.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.push(&name.name);
        }
    }

    pub(super) fn option(&mut self, option: &Opt) {
        let name = &option.name.name;
        let plain = name.trim_end_matches('?');
        if plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            self.push(name);
        } else {
            self.quoted(name);
        }
        self.push(": ");
        self.expr(&option.value);
    }

    pub(super) fn condition(&mut self, condition: &Condition) {
        self.push(" ");
        self.bare_condition(condition);
    }

    pub(super) fn bare_condition(&mut self, condition: &Condition) {
        self.push(if condition.negated { "unless " } else { "if " });
        self.expr(&condition.test);
    }

    fn test(&mut self, t: &TestDecl) {
        self.push("test ");
        self.string(&t.title);
        self.push(" ");
        let span = self.braces_of(t);
        self.braces(span, "", &t.steps, step_span, |p, step| p.step(step));
    }

    /// Returns the span of a test's braces, which the tree does not have: the span begins after the title.
    fn braces_of(&self, t: &TestDecl) -> Span {
        if t.span.is_none() { Span::NONE } else { Span::new(t.title.span.end, t.span.end) }
    }

    fn step(&mut self, step: &TestStep) {
        match step {
            TestStep::Setup(word, map) => {
                self.push(&word.name);
                self.push(" ");
                self.given(map);
            }
            TestStep::Also(statements, span) => {
                self.push("also ");
                self.begin(self.is_tall(*span));
                self.open_braces(*span, "", " ", statements, statement_span, |p, s| p.statement(s));
                self.end();
            }
            TestStep::Declare(resource) => self.resource(resource),
            TestStep::Expect(test, _) => {
                self.push("expect ");
                self.expr(test);
            }
            TestStep::Rejects(name, pattern, _) => {
                self.push("rejects");
                if let Some(name) = name {
                    self.push(" ");
                    self.push(&name.name);
                }
                if let Some(pattern) = pattern {
                    self.push(if name.is_some() { ", " } else { " " });
                    self.expr(pattern);
                }
            }
        }
    }
}

/// An argument or option of a directive or call.
pub(super) enum Argument<'a> {
    Value(&'a Expr),
    Option(&'a Opt),
}

impl Argument<'_> {
    /// Returns arguments and options in the order of the source.
    pub fn sorted<'a>(args: &'a [Expr], options: &'a [Opt]) -> Vec<Argument<'a>> {
        let mut parts: Vec<Argument<'a>> = args.iter().map(Argument::Value).collect();
        parts.extend(options.iter().map(Argument::Option));
        parts.sort_by_key(|p| p.span().start);
        parts
    }

    pub fn span(&self) -> Span {
        match self {
            Argument::Value(value) => value.span,
            Argument::Option(option) => option.name.span.to(option.value.span),
        }
    }
}

pub(super) fn statement_span(statement: &Statement) -> Span {
    match statement {
        Statement::Resource(r) => r.span,
        Statement::Defaults(d) => d.span,
        Statement::Chain(_, _, span) | Statement::Uncompiled(_, span) | Statement::Error(span) => *span,
    }
}

fn step_span(step: &TestStep) -> Span {
    match step {
        TestStep::Setup(word, map) => word.span.to(map.span),
        TestStep::Declare(resource) => resource.span,
        TestStep::Also(_, span) | TestStep::Expect(_, span) | TestStep::Rejects(_, _, span) => *span,
    }
}
