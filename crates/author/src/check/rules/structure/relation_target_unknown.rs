//! What it does: Reports automatic relations to types that do not exist.
//!
//! Why: Resources that are not declared are ignored silently, so a misspelled type never creates a relation.
//!
//! Example:
//!
//! ```rtype
//! type website {
//!   newparam name
//!   newparam root
//!   autorequire fil { self.root }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type website {
//!   newparam name
//!   newparam root
//!   autorequire file { self.root }
//! }
//! ```
//!
//! Types are searched in the directories of types and in the standard library. Relations of types in Ruby are not reported: the other
//! type may be in a module that was not read.
//!
//! Fix: unsafe; uses the nearest name, if any.

use crate::check::blocks::blocks;
use crate::check::{Sink, TypeSubject};
use rtype_lang::diagnostics::nearest;
use rtype_lang::types::{CatalogCall, Node, Op};
use rtype_lang::value::Value;

/// Reports a misspelled type in `catalog.resources(:t)` and `catalog.find(:t, …)`. A type without a similar known type may be installed
/// elsewhere.
fn look_at_catalog(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let types = subject.file.around.names;
    for block in blocks(subject.type_def) {
        block.code.inner.body.walk(&mut |node| {
            let Op::Catalog(CatalogCall::Resources | CatalogCall::Find | CatalogCall::Instances, arguments) = &node.op else { return };
            let Some(Node { op: Op::Const(Value::Sym(target)), span }) = arguments.first() else { return };
            // The catalog ignores the case of the name.
            let name = target.as_str().to_lowercase();
            if types.contains(&name) || name == "class" {
                return;
            }
            if let Some(near) = nearest(&name, types.iter().map(String::as_str)) {
                let found = sink.finding(*span, format!("unknown type `{target}`: the catalog has no such resources"));
                let fix = format!(":{near}");
                sink.report(found.help(format!("did you mean `{fix}`?")).unsafe_fix(format!("make it `{fix}`"), *span, fix));
            }
        });
    }
}

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    if subject.file.is_ruby() {
        return;
    }
    look_at_catalog(subject, sink);
    let types = subject.file.around.names;
    for relation in &subject.type_def.autorelations {
        let target = relation.target.as_str();
        // Classes are not types but occur in catalogs.
        if types.contains(target) || target == "class" {
            continue;
        }
        let found = sink.finding(relation.target_span, format!("unknown type `{target}`: this relation never holds"));
        sink.report(match nearest(target, types.iter().map(String::as_str)) {
            Some(near) => {
                found.help(format!("did you mean `{near}`?")).unsafe_fix(format!("make it `{near}`"), relation.target_span, near)
            }
            None => found.help("name the directory in which the type is with `--types DIR`"),
        });
    }
}
