//! Unknown conditions: all branches run, and their results are joined.
//!
//! A branch may leave early (with `return`, `raise` …) while another branch continues. The early branch stays pending until the code around
//! its destination has finished. Then the two states are joined.

use super::journal::{Delta, Layer, join_states, join_values, knows_more, widen};
use super::value::{RuntimeValue, UnknownValue};
use super::{Eval, Flow, Interpreter};
use std::rc::Rc;

/// The journal's layers, and branches that left early.
#[derive(Default)]
pub(crate) struct Doubt {
    pub(crate) layers: Vec<Layer>,
    pub(crate) pending: Vec<Pending>,
    /// The number of running `begin` blocks with handlers.
    pub(crate) watched: usize,
    /// The addresses of blocks that run for unknown code.
    pub(crate) repeated: Vec<usize>,
}

/// Branches that left early. Their layer is open.
pub(crate) struct Pending {
    pub(crate) why: Rc<UnknownValue>,
    /// The position of the open layer.
    layer: usize,
    outcomes: Vec<Outcome>,
}

/// A branch's result and changes.
pub(crate) struct Outcome {
    result: Eval,
    delta: Delta,
}

/// With more outcomes, outcomes with the same kind are joined.
const MAX_OUTCOMES: usize = 4;
/// The maximum number of rounds for a loop with an unknown condition, until the state stops changing.
const MAX_ROUNDS: usize = 16;

impl Doubt {
    /// Returns true if the running code depends on a condition. Code after a branch with an error does not depend on the condition, unless
    /// code handles errors: the error ends the run.
    pub(super) fn is_conditional(&self) -> bool {
        let is_raised = |left: &Pending| left.outcomes.iter().all(|outcome| matches!(outcome.result, Err(Flow::Raise(_))));
        let raised = self.pending.iter().filter(|left| self.watched == 0 && is_raised(left)).count();
        self.layers.len() > raised
    }
}

impl<'h> Interpreter<'h> {
    /// Returns the changes since a layer began.
    fn delta_since(&self, layer: usize) -> Delta {
        let mut delta = Delta::new();
        for saved in self.doubt.layers.iter().skip(layer) {
            for (key, (place, _)) in &saved.saved {
                if !delta.contains_key(key) {
                    delta.insert(key.clone(), (place.clone(), self.place_state(place)));
                }
            }
        }
        delta
    }

    /// Reverts the changes since a layer began, and ends the layer.
    fn roll_back(&mut self, layer: usize) {
        while self.doubt.layers.len() > layer {
            if let Some(last) = self.doubt.layers.pop() {
                for (place, state) in last.saved.values().rev() {
                    self.set_place(place, state);
                }
            }
        }
    }

    fn apply(&mut self, delta: &Delta) -> Eval<()> {
        for (place, state) in delta.values() {
            self.touch(|| place.clone())?;
            self.set_place(place, state);
        }
        Ok(())
    }

    /// Collects a branch's result, and the pending branches inside it.
    fn end_branch(&mut self, layer: usize, pending: usize, result: Eval, outcomes: &mut Vec<Outcome>) -> Eval<()> {
        outcomes.push(Outcome { result, delta: self.delta_since(layer) });
        while self.doubt.pending.len() > pending {
            let Some(left) = self.doubt.pending.pop() else { break };
            self.roll_back(left.layer);
            for outcome in left.outcomes {
                self.spend(1)?;
                self.doubt.layers.push(Layer::default());
                let top = self.doubt.layers.len() - 1;
                self.apply(&outcome.delta)?;
                outcomes.push(Outcome { result: outcome.result, delta: self.delta_since(layer) });
                self.roll_back(top);
            }
        }
        self.roll_back(layer);
        Ok(())
    }

