//! The regexes in all files, compiled once.

use crate::value::{BadRegex, EcoString, Flags, Regex};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The regexes in use, by source and flags. Types by the same author often share regexes, and building an automaton for the linter
/// takes far longer than loading a type. Clones share their regexes.
#[derive(Clone, Debug, Default)]
pub struct SharedRegexes(Arc<Mutex<RegexTable>>);

type RegexTable = HashMap<(EcoString, Flags), Weak<Regex>, RandomState>;

impl SharedRegexes {
    /// Returns the regex; equal regexes are shared.
    ///
    ///
    /// # Errors
    ///
    /// Returns [`BadRegex`] if the regex is malformed or too large.
    pub fn get(&self, source: &str, flags: Flags) -> Result<Arc<Regex>, BadRegex> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (EcoString::from(source), flags);
        if let Some(regex) = known.get(&key).and_then(Weak::upgrade) {
            return Ok(regex);
        }
        let regex = Arc::new(Regex::new(source, flags)?);
        if known.len() == known.capacity() {
            known.retain(|_, regex| regex.strong_count() > 0);
        }
        known.insert(key, Arc::downgrade(&regex));
        Ok(regex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_regexes_are_shared_while_they_are_used() {
        let regexes = SharedRegexes::default();
        let ignore_case = Flags { ignore_case: true, ..Flags::default() };
        let one = regexes.get("a+", Flags::default()).unwrap();
        assert!(Arc::ptr_eq(&one, &regexes.clone().get("a+", Flags::default()).unwrap()));
        assert!(!Arc::ptr_eq(&one, &regexes.get("a+", ignore_case).unwrap()));
        assert!(regexes.get("(", Flags::default()).is_err());
        for number in 0..1000 {
            regexes.get(&format!("a{{{number}}}"), Flags::default()).unwrap();
        }
        assert!(regexes.0.lock().unwrap().len() < 100, "regexes that are no longer used are forgotten");
    }
}
