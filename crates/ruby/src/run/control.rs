//! Conditions, loops and errors.

use super::frame::{Arguments, Frame};
use super::value::{RuntimeValue, UnknownValue};
use super::{Eval, Flow, Interpreter};
use crate::hir::{Begin, Case, Element, ExprId, HirKind, Rescue, Target, WhenArm};
use std::rc::Rc;

/// After this many iterations with a possible early exit, the iteration count is unknown.
const MAX_UNDECIDED: usize = 8;

impl Interpreter<'_> {
    pub(crate) fn control(&mut self, frame: &Frame, kind: &HirKind) -> Eval {
        match kind {
            HirKind::If { condition, then, otherwise } => {
                let condition = self.eval(frame, *condition)?;
                self.choose(frame, &condition, *then, *otherwise)
            }
            HirKind::Not(value) => match self.eval(frame, *value)?.truth() {
                Ok(truth) => Ok(RuntimeValue::Bool(!truth)),
                Err(why) => Err(Flow::Unknown(why)),
            },
            HirKind::IsNil(value) => match self.eval(frame, *value)? {
                RuntimeValue::Unknown(why) => Err(Flow::Unknown(why)),
                value => Ok(RuntimeValue::Bool(value.is_nil())),
            },
            HirKind::And(left, right) => self.short_circuit(frame, *left, *right, true),
            HirKind::Or(left, right) => self.short_circuit(frame, *left, *right, false),
            HirKind::While { condition, body, at_least_once } => self.while_loop(frame, *condition, *body, *at_least_once),
            HirKind::For { target, list, body } => self.for_loop(frame, target, *list, *body),
            HirKind::Case(case) => self.case(frame, case),
            HirKind::CaseIn(case) => self.case_in(frame, case),
            HirKind::MatchPattern { value, pattern, required } => self.match_pattern(frame, *value, pattern, *required),
            HirKind::Begin(begin) => self.begin(frame, begin),
            HirKind::Return(value) => {
                let value = self.eval_optional(frame, *value)?;
                Err(Flow::Return(frame.home, value))
            }
            HirKind::Break(value) => {
                let value = self.eval_optional(frame, *value)?;
                Err(Flow::Break(frame.breaks, value))
            }
            HirKind::Next(value) => {
                let value = self.eval_optional(frame, *value)?;
                Err(Flow::Next(value))
            }
            HirKind::Retry => Err(Flow::Retry),
            HirKind::Redo => Err(Flow::Redo),
            other => self.definition(frame, other),
        }
    }

    fn choose(&mut self, frame: &Frame, condition: &RuntimeValue, then: ExprId, otherwise: ExprId) -> Eval {
        match condition.truth() {
            Ok(true) => self.eval(frame, then),
            Ok(false) => self.eval(frame, otherwise),
            Err(why) => self.fork(&why, &mut [&mut |run| run.eval(frame, then), &mut |run| run.eval(frame, otherwise)]),
        }
    }

    fn short_circuit(&mut self, frame: &Frame, left: ExprId, right: ExprId, is_and: bool) -> Eval {
        let value = self.eval(frame, left)?;
        match value.truth() {
            Ok(truth) if truth == is_and => self.eval(frame, right),
            Ok(_) => Ok(value),
            Err(why) => self.fork(&why, &mut [&mut |run| run.eval(frame, right), &mut |_| Ok(value.clone())]),
        }
    }

    fn while_loop(&mut self, frame: &Frame, condition: ExprId, body: ExprId, at_least_once: bool) -> Eval {
        let id = self.number();
        let inner = Frame { breaks: id, ..frame.clone() };
        let height = self.doubt.pending.len();
        let result = self.run_while(&inner, condition, body, at_least_once);
        self.end_loop(height, id, result)
    }

    /// Ends a loop. `break` sets the loop's result, also in branches that left earlier iterations.
    fn end_loop(&mut self, height: usize, id: u64, result: Eval) -> Eval {
        self.settle(height, result, &mut |_, result| match result {
            Err(Flow::Break(of, value)) if of == id => Ok(value),
            other => other,
        })
    }

    fn run_while(&mut self, inner: &Frame, condition: ExprId, body: ExprId, at_least_once: bool) -> Eval {
        let mut is_first = at_least_once;
        let mut undecided = 0;
        loop {
            let height = self.doubt.pending.len();
            if undecided == MAX_UNDECIDED
                && let Some(why) = self.doubt.pending.last().map(|left| Rc::clone(&left.why))
            {
                return self.unknown_loop(inner, &why, condition, body);
            }
            if !std::mem::take(&mut is_first) {
                let value = self.eval(inner, condition)?;
                match value.truth() {
                    Ok(true) => {}
                    Ok(false) => return Ok(RuntimeValue::Nil),
                    Err(why) => return self.unknown_loop(inner, &why, condition, body),
                }
            }
            let result = self.eval(inner, body);
            let result = self.end_iteration(height, result);
            undecided += usize::from(self.doubt.pending.len() > height);
            match result {
                Ok(_) => {}
                Err(Flow::Redo) => is_first = true,
                Err(flow) => return Err(flow),
            }
        }
    }

    /// Ends one loop iteration, also after `next`.
    fn end_iteration(&mut self, height: usize, result: Eval) -> Eval {
        self.settle(height, result, &mut |_, result| match result {
            Err(Flow::Next(value)) => Ok(value),
            other => other,
        })
    }

    fn unknown_loop(&mut self, inner: &Frame, why: &Rc<UnknownValue>, condition: ExprId, body: ExprId) -> Eval {
        let height = self.doubt.pending.len();
        let result = self.repeat_unknown(why, &mut |run| {
            let height = run.doubt.pending.len();
            let result = run.eval(inner, body);
            run.end_iteration(height, result)?;
            run.eval(inner, condition)
        });
        self.settle(height, result, &mut |_, result| match result {
            Err(Flow::Break(of, value)) if of == inner.breaks => Ok(value),
            other => other,
        })
    }

    fn for_loop(&mut self, frame: &Frame, target: &Target, list: ExprId, body: ExprId) -> Eval {
        let list_value = self.eval(frame, list)?;
        let id = self.number();
        let inner = Frame { breaks: id, ..frame.clone() };
        if let RuntimeValue::Unknown(why) = &list_value {
            let why = Rc::clone(why);
            return self.repeat_unknown(&why, &mut |run| {
                run.assign_value(&inner, target, RuntimeValue::Unknown(Rc::clone(&why)))?;
                let height = run.doubt.pending.len();
                let result = run.eval(&inner, body);
                run.end_iteration(height, result)
            });
        }
        let items = match &list_value {
            RuntimeValue::Array(items) => self.items(items)?,
            other => {
                let list = self.send(other, "to_a", Arguments::default())?;
                self.splatted(&list)?
            }
        };
        let height = self.doubt.pending.len();
        let result = items.into_iter().try_for_each(|item| {
            self.assign_value(&inner, target, item)?;
            let height = self.doubt.pending.len();
            let result = self.eval(&inner, body);
            self.end_iteration(height, result).map(drop)
        });
        self.end_loop(height, id, result.map(|()| list_value))
    }

    fn case(&mut self, frame: &Frame, case: &Case) -> Eval {
        let subject = match case.subject {
            Some(subject) => Some(self.eval(frame, subject)?),
            None => None,
        };
        self.arms(frame, subject.as_ref(), &case.arms, 0, case.otherwise)
    }

    /// Selects a `case` branch, beginning with a condition.
    fn arms(&mut self, frame: &Frame, subject: Option<&RuntimeValue>, arms: &[WhenArm], skip: usize, otherwise: ExprId) -> Eval {
        let Some((arm, rest)) = arms.split_first() else { return self.eval(frame, otherwise) };
        let Some(condition) = arm.conditions.get(skip) else { return self.arms(frame, subject, rest, 0, otherwise) };
        let fits = self.condition(frame, subject, condition)?;
        match fits.truth() {
            Ok(true) => self.eval(frame, arm.body),
            Ok(false) => self.deeper(|run| run.arms(frame, subject, arms, skip + 1, otherwise)),
            Err(why) => {
                self.fork(&why, &mut [&mut |run| run.eval(frame, arm.body), &mut |run| run.arms(frame, subject, arms, skip + 1, otherwise)])
            }
        }
    }

    fn condition(&mut self, frame: &Frame, subject: Option<&RuntimeValue>, condition: &Element) -> Eval {
        let (patterns, is_list) = match condition {
            Element::Plain(id) => (vec![self.eval(frame, *id)?], false),
            Element::Splat(id) => {
                let list = self.eval(frame, *id)?;
                (self.splatted(&list)?, true)
            }
        };
        let mut last = RuntimeValue::Bool(false);
        for pattern in patterns {
            let fits = match subject {
                Some(subject) => {
                    let fits = self.case_equal(frame, &pattern, subject);
                    self.as_value(fits)?
                }
                None => pattern,
            };
            match fits.truth() {
                Ok(false) => {}
                Ok(true) => return Ok(fits),
                Err(_) if is_list => last = fits,
                Err(_) => return Ok(fits),
            }
        }
        Ok(last)
    }

    /// Evaluates `pattern === value`, and keeps a regex match.
    pub(crate) fn case_equal(&mut self, frame: &Frame, pattern: &RuntimeValue, value: &RuntimeValue) -> Eval {
        match (pattern, value) {
            (RuntimeValue::Unknown(why), _) | (_, RuntimeValue::Unknown(why)) => Err(Flow::Unknown(Rc::clone(why))),
            (RuntimeValue::Regex(regex), RuntimeValue::Str(_) | RuntimeValue::Sym(_)) => {
                let text = self.text_of(value)?;
                let found = self.search(regex, &text, 0)?;
                let is_found = !found.is_nil();
                self.set_last_match(frame, found)?;
                Ok(RuntimeValue::Bool(is_found))
            }
            _ => self.send(pattern, "===", Arguments::of(vec![value.clone()])),
        }
    }

    fn begin(&mut self, frame: &Frame, begin: &Begin) -> Eval {
        let outer = self.doubt.pending.len();
        let result = self.protected(frame, begin);
        let Some(ensure) = begin.ensure else { return result };
        if let Err(Flow::Stop(stop)) = result {
            return Err(Flow::Stop(stop));
        }
        self.settle(outer, result, &mut |run, result| {
            run.eval(frame, ensure)?;
            result
        })
    }

    /// Runs `begin` with the handlers.
    fn protected(&mut self, frame: &Frame, begin: &Begin) -> Eval {
        if begin.rescues.is_empty() {
            let value = self.eval(frame, begin.body)?;
            return begin.otherwise.map_or(Ok(value), |otherwise| self.eval(frame, otherwise));
        }
        loop {
            let height = self.doubt.pending.len();
            self.doubt.watched += 1;
            let result = self.eval(frame, begin.body);
            self.doubt.watched -= 1;
            let result = self.settle(height, result, &mut |run, result| match result {
                Err(Flow::Raise(error)) => run.handle(frame, &begin.rescues, error),
                Ok(value) => begin.otherwise.map_or(Ok(value), |otherwise| run.eval(frame, otherwise)),
                other => other,
            });
            if !matches!(result, Err(Flow::Retry)) {
                return result;
            }
            self.spend(1)?;
        }
    }

    fn handle(&mut self, frame: &Frame, rescues: &[Rescue], error: RuntimeValue) -> Eval {
        let Some((rescue, rest)) = rescues.split_first() else { return Err(Flow::Raise(error)) };
        let fits = self.rescues(frame, rescue, &error);
        match self.as_value(fits)?.truth() {
            Ok(true) => self.run_handler(frame, rescue, &error),
            Ok(false) => self.handle(frame, rest, error),
            Err(why) => {
                self.fork(&why, &mut [&mut |run| run.run_handler(frame, rescue, &error), &mut |run| run.handle(frame, rest, error.clone())])
            }
        }
    }

    fn rescues(&mut self, frame: &Frame, rescue: &Rescue, error: &RuntimeValue) -> Eval {
        if let RuntimeValue::Unknown(why) = error {
            return Err(Flow::Unknown(Rc::clone(why)));
        }
        if rescue.classes.is_empty() {
            return Ok(RuntimeValue::Bool(self.is_instance(error, "StandardError")));
        }
        for class in self.elements(frame, &rescue.classes)? {
            let fits = match &class {
                RuntimeValue::Class(_) => self.send(&class, "===", Arguments::of(vec![error.clone()]))?,
                RuntimeValue::Unknown(why) => return Err(Flow::Unknown(Rc::clone(why))),
                _ => return self.raise("TypeError", "class or module required for rescue clause"),
            };
            if fits.truth().map_err(Flow::Unknown)? {
                return Ok(RuntimeValue::Bool(true));
            }
        }
        Ok(RuntimeValue::Bool(false))
    }

    fn run_handler(&mut self, frame: &Frame, rescue: &Rescue, error: &RuntimeValue) -> Eval {
        let outer = self.globals.get("$!").cloned().unwrap_or_default();
        self.set_global("$!", error.clone())?;
        if let Some(target) = &rescue.target {
            self.assign_value(frame, target, error.clone())?;
        }
        let height = self.doubt.pending.len();
        let result = self.eval(frame, rescue.body);
        self.settle(height, result, &mut |run, result| {
            run.set_global("$!", outer.clone())?;
            result
        })
    }
}
