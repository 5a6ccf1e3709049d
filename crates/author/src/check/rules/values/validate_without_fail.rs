//! What it does: Reports `validate` blocks that decide about a value, although none of their paths can fail.
//!
//! Why: A block fails only if it calls `fail`. The value of a `validate` block is dropped, so this rule accepts everything.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width {
//!     validate { |value| value.to_i > 0 }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width {
//!     validate { |value| fail "the width must be positive" unless value.to_i > 0 }
//!   }
//! }
//! ```

use super::super::structure::is_pure;
use super::reads::any_called;
use crate::check::blocks::{BlockRole, blocks};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::builtin::Traits;
use rtype_lang::types::{BinaryOp, CodeBlock, Node, Op, TypeCheck};
use rtype_lang::value::Value;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    let of_attributes = blocks(type_def).into_iter().filter(|block| block.role == BlockRole::Validate).map(|block| block.code);
    let of_type = type_def.checks.iter().filter_map(|check| if let TypeCheck::Validate(code) = check { Some(code) } else { None });
    for code in of_attributes.chain(of_type) {
        if any_called(type_def, code, does_more) {
            continue;
        }
        let Some(dropped) = results(code).into_iter().find(|result| result.is_decision(code)) else { continue };
        let help = match &dropped.node.op {
            Op::Const(Value::Str(_)) | Op::Concat(_) => "write `fail` before the message",
            _ if dropped.depends => "write `fail \"…\"` in place of the value",
            _ => "write `fail \"…\" unless` before the condition",
        };
        sink.report(sink.finding(dropped.node.span, "the value of `validate` is dropped: this rule accepts everything").help(help));
    }
}

/// Returns `true` if an expression may reject the value or has another effect.
fn does_more(node: &Node) -> bool {
    match &node.op {
        Op::Fail(..) | Op::Provider(..) | Op::Untranslated(_) | Op::SetSelf(..) | Op::SetSelfIndex(..) | Op::SetProvider(..) => true,
        Op::Call(function, ..) => function.is(Traits::CHECKS) || function.is(Traits::EFFECT),
        Op::Method(method, ..) => method.is(Traits::CHECKS),
        _ => false,
    }
}

/// A value that a block returns.
struct BlockResult<'a> {
    node: &'a Node,
    /// `true` if a condition decides whether this is the value of the block.
    depends: bool,
}

impl BlockResult<'_> {
    /// Returns `true` if the value says whether the checked value is right. A block whose values are all `true` or nil rejects none on purpose.
    fn is_decision(&self, code: &CodeBlock) -> bool {
        is_condition(self.node) || self.depends && is_pure(self.node) && !is_consent(self.node) || matches!(self.node.op, Op::Local(slot) if holds_condition(code, slot))
    }
}

/// Returns the values that a block may return.
fn results(code: &CodeBlock) -> Vec<BlockResult<'_>> {
    let mut all = Vec::new();
    let mut open = vec![(&code.inner.body, false)];
    while let Some((node, depends)) = open.pop() {
        match &node.op {
            Op::Seq(statements) => {
                let (last, before) = statements.split_last().map_or((None, [].as_slice()), |(last, before)| (Some(last), before));
                open.extend(last.map(|last| (last, depends)));
                before.iter().for_each(|statement| {
                    statement.walk(&mut |inner| {
                        if let Op::Return(Some(value)) = &inner.op {
                            open.push((&**value, true));
                        }
                    });
                });
            }
            Op::If(branches, otherwise) => {
                open.extend(branches.iter().map(|(_, body)| body).chain(otherwise.as_deref()).map(|body| (body, true)));
            }
            Op::Match(_, arms) => open.extend(arms.iter().map(|arm| (&arm.body, true))),
            Op::Try(tried, handler) => open.extend([(&**tried, depends), (&handler.body, true)]),
            Op::Return(value) => open.extend(value.as_deref().map(|value| (value, depends))),
            _ => all.push(BlockResult { node, depends }),
        }
    }
    all.sort_by_key(|result| result.node.span.start);
    all
}

fn is_consent(node: &Node) -> bool {
    matches!(node.op, Op::Const(Value::Bool(true) | Value::Nil))
}

fn is_condition(node: &Node) -> bool {
    use BinaryOp as B;
    match &node.op {
        // The function has no effect, or the block would not be reported.
        Op::CallFn(..) | Op::Not(_) | Op::SelfTrue(_) | Op::SelfIsSet(_) => true,
        Op::Binary(op, ..) => !matches!(op, B::Add | B::Subtract | B::Multiply | B::Power | B::Modulo | B::Intersect | B::Compare),
        Op::Method(method, ..) => method.name().ends_with('?'),
        _ => false,
    }
}

/// Returns `true` if a local gets the value of a condition.
fn holds_condition(code: &CodeBlock, local: u16) -> bool {
    code.inner.body.any(&|node: &Node| matches!(&node.op, Op::SetLocal(slot, value) if *slot == local && is_condition(value)))
}
