//! What it does: Reports allowed values that the data type of the same attribute refuses.
//!
//! Why: A value must have the data type before it is compared with the allowed values, so this value is never accepted.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width {
//!     type Integer
//!     newvalues 80, wide
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty width {
//!     newvalues /\A\d+\z/, wide
//!   }
//! }
//! ```

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{Matcher, Role};
use rtype_lang::value::Value;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for attribute in subject.type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        let Some(data_type) = &attribute.data_type else { continue };
        for allowed in &attribute.values.values {
            let Matcher::Literal(symbol) = &allowed.matcher else { continue };
            let fits = |value: Value| data_type.coerce(&value).is_ok();
            let text = symbol.as_str();
            let is_accepted = fits(Value::str(text)) || fits(Value::Sym(symbol.clone())) || matches!(text, "true" | "false");
            if !is_accepted {
                let found = sink.finding(allowed.span, format!("the allowed value `{text}` does not have the data type `{data_type}`"));
                sink.report(found.also(attribute.data_type_span, "the data type").help("change the data type, or delete the value"));
            }
        }
    }
}
