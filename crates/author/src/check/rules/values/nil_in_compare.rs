//! What it does: Reports comparisons of the current value with nil in `compare` and `insync` blocks.
//!
//! Why: The current value of a property that does not exist is `:absent`, never nil.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     compare { |is, should| is == nil || is == should }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     compare { |is, should| is == :absent || is == should }
//!   }
//! }
//! ```
//!
//! Fix: unsafe; writes `:absent` in place of `nil`.

use crate::check::blocks::{BlockRole, blocks};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::builtin::Method;
use rtype_lang::types::{BinaryOp, Node, Op};
use rtype_lang::value::Value;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for block in blocks(subject.type_def).into_iter().filter(|b| matches!(b.role, BlockRole::Compare | BlockRole::Insync)) {
        block.code.inner.body.walk(&mut |node| match &node.op {
            Op::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => {
                let sides = [(a, b), (b, a)];
                if let Some((_, nil)) = sides.into_iter().find(|(is, nil)| is_current(is) && matches!(nil.op, Op::Const(Value::Nil))) {
                    let found = sink.finding(node.span, "the current value is never nil");
                    sink.report(found.help("write `:absent`").unsafe_fix("write `:absent`", nil.span, ":absent"));
                }
            }
            Op::Method(Method::IsNil, is, ..) if is_current(is) => {
                let found = sink.finding(node.span, "the current value is never nil");
                sink.report(found.help("compare it with `:absent`"));
            }
            _ => {}
        });
    }
}

/// Returns `true` if an expression is the current value: the block's first parameter, or `is`.
fn is_current(node: &Node) -> bool {
    matches!(node.op, Op::Local(0) | Op::Is(None))
}