    /// Runs all branches for an unknown condition.
    pub(crate) fn fork(&mut self, why: &Rc<UnknownValue>, branches: &mut [&mut dyn FnMut(&mut Self) -> Eval]) -> Eval {
        let (layer, pending) = (self.doubt.layers.len(), self.doubt.pending.len());
        let mut outcomes = Vec::new();
        for branch in branches {
            self.doubt.layers.push(Layer::default());
            let result = branch(self);
            if let Err(Flow::Stop(stop)) = result {
                return Err(Flow::Stop(stop));
            }
            self.end_branch(layer, pending, result, &mut outcomes)?;
        }
        self.merge(why, outcomes)
    }

    /// Continues with the joined state after branches with equal endings. Other branches stay pending.
    fn merge(&mut self, why: &Rc<UnknownValue>, outcomes: Vec<Outcome>) -> Eval {
        let (mut normal, mut left): (Vec<Outcome>, Vec<Outcome>) = outcomes.into_iter().partition(|outcome| outcome.result.is_ok());
        if normal.is_empty() {
            let first = left.first().map(|outcome| kind_of(&outcome.result));
            (normal, left) = left.into_iter().partition(|outcome| Some(kind_of(&outcome.result)) == first);
        }
        let left = self.limit(why, left);
        if !left.is_empty() {
            let layer = self.doubt.layers.len();
            self.doubt.layers.push(Layer::default());
            self.doubt.pending.push(Pending { why: Rc::clone(why), layer, outcomes: left });
        }
        let joined = self.join_outcomes(why, normal);
        self.apply(&joined.delta)?;
        joined.result
    }

    /// Joins outcomes.
    fn join_outcomes(&self, why: &Rc<UnknownValue>, outcomes: Vec<Outcome>) -> Outcome {
        let mut all = outcomes.into_iter();
        let Some(mut joined) = all.next() else { return Outcome { result: Ok(RuntimeValue::Nil), delta: Delta::new() } };
        for other in all {
            joined.result = join_results(joined.result, other.result, why);
            for (key, (place, state)) in &mut joined.delta {
                let current;
                let theirs = match other.delta.get(key) {
                    Some((_, theirs)) => theirs,
                    None => {
                        current = self.place_state(place);
                        &current
                    }
                };
                *state = join_states(state, theirs, why);
            }
            for (key, (place, theirs)) in other.delta {
                if !joined.delta.contains_key(&key) {
                    let state = join_states(&self.place_state(&place), &theirs, why);
                    joined.delta.insert(key, (place, state));
                }
            }
        }
        joined
    }

    /// Joins outcomes with the same kind if there are many.
    fn limit(&self, why: &Rc<UnknownValue>, outcomes: Vec<Outcome>) -> Vec<Outcome> {
        if outcomes.len() <= MAX_OUTCOMES {
            return outcomes;
        }
        let mut rest = outcomes;
        let mut limited = Vec::new();
        while let Some(first) = rest.first().map(|outcome| kind_of(&outcome.result)) {
            let (same, others): (Vec<Outcome>, Vec<Outcome>) = rest.into_iter().partition(|outcome| kind_of(&outcome.result) == first);
            limited.push(self.join_outcomes(why, same));
            rest = others;
        }
        limited
    }

    /// Ends code to which branches may have left, from a given number of pending branches on. Each result is converted in the branch's
    /// state: for example, a method's end converts `return`.
    pub(crate) fn settle(&mut self, height: usize, result: Eval, convert: &mut dyn FnMut(&mut Self, Eval) -> Eval) -> Eval {
        let Some((why, layer)) = self.doubt.pending.get(height).map(|left| (Rc::clone(&left.why), left.layer)) else {
            return convert(self, result);
        };
        if let Err(Flow::Stop(stop)) = result {
            return Err(Flow::Stop(stop));
        }
        let mut outcomes = Vec::new();
        self.end_branch(layer, height, result, &mut outcomes)?;
        let mut converted = Vec::new();
        for outcome in outcomes {
            self.doubt.layers.push(Layer::default());
            self.apply(&outcome.delta)?;
            let result = convert(self, outcome.result);
            if let Err(Flow::Stop(stop)) = result {
                return Err(Flow::Stop(stop));
            }
            self.end_branch(layer, height, result, &mut converted)?;
        }
        self.merge(&why, converted)
    }

