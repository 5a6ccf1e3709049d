//! What it does: Reports patterns next to listed values that accept almost every word.
//!
//! Why: A misspelled value is accepted by the pattern and has another meaning.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty state { newvalues open, closed, /./ }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty state { newvalues open, closed, /\A\d+%\z/ }
//! }
//! ```

use super::patterns::{PatternUse, patterns};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::ValueSet;
use rtype_lang::value::Regex;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for pattern in patterns(subject) {
        let PatternUse::Value(attribute) = pattern.used else { continue };
        let Some((literal, typo)) = swallowed(pattern.regex, &attribute.values) else { continue };
        let message = format!("the pattern accepts `{typo}`, which may well be `{literal}` misspelt");
        sink.report(sink.finding(pattern.span(), message).help("narrow the pattern to what the listed values do not look like"));
    }
}

/// Returns an allowed word and an accepted misspelling, if the pattern accepts misspellings of all words.
fn swallowed(regex: &Regex, values: &ValueSet) -> Option<(String, String)> {
    // A single word does not show what other values look like.
    let words: Vec<&str> = values.literals().map(|l| l.as_str()).filter(|l| l.len() > 3 && l.bytes().all(|b| b.is_ascii_lowercase())).collect();
    let slip = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.swap(1, 2);
        let swapped: String = letters.iter().collect();
        if swapped == word { word.chars().take(word.len() - 1).collect() } else { swapped }
    };
    let first = words.first()?;
    let accepted = |word: &&str| {
        let slip = slip(word);
        values.literals().all(|l| *l != *slip) && regex.is_match(&slip)
    };
    (words.len() > 1 && words.iter().all(accepted)).then(|| ((*first).to_owned(), slip(first)))
}
