//! Three-valued logic: conditions that depend on unknown values.
//!
//! `unknown && false` is false. If the condition of an `if` is undecided, all branches are evaluated without effects. Equal results are
//! the result of the `if`. Otherwise the statement is undecided. The next statement is still evaluated, because its failure may be
//! certain.

use super::{Interpreter, Locals, STACK_LEFT, STACK_MORE};
use crate::eval::call::{Eval, Stop};
use crate::eval::scope::{Failure, FailureKind};
use crate::source::Span;
use crate::types::{BinaryOp, Lambda, MatchArm, Node, Op, Pattern};
use crate::value::Value;

/// The truth of a condition, or the failure that leaves the condition undecided.
pub(in crate::eval) type Truth = Result<bool, Box<Failure>>;

/// The maximum nesting of undecided conditions.
const MAX_NESTED: u8 = 8;

/// Returns the failure if its cause is an unknown value; passes other stops on.
fn undecided(stop: Stop) -> Eval<Box<Failure>> {
    match stop {
        Stop::Fail(failure) if failure.is_unknown() => Ok(failure),
        other => Err(other),
    }
}

/// Returns the truth of a condition; fails if the condition is undecided.
pub(in crate::eval) fn decided(truth: Truth) -> Eval<bool> {
    truth.map_err(Stop::Fail)
}

fn is_budget(stop: &Stop) -> bool {
    matches!(stop, Stop::Fail(failure) if failure.kind == FailureKind::Budget)
}

fn is_fail(stop: &Stop) -> bool {
    matches!(stop, Stop::Fail(failure) if failure.kind == FailureKind::Fail)
}

/// Returns `true` if the value of an expression is a boolean.
fn is_boolean(node: &Node) -> bool {
    use BinaryOp as B;
    match &node.op {
        Op::Not(_) | Op::SelfTrue(_) | Op::SelfIsSet(_) | Op::SelfManaged | Op::ProviderHas(_) | Op::Const(Value::Bool(_)) => true,
        Op::Binary(B::And | B::Or, left, right) => is_boolean(left) && is_boolean(right),
        Op::Binary(op, ..) => !matches!(op, B::Add | B::Subtract | B::Multiply | B::Power | B::Modulo | B::Intersect | B::Compare),
        Op::Method(method, ..) => method.name().ends_with('?'),
        _ => false,
    }
}

/// Returns `true` if evaluation may leave an expression early, or change the resource.
fn leaves_or_changes(node: &Node) -> bool {
    let here = matches!(node.op, Op::Return(_) | Op::Next(_) | Op::SetSelf(..) | Op::SetSelfIndex(..) | Op::SetProvider(..) | Op::Super(_));
    here || node.children().into_iter().any(leaves_or_changes)
}

/// Collects the slots of locals that an expression assigns.
fn assigned(node: &Node, slots: &mut Vec<u16>) {
    match &node.op {
        Op::SetLocal(slot, _) => slots.push(*slot),
        Op::Destructure(all, _) => slots.extend(all),
        _ => {}
    }
    node.children().into_iter().for_each(|child| assigned(child, slots));
}

