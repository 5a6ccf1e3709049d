//! Builds `if`, `match` and `try`.

use super::{Builder, P};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::expected::Expected;
use crate::syntax::hints;
use crate::syntax::parser::Rule;

impl Builder<'_> {
    pub(super) fn guard(&mut self, pair: P<'_>) -> Condition {
        let mut inner = pair.into_inner();
        let word = inner.next();
        let negated = word.as_ref().is_some_and(|w| w.as_rule() == Rule::kw_unless);
        let test = self.in_expression(|b| b.value(inner.next(), Expected::Condition));
        Condition { negated, test }
    }

    pub(super) fn if_expr(&mut self, pair: P<'_>) -> ExprKind {
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
                    let test = self.value(Some(part), Expected::Condition);
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
                        "branches use braces, not a line break and `end`",
                        "write `if condition { … } else { … }`",
                    );
                    return ExprKind::Error;
                }
                Rule::missing_block => {
                    let span = self.span_of(&part);
                    self.missing(&part, Expected::Brace);
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
                            _ => self.missing(&piece, Expected::Brace),
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
                    let message = format!("unknown keyword `{}`", part.as_str());
                    self.error(Code::RubyOperator, span, message, "write `elsif`");
                }
                Rule::else_if => {
                    self.error(Code::RubyOperator, span, "`else if` is not a keyword", "write `elsif`");
                }
                Rule::expr | Rule::hole => condition = Some(self.value(Some(part), Expected::Condition)),
                Rule::block => block = Some(self.block(part)),
                Rule::missing_block => {
                    self.missing(&part, Expected::Brace);
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
            format!("`{word}` must follow the closing brace: the line break ends the statement"),
            format!("write it after the brace: `}} {word}`"),
        );
    }

    pub(super) fn match_expr(&mut self, pair: P<'_>) -> ExprKind {
        let mut subject = None;
        let mut arms = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::arms => {
                    for arm in part.into_inner() {
                        match arm.as_rule() {
                            Rule::arm => arms.extend(self.arm(arm)),
                            _ => self.rest(arm, Expected::ArmEnd),
                        }
                    }
                }
                Rule::missing_block => self.missing(&part, Expected::BraceAndArms),
                _ => subject = Some(self.value(Some(part), Expected::MatchSubject)),
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
                    self.missing(&part, Expected::RocketOrBarOrIf);
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
                    self.missing(&part, Expected::ValueAfter("=>"));
                }
                Rule::hole => self.missing(&part, Expected::PatternAfterBar),
                _ => {
                    self.junk(&part, Expected::PatternAndRocket);
                    return None;
                }
            }
        }
        Some(Arm { patterns, guard, body, braces, span })
    }

    /// Builds `fail` from the message and the named arguments.
    pub(super) fn failing(&mut self, message: Expr, named: Vec<Opt>) -> ExprKind {
        let (mut at, mut error) = (None, None);
        for argument in named {
            match (argument.name.name.as_str(), argument.value.kind) {
                ("error", ExprKind::Str(class)) => error = self.class_name(&class),
                ("at", kind) => at = Some(Expr { kind, span: argument.value.span }),
                ("error", _) => self.no_class(argument.value.span),
                (other, _) => self.error(
                    Code::Syntax,
                    argument.name.span,
                    format!("`fail` has no argument `{other}`"),
                    "write `at: :name` or `error: \"Class\"`",
                ),
            }
        }
        ExprKind::Fail(Box::new(Failing { message, at, error }))
    }

    /// Builds a failure class that a `try` handles.
    fn error_class(&mut self, pair: P<'_>) -> Option<Ident> {
        let class = self.string(pair);
        self.class_name(&class)
    }

    fn class_name(&mut self, class: &StrLit) -> Option<Ident> {
        let name = class.plain().filter(|name| is_constant(name));
        if name.is_none() {
            self.no_class(class.span);
        }
        Some(Ident { name: name?, span: class.span })
    }

    fn no_class(&mut self, span: Span) {
        self.error(Code::Syntax, span, "expected the class of a failure", "write a name such as `\"ArgumentError\"`");
    }

    /// Reports `try`, or its `else`, without a block.
    fn missing_handler(&mut self, part: &P<'_>) {
        let (at, rest) = (part.as_span().end(), part.get_input().get(part.as_span().end()..).unwrap_or_default());
        let class: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':')).collect();
        if !is_constant(&class) {
            return self.missing(part, Expected::Brace);
        }
        self.mark(part);
        let span = self.span(at, at + class.len());
        self.error(Code::Syntax, span, "the class of a failure is in quotes", format!("write `else \"{class}\" {{ … }}`"));
    }

    pub(super) fn try_expr(&mut self, pair: P<'_>) -> ExprKind {
        let span = self.span_of(&pair);
        let mut body = None;
        let mut errors = Vec::new();
        let mut otherwise = None;
        let mut has_else = false;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::block => body = Some(self.block(part)),
                Rule::string => errors.extend(self.error_class(part)),
                Rule::code => otherwise = Some(self.closure(part)),
                Rule::late_else => self.late_else(&part, "else"),
                _ => {
                    has_else = body.is_some();
                    self.missing_handler(&part);
                }
            }
        }
        let Some(otherwise) = otherwise else {
            if body.is_some() && !has_else {
                self.error(Code::Syntax, span, "`try` without `else`", "write `try { … } else { |message| … }`");
            }
            return ExprKind::Error;
        };
        match body {
            Some(body) => {
                if let Some(third) = otherwise.params.get(2) {
                    let help = "write `else { |message, class| … }`; both may be left out";
                    self.error(Code::Syntax, third.span, "the `else` of `try` gets only the message and the class of the failure", help);
                }
                let params = otherwise.params.into_iter().take(2).collect();
                ExprKind::Try { body, errors, params, otherwise: otherwise.body }
            }
            None => ExprKind::Error,
        }
    }
}

/// Returns `true` if this is the name of a class, such as `IPAddr::Error`.
fn is_constant(name: &str) -> bool {
    let is_part =
        |part: &str| part.starts_with(|c: char| c.is_ascii_uppercase()) && part.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    name.split("::").all(is_part)
}
