//! Facts that modules define in Ruby, and whose values are not known.

use super::ManifestEvaluator;
use crate::compile::failure::EvaluationFailure;
use crate::compile::value::ManifestValue;
use std::sync::Arc;

/// The functions that read single facts, or hand `$facts` on. All others would take the facts that are not known as missing.
const READS_SINGLE_FACTS: &[&str] = &[
    "assert_type",
    "dig",
    "epp",
    "fact",
    "get",
    "getvar",
    "inline_epp",
    "is_hash",
    "lest",
    "pick",
    "then",
    "type",
    "validate_hash",
    "with",
];

impl ManifestEvaluator {
    /// Refuses a fact that a module defines in Ruby, and whose value is not known.
    ///
    /// # Errors
    /// Returns the refusal.
    pub(crate) fn refuse_unread_fact(&self, name: &str) -> Result<(), EvaluationFailure> {
        let name = name.strip_prefix("::").unwrap_or(name);
        if !self.environment.files.unread_facts.contains(name) {
            return Ok(());
        }
        let text = format!("the fact `{name}`, which a module defines, is not known: facts in Ruby are not evaluated");
        Err(EvaluationFailure::unsupported(text))
    }

    /// Returns `true` for `$facts`, under this or another name, if modules define facts that are not known.
    pub(crate) fn lacks_facts(&self, value: &ManifestValue) -> bool {
        let is_facts = match (value, &self.environment.facts) {
            (ManifestValue::Hash(value), ManifestValue::Hash(facts)) => Arc::ptr_eq(value, facts),
            _ => false,
        };
        is_facts && !self.environment.files.unread_facts.is_empty()
    }

    /// Refuses a key of `$facts` whose value is not known.
    ///
    /// # Errors
    /// Returns the refusal.
    pub(crate) fn refuse_unread_key(&self, hash: &ManifestValue, key: &ManifestValue) -> Result<(), EvaluationFailure> {
        match key.as_str().filter(|key| self.lacks_facts(hash) && hash.get(key).is_none()) {
            Some(name) => self.refuse_unread_fact(name),
            None => Ok(()),
        }
    }

    /// Refuses functions that take `$facts` as all facts.
    ///
    /// # Errors
    /// Returns the refusal.
    pub(crate) fn refuse_all_facts(&self, function: &str, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
        if READS_SINGLE_FACTS.contains(&function) || !arguments.iter().any(|argument| self.lacks_facts(argument)) {
            return Ok(());
        }
        let text = format!("`{function}` of all facts: facts that modules define in Ruby are not evaluated");
        Err(EvaluationFailure::unsupported(text))
    }
}
