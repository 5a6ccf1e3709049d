//! Statements, and calls without parentheses.

use super::super::parser::{P, Rule};
use super::super::tree::{Expression, ExpressionKind, FunctionCall};
use super::Builder;
use rtype_lang::source::Span;

/// Functions that may be called without parentheses.
const STATEMENT_FUNCTIONS: &[&str] = &[
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail", "import", "break", "next",
    "return",
];

impl Builder<'_> {
    /// Builds statements; other pairs are skipped.
    pub(super) fn statements<'p>(&mut self, pairs: impl Iterator<Item = P<'p>>) -> Vec<Expression> {
        let mut statements = Vec::new();
        for pair in pairs.filter(|p| p.as_rule() == Rule::statement) {
            let mut inner = pair.into_inner();
            let Some(first) = inner.next() else { continue };
            let comma = first.as_span().end();
            let first = self.assignment(first);
            let rest: Vec<Expression> = inner.map(|p| self.assignment(p)).collect();
            let comma = (!rest.is_empty()).then(|| self.token_span(comma));
            self.add_statement(&mut statements, first, rest, comma);
        }
        statements
    }

    /// Builds the statements of a block.
    pub(super) fn block(&mut self, pair: P<'_>) -> Vec<Expression> {
        self.statements(pair.into_inner())
    }

    /// Adds a statement, or the arguments of the function whose name is the statement before it.
    pub(super) fn add_statement(
        &mut self,
        statements: &mut Vec<Expression>,
        first: Expression,
        rest: Vec<Expression>,
        comma: Option<Span>,
    ) {
        let called = statements.pop_if(|s| matches!(&s.kind, ExpressionKind::Name(name) if STATEMENT_FUNCTIONS.contains(&name.as_str())));
        if let Some(function) = called {
            let span = function.span.to(rest.last().unwrap_or(&first).span);
            let arguments = std::iter::once(first).chain(rest).collect();
            let call = FunctionCall { function, arguments, lambda: None, is_statement: true };
            statements.push(Expression { span, kind: ExpressionKind::Call(Box::new(call)) });
            return;
        }
        if let Some(comma) = comma {
            match statements.last().map(|s| &s.kind) {
                Some(ExpressionKind::Name(name)) => {
                    let message = format!("the arguments of `{name}` must be in parentheses");
                    self.error(comma, message);
                }
                _ => self.error(comma, "unexpected `,` after a statement"),
            }
        }
        for mut statement in std::iter::once(first).chain(rest) {
            // Skipped tokens become one placeholder.
            if matches!(statement.kind, ExpressionKind::Error) && statements.last().is_some_and(|s| matches!(s.kind, ExpressionKind::Error))
            {
                continue;
            }
            if let ExpressionKind::Call(call) = &mut statement.kind {
                call.is_statement = true;
            }
            statements.push(statement);
        }
    }
}
