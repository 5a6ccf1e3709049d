//! What it does: Reports list properties that do not declare how lists are compared.
//!
//! Why: By default lists are equal only in the same order. Many machines report them in another order, so the property
//! changes in every run. If the order matters, write `compare exact`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty keys, array_matching: all
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty keys, array_matching: all { compare set }
//! }
//! ```

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{ArrayMatching, AttributeDef, Compare};
use rtype_lang::value::ComparisonMode;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for property in subject.type_def.properties() {
        if property.array_matching == ArrayMatching::All && compares_as_usual(property) {
            let found = sink.finding(property.span, format!("`{}` does not say how its lists are compared", property.name));
            sink.report(found.help("`compare set` or `unordered` where order does not count, `compare exact` where it does"));
        }
    }
}

/// Returns `true` if a property uses the default comparison and does not change values in other ways.
pub fn compares_as_usual(property: &AttributeDef) -> bool {
    matches!(property.compare, Compare::Named(ComparisonMode::Default))
        && property.insync.is_none()
        && property.should.is_none()
        && property.native.is_none()
        && property.readonly.is_none()
}
