//! Translates `begin … rescue … end`. A `rescue` of specific errors is translated only if no others can occur, or if all result in
//! a failure.

use super::block::*;
use super::raised::{handles, is_special};
use super::ruby::{self, name};
use rtype_lang::eval::error_class;
use rtype_lang::syntax::quote;
use ruby_prism::{CallNode, Node, Visit};

impl BlockTranslator<'_> {
    pub(super) fn begin(&mut self, begin: &ruby_prism::BeginNode<'_>, node: &Node<'_>) -> Text<(String, u8)> {
        let written = self.writes.len();
        let text = self.rescued(begin, ruby::statements(begin.statements().map(|s| s.as_node())), node)?;
        // It is checked and converted after the block.
        if self.writes.len() > written {
            return no(node, "an attribute that is assigned where errors are handled is not supported");
        }
        Ok(text)
    }

    /// Translates a statement whose first statements raise no error that it handles: these come in front of it.
    pub(super) fn begin_later(&mut self, node: &Node<'_>, top: bool) -> Text<Option<String>> {
        let Some(begin) = node.as_begin_node() else { return Ok(None) };
        let Some(rescue) = begin.rescue_clause().filter(|r| r.subsequent().is_none() && begin.else_clause().is_none()) else {
            return Ok(None);
        };
        let mut inner = ruby::statements(begin.statements().map(|s| s.as_node()));
        let rescued = self.selected_classes(&rescue);
        let is_special = !rescued.is_empty() && rescued.iter().all(|class| is_special(class));
        if !is_special || self.errors_in(&inner).is_some() {
            return Ok(None);
        }
        let later = inner.iter().position(|one| self.may_raise(one)).unwrap_or_default();
        if later == 0 {
            return Ok(None);
        }
        let rest = inner.split_off(later);
        let mut lines = inner.iter().map(|one| self.statement(one, top, false)).collect::<Text<Vec<String>>>()?;
        lines.push(self.rescued(&begin, rest, node)?.0);
        lines.retain(|line| !line.is_empty());
        Ok(Some(lines.join("\n")))
    }

    fn rescued<'p>(&mut self, begin: &ruby_prism::BeginNode<'p>, mut inner: Vec<Node<'p>>, node: &Node<'_>) -> Text<(String, u8)> {
        let unknown = || no(node, "`begin` of this form is not supported");
        let Some(rescue) = begin.rescue_clause() else {
            return match inner.as_slice() {
                [one] if begin.ensure_clause().is_none() && begin.else_clause().is_none() => self.deeper(node, |block| block.any(one)),
                _ => unknown(),
            };
        };
        if begin.ensure_clause().is_some() {
            return unknown();
        }
        if let Some(other) = begin.else_clause() {
            // Errors in `else` are not handled.
            let other = ruby::statements(other.statements().map(|s| s.as_node()));
            if other.is_empty() || !self.raises_nothing_after(&inner, &other) {
                return unknown();
            }
            inner.extend(other);
        }
        let handler = ruby::statements(rescue.statements().map(|s| s.as_node()));
        let mut clauses = vec![(self.selected_classes(&rescue), &rescue)];
        let next = rescue.subsequent();
        if let Some(next) = &next {
            clauses.push((self.selected_classes(next), next));
        }
        if next.as_ref().is_some_and(|n| n.subsequent().is_some()) {
            return self.selecting(begin, &inner, node);
        }
        let Some(before) = self.guards_of(&clauses, &inner) else { return self.selecting(begin, &inner, node) };
        let error = match rescue.reference() {
            None => None,
            Some(reference) => match reference.as_local_variable_target_node() {
                Some(local) => Some(ruby::local(&local.name())),
                None => return no(node, "`begin` of this form is not supported"),
            },
        };
        let reads_class = error.as_ref().is_some_and(|error| self.reads_class_of(error, &handler));
        let is_selected = self.own.is_selected;
        self.own.is_selected |= reads_class;
        let reads_message = self.own.reads_message;
        self.own.reads_message |= error.is_some();
        let inner = self.branch(&inner);
        self.own.is_selected = is_selected;
        self.own.reads_message = reads_message;
        Ok((format!("{before}{}", self.handled(&inner?, "", error, &handler)?), OPERAND))
    }

    /// Returns what has to be checked before a `try` that handles all failures, if that is what these clauses do.
    fn guards_of(&self, clauses: &[(Vec<String>, &ruby_prism::RescueNode<'_>)], inner: &[Node<'_>]) -> Option<String> {
        let fails = |clause: &ruby_prism::RescueNode<'_>| {
            ruby::statements(clause.statements().map(|s| s.as_node())).last().is_some_and(always_fails)
        };
        let rescued: Vec<String> = clauses.iter().flat_map(|(classes, _)| classes.iter().cloned()).collect();
        // A `try` without classes does not handle what is outside `StandardError`.
        if rescued.iter().any(|class| !error_class::is_a(class, "StandardError")) {
            return None;
        }
        // `try` catches what a `rescue` of `StandardError` does; if the handler fails as well, other errors fail in any case.
        let mut before = String::new();
        if clauses.len() > 1 && !clauses.iter().all(|(_, clause)| fails(clause)) {
            // Only the first clause handles what occurs.
            let first = clauses.first().map(|(classes, _)| classes.clone()).unwrap_or_default();
            let handled = self.errors_in(inner).is_some_and(|e| e.guards.is_empty() && e.classes.iter().all(|c| handles(&first, c)));
            if !handled {
                return None;
            }
        } else if !handles(&rescued, "") && !clauses.iter().all(|(_, clause)| fails(clause)) {
            let errors = self.errors_in(inner).filter(|e| e.classes.iter().all(|c| handles(&rescued, c)))?;
            for (value, kinds, error) in errors.guards.iter().filter(|(_, _, error)| !handles(&rescued, error)) {
                // For another value, Ruby raises a different error. The call has to be the first one.
                let is_first = inner.first().is_some_and(|n| first_argument(n, MAX_DEPTH).is_some_and(|at| self.slice(&at) == *value));
                let is_local = self.locals.contains(value) || *value == "value" || value == "should";
                if !is_first || !is_local || errors.guards.len() > 1 {
                    return None;
                }
                let tests: Vec<String> = kinds.iter().map(|k| format!("{value}.is_a?({k})")).collect();
                before.push_str(&format!("fail \"#{{type_of({value})}} raises {error}\" unless {}\n", tests.join(" || ")));
            }
        }
        Some(before)
    }

    /// Translates clauses that select certain errors, to one `try` around another if there are several.
    fn selecting(&mut self, begin: &ruby_prism::BeginNode<'_>, inner: &[Node<'_>], node: &Node<'_>) -> Text<(String, u8)> {
        // Whether a file is there is known only on the machine.
        if inner.iter().any(|node| requires(node, MAX_DEPTH)) {
            return no(node, "`rescue` of some errors only is not supported");
        }
        if inner.iter().any(asks_munge) {
            // Puppet turns what it raises into errors of another class.
            return no(node, "`rescue` of some errors of `munge` is not supported");
        }
        let mut clause = begin.rescue_clause();
        let is_selected = std::mem::replace(&mut self.own.is_selected, true);
        let tried = self.branch(inner);
        self.own.is_selected = is_selected;
        let mut tried = tried?;
        let (mut handled, mut names): (Vec<Node<'_>>, Vec<String>) = (Vec::new(), Vec::new());
        while let Some(rescue) = clause {
            let classes = self.selected_classes(&rescue);
            // What handles an error may raise none that a later clause would handle.
            let is_handled = |class: &String| classes.iter().any(|of| error_class::is_a(class, of));
            if !handled.is_empty() {
                let errors = self.errors_of_handlers(&handled, &names);
                if !errors.is_some_and(|e| e.guards.is_empty() && !e.classes.iter().any(is_handled)) {
                    return no(node, "`rescue` of some errors only is not supported");
                }
                tried = format!("{{\n{tried}\n}}");
            }
            let error = match rescue.reference() {
                None => None,
                Some(reference) => match reference.as_local_variable_target_node() {
                    Some(local) => Some(ruby::local(&local.name())),
                    None => return no(node, "`begin` of this form is not supported"),
                },
            };
            let handler = ruby::statements(rescue.statements().map(|s| s.as_node()));
            names.extend(error.clone());
            let classes: Vec<String> = classes.iter().map(|class| quote(class)).collect();
            tried = self.handled(&tried, &classes.join(", "), error, &handler)?;
            handled.extend(handler);
            clause = rescue.subsequent();
        }
        Ok((tried, OPERAND))
    }

    /// Returns whether a handler reads the class of the error.
    fn reads_class_of(&self, error: &str, handler: &[Node<'_>]) -> bool {
        let read = format!("{error}.class");
        handler.iter().any(|node| self.slice(node).contains(&read))
    }

    /// Returns the local that has the class of a handled error.
    pub(super) fn class_local(&self, error: &str) -> String {
        self.unused(&format!("{error}_class"))
    }

    /// Translates to `try { … } else { … }` for errors of these classes.
    fn handled(&mut self, inner: &str, classes: &str, error: Option<String>, handler: &[Node<'_>]) -> Text {
        // A bare `raise` raises the same error again.
        let again = handler.iter().any(is_bare_raise);
        let error = error.or_else(|| again.then(|| "message".to_owned()));
        self.errors.extend(error.clone());
        let other = self.branch(handler);
        let space = if classes.is_empty() { "" } else { " " };
        if let Some(error) = error {
            self.errors.pop();
            let class = self.reads_class_of(&error, handler).then(|| format!(", {}", self.class_local(&error)));
            let bars = format!("{{ |{error}{}|\n", class.unwrap_or_default());
            return Ok(format!("try {inner} else {classes}{space}{}", other?.replacen("{\n", &bars, 1)));
        }
        Ok(format!("try {inner} else {classes}{space}{}", other?))
    }
}

/// Returns whether code calls Puppet's `munge`, which raises a `Puppet::DevError` for errors that are none of Puppet's.
fn asks_munge(node: &Node<'_>) -> bool {
    struct Calls(bool);
    impl<'p> ruby_prism::Visit<'p> for Calls {
        fn visit_call_node(&mut self, node: &CallNode<'p>) {
            self.0 |= name(&node.name()) == "munge" && node.receiver().is_none_or(|of| of.as_self_node().is_some());
            ruby_prism::visit_call_node(self, node);
        }
    }
    let mut calls = Calls(false);
    calls.visit(node);
    calls.0
}

/// Returns whether a statement loads a file.
fn requires(node: &Node<'_>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    if let Some(branch) = node.as_if_node() {
        return ruby::statements(branch.statements().map(|s| s.as_node())).iter().any(|inner| requires(inner, depth));
    }
    node.as_call_node()
        .is_some_and(|c| matches!(name(&c.name()).as_str(), "require" | "require_relative" | "load") && c.receiver().is_none())
}

