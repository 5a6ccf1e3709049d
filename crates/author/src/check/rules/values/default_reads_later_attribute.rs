//! What it does: Reports `defaultto` and `munge` blocks that read an attribute before it has a value, and defaults that read
//! each other.
//!
//! Why: Attributes get their values in this order: namevars, `provider`, properties with `ensure` first, parameters; declared values
//! come first, then the defaults in the same order. An attribute without a value yet reads as `nil`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width { defaultto { self.height.div(2) if self.height } }
//!   newproperty height { defaultto 200 }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty height { defaultto 200 }
//!   newproperty width { defaultto { self.height.div(2) if self.height } }
//! }
//! ```

use super::reads::{own_blocks, reads, turn};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::builtin::Method;
use rtype_lang::types::{AttrId, AttributeDef, BinaryOp, CodeBlock, Default, Node, Op, Pattern, Role, TypeDef};
use rtype_lang::value::Value;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    for (i, attribute) in type_def.attributes.iter().enumerate().filter(|(_, a)| a.role != Role::Metaparam) {
        let id = AttrId(i as u16);
        if let Some(Default::Code(code)) = &attribute.default {
            for (read, span) in reads(type_def, code) {
                let Some(other) = type_def.attribute(read).filter(|other| other.default.is_some()) else { continue };
                if turn(type_def, read) < turn(type_def, id) || (read != id && nil_is_like_the_default(code, read, other)) {
                    continue;
                }
                let name = &other.name;
                let found = if read == id {
                    sink.finding(span, format!("`{name}` is not set when its own default is computed")).help("it reads nil: leave it out")
                } else if reads_back(type_def, other, id) {
                    let found = sink.finding(span, format!("the defaults of `{}` and `{name}` read each other", attribute.name));
                    found.also(other.span, "takes its value later").help("compute one of them in `finalize`")
                } else {
                    let message = format!("the default of `{name}` comes after this one: without a value it reads nil here");
                    sink.finding(span, message).also(other.span, "takes its value later").help(help(other))
                };
                sink.report(found);
            }
        }
        // A default is munged after all explicit values have been set.
        for code in own_blocks(&attribute.munge).filter(|_| attribute.default.is_none()) {
            for (read, span) in reads(type_def, code) {
                let Some(other) = type_def.attribute(read) else { continue };
                if turn(type_def, read) < turn(type_def, id) {
                    continue;
                }
                let found = if read == id {
                    sink.finding(span, format!("`{}` is not set while it is munged", other.name)).help("the value is the block's parameter")
                } else {
                    let message = format!("`{}` takes its value after `{}`: it reads nil here", other.name, attribute.name);
                    sink.finding(span, message).also(other.span, "takes its value later").help(help(other))
                };
                sink.report(found);
            }
        }
    }
}

/// Returns `true` if a block only compares an attribute with values other than the default, so that nil has the same result.
fn nil_is_like_the_default(code: &CodeBlock, read: AttrId, other: &AttributeDef) -> bool {
    let default = match &other.default {
        Some(Default::Value(value, _)) => Some(value),
        Some(Default::Code(code)) => constant(&code.inner.body),
        None => None,
    };
    let is_converted = own_blocks(&other.munge).any(|code| !matches!(code.inner.body.op, Op::Local(0)));
    let Some(default) = default.and_then(Value::as_text).filter(|_| !is_converted) else { return false };
    let is_read = |node: &Node| matches!(&node.op, Op::SelfAttr(id) if *id == read);
    let differs = |node: &Node| constant(node).and_then(Value::as_text).is_some_and(|text| text != default);
    let (mut all, mut harmless) = (0, 0);
    code.inner.body.walk(&mut |node| match &node.op {
        Op::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) if (is_read(a) && differs(b)) || (is_read(b) && differs(a)) => harmless += 1,
        Op::Method(Method::Include, list, arguments, None) if arguments.iter().any(is_read) => {
            let listed = match &list.op {
                Op::Array(elements) => elements.iter().all(differs),
                Op::Const(Value::Array(values)) => values.iter().all(|v| v.as_text().is_some_and(|text| text != default)),
                _ => false,
            };
            harmless += usize::from(listed);
        }
        Op::Match(on, arms) if is_read(on) => {
            let mut patterns = arms.iter().flat_map(|arm| &arm.patterns);
            let differs = |value: &Value| value.as_text().is_some_and(|text| text != default);
            harmless += usize::from(patterns.all(|p| matches!(p, Pattern::Any) || matches!(p, Pattern::Value(value) if differs(value))));
        }
        _ if is_read(node) => all += 1,
        // The call may read the attribute as well.
        Op::CallFn(..) | Op::SelfIndex(_) | Op::SelfIsSet(_) | Op::SelfTrue(_) => all = usize::MAX / 2,
        _ => {}
    });
    all == harmless
}

/// Returns the value of a constant block.
fn constant(node: &Node) -> Option<&Value> {
    match &node.op {
        Op::Const(value) => Some(value),
        Op::Seq(all) => match all.as_slice() {
            [only] => constant(only),
            _ => None,
        },
        _ => None,
    }
}

fn reads_back(type_def: &TypeDef, other: &AttributeDef, id: AttrId) -> bool {
    matches!(&other.default, Some(Default::Code(code)) if reads(type_def, code).iter().any(|(read, _)| *read == id))
}

fn help(other: &AttributeDef) -> String {
    match other.role {
        Role::Property => format!("put `{}` before it, or compute it in `finalize`", other.name),
        Role::Param | Role::Metaparam => "compute it in `finalize`: properties take their values before params".into(),
    }
}
