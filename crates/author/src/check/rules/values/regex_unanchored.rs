//! What it does: Reports patterns of allowed values and of `matches` that match a part of the value although the whole value
//! seems to be intended: alternatives without anchors, words, a repetition without an anchor at its end.
//!
//! Why: A pattern may match anywhere. `/true|false/` accepts `nottrue`, and `/\A\d+/` accepts `8o`.
//!
//! Patterns that are clearly intended to match anywhere are not reported: one character or class (`/\S/`, `/:/`), plain text,
//! a prefix (`/\A\//`), a suffix (`/\.cnf\z/`), a word between boundaries.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam locked { newvalues /true|false/ }
//!   newproperty port { newvalues /\A\d+/ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam locked { newvalues /\A(?:true|false)\z/ }
//!   newproperty port { newvalues /\A\d+\z/ }
//! }
//! ```
//!
//! Fix: unsafe, because some values are no longer accepted; anchors the pattern.

use super::patterns::{PatternUse, accepts_everything, anchors_bind_to_branches, patterns};
use crate::check::{Sink, TypeSubject};
use rtype_lang::value::{RegexEdge, Regex, Shape};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for pattern in patterns(subject).into_iter().filter(|p| p.of_values()) {
        let Some(shape) = pattern.regex.shape() else { continue };
        if !seems_whole(shape, matches!(pattern.used, PatternUse::Value(_))) || reported_by_another_rule(pattern.regex, shape) {
            continue;
        }
        let Some(value) = pattern.accepted_by_part() else { continue };
        let found = sink.finding(pattern.span(), format!("the pattern also accepts `{value}`: it is searched for"));
        let better = anchored(pattern.regex, shape);
        let found = found.help(format!("for the whole value: `{}`", pattern.spelled(&better)));
        sink.report(match pattern.becomes(&better) {
            Some(edit) => found.unsafe_fix("anchor the pattern", edit.span, edit.text),
            None => found,
        });
    }
}

/// Returns `true` if a pattern seems to describe the whole value although an end is not anchored.
fn seems_whole(shape: &Shape, lists_values: bool) -> bool {
    use RegexEdge::{Anchor, Boundary, Open, Repetition};
    match (shape.left, shape.right) {
        (Boundary, _) | (_, Boundary) => false,
        // In a search, a repetition at an open end has no effect, so the end of the value was probably intended.
        (Repetition, _) | (_, Repetition) => true,
        (Open, Open) => !shape.branches.is_empty() || (lists_values && shape.finite && !shape.plain),
        (Anchor, _) | (_, Anchor) | (RegexEdge::Anything, _) | (_, RegexEdge::Anything) => false,
    }
}

fn reported_by_another_rule(regex: &Regex, shape: &Shape) -> bool {
    shape.lines || shape.contradictory || anchors_bind_to_branches(regex) || accepts_everything(regex)
}

/// Adds the missing anchors to the source.
pub fn anchored(regex: &Regex, shape: &Shape) -> String {
    let source = regex.source();
    let source = if has_alternatives(source) { format!("(?:{source})") } else { source.to_owned() };
    let anchor = |edge: RegexEdge, anchor: &'static str| if edge == RegexEdge::Anchor { "" } else { anchor };
    // A comment in an extended regex extends to the end of the line.
    let end = if regex.flags().extended && source.contains('#') { "\n" } else { "" };
    format!("{}{source}{end}{}", anchor(shape.left, r"\A"), anchor(shape.right, r"\z"))
}

/// Returns `true` if a source has alternatives outside all groups.
fn has_alternatives(source: &str) -> bool {
    let (mut depth, mut in_class, mut escaped) = (0usize, false, false);
    for letter in source.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            _ if in_class => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}
