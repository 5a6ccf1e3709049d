//! Expressions: flat lists of operands and operators to trees, by Puppet's precedence.

use super::super::parser::{P, Rule};
use super::super::token::TokenKind;
use super::super::tree::{
    Binary, ChainedCall, CollectorExpression, Expression, ExpressionKind, FunctionCall, HashEntry, IndexAccess, LambdaExpression,
    SelectorExpression, UnaryOperator,
};
use super::{Builder, MAX_OPERATORS};
use rtype_lang::diagnostics::{Code, Diagnostic};
use std::iter::Peekable;

/// The operands and operators of a flat expression.
type Operands<'p> = Peekable<pest::iterators::Pairs<'p, Rule>>;

/// The precedence of `?`.
const SELECTOR: u8 = 3;

/// Returns the precedence of an operator between two expressions; higher values bind tighter.
fn precedence(kind: TokenKind) -> u8 {
    match kind {
        TokenKind::Or => 1,
        TokenKind::And => 2,
        TokenKind::Greater | TokenKind::GreaterEqual | TokenKind::Less | TokenKind::LessEqual => 4,
        TokenKind::Equal | TokenKind::NotEqual => 5,
        TokenKind::ShiftLeft | TokenKind::ShiftRight => 6,
        TokenKind::Plus | TokenKind::Minus => 7,
        TokenKind::Times | TokenKind::Divide | TokenKind::Modulo => 8,
        TokenKind::Matches | TokenKind::NotMatches => 9,
        _ => 10,
    }
}

fn is_assignment(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Assign | TokenKind::Append | TokenKind::Delete)
}

