//! What it does: Reports attributes that are `required` and always have a default.
//!
//! Why: An attribute with a default is never missing, so `required` has no effect. Either `required` or the default is a mistake.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam color {
//!     required
//!     defaultto red
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam color {
//!     defaultto red
//!   }
//! }
//! ```
//!
//! A block that may return `nil` is not reported, because the attribute can then be missing.
//!
//! Fix: safe; removes `required`.

use rtype_lang::typing::{Attributes, Kinds, Typing};
use crate::check::written::own_removal;
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::Default;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let attributes = Attributes::new(subject.type_def);
    for attribute in &subject.type_def.attributes {
        let Some(required) = attribute.required else { continue };
        let given = match &attribute.default {
            Some(Default::Value(value, _)) => !value.is_nil(),
            Some(Default::Code(code)) => !Typing::new(&attributes, code, &[], None).result().may_be(Kinds::NIL),
            None => false,
        };
        if given {
            let found = sink.finding(required, format!("`{}` is never missing: it has a default", attribute.name));
            let found = found.help("drop `required`, or drop the default");
            sink.report(match own_removal(subject, required) {
                Some(edit) => found.fixes("drop `required`", true, vec![edit]),
                None => found,
            });
        }
    }
}