    /// Runs code an unknown number of times. Afterwards every changed variable and object is unknown.
    pub(crate) fn repeat_unknown(&mut self, why: &Rc<UnknownValue>, code: &mut dyn FnMut(&mut Self) -> Eval) -> Eval {
        let (layer, pending) = (self.doubt.layers.len(), self.doubt.pending.len());
        self.doubt.layers.push(Layer::default());
        let created = super::value::created();
        let mut left = Vec::new();
        let mut is_done = false;
        for _ in 0..MAX_ROUNDS {
            let round = self.doubt.layers.len();
            self.doubt.layers.push(Layer::default());
            let result = code(self);
            if let Err(Flow::Stop(stop)) = result {
                return Err(Flow::Stop(stop));
            }
            let mut outcomes = Vec::new();
            self.end_branch(round, pending, result, &mut outcomes)?;
            let mut changed = false;
            for outcome in &outcomes {
                for (key, (place, after)) in &outcome.delta {
                    // Objects created in a round are not reachable from the state before the loop.
                    if place.is_newer(created) {
                        continue;
                    }
                    let is_known = self.doubt.layers.get(layer).is_some_and(|widened| widened.saved.contains_key(key));
                    let before = self.place_state(place);
                    let wide = widen(&before, after, why);
                    changed |= !is_known || knows_more(&before, &wide);
                    self.touch(|| place.clone())?;
                    self.set_place(place, &wide);
                }
            }
            left = outcomes.into_iter().filter(|outcome| outcome.result.is_err()).collect();
            is_done = !changed;
            if is_done {
                break;
            }
        }
        if !is_done {
            return Err(Flow::Stop(super::RunError::Exhausted("a loop with an unknown condition changes too many places".into())));
        }
        let unknown = Ok(RuntimeValue::Unknown(Rc::clone(why)));
        let wide = self.delta_since(layer);
        self.roll_back(layer);
        let mut outcomes = vec![Outcome { result: unknown, delta: wide.clone() }];
        outcomes.extend(left.into_iter().map(|outcome| Outcome { delta: wide.clone(), ..outcome }));
        self.merge(why, outcomes)
    }
}

/// How code ended, as far as relevant for joining.
#[derive(PartialEq, Eq, Clone, Copy)]
enum ResultKind {
    Value,
    Next,
    Break(u64),
    Return(u64),
    Raise,
    Throw,
    Retry,
    Redo,
    Other,
}

fn kind_of(result: &Eval) -> ResultKind {
    match result {
        Ok(_) => ResultKind::Value,
        Err(Flow::Next(_)) => ResultKind::Next,
        Err(Flow::Break(of, _)) => ResultKind::Break(*of),
        Err(Flow::Return(of, _)) => ResultKind::Return(*of),
        Err(Flow::Raise(_)) => ResultKind::Raise,
        Err(Flow::Throw(..)) => ResultKind::Throw,
        Err(Flow::Retry) => ResultKind::Retry,
        Err(Flow::Redo) => ResultKind::Redo,
        Err(Flow::Unknown(_) | Flow::Stop(_)) => ResultKind::Other,
    }
}

fn join_results(a: Eval, b: Eval, why: &Rc<UnknownValue>) -> Eval {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok(join_values(&a, &b, why)),
        (Err(Flow::Next(a)), Err(Flow::Next(b))) => Err(Flow::Next(join_values(&a, &b, why))),
        (Err(Flow::Break(of, a)), Err(Flow::Break(_, b))) => Err(Flow::Break(of, join_values(&a, &b, why))),
        (Err(Flow::Return(of, a)), Err(Flow::Return(_, b))) => Err(Flow::Return(of, join_values(&a, &b, why))),
        (Err(Flow::Raise(a)), Err(Flow::Raise(b))) => Err(Flow::Raise(join_values(&a, &b, why))),
        (Err(Flow::Throw(a, x)), Err(Flow::Throw(b, y))) => Err(Flow::Throw(join_values(&a, &b, why), join_values(&x, &y, why))),
        (a, _) => a,
    }
}
