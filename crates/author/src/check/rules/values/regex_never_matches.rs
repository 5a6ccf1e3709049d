//! What it does: Reports patterns in values, titles and blocks that never match.
//!
//! Why: A pattern that never matches has no effect. `^` and `$` match at the start and end of the string only, so no character can come
//! before `^` or after `$`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color { newvalues /^red$^blue$/ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color { newvalues /^(?:red|blue)$/ }
//! }
//! ```

use super::patterns::{in_blocks, patterns};
use crate::check::{Sink, TypeSubject};
use rtype_lang::value::Regex;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for pattern in patterns(subject).into_iter().chain(in_blocks(subject)) {
        let suspicious = pattern.regex.shape().is_some_and(|shape| shape.contradictory);
        if suspicious && Regex::is_impossible(&[pattern.regex], &[]) == Some(true) {
            let has_ends = pattern.regex.source().replace("[^", "").contains(['^', '$']);
            let help = match has_ends {
                true => "`^` and `$` are the ends of the text, `(?m:^…$)` those of lines",
                false => "what it asks for cannot be together: drop a part of it",
            };
            sink.report(sink.finding(pattern.span(), "no text matches this pattern").help(help));
        }
    }
}
