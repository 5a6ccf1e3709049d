//! Mistakes that Puppet's parser reports after the syntax: names, assignments, values without effect, places of definitions.

mod definition;
mod effect;
mod expression;

use super::tree::{Expression, ExpressionKind, LambdaExpression, ManifestTree};
use super::visit;
use rtype_lang::diagnostics::{Code, Diagnostic, Severity};
use rtype_lang::source::Span;

/// The warning about a key that a hash has twice. Puppet's setting `strict` decides whether that is an error.
pub const DUPLICATE_KEY: &str = "duplicate key in a hash: the last value is used";

/// Checks a tree. After syntax errors, unused values are probably parts of broken statements.
pub(super) fn validate(tree: &ManifestTree, is_complete: bool) -> Vec<Diagnostic> {
    let mut validator = Validator { is_complete, diagnostics: Vec::new() };
    let place = if tree.template.is_some() { StatementContext::Inner } else { StatementContext::Top };
    if let Some(parameters) = tree.template.as_ref().and_then(|t| t.parameters.as_deref()) {
        validator.parameters(parameters, definition::Owner::Template);
    }
    validator.block(&tree.statements, place);
    validator.diagnostics
}

/// The place of a statement, which decides whether it may be a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StatementContext {
    /// A statement of the file.
    Top,
    /// A statement of a class.
    Class,
    /// Anywhere else.
    Inner,
}

struct Validator {
    is_complete: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Validator {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(Code::Syntax, span, message));
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        let found = Diagnostic::new(Code::Syntax, span, message);
        self.report(Diagnostic { severity: Severity::Warning, ..found });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Checks statements and everything below them.
    fn block(&mut self, statements: &[Expression], place: StatementContext) {
        self.unused_values(statements);
        for statement in statements {
            self.statement(statement, place);
        }
    }

    fn statement(&mut self, statement: &Expression, place: StatementContext) {
        self.place_of_definition(statement, place);
        self.check(statement);
        match &statement.kind {
            ExpressionKind::Block(inner) => self.block(inner, StatementContext::Inner),
            ExpressionKind::Definition(definition) => self.definition_body(definition),
            ExpressionKind::Node(node) => {
                node.hosts.iter().chain(&node.parent).for_each(|host| self.expression(host));
                self.last_value(node.body.as_deref().unwrap_or_default(), "a node");
                self.block(node.body.as_deref().unwrap_or_default(), StatementContext::Inner);
            }
            ExpressionKind::If(conditional) => {
                for branch in &conditional.branches {
                    self.expression(&branch.condition);
                    self.block(&branch.body, StatementContext::Inner);
                }
                self.block(conditional.otherwise.as_deref().unwrap_or_default(), StatementContext::Inner);
            }
            ExpressionKind::Case(case) => {
                self.expression(&case.subject);
                for option in &case.options {
                    option.values.iter().for_each(|value| self.expression(value));
                    self.block(&option.body, StatementContext::Inner);
                }
            }
            ExpressionKind::Call(call) => {
                self.expression(&call.function);
                call.arguments.iter().for_each(|a| self.expression(a));
                call.lambda.iter().for_each(|l| self.lambda(l));
            }
            ExpressionKind::Method(call) => {
                self.expression(&call.receiver);
                call.arguments.iter().for_each(|a| self.expression(a));
                call.lambda.iter().for_each(|l| self.lambda(l));
            }
            // The query of a collector has names of attributes, not values.
            _ => visit::children(statement, &mut |child| self.expression(child)),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        self.statement(expression, StatementContext::Inner);
    }

    fn lambda(&mut self, lambda: &LambdaExpression) {
        self.parameters(&lambda.parameters, definition::Owner::Lambda);
        let types = lambda.parameters.iter().flat_map(|p| p.kind.iter().chain(&p.default));
        types.chain(&lambda.returns).for_each(|e| self.expression(e));
        self.block(&lambda.body, StatementContext::Inner);
    }
}
