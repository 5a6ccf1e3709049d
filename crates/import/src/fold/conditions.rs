//! Conditions and branches of interpreted methods.

use super::interpreter::{EvalResult, Flow, Frame, Interpreter, MAX_DEPTH, Stop, stop};
use super::value::{Cond, Val};
use crate::ruby::{self, name};
use ruby_prism::{CallNode, InstanceVariableReadNode, LocalVariableReadNode, Node, SelfNode, Visit};

impl Interpreter<'_, '_> {
    pub(super) fn either(
        &mut self,
        predicate: &Node<'_>,
        frame: &mut Frame<'_>,
        then: &dyn Fn(&mut Self, &mut Frame<'_>) -> EvalResult<Flow>,
        otherwise: &dyn Fn(&mut Self, &mut Frame<'_>) -> EvalResult<Flow>,
    ) -> EvalResult<Flow> {
        if self.depth > MAX_DEPTH {
            return stop("it is too long");
        }
        self.depth += 1;
        let flow = self.either_at(predicate, frame, then, otherwise);
        self.depth -= 1;
        flow
    }

    fn either_at(
        &mut self,
        predicate: &Node<'_>,
        frame: &mut Frame<'_>,
        then: &dyn Fn(&mut Self, &mut Frame<'_>) -> EvalResult<Flow>,
        otherwise: &dyn Fn(&mut Self, &mut Frame<'_>) -> EvalResult<Flow>,
    ) -> EvalResult<Flow> {
        let condition = match self.condition(predicate, frame) {
            Err(Stop::Current) if self.kept => return self.if_none(predicate, frame, then, otherwise),
            condition => condition?,
        };
        let code = match condition {
            Cond::Constant(true) => return then(self, frame),
            Cond::Constant(false) => return otherwise(self, frame),
            Cond::Code(code) => code,
        };
        let before = (frame.locals.clone(), self.effects.len(), self.kept);
        let lines = std::mem::take(&mut self.lines);
        let first = then(self, frame)?;
        let mut first_lines = std::mem::take(&mut self.lines);
        let second = otherwise(self, frame)?;
        let second_lines = std::mem::replace(&mut self.lines, lines);
        let (Flow::Value(first), Flow::Value(second)) = (first, second) else { return self.unknown(predicate, frame) };
        if before != (frame.locals.clone(), self.effects.len(), self.kept) {
            return self.unknown(predicate, frame);
        }
        if first_lines.is_empty() && second_lines.is_empty() {
            let (Some(first), Some(second)) = (first.operand(), second.operand()) else { return self.unknown(predicate, frame) };
            return Ok(Flow::Value(Val::Code(format!("({code}) ? {first} : {second}"))));
        }
        if first_lines.is_empty() {
            first_lines.push("nil".into());
        }
        let otherwise = match second_lines.as_slice() {
            [] => String::new(),
            [only] if only.starts_with("if ") => format!(" els{only}"),
            lines => format!(" else {{\n{}\n}}", lines.join("\n")),
        };
        self.lines.push(format!("if {code} {{\n{}\n}}{otherwise}", first_lines.join("\n")));
        Ok(Flow::Value(Val::Done))
    }

    /// Interprets `if value.nil?` after a property was assigned its current value: without one, the resource is to be absent, which
    /// it is. Otherwise the property is what it is. In both cases nothing changes, unless the resource is to be absent anyway.
    fn if_none(
        &mut self,
        predicate: &Node<'_>,
        frame: &mut Frame<'_>,
        then: &dyn Fn(&mut Self, &mut Frame<'_>) -> EvalResult<Flow>,
        otherwise: &dyn Fn(&mut Self, &mut Frame<'_>) -> EvalResult<Flow>,
    ) -> EvalResult<Flow> {
        let mut asked = |sample: Val| {
            self.sample = Some(sample);
            let answer = self.condition(predicate, frame);
            self.sample = None;
            answer
        };
        let answers = (asked(Val::Nil)?, asked(Val::Text("s".into()))?);
        if answers != (Cond::Constant(true), Cond::Constant(false)) {
            return self.unknown(predicate, frame);
        }
        let lines = std::mem::take(&mut self.lines);
        then(self, frame)?;
        let then_lines = std::mem::take(&mut self.lines);
        otherwise(self, frame)?;
        let other_lines = std::mem::replace(&mut self.lines, lines);
        if then_lines != ["self.ensure = :absent"] || !other_lines.is_empty() {
            return self.unknown(predicate, frame);
        }
        self.kept = false;
        self.lines.push("self.ensure = nil if self.ensure != :absent".into());
        Ok(Flow::Value(Val::Done))
    }

    /// Returns whether a value may be the symbol `:false`, which is true in Ruby.
    pub(super) fn is_falsy(&self, value: &Val) -> bool {
        matches!(value, Val::Attr(attribute) if self.owner.scope.falsy.contains(attribute))
    }

    pub(super) fn condition(&mut self, node: &Node<'_>, frame: &mut Frame<'_>) -> EvalResult<Cond> {
        self.depth += 1;
        let condition = if self.depth > MAX_DEPTH { stop("it is too long") } else { self.condition_at(node, frame) };
        self.depth -= 1;
        condition
    }

    fn condition_at(&mut self, node: &Node<'_>, frame: &mut Frame<'_>) -> EvalResult<Cond> {
        if let Some(inner) = node.as_parentheses_node()
            && let [only] = ruby::statements(inner.body()).as_slice()
        {
            return self.condition(only, frame);
        }
        let parts = match (node.as_and_node(), node.as_or_node()) {
            (Some(and), _) => Some((and.left(), and.right(), true)),
            (None, Some(or)) => Some((or.left(), or.right(), false)),
            (None, None) => None,
        };
        if let Some((left, right, and)) = parts {
            let first = self.condition(&left, frame)?;
            if first == Cond::Constant(!and) {
                return Ok(first);
            }
            return Ok(match (first, self.condition(&right, frame)?) {
                (Cond::Constant(_), second) => second,
                (Cond::Code(code), Cond::Constant(known)) if known == and => Cond::Code(code),
                (Cond::Code(_), Cond::Constant(known)) => Cond::Constant(known),
                (Cond::Code(a), Cond::Code(b)) => Cond::Code(format!("({a}) {} ({b})", if and { "&&" } else { "||" })),
            });
        }
        let value = self.expr(node, frame)?;
        match value.condition() {
            _ if self.is_falsy(&value) => Ok(Cond::Code(format!("!{}.nil?", value.written().unwrap_or_default()))),
            Some(condition) => Ok(condition),
            None if matches!(value, Val::Current | Val::IsAbsent | Val::Exists) => Err(Stop::Current),
            None => stop(format!("`{}` is not understood", self.slice(node, frame))),
        }
    }
}

/// Whether an expression uses anything else than the resource and constants.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) others: bool,
    depth: usize,
}

impl<'p> Visit<'p> for Uses {
    fn visit_call_node(&mut self, call: &CallNode<'p>) {
        self.others |= call.receiver().is_none() && name(&call.name()) != "resource" || self.depth > MAX_DEPTH;
        if !self.others {
            self.depth += 1;
            ruby_prism::visit_call_node(self, call);
            self.depth -= 1;
        }
    }

    fn visit_local_variable_read_node(&mut self, _: &LocalVariableReadNode<'p>) {
        self.others = true;
    }

    fn visit_instance_variable_read_node(&mut self, read: &InstanceVariableReadNode<'p>) {
        self.others |= name(&read.name()) != "@resource";
    }

    fn visit_self_node(&mut self, _: &SelfNode<'p>) {
        self.others = true;
    }
}
