//! Items, directives, tests.

use super::Printer;
use crate::source::Span;
use crate::syntax::ast::*;

impl Printer<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        let span = match item {
            Item::Use(u) => u.span,
            Item::Type(d) | Item::Provider(d) | Item::Kind(d) | Item::Mixin(d) => d.span,
            Item::Fn(f) => f.span,
            Item::Const(c) => c.span,
            Item::Feature(f) => f.test.span,
            Item::TypeAlias(a) => a.span,
            Item::Test(t) => t.span,
            Item::Error(span) => *span,
        };
        self.line(span);
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
        self.end_line(span);
    }

    fn declaration(&mut self, word: &str, d: &Declaration) {
        self.push(word);
        self.push(&d.name.name);
        self.params(&d.params);
        for option in &d.options {
            self.push(", ");
            self.option(option);
        }
        self.push(" ");
        self.body(&d.body);
    }

    fn params(&mut self, params: &[Param]) {
        if params.is_empty() {
            return;
        }
        self.push("(");
        for (i, param) in params.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.push(&param.name.name);
            if let Some(default) = &param.default {
                self.push(" = ");
                self.expr(default);
            }
        }
        self.push(")");
    }

    fn body(&mut self, body: &Body) {
        self.braces(body.span, &body.directives, |d| d.span, |p, d| p.directive(d));
    }

    fn function(&mut self, f: &FnDecl) {
        self.push("fn ");
        self.push(&f.name.name);
        if f.params.is_empty() {
            self.push("()");
        }
        self.params(&f.params);
        self.push(" ");
        self.block(&f.body);
    }

    fn feature(&mut self, f: &FeatureDecl) {
        self.push("feature ");
        self.push(&f.test.name.name);
        if let Some(doc) = &f.doc {
            self.push(", ");
            self.verbatim(doc.span);
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
        // Arguments and options in the order in which they stand.
        let mut parts: Vec<Argument<'_>> = d.args.iter().map(Argument::Value).collect();
        parts.extend(d.options.iter().map(Argument::Option));
        parts.sort_by_key(|p| p.span().start);
        self.push(if parts.is_empty() { "" } else { " " });
        self.list(0, 0, &parts, Argument::span, |p, part| match part {
            Argument::Value(value) => p.expr(value),
            Argument::Option(option) => p.option(option),
        });
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
                self.braces(*span, rows, |r| r.span, |p, r| p.row(r));
            }
            _ => {}
        }
    }

    fn row(&mut self, row: &TitlePatternRow) {
        self.expr(&row.pattern);
        self.push(" => ");
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
        self.push(if condition.negated { " unless " } else { " if " });
        self.expr(&condition.test);
    }

    fn test(&mut self, t: &TestDecl) {
        self.push("test ");
        self.string(&t.title);
        self.push(" ");
        let span = self.braces_of(t);
        self.braces(span, &t.steps, step_span, |p, step| p.step(step));
    }

    /// The braces of a test, which the tree does not keep: behind its title.
    fn braces_of(&self, t: &TestDecl) -> Span {
        if t.span.is_none() { Span::NONE } else { Span::new(t.title.span.end, t.span.end) }
    }

    fn step(&mut self, step: &TestStep) {
        match step {
            TestStep::Given(word, map) => {
                self.push(&word.name);
                self.push(" ");
                self.given(map);
            }
            TestStep::Also(statements, span) => {
                self.push("also ");
                self.braces(*span, statements, self::statement_span, |p, s| p.statement(s));
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

enum Argument<'a> {
    Value(&'a Expr),
    Option(&'a Opt),
}

impl Argument<'_> {
    fn span(&self) -> Span {
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
        Statement::Chain(_, _, span) | Statement::Error(span) => *span,
    }
}

fn step_span(step: &TestStep) -> Span {
    match step {
        TestStep::Given(word, map) => word.span.to(map.span),
        TestStep::Declare(resource) => resource.span,
        TestStep::Also(_, span) | TestStep::Expect(_, span) | TestStep::Rejects(_, _, span) => *span,
    }
}
