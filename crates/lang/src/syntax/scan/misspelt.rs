//! Finds misspelled keywords that determine how the source after them is parsed: `newpropery x { … }`, `provder x, for: y { … }`.
//!
//!
//! With a wrong keyword the braces would be parsed as another construct, and every line in them would be an error. So the copy contains
//! the intended keyword, and is parsed accordingly.

use super::pass::Pass;
use super::problem::Problem;
use super::text::BracketEdit;
use crate::diagnostics::nearest;

/// Keywords in the body of a type that are not followed by values or code.
const DIRECTIVES: &[&str] = &["newparam", "newproperty", "ensurable", "title_patterns"];

/// Common other names for these keywords.
const SYNONYMS: &[(&str, &str)] = &[
    ("param", "newparam"),
    ("parameter", "newparam"),
    ("newparameter", "newparam"),
    ("property", "newproperty"),
    ("prop", "newproperty"),
    ("newprop", "newproperty"),
    ("attribute", "newproperty"),
    ("newattribute", "newproperty"),
];

/// Ruby words similar to a keyword, but with another meaning.
const RUBY: &[&str] = &["newmetaparam", "copyparam", "paramclass", "cleanparams", "provide", "def", "end"];

/// Keywords that begin a declaration, with the expected next tokens.
const ITEMS: &[(&str, After)] = &[
    ("type", After::Name),
    ("provider", After::Name),
    ("kind", After::Name),
    ("mixin", After::Name),
    ("fn", After::Name),
    ("const", After::Name),
    ("typealias", After::Name),
    ("test", After::Text),
    ("use", After::Text),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Name,
    Text,
}

impl Pass<'_> {
    /// Reports the word at `at` if it is a misspelled keyword. The word must begin a line or follow `{` or `;`.
    pub(super) fn misspelt(&mut self, at: usize, word: &str) {
        if !self.begins(at) {
            return;
        }
        self.comma_before(at, word);
        let meant = match self.frames.as_slice() {
            [] => self.item(at, word).map(|meant| (meant, "")),
            [body] if body.open == b'{' && self.in_type => self.directive(at, word).map(|meant| (meant, " in a type")),
            _ => None,
        };
        let is_type = |word: &str| matches!(word, "type" | "mixin");
        if self.frames.is_empty() {
            self.in_type = is_type(meant.map_or(word, |(meant, _)| meant));
        }
        if let Some((meant, place)) = meant {
            self.problems.push(Problem::Misspelt { at, length: word.len(), meant, place });
            self.edits.push(BracketEdit { at, remove: word.len(), insert: meant });
        }
    }

    /// Reports the comma of `newparam name,` before another attribute, which would join the two.
    fn comma_before(&mut self, at: usize, word: &str) {
        let is_directive = matches!(self.frames.as_slice(), [body] if body.open == b'{') && self.in_type && DIRECTIVES.contains(&word);
        if !is_directive || self.line + self.indent != at {
            return;
        }
        let before = self.text.get(..self.line).unwrap_or("").trim_end();
        if let Some(comma) = before.strip_suffix(',').map(str::len) {
            self.problems.push(Problem::CommaAtEnd { at: comma });
            self.edits.push(BracketEdit { at: comma, remove: 1, insert: " " });
        }
    }

    pub(super) fn begins(&self, at: usize) -> bool {
        let before = self.text.get(self.line..at).unwrap_or("").trim_end();
        before.is_empty() || before.ends_with(['{', ';'])
    }

    /// Returns the rest of the line after the word, and `true` if whitespace precedes it.
    fn after(&self, at: usize, word: &str) -> (&str, bool) {
        let rest = self.ahead(at + word.len()).trim_end_matches('\r');
        let after = rest.trim_start_matches([' ', '\t']);
        (after, after.len() < rest.len())
    }

    fn directive(&self, at: usize, word: &str) -> Option<&'static str> {
        let synonym = || SYNONYMS.iter().find(|(other, _)| *other == word).map(|(_, meant)| *meant);
        if DIRECTIVES.contains(&word) || RUBY.contains(&word) {
            return None;
        }
        let meant = synonym().or_else(|| nearest(word, DIRECTIVES.iter().copied()))?;
        let (after, blank) = self.after(at, word);
        let begins_name = |text: &str| text.trim_start_matches([':', '"', '\'']).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let fits = match meant {
            "newparam" | "newproperty" => (blank && begins_name(after)) || after.strip_prefix('(').is_some_and(begins_name),
            "ensurable" => after.is_empty() || after.starts_with(['{', '}', ';', '#']) || after.starts_with("do"),
            _ => after.starts_with('{'),
        };
        fits.then_some(meant)
    }

    fn item(&self, at: usize, word: &str) -> Option<&'static str> {
        if ITEMS.iter().any(|(item, _)| *item == word) || word == "feature" || RUBY.contains(&word) {
            return None;
        }
        let (after, blank) = self.after(at, word);
        let kind = match after.bytes().next() {
            Some(b'"' | b'\'') => After::Text,
            Some(b':' | b'_' | b'a'..=b'z' | b'A'..=b'Z') if blank => After::Name,
            _ => return None,
        };
        nearest(word, ITEMS.iter().filter(|(_, after)| *after == kind).map(|(item, _)| *item))
    }
}
