//! What it does: Reports patterns of values and titles that match at the start or end of lines: `(?m:^…$)`.
//!
//! Why: The value is accepted if any line matches: `"80\nrm -rf /"` is accepted where `"80"` was intended.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty port { newvalues /(?m:^\d+$)/ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty port { newvalues /^\d+$/ }
//! }
//! ```
//!
//! Fix: unsafe, because values with several lines are no longer accepted; anchors the pattern at the start and end of the string.

use super::patterns::{newline, patterns};
use crate::check::{Sink, TypeSubject};
use rtype_lang::value::{Regex, Value, inspect};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for pattern in patterns(subject) {
        if !pattern.regex.shape().is_some_and(|shape| shape.lines) {
            continue;
        }
        let several = newline().and_then(|newline| Regex::witness(&[pattern.regex, newline], &[])?);
        let Some(several) = several else { continue };
        let what = if pattern.of_values() { "value" } else { "title" };
        let message = format!("one line that fits is enough: the {what} {} is accepted", inspect(&Value::str(several)));
        let found = sink.finding(pattern.span(), message).help(r"`^` and `$` outside of `(?m:…)` are the ends of the text");
        let source = pattern.regex.source();
        let inner = source.strip_prefix("(?m:^").and_then(|s| s.strip_suffix("$)"));
        let edit = inner.filter(|inner| !inner.contains(['^', '$', '|', '('])).and_then(|inner| pattern.becomes(&format!(r"\A{inner}\z")));
        sink.report(match edit {
            Some(edit) => found.unsafe_fix("ask for the ends of the text", edit.span, edit.text),
            None => found,
        });
    }
}