/// Returns the statements of a method; if it only passes errors on with `rescue E => e; raise F, e.message`, those that may raise them.
pub(super) fn without_passing_on<'p>(body: Vec<Node<'p>>) -> Vec<Node<'p>> {
    let begin = match body.as_slice() {
        [one] => one.as_begin_node().filter(|b| b.ensure_clause().is_none() && b.else_clause().is_none()),
        _ => None,
    };
    let Some(begin) = begin else { return body };
    let mut clause = begin.rescue_clause();
    while let Some(rescue) = clause {
        if !passes_on(&rescue) {
            return body;
        }
        clause = rescue.subsequent();
    }
    ruby::statements(begin.statements().map(|s| s.as_node()))
}

/// Returns whether all that a clause does is to raise an error with the message of the one that it handles.
fn passes_on(rescue: &ruby_prism::RescueNode<'_>) -> bool {
    let error = rescue.reference().and_then(|r| r.as_local_variable_target_node()).map(|l| ruby::local(&l.name()));
    let handler = ruby::statements(rescue.statements().map(|s| s.as_node()));
    let [raise] = handler.as_slice() else { return false };
    let Some(call) = raise.as_call_node().filter(|_| always_fails(raise)) else { return false };
    let is_error = |node: &Node<'_>| error.as_ref().is_some_and(|error| ruby::is_local(node, error));
    let (plain, named) = ruby::arguments(call.arguments());
    let is_message = |node: &Node<'_>| {
        let of = node.as_call_node().filter(|c| matches!(name(&c.name()).as_str(), "message" | "to_s") && c.arguments().is_none());
        is_error(node) || of.and_then(|c| c.receiver()).is_some_and(|of| is_error(&of))
    };
    named.is_empty() && plain.last().is_none_or(is_message)
}

