//! Determines which conditions on facts can hold at the same time.

use rtype_lang::types::{Confine, ConfineTest, FactTest, FactValue};

/// Returns `true` if a fact can satisfy both conditions.
pub(super) fn compatible(a: &FactTest, b: &FactTest) -> bool {
    a.fact != b.fact || a.values.iter().any(|x| b.values.iter().any(|y| overlap(x, y)))
}

fn overlap(a: &FactValue, b: &FactValue) -> bool {
    match (a, b) {
        (FactValue::Is(a), FactValue::Is(b)) => a.to_text().eq_ignore_ascii_case(&b.to_text()),
        // Strings are compared case-insensitively, and the case of the actual fact is unknown.
        (FactValue::Is(text), FactValue::Matches(regex)) | (FactValue::Matches(regex), FactValue::Is(text)) => {
            let text = text.to_text();
            let small = text.to_lowercase();
            let mut letters = small.chars();
            let large: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            [text.as_str(), &small, &large, &text.to_uppercase()].iter().any(|t| regex.is_match(t))
        }
        (FactValue::Matches(a), FactValue::Matches(b)) => a.overlaps(b) != Some(false),
    }
}

/// Returns a provider's conditions on facts.
pub(super) fn facts(confines: &[Confine]) -> impl Iterator<Item = (&FactTest, &Confine)> {
    confines.iter().filter_map(|c| if let ConfineTest::Fact(test) = &c.test { Some((test, c)) } else { None })
}
