//! What it does: Reports an unconventional `ensure`: a parameter, or a property with either `present` or `absent` but not both.
//!
//! Why: `ensure` means whether the resource exists. Tools that purge resources set `ensure` to `absent`, and tools that list resources
//! set `ensure` to `present`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty ensure { newvalues present, locked }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty ensure { newvalues present, locked, absent }
//! }
//! ```

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::Role;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    let Some(ensure) = type_def.attribute_named("ensure") else { return };
    if ensure.role != Role::Property {
        let found = sink.finding(ensure.span, "`ensure` is a param: it is never compared with the machine");
        sink.report(found.help("make it a property, or call it something else"));
        return;
    }
    let set = &ensure.values;
    let has = |name: &str| set.literals().any(|l| *l == *name);
    if has("present") && !has("absent") && set.regexes().next().is_none() {
        let found = sink.finding(ensure.span, "`ensure` can be `present` and not `absent`");
        sink.report(found.help("add `absent`, or say what it is by another property"));
    } else if has("absent") && set.values.len() == 1 {
        let found = sink.finding(ensure.span, "`ensure` can only be `absent`");
        sink.report(found.help("add `present`"));
    }
}
