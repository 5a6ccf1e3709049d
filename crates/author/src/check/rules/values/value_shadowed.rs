//! What it does: Reports patterns of allowed values that are never used, because the values, aliases and patterns before them
//! accept everything they accept.
//!
//! Why: Listed values and aliases are tried first, then patterns in order; the first match is used. The event and the block of a later
//! match never apply. Listed values are never shadowed. The first 100 patterns of an attribute are compared.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty angle { newvalues /\A\d+\z/, /\A\d\d\z/ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty angle { newvalues /\A\d+\z/ }
//! }
//! ```

use super::patterns::{TypePattern, PatternUse, patterns};
use crate::check::{Sink, TypeSubject};
use rtype_lang::source::Span;
use rtype_lang::types::{AttributeDef, Role};
use rtype_lang::value::Regex;

/// The number of patterns per attribute to compare with each other.
const MAX_PATTERNS: usize = 100;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let all = patterns(subject);
    for attribute in subject.type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        let of = |p: &&TypePattern<'_>| matches!(p.used, PatternUse::Value(of) if std::ptr::eq(of, attribute));
        let own: Vec<&TypePattern<'_>> = all.iter().filter(of).take(MAX_PATTERNS).collect();
        for (i, pattern) in own.iter().enumerate() {
            let earlier: Vec<&TypePattern<'_>> = own.iter().take(i).copied().filter(|p| !p.regex.is_backtracking()).collect();
            if is_shadowed(pattern, &earlier, attribute) {
                let found = sink.finding(pattern.span(), "the pattern never takes effect: all that it accepts is accepted before it");
                let alone = earlier.iter().find(|p| p.regex.includes(pattern.regex) == Some(true));
                sink.report(found.also(alone.map_or(Span::NONE, |p| p.span()), "by this one").help("delete it, or put it before the wider one"));
            }
        }
    }
}

fn is_shadowed(pattern: &TypePattern<'_>, earlier: &[&TypePattern<'_>], attribute: &AttributeDef) -> bool {
    let Some(shape) = pattern.regex.shape() else { return false };
    // Words alone cannot cover an infinite pattern; a pattern that matches nothing is reported by another rule.
    if (earlier.is_empty() && (!shape.finite || shape.left != shape.right)) || shape.contradictory {
        return false;
    }
    let words = || attribute.values.literals().chain(attribute.values.aliases.iter().map(|a| &a.name)).map(|word| word.as_str());
    // Usually the first string that the pattern accepts is not covered, which is cheaper to check than all strings.
    if let Some(Some(text)) = Regex::witness(&[pattern.regex], &[])
        && !words().any(|word| word == text)
        && !earlier.iter().any(|p| accepts(p.regex, &text))
    {
        return false;
    }
    let Some(words) = Regex::exactly(words()) else { return false };
    let before: Vec<&Regex> = earlier.iter().map(|p| p.regex).chain([&words]).collect();
    Regex::is_impossible(&[pattern.regex], &before) == Some(true)
}

/// Returns `true` if a pattern accepts a string. Uses a copy of the regex, so that the compiled form does not stay in memory with the
/// type.
fn accepts(regex: &Regex, text: &str) -> bool {
    Regex::new(regex.source(), regex.flags()).is_ok_and(|copy| copy.is_match(text))
}
