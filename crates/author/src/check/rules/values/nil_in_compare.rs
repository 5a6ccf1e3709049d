//! What it does: Reports comparisons of the current value with nil or the string `absent` in `compare` and `insync` blocks.
//!
//! Why: The current value of a property that does not exist is the symbol `:absent`, never nil or a string.
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
//! Fix: unsafe; writes `:absent` in place of `nil` or the string.

use crate::check::blocks::{BlockRole, TypeBlock, blocks, typing};
use crate::check::{Sink, TypeSubject};
use rtype_lang::source::Span;
use rtype_lang::types::builtin::Method;
use rtype_lang::types::{BinaryOp, Node, Op, Pattern};
use rtype_lang::typing::{Attributes, Typing};
use rtype_lang::value::Value;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let attributes = Attributes::new(subject.type_def);
    for block in blocks(subject.type_def).into_iter().filter(compares_current) {
        let typing = typing(&attributes, &block);
        block.code.inner.body.walk(&mut |node| {
            if let Op::Method(Method::IsNil, is, ..) = &node.op {
                if is_current(&typing, is) {
                    let found = sink.finding(node.span, "the current value is never nil");
                    sink.report(found.help("compare it with `:absent`"));
                }
                return;
            }
            for mistake in mistakes(&block, &typing, node) {
                let found = sink.finding(mistake.place, mistake.message).help("write `:absent`");
                sink.report(match mistake.literal {
                    Some(literal) => found.unsafe_fix("write `:absent`", literal, ":absent"),
                    None => found,
                });
            }
        });
    }
}

/// A comparison of the current value with nil or the string `absent`.
pub(in crate::check::rules) struct Mistake<'a> {
    pub value: &'a Value,
    message: &'static str,
    place: Span,
    /// The span of the literal, if the value is not part of a list of words.
    literal: Option<Span>,
}

/// Returns `true` for the blocks that this rule examines.
fn compares_current(block: &TypeBlock<'_>) -> bool {
    matches!(block.role, BlockRole::Compare | BlockRole::Insync)
}

/// Returns the comparisons with nil or the string `absent` that an expression makes.
pub(in crate::check::rules) fn mistakes<'a>(block: &TypeBlock<'_>, typing: &Typing<'a>, node: &'a Node) -> Vec<Mistake<'a>> {
    if !compares_current(block) {
        return Vec::new();
    }
    let compared = compared(typing, node);
    // A list or `match` that names `:absent` as well is right.
    if compared.iter().any(|(value, ..)| matches!(value, Value::Sym(name) if name.as_str() == "absent")) {
        return Vec::new();
    }
    // A `retrieve` block may return the string.
    let is_computed = block.attribute.is_some_and(|attribute| attribute.retrieve.is_some());
    let mistake = |(value, place, literal): (&'a Value, Span, Option<Span>)| {
        let message = match value {
            Value::Nil => "the current value is never nil",
            Value::Str(text) if text == "absent" && !is_computed => "the current value is never the string `absent`",
            _ => return None,
        };
        Some(Mistake { value, message, place, literal })
    };
    compared.into_iter().filter_map(mistake).collect()
}

/// Returns the constants with which an expression compares the current value, each with the span to mark and the span of its literal,
/// if it has one.
fn compared<'a>(typing: &Typing<'a>, node: &'a Node) -> Vec<(&'a Value, Span, Option<Span>)> {
    let constant = |side: &'a Node, place: Span| if let Op::Const(value) = &side.op { Some((value, place, Some(side.span))) } else { None };
    match &node.op {
        Op::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => {
            let sides = [(a, b), (b, a)].into_iter().filter(|(is, _)| is_current(typing, is));
            sides.filter_map(|(_, value)| constant(value, node.span)).collect()
        }
        Op::Method(Method::Eql, is, arguments, _) if is_current(typing, is) => {
            arguments.iter().filter_map(|value| constant(value, node.span)).collect()
        }
        Op::Method(Method::Include | Method::Member, list, arguments, _) if arguments.iter().any(|is| is_current(typing, is)) => {
            match &list.op {
                Op::Array(values) => values.iter().filter_map(|value| constant(value, value.span)).collect(),
                Op::Const(Value::Array(values)) => values.iter().map(|value| (value, list.span, None)).collect(),
                _ => Vec::new(),
            }
        }
        Op::Match(is, arms) if is_current(typing, is) => {
            let patterns = arms.iter().flat_map(|arm| &arm.patterns);
            patterns.filter_map(|p| if let Pattern::Value(value) = p { Some((value, is.span, None)) } else { None }).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns `true` if an expression is the current value: the block's first parameter, or `is`.
fn is_current(typing: &Typing<'_>, node: &Node) -> bool {
    matches!(typing.definition(node).op, Op::Local(0) | Op::Is(None))
}
