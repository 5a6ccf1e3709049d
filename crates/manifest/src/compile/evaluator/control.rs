//! `if`, `unless`, `case` and selectors.

use super::literal::without_parens;
use super::{Evaluator, compare, labels};
use crate::compile::failure::Failure;
use crate::compile::scope::Scope;
use crate::compile::text::inspect::ruby_text;
use crate::compile::value::Value;
use crate::syntax::tree::{CaseExpression, Conditional, Expression, ExpressionKind, SelectorExpression, UnaryOperator};
use std::sync::Arc;

impl Evaluator {
    /// Runs code after which the groups of matches are those of before.
    pub(crate) fn guarded<T>(&mut self, scope: &Arc<Scope>, run: impl FnOnce(&mut Evaluator) -> Result<T, Failure>) -> Result<T, Failure> {
        let before = scope.matches();
        let result = run(self);
        scope.set_matches(before);
        result
    }

    pub(crate) fn conditional(&mut self, conditional: &Conditional, scope: &Arc<Scope>) -> Result<Value, Failure> {
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

    pub(crate) fn case(&mut self, case: &CaseExpression, scope: &Arc<Scope>) -> Result<Value, Failure> {
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

    pub(crate) fn selector(&mut self, selector: &SelectorExpression, scope: &Arc<Scope>) -> Result<Value, Failure> {
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
                    Err(Failure::at(labels::anchor(&selector.subject), text))
                }
            }
        })
    }

    fn matches_option(&mut self, subject: &Value, option: &Expression, scope: &Arc<Scope>) -> Result<bool, Failure> {
        let value = self.eval(option, scope)?;
        match (&option.kind, &value) {
            (ExpressionKind::Unary(UnaryOperator::Splat, _), Value::Array(options)) => {
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
