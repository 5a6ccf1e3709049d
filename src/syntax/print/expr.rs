//! Expressions and statements.

use super::Printer;
use crate::source::Span;
use crate::syntax::ast::*;

impl Printer<'_> {
    pub(super) fn quoted(&mut self, text: &str) {
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                '#' => out.push_str("\\#"),
                c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
                c => out.push(c),
            }
        }
        out.push('"');
        let out = out.replace("\\# ", "# ");
        self.push(&out);
    }

    pub(super) fn string(&mut self, literal: &StrLit) {
        let written = self.written(literal.span);
        if written.starts_with(['"', '\'']) && written.len() > 1 {
            return self.verbatim(literal.span);
        }
        if let Some(text) = literal.plain() {
            return self.quoted(&text);
        }
        self.push("\"");
        for part in &literal.parts {
            match part {
                StrPart::Text(text) => {
                    let mut inner = Printer::new(self.source, &[]);
                    inner.quoted(text);
                    let inner = inner.out;
                    self.push(inner.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(""));
                }
                StrPart::Expr(value) => {
                    self.push("#{");
                    self.expr(value);
                    self.push("}");
                }
            }
        }
        self.push("\"");
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Nil => self.push("nil"),
            ExprKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::Int(n) => {
                // `0644` stays octal.
                let written = self.written(expr.span);
                match written.starts_with('0') && written.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                    true => self.push(written),
                    false if written.bytes().all(|b| b.is_ascii_digit() || b == b'_') && !written.is_empty() => self.push(written),
                    false => self.push(&n.to_string()),
                }
            }
            ExprKind::Float(n) => match self.written(expr.span) {
                "" => self.push(&format!("{n:?}")),
                written => {
                    let clean: String = written.chars().filter(|c| !c.is_whitespace()).collect();
                    self.push(&clean);
                }
            },
            ExprKind::Str(literal) => self.string(literal),
            ExprKind::Symbol(name) => {
                self.push(":");
                if is_word(name) { self.push(name) } else { self.quoted(name) }
            }
            ExprKind::Regex(regex) => {
                self.push("/");
                self.push(&regex.source.replace("/", "\\/"));
                self.push("/");
                for (flag, on) in [("i", regex.flags.ignore_case), ("s", regex.flags.dot_all), ("x", regex.flags.extended)] {
                    self.push(if on { flag } else { "" });
                }
            }
            ExprKind::Words(words) => {
                self.push("%w[");
                self.push(&words.join(" "));
                self.push("]");
            }
            ExprKind::Array(items) => {
                self.push("[");
                self.list(expr.span.start, expr.span.end, items, |e| e.span, |p, e| p.expr(e));
                self.push("]");
            }
            ExprKind::Map(entries) => {
                self.push("{");
                self.entries(entries, expr.span);
                self.push("}");
            }
            ExprKind::Word(name) if !is_word(name) => self.quoted(name),
            ExprKind::Word(name) | ExprKind::Name(name) => self.push(name),
            ExprKind::Splat(name) => {
                self.push("*");
                self.push(&name.name);
            }
            ExprKind::SelfRef => self.push("self"),
            ExprKind::Super(args) => {
                self.push("super");
                if let Some(args) = args {
                    self.push("(");
                    self.list(0, 0, args, |e| e.span, |p, e| p.expr(e));
                    self.push(")");
                }
            }
            ExprKind::Capture(n) => self.push(&format!("${n}")),
            ExprKind::Call(call) => self.call(call, expr.span),
            ExprKind::Method(target, call) => {
                self.expr(target);
                if self.broken(target.span.end, call.name.span.start) {
                    self.indent += 1;
                    self.gap(target.span.end, call.name.span.start, "");
                    self.push(".");
                    self.call(call, expr.span);
                    self.indent -= 1;
                } else {
                    self.push(".");
                    self.call(call, expr.span);
                }
            }
            ExprKind::Index(target, items) => {
                self.expr(target);
                self.push("[");
                self.list(target.span.end, expr.span.end, items, |e| e.span, |p, e| p.expr(e));
                self.push("]");
            }
            ExprKind::Range { from, to, exclusive } => {
                if let Some(from) = from {
                    self.expr(from);
                }
                self.push(if *exclusive { "..." } else { ".." });
                if let Some(to) = to {
                    self.expr(to);
                }
            }
            ExprKind::Unary(op, value) => {
                self.push(match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Minus => "-",
                });
                self.expr(value);
            }
            ExprKind::Binary { op, op_span, left, right } => {
                self.expr(left);
                let before = matches!(op, BinaryOp::And | BinaryOp::Or) && self.broken(left.span.end, op_span.start);
                self.indent += 1;
                if before {
                    self.gap(left.span.end, op_span.start, " ");
                } else {
                    self.push(" ");
                }
                self.push(op.symbol());
                self.gap(op_span.end, right.span.start, " ");
                self.indent -= 1;
                if before || self.line_start {
                    self.indent += 1;
                    self.expr(right);
                    self.indent -= 1;
                } else {
                    self.expr(right);
                }
            }
            ExprKind::Ternary(test, then, otherwise) => {
                self.expr(test);
                self.indent += 1;
                self.gap_before(test.span.end, then.span.start, '?');
                self.push("? ");
                self.expr(then);
                self.gap_before(then.span.end, otherwise.span.start, ':');
                self.push(": ");
                self.expr(otherwise);
                self.indent -= 1;
            }
            ExprKind::Paren(value) => {
                self.push("(");
                self.indent += 1;
                self.gap(expr.span.start, value.span.start, "");
                self.expr(value);
                self.indent -= 1;
                self.gap(value.span.end, expr.span.end, "");
                self.push(")");
            }
            ExprKind::Error => self.verbatim(expr.span),
            _ => self.statement_expr(expr),
        }
    }

    /// The facts and readings of a test: a map that looks like a block.
    pub(super) fn given(&mut self, map: &Expr) {
        let ExprKind::Map(entries) = &map.kind else { return self.expr(map) };
        let blank = if entries.is_empty() || self.is_tall(map.span) { "" } else { " " };
        self.push("{");
        self.push(blank);
        self.entries(entries, map.span);
        if !self.line_start {
            self.push(blank);
        }
        self.push("}");
    }

    fn entries(&mut self, entries: &[(Expr, Expr)], span: Span) {
        self.list(
            span.start,
            span.end,
            entries,
            |(k, v)| k.span.to(v.span),
            |p, (key, value)| {
                match &key.kind {
                    ExprKind::Symbol(name) if is_word(name) && !p.written(key.span).starts_with(':') => {
                        p.push(name);
                        p.push(": ");
                    }
                    _ => {
                        p.expr(key);
                        p.push(" => ");
                    }
                }
                p.expr(value);
            },
        );
    }

    /// The line break before `?` or `:` of a ternary.
    fn gap_before(&mut self, from: u32, to: u32, sign: char) {
        let gap = self.written(Span::new(from, to));
        let line_break = from < to && from != 0 && gap.split(sign).next().is_some_and(|g| g.contains('\n'));
        if line_break { self.newline() } else { self.push(" ") }
    }

    fn call(&mut self, call: &Call, whole: Span) {
        self.push(&call.name.name);
        if call.parens {
            self.push("(");
            let mut parts: Vec<(Option<&Opt>, Option<&Expr>)> = call.args.iter().map(|a| (None, Some(a))).collect();
            parts.extend(call.named.iter().map(|n| (Some(n), None)));
            let end = call.closure.as_ref().map_or(whole.end, |c| c.span.start);
            let place = |(named, value): &(Option<&Opt>, Option<&Expr>)| match (named, value) {
                (Some(named), _) => named.name.span.to(named.value.span),
                (_, Some(value)) => value.span,
                _ => Span::NONE,
            };
            parts.sort_by_key(|p| place(p).start);
            self.list(call.name.span.end, end, &parts, place, |p, part| match *part {
                (Some(named), _) => p.option(named),
                (_, Some(value)) => p.expr(value),
                _ => {}
            });
            self.push(")");
        }
        if let Some(closure) = &call.closure {
            self.push(" ");
            self.braces_with_bars(closure);
        }
    }

    /// The block of a directive: bars only where there are parameters.
    pub(super) fn closure(&mut self, closure: &Closure) {
        if closure.params.is_empty() {
            self.braces(closure.span, &closure.body.statements, |s| s.span, |p, s| p.expr(s));
        } else {
            self.braces_with_bars(closure);
        }
    }

    fn braces_with_bars(&mut self, closure: &Closure) {
        let names: Vec<&str> = closure.params.iter().map(|p| p.name.as_str()).collect();
        let bars = format!("|{}|", names.join(", "));
        self.open_braces(closure.span, &bars, &closure.body.statements, |s| s.span, &mut |p, s| p.expr(s));
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.braces(block.span, &block.statements, |s| s.span, |p, s| p.expr(s));
    }

    fn statement_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::If { branches, otherwise } => {
                for (i, (condition, block)) in branches.iter().enumerate() {
                    self.push(match (i, condition.negated) {
                        (0, false) => "if ",
                        (0, true) => "unless ",
                        _ => " elsif ",
                    });
                    self.expr(&condition.test);
                    self.push(" ");
                    self.block(block);
                }
                if let Some(block) = otherwise {
                    self.push(" else ");
                    self.block(block);
                }
            }
            ExprKind::Match(subject, arms) => {
                self.push("match ");
                self.expr(subject);
                self.push(" ");
                let span = if expr.span.is_none() { Span::NONE } else { Span::new(subject.span.end, expr.span.end) };
                self.braces(span, arms, |a| a.span, |p, a| p.arm(a));
            }
            ExprKind::Try { body, param, otherwise } => {
                self.push("try ");
                self.block(body);
                self.push(" else ");
                let params = param.iter().cloned().collect();
                self.closure(&Closure { params, body: otherwise.clone(), span: otherwise.span });
            }
            ExprKind::Fail(message, at) => {
                // Which of the two ways it was written in: `fail(…)` may stand inside an expression.
                let parens = self.written(expr.span).starts_with("fail(");
                self.push(if parens { "fail(" } else { "fail " });
                self.expr(message);
                if let Some(at) = at {
                    self.push(", at: ");
                    self.expr(at);
                }
                self.push(if parens { ")" } else { "" });
            }
            ExprKind::Return(value) => self.word_and("return", value.as_deref()),
            ExprKind::Next(value) => self.word_and("next", value.as_deref()),
            ExprKind::Let(names, value) => {
                let names: Vec<&str> = names.iter().map(|n| n.name.as_str()).collect();
                self.push("let ");
                self.push(&names.join(", "));
                self.push(" = ");
                self.expr(value);
            }
            ExprKind::Assign { target, add, value } => {
                self.expr(target);
                self.push(if *add { " += " } else { " = " });
                self.expr(value);
            }
            ExprKind::Modified(statement, condition) => {
                self.expr(statement);
                self.condition(condition);
            }
            _ => {}
        }
    }

    fn word_and(&mut self, word: &str, value: Option<&Expr>) {
        self.push(word);
        if let Some(value) = value {
            self.push(" ");
            self.expr(value);
        }
    }

    fn arm(&mut self, arm: &Arm) {
        for (i, pattern) in arm.patterns.iter().enumerate() {
            if i > 0 {
                self.push(" | ");
            }
            self.expr(pattern);
        }
        if let Some(guard) = &arm.guard {
            self.condition(guard);
        }
        self.push(" => ");
        if arm.braces {
            self.block(&arm.body);
        } else {
            for statement in &arm.body.statements {
                self.expr(statement);
            }
        }
    }
}

fn is_word(name: &str) -> bool {
    let plain = name.strip_suffix('?').unwrap_or(name);
    plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
