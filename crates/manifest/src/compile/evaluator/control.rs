//! `if`, `unless`, `case` and selectors.

use super::literal::without_parens;
use super::{Evaluator, compare, labels};
use crate::compile::failure::Failure;
use crate::compile::scope::Scope;
use crate::compile::text::display;
use crate::compile::value::Value;
use crate::syntax::tree::{CaseExpression, Conditional, Expression, ExpressionKind, SelectorExpression, UnaryOperator};
use std::sync::Arc;

impl Evaluator {
    /// Runs code after which the groups of matches are those of before.
    pub(crate) fn guarded<T>(
        &mut self,
        scope: &Arc<Scope>,
        run: impl FnOnce(&mut Evaluator) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
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

/// Returns a value as Ruby interpolates it into a message.
pub fn ruby_text(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Hash(_) => ruby_inspect(value),
        other => display(other),
    }
}

/// Returns a value as Ruby's `inspect` prints it.
pub fn ruby_inspect(value: &Value) -> String {
    match value {
        Value::Undef => "nil".to_owned(),
        Value::Default => ":default".to_owned(),
        Value::String(text) => {
            let mut out = String::from("\"");
            let mut rest = text.chars().peekable();
            while let Some(c) = rest.next() {
                match c {
                    '"' => out.push_str("\\\""),
                    '\\' => out.push_str("\\\\"),
                    '\n' => out.push_str("\\n"),
                    '\t' => out.push_str("\\t"),
                    '\r' => out.push_str("\\r"),
                    '\u{1b}' => out.push_str("\\e"),
                    '#' if matches!(rest.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
                    c if c.is_control() => out.push_str(&format!("\\x{:02X}", c as u32)),
                    c => out.push(c),
                }
            }
            out.push('"');
            out
        }
        Value::Array(elements) => format!("[{}]", elements.iter().map(ruby_inspect).collect::<Vec<_>>().join(", ")),
        Value::Hash(map) => {
            format!("{{{}}}", map.iter().map(|(k, v)| format!("{}=>{}", ruby_inspect(k), ruby_inspect(v))).collect::<Vec<_>>().join(", "))
        }
        other => display(other),
    }
}
