//! What it does: Reports `override validate` without `super` on an attribute with listed values, if it accepts values that
//! are not listed. rtype tries values to find them; blocks that use more than the value are not tried.
//!
//! Why: The block replaces the check of listed values. A plain `validate` adds to it.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     newvalues red, green
//!     override validate { |v| fail "no blanks" if v =~ /\s/ }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     newvalues red, green
//!     validate { |v| fail "no blanks" if v =~ /\s/ }
//!   }
//! }
//! ```

use super::reads::{calls_super, own_blocks};
use crate::check::{Sink, TypeSubject};
use rtype_model::resource::take_alone;
use rtype_lang::types::{AttrId, Role, ValueStep};
use rtype_lang::value::Value;

/// Values that no type lists.
const UNHEARD: &[&str] = &["rtype-unlisted", "unlisted"];

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    for (i, attribute) in type_def.attributes.iter().enumerate().filter(|(_, a)| a.role != Role::Metaparam) {
        let Some(value) = attribute.values.values.first() else { continue };
        let checked = attribute.validate.steps.iter().any(|s| matches!(s, ValueStep::Values));
        if checked || calls_super(&attribute.validate) {
            continue;
        }
        let Some(code) = own_blocks(&attribute.validate).next() else { continue };
        let accepted = |text: &&&str| {
            let unlisted = attribute.values.find(text).is_none();
            unlisted && matches!(take_alone(type_def, AttrId(i as u16), &Value::str(**text)), Some(Ok(_)))
        };
        let Some(example) = UNHEARD.iter().find(accepted) else { continue };
        let message = format!("the values of `{}` are listed and not checked: `{example}` is accepted", attribute.name);
        let found = sink.finding(code.inner.span, message).label("takes the place of the check").also(value.span, "listed here");
        sink.report(found.help("leave `override` out, or call `super`"));
    }
}
