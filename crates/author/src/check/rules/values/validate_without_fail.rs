//! What it does: Reports `validate` blocks that return a condition and never fail.
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

use crate::check::blocks::{BlockRole, blocks};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{BinaryOp, Node, Op, TypeCheck};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    let of_attributes = blocks(type_def).into_iter().filter(|block| block.role == BlockRole::Validate).map(|block| block.code);
    let of_type = type_def.checks.iter().filter_map(|check| if let TypeCheck::Validate(code) = check { Some(code) } else { None });
    for code in of_attributes.chain(of_type) {
        let mut may_fail = false;
        code.inner.body.walk(&mut |node| may_fail |= can_fail(node));
        let last = if let Op::Seq(all) = &code.inner.body.op { all.last() } else { Some(&code.inner.body) };
        if let Some(last) = last.filter(|last| !may_fail && is_condition(last)) {
            let found = sink.finding(last.span, "the value of `validate` is dropped: this rule accepts everything");
            sink.report(found.help("write `fail \"…\" unless` before the condition"));
        }
    }
}

/// Returns `true` if an expression may reject the value, with `fail` or in code that this rule does not see.
fn can_fail(node: &Node) -> bool {
    matches!(node.op, Op::Fail(..) | Op::CallFn(..) | Op::Super(_) | Op::Provider(..) | Op::Untranslated(_) | Op::SetSelf(..) | Op::Call(..))
}

fn is_condition(node: &Node) -> bool {
    use BinaryOp as B;
    match &node.op {
        Op::Not(_) | Op::SelfTrue(_) | Op::SelfIsSet(_) => true,
        Op::Binary(op, ..) => !matches!(op, B::Add | B::Subtract | B::Multiply | B::Power | B::Modulo | B::Intersect | B::Compare),
        Op::Method(method, ..) => method.name().ends_with('?'),
        _ => false,
    }
}
