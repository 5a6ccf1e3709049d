//! What it does: Reports `munge` blocks that change or reject their own results. rtype tries listed values, strings that the patterns
//! accept, values of the data type, the default, values in the tests, and some common values.
//!
//! Why: A converted value is declared again if it comes from the machine, another resource or a catalog. It would then have
//! another meaning, and the resource would change in every run.
//!
//! Blocks that use more than the value are not tried, nor are blocks of kinds in other files. Mark an attribute that converts on
//! purpose: `conversion "days are converted to hours"`. Types in Ruby are not reported: Puppet converts each value once, and they have
//! no `conversion`.
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
    if subject.file.is_ruby() {
        return;
    }
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
