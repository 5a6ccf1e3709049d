//! What it does: Reports patterns that need look-around, back-references or possessive repetition.
//!
//! Why: These patterns do not run in linear time and have a limit of steps. With nested repetitions (`(a+)+`) a string of a few dozen
//! characters can exceed it, and the pattern does not match.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name { matches /\A(?!.*--)[a-z-]+\z/ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name { matches /\A[a-z]+(?:-[a-z]+)*\z/ }
//! }
//! ```

use super::patterns::{in_blocks, patterns};
use super::regex_trailing_newline::closed;
use crate::check::{Sink, TypeSubject};
use rtype_lang::value::Regex;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for pattern in patterns(subject).into_iter().chain(in_blocks(subject)) {
        if backtracks(pattern.regex) {
            let steep = if pattern.regex.has_nested_repetition() { "; a repetition inside another multiplies them" } else { "" };
            let found = sink.finding(pattern.span(), format!("the pattern backtracks: it runs with a limit of steps{steep}"));
            sink.report(found.help("say it without look-around and back-references, or by two patterns"));
        }
    }
}

/// Returns `true` if a pattern backtracks for a reason other than `\Z`, which another rule reports.
fn backtracks(regex: &Regex) -> bool {
    if !regex.is_backtracking() {
        return false;
    }
    let closed = closed(regex.source());
    closed == regex.source() || Regex::new(&closed, regex.flags()).is_ok_and(|r| r.is_backtracking())
}
