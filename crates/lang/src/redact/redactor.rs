//! The secrets of a run, and their redaction.

use super::forms::{self, Kind, SHORTEST};
use super::url::secrets_in;
use super::view::View;
use super::{Foreign, Redacted};
use crate::value::digest::hexadecimal;
use crate::value::{REDACTED, Value};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

/// Printed in place of a program's output that cannot be shown at all.
const WITHHELD: &str = "[output withheld: it contains a secret]";

/// The maximum number of readable parts to search for in a binary secret.
const MAX_RUNS: usize = 1_000;

/// The maximum extension of a base64 match: three characters and padding.
const AROUND: usize = 4;

/// The secrets of a run. Clones share their secrets.
#[derive(Clone, Default)]
pub struct Redactor(Arc<RwLock<KnownSecret>>);

#[derive(Default)]
struct KnownSecret {
    secrets: BTreeSet<String>,
    /// Secrets that are too short or too common for redaction. Program output with such a secret is withheld as a whole.
    words: BTreeSet<String>,
    /// Secrets without a matcher.
    fresh: Vec<String>,
    /// Built when needed, each for fewer secrets than the previous matcher, so that adding secrets one by one does not compile all of
    /// them again each time.
    matchers: Vec<Arc<Matcher>>,
}

struct Matcher {
    secrets: Vec<String>,
    plain: Patterns,
    bare: Patterns,
}

impl Matcher {
    fn new(secrets: Vec<String>) -> Option<Matcher> {
        let plain = Patterns::new(secrets.iter().flat_map(|s| forms::plain(s)))?;
        let bare = Patterns::new(secrets.iter().flat_map(|s| forms::bare(s)))?;
        Some(Matcher { secrets, plain, bare })
    }
}

struct Patterns {
    automaton: AhoCorasick,
    kinds: Vec<Kind>,
}

impl Patterns {
    fn new(patterns: impl Iterator<Item = (Vec<u8>, Kind)>) -> Option<Patterns> {
        let (patterns, kinds): (Vec<Vec<u8>>, Vec<Kind>) = patterns.unzip();
        // Other kinds of automata take longer to build than a run's strings take to search. Building fails only if there are more
        // patterns than fit into memory.
        let automaton = AhoCorasick::builder().kind(Some(AhoCorasickKind::NoncontiguousNFA)).build(&patterns).ok()?;
        Some(Patterns { automaton, kinds })
    }

    /// Returns the ranges of all matches in the original string. Matches may overlap, so the longest matches are not sufficient.
    fn find(&self, view: &View) -> Vec<Range<usize>> {
        let found = self.automaton.find_overlapping_iter(&view.bytes).filter_map(|m| {
            let is_base64 = self.kinds.get(m.pattern().as_usize()) == Some(&Kind::Base64);
            let (from, to) = if is_base64 { widened(view, m.start(), m.end()) } else { (m.start(), m.end()) };
            view.original(from, to).map(|(from, to)| from..to)
        });
        found.collect()
    }
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redactor")
    }
}

/// All redactors are equal, so that a comparison cannot reveal secrets.
impl PartialEq for Redactor {
    fn eq(&self, _: &Redactor) -> bool {
        true
    }
}

impl Eq for Redactor {}

impl Redactor {
    /// Creates a redactor without secrets.
    pub fn new() -> Redactor {
        Redactor::default()
    }

