//! What it does: Reports patterns with anchors that apply only to the first and the last alternative.
//!
//! Why: `/\Aon|off\z/` means "starts with `on`" or "ends with `off`", so it accepts `only`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty light { newvalues /\Aon|off\z/ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty light { newvalues /\A(?:on|off)\z/ }
//! }
//! ```
//!
//! Fix: unsafe, because some values are no longer accepted; puts the alternatives into a group.

use super::patterns::{accepted_beyond, anchors_bind_to_branches, patterns};
use crate::check::{Sink, TypeSubject};
use rtype_lang::value::Regex;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for pattern in patterns(subject) {
        if !anchors_bind_to_branches(pattern.regex) {
            continue;
        }
        let better = grouped(pattern.regex.source());
        let meant = better.as_ref().and_then(|source| Regex::new(source, pattern.regex.flags()).ok());
        let value = meant.and_then(|meant| accepted_beyond(pattern.regex, &meant));
        let also = value.map_or(String::new(), |value| format!(", so that `{value}` is accepted"));
        let message = format!("each anchor belongs to one alternative only{also}");
        let found = sink.finding(pattern.span(), message).help(match &better {
            Some(better) => format!("put the alternatives into a group: `{}`", pattern.spelled(better)),
            None => "put the alternatives into a group".to_owned(),
        });
        sink.report(match better.and_then(|better| pattern.becomes(&better)) {
            Some(edit) => found.unsafe_fix("put the alternatives into a group", edit.span, edit.text),
            None => found,
        });
    }
}

/// Returns the source with a group between its anchors; `None` if the anchors are not at the ends.
fn grouped(source: &str) -> Option<String> {
    let inner = source.strip_prefix('^').or_else(|| source.strip_prefix(r"\A"))?;
    let inner = inner.strip_suffix('$').or_else(|| inner.strip_suffix(r"\z"))?;
    Some(format!(r"\A(?:{inner})\z"))
}
