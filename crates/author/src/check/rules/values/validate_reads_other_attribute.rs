//! What it does: Reports attributes with a `validate` block that reads an attribute before it has a value.
//!
//! Why: Attributes get their values in this order: namevars, `provider`, properties with `ensure` first, parameters. An attribute
//! without a value yet reads as `nil`. Put a check of several attributes into the type's `validate`, which runs when all attributes
//! have their values.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width { validate { |v| fail "too wide" if self.narrow && v > 80 } }
//!   newparam narrow
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width
//!   newparam narrow
//!   validate { fail "too wide", at: :width if self.narrow && self.width && self.width > 80 }
//! }
//! ```

use super::reads::{own_blocks, reads, turn};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{AttrId, Role};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    for (i, attribute) in type_def.attributes.iter().enumerate().filter(|(_, a)| a.role != Role::Metaparam) {
        let id = AttrId(i as u16);
        for code in own_blocks(&attribute.validate) {
            for (read, span) in reads(type_def, code) {
                if turn(type_def, read) < turn(type_def, id) {
                    continue;
                }
                let Some(other) = type_def.attribute(read) else { continue };
                let found = if read == id {
                    sink.finding(span, format!("`{}` is not set while it is validated", other.name)).help("the value is the block's parameter")
                } else {
                    let message = format!("`{}` takes its value after `{}`: it reads nil here", other.name, attribute.name);
                    sink.finding(span, message).also(other.span, "takes its value later").help("check it in a `validate` of the type")
                };
                sink.report(found);
            }
        }
    }
}