    /// Adds a secret. `is_word` marks a common value such as `present`, which is not redacted on its own.
    pub fn add(&self, secret: &str, is_word: bool) {
        // The password of a locked account is not a secret.
        if secret.trim().is_empty() || secret.chars().all(|c| matches!(c, '!' | '*')) {
            return;
        }
        let is_word = is_word || secret.trim().len() < SHORTEST;
        let is_known = |known: &KnownSecret| if is_word { known.words.contains(secret) } else { known.secrets.contains(secret) };
        if is_known(&self.0.read().unwrap_or_else(PoisonError::into_inner)) {
            return;
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if is_word {
            known.words.insert(secret.to_owned());
        } else {
            known.secrets.insert(secret.to_owned());
            known.fresh.push(secret.to_owned());
        }
    }

    /// Adds the secrets in a value: the whole value if `is_secret`, sensitive values inside it, and passwords in URLs.
    pub fn add_value(&self, value: &Value, is_secret: bool, is_word: &dyn Fn(&str) -> bool) {
        match value {
            Value::Sensitive(inner) => self.add_value(inner, true, is_word),
            Value::Array(items) => items.iter().for_each(|v| self.add_value(v, is_secret, is_word)),
            Value::Map(map) => {
                map.values().for_each(|v| self.add_value(v, is_secret, is_word));
                let keys = map.keys().filter(|key| !key.as_text().is_some_and(is_field));
                keys.for_each(|key| self.add_value(key, is_secret, is_word));
            }
            Value::Object(object) => {
                object.fields.values().for_each(|v| self.add_value(v, is_secret, is_word));
                let (Ok(text) | Err(text)) = &object.text;
                self.add_value(&Value::Str(text.clone()), is_secret, is_word);
            }
            Value::Str(text) if is_secret => self.add(text, is_word(text)),
            Value::Str(text) => secrets_in(text).iter().for_each(|secret| self.add(secret, false)),
            Value::Binary(bytes) if is_secret => {
                self.add(&STANDARD_NO_PAD.encode(bytes), false);
                match std::str::from_utf8(bytes) {
                    Ok(text) => self.add(text, is_word(text)),
                    Err(_) => printed_forms(bytes).iter().for_each(|text| self.add(text, false)),
                }
            }
            Value::Sym(name) if is_secret && !value.is_absent() && name.as_str() != "present" => {
                self.add(name.as_str(), is_word(name.as_str()))
            }
            Value::Resource(reference) if is_secret => self.add(&reference.title, false),
            Value::Int(_) | Value::Float(_) if is_secret => {
                let text = value.to_text();
                self.add(&text, is_word(&text));
            }
            _ => {}
        }
    }

    /// Adds the secrets of another redactor.
    pub fn extend(&self, other: &Redactor) {
        if Arc::ptr_eq(&self.0, &other.0) {
            return;
        }
        let (secrets, words) = {
            let known = other.0.read().unwrap_or_else(PoisonError::into_inner);
            (known.secrets.clone(), known.words.clone())
        };
        secrets.iter().for_each(|s| self.add(s, false));
        words.iter().for_each(|s| self.add(s, true));
    }

    /// Redacts a string from rtype.
    pub fn redact(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for range in self.find(text) {
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(REDACTED);
            at = range.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }

    /// Redacts an external string. External strings can only be printed in this way.
    pub fn reveal(&self, text: &Foreign) -> String {
        text.render(|words, is_output| if is_output && self.holds_word(words) { WITHHELD.to_owned() } else { self.redact(words) })
    }

    /// Redacts an external string for an error that carries it.
    pub fn redacted(&self, text: &Foreign) -> Redacted {
        Redacted(self.reveal(text))
    }

    /// Returns the lines of an external string. The string is redacted before it is split, because a part of a secret would not be
    /// recognized.
    pub fn lines(&self, text: &Foreign) -> Vec<Foreign> {
        self.reveal(text).split('\n').map(Foreign::from).collect()
    }

    /// Redacts all strings in a JSON value.
    pub fn redact_json(&self, json: &mut serde_json::Value) {
        match json {
            serde_json::Value::String(text) => *text = self.redact(text),
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| self.redact_json(item)),
            serde_json::Value::Object(map) => {
                map.values_mut().for_each(|value| self.redact_json(value));
                if map.keys().any(|key| !is_field(key) && self.is_in(key)) {
                    let redacted = |key: String| if is_field(&key) { key } else { self.redact(&key) };
                    *map = std::mem::take(map).into_iter().map(|(key, value)| (redacted(key), value)).collect();
                }
            }
            serde_json::Value::Number(number) => {
                let text = number.to_string();
                if self.is_in(&text) {
                    *json = REDACTED.into();
                }
            }
            _ => {}
        }
    }

    /// Returns `true` if a string contains a secret.
    pub fn is_in(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    /// Returns the disjoint ranges of secrets in a string, in order.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        let matchers = if text.is_empty() { Vec::new() } else { self.matchers() };
        if matchers.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<Range<usize>> = Vec::new();
        for view in View::all(text) {
            let bare = view.bare();
            for matcher in &matchers {
                found.extend(matcher.plain.find(&view));
                found.extend(matcher.bare.find(&bare));
            }
        }
        merged(found, text)
    }

    /// Returns `true` if a string is a short or common secret, alone or as the value in `name=value`.
    pub fn is_word(&self, text: &str) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.words.contains(text) || text.split_once('=').is_some_and(|(_, value)| known.words.contains(value))
    }

