//! `if`, `unless`, `case` and selectors.

use super::literal::without_parens;
use super::{ManifestEvaluator, compare, labels};
use crate::compile::failure::EvaluationFailure;
use crate::compile::scope::VariableScope;
use crate::compile::text::inspect::ruby_text;
use crate::compile::value::ManifestValue;
use crate::syntax::tree::{CaseExpression, Conditional, Expression, ExpressionKind, SelectorExpression, UnaryOperator};
use std::sync::Arc;

impl ManifestEvaluator {
    /// Runs code and restores the match variables afterwards.
    pub(crate) fn guarded<T>(
        &mut self,
        scope: &Arc<VariableScope>,
        run: impl FnOnce(&mut ManifestEvaluator) -> Result<T, EvaluationFailure>,
    ) -> Result<T, EvaluationFailure> {
        let before = scope.matches();
        let result = run(self);
        scope.set_matches(before);
        result
    }

    pub(crate) fn conditional(
        &mut self,
        conditional: &Conditional,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        self.guarded(scope, |evaluator| {
            for branch in &conditional.branches {
                let condition = evaluator.eval(&branch.condition, scope)?.is_true();
                if condition != conditional.is_unless {
                    return evaluator.block(&branch.body, scope);
                }
            }
            evaluator.block(conditional.otherwise.as_deref().unwrap_or_default(), scope)
        })
    }

    pub(crate) fn case(&mut self, case: &CaseExpression, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        self.guarded(scope, |evaluator| {
            let subject = evaluator.eval(&case.subject, scope)?;
            let mut default: Option<&[Expression]> = None;
            for option in &case.options {
                for value in &option.values {
                    let value = without_parens(value);
                    if matches!(value.kind, ExpressionKind::Default) {
                        default = Some(&option.body);
                    } else if evaluator.matches_option(&subject, value, scope)? {
                        return evaluator.block(&option.body, scope);
                    }
                }
            }
            evaluator.block(default.unwrap_or_default(), scope)
        })
    }

    pub(crate) fn selector(
        &mut self,
        selector: &SelectorExpression,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        self.guarded(scope, |evaluator| {
            let subject = evaluator.eval(&selector.subject, scope)?;
            let mut default = None;
            for entry in &selector.entries {
                let key = without_parens(&entry.key);
                if matches!(key.kind, ExpressionKind::Default) {
                    default = Some(&entry.value);
                } else if evaluator.matches_option(&subject, key, scope)? {
                    return evaluator.eval(&entry.value, scope);
                }
            }
            match default {
                Some(value) => evaluator.eval(value, scope),
                None => {
                    let text = format!("No matching entry for selector parameter with value '{}'", ruby_text(&subject));
                    Err(EvaluationFailure::at(labels::anchor(&selector.subject), text))
                }
            }
        })
    }

    fn matches_option(
        &mut self,
        subject: &ManifestValue,
        option: &Expression,
        scope: &Arc<VariableScope>,
    ) -> Result<bool, EvaluationFailure> {
        let value = self.eval(option, scope)?;
        match (&option.kind, &value) {
            (ExpressionKind::Unary(UnaryOperator::Splat, _), ManifestValue::Array(options)) => {
                for option in options.iter() {
                    if compare::matches(subject, option, Some(scope)) {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(compare::matches(subject, &value, Some(scope))),
        }
    }
}
