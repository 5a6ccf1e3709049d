//! Operands: literals, collections, conditions and definitions.

use super::super::parser::{P, Rule};
use super::super::token::TokenKind;
use super::super::tree::{CaseExpression, CaseOption, Conditional, ConditionalBranch, Expression, ExpressionKind, Heredoc, Segment};
use super::Builder;
use rtype_lang::diagnostics::{Code, Diagnostic};

/// The character of a skipped token.
const SKIPPED: &str = "n";

impl Builder<'_> {
    pub(super) fn primary(&mut self, pair: P<'_>) -> Expression {
        let span = self.span(&pair);
        let start = pair.as_span().start();
        let kind = match pair.as_rule() {
            // The tokens keep their kinds when the parser skips them.
            Rule::atom if pair.as_str() == SKIPPED => ExpressionKind::Error,
            Rule::atom => self.atom(start),
            Rule::interpolated => ExpressionKind::Interpolated(self.segments(pair)),
            Rule::heredoc => return self.heredoc(pair),
            Rule::paren => match pair.into_inner().next() {
                Some(inner) => ExpressionKind::Paren(Box::new(self.assignment(inner))),
                None => ExpressionKind::Error,
            },
            Rule::array => ExpressionKind::Array(self.elements(pair.into_inner())),
            Rule::hash => ExpressionKind::Hash(self.hash(pair)),
            Rule::type_call => ExpressionKind::Name(self.value(start)),
            Rule::if_else | Rule::unless_else => self.conditional(pair),
            Rule::case_of => self.case(pair),
            Rule::class | Rule::define | Rule::function => self.definition(pair),
            Rule::node => self.node(pair),
            Rule::type_definition => self.type_definition(pair),
            Rule::render => self.render(pair),
            _ => ExpressionKind::Error,
        };
        Expression { span, kind }
    }

    fn atom(&mut self, number: usize) -> ExpressionKind {
        let value = self.value(number);
        match self.kind(number) {
            Some(TokenKind::Variable) => ExpressionKind::Variable(value.strip_prefix('$').unwrap_or(&value).into()),
            Some(TokenKind::String | TokenKind::Word) => ExpressionKind::Text(value),
            Some(TokenKind::Name) => ExpressionKind::Name(value),
            Some(TokenKind::ClassRef) => ExpressionKind::TypeName(value),
            Some(TokenKind::Number) => self.number(number, &value),
            Some(TokenKind::Boolean) => ExpressionKind::Boolean(value == "true"),
            Some(TokenKind::Undef) => ExpressionKind::Undef,
            Some(TokenKind::Default) => ExpressionKind::Default,
            Some(TokenKind::Regex) => ExpressionKind::Pattern(value),
            Some(TokenKind::Private | TokenKind::Attr) => ExpressionKind::Reserved(value),
            Some(TokenKind::RenderText) => ExpressionKind::RenderText(value),
            _ => ExpressionKind::Error,
        }
    }

    fn number(&mut self, number: usize, text: &str) -> ExpressionKind {
        let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => (digits, 16),
            None if text.contains(['.', 'e', 'E']) => return text.parse().map_or(ExpressionKind::Error, ExpressionKind::Float),
            None if text.len() > 1 && text.starts_with('0') => (text, 8),
            None => (text, 10),
        };
        match i64::from_str_radix(digits, u32::from(radix)) {
            Ok(value) => ExpressionKind::Integer { value, radix },
            Err(_) => {
                // The lexer reported malformed numbers.
                if u128::from_str_radix(digits, u32::from(radix)).is_ok() || digits.len() > 20 {
                    let message = format!("integer `{text}` is out of range, the largest is {}", i64::MAX);
                    self.diagnostics.push(Diagnostic::new(Code::BadNumber, self.token_span(number), message));
                }
                ExpressionKind::Error
            }
        }
    }

    /// Builds the parts of a string; the tokens between the expressions have the text.
    pub(super) fn segments(&mut self, pair: P<'_>) -> Vec<Segment> {
        let mut segments = Vec::new();
        let text = |builder: &Self, number: usize| Some(builder.value(number)).filter(|t| !t.is_empty()).map(Segment::Text);
        segments.extend(text(self, pair.as_span().start()));
        for inner in pair.into_inner() {
            let after = inner.as_span().end();
            let value = self.assignment(inner);
            segments.push(Segment::Value(value));
            segments.extend(text(self, after));
        }
        segments
    }

    fn heredoc(&mut self, pair: P<'_>) -> Expression {
        let start = pair.as_span().start();
        let text = match pair.into_inner().next() {
            Some(inner) => Expression { span: self.span(&inner), kind: ExpressionKind::Interpolated(self.segments(inner)) },
            None => self.text(start + 1),
        };
        let heredoc = Heredoc { syntax: self.value(start), text };
        Expression { span: self.token_span(start), kind: ExpressionKind::Heredoc(Box::new(heredoc)) }
    }

    pub(super) fn hash(&mut self, pair: P<'_>) -> Vec<super::super::tree::HashEntry> {
        let mut entries = Vec::new();
        let mut pairs = pair.into_inner();
        while let (Some(key), Some(value)) = (pairs.next(), pairs.next()) {
            let key = self.entry(key);
            entries.push(self.hash_entry(key, value));
        }
        entries
    }

    fn conditional(&mut self, pair: P<'_>) -> ExpressionKind {
        let is_unless = pair.as_rule() == Rule::unless_else;
        let start = pair.as_span().start();
        let mut conditional = Conditional { is_unless, branches: Vec::new(), otherwise: None };
        let mut inner = pair.into_inner();
        conditional.branches.extend(self.branch(start, &mut inner));
        for pair in inner {
            let start = pair.as_span().start();
            let is_elsif = pair.as_rule() == Rule::elsif;
            let mut inner = pair.into_inner();
            if is_elsif {
                conditional.branches.extend(self.branch(start, &mut inner));
            } else {
                conditional.otherwise = inner.next().map(|block| self.block(block));
            }
        }
        ExpressionKind::If(Box::new(conditional))
    }

    fn branch<'p>(&mut self, start: usize, inner: &mut impl Iterator<Item = P<'p>>) -> Option<ConditionalBranch> {
        let (condition, block) = (inner.next()?, inner.next()?);
        let span = self.token_span(start).to(self.span(&block));
        Some(ConditionalBranch { span, condition: self.expression(condition), body: self.block(block) })
    }

    fn case(&mut self, pair: P<'_>) -> ExpressionKind {
        let mut inner = pair.into_inner();
        let Some(subject) = inner.next().map(|p| self.expression(p)) else { return ExpressionKind::Error };
        let mut options = Vec::new();
        for option in inner {
            let (mut values, mut body, mut colon) = (Vec::new(), Vec::new(), 0);
            for pair in option.into_inner() {
                if pair.as_rule() == Rule::block {
                    body = self.block(pair);
                } else {
                    colon = pair.as_span().end();
                    values.push(self.expression(pair));
                }
            }
            options.push(CaseOption { values, colon: self.token_span(colon), body });
        }
        ExpressionKind::Case(Box::new(CaseExpression { subject, options }))
    }

    fn render(&mut self, pair: P<'_>) -> ExpressionKind {
        let span = self.span(&pair);
        let mut inner = pair.into_inner().peekable();
        let value = match inner.next_if(|p| p.as_rule() == Rule::expression) {
            Some(expression) => self.expression(expression),
            None => Expression { span, kind: ExpressionKind::Block(self.statements(inner)) },
        };
        ExpressionKind::Render(Box::new(single(value)))
    }
}

/// Unwraps a block with one statement.
fn single(value: Expression) -> Expression {
    match value.kind {
        ExpressionKind::Block(mut statements) if statements.len() == 1 => match statements.pop() {
            Some(statement) => statement,
            None => Expression { span: value.span, kind: ExpressionKind::Block(statements) },
        },
        kind => Expression { span: value.span, kind },
    }
}