impl Interpreter<'_> {
    /// Evaluates an operand used only as a condition.
    pub(in crate::eval) fn test(&mut self, node: &Node) -> Eval<Truth> {
        self.meter.enter(node.span)?;
        let result = stacker::maybe_grow(STACK_LEFT, STACK_MORE, || match &node.op {
            Op::Not(inner) => Ok(self.test(inner)?.map(|truth| !truth)),
            Op::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => self.test_both(*op, left, right),
            _ => match self.eval(node).and_then(|value| self.truth(&value, node.span)) {
                Ok(truth) => Ok(Ok(truth)),
                Err(stop) => undecided(stop).map(Err),
            },
        });
        self.meter.leave();
        result
    }

    fn test_both(&mut self, op: BinaryOp, left: &Node, right: &Node) -> Eval<Truth> {
        let goes_on = op == BinaryOp::And;
        match self.test(left)? {
            Ok(truth) if truth != goes_on => Ok(Ok(truth)),
            Ok(_) => self.test(right),
            Err(failure) => Ok(match self.speculate(|it| it.test(right))? {
                Some(Ok(truth)) if truth != goes_on => Ok(truth),
                _ => Err(failure),
            }),
        }
    }

    /// Evaluates `&&` or `||`. The result is the value of the deciding operand.
    #[inline(never)]
    pub(in crate::eval) fn connect(&mut self, op: BinaryOp, left: &Node, right: &Node) -> Eval {
        if is_boolean(left) && is_boolean(right) {
            let truth = self.test_both(op, left, right)?;
            return decided(truth).map(Value::Bool);
        }
        let first = self.eval(left)?;
        if self.truth(&first, left.span)? == (op == BinaryOp::And) { self.eval(right) } else { Ok(first) }
    }

    /// Evaluates an expression that the block may skip. Returns `None` if the expression fails, leaves the block or would have effects.
    /// Assigned locals become unknown.
    fn speculate<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<Option<T>> {
        if !self.can_speculate() {
            return Ok(None);
        }
        let before = (self.slots.clone(), self.last_match.clone());
        self.speculating += 1;
        let result = evaluate(self);
        self.speculating -= 1;
        let after = std::mem::replace(&mut self.slots, before.0);
        self.last_match = before.1;
        self.merge(&[after]);
        match result {
            Err(stop) if is_budget(&stop) => Err(stop),
            other => Ok(other.ok()),
        }
    }

    /// Returns `true` if expressions may be evaluated that the block may skip. In action blocks, such expressions could change the
    /// machine.
    fn can_speculate(&self) -> bool {
        !self.action && self.handlers == 0 && self.speculating < MAX_NESTED
    }

    /// Fails if the block may skip the running expression, which then must not have an effect.
    pub(in crate::eval) fn require_certain(&self, span: Span) -> Eval<()> {
        if self.speculating == 0 { Ok(()) } else { Err(Failure::unknown(span).into()) }
    }

    /// Makes locals unknown if their values differ between the alternatives.
    fn merge(&mut self, alternatives: &[Locals]) {
        for (i, slot) in self.slots.iter_mut().enumerate() {
            if alternatives.iter().any(|other| other.get(i).is_some_and(|value| value != slot)) {
                *slot = Value::Unknown;
                self.unknowns = true;
            }
        }
    }

    /// Evaluates an `if` from its first undecided condition on; `body` is the branch of this condition.
    #[inline(never)]
    pub(super) fn undecided_branch(&mut self, failure: Box<Failure>, body: &Node, rest: &[(Node, Node)], otherwise: Option<&Node>) -> Eval {
        let mut bodies = vec![Some(body)];
        let mut is_complete = false;
        for (condition, body) in rest {
            match self.speculate(|it| it.test(condition))? {
                Some(Ok(false)) => {}
                Some(truth) => {
                    bodies.push(Some(body));
                    is_complete = truth.is_ok();
                }
                None => return Err(Stop::Fail(failure)),
            }
            if is_complete {
                break;
            }
        }
        if !is_complete {
            bodies.push(otherwise);
        }
        self.alternatives(failure, &bodies)
    }

    /// Evaluates the arms of a `match` with an unknown subject.
    #[inline(never)]
    pub(super) fn undecided_match(&mut self, failure: Box<Failure>, arms: &[MatchArm]) -> Eval {
        let takes_rest = |arm: &MatchArm| arm.guard.is_none() && arm.patterns.iter().any(|p| matches!(p, Pattern::Any));
        // The body of an arm with a regex may read the match's groups.
        let is_plain = |arm: &MatchArm| !arm.patterns.iter().any(|p| matches!(p, Pattern::Regex(_)));
        if !arms.iter().any(takes_rest) || !arms.iter().all(is_plain) {
            return Err(Stop::Fail(failure));
        }
        let bodies: Vec<_> = arms.iter().map(|arm| Some(&arm.body)).collect();
        self.alternatives(failure, &bodies)
    }

    /// Evaluates the arms of a `match` from the first arm that fits and has an undecided guard; `body` is the body of this arm.
    #[inline(never)]
    pub(super) fn undecided_guard(&mut self, failure: Box<Failure>, value: &Value, body: &Node, rest: &[MatchArm]) -> Eval {
        let mut bodies = vec![Some(body)];
        for arm in rest {
            // The body of an arm with a regex may read the match's groups, which another arm would replace.
            if arm.patterns.iter().any(|p| matches!(p, Pattern::Regex(_))) || !self.can_speculate() {
                return Err(Stop::Fail(failure));
            }
            if !self.fits(arm, value, self.is_secret(value))? {
                continue;
            }
            let guard = arm.guard.as_ref().map(|guard| self.speculate(|it| it.test(guard))).transpose()?;
            match guard {
                Some(Some(Ok(false))) => {}
                Some(None) => return Err(Stop::Fail(failure)),
                Some(Some(Err(_))) => bodies.push(Some(&arm.body)),
                None | Some(Some(Ok(true))) => {
                    bodies.push(Some(&arm.body));
                    return self.alternatives(failure, &bodies);
                }
            }
        }
        // If no arm fits, the `match` fails.
        Err(Stop::Fail(failure))
    }

    /// Evaluates alternative bodies without effects, and returns their common result.
    fn alternatives(&mut self, failure: Box<Failure>, bodies: &[Option<&Node>]) -> Eval {
        if !self.can_speculate() {
            return Err(Stop::Fail(failure));
        }
        let before = (self.slots.clone(), self.last_match.clone());
        let mut slots = Vec::new();
        let mut results = Vec::new();
        for body in bodies {
            self.speculating += 1;
            let result = self.maybe(*body);
            self.speculating -= 1;
            let after = std::mem::replace(&mut self.slots, before.0.clone());
            self.last_match.clone_from(&before.1);
            match result {
                Err(stop) if is_budget(&stop) => return Err(stop),
                Ok(_) => slots.push(after),
                Err(_) => {}
            }
            results.push(result);
        }
        if results.iter().all(|result| result.as_ref().is_err_and(is_fail)) {
            return results.into_iter().next().unwrap_or(Err(Stop::Fail(failure)));
        }
        if let Some((first, others)) = slots.split_first() {
            self.slots.clone_from(first);
            self.merge(others);
        }
        let Ok(values) = results.into_iter().collect::<Eval<Vec<_>>>() else { return Err(Stop::Fail(failure)) };
        match values.as_slice() {
            [first, others @ ..] if others.iter().all(|other| other == first) => Ok(self.incoming(first.clone())),
            _ if failure.is_untranslated() => Err(Stop::Fail(failure)),
            _ => Ok(self.incoming(Value::Unknown)),
        }
    }

    /// Evaluates statements in order. An undecided statement does not hide the failure of a later statement.
    #[inline(never)]
    pub(super) fn sequence(&mut self, statements: &[Node]) -> Eval {
        let mut last = Value::Nil;
        let mut first_undecided = None;
        for statement in statements {
            match self.eval(statement) {
                Ok(value) => last = value,
                Err(stop @ Stop::Fail(_)) => {
                    let failure = self.continue_after(statement, stop)?;
                    first_undecided.get_or_insert(failure);
                }
                Err(stop) => return Err(first_undecided.map_or(stop, Stop::Fail)),
            }
        }
        first_undecided.map_or(Ok(last), |failure| Err(Stop::Fail(failure)))
    }

    /// Returns the failure of an undecided expression if evaluation can continue after the expression. Assigned locals become unknown.
    pub(in crate::eval) fn continue_after(&mut self, node: &Node, stop: Stop) -> Eval<Box<Failure>> {
        let failure = undecided(stop)?;
        if self.action || self.handlers > 0 || leaves_or_changes(node) {
            return Err(Stop::Fail(failure));
        }
        let mut slots = Vec::new();
        assigned(node, &mut slots);
        self.unknowns |= !slots.is_empty();
        slots.into_iter().for_each(|slot| self.store(slot, Value::Unknown));
        Ok(failure)
    }

    /// Calls a closure as a condition. `is_reached` is false after an undecided element: the method may end before this call.
    pub(in crate::eval) fn closure_test(&mut self, lambda: &Lambda, values: &[Value], is_reached: bool) -> Eval<Truth> {
        if !is_reached {
            let truth = self.speculate(|it| it.closure_test(lambda, values, true))?;
            return Ok(truth.unwrap_or_else(|| Err(Box::new(Failure::unknown(lambda.body.span)))));
        }
        self.bind(lambda, values);
        self.meter.enter_closure(lambda.body.span)?;
        let result = self.test(&lambda.body);
        self.meter.leave_closure();
        match result {
            Err(Stop::Next(value)) => match self.truth(&value, lambda.body.span) {
                Ok(truth) => Ok(Ok(truth)),
                Err(stop) => undecided(stop).map(Err),
            },
            other => other,
        }
    }
}
