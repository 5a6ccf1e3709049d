//! What it does: Reports attributes that are `readonly` and have a default.
//!
//! Why: A read-only attribute cannot be set, not even by its default: every resource of the type is refused.
//!
//! Example:
//!
//! ```rtype
//! type disk {
//!   newparam name
//!   newproperty serial {
//!     readonly "the maker sets it"
//!     defaultto "0"
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

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{Default, Role};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for attribute in subject.type_def.attributes.iter().filter(|a| a.role != Role::Metaparam && a.readonly.is_some()) {
        let span = match &attribute.default {
            Some(Default::Value(_, span)) => *span,
            Some(Default::Code(code)) => code.inner.span,
            None => continue,
        };
        let found = sink.finding(span, format!("`{}` has a default, and cannot be set", attribute.name));
        sink.report(found.help("delete `defaultto` or `readonly`"));
    }
}
