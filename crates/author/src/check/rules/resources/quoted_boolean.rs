//! What it does: Reports `'true'` and `'false'` in quotes where `true` and `false` have the same meaning.
//!
//! Why: A string is not a boolean. This attribute accepts both; elsewhere `'false'` is true.
//!
//! Example:
//!
//! ```puppet
//! service { 'nginx':
//!   enable => 'true',
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! service { 'nginx':
//!   enable => true,
//! }
//! ```
//!
//! Fix: safe; removes the quotes, if the resulting value is the same.

use super::{given, otherwise, same_beside};
use crate::check::{ResourceSubject, Sink};
use rtype_lang::value::Value;

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    for (id, attribute, given) in given(subject) {
        let Value::Str(text) = &given.value else { continue };
        let meant = match text.as_str() {
            "true" => true,
            "false" => false,
            _ => continue,
        };
        let lists_both = ["true", "false"].iter().all(|w| attribute.values.literals().any(|l| l.as_str() == *w));
        if !lists_both || given.sensitive || attribute.sensitive {
            continue;
        }
        let bare = otherwise(subject, |d| {
            if let Some(g) = d.attributes.get_mut(attribute.name.as_str()) {
                g.value = Value::Bool(meant);
            }
        });
        let now = otherwise(subject, |_| ());
        let (Some(bare), Some(now)) = (bare, now) else { continue };
        let same = bare.slot(id).map(|s| &s.value) == now.slot(id).map(|s| &s.value);
        let written = subject.file.source.slice(given.span);
        let is_quoted = [format!("'{text}'"), format!("\"{text}\"")].contains(&written.to_owned());
        if same && is_quoted && same_beside(&bare, &now, id) {
            let found = sink.finding(given.span, format!("`{}` is a boolean in quotes", attribute.name));
            sink.report(found.help(format!("write `{text}`")).fix("drop the quotes", given.span, text.as_str()));
        }
    }
}
