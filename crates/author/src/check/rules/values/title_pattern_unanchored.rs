//! What it does: Reports title patterns that match only a part of a title.
//!
//! Why: A pattern may match anywhere. The text before or after the match is dropped, so different titles refer to the same
//! resource.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam house { isnamevar }
//!   newparam room { isnamevar }
//!   title_patterns { /(\w+):(\w+)/ => house, room }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam house { isnamevar }
//!   newparam room { isnamevar }
//!   title_patterns { /\A(\w+):(\w+)\z/ => house, room }
//! }
//! ```
//!
//! Fix: unsafe, because some titles are no longer accepted; anchors the pattern.

use super::patterns::{anchors_bind_to_branches, patterns};
use super::regex_unanchored::anchored;
use crate::check::{Sink, TypeSubject};
use rtype_lang::value::RegexEdge;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for pattern in patterns(subject).into_iter().filter(|p| !p.of_values()) {
        let Some(shape) = pattern.regex.shape() else { continue };
        let whole = shape.left == RegexEdge::Anchor && shape.right == RegexEdge::Anchor;
        if whole || shape.lines || anchors_bind_to_branches(pattern.regex) {
            continue;
        }
        let Some(title) = pattern.accepted_by_part() else { continue };
        let found = sink.finding(pattern.span(), format!("the title `{title}` fits, and a part of it is dropped"));
        let better = anchored(pattern.regex, shape);
        let found = found.label("searched for anywhere in the title").help(format!("anchor it: `{}`", pattern.spelled(&better)));
        sink.report(match pattern.becomes(&better) {
            Some(edit) => found.unsafe_fix("anchor the pattern", edit.span, edit.text),
            None => found,
        });
    }
}
