//! What it does: Reports attributes that are `required` and `readonly`.
//!
//! Why: A required attribute must be set and a read-only attribute cannot be set, so no resource of the type can be declared.
//!
//! Example:
//!
//! ```rtype
//! type disk {
//!   newparam name
//!   newproperty serial {
//!     required
//!     readonly "the maker sets it"
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type disk {
//!   newparam name
//!   newproperty serial {
//!     readonly "the maker sets it"
//!   }
//! }
//! ```
//!
//! Fix: unsafe; removes `required`.

use crate::check::written::own_removal;
use crate::check::{Sink, TypeSubject};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for attribute in &subject.type_def.attributes {
        if let (Some(required), Some(_)) = (attribute.required, &attribute.readonly) {
            let found = sink.finding(required, format!("`{}` must be given, and cannot be set", attribute.name));
            let found = found.help("drop `required` or `readonly`");
            sink.report(match own_removal(subject, required) {
                Some(edit) => found.fixes("drop `required`", false, vec![edit]),
                None => found,
            });
        }
    }
}
