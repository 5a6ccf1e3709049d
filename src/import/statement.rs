//! Statements of Ruby blocks: assignments, branches, leaving, failing.

use super::block::*;
use super::ruby::{self, name};
use crate::syntax::quote;
use ruby_prism::{CallNode, Node};

impl Block<'_> {
    pub(super) fn body(&mut self, nodes: &[Node<'_>], top: bool) -> Text {
        let mut lines = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            lines.push(self.statement(node, top, i + 1 == nodes.len())?);
        }
        Ok(lines.join("\n"))
    }

    pub(super) fn branch(&mut self, nodes: &[Node<'_>]) -> Text {
        Ok(format!("{{\n{}\n}}", self.body(nodes, false)?))
    }

    pub(super) fn statement(&mut self, node: &Node<'_>, top: bool, last: bool) -> Text {
        self.deeper(node, |block| block.any_statement(node, top, last))
    }

    fn any_statement(&mut self, node: &Node<'_>, top: bool, last: bool) -> Text {
        if let Some(write) = node.as_local_variable_write_node() {
            let variable = name(&write.name());
            if write.value().as_array_node().is_some() {
                self.lists.push(variable.clone());
            }
            if let Some(path) = self.pathname(&write.value())? {
                self.paths.push(variable.clone());
                return self.assign(variable, &path, top);
            }
            let value = self.expr(&write.value(), TERNARY)?;
            return self.assign(variable, &value, top);
        }
        if let Some(write) = node.as_local_variable_or_write_node() {
            let variable = name(&write.name());
            let value = self.expr(&write.value(), OR)?;
            return self.assign(variable.clone(), &format!("{variable} || {value}"), false);
        }
        if let Some(write) = node.as_local_variable_operator_write_node() {
            let (variable, operator) = (name(&write.name()), name(&write.binary_operator()));
            if !matches!(operator.as_str(), "+" | "-" | "*" | "&") {
                return no(node, format!("`{operator}=` has no counterpart"));
            }
            let value = self.expr(&write.value(), TIMES)?;
            return self.assign(variable.clone(), &format!("{variable} {operator} {value}"), false);
        }
        if let Some(ret) = node.as_return_node() {
            return self.leave("return", ret.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default(), node);
        }
        if let Some(next) = node.as_next_node() {
            let word = if self.closures == 0 { "return" } else { "next" };
            return self.leave(word, next.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default(), node);
        }
        if let Some(branch) = node.as_if_node()
            && branch.if_keyword_loc().is_some()
        {
            if branch.end_keyword_loc().is_none() {
                let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
                return self.modified(&inner, "if", &branch.predicate(), last);
            }
            return self.if_chain(node);
        }
        if let Some(branch) = node.as_unless_node() {
            let inner = ruby::statements(branch.statements().map(|s| s.as_node()));
            if branch.end_keyword_loc().is_none() {
                return self.modified(&inner, "unless", &branch.predicate(), last);
            }
            let test = self.condition(&branch.predicate(), TERNARY)?;
            let inner = self.branch(&inner)?;
            return match branch.else_clause() {
                None => Ok(format!("unless {test} {inner}")),
                Some(other) => {
                    let test = self.condition(&branch.predicate(), UNARY)?;
                    let other = self.branch(&ruby::statements(other.statements().map(|s| s.as_node())))?;
                    Ok(format!("if !{test} {inner} else {other}"))
                }
            };
        }
        if let Some(inner) = node.as_parentheses_node() {
            let inner = ruby::statements(inner.body());
            if let [one] = inner.as_slice() {
                return self.statement(one, top, last);
            }
        }
        if let Some(call) = node.as_call_node() {
            if let Some(message) = self.failure(&call)? {
                return Ok(format!("fail {message}"));
            }
            if let Some(changed) = self.in_place(&call, last)? {
                return Ok(changed);
            }
        }
        self.expr(node, 0)
    }

    pub(super) fn assign(&mut self, variable: String, value: &str, top: bool) -> Text {
        if self.locals.contains(&variable) {
            return Ok(format!("{variable} = {value}"));
        }
        self.locals.push(variable.clone());
        if top {
            return Ok(format!("let {variable} = {value}"));
        }
        if self.closures > 0 {
            // It is seen in the closure alone.
            return Ok(format!("let {variable} = {value}"));
        }
        self.hoisted.push(variable.clone());
        Ok(format!("{variable} = {value}"))
    }

    pub(super) fn leave(&mut self, word: &str, values: Vec<Node<'_>>, node: &Node<'_>) -> Text {
        match values.as_slice() {
            [] => Ok(word.to_owned()),
            [value] => Ok(format!("{word} {}", self.expr(value, TERNARY)?)),
            _ => no(node, format!("`{word}` of several values has no counterpart")),
        }
    }

    pub(super) fn modified(&mut self, inner: &[Node<'_>], word: &str, test: &Node<'_>, last: bool) -> Text {
        let test = self.condition(test, TERNARY)?;
        let [one] = inner else { return Ok(format!("{word} {test} {}", self.branch(inner)?)) };
        let statement = self.statement(one, false, last)?;
        // A chain of them, or a long one, in braces.
        if statement.contains('\n') || one.as_if_node().is_some() || one.as_unless_node().is_some() {
            return Ok(format!("{word} {test} {{\n{statement}\n}}"));
        }
        Ok(format!("{statement} {word} {test}"))
    }

    /// `if`, `elsif`, `else`
    pub(super) fn if_chain(&mut self, node: &Node<'_>) -> Text {
        let Some(branch) = node.as_if_node() else { return no(node, "this branch is not understood") };
        // `if m = re.match(v)`: the assignment goes before it.
        if let Some(write) = assignment(&branch.predicate()) {
            let before = self.statement(&write, false, false)?;
            let write = write.as_local_variable_write_node().map(|w| name(&w.name())).unwrap_or_default();
            return Ok(format!("{before}\n{}", self.if_tested(&branch, &write)?));
        }
        let test = self.condition(&branch.predicate(), TERNARY)?;
        self.if_tested(&branch, &test)
    }

    pub(super) fn if_tested(&mut self, branch: &ruby_prism::IfNode<'_>, test: &str) -> Text {
        let mut out = format!("if {test} {}", self.branch(&ruby::statements(branch.statements().map(|s| s.as_node())))?);
        if let Some(next) = branch.subsequent() {
            if let Some(other) = next.as_else_node() {
                let other = self.branch(&ruby::statements(other.statements().map(|s| s.as_node())))?;
                out.push_str(&format!(" else {other}"));
            } else {
                let assigns = next.as_if_node().is_some_and(|n| assignment(&n.predicate()).is_some());
                let chain = self.deeper(&next, |block| block.if_chain(&next))?;
                out.push_str(&if assigns { format!(" else {{\n{chain}\n}}") } else { format!(" els{chain}") });
            }
        }
        Ok(out)
    }

    /// `raise ArgumentError, "…"` and its relatives: the message.
    pub(super) fn failure(&mut self, call: &CallNode<'_>) -> Text<Option<String>> {
        let node = call.as_node();
        let of_self = call.receiver().is_none_or(|r| r.as_self_node().is_some());
        if !of_self || !matches!(name(&call.name()).as_str(), "raise" | "fail") || call.block().is_some() {
            return Ok(None);
        }
        let (plain, named) = ruby::arguments(call.arguments());
        if !named.is_empty() {
            return no(&node, "an exception with named arguments has no counterpart");
        }
        match plain.as_slice() {
            [class, message] if ruby::constant(class).is_some() => self.expr(message, TERNARY).map(Some),
            [only] => {
                if let Some(class) = ruby::constant(only) {
                    return Ok(Some(quote(&class)));
                }
                if let Some(new) = only.as_call_node()
                    && name(&new.name()) == "new"
                    && new.receiver().as_ref().and_then(ruby::constant).is_some()
                {
                    let (inner, _) = ruby::arguments(new.arguments());
                    return match inner.as_slice() {
                        [message] => self.expr(message, TERNARY).map(Some),
                        _ => no(only, "an exception made of several arguments has no counterpart"),
                    };
                }
                self.expr(only, TERNARY).map(Some)
            }
            _ => no(&node, "`raise` of this form has no counterpart"),
        }
    }

    /// `x << y`, `x.capitalize!` as statements: values do not change, the local gets a new one.
    pub(super) fn in_place(&mut self, call: &CallNode<'_>, last: bool) -> Text<Option<String>> {
        let Some(local) = call.receiver().and_then(|r| r.as_local_variable_read_node()) else { return Ok(None) };
        let (variable, method) = (name(&local.name()), name(&call.name()));
        let appends = matches!(method.as_str(), "<<" | "push") && self.lists.contains(&variable);
        let bare = method.strip_suffix('!');
        if !appends && bare.is_none() {
            return Ok(None);
        }
        if last && !appends {
            return no(&call.as_node(), format!("the result of `{method}` tells whether it changed something"));
        }
        let method = if appends { "push" } else { bare.unwrap_or_default() };
        let rest = self.call_rest(call)?;
        Ok(Some(format!("{variable} = {variable}.{method}{rest}")))
    }
}

/// The assignment that a condition is.
pub(super) fn assignment<'p>(node: &Node<'p>) -> Option<Node<'p>> {
    if let Some(inner) = node.as_parentheses_node() {
        let mut inner = ruby::statements(inner.body());
        return if inner.len() == 1 { inner.pop().and_then(|n| assignment(&n)) } else { None };
    }
    node.as_local_variable_write_node().map(|w| w.as_node())
}