/// Returns the argument of the call that is evaluated first.
fn first_argument<'p>(node: &Node<'p>, depth: usize) -> Option<Node<'p>> {
    let depth = depth.checked_sub(1)?;
    if let Some(write) = node.as_local_variable_write_node() {
        return first_argument(&write.value(), depth);
    }
    if let Some(inner) = node.as_parentheses_node() {
        return first_argument(ruby::statements(inner.body()).first()?, depth);
    }
    if let Some(branch) = node.as_if_node() {
        return first_argument(&branch.predicate(), depth);
    }
    let call = node.as_call_node()?;
    let is_first = call.receiver().is_none_or(|r| ruby::constant(&r).is_some());
    match call.receiver() {
        Some(receiver) if !is_first => first_argument(&receiver, depth),
        _ => ruby::arguments(call.arguments()).0.into_iter().next(),
    }
}

fn is_bare_raise(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|c| name(&c.name()) == "raise" && c.receiver().is_none() && c.arguments().is_none())
}

/// Returns whether a statement always fails.
fn always_fails(node: &Node<'_>) -> bool {
    if let Some(branch) = node.as_if_node() {
        let last = |body: Option<Node<'_>>| ruby::statements(body).last().is_some_and(always_fails);
        return last(branch.statements().map(|s| s.as_node()))
            && branch.subsequent().is_some_and(|n| match n.as_else_node() {
                Some(other) => last(other.statements().map(|s| s.as_node())),
                None => always_fails(&n),
            });
    }
    node.as_call_node().is_some_and(|c| {
        matches!(name(&c.name()).as_str(), "raise" | "fail" | "devfail") && c.receiver().is_none_or(|r| r.as_self_node().is_some())
    })
}
