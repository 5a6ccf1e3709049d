//! What it does: Reports `\Z` in the patterns of allowed values, title patterns and `matches`.
//!
//! Why: `\Z` also matches before a newline at the end of the string, so `"80\n"` is accepted where `"80"` was intended. The newline is
//! then written to files and passed to commands.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty port {
//!     newvalues /\A\d+\Z/
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty port {
//!     newvalues /\A\d+\z/
//!   }
//! }
//! ```
//!
//! Fix: safe; replaces `\Z` by `\z`.

use super::patterns::patterns;
use crate::check::{Sink, TypeSubject};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for pattern in patterns(subject) {
        let source = pattern.regex.source();
        let better = closed(source);
        if better == source {
            continue;
        }
        let found = sink.finding(pattern.span(), r"`\Z` also matches before a newline at the end").help(r"`\z` is the end of the text");
        sink.report(match pattern.becomes(&better) {
            Some(edit) => found.fix(r"make `\Z` `\z`", edit.span, edit.text),
            None => found,
        });
    }
}

/// Returns the pattern with `\Z` replaced by `\z`.
pub fn closed(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut letters = source.chars();
    while let Some(letter) = letters.next() {
        out.push(letter);
        if letter == '\\' {
            match letters.next() {
                Some('Z') => out.push('z'),
                Some(other) => out.push(other),
                None => {}
            }
        }
    }
    out
}
