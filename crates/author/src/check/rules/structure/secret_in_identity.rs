//! What it does: Reports secrets in places where they cannot be redacted: as a namevar, set by a title, as a literal default,
//! in the block of `title`, and in the names of automatic relations.
//!
//! Why: Titles and references are shown everywhere, and everyone who can read the type can read a default.
//!
//! Example:
//!
//! ```rtype
//! type account {
//!   newparam name
//!   newproperty password {
//!     sensitive
//!     defaultto "changeme"
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type account {
//!   newparam name
//!   newproperty password {
//!     sensitive
//!     required
//!   }
//! }
//! ```

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{AttrId, CodeBlock, Default, Op};
use rtype_lang::value::Value;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    let is_secret = |id: &AttrId| type_def.attribute(*id).is_some_and(|a| a.sensitive);
    if !type_def.attributes.iter().any(|a| a.sensitive) {
        return;
    }
    for (attribute, id) in type_def.attributes.iter().zip(0..).filter(|(a, _)| a.sensitive) {
        let id = AttrId(id);
        if attribute.namevar || type_def.namevars.contains(&id) {
            let found = sink.finding(attribute.span, format!("the secret `{}` is part of the identity, which is shown", attribute.name));
            sink.report(found.help("let something else identify the resource"));
        } else if let Some(row) = type_def.title_patterns.iter().find(|row| row.attributes.contains(&id)) {
            let found = sink.finding(row.span, format!("the title holds the secret `{}`, and titles are shown", attribute.name));
            sink.report(found.also(attribute.span, "the secret").help("let the title fill other attributes"));
        }
        // An empty string is not a secret.
        if let Some(Default::Value(Value::Str(text), span)) = &attribute.default
            && !text.is_empty()
        {
            let found = sink.finding(*span, format!("the default of the secret `{}` is there to be read", attribute.name));
            sink.report(found.help("make it `required`, or leave it unset"));
        }
    }
    let mut look = |code: &CodeBlock, what: &str| {
        code.inner.body.walk(&mut |node| {
            if let Op::SelfAttr(id) = &node.op
                && is_secret(id)
            {
                let found = sink.finding(node.span, format!("{what} the secret, and titles are shown"));
                sink.report(found.help("leave the secret out"));
            }
        });
    };
    type_def.autorelations.iter().for_each(|r| look(&r.names, "the name of what it depends upon holds"));
    type_def.title.iter().for_each(|title| look(title, "the title holds"));
}
