//! What it does: Reports automatic relations that name the resource itself.
//!
//! Why: A resource has no relation to itself, so the name is ignored silently. Another attribute or type was probably
//! intended.
//!
//! Example:
//!
//! ```rtype
//! type volume {
//!   newparam name
//!   newparam group
//!   autorequire volume { [self.name, self.group] }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type volume {
//!   newparam name
//!   newparam group
//!   autorequire volume { self.group }
//! }
//! ```

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::builtin::Function;
use rtype_lang::types::{Node, Op, TypeDef};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    for relation in type_def.autorelations.iter().filter(|r| r.target == type_def.name) {
        let mut see = |name: &Node| {
            if is_itself(type_def, name) {
                let found = sink.finding(name.span, "this names the resource itself, to which it has no relation");
                sink.report(found.help("name what it depends upon, or drop it"));
            }
        };
        let body = &relation.names.inner.body;
        names(body, &mut see);
        body.walk(&mut |node| {
            if let Op::Return(Some(value)) = &node.op {
                names(value, &mut see);
            }
        });
    }
}

/// Calls `see` with the results of a block that are visible in the source: the last statement, and the elements of a list.
fn names<'a>(node: &'a Node, see: &mut dyn FnMut(&'a Node)) {
    match &node.op {
        Op::Seq(all) => all.last().iter().for_each(|n| names(n, see)),
        Op::Array(all) => all.iter().for_each(|n| names(n, see)),
        Op::If(branches, otherwise) => {
            branches.iter().for_each(|(_, body)| names(body, see));
            otherwise.iter().for_each(|body| names(body, see));
        }
        _ => see(node),
    }
}

fn is_itself(type_def: &TypeDef, node: &Node) -> bool {
    match &node.op {
        Op::SelfRef => true,
        Op::SelfAttr(id) => type_def.namevars.as_slice() == [*id],
        Op::Call(Function::Title | Function::Ref, arguments, _) => matches!(arguments.as_slice(), [Node { op: Op::SelfRef, .. }]),
        _ => false,
    }
}
