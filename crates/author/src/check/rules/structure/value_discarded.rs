//! What it does: Reports statements without effect that leave their value unused, and `each` with a closure that only computes a value.
//!
//! Why: Values are immutable: `list.push(x)` and `text.strip` return a new value and do not change the old one.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     munge { |value|
//!       value.strip
//!       value
//!     }
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
//!     munge { |value| value.strip }
//!   }
//! }
//! ```

use crate::check::blocks::{BlockRole, blocks};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::builtin::{Method, Traits};
use rtype_lang::types::{BinaryOp, Node, Op};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    if subject.file.is_ruby() {
        return;
    }
    for block in blocks(subject.type_def) {
        let body = &block.code.inner.body;
        body.walk(&mut |node| match &node.op {
            Op::Seq(statements) => {
                let before = statements.split_last().map_or([].as_slice(), |(_, before)| before);
                before.iter().filter(|statement| is_pure(statement)).for_each(|statement| dropped(statement, sink));
            }
            Op::Method(Method::Each | Method::EachPair | Method::EachValue | Method::EachKey, receiver, _, Some(closure)) => {
                let last = if let Op::Seq(all) = &closure.body.op { all.last() } else { Some(&closure.body) };
                if let Some(last) = last.filter(|last| is_pure(last)) {
                    let found = sink.finding(last.span, "`each` ignores this value of the closure");
                    sink.report(found.also(receiver.span, "`each` returns this").help("write `map` in place of `each` to get the values"));
                }
            }
            _ => {}
        });
        if block.role == BlockRole::Validate
            && let Some(assigned) = last_statement(body)
            && matches!(&assigned.op, Op::SetLocal(slot, _) if *slot < block.code.inner.params)
        {
            let found = sink.finding(assigned.span, "`validate` cannot change the value: this assignment is lost");
            sink.report(found.help("convert the value in `munge`"));
        }
    }
}

fn dropped(statement: &Node, sink: &mut Sink<'_>) {
    let found = sink.finding(statement.span, "the value of this statement is not used");
    let help = match &statement.op {
        Op::Binary(BinaryOp::Equal, ..) => "assign with `=`, or use the comparison in a condition",
        Op::Method(..) => "values are immutable: assign the result, `x = x.…`",
        _ => "assign or return the value, or delete the statement",
    };
    sink.report(found.help(help));
}

fn last_statement(node: &Node) -> Option<&Node> {
    if let Op::Seq(all) = &node.op { all.last() } else { Some(node) }
}

/// Returns `true` if an expression only computes a value. A match sets `$1`, and some calls are there to fail, so these are not
/// included.
pub(in crate::check::rules) fn is_pure(node: &Node) -> bool {
    use BinaryOp as B;
    match &node.op {
        Op::Const(value) => !value.is_nil(),
        Op::Local(_) | Op::SelfAttr(_) | Op::SelfTrue(_) | Op::SelfIsSet(_) | Op::Not(_) | Op::Concat(_) | Op::Array(_) | Op::Map(_) => true,
        Op::Binary(op, a, b) => !matches!(op, B::Match | B::NotMatch | B::And | B::Or) && is_pure(a) && is_pure(b),
        Op::Method(method, receiver, arguments, closure) => {
            let is_value = !method.name().starts_with("each") && *method != Method::Then && !method.is(Traits::CHECKS);
            let is_loop = matches!(method, Method::Times | Method::Upto | Method::Downto | Method::Match | Method::Index);
            is_value && !is_loop && closure.is_none() && is_pure_operand(receiver) && arguments.iter().all(is_pure_operand)
        }
        _ => false,
    }
}

fn is_pure_operand(node: &Node) -> bool {
    matches!(node.op, Op::Const(_) | Op::Capture(_) | Op::Attribute) || is_pure(node)
}
