//! Selects the files that may refer to a definition. The search for references loads no other files.

/// Words that a file must contain to refer to a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Mentions {
    /// The spellings of the definition. A file must contain at least one spelling; without spellings, every file may refer to the
    /// definition.
    pub words: Vec<String>,
    /// The name of the declaring type. A file must also contain this name.
    pub owner: Option<String>,
    /// Whether files of the standard library may refer to the definition.
    pub also_standard: bool,
}

impl Mentions {
    /// Returns whether a file may refer to the definition.
    pub fn are_in(&self, text: &str) -> bool {
        (self.words.is_empty() || self.words.iter().any(|word| has_word(text, word)))
            && self.owner.as_ref().is_none_or(|owner| has_word(text, owner))
    }
}

/// Returns whether a file contains a word, ignoring case, because references to types begin with a capital letter.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let (bytes, word) = (text.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else { return true };
    let is_here = |at: usize| {
        let end = at + word.len();
        bytes.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(word))
            && !(is_part(at.checked_sub(1).and_then(|before| bytes.get(before))) && is_part(Some(first)))
            && !(is_part(bytes.get(end)) && is_part(word.last()))
    };
    bytes.iter().enumerate().filter(|(_, b)| b.eq_ignore_ascii_case(first)).any(|(at, _)| is_here(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_in_any_case() {
        for (text, word, found) in [
            ("type lamp {", "lamp", true),
            ("Lamp['a'] -> X", "lamp", true),
            ("lamp2 { }", "lamp", false),
            ("my_lamp", "lamp", false),
            ("x: '/etc/a b'", "/etc/a b", true),
            ("set?", "set", true),
            ("", "a", false),
            ("lam", "lamp", false),
        ] {
            assert_eq!(has_word(text, word), found, "{word} in {text}");
        }
    }
}
