//! Indexes words in blocks and expressions. Locals, functions, constants and data types are resolved by the compiler.

use super::walk::{Scope, word};
use super::{Collector, Name};
use rtype_lang::syntax::ast::{Block, Call, Closure, Expr, ExprKind, StrPart};
use rtype_lang::types::TestOutcome;
use rtype_lang::types::builtin::{Function, Method};
use rtype_lang::value::{DataType, EcoString};

/// Functions whose argument is an attribute.
const ABOUT_ATTRIBUTES: &[&str] = &["is", "sync", "attributes", "insync", "change"];

/// Visits statements.
pub(super) struct Blocks<'c, 'a, 's> {
    names: &'c mut Collector<'a>,
    scope: &'s Scope,
}

impl<'c, 'a, 's> Blocks<'c, 'a, 's> {
    pub fn new(names: &'c mut Collector<'a>, scope: &'s Scope) -> Blocks<'c, 'a, 's> {
        Blocks { names, scope }
    }

    pub fn closure(&mut self, closure: &Closure) {
        self.block(&closure.body);
    }

    pub fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|s| self.expr(s));
    }

    /// Visits the argument of `type` or `is_a?`, or a value of a struct: names are data types.
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

    fn type_word(&mut self, name: &EcoString, span: rtype_lang::source::Span) {
        if DataType::TABLE.iter().any(|(n, _, _)| n == name) {
            self.names.word(span, "data type", "", name);
        }
    }

    /// Visits an argument or option of a directive: bare words are symbols, unless there is a parameter of that name.
    pub fn argument(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Word(_) => {}
            ExprKind::Array(all) => all.iter().for_each(|e| self.argument(e)),
            ExprKind::Call(call) => {
                self.names.uses(call.name.span, Name::Kind(call.name.name.clone()));
                call.args.iter().chain(call.named.iter().map(|o| &o.value)).for_each(|a| self.argument(a));
            }
            _ => self.expr(e),
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
            ExprKind::Word(_) => self.argument(e),
            ExprKind::Name(name) => self.name(name, e),
            ExprKind::SelfRef => self.names.word(e.span, "keyword", "", "self"),
            ExprKind::Super(args) => args.iter().flatten().for_each(|a| self.expr(a)),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Method(receiver, call) => self.method(receiver, call),
            ExprKind::Index(of, args) => {
                if matches!(of.kind, ExprKind::SelfRef) {
                    args.iter().for_each(|a| self.attribute(a));
                }
                self.reference(of, args);
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
            ExprKind::Fail(message, at) => {
                self.expr(message);
                at.iter().for_each(|a| self.attribute(a));
            }
            ExprKind::Return(value) | ExprKind::Next(value) => value.iter().for_each(|e| self.expr(e)),
            ExprKind::Let(_, value) => self.expr(value),
            ExprKind::Assign { target, value, .. } => {
                self.expr(value);
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
            | ExprKind::Regex(_)
            | ExprKind::Words(_)
            | ExprKind::Splat(_)
            | ExprKind::Capture(_)
            | ExprKind::Error => {}
        }
    }

    /// `User['bob']` in an expectation.
    fn reference(&mut self, of: &Expr, args: &[Expr]) {
        if let ExprKind::Name(name) = &of.kind
            && DataType::TABLE.iter().all(|(n, _, _)| n != name)
            && args.iter().any(|a| matches!(a.kind, ExprKind::Str(_)))
        {
            self.names.uses(of.span, Name::Type(name.to_lowercase()));
        }
    }

    fn name(&mut self, name: &EcoString, e: &Expr) {
        if DataType::TABLE.iter().any(|(n, _, _)| n == name) {
            self.names.word(e.span, "data type", "", name);
        } else if self.scope.test && TestOutcome::named(name).is_some() {
            self.names.word(e.span, "outcome", "", name);
        } else if matches!(name.as_str(), "provider" | "catalog" | "is" | "should") {
            self.names.word(e.span, "keyword", "", name);
        } else if Function::named(name).is_some() {
            self.names.word(e.span, "function", "", name);
        }
    }

    /// A symbol that names an attribute.
    fn attribute(&mut self, e: &Expr) {
        if let ExprKind::Symbol(name) = &e.kind {
            let span = self.names.letters(e.span);
            self.names.uses(span, Name::Attribute(self.scope.owner.clone(), name.clone()));
        } else {
            self.expr(e);
        }
    }

    fn call(&mut self, call: &Call) {
        let name = call.name.name.as_str();
        let span = call.name.span;
        if self.scope.test && TestOutcome::ASKED.iter().any(|(n, _, _)| *n == name) {
            self.names.word(span, "outcome", "", name);
        } else if Function::named(name).is_some() {
            self.names.word(span, "function", "", name);
        } else if name == "is" {
            self.names.word(span, "keyword", "", name);
        }
        for argument in &call.args {
            let letters = self.names.letters(argument.span);
            match word(argument) {
                Some(w) if name == "feature" && !matches!(argument.kind, ExprKind::Name(_)) => self.names.uses(letters, Name::Platform(w)),
                Some(_) if ABOUT_ATTRIBUTES.contains(&name) => self.attribute(argument),
                _ => self.expr(argument),
            }
        }
        call.named.iter().for_each(|o| self.expr(&o.value));
        call.closure.iter().for_each(|c| self.closure(c));
    }

    fn method(&mut self, receiver: &Expr, call: &Call) {
        let name = &call.name.name;
        let is = |word: &str| matches!(&receiver.kind, ExprKind::Name(n) if n == word);
        if matches!(receiver.kind, ExprKind::SelfRef) {
            self.names.word(receiver.span, "keyword", "", "self");
            match name.as_str() {
                "set?" | "raw" => {
                    self.names.word(call.name.span, "self", "", name);
                    return call.args.iter().for_each(|a| self.attribute(a));
                }
                "managed?" => self.names.word(call.name.span, "self", "", name),
                _ => {
                    let mut span = call.name.span;
                    let attribute = match name.strip_suffix('?') {
                        Some(attribute) => {
                            span.end -= 1;
                            attribute.into()
                        }
                        None => name.clone(),
                    };
                    self.names.uses(span, Name::Attribute(self.scope.owner.clone(), attribute));
                }
            }
        } else if is("provider") {
            self.names.word(receiver.span, "keyword", "", "provider");
            let of = self.scope.type_name();
            match name.as_str() {
                "name" | "features" => self.names.word(call.name.span, "provider", "", name),
                "has?" | "satisfies?" => {
                    self.names.word(call.name.span, "provider", "", name);
                    for argument in &call.args {
                        let letters = self.names.letters(argument.span);
                        if let ExprKind::Symbol(w) = &argument.kind {
                            self.names.uses(letters, Name::Method(of.clone(), w.clone()));
                        }
                    }
                }
                _ => self.names.uses(call.name.span, Name::Method(of, name.clone())),
            }
        } else if is("catalog") {
            self.names.word(receiver.span, "keyword", "", "catalog");
            self.names.word(call.name.span, "catalog", "", name);
            if let Some(first) = call.args.first()
                && let ExprKind::Symbol(w) = &first.kind
            {
                let letters = self.names.letters(first.span);
                self.names.uses(letters, Name::Type(w.clone()));
            }
        } else {
            self.expr(receiver);
            if Method::named(name).is_some() {
                self.names.word(call.name.span, "method", "", name);
            }
        }
        if matches!(name.as_str(), "is_a?" | "kind_of?") {
            call.args.iter().for_each(|a| self.data_type(a));
        } else {
            call.args.iter().for_each(|a| self.expr(a));
        }
        call.named.iter().for_each(|o| self.expr(&o.value));
        call.closure.iter().for_each(|c| self.closure(c));
    }
}
