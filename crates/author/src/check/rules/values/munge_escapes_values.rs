//! What it does: finds `munge` blocks whose result the attribute itself refuses: it is no listed value, not of the data type, or not valid.
//! It is found by trying.
//!
//! Why: what is stored cannot be given again, and whoever reads which values are allowed is misled.
//!
//! Blocks that look at more than the value are not tried, nor those of kinds in other files. An attribute that converts says so: `conversion "days become hours"`.
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
