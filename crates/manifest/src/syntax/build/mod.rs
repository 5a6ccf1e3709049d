//! The builder: pairs of the grammar to the tree.

mod definition;
mod expression;
mod literal;
mod resource;
mod statement;

use super::parser::{P, Rule};
use super::token::{Token, TokenKind};
use super::tree::{Expression, ExpressionKind, ManifestTree, SpannedName, TemplateHead};
use ecow::EcoString;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, Span};

/// The maximum number of operators and their operands on the path from the root to a leaf of the tree.
const MAX_OPERATORS: usize = 1000;

/// Builds the tree of a parsed manifest.
pub(super) fn build(source: &Source, tokens: &[Token], program: P<'_>) -> (ManifestTree, Vec<Diagnostic>) {
    let mut builder = Builder { source, tokens, namespace: Vec::new(), operators: 0, diagnostics: Vec::new() };
    let mut tree = ManifestTree { span: source.span(), ..ManifestTree::default() };
    let template = program.clone().into_inner().next().filter(|p| p.as_rule() == Rule::template);
    let Some(template) = template else {
        tree.statements = builder.statements(program.into_inner());
        return (tree, builder.diagnostics);
    };
    let mut inner = template.into_inner().peekable();
    let parameters = inner.next_if(|p| p.as_rule() == Rule::template_parameters).map(|p| builder.parameters(p));
    tree.template = Some(TemplateHead { parameters });
    tree.statements = builder.statements(inner);
    (tree, builder.diagnostics)
}

struct Builder<'a> {
    source: &'a Source,
    tokens: &'a [Token],
    /// The names of the classes around the pair.
    namespace: Vec<EcoString>,
    /// The number of operators on the path to the pair.
    operators: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn token(&self, number: usize) -> Option<&Token> {
        self.tokens.get(number)
    }

    fn kind(&self, number: usize) -> Option<TokenKind> {
        self.token(number).map(|t| t.kind)
    }

    /// Returns the span of a token; the span after the last token if there is none.
    fn token_span(&self, number: usize) -> Span {
        match self.token(number) {
            Some(token) => self.source.span_of(token.start as usize..token.end as usize),
            None => self.source.span_of(self.source.text().len()..self.source.text().len()),
        }
    }

    /// Returns the value of a token: of strings without quotes and escapes.
    fn value(&self, number: usize) -> EcoString {
        match self.token(number) {
            Some(Token { value: Some(value), .. }) => value.clone(),
            Some(_) => self.source.slice(self.token_span(number)).into(),
            None => EcoString::new(),
        }
    }

    fn name(&self, number: usize) -> SpannedName {
        SpannedName { text: self.value(number), span: self.token_span(number) }
    }

    fn span(&self, pair: &P<'_>) -> Span {
        let range = pair.as_span();
        self.token_span(range.start()).to(self.token_span(range.end().saturating_sub(1).max(range.start())))
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(Code::Syntax, span, message));
    }

    fn text(&self, number: usize) -> Expression {
        Expression { span: self.token_span(number), kind: ExpressionKind::Text(self.value(number)) }
    }
}
