//! Evaluates `match`.

use super::Interpreter;
use crate::diagnostics::Code as DiagnosticCode;
use crate::eval::call::{Eval, Stop, describe};
use crate::eval::scope::Failure;
use crate::eval::{operators, secret};
use crate::source::Span;
use crate::types::{MatchArm, Node, Pattern};
use crate::value::{REDACTED, Value};

impl Interpreter<'_> {
    #[inline(never)]
    pub(super) fn choose(&mut self, subject: &Node, arms: &[MatchArm], span: Span) -> Eval {
        let value = match self.eval(subject).and_then(|value| self.known(&value, subject.span).map(|()| value)) {
            Err(Stop::Fail(failure)) if failure.is_unknown() => return self.undecided_match(failure, arms),
            value => value?,
        };
        let is_secret = self.is_secret(&value);
        let opened = if is_secret { secret::open(&value) } else { value };
        for (place, arm) in arms.iter().enumerate() {
            let before = self.last_match.clone();
            if self.fits(arm, &opened, is_secret)? {
                let guard = match &arm.guard {
                    Some(guard) => match self.test(guard)? {
                        Ok(guard) => guard,
                        // The groups of this match do not exist in later arms.
                        Err(failure) if arm.patterns.iter().any(|p| matches!(p, Pattern::Regex(_))) => return Err(Stop::Fail(failure)),
                        Err(failure) => {
                            let rest = arms.get(place + 1..).unwrap_or_default();
                            return self.undecided_guard(failure, &opened, &arm.body, rest);
                        }
                    },
                    None => true,
                };
                if guard {
                    self.reach(arm.body.span);
                    return self.eval(&arm.body);
                }
            }
            self.last_match = before;
        }
        let shown = if is_secret { format!("a sensitive value {REDACTED}") } else { describe(&opened) };
        let message = format!("no arm of `match` fits {shown}; `_ =>` takes the rest");
        Err(Failure::new(DiagnosticCode::NoArm, span, message).into())
    }

    pub(super) fn fits(&mut self, arm: &MatchArm, value: &Value, secret: bool) -> Eval<bool> {
        for pattern in &arm.patterns {
            let fits = match pattern {
                Pattern::Any => true,
                Pattern::Value(wanted) => operators::equal(self, wanted, value, arm.body.span)?,
                Pattern::Type(data_type) => data_type.accepts(value),
                Pattern::Regex(regex) => match value.as_text() {
                    Some(_) => self.find(regex, value, secret, arm.body.span)?,
                    None => false,
                },
            };
            if fits {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