    /// Returns `true` if a string contains a short or common secret.
    fn holds_word(&self, text: &str) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let contains = |bytes: &[u8], word: &str| bytes.windows(word.len()).any(|part| part == word.as_bytes());
        !known.words.is_empty() && View::all(text).iter().any(|view| known.words.iter().any(|word| contains(&view.bytes, word)))
    }

    fn matchers(&self) -> Vec<Arc<Matcher>> {
        {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if known.fresh.is_empty() {
                return known.matchers.clone();
            }
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut secrets = std::mem::take(&mut known.fresh);
        while let Some(last) = known.matchers.pop_if(|last| last.secrets.len() <= secrets.len()) {
            secrets.extend(last.secrets.iter().cloned());
        }
        if !secrets.is_empty() {
            known.matchers.extend(Matcher::new(secrets).map(Arc::new));
        }
        known.matchers.clone()
    }
}

/// Returns `true` if the key of a map is a field name, such as `password` or `db_host`, which is not a secret.
fn is_field(key: &str) -> bool {
    key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
}

/// Returns the strings that programs may show for bytes outside UTF-8: the bytes unchanged, in hexadecimal, and the readable parts that
/// are too long to occur elsewhere by chance.
fn printed_forms(bytes: &[u8]) -> Vec<String> {
    const READABLE: usize = 8;
    let runs = bytes.split(|b| !(b.is_ascii_graphic() || *b == b' ')).filter(|run| run.len() >= READABLE);
    let mut forms: Vec<String> = runs.take(MAX_RUNS).map(|run| String::from_utf8_lossy(run).into_owned()).collect();
    forms.push(String::from_utf8_lossy(bytes).into_owned());
    forms.push(hexadecimal(bytes));
    forms
}

/// Extends a base64 match by adjacent characters that may contain bits of the secret, and by padding.
fn widened(view: &View, from: usize, to: usize) -> (usize, usize) {
    let is_letter = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_' | b'=');
    let goes_on = |at: usize| view.bytes.get(at).is_some_and(is_letter) && view.is_joined(at);
    let before =
        (1..=AROUND.min(from)).take_while(|n| view.bytes.get(from - n).is_some_and(is_letter) && view.is_joined(from - n + 1)).count();
    let after = (to..to + AROUND).take_while(|at| goes_on(*at)).count();
    (from - before, to + after)
}

/// Merges ranges that are adjacent or separated only by whitespace, because the number of ranges would be information as well.
fn merged(mut ranges: Vec<Range<usize>>, text: &str) -> Vec<Range<usize>> {
    ranges.sort_by_key(|r| (r.start, r.end));
    let mut out: Vec<Range<usize>> = Vec::new();
    for mut range in ranges {
        while !text.is_char_boundary(range.start) {
            range.start -= 1;
        }
        while !text.is_char_boundary(range.end) {
            range.end += 1;
        }
        match out.last_mut() {
            Some(last) if text.get(last.end..range.start).is_none_or(|gap| gap.trim().is_empty()) => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

#[cfg(test)]
mod tests;
