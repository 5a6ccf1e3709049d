//! What it does: Reports `defaultto` and `munge` blocks that read an attribute before it has a value, and defaults that read
//! each other.
//!
//! Why: Attributes get their values in this order: namevars, `provider`, properties with `ensure` first, parameters; declared
//! values come first, then the defaults in the same order. An attribute that does not have its value yet reads as `nil`.
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
use rtype_lang::types::{AttrId, AttributeDef, Default, Role, TypeDef};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    for (i, attribute) in type_def.attributes.iter().enumerate().filter(|(_, a)| a.role != Role::Metaparam) {
        let id = AttrId(i as u16);
        if let Some(Default::Code(code)) = &attribute.default {
            for (read, span) in reads(type_def, code) {
                let Some(other) = type_def.attribute(read).filter(|other| other.default.is_some()) else { continue };
                if turn(type_def, read) < turn(type_def, id) {
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

fn reads_back(type_def: &TypeDef, other: &AttributeDef, id: AttrId) -> bool {
    matches!(&other.default, Some(Default::Code(code)) if reads(type_def, code).iter().any(|(read, _)| *read == id))
}

fn help(other: &AttributeDef) -> String {
    match other.role {
        Role::Property => format!("put `{}` before it, or compute it in `finalize`", other.name),
        Role::Param | Role::Metaparam => "compute it in `finalize`: properties take their values before params".into(),
    }
}
