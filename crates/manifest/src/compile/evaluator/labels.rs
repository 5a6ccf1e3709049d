//! The names of expressions in messages.

use crate::compile::text::label::{with_article, with_capital_article};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{DefinitionKind, Expression, ExpressionKind, UnaryOperator};
use rtype_lang::source::Span;

/// Returns the place of Puppet's messages about an expression.
pub fn anchor(expression: &Expression) -> Span {
    let start = expression.anchor();
    Span::new(start, start)
}

/// Returns the name of an expression with its article: `a Function Call`.
pub fn label_of(expression: &Expression) -> String {
    with_article(&label(expression))
}

/// Returns the name of an expression with its article in upper case.
pub fn capital_label_of(expression: &Expression) -> String {
    with_capital_article(&label(expression))
}

/// Returns the text of an operator.
pub fn operator_text(operator: TokenKind) -> &'static str {
    match operator {
        TokenKind::And => "and",
        TokenKind::Or => "or",
        TokenKind::In => "in",
        TokenKind::Matches => "=~",
        TokenKind::NotMatches => "!~",
        TokenKind::Plus => "+",
        TokenKind::Minus => "-",
        TokenKind::Times => "*",
        TokenKind::Divide => "/",
        TokenKind::Modulo => "%",
        TokenKind::ShiftLeft => "<<",
        TokenKind::ShiftRight => ">>",
        TokenKind::NotEqual => "!=",
        TokenKind::Equal => "==",
        TokenKind::Greater => ">",
        TokenKind::GreaterEqual => ">=",
        TokenKind::Less => "<",
        TokenKind::LessEqual => "<=",
        TokenKind::Before => "->",
        TokenKind::Notify => "~>",
        TokenKind::Require => "<-",
        TokenKind::Subscribe => "<~",
        TokenKind::Assign => "=",
        TokenKind::Append => "+=",
        TokenKind::Delete => "-=",
        _ => "",
    }
}

/// Returns the name of an expression.
pub fn label(expression: &Expression) -> String {
    match &expression.kind {
        ExpressionKind::Binary(binary) => format!("'{}' expression", operator_text(binary.operator)),
        ExpressionKind::Heredoc(heredoc) => format!("'@({})' expression", heredoc.syntax),
        ExpressionKind::Reserved(word) => format!("Reserved Word '{word}'"),
        ExpressionKind::Definition(definition) => match definition.kind {
            DefinitionKind::Class => "Host Class Definition",
            DefinitionKind::Define => "'define' expression",
            DefinitionKind::Function => "Function Definition",
        }
        .to_owned(),
        other => simple(other).to_owned(),
    }
}

fn simple(kind: &ExpressionKind) -> &'static str {
    match kind {
        ExpressionKind::Undef => "'undef' expression",
        ExpressionKind::Default => "'default' expression",
        ExpressionKind::Boolean(_) => "Boolean",
        ExpressionKind::Integer { .. } => "Literal Integer",
        ExpressionKind::Float(_) => "Literal Float",
        ExpressionKind::Text(_) => "String",
        ExpressionKind::Pattern(_) => "Regular Expression",
        ExpressionKind::Interpolated(_) => "Double Quoted String",
        ExpressionKind::Name(_) => "Name",
        ExpressionKind::TypeName(_) => "Type-Name",
        ExpressionKind::Variable(_) => "Variable",
        ExpressionKind::Array(_) => "Array Expression",
        ExpressionKind::Hash(_) => "Hash Expression",
        ExpressionKind::Paren(_) => "Parenthesized Expression",
        ExpressionKind::Unary(UnaryOperator::Not, _) => "'not' expression",
        ExpressionKind::Unary(UnaryOperator::Minus, _) => "Unary Minus",
        ExpressionKind::Unary(UnaryOperator::Splat, _) => "Unfold",
        ExpressionKind::Access(_) => "'[]' expression",
        ExpressionKind::Call(_) => "Function Call",
        ExpressionKind::Method(_) => "Method call",
        ExpressionKind::Selector(_) => "Selector Expression",
        ExpressionKind::Collector(collector) if collector.is_exported => "Exported Query",
        ExpressionKind::Collector(_) => "Virtual Query",
        ExpressionKind::If(conditional) if conditional.is_unless => "'unless' Statement",
        ExpressionKind::If(_) => "'if' statement",
        ExpressionKind::Case(_) => "'case' statement",
        ExpressionKind::Resource(_) => "Resource Statement",
        ExpressionKind::Defaults(_) => "Resource Defaults Expression",
        ExpressionKind::Override(_) => "Resource Override",
        ExpressionKind::Node(_) => "Node Definition",
        ExpressionKind::TypeAlias(_) => "Type Alias",
        ExpressionKind::Block(_) => "Block Expression",
        ExpressionKind::Render(_) => "Epp Interpolated Expression",
        ExpressionKind::RenderText(_) => "Epp Text",
        _ => "Object",
    }
}
