//! What it does: Reports title patterns that are never used, because the patterns before them match every title that they
//! match.
//!
//! Why: The first matching pattern is used. The attributes that a later pattern would set stay unset.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam house { isnamevar }
//!   newparam room { isnamevar; defaultto "hall" }
//!   title_patterns {
//!     /\A(.+)\z/       => house
//!     /\A(.+):(\w+)\z/ => house, room
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam house { isnamevar }
//!   newparam room { isnamevar; defaultto "hall" }
//!   title_patterns {
//!     /\A(.+):(\w+)\z/ => house, room
//!     /\A(.+)\z/       => house
//!   }
//! }
//! ```

use crate::check::{Sink, TypeSubject};
use rtype_lang::value::Regex;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let rows = &subject.type_def.title_patterns;
    for (i, row) in rows.iter().enumerate().skip(1) {
        // Backtracking patterns cannot be analyzed.
        let earlier: Vec<_> = rows.iter().take(i).filter(|r| !r.regex.is_backtracking()).collect();
        let before: Vec<&Regex> = earlier.iter().map(|r| &*r.regex).collect();
        // A pattern that matches no title is reported by another rule.
        if Regex::is_impossible(&[&row.regex], &before) != Some(true) || Regex::is_impossible(&[&row.regex], &[]) == Some(true) {
            continue;
        }
        let found = sink.finding(row.span, "this title pattern is never taken: what it fits is taken by those before it");
        let alone = earlier.iter().find(|r| r.regex.includes(&row.regex) == Some(true));
        sink.report(found.also(alone.map_or(Default::default(), |r| r.span), "fits all of it").help("put the narrower pattern first"));
    }
}
