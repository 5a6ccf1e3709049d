//! Ends recursions over aliases, which may refer to themselves.

use super::Type;
use std::collections::HashSet;
use std::hash::Hash;

/// The questions about aliases that a recursion has met.
///
/// A question that is met again while it is being answered counts as true: what a cycle of aliases does not
/// refuse, it accepts. An answer "false" is final, because it was found in spite of such assumptions; answers
/// "true" are kept while the question in which they were found is not refused. So each question is answered
/// once between two refusals, and the work is limited by the number of questions.
pub struct AliasGuard<Q> {
    accepted: HashSet<Q>,
    order: Vec<Q>,
    refused: HashSet<Q>,
    /// How many nested questions have no answer yet.
    depth: usize,
}

/// The nesting up to which questions are answered.
const MAX_DEPTH: usize = 200;

impl<Q> Default for AliasGuard<Q> {
    fn default() -> AliasGuard<Q> {
        AliasGuard { accepted: HashSet::new(), order: Vec::new(), refused: HashSet::new(), depth: 0 }
    }
}

impl<Q: Hash + Eq + Clone> AliasGuard<Q> {
    /// Answers a question, unless the guard has its answer.
    pub fn ask(&mut self, question: Q, answer: impl FnOnce(&mut AliasGuard<Q>) -> bool) -> bool {
        if self.accepted.contains(&question) {
            return true;
        }
        if self.depth > MAX_DEPTH || self.refused.contains(&question) {
            return false;
        }
        let known = self.order.len();
        self.accepted.insert(question.clone());
        self.order.push(question.clone());
        self.depth += 1;
        let is_true = answer(self);
        self.depth -= 1;
        if !is_true {
            for assumed in self.order.drain(known..) {
                self.accepted.remove(&assumed);
            }
            self.refused.insert(question);
        }
        is_true
    }
}

impl Type {
    /// Returns `true` if aliases occur more than once among the choices.
    pub(super) fn repeats_choice(&self) -> bool {
        let mut open = vec![self];
        let mut seen = HashSet::new();
        while let Some(of) = open.pop() {
            match of {
                Type::Alias(alias) if !seen.insert(std::sync::Arc::as_ptr(alias)) => return true,
                Type::Alias(alias) => open.extend(alias.target.get()),
                Type::Variant(types) => open.extend(types.iter()),
                Type::Optional(inner) => open.push(inner),
                _ => {}
            }
        }
        false
    }

    /// Returns the types of which an alias is a choice; other types are themselves.
    ///
    /// Aliases, variants and optional types are followed. An alias that is met again adds nothing, so a cycle
    /// of choices alone gives the other types of the choice, or none.
    pub(super) fn choices(&self) -> Vec<&Type> {
        let mut open = vec![self];
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        while let Some(of) = open.pop() {
            match of {
                Type::Alias(alias) => {
                    if seen.insert(std::sync::Arc::as_ptr(alias)) {
                        open.extend(alias.target.get());
                    }
                }
                Type::Variant(types) if !types.is_empty() => open.extend(types.iter().rev()),
                Type::Optional(inner) if !matches!(**inner, Type::Unit) => open.extend([&**inner, &Type::Undef]),
                other => found.push(other),
            }
        }
        found
    }
}
