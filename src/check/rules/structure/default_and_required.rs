//! What it does: finds attributes that are `required` and have a default.
//!
//! Why: an attribute with a default is never missing, so that `required` says nothing; one of the two was not meant.
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

use crate::check::{Sink, TypeSubject};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for attribute in &subject.type_def.attributes {
        if let (Some(required), Some(_)) = (attribute.required, &attribute.default) {
            let found = sink.finding(required, format!("`{}` is never missing: it has a default", attribute.name));
            sink.report(found.help("drop `required`, or drop the default"));
        }
    }
}
