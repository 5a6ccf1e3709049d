//! What it does: Reports `$2` and other groups that no regex of the block has.
//!
//! Why: A group that the regex does not have is always nil.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty size {
//!     munge { |value| value =~ /\A(\d+)x\d+\z/ ? $2 : value }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty size {
//!     munge { |value| value =~ /\A(\d+)x(\d+)\z/ ? $2 : value }
//!   }
//! }
//! ```

use crate::check::blocks::blocks;
use crate::check::{Sink, TypeSubject};
use rtype_lang::source::Span;
use rtype_lang::types::{Node, Op, Pattern};
use rtype_lang::value::Value;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for block in blocks(subject.type_def) {
        // The groups of regexes from functions, attributes and variables are unknown, so blocks without a literal regex are skipped.
        let mut most = Some(0);
        let mut captures: Vec<(u32, Span)> = Vec::new();
        block.code.inner.body.walk(&mut |node| match &node.op {
            Op::Capture(number) => captures.push((*number, node.span)),
            _ => most = most.zip(groups(node)).map(|(a, b): (usize, usize)| a.max(b)),
        });
        let Some(most) = most.filter(|most| *most > 0) else { continue };
        for (number, span) in captures.into_iter().filter(|(number, _)| *number as usize > most) {
            let message = format!("`${number}` is always nil: the regexes here have at most {most} group{}", if most == 1 { "" } else { "s" });
            sink.report(sink.finding(span, message).help("add the missing group to the regex"));
        }
    }
}

/// Returns the largest number of groups in an expression's regexes, without subexpressions; `None` if a regex is not known.
fn groups(node: &Node) -> Option<usize> {
    match &node.op {
        Op::Const(Value::Regex(regex)) => Some(regex.group_count()),
        Op::Const(Value::Array(_) | Value::Map(_)) => None,
        Op::Match(_, arms) => {
            let patterns = arms.iter().flat_map(|arm| &arm.patterns);
            Some(patterns.map(|p| if let Pattern::Regex(regex) = p { regex.group_count() } else { 0 }).max().unwrap_or(0))
        }
        Op::Super(_) => None,
        _ => Some(0),
    }
}
