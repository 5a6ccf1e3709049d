//! Prints a tree as Ruby: the core forms, fully parenthesized.

mod parts;
mod text;

use super::{Begin, BodyId, Case, CaseIn, ConstantPath, ConstantScope, ExprId, Hir, HirBody, HirKind, HirText, LocalRef, SuperCall};
use text::{float, quoted, regex_source};

/// Returns a file as Ruby.
pub fn print(hir: &Hir) -> String {
    let mut printer = Printer { hir, bodies: Vec::new(), out: String::new(), indent: 0 };
    if hir.bodies.iter().any(|(_, body)| body.exprs.iter().any(|(_, expr)| matches!(expr.kind, HirKind::Str { frozen: true, .. }))) {
        printer.push("# frozen_string_literal: true\n");
    }
    printer.in_body(hir.main(), Printer::statements);
    printer.out.push('\n');
    printer.out
}

/// Returns an expression as Ruby.
pub fn print_expr(hir: &Hir, body: BodyId, expr: ExprId) -> String {
    let mut printer = Printer { hir, bodies: Vec::new(), out: String::new(), indent: 0 };
    // Outer local variables' names are also printed.
    let mut outer = Some(body);
    while let Some(id) = outer {
        printer.bodies.insert(0, id);
        outer = hir.body(id).and_then(|body| body.parent);
    }
    printer.expr(expr);
    printer.out
}

struct Printer<'h> {
    hir: &'h Hir,
    /// The enclosing bodies, innermost last.
    bodies: Vec<BodyId>,
    out: String,
    indent: usize,
}