impl Builder<'_> {
    /// Builds an expression that may be an assignment, a relationship or a resource.
    pub(super) fn assignment(&mut self, pair: P<'_>) -> Expression {
        self.flat(pair, |builder, operands| builder.relations(operands, 0))
    }

    /// Builds an expression without assignments, relationships and resources.
    pub(super) fn expression(&mut self, pair: P<'_>) -> Expression {
        self.flat(pair, |builder, operands| builder.operation(operands, 0))
    }

    fn flat<'p>(&mut self, pair: P<'p>, build: impl FnOnce(&mut Self, &mut Operands<'p>) -> Expression) -> Expression {
        let span = self.span(&pair);
        let inner = pair.into_inner();
        let count = inner.len() - 1;
        if self.operators + count > MAX_OPERATORS {
            let message = "too many operators in one expression".to_owned();
            self.diagnostics.push(Diagnostic::new(Code::NestingTooDeep, span, message));
            return Expression { span, kind: ExpressionKind::Error };
        }
        self.operators += count;
        let built = build(self, &mut inner.peekable());
        self.operators -= count;
        built
    }

    /// Assignments (right-associative) bind looser than relationships (left-associative).
    fn relations(&mut self, operands: &mut Operands<'_>, minimum: u8) -> Expression {
        let mut left = self.term(operands);
        while let Some(pair) = operands.peek().filter(|p| p.as_rule() == Rule::low) {
            let at = pair.as_span().start();
            let Some(operator) = self.kind(at) else { break };
            let (level, next) = if is_assignment(operator) { (0, 0) } else { (1, 2) };
            if level < minimum {
                break;
            }
            operands.next();
            let right = self.relations(operands, next);
            left = self.binary(left, at, right);
        }
        left
    }

    fn term(&mut self, operands: &mut Operands<'_>) -> Expression {
        if let Some(mark) = operands.next_if(|p| p.as_rule() == Rule::virtual_mark) {
            let resource = self.term(operands);
            return self.virtual_resource(mark.as_span().start(), resource);
        }
        let mut left = match operands.next_if(|p| p.as_rule() == Rule::class_resource) {
            Some(pair) => self.class_resource(pair),
            None => self.operation(operands, 0),
        };
        while let Some(body) = operands.next_if(|p| p.as_rule() == Rule::body) {
            left = self.resource(left, body);
        }
        left
    }

    fn operation(&mut self, operands: &mut Operands<'_>, minimum: u8) -> Expression {
        let mut left = self.unary(operands);
        while let Some(pair) = operands.peek() {
            match pair.as_rule() {
                Rule::binary => {
                    let at = pair.as_span().start();
                    let Some(level) = self.kind(at).map(precedence) else { break };
                    if level < minimum {
                        break;
                    }
                    operands.next();
                    let right = self.operation(operands, level + 1);
                    left = self.binary(left, at, right);
                }
                Rule::selector if SELECTOR >= minimum => {
                    let Some(pair) = operands.next() else { break };
                    left = self.selector(left, pair);
                }
                _ => break,
            }
        }
        left
    }

    fn binary(&self, left: Expression, at: usize, right: Expression) -> Expression {
        let operator = self.kind(at).unwrap_or(TokenKind::Unknown);
        let span = left.span.to(right.span);
        let binary = Binary { left, operator, operator_span: self.token_span(at), right };
        Expression { span, kind: ExpressionKind::Binary(Box::new(binary)) }
    }

    fn unary(&mut self, operands: &mut Operands<'_>) -> Expression {
        if let Some(prefix) = operands.next_if(|p| p.as_rule() == Rule::prefix) {
            let at = prefix.as_span().start();
            let operator = match self.kind(at) {
                Some(TokenKind::Not) => UnaryOperator::Not,
                Some(TokenKind::Minus) => UnaryOperator::Minus,
                _ => UnaryOperator::Splat,
            };
            let operand = self.unary(operands);
            let span = self.token_span(at).to(operand.span);
            return Expression { span, kind: ExpressionKind::Unary(operator, Box::new(operand)) };
        }
        let Some(pair) = operands.next() else {
            return Expression { span: self.token_span(self.tokens.len()), kind: ExpressionKind::Error };
        };
        let mut left = self.primary(pair);
        loop {
            let next = operands.next_if(|p| matches!(p.as_rule(), Rule::access | Rule::call | Rule::method | Rule::collector));
            let Some(pair) = next else { return left };
            let span = left.span.to(self.span(&pair));
            let kind = match pair.as_rule() {
                Rule::access => ExpressionKind::Access(Box::new(IndexAccess { target: left, keys: self.keys(pair.into_inner()) })),
                Rule::call => self.call(left, pair),
                Rule::method => self.method(left, pair),
                _ => self.collector(left, pair),
            };
            left = Expression { span, kind };
        }
    }

    fn call(&mut self, function: Expression, pair: P<'_>) -> ExpressionKind {
        let (arguments, lambda) = self.arguments(pair.into_inner());
        ExpressionKind::Call(Box::new(FunctionCall { function, arguments, lambda, is_statement: false }))
    }

    fn method(&mut self, receiver: Expression, pair: P<'_>) -> ExpressionKind {
        let dot = pair.as_span().start();
        let open = self.kind(dot + 2).filter(|k| *k == TokenKind::ParenOpen && pair.as_span().end() > dot + 2);
        let anchor = self.token_span(if open.is_some() { dot + 2 } else { dot });
        let name = self.name(dot + 1);
        let (arguments, lambda) = self.arguments(pair.into_inner());
        ExpressionKind::Method(Box::new(ChainedCall { receiver, name, anchor, arguments, lambda }))
    }

    fn arguments<'p>(&mut self, pairs: impl Iterator<Item = P<'p>>) -> (Vec<Expression>, Option<LambdaExpression>) {
        let mut lambda = None;
        let mut arguments = Vec::new();
        for pair in pairs {
            match pair.as_rule() {
                Rule::lambda => lambda = Some(self.lambda(pair)),
                _ => self.element(&mut arguments, pair),
            }
        }
        (arguments, lambda)
    }

    fn collector(&mut self, kind: Expression, pair: P<'_>) -> ExpressionKind {
        let is_exported = self.kind(pair.as_span().start()) == Some(TokenKind::ExportOpen);
        let (mut query, mut attributes) = (None, Vec::new());
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::operations => attributes = self.attributes(pair.into_inner()),
                _ => query = Some(self.expression(pair)),
            }
        }
        ExpressionKind::Collector(Box::new(CollectorExpression { kind, is_exported, query, attributes }))
    }

    fn selector(&mut self, subject: Expression, pair: P<'_>) -> Expression {
        let span = subject.span.to(self.span(&pair));
        let mut entries = Vec::new();
        for entry in pair.into_inner() {
            let mut sides = entry.into_inner();
            let (Some(key), Some(value)) = (sides.next(), sides.next()) else { continue };
            let arrow = self.token_span(key.as_span().end());
            let (key, value) = (self.expression(key), self.expression(value));
            entries.push(HashEntry { key, arrow, value });
        }
        Expression { span, kind: ExpressionKind::Selector(Box::new(SelectorExpression { subject, entries })) }
    }

    /// Builds elements of an array, keys of an access or arguments; adjacent pairs become one hash.
    pub(super) fn elements<'p>(&mut self, pairs: impl Iterator<Item = P<'p>>) -> Vec<Expression> {
        let mut elements = Vec::new();
        for pair in pairs {
            self.element(&mut elements, pair);
        }
        elements
    }

    /// Builds the keys of an access. Only keys of pairs may be assignments, relationships or resources.
    pub(super) fn keys<'p>(&mut self, pairs: impl Iterator<Item = P<'p>>) -> Vec<Expression> {
        let mut pairs = pairs.peekable();
        let mut keys = Vec::new();
        while let Some(pair) = pairs.next() {
            let is_key = pairs.peek().is_some_and(|next| next.as_rule() == Rule::arrow_value);
            if pair.as_rule() == Rule::assignment && !is_key {
                let is_expression = |p: P<'p>| !matches!(p.as_rule(), Rule::low | Rule::body | Rule::virtual_mark | Rule::class_resource);
                if !pair.clone().into_inner().all(is_expression) {
                    let next = pair.as_span().end();
                    let message =
                        format!("unexpected `{}`: keys cannot be assignments or resources", self.source.slice(self.token_span(next)));
                    self.error(self.token_span(next), message);
                }
            }
            self.element(&mut keys, pair);
        }
        keys
    }

    fn element(&mut self, elements: &mut Vec<Expression>, pair: P<'_>) {
        if pair.as_rule() != Rule::arrow_value {
            let built = self.entry(pair);
            elements.push(built);
            return;
        }
        let Some(key) = elements.pop() else { return };
        let entry = self.hash_entry(key, pair);
        let span = entry.key.span.to(entry.value.span);
        // A hash without braces starts at its first key. The pair is added to this hash.
        if let Some(Expression { span: whole, kind: ExpressionKind::Hash(entries) }) = elements.last_mut()
            && entries.first().is_some_and(|first| first.key.span.start == whole.start)
        {
            entries.push(entry);
            *whole = whole.to(span);
            return;
        }
        elements.push(Expression { span, kind: ExpressionKind::Hash(vec![entry]) });
    }

    pub(super) fn hash_entry(&mut self, key: Expression, arrow_value: P<'_>) -> HashEntry {
        let arrow = self.token_span(arrow_value.as_span().start());
        let value = match arrow_value.into_inner().next() {
            Some(pair) => self.entry(pair),
            None => Expression { span: arrow, kind: ExpressionKind::Error },
        };
        HashEntry { key, arrow, value }
    }

    /// Builds an assignment, or the text of a keyword that is allowed in arrays and hashes.
    pub(super) fn entry(&mut self, pair: P<'_>) -> Expression {
        match pair.as_rule() {
            Rule::keyword => self.text(pair.as_span().start()),
            _ => self.assignment(pair),
        }
    }
}
