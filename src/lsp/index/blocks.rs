//! Finds keywords, built-in functions, methods, data types and attributes of other resources in blocks and expressions.

use super::found::{CatalogResources, Locals};
use super::walk::platform;
use super::{Collector, Name};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Block, Call, Closure, Expr, ExprKind, StrPart};
use rtype_lang::types::TestOutcome;
use rtype_lang::types::builtin::{Function, Method};
use rtype_lang::value::{DataType, EcoString};

/// Visits statements.
pub(super) struct Blocks<'c, 'a> {
    names: &'c mut Collector<'a>,
    /// Whether expected results are known.
    in_test: bool,
    /// The local variables, some with resources of the catalog.
    locals: Locals,
}

impl<'c, 'a> Blocks<'c, 'a> {
    pub fn new(names: &'c mut Collector<'a>) -> Blocks<'c, 'a> {
        Blocks { names, in_test: false, locals: Locals::default() }
    }

    /// Visits the expressions of a test.
    pub fn of_test(names: &'c mut Collector<'a>) -> Blocks<'c, 'a> {
        Blocks { names, in_test: true, locals: Locals::default() }
    }

    pub fn block(&mut self, block: &Block) {
        let around = self.locals.count();
        block.statements.iter().for_each(|s| self.expr(s));
        self.locals.truncate(around);
    }

    /// Visits a closure. The first parameter of the closure is an element of the receiver.
    fn closure(&mut self, closure: &Closure, receiver: Option<CatalogResources>) {
        let around = self.locals.count();
        for (i, parameter) in closure.params.iter().enumerate() {
            let element = if i == 0 { receiver.as_ref().and_then(CatalogResources::element) } else { None };
            self.locals.add(&parameter.name, element);
        }
        self.block(&closure.body);
        self.locals.truncate(around);
    }

    /// Records an attribute of a resource that a block found in the catalog.
    fn attribute_of(&mut self, of: &Expr, name: &str, span: Span) {
        if let Some(CatalogResources::One(type_name)) = self.locals.found(of) {
            self.names.uses(span, Name::Attribute(type_name, name.into()));
        }
    }