impl<'h> Printer<'h> {
    fn body(&self) -> Option<&'h HirBody> {
        self.hir.body(*self.bodies.last()?)
    }

    fn in_body(&mut self, id: BodyId, print: impl FnOnce(&mut Self)) {
        self.bodies.push(id);
        print(self);
        self.bodies.pop();
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    /// Prints the innermost body's statements.
    fn statements(&mut self) {
        if let Some(body) = self.body() {
            self.block_of(body.root);
        }
    }

    /// Prints each statement on a separate line.
    fn block_of(&mut self, root: ExprId) {
        let Some(body) = self.body() else { return };
        match body.kind(root) {
            HirKind::Seq(list) => {
                for (i, statement) in list.iter().enumerate() {
                    if i > 0 {
                        self.line();
                    }
                    self.expr(*statement);
                }
            }
            _ => self.expr(root),
        }
    }

    /// Prints statements between two words.
    fn indented(&mut self, root: ExprId) {
        self.indent += 1;
        self.line();
        self.block_of(root);
        self.indent -= 1;
        self.line();
    }

    fn local_name(&self, local: LocalRef) -> HirText {
        let position = self.bodies.len().checked_sub(1 + local.depth as usize);
        let body = position.and_then(|at| self.bodies.get(at)).and_then(|id| self.hir.body(*id));
        body.and_then(|body| body.locals.get(local.local)).map_or_else(|| "__unknown".into(), |local| HirText::clone(&local.name))
    }

    fn local(&mut self, local: LocalRef) {
        let name = self.local_name(local);
        self.push(&name);
    }

    fn expr(&mut self, id: ExprId) {
        stacker::maybe_grow(super::lower::STACK.0, super::lower::STACK.1, || {
            if let Some(body) = self.body() {
                self.kind(body.kind(id));
            }
        });
    }

    fn kind(&mut self, kind: &'h HirKind) {
        match kind {
            HirKind::Nil => self.push("nil"),
            HirKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            HirKind::SelfValue => self.push("self"),
            HirKind::Integer(number) if *number < 0 => self.push(&format!("({number})")),
            HirKind::Integer(number) => self.push(&number.to_string()),
            HirKind::BigInteger(digits) => self.push(&format!("({digits})")),
            HirKind::Float(number) => self.push(&float(*number)),
            HirKind::Str { text, .. } => {
                let text = quoted(text);
                self.push(&text);
            }
            HirKind::Symbol(name) => {
                let text = quoted(name);
                self.push(&format!(":{text}"));
            }
            HirKind::StrConcat(parts) => self.concat("\"", parts, "\"", quoted_part),
            HirKind::SymbolConcat(parts) => self.concat(":\"", parts, "\"", quoted_part),
            HirKind::Regex { parts, flags } => {
                self.concat("/", parts, "/", regex_source);
                for (is_set, letter) in [(flags.ignore_case, 'i'), (flags.multi_line, 'm'), (flags.extended, 'x'), (flags.once, 'o')] {
                    if is_set {
                        self.out.push(letter);
                    }
                }
            }
            HirKind::Array(elements) => {
                self.push("[");
                self.elements(elements);
                self.push("]");
            }
            HirKind::Hash(pairs) => {
                self.push("{");
                self.pairs(pairs);
                self.push("}");
            }
            HirKind::Range { low, high, exclusive } => self.range(*low, *high, *exclusive),
            HirKind::Local(local) => self.local(*local),
            HirKind::Variable(name) => self.push(name),
            HirKind::Constant(path) => self.constant(path),
            HirKind::Group(0) => self.push("$&"),
            HirKind::Group(number) => self.push(&format!("${number}")),
            HirKind::AroundMatch(which) => self.push(&format!("${which}")),
            HirKind::FilePath => self.push("__FILE__"),
            HirKind::Line => self.push("__LINE__"),
            HirKind::Unsupported { what } => self.push(&format!("raise(NotImplementedError, {})", quoted(what))),
            other => self.compound(other),
        }
    }

    fn range(&mut self, low: Option<ExprId>, high: Option<ExprId>, exclusive: bool) {
        self.push("(");
        match low {
            Some(low) => self.expr(low),
            None => self.push("nil"),
        }
        self.push(if exclusive { "..." } else { ".." });
        match high {
            Some(high) => self.expr(high),
            None => self.push("nil"),
        }
        self.push(")");
    }

    fn compound(&mut self, kind: &'h HirKind) {
        match kind {
            HirKind::Call(call) => self.call(call),
            HirKind::Assign { target, value } => {
                self.push("(");
                self.target(target);
                self.push(" = ");
                self.expr(*value);
                self.push(")");
            }
            HirKind::Seq(list) => {
                self.push("(");
                for (i, part) in list.iter().enumerate() {
                    if i > 0 {
                        self.push("; ");
                    }
                    self.expr(*part);
                }
                self.push(")");
            }
            HirKind::Not(value) => self.wrapped("(!", &[*value], "", ")"),
            HirKind::IsNil(value) => self.wrapped("nil.equal?(", &[*value], "", ")"),
            HirKind::And(left, right) => self.wrapped("(", &[*left, *right], " && ", ")"),
            HirKind::Or(left, right) => self.wrapped("(", &[*left, *right], " || ", ")"),
            HirKind::Defined(value) => self.wrapped("defined?(", &[*value], "", ")"),
            HirKind::Alias { new, old } => self.wrapped("(alias ", &[*new, *old], " ", ")"),
            HirKind::Undef(names) => self.wrapped("(undef ", names, ", ", ")"),
            HirKind::Return(value) => self.leave("return", *value),
            HirKind::Break(value) => self.leave("break", *value),
            HirKind::Next(value) => self.leave("next", *value),
            HirKind::Retry => self.push("(retry)"),
            HirKind::Redo => self.push("(redo)"),
            HirKind::Super(call) => self.up(call),
            HirKind::Yield(args) => {
                self.push("(yield");
                self.arguments(args, true);
                self.push(")");
            }
            other => self.control(other),
        }
    }

    fn wrapped(&mut self, before: &str, parts: &[ExprId], between: &str, after: &str) {
        self.push(before);
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.push(between);
            }
            self.expr(*part);
        }
        self.push(after);
    }

    fn leave(&mut self, word: &str, value: Option<ExprId>) {
        self.push(&format!("({word}"));
        if let Some(value) = value {
            self.push(" ");
            self.expr(value);
        }
        self.push(")");
    }

    fn up(&mut self, call: &'h SuperCall) {
        self.push("super");
        self.arguments(&call.args, true);
        self.block(call.args.block);
    }

    fn control(&mut self, kind: &'h HirKind) {
        match kind {
            HirKind::If { condition, then, otherwise } => {
                self.push("(if ");
                self.expr(*condition);
                self.push(" then");
                self.indented(*then);
                self.push("else");
                self.indented(*otherwise);
                self.push("end)");
            }
            HirKind::While { condition, body, at_least_once } => {
                self.push(if *at_least_once { "(begin" } else { "(while " });
                if !at_least_once {
                    self.expr(*condition);
                    self.push(" do");
                }
                self.indented(*body);
                self.push("end");
                if *at_least_once {
                    self.push(" while ");
                    self.expr(*condition);
                }
                self.push(")");
            }
            HirKind::For { target, list, body } => {
                self.push("(for ");
                self.bare_target(target);
                self.push(" in ");
                self.expr(*list);
                self.push(" do");
                self.indented(*body);
                self.push("end)");
            }
            HirKind::Case(case) => self.case(case),
            HirKind::CaseIn(case) => self.case_in(case),
            HirKind::MatchPattern { value, pattern, required } => {
                self.push("(");
                self.expr(*value);
                self.push(if *required { " => " } else { " in " });
                self.pattern(pattern);
                self.push(")");
            }
            HirKind::Begin(begin) => self.begin(begin),
            other => self.definition(other),
        }
    }

    fn case(&mut self, case: &'h Case) {
        self.push("(case");
        if let Some(subject) = case.subject {
            self.push(" ");
            self.expr(subject);
        }
        for arm in &case.arms {
            self.line();
            self.push("when ");
            self.elements(&arm.conditions);
            self.push(" then");
            self.indented(arm.body);
        }
        self.push("else");
        self.indented(case.otherwise);
        self.push("end)");
    }

    fn case_in(&mut self, case: &'h CaseIn) {
        self.push("(case ");
        self.expr(case.subject);
        for arm in &case.arms {
            self.line();
            self.push("in ");
            self.pattern(&arm.pattern);
            if let Some(guard) = arm.guard {
                self.push(" if ");
                self.expr(guard);
            }
            self.push(" then");
            self.indented(arm.body);
        }
        if let Some(otherwise) = case.otherwise {
            self.push("else");
            self.indented(otherwise);
        }
        self.push("end)");
    }

    fn begin(&mut self, begin: &'h Begin) {
        self.push("(begin");
        self.indented(begin.body);
        for rescue in &begin.rescues {
            self.push("rescue");
            if !rescue.classes.is_empty() {
                self.push(" ");
                self.elements(&rescue.classes);
            }
            if let Some(target) = &rescue.target {
                self.push(" => ");
                self.target(target);
            }
            self.push(" then");
            self.indented(rescue.body);
        }
        if let Some(otherwise) = begin.otherwise {
            self.push("else");
            self.indented(otherwise);
        }
        if let Some(ensure) = begin.ensure {
            self.push("ensure");
            self.indented(ensure);
        }
        self.push("end)");
    }

    fn definition(&mut self, kind: &'h HirKind) {
        let body = match kind {
            HirKind::Lambda(body) => {
                self.push("->");
                self.in_body(*body, |printer| {
                    printer.push("(");
                    printer.params();
                    printer.push(") {");
                    printer.code();
                    printer.push("}");
                });
                return;
            }
            HirKind::Def { singleton, name, body } => {
                self.push("def ");
                if let Some(object) = singleton {
                    let is_self = self.body().is_some_and(|b| matches!(b.kind(*object), HirKind::SelfValue));
                    if is_self {
                        self.push("self")
                    } else {
                        self.wrapped("(", &[*object], "", ")")
                    }
                    self.push(".");
                }
                self.push(name);
                self.in_body(*body, |printer| {
                    printer.push("(");
                    printer.params();
                    printer.push(")");
                });
                *body
            }
            HirKind::Class { path, superclass, body } => {
                self.push("class ");
                self.constant(path);
                if let Some(superclass) = superclass {
                    self.push(" < ");
                    self.expr(*superclass);
                }
                *body
            }
            HirKind::Module { path, body } => {
                self.push("module ");
                self.constant(path);
                *body
            }
            HirKind::SingletonClass { object, body } => {
                self.push("class << ");
                self.expr(*object);
                *body
            }
            _ => return,
        };
        self.in_body(body, Printer::code);
        self.push("end");
    }

    /// Prints the innermost body's statements, each on a separate line.
    fn code(&mut self) {
        if let Some(body) = self.body() {
            self.indented(body.root);
        }
    }

    fn constant(&mut self, path: &ConstantPath) {
        match path.scope {
            ConstantScope::Lexical => {}
            ConstantScope::Top => self.push("::"),
            ConstantScope::Of(scope) => {
                let is_constant = self.body().is_some_and(|b| matches!(b.kind(scope), HirKind::Constant(_)));
                if is_constant {
                    self.expr(scope)
                } else {
                    self.wrapped("(", &[scope], "", ")")
                }
                self.push("::");
            }
        }
        self.push(&path.name);
    }

    fn concat(&mut self, before: &str, parts: &[ExprId], after: &str, literal: fn(&str) -> String) {
        self.push(before);
        let Some(body) = self.body() else { return };
        for part in parts {
            match body.kind(*part) {
                HirKind::Str { text, .. } => {
                    let text = literal(text);
                    self.push(&text);
                }
                _ => self.wrapped("#{", &[*part], "", "}"),
            }
        }
        self.push(after);
    }
}

/// Returns a string as written between double quotes.
fn quoted_part(text: &str) -> String {
    let all = quoted(text);
    all.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default().to_owned()
}
