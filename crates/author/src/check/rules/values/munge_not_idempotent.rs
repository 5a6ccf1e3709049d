//! What it does: finds `munge` blocks that change, or cannot take, what they made themselves. It is found by trying: listed values, texts
//! that the patterns accept, values of the data type, the default, values of the tests, and some that people write.
//!
//! Why: a canonical value is given again where it comes from the machine, from another resource, or from a catalog. It means something
//! else then, and the resource is changed in every run.
//!
//! Blocks that look at more than the value are not tried, nor those of kinds in other files. An attribute that converts says so: `conversion "days become hours"`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty label { munge { |v| "door #{v}" } }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty label { munge { |v| v.start_with?("door ") ? v : "door #{v}" } }
//! }
//! ```

use super::reads::own_blocks;
use super::trial::{SecondResult, in_munge, second_pass, shown};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::AttrId;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for (i, attribute) in subject.type_def.attributes.iter().enumerate() {
        let own = |again: &SecondResult| match again {
            SecondResult::Changed(_) => true,
            SecondResult::Refused(rule) => in_munge(attribute, *rule),
        };
        let Some(twice) = second_pass(subject, AttrId(i as u16), own) else { continue };
        let Some(code) = own_blocks(&attribute.munge).next() else { continue };
        let (given, once) = (shown(attribute, &twice.given), shown(attribute, &twice.once));
        let message = match &twice.again {
            SecondResult::Changed(value) => format!("{given} becomes {once}, and that becomes {}", shown(attribute, value)),
            SecondResult::Refused(_) => format!("{given} becomes {once}, which the block cannot take"),
        };
        let found = sink.finding(code.inner.span, message);
        sink.report(found.help("give back what is canonical already, or say `conversion \"why\"` in the attribute"));
    }
}
