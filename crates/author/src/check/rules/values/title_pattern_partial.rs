//! What it does: Reports namevars without a default that no title pattern, or not every title pattern, sets.
//!
//! Why: A resource with such a title has an incomplete identity. Two different resources may have the same identity, and blocks find
//! `nil` instead of a name. Mark an attribute that must be set with such titles as `required`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam house { isnamevar }
//!   newparam room { isnamevar }
//!   title_patterns {
//!     /\A(\w+):(\w+)\z/ => house, room
//!     /\A(\w+)\z/       => house
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam house { isnamevar }
//!   newparam room { isnamevar; defaultto "hall" }
//!   title_patterns {
//!     /\A(\w+):(\w+)\z/ => house, room
//!     /\A(\w+)\z/       => house
//!   }
//! }
//! ```
//!
//! Types in Ruby are not reported: they have no `required`, and their users may give the attribute in addition to the title.

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::Role;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    if subject.file.is_ruby() {
        return;
    }
    let type_def = subject.type_def;
    for id in &type_def.namevars {
        let Some(attribute) = type_def.attribute(*id) else { continue };
        // The provider is selected automatically, and a property may be unset.
        let filled = attribute.role == Role::Property || attribute.name.as_str() == "provider";
        if filled || attribute.default.is_some() || attribute.required.is_some() {
            continue;
        }
        let Some(row) = type_def.title_patterns.iter().find(|row| !row.attributes.contains(id)) else { continue };
        let name = &attribute.name;
        let none = type_def.title_patterns.iter().all(|row| !row.attributes.contains(id));
        let found = if none {
            sink.finding(attribute.span, format!("no title pattern fills `{name}`, which is part of the identity"))
        } else {
            sink.finding(attribute.span, format!("not every title fills `{name}`, which is part of the identity")).also(row.span, "this one leaves it unset")
        };
        sink.report(found.help("give it a default, say `required`, or fill it by every pattern"));
    }
}
