//! What it does: Reports patterns that accept every string, or every string except the empty string and strings with several lines, if
//! no other value is allowed.
//!
//! Why: The pattern has no effect, or a different effect than it seems to have: `/\w*/` accepts `!!`. To require a non-empty string,
//! write `type String[1]`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color { newvalues /\w*/ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color { newvalues /\A\w*\z/ }
//! }
//! ```

use super::patterns::{PatternUse, accepts_everything, patterns};
use crate::check::{Sink, TypeSubject};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for pattern in patterns(subject) {
        let alone = match pattern.used {
            PatternUse::Value(attribute) => attribute.values.literals().next().is_none(),
            PatternUse::Matches => true,
            PatternUse::Title | PatternUse::Block => false,
        };
        if !alone || !accepts_everything(pattern.regex) {
            continue;
        }
        let empty = if pattern.regex.is_match("") { "every value" } else { "every value but the empty one" };
        let found = sink.finding(pattern.span(), format!("the pattern accepts {empty}"));
        sink.report(found.help("anchor it, or leave it out; that a text is not empty is said by `type String[1]`"));
    }
}
