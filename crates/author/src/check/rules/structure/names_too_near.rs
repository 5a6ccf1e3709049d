//! What it does: Reports two attributes of a type with names that differ in one letter.
//!
//! Why: They are easily confused, and a misspelled name is not detected because both exist.
//!
//! Example:
//!
//! ```rtype
//! type socket {
//!   newparam name
//!   newproperty listener
//!   newproperty listened
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type socket {
//!   newparam name
//!   newproperty listener
//!   newproperty accepted
//! }
//! ```
//!
//! A word and its plural, names that differ in a digit, and words of less than six letters are not reported.

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{AttributeDef, Role};
use std::collections::{HashMap, HashSet};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let attributes: Vec<&AttributeDef> = subject.type_def.attributes.iter().filter(|a| a.role != Role::Metaparam).collect();
    // Without the differing letter, names that differ in one letter are equal.
    let mut shortened: HashMap<String, Vec<usize>> = HashMap::new();
    let mut reported = HashSet::new();
    for (place, attribute) in attributes.iter().enumerate() {
        let name = attribute.name.as_str();
        let letters = name.char_indices().map(|(at, c)| format!("{}{}", name.get(..at).unwrap_or_default(), name.get(at + c.len_utf8()..).unwrap_or_default()));
        for short in letters.chain([name.to_owned()]) {
            let others = shortened.entry(short).or_default();
            for other in others.iter().filter(|o| **o != place) {
                let Some(earlier) = attributes.get(*other) else { continue };
                if near(earlier.name.as_str(), name) && reported.insert((*other, place)) {
                    let found = sink.finding(attribute.span, format!("`{name}` is easily taken for `{}`", earlier.name));
                    sink.report(found.also(earlier.span, "differs in one letter").help("call one of them otherwise"));
                }
            }
            if others.last() != Some(&place) {
                others.push(place);
            }
        }
    }
}

/// Returns `true` if the names differ in exactly one long word, by one letter.
fn near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split('_').collect(), b.split('_').collect());
    if a.len() != b.len() {
        return false;
    }
    let mut differing = a.iter().zip(&b).filter(|(x, y)| x != y);
    let (Some((x, y)), None) = (differing.next(), differing.next()) else { return false };
    let plural = |one: &str, many: &str| many.strip_suffix('s') == Some(one);
    let digits = |word: &str| word.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let long = x.chars().count().min(y.chars().count()) >= 6;
    long && !plural(x, y) && !plural(y, x) && digits(x) != digits(y) && strsim::damerau_levenshtein(x, y) == 1
}
