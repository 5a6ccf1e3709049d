//! What it does: Reports checks of the declared value in `munge` blocks: `fail … if …` at the top of the block, before
//! anything is computed.
//!
//! Why: `validate` rejects values and `munge` converts them; readers look for checks in `validate`. A value that `munge`
//! rejects has passed `validate`, and tools that only validate accept it.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width {
//!     munge { |v|
//!       fail "`#{v}` is not a width" unless v.to_s =~ /\A\d+\z/
//!       v.to_s.to_i
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
//!   newproperty width {
//!     validate { |v| fail "`#{v}` is not a width" unless v.to_s =~ /\A\d+\z/ }
//!     munge { |v| v.to_s.to_i }
//!   }
//! }
//! ```

use super::reads::{any, own_blocks};
use crate::check::{Sink, TypeSubject};
use rtype_lang::source::Span;
use rtype_lang::types::{CodeBlock, Node, Op, Role};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for attribute in subject.type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        for code in own_blocks(&attribute.munge) {
            if let Some(span) = check_of_given(code) {
                let found = sink.finding(span, "`munge` checks the value as it was given");
                sink.report(found.help("refuse it in `validate`, and let `munge` only transform"));
            }
        }
    }
}

/// Returns the first statement that only rejects the declared value.
fn check_of_given(code: &CodeBlock) -> Option<Span> {
    let Op::Seq(statements) = &code.inner.body.op else { return None };
    let changes = |node: &Node| any(node, |n| matches!(n.op, Op::SetLocal(0, _) | Op::Destructure(..) | Op::Return(_)));
    let untouched = statements.iter().take_while(|s| !changes(s));
    untouched.filter(|s| refuses_given(s, code.inner.params)).map(|s| s.span).next()
}

fn refuses_given(statement: &Node, params: u16) -> bool {
    let Op::If(branches, None) = &statement.op else { return false };
    let [(condition, body)] = branches.as_slice() else { return false };
    let body = if let Op::Seq(body) = &body.op { body.as_slice() } else { std::slice::from_ref(body) };
    let only_fails = matches!(body, [one] if matches!(one.op, Op::Fail(..)));
    // `$1` belongs to an earlier match.
    let computed = |node: &Node| any(node, |n| matches!(n.op, Op::Local(slot) if slot >= params) || matches!(n.op, Op::Capture(_)));
    only_fails && any(condition, |n| matches!(n.op, Op::Local(0))) && !computed(statement)
}
