//! What it does: Reports values that only a pattern allows and that resemble a listed value.
//!
//! Why: If a type allows certain words and also any other string, a misspelled word is accepted as a different value, for example as a
//! package version that does not exist. Values with digits, dots or slashes are not reported.
//!
//! Example:
//!
//! ```puppet
//! package { 'nginx':
//!   ensure => instaled,
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! package { 'nginx':
//!   ensure => installed,
//! }
//! ```
//!
//! Fix: unsafe; replaces the value by the listed one.

use super::{given, names_it, open_values};
use crate::check::{ResourceSubject, Sink};
use rtype_model::manifest::DeclaredValue;
use rtype_lang::types::{Matcher, ValueSet};
use rtype_lang::value::Value;

/// Minimum length of words; shorter ones are similar to too many others.
const SHORTEST: usize = 4;

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    for (_, attribute, given) in given(subject).filter(|(_, a, _)| !names_it(a) && !a.sensitive) {
        let alone = given.value.as_array().is_none();
        for text in open_values(given).filter_map(Value::as_text) {
            let Some(word) = meant(&attribute.values, text) else { continue };
            let message = format!("`{text}` is allowed by a pattern, but looks like the word `{word}`");
            let found = sink.finding(given.span, message).help(format!("did you mean `{word}`?"));
            let edit = alone.then(|| replaced(subject, given, text, word)).flatten();
            sink.report(match edit {
                Some(new) => found.unsafe_fix(format!("write `{word}`"), given.span, new),
                None => found,
            });
        }
    }
}

/// Returns the word that a value probably misspells.
fn meant<'a>(values: &'a ValueSet, text: &str) -> Option<&'a str> {
    let is_word = text.len() >= SHORTEST && text.chars().all(|c| c.is_ascii_alphabetic() || c == '_' || c == '-');
    if !is_word || !matches!(values.find(text)?.matcher, Matcher::Regex(_)) {
        return None;
    }
    let words = values.literals().chain(values.aliases.iter().map(|a| &a.name)).map(|w| w.as_str());
    // Accept a difference in case or one typo; two typos in a long word.
    let limit = if text.len() < 8 { 1 } else { 2 };
    words
        .filter(|w| w.len() >= SHORTEST && w.len().abs_diff(text.len()) <= limit)
        .map(|w| (strsim::damerau_levenshtein(&text.to_lowercase(), &w.to_lowercase()), w))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, w)| w)
}

/// Returns the source with the word in place of the misspelled value.
fn replaced(subject: &ResourceSubject<'_>, given: &DeclaredValue, text: &str, word: &str) -> Option<String> {
    let written = subject.file.source.slice(given.span);
    let bare = written.trim_matches(['\'', '"']);
    (bare == text).then(|| written.replacen(text, word, 1))
}
