//! Translates `while`, `until` and `loop`: a list of numbers of which `any?` is asked, which ends where its closure returns true.

use super::block::*;
use super::nodes::VISITOR_STACK;
use super::ruby;
use super::statement::first_assignment;
use ruby_prism::{Node, Visit};
use std::collections::BTreeSet;

/// A loop.
struct Looped<'p> {
    /// The condition, and whether the loop ends where it holds.
    test: Option<(Node<'p>, bool)>,
    body: Vec<Node<'p>>,
    /// Whether the condition follows the body.
    is_after: bool,
}

impl<'p> Looped<'p> {
    fn of(node: &Node<'p>) -> Option<Looped<'p>> {
        let body = |statements: Option<ruby_prism::StatementsNode<'p>>| ruby::statements(statements.map(|s| s.as_node()));
        if let Some(of) = node.as_while_node() {
            return Some(Looped { test: Some((of.predicate(), false)), body: body(of.statements()), is_after: of.is_begin_modifier() });
        }
        if let Some(of) = node.as_until_node() {
            return Some(Looped { test: Some((of.predicate(), true)), body: body(of.statements()), is_after: of.is_begin_modifier() });
        }
        let call = node.as_call_node().filter(|c| c.receiver().is_none() && ruby::name(&c.name()) == "loop")?;
        Some(Looped { test: None, body: ruby::statements(ruby::block(&call)?.body()), is_after: false })
    }
}

impl BlockTranslator<'_> {
    /// Translates such a loop; `None` for other nodes.
    pub(super) fn looped(&mut self, node: &Node<'_>, last: bool) -> Text<Option<String>> {
        let Some(of) = Looped::of(node) else { return Ok(None) };
        // The loop has no locals of its own.
        let mut assigned = AssignedLocals::default();
        stacker::maybe_grow(VISITOR_STACK, VISITOR_STACK, || assigned.visit(node));
        let mut before = String::new();
        for local in assigned.0 {
            self.kinds.remove(&local);
            if self.locals.contains(&local) {
                continue;
            }
            match self.closures {
                0 => self.hoisted.push(local.clone()),
                _ => before.push_str(&format!("let {local} = nil\n")),
            }
            self.locals.push(local);
        }
        self.closures += 1;
        self.results.push(Some("false".to_owned()));
        self.own.operands.push(Vec::new());
        self.own.breaks.push(true);
        let discards = std::mem::replace(&mut self.own.discards, true);
        let lines = self.looped_lines(&of);
        self.own.discards = discards;
        self.own.breaks.pop();
        let operands = self.own.operands.pop().unwrap_or_default();
        self.results.pop();
        self.closures -= 1;
        let mut lines = lines?;
        lines.splice(0..0, operands.into_iter().map(|local| format!("let {local} = nil")));
        lines.retain(|line| !line.is_empty());
        lines.push("false".to_owned());
        let failure = "fail(\"a loop of more than 10,000 iterations\")";
        // The list that `upto` returns has all its numbers from the start: two short ones cost less than a long one.
        let inner = format!("0.upto(99).any? {{ |_|\n{}\n}}", lines.join("\n"));
        let text = format!("{before}0.upto(99).any? {{ |_|\n{inner}\n}} || {failure}");
        Ok(Some(if last { format!("{text}\nnil") } else { text }))
    }

    fn looped_lines(&mut self, of: &Looped<'_>) -> Text<Vec<String>> {
        let mut lines = Vec::new();
        if !of.is_after {
            self.looped_test(of, &mut lines)?;
        }
        for node in &of.body {
            lines.push(self.statement(node, false, false)?);
        }
        if of.is_after {
            self.looped_test(of, &mut lines)?;
        }
        Ok(lines)
    }

    fn looped_test(&mut self, of: &Looped<'_>, lines: &mut Vec<String>) -> Text<()> {
        let Some((test, ends)) = &of.test else { return Ok(()) };
        if let Some(assigned) = first_assignment(test) {
            lines.push(self.statement(&assigned, false, false)?);
            self.done.push(ruby::place(&assigned));
        }
        let test = self.condition(test, TERNARY)?;
        match (test.as_str(), ends) {
            ("true", false) | ("false", true) => {}
            (test, ends) => lines.push(format!("next true {} {test}", if *ends { "if" } else { "unless" })),
        }
        Ok(())
    }
}

/// Collects the locals that are assigned.
#[derive(Default)]
struct AssignedLocals(BTreeSet<String>);

impl<'p> Visit<'p> for AssignedLocals {
    fn visit_branch_node_enter(&mut self, node: Node<'p>) {
        let local = node.as_local_variable_write_node().map(|w| ruby::local(&w.name()));
        let local = local.or_else(|| node.as_local_variable_or_write_node().map(|w| ruby::local(&w.name())));
        self.0.extend(local.or_else(|| node.as_local_variable_operator_write_node().map(|w| ruby::local(&w.name()))));
    }

    fn visit_leaf_node_enter(&mut self, node: Node<'p>) {
        self.0.extend(node.as_local_variable_target_node().map(|w| ruby::local(&w.name())));
    }

    fn visit_block_node(&mut self, _: &ruby_prism::BlockNode<'p>) {
        // The locals of a closure are its own.
    }
}
