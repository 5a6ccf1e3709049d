//! What it does: Reports types without an example in the description.
//!
//! Why: Users start by copying and changing an example. rtype checks examples, so they stay correct.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   desc "A door of the house."
//!   newparam name
//! }
//! ```
//!
//! Better:
//!
//! ````rtype
//! type door {
//!   desc """
//!     A door of the house.
//!
//!     ```puppet
//!     door { 'front':
//!       ensure => present,
//!     }
//!     ```
//!     """
//!   newparam name
//!   ensurable
//! }
//! ````

use crate::check::{Sink, TypeSubject};
use crate::docs::has_example;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    // A type without any description is reported by another rule.
    if !type_def.doc.trim().is_empty() && !has_example(&type_def.doc) {
        let found = sink.finding(type_def.span, format!("the description of `{}` has no example", type_def.name));
        sink.report(found.help("add a declaration to `desc`, between ```` ```puppet ```` and ```` ``` ````"));
    }
}
