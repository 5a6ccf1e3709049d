//! Prints expressions and statements.

use super::item::Argument;
use super::layout::Token;
use super::literal::{is_word, quote, symbol};
use super::text_block::indented;
use super::{Brackets, Printer};
use crate::source::Span;
use crate::syntax::ast::*;
use crate::value::EcoString;

impl Printer<'_> {
    pub(super) fn quoted(&mut self, text: &str) {
        self.push(&quote(text));
    }

    pub(super) fn string(&mut self, literal: &StrLit) {
        let written = self.written(literal.span);
        if literal.quote == Quote::Text && written.starts_with("\"\"\"") {
            let text = indented(written, self.indent + self.nested + 1);
            return self.push(&text);
        }
        if written.starts_with(['"', '\'']) && written.len() > 1 {
            return self.verbatim(literal.span);
        }
        if let Some(text) = literal.plain() {
            if literal.quote == Quote::Text {
                let text = indented(&format!("\"\"\"\n{text}\n\"\"\""), self.indent + self.nested + 1);
                return self.push(&text);
            }
            return self.quoted(&text);
        }
        self.push("\"");
        for part in &literal.parts {
            match part {
                StrPart::Text(text) => {
                    let inner = quote(text);
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

    /// Prints an expression, and the comments before it.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.comments_before_place(expr.span);
        match &expr.kind {
            ExprKind::Nil => self.push("nil"),
            ExprKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::Int(n) => {
                // Keeps the octal form of `0644`.
                let written = self.written(expr.span);
                match written.starts_with('0') && written.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                    true => self.push(written),
                    false if written.bytes().all(|b| b.is_ascii_digit() || b == b'_') && !written.is_empty() => self.push(written),
                    false => self.push(&n.to_string()),
                }
            }
            ExprKind::Float(n) => match self.written(expr.span) {
                "" => self.push(&float(*n)),
                written => {
                    let clean: String = written.chars().filter(|c| !c.is_whitespace()).collect();
                    self.push(&clean);
                }
            },
            ExprKind::Str(literal) => self.string(literal),
            ExprKind::Symbol(name) => self.push(&symbol(name)),
            ExprKind::Regex(regex) => {
                let flags = [("i", regex.flags.ignore_case), ("s", regex.flags.dot_all), ("x", regex.flags.extended)];
                let flags: String = flags.iter().filter(|(_, on)| *on).map(|(flag, _)| *flag).collect();
                self.push(&format!("/{}/{flags}", regex.source.replace("/", "\\/")));
            }
            ExprKind::Words(words) => self.words(words, expr.span),
            ExprKind::Array(items) => self.array(items, expr.span),
            ExprKind::Map(entries) => self.entries(entries, expr.span, ""),
            ExprKind::Word(name) if !is_word(name) => self.quoted(name),
            ExprKind::Word(name) | ExprKind::Name(name) => self.push(name),
            ExprKind::Splat(name) => self.push(&format!("*{}", name.name)),
            ExprKind::SelfRef => self.push("self"),
            ExprKind::Super(args) => {
                self.push("super");
                if let Some(args) = args {
                    self.arguments(args, &[], expr.span);
                }
            }
            ExprKind::Capture(n) => self.push(&format!("${n}")),
            ExprKind::Call(_) | ExprKind::Method(..) | ExprKind::Index(..) => self.chain(expr),
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
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, .. } => self.logic(expr),
            ExprKind::Binary { op, op_span, left, right } => self.binary(*op, *op_span, left, right),
            ExprKind::Ternary(test, then, otherwise) => {
                let group = self.begin(self.broken_before(test.span.end, then.span.start, '?'));
                self.expr(test);
                for (sign, value) in [("? ", then), (": ", otherwise)] {
                    self.line_in(1, " ", value.span);
                    self.push(sign);
                    self.nested(group, 1, |p| p.expr(value));
                }
                self.end();
            }
            ExprKind::Paren(value) => {
                self.push("(");
                let loose = !matches!(value.kind, ExprKind::Map(_) | ExprKind::Array(_));
                self.indent += usize::from(loose);
                self.expr(value);
                if !expr.span.is_none() {
                    self.comments_before(expr.span.end.saturating_sub(1));
                }
                self.indent -= usize::from(loose);
                self.push(")");
            }
            ExprKind::Error => self.verbatim(expr.span),
            _ => self.statement_expr(expr),
        }
    }

    /// Prints `%w[a b]`, filling lines.
    fn words(&mut self, words: &[EcoString], span: Span) {
        let written = self.written(span).strip_prefix("%w[").unwrap_or("");
        let forced = written.chars().take_while(|c| c.is_whitespace()).any(|c| c == '\n');
        self.begin(forced && !words.is_empty());
        self.push("%w[");
        // A comment cannot be printed here, because the comment would become a word in the list.
        let line = |flat, indent, fill| Token::Break { flat, indent, blank: false, fill, bare: true };
        for (i, word) in words.iter().enumerate() {
            self.tokens.push(line(if i > 0 { " " } else { "" }, self.indent + 1, i > 0));
            self.push(word);
        }
        if !words.is_empty() {
            self.tokens.push(line("", self.indent, false));
        }
        self.push("]");
        self.end();
    }

    fn array(&mut self, items: &[Expr], span: Span) {
        let brackets = Brackets { fill: self.are_short(items), ..Brackets::new("[", "]", span) };
        self.list(brackets, items, |e| e.span, |p, e| p.expr(e));
    }

    /// Returns `true` if the items share lines if they do not all fit on one.
    fn are_short(&self, items: &[Expr]) -> bool {
        items.len() > 3 && items.iter().all(|item| self.is_short(item))
    }

    pub(super) fn is_short(&self, item: &Expr) -> bool {
        use ExprKind::{Bool, Float, Int, Name, Nil, Splat, Str, Symbol, Word};
        let literal = matches!(item.kind, Bool(_) | Float(_) | Int(_) | Name(_) | Nil | Splat(_) | Str(_) | Symbol(_) | Word(_));
        literal && item.span.len() <= SHORT && !self.is_tall(item.span)
    }

    /// Prints a binary operator with its operands; the line may break after the operator.
    fn binary(&mut self, op: BinaryOp, op_span: Span, left: &Expr, right: &Expr) {
        self.expr(left);
        self.push(" ");
        self.push(op.symbol());
        let group = self.begin(self.broken(op_span.end, right.span.start));
        self.line_in(1, " ", right.span);
        // An operand with brackets breaks inside them instead.
        let bracketed = matches!(right.kind, ExprKind::Array(_) | ExprKind::Map(_) | ExprKind::Words(_)) || ends_in_closure(right);
        if bracketed {
            self.end();
        }
        self.nested(group, 1, |p| p.expr(right));
        if !bracketed {
            self.end();
        }
    }

    /// Prints `a && b && c`: on one line, or each operand with its operator on a separate line.
    fn logic(&mut self, expr: &Expr) {
        let ExprKind::Binary { op, .. } = &expr.kind else { return };
        let op = *op;
        let mut operands: Vec<(&Expr, Span)> = Vec::new();
        let mut rest = expr;
        while let ExprKind::Binary { op: inner, op_span, left, right } = &rest.kind
            && *inner == op
        {
            operands.push((right, *op_span));
            rest = left;
        }
        operands.reverse();
        let (first_end, first) = (rest.span.end, operands.first());
        let forced = first.is_some_and(|(right, _)| self.broken(first_end, right.span.start));
        let group = self.begin(forced);
        self.expr(rest);
        for (i, (operand, _)) in operands.iter().enumerate() {
            self.line_in(1, " ", operand.span);
            self.push(op.symbol());
            self.push(" ");
            // A closure at the end may span several lines while the other operands stay on one line.
            let hangs = i + 1 == operands.len() && self.is_tall(operand.span) && ends_in_closure(operand);
            if hangs {
                self.end();
            }
            self.nested(group, 1, |p| p.expr(operand));
            if hangs {
                return;
            }
        }
        self.end();
    }

    /// Prints the map of a test's `facts`, `is` and similar steps like a block.
    pub(super) fn given(&mut self, map: &Expr) {
        match &map.kind {
            ExprKind::Map(entries) => {
                self.comments_before(map.span.start);
                self.entries(entries, map.span, " ");
            }
            _ => self.expr(map),
        }
    }

    fn entries(&mut self, entries: &[(Expr, Expr)], span: Span, blank: &'static str) {
        let mut arrows = Vec::new();
        self.list(
            Brackets { blank, ..Brackets::new("{", "}", span) },
            entries,
            |(k, v)| k.span.to(v.span),
            |p, (key, value)| {
                match &key.kind {
                    ExprKind::Symbol(name) if is_word(name) && !p.written(key.span).starts_with(':') => p.push(&format!("{name}: ")),
                    _ => {
                        let from = p.tokens.len();
                        p.expr(key);
                        arrows.push(p.pad(from));
                        p.push(" => ");
                    }
                }
                p.expr(value);
            },
        );
        self.align(&arrows, MOST_PADDING);
    }

    /// Returns `true` if the source has a line break before the `?` or `:` of a ternary.
    fn broken_before(&self, from: u32, to: u32, sign: char) -> bool {
        let gap = self.written(Span::new(from, to));
        from < to && from != 0 && gap.split(sign).next().is_some_and(|g| g.contains('\n'))
    }

    /// Prints `a.b(c).d { |x| … }`: on one line, or with a line break before each call after the first.
    fn chain(&mut self, expr: &Expr) {
        let mut links = Vec::new();
        let mut first = expr;
        while let ExprKind::Method(target, _) | ExprKind::Index(target, _) = &first.kind {
            links.push(first);
            first = target;
        }
        links.reverse();
        let is_call = |link: &&&Expr| matches!(&link.kind, ExprKind::Method(_, call) if call.parens || call.closure.is_some());
        let calls = links.iter().filter(is_call).count();
        let broken = |link: &&Expr| match &link.kind {
            ExprKind::Method(target, call) => self.broken(target.span.end, call.name.span.start),
            _ => false,
        };
        let names = links.iter().take_while(|link| !is_call(link)).count();
        // Attributes without arguments stay with their receiver, and the first call stays with a receiver that is a name.
        let leading = names.max(usize::from(matches!(first.kind, ExprKind::Name(_) | ExprKind::SelfRef)));
        let closures = links.iter().filter(|link| ends_in_closure(link)).count();
        let mut breakable = links.iter().skip(leading).filter(|link| matches!(link.kind, ExprKind::Method(..))).peekable();
        let may_break = breakable.peek().is_some();
        let forced = may_break && links.iter().any(broken);
        let breaks = may_break && (forced || calls > 2 || closures > 1);
        let group = self.begin(forced);
        self.primary(first);
        let levels = usize::from(breaks);
        let mut open = true;
        for (i, link) in links.iter().enumerate() {
            match &link.kind {
                ExprKind::Method(_, call) => {
                    if breaks && i >= leading {
                        self.line_in(1, "", call.name.span);
                    } else {
                        self.comments_before_place(call.name.span);
                    }
                    self.push(".");
                    self.push(&call.name.name);
                    self.nested(group, levels, |p| p.call_arguments(call, link.span));
                    if let Some(closure) = &call.closure {
                        self.push(" ");
                        if i + 1 == links.len() && breaks {
                            self.end();
                            open = false;
                        }
                        self.nested(group, levels, |p| p.braces_with_bars(closure));
                    }
                }
                ExprKind::Index(target, items) => {
                    let span = if link.span.is_none() { Span::NONE } else { Span::new(target.span.end, link.span.end) };
                    let brackets = Brackets::new("[", "]", span);
                    self.nested(group, levels, |p| p.list(brackets, items, |e| e.span, |p, e| p.expr(e)));
                }
                _ => {}
            }
        }
        if open {
            self.end();
        }
    }

    /// Prints the start of a method chain.
    fn primary(&mut self, expr: &Expr) {
        if let ExprKind::Call(call) = &expr.kind {
            self.push(&call.name.name);
            self.call_arguments(call, expr.span);
            if let Some(closure) = &call.closure {
                self.push(" ");
                self.braces_with_bars(closure);
            }
        } else {
            self.expr(expr);
        }
    }

    fn call_arguments(&mut self, call: &Call, whole: Span) {
        if call.parens {
            let end = call.closure.as_ref().map_or(whole.end, |c| c.span.start);
            let span = if call.name.span.is_none() { Span::NONE } else { Span::new(call.name.span.end, end) };
            self.arguments(&call.args, &call.named, span);
        }
    }

    fn arguments(&mut self, args: &[Expr], named: &[Opt], span: Span) {
        // A single list or map breaks inside its own brackets, and a short argument needs no separate line.
        if let ([only], []) = (args, named)
            && (matches!(only.kind, ExprKind::Array(_) | ExprKind::Map(_) | ExprKind::Words(_)) || self.is_short(only))
            && self.comments.first().is_none_or(|c| c.span.start >= span.end || only.span.contains(c.span))
        {
            self.push("(");
            self.expr(only);
            self.push(")");
            return;
        }
        let parts = Argument::sorted(args, named);
        let fill = named.is_empty() && self.are_short(args);
        self.list(Brackets { fill, ..Brackets::new("(", ")", span) }, &parts, Argument::span, |p, part| p.argument(part));
    }

    pub(super) fn argument(&mut self, argument: &Argument<'_>) {
        match argument {
            Argument::Value(value) => self.expr(value),
            Argument::Option(option) => self.option(option),
        }
    }

    /// Prints the block of a directive, with bars only if it has parameters.
    pub(super) fn closure(&mut self, closure: &Closure) {
        if closure.params.is_empty() {
            self.braces(closure.span, "", &closure.body.statements, |s| s.span, |p, s| p.expr(s));
        } else {
            self.braces_with_bars(closure);
        }
    }

    fn braces_with_bars(&mut self, closure: &Closure) {
        let bars = bars(closure);
        self.braces(closure.span, &bars, &closure.body.statements, |s| s.span, |p, s| p.expr(s));
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.braces(block.span, "", &block.statements, |s| s.span, |p, s| p.expr(s));
    }

    /// Prints a block that is broken if and only if the enclosing group is.
    fn block_beside(&mut self, block: &Block, head: &str) {
        self.open_braces(block.span, head, "; ", &block.statements, |s| s.span, |p, s| p.expr(s));
    }

    fn statement_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::If { branches, otherwise } => {
                let blocks = branches.iter().map(|(_, block)| block).chain(otherwise);
                let tall = blocks.clone().any(|b| self.is_tall(b.span)) || (blocks.clone().all(|b| b.span.is_none()) && blocks.count() > 1);
                self.begin(tall);
                for (i, (condition, block)) in branches.iter().enumerate() {
                    self.push(match (i, condition.negated) {
                        (0, false) => "if ",
                        (0, true) => "unless ",
                        _ => " elsif ",
                    });
                    // Indents the further lines of a condition more than the block below.
                    self.indent += 1;
                    self.expr(&condition.test);
                    self.indent -= 1;
                    self.push(" ");
                    self.block_beside(block, "");
                }
                if let Some(block) = otherwise {
                    self.push(" else ");
                    self.block_beside(block, "");
                }
                self.end();
            }
            ExprKind::Match(subject, arms) => {
                self.push("match ");
                self.expr(subject);
                self.push(" ");
                let span = if subject.span.is_none() { Span::NONE } else { Span::new(subject.span.end, expr.span.end) };
                let mut arrows = Vec::new();
                self.braces(span, "", arms, |a| a.span, |p, a| p.arm(a, &mut arrows));
                self.align(&arrows, MOST_PADDING);
            }
            ExprKind::Try { body, errors, params, otherwise } => {
                self.begin(self.is_tall(body.span) || self.is_tall(otherwise.span));
                self.push("try ");
                self.block_beside(body, "");
                self.push(" else ");
                if !errors.is_empty() {
                    let names: Vec<String> = errors.iter().map(|e| quote(&e.name)).collect();
                    self.push(&format!("{} ", names.join(", ")));
                }
                let names: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
                let head = if names.is_empty() { String::new() } else { format!("|{}|", names.join(", ")) };
                self.block_beside(otherwise, &head);
                self.end();
            }
            ExprKind::Untranslated(why) => self.expr(why),
            ExprKind::Fail(fail) => self.fail(fail, expr.span),
            ExprKind::Return(value) => self.word_and("return", value.as_deref()),
            ExprKind::Next(value) => self.word_and("next", value.as_deref()),
            ExprKind::Let(names, value) => {
                let names: Vec<&str> = names.iter().map(|n| n.name.as_str()).collect();
                self.push(&format!("let {} = ", names.join(", ")));
                self.expr(value);
            }
            ExprKind::Assign { target, add, value } => {
                self.expr(target);
                self.push(if *add { " += " } else { " = " });
                self.expr(value);
            }
            ExprKind::Modified(statement, condition) => self.modified(statement, condition),
            _ => {}
        }
    }

    /// Prints `statement if c`. If it does not fit on one line, the first line ends with `\`.
    fn modified(&mut self, statement: &Expr, condition: &Condition) {
        let group = self.begin(self.broken(statement.span.end, condition.test.span.start));
        self.expr(statement);
        self.tokens.push(Token::IfBroken(" \\"));
        self.line_in(1, " ", Span::NONE);
        // A comment after the `\` would end the statement.
        if let Some(Token::Break { bare, .. }) = self.tokens.last_mut() {
            *bare = true;
        }
        self.nested(group, 1, |p| p.bare_condition(condition));
        self.end();
    }

    fn fail(&mut self, fail: &Failing, span: Span) {
        let mut parts = vec![(fail.message.span, FailPart::Message(&fail.message))];
        parts.extend(fail.at.iter().map(|at| (at.span, FailPart::At(at))));
        parts.extend(fail.error.iter().map(|class| (class.span, FailPart::Error(class))));
        // Keeps the form of the source: `fail(…)` may be part of an expression.
        if self.written(span).strip_prefix("fail").is_some_and(|rest| rest.starts_with('(')) {
            let open = if span.is_none() { span } else { Span::new(span.start + 4, span.end) };
            self.list(Brackets::new("fail(", ")", open), &parts, |(at, _)| *at, |p, (_, part)| p.fail_part(part));
            return;
        }
        self.push("fail ");
        let place = parts.get(1).map_or(fail.message.span.end, |(at, _)| at.start);
        let group = self.begin(parts.len() > 1 && self.broken(fail.message.span.end, place));
        self.expr(&fail.message);
        for (at, part) in parts.iter().skip(1) {
            self.push(",");
            self.line_in(1, " ", *at);
            self.nested(group, 1, |p| p.fail_part(part));
        }
        self.end();
    }

    fn fail_part(&mut self, part: &FailPart<'_>) {
        match part {
            FailPart::Message(message) => self.expr(message),
            FailPart::At(at) => {
                self.push("at: ");
                self.expr(at);
            }
            FailPart::Error(class) => self.push(&format!("error: {}", quote(&class.name))),
        }
    }

    fn word_and(&mut self, word: &str, value: Option<&Expr>) {
        self.push(word);
        if let Some(value) = value {
            self.push(" ");
            self.expr(value);
        }
    }

    fn arm(&mut self, arm: &Arm, arrows: &mut Vec<(usize, usize)>) {
        let from = self.tokens.len();
        let pair = arm.patterns.first().zip(arm.patterns.get(1));
        let group = self.begin(pair.is_some_and(|(one, two)| self.broken(one.span.end, two.span.start)));
        for (i, pattern) in arm.patterns.iter().enumerate() {
            if i > 0 {
                self.push(" |");
                self.line_in(1, " ", pattern.span);
            }
            self.nested(group, usize::from(i > 0), |p| p.expr(pattern));
        }
        if let Some(guard) = &arm.guard {
            self.condition(guard);
        }
        self.end();
        let arrow = self.pad(from);
        if arm.braces {
            // Arrows of adjacent arms are aligned, but not across an arm with a block.
            self.align(arrows, MOST_PADDING);
            arrows.clear();
        } else {
            arrows.push(arrow);
        }
        self.push(" =>");
        let value = arm.body.statements.first();
        if arm.braces {
            self.push(" ");
            self.comments_before(arm.body.span.start);
            self.block(&arm.body);
            return;
        }
        let Some(value) = value else { return };
        let breaks = matches!(value.kind, ExprKind::Str(_) | ExprKind::Ternary(..) | ExprKind::Binary { .. } | ExprKind::Fail(..))
            && !matches!(&value.kind, ExprKind::Str(s) if s.quote == Quote::Text);
        if !breaks {
            self.push(" ");
            return self.expr(value);
        }
        let before = arm.patterns.last().map_or(0, |p| p.span.end);
        let written = self.written(Span::new(before, value.span.start.max(before)));
        let forced = before != 0 && written.rsplit("=>").next().is_some_and(|gap| gap.contains('\n'));
        let group = self.begin(forced);
        self.line_in(1, " ", value.span);
        self.nested(group, 1, |p| p.expr(value));
        self.end();
    }
}

/// The maximum padding before an aligned arrow; arrows that need more are not aligned.
pub(super) const MOST_PADDING: usize = 24;

/// The maximum width of list elements that share lines if the list does not fit on one line.
const SHORT: usize = 24;

fn bars(closure: &Closure) -> String {
    let names: Vec<&str> = closure.params.iter().map(|p| p.name.as_str()).collect();
    format!("|{}|", names.join(", "))
}

fn ends_in_closure(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Method(_, call) | ExprKind::Call(call) if call.closure.is_some())
}

/// A part of `fail`.
enum FailPart<'a> {
    Message(&'a Expr),
    At(&'a Expr),
    Error(&'a Ident),
}

/// Writes a number so that it stays a float, and large numbers with an exponent.
pub(super) fn float(number: f64) -> String {
    format!("{number:?}")
}
