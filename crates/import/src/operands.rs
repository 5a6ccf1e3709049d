//! Translates ternaries, and assignments that are operands: `a && x = v`, `(x = v).empty?`.

use super::block::*;
use super::ruby::{self, name};
use ruby_prism::{IfNode, Node};

impl BlockTranslator<'_> {
    /// Translates `a && b` and `a || b` as a value.
    pub(super) fn and_or(&mut self, node: &Node<'_>) -> Text<Option<(String, u8)>> {
        if let Some(and) = node.as_and_node() {
            let (left, right) = (self.truth(&and.left(), AND)?, self.arm(&and.right(), COMPARE)?);
            return Ok(Some(if left == "true" { (right, COMPARE) } else { (format!("{left} && {right}"), AND) }));
        }
        let Some(or) = node.as_or_node() else { return Ok(None) };
        if let Some(found) = self.either_match(&or)? {
            return Ok(Some(found));
        }
        let (left, right) = (self.truth(&or.left(), OR)?, self.arm(&or.right(), AND)?);
        Ok(Some((format!("{left} || {right}"), OR)))
    }

    /// Translates `test ? a : b`.
    pub(super) fn ternary(&mut self, branch: &IfNode<'_>) -> Text<(String, u8)> {
        let yes = ruby::statements(branch.statements().map(|s| s.as_node()));
        let other = branch.subsequent().and_then(|n| n.as_else_node());
        let other = ruby::statements(other.and_then(|e| e.statements()).map(|s| s.as_node()));
        let ([yes], [other]) = (yes.as_slice(), other.as_slice()) else {
            return no(&branch.as_node(), "a ternary of several statements");
        };
        if let Some(known) = self.has_block(&branch.predicate()) {
            return self.deeper(&branch.as_node(), |block| block.any(if known { yes } else { other }));
        }
        let test = self.condition(&branch.predicate(), OR)?;
        Ok((format!("{test} ? {} : {}", self.arm(yes, OR)?, self.arm(other, TERNARY)?), TERNARY))
    }

    /// Translates the assignment of a local, whose value is the value of the expression; `None` for other nodes.
    pub(super) fn assigned_operand(&mut self, node: &Node<'_>) -> Text<Option<String>> {
        let plain = node.as_local_variable_write_node().map(|w| (name(&w.name()), ruby::local(&w.name())));
        let changed = || node.as_local_variable_operator_write_node().map(|w| (name(&w.name()), ruby::local(&w.name())));
        let Some((written, variable)) = plain.or_else(changed) else { return Ok(None) };
        if self.closures > 0 && !self.locals.contains(&variable) {
            // It is visible in the whole closure.
            let is_innermost = self.own.operands.len() == self.closures;
            let Some(closure) = self.own.operands.last_mut().filter(|_| is_innermost) else {
                return no(node, format!("the assignment of `{written}` of this form is not supported"));
            };
            closure.push(variable.clone());
            self.locals.push(variable.clone());
        }
        let assigned = self.statement(node, false, false)?;
        let Some(value) = assigned.strip_prefix(&format!("{variable} = ")).filter(|v| !v.contains('\n') || v.ends_with('}')) else {
            return no(node, format!("the assignment of `{written}` of this form is not supported"));
        };
        let given = self.unused("given");
        Ok(Some(format!("({value}).then {{ |{given}| {variable} = {given} }}")))
    }

    /// Translates such an assignment as a condition: the symbol `:false` is true in Ruby.
    pub(super) fn assigned_condition(&mut self, node: &Node<'_>) -> Text<Option<(String, u8)>> {
        let Some(write) = node.as_local_variable_write_node() else { return Ok(None) };
        // It is made before the condition.
        let is_done = self.done.contains(&ruby::place(node));
        let local = ruby::local(&write.name());
        if let Some(key) = self.parameters.get(&local).filter(|_| is_done) {
            return Ok(Some((format!("self.set?({key})"), OPERAND)));
        }
        let may_be_false = self.attribute_read(&write.value()).is_some_and(|attribute| self.scope.falsy.contains(&attribute));
        let text = if is_done { Some(local) } else { self.assigned_operand(node)? };
        let Some(text) = text else { return Ok(None) };
        Ok(Some(if may_be_false { (format!("!{text}.nil?"), UNARY) } else { (text, OPERAND) }))
    }
}