    /// Visits the argument of `type` or `is_a?`, or a value of a struct. Names in these expressions are data types.
    pub fn data_type(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(n) | ExprKind::Word(n) => self.type_word(n, e.span),
            ExprKind::Index(of, args) => {
                self.data_type(of);
                args.iter().for_each(|a| self.data_type(a));
            }
            ExprKind::Map(pairs) => pairs.iter().for_each(|(k, v)| {
                self.data_type(k);
                self.data_type(v);
            }),
            _ => self.expr(e),
        }
    }

    fn type_word(&mut self, name: &EcoString, span: Span) {
        if DataType::TABLE.iter().any(|(n, _, _)| n == name) {
            self.names.word(span, "data type", "", name);
        }
    }

    pub fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Str(s) => {
                for part in &s.parts {
                    if let StrPart::Expr(e) = part {
                        self.expr(e);
                    }
                }
            }
            ExprKind::Array(all) => all.iter().for_each(|e| self.expr(e)),
            ExprKind::Map(pairs) => pairs.iter().for_each(|(k, v)| {
                self.expr(k);
                self.expr(v);
            }),
            ExprKind::Name(name) => self.name(name, e),
            ExprKind::SelfRef => self.names.word(e.span, "keyword", "", "self"),
            ExprKind::Super(args) => args.iter().flatten().for_each(|a| self.expr(a)),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Method(receiver, call) => self.method(receiver, call),
            ExprKind::Index(of, args) => {
                if let [Expr { kind: ExprKind::Symbol(name), span }] = args.as_slice() {
                    self.attribute_of(of, name, self.names.letters(*span));
                }
                self.expr(of);
                args.iter().for_each(|a| self.expr(a));
            }
            ExprKind::Range { from, to, .. } => from.iter().chain(to).for_each(|e| self.expr(e)),
            ExprKind::Unary(_, inner) | ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Ternary(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::If { branches, otherwise } => {
                for (condition, block) in branches {
                    self.expr(&condition.test);
                    self.block(block);
                }
                otherwise.iter().for_each(|b| self.block(b));
            }
            ExprKind::Match(subject, arms) => {
                self.expr(subject);
                for arm in arms {
                    arm.patterns.iter().for_each(|p| self.data_type(p));
                    arm.guard.iter().for_each(|g| self.expr(&g.test));
                    self.block(&arm.body);
                }
            }
            ExprKind::Try { body, otherwise, .. } => {
                self.block(body);
                self.block(otherwise);
            }
            ExprKind::Fail(fail) => {
                self.expr(&fail.message);
                fail.at.iter().for_each(|a| self.expr(a));
            }
            ExprKind::Untranslated(why) => self.expr(why),
            ExprKind::Return(value) | ExprKind::Next(value) => value.iter().for_each(|e| self.expr(e)),
            ExprKind::Let(names, value) => {
                self.expr(value);
                let found = if names.len() == 1 { self.locals.found(value) } else { None };
                names.iter().for_each(|name| self.locals.add(&name.name, found.clone()));
            }
            ExprKind::Assign { target, value, .. } => {
                self.expr(value);
                if let ExprKind::Name(name) = &target.kind {
                    let found = self.locals.found(value);
                    self.locals.add(name, found);
                }
                self.expr(target);
            }
            ExprKind::Modified(statement, condition) => {
                self.expr(&condition.test);
                self.expr(statement);
            }
            ExprKind::Nil
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Symbol(_)
            | ExprKind::Word(_)
            | ExprKind::Regex(_)
            | ExprKind::Words(_)
            | ExprKind::Splat(_)
            | ExprKind::Capture(_)
            | ExprKind::Error => {}
        }
    }

    fn name(&mut self, name: &EcoString, e: &Expr) {
        if DataType::TABLE.iter().any(|(n, _, _)| n == name) {
            self.names.word(e.span, "data type", "", name);
        } else if self.in_test && TestOutcome::named(name).is_some() {
            self.names.word(e.span, "outcome", "", name);
        } else if matches!(name.as_str(), "provider" | "catalog" | "is" | "should") {
            self.names.word(e.span, "keyword", "", name);
        } else if Function::named(name).is_some() {
            self.names.word(e.span, "function", "", name);
        }
    }

    fn call(&mut self, call: &Call) {
        let name = call.name.name.as_str();
        let span = call.name.span;
        if self.in_test && TestOutcome::ASKED.iter().any(|(n, _, _)| *n == name) {
            self.names.word(span, "outcome", "", name);
        } else if Function::named(name).is_some() {
            self.names.word(span, "function", "", name);
        } else if name == "is" {
            self.names.word(span, "keyword", "", name);
        }
        for argument in &call.args {
            match &argument.kind {
                ExprKind::Symbol(_) | ExprKind::Str(_) if name == "feature" => platform(self.names, argument),
                _ => self.expr(argument),
            }
        }
        call.named.iter().for_each(|o| self.expr(&o.value));
        call.closure.iter().for_each(|c| self.closure(c, None));
    }

    fn method(&mut self, receiver: &Expr, call: &Call) {
        let name = call.name.name.as_str();
        let group = match &receiver.kind {
            ExprKind::SelfRef => matches!(name, "set?" | "raw" | "managed?").then_some("self"),
            ExprKind::Name(n) if n == "provider" => matches!(name, "name" | "features" | "has?" | "satisfies?").then_some("provider"),
            ExprKind::Name(n) if n == "catalog" => Some("catalog"),
            _ => Method::named(name).map(|_| "method"),
        };
        if let Some(group) = group {
            self.names.word(call.name.span, group, "", name);
        } else if call.args.is_empty() && call.closure.is_none() {
            let asked = name.trim_end_matches('?');
            let span = Span::new(call.name.span.start, call.name.span.start + asked.len() as u32);
            self.attribute_of(receiver, asked, span);
        }
        self.expr(receiver);
        if matches!(name, "is_a?" | "kind_of?") {
            call.args.iter().for_each(|a| self.data_type(a));
        } else {
            call.args.iter().for_each(|a| self.expr(a));
        }
        call.named.iter().for_each(|o| self.expr(&o.value));
        let found = self.locals.found(receiver);
        call.closure.iter().for_each(|c| self.closure(c, found.clone()));
    }
}
