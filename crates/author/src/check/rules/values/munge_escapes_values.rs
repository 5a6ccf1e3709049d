//! What it does: Reports `munge` blocks with a result that the attribute itself rejects, because it is not a listed value,
//! has another data type, or is invalid. rtype tries values to find them.
//!
//! Why: The stored value cannot be declared again, and the list of allowed values is misleading.
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
//!   newproperty color {
//!     newvalues red, green
//!     munge { |v| v.to_s.upcase }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color { newvalues red, green }
//! }
//! ```

use super::reads::own_blocks;
use super::trial::{SecondResult, in_munge, may_refuse, second_pass, shown};
use crate::check::{Sink, TypeSubject};
use rtype_lang::source::Span;
use rtype_lang::types::AttrId;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    if subject.file.is_ruby() {
        return;
    }
    for (i, attribute) in subject.type_def.attributes.iter().enumerate().filter(|(_, a)| may_refuse(a)) {
        let refused = |again: &SecondResult| matches!(again, SecondResult::Refused(rule) if !in_munge(attribute, *rule));
        let Some(twice) = second_pass(subject, AttrId(i as u16), refused) else { continue };
        let (Some(code), SecondResult::Refused(rule)) = (own_blocks(&attribute.munge).next(), &twice.again) else { continue };
        let (given, once) = (shown(attribute, &twice.given), shown(attribute, &twice.once));
        let found = sink.finding(code.inner.span, format!("{given} becomes {once}, which `{}` itself refuses", attribute.name));
        let rule = if code.inner.span.contains(*rule) { Span::NONE } else { *rule };
        let found = found.also(rule, "refuses it");
        sink.report(found.help("give what the attribute accepts, or say `conversion \"why\"` in it"));
    }
}
