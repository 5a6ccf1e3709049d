//! What it does: Reports rows of `title_patterns` that do not set the only namevar.
//!
//! Why: A resource with such a title has no identity, unless every author also declares the namevar.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam number { isnamevar }
//!   newproperty floor
//!   title_patterns {
//!     /\A(\d+)\z/ => number
//!     /\Afloor (\d+)\z/ => floor
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam number { isnamevar }
//!   newproperty floor
//!   title_patterns {
//!     /\A(\d+)\z/ => number
//!     /\Afloor (\d+), door (\d+)\z/ => floor, number
//!   }
//! }
//! ```

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::AttrId;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    let [namevar] = type_def.namevars.as_slice() else { return };
    let Some(attribute) = type_def.attribute(*namevar) else { return };
    let is_set = |id: &AttrId| id == namevar;
    for row in type_def.title_patterns.iter().filter(|row| !row.attributes.iter().any(is_set)) {
        if attribute.default.is_none() {
            let found = sink.finding(row.span, format!("a title that matches this row gives no value for the namevar `{}`", attribute.name));
            sink.report(found.also(attribute.span, "the namevar").help(format!("add a group for `{}`, or delete the row", attribute.name)));
        }
    }
}
