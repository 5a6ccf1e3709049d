//! What it does: Reports attributes with spellings of true and false as values: `yes` and `no`, both in addition to `true` and `false`,
//! or patterns of them.
//!
//! Why: Blocks must handle all spellings, and values with the same meaning differ. `true` and `false` alone are not reported:
//! test them with `self.x?`.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam locked { newvalues true, false, yes, no }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam locked, kind: boolean
//! }
//! ```

use super::patterns::of;
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{AttributeDef, Role, ValueStep};
use rtype_lang::value::Regex;
use std::sync::LazyLock;

const TRUE: &[&str] = &["true", "yes", "y", "t", "on", "1"];
const FALSE: &[&str] = &["false", "no", "n", "f", "off", "0"];

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for attribute in subject.type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        // An attribute with `munge` already handles the spellings.
        let munges = attribute.munge.steps.iter().any(|s| !matches!(s, ValueStep::Values));
        if munges || !attribute.values.aliases.is_empty() || !is_boolean(attribute) {
            continue;
        }
        let Some(first) = attribute.values.values.first() else { continue };
        let found = sink.finding(first.span, format!("the values of `{}` are spellings of true and false", attribute.name));
        sink.report(found.help("say `kind: boolean` or `type Boolean`: either gives `true` and `false`"));
    }
}

fn is_boolean(attribute: &AttributeDef) -> bool {
    let literals: Vec<&str> = attribute.values.literals().map(|l| l.as_str()).collect();
    let patterns: Vec<_> = attribute.values.regexes().collect();
    let spelled = |word: &&str| TRUE.contains(word) || FALSE.contains(word);
    if !literals.iter().all(spelled) || attribute.values.values.iter().any(|v| v.action.is_some() || v.event.is_some()) {
        return false;
    }
    if patterns.is_empty() {
        let both = |yes: &str, no: &str| literals.contains(&yes) && literals.contains(&no);
        return both("yes", "no") || (both("true", "false") && literals.len() > 2);
    }
    // Treat a pattern of words as if it matched the whole value, even if it lacks anchors.
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| of(r"(?i)\A(?:true|false|yes|no|on|off|[tfyn])\z"));
    let Some(words) = WORDS.as_ref() else { return false };
    patterns.iter().all(|p| {
        let whole = p.shape().filter(|s| s.finite).and_then(|_| p.whole());
        whole.is_some_and(|whole| words.includes(whole) == Some(true))
    })
}
