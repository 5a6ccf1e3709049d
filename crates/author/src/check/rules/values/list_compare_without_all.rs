//! What it does: Reports properties that compare lists with `set`, `unordered`, `intersect` or `superset`, and are not declared with
//! `array_matching: all`.
//!
//! Why: Without `array_matching: all`, each element is compared alone with the whole current list, and the first match is enough.
//! The comparison of lists is then never used on lists.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty keys { compare set }
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
use rtype_lang::types::{ArrayMatching, Compare};
use rtype_lang::value::ComparisonMode;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for property in subject.type_def.properties() {
        let Compare::Named(mode) = &property.compare else { continue };
        use ComparisonMode as C;
        let is_of_lists = matches!(mode, C::Unordered | C::Set | C::Intersect | C::Superset);
        // `should` and a data type may build a list from one value.
        let builds_list = property.should.is_some() || property.native.is_some() || property.data_type.is_some() || property.insync.is_some();
        if is_of_lists && property.array_matching == ArrayMatching::First && !builds_list && property.munge.steps.len() < 2 {
            let found = sink.finding(property.span, format!("`{}` compares lists, but each of its values is compared alone", property.name));
            sink.report(found.help(format!("write `newproperty {}, array_matching: all`", property.name)));
        }
    }
}
