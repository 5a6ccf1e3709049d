//! Literals, strings and collections.

use super::{ManifestEvaluator, labels};
use crate::compile::failure::EvaluationFailure;
use crate::compile::scope::VariableScope;
use crate::compile::text::display;
use crate::compile::value::{ManifestValue, ValueMap, ValuePattern};
use crate::syntax::tree::{Expression, ExpressionKind, Heredoc, Segment, UnaryOperator};
use std::sync::Arc;

impl ManifestEvaluator {
    /// Evaluates a literal with parts.
    pub(crate) fn literal(&mut self, expression: &Expression, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        match &expression.kind {
            ExpressionKind::Pattern(source) => Ok(ManifestValue::Regexp(ValuePattern::new(source)?)),
            ExpressionKind::Interpolated(segments) => self.interpolated(segments, scope),
            ExpressionKind::Heredoc(heredoc) => self.heredoc(heredoc, scope),
            ExpressionKind::Array(elements) => {
                let elements = self.unfold(elements, scope)?;
                self.budget.allocate(elements.len() * 16)?;
                Ok(ManifestValue::array(elements))
            }
            ExpressionKind::Hash(entries) => {
                let mut map = ValueMap::new();
                for entry in entries {
                    let key = self.eval(&entry.key, scope)?;
                    let value = self.eval(&entry.value, scope)?;
                    map.insert(key, value);
                }
                self.budget.allocate(map.len() * 32)?;
                Ok(ManifestValue::Hash(Arc::new(map)))
            }
            _ => Err(EvaluationFailure::unsupported(format!("{} is not supported here", labels::label_of(expression)))),
        }
    }

    fn interpolated(&mut self, segments: &[Segment], scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        let mut text = String::new();
        for segment in segments {
            match segment {
                Segment::Text(part) => text.push_str(part),
                Segment::Value(value) => {
                    let value = match &value.kind {
                        ExpressionKind::Name(name) => self.variable(name, labels::anchor(value), scope)?,
                        _ => self.eval(value, scope)?,
                    };
                    text.push_str(&display(&value));
                }
            }
        }
        self.budget.allocate(text.len())?;
        Ok(ManifestValue::string(text))
    }

    fn heredoc(&mut self, heredoc: &Heredoc, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        let value = self.eval(&heredoc.text, scope)?;
        let is_static = matches!(heredoc.text.kind, ExpressionKind::Text(_));
        if let (false, "json", Some(text)) = (is_static, heredoc.syntax.to_lowercase().as_str(), value.as_str())
            && serde_json::from_str::<serde_json::Value>(text).is_err()
        {
            return Err(EvaluationFailure::unsupported("the error of invalid JSON in a heredoc"));
        }
        Ok(value)
    }

    /// Evaluates a list of expressions, in which `*x` is replaced by the elements of `x`.
    pub(crate) fn unfold(
        &mut self,
        expressions: &[Expression],
        scope: &Arc<VariableScope>,
    ) -> Result<Vec<ManifestValue>, EvaluationFailure> {
        let mut values = Vec::with_capacity(expressions.len());
        for expression in expressions {
            let inner = without_parens(expression);
            let value = self.eval(inner, scope)?;
            match (&inner.kind, value) {
                (ExpressionKind::Unary(UnaryOperator::Splat, _), ManifestValue::Array(elements)) => values.extend(elements.iter().cloned()),
                (_, value) => values.push(value),
            }
        }
        Ok(values)
    }
}

/// Returns the expression inside parentheses.
pub fn without_parens(expression: &Expression) -> &Expression {
    match &expression.kind {
        ExpressionKind::Paren(inner) => without_parens(inner),
        _ => expression,
    }
}
