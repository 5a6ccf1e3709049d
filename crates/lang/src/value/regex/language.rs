//! Relations between patterns: finds strings that some patterns match and others do not.
//!
//! Each pattern is compiled to a deterministic automaton. The search runs all automata in parallel, byte by byte and breadth first,
//! until it finds a string or has visited all combinations of states. Results are exact: `None` is returned for a pattern that
//! backtracks or becomes too large.

use super::Regex;
use indexmap::IndexMap;
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::{primitives::StateID, start, syntax};
use regex_automata::{Anchored, nfa::thompson};
use smallvec::SmallVec;
use std::collections::HashMap;

/// A pattern as a deterministic automaton.
pub(super) type PatternAutomaton = dense::DFA<Vec<u32>>;

/// The maximum size of an automaton, and of the memory for building it, in bytes.
const SIZE_LIMIT: usize = 1 << 20;
/// The maximum number of visited state combinations.
const MAX_PLACES: usize = 10_000;
/// The preferred bytes for examples, in order of preference; all other bytes follow.
const READABLE: &[u8] = b"xabcdefghijklmnopqrstuvwyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:,@+=%#!?*&~^$()[]{}<>;|'\"`\\ ";
/// The number of leading letters and digits in [`READABLE`].
const PLAIN: usize = 62;

impl Regex {
    /// Returns `true` if this pattern matches every string that `other` matches; `None` if this cannot be decided.
    pub fn includes(&self, other: &Regex) -> Option<bool> {
        Regex::is_impossible(&[other], &[self])
    }

    /// Returns `true` if some string matches both; `None` if this cannot be decided.
    pub fn overlaps(&self, other: &Regex) -> Option<bool> {
        Some(!Regex::is_impossible(&[self, other], &[])?)
    }

    /// Returns `true` if this pattern matches every string, including the empty string; `None` if this cannot be decided.
    pub fn matches_everything(&self) -> Option<bool> {
        Regex::is_impossible(&[], &[self])
    }

    /// Returns `true` if this pattern matches every non-empty string; `None` if this cannot be decided.
    pub fn matches_all_nonempty(&self) -> Option<bool> {
        let product = Product::new(&[], &[self])?;
        product.shortest(&product.bytes(), 1, usize::MAX).map(|found| found.is_none())
    }

    /// Returns a short string that this pattern matches and `other` does not: `Some(None)` if no such string exists, `None` if
    /// undecided.
    pub fn witness_outside(&self, other: &Regex) -> Option<Option<String>> {
        Regex::witness(&[self], &[other])
    }

    /// Returns `true` if no string matches all of `all_of` and none of `none_of`; `None` if this cannot be decided.
    pub fn is_impossible(all_of: &[&Regex], none_of: &[&Regex]) -> Option<bool> {
        if all_of.iter().any(|r| none_of.contains(r)) {
            return Some(true);
        }
        let product = Product::new(all_of, none_of)?;
        product.shortest(&product.bytes(), 0, usize::MAX).map(|found| found.is_none())
    }

    /// Returns a short string that matches all of `all_of` and none of `none_of`: `Some(None)` if no such string exists, `None` if this
    /// cannot be decided. Letters and digits are preferred.
    pub fn witness(all_of: &[&Regex], none_of: &[&Regex]) -> Option<Option<String>> {
        // This also holds for patterns without an automaton.
        if all_of.iter().any(|r| none_of.contains(r)) {
            return Some(None);
        }
        search(all_of, none_of, 0)
    }

    /// Returns a [`Regex::witness`] for display. The witness is the empty string only if no other string exists.
    pub fn example(all_of: &[&Regex], none_of: &[&Regex]) -> Option<Option<String>> {
        if all_of.iter().any(|r| none_of.contains(r)) {
            return Some(None);
        }
        match search(all_of, none_of, 1)? {
            Some(text) => Some(Some(text)),
            None => search(all_of, none_of, 0),
        }
    }

    /// Returns a pattern that matches exactly these strings.
    pub fn exactly<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<Regex> {
        let texts: Vec<String> = texts.into_iter().map(regex_syntax::escape).collect();
        // An empty class never matches.
        let source = if texts.is_empty() { r"[^\s\S]".to_owned() } else { format!("^(?:{})$", texts.join("|")) };
        Regex::new(&source, super::Flags::default()).ok()
    }

    /// Returns the automaton; `None` for a pattern that backtracks or becomes too large.
    fn automaton(&self) -> Option<&PatternAutomaton> {
        self.automaton.get_or_init(|| self.build_automaton().map(Box::new)).as_deref()
    }

    fn build_automaton(&self) -> Option<PatternAutomaton> {
        if self.is_backtracking() {
            return None;
        }
        let config = dense::Config::new()
            .start_kind(StartKind::Unanchored)
            .accelerate(false)
            // Unicode word boundaries are not supported: the automaton gives up at the first non-ASCII character.
            .unicode_word_boundary(true)
            .dfa_size_limit(Some(SIZE_LIMIT))
            .determinize_size_limit(Some(SIZE_LIMIT));
        dense::Builder::new()
            .configure(config)
            .syntax(syntax::Config::new())
            .thompson(thompson::Config::new().nfa_size_limit(Some(SIZE_LIMIT)))
            .build(&self.translation.pattern)
            .ok()
    }
}

/// The progress of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Progress {
    /// The pattern has matched, and the rest of the string does not matter.
    Matched,
    /// The pattern may still match.
    At(StateID),
    /// The pattern cannot match any more.
    Never,
}

/// A search node: the progress of all patterns, required matches first.
#[derive(Clone, PartialEq, Eq, Hash)]
struct SearchNode {
    progress: SmallVec<[Progress; 4]>,
    letter: Letter,
    /// The number of characters still required for the minimum length.
    missing: u8,
}

/// The state of reading a UTF-8 character.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Letter {
    /// Between two characters.
    Boundary,
    /// Inside a character: the number of missing bytes, and the next byte's minimum and maximum.
    Part(u8, u8, u8),
}

impl Letter {
    fn read(self, byte: u8) -> Option<Letter> {
        match (self, byte) {
            (Letter::Boundary, 0x00..=0x7f) => Some(Letter::Boundary),
            (Letter::Boundary, 0xc2..=0xdf) => Some(Letter::Part(1, 0x80, 0xbf)),
            (Letter::Boundary, 0xe0) => Some(Letter::Part(2, 0xa0, 0xbf)),
            (Letter::Boundary, 0xed) => Some(Letter::Part(2, 0x80, 0x9f)),
            (Letter::Boundary, 0xe1..=0xef) => Some(Letter::Part(2, 0x80, 0xbf)),
            (Letter::Boundary, 0xf0) => Some(Letter::Part(3, 0x90, 0xbf)),
            (Letter::Boundary, 0xf1..=0xf3) => Some(Letter::Part(3, 0x80, 0xbf)),
            (Letter::Boundary, 0xf4) => Some(Letter::Part(3, 0x80, 0x8f)),
            (Letter::Part(left, low, high), byte) if (low..=high).contains(&byte) => {
                Some(if left == 1 { Letter::Boundary } else { Letter::Part(left - 1, 0x80, 0xbf) })
            }
            _ => None,
        }
    }

    /// Returns the class of a byte; bytes of a class are equivalent within a character.
    fn class(byte: u8) -> u8 {
        match byte {
            0x00..=0x7f => 0,
            0x80..=0x8f => 1,
            0x90..=0x9f => 2,
            0xa0..=0xbf => 3,
            0xc0..=0xc1 | 0xf5..=0xff => 4,
            0xc2..=0xdf => 5,
            0xe0 => 6,
            0xed => 7,
            0xe1..=0xef => 8,
            0xf0 => 9,
            0xf1..=0xf3 => 10,
            0xf4 => 11,
        }
    }
}

fn search(all_of: &[&Regex], none_of: &[&Regex], at_least: u8) -> Option<Option<String>> {
    let product = Product::new(all_of, none_of)?;
    let bytes = product.bytes();
    let Some(found) = product.shortest(&bytes, at_least, usize::MAX)? else { return Some(None) };
    // A string exists. Look for a string with letters and digits, or with readable characters, of similar length.
    let length = found.chars().count() + 4;
    for readable in [PLAIN, READABLE.len()] {
        let plain: Vec<u8> = READABLE.iter().take(readable).copied().filter(|b| bytes.contains(b)).collect();
        if found.bytes().all(|b| plain.contains(&b)) {
            break;
        }
        if let Some(Some(found)) = product.shortest(&plain, at_least, length) {
            return Some(Some(found));
        }
    }
    Some(Some(found))
}

struct Product<'r> {
    automata: Vec<&'r PatternAutomaton>,
    /// The number of automata that must match; the others must not.
    wanted: usize,
}

/// The result of a step: a dead end, the next node, or unknown because an automaton gives up.
enum Next {
    Nowhere,
    SearchNode(SearchNode),
    Unknown,
}

impl<'r> Product<'r> {
    /// Returns the automata of these patterns; `None` if a pattern has no automaton.
    fn new(all_of: &[&'r Regex], none_of: &[&'r Regex]) -> Option<Product<'r>> {
        let automata = all_of.iter().chain(none_of).map(|r| r.automaton()).collect::<Option<_>>()?;
        Some(Product { automata, wanted: all_of.len() })
    }

    /// Returns a byte from each set of bytes that no automaton distinguishes, preferring readable bytes.
    fn bytes(&self) -> Vec<u8> {
        // The set number for each byte. Each automaton splits the sets by its own classes.
        let mut sets: Vec<u8> = (0..=u8::MAX).map(Letter::class).collect();
        for automaton in &self.automata {
            let mut numbers: HashMap<(u8, u8), u8, foldhash::fast::RandomState> = HashMap::default();
            for (byte, set) in (0..=u8::MAX).zip(&mut sets) {
                // There are at most as many sets as bytes.
                let next = u8::try_from(numbers.len()).unwrap_or(u8::MAX);
                *set = *numbers.entry((*set, automaton.byte_classes().get(byte))).or_insert(next);
            }
        }
        let mut is_new = [true; 256];
        let others = (0..=u8::MAX).filter(|b| !READABLE.contains(b));
        let first_of_set = |byte: &u8| {
            let set = sets.get(usize::from(*byte)).and_then(|set| is_new.get_mut(usize::from(*set)));
            set.is_some_and(std::mem::take)
        };
        READABLE.iter().copied().chain(others).filter(first_of_set).collect()
    }

    /// Returns the shortest string with at most `longest` bytes from `bytes` that satisfies all conditions, by breadth-first search.
    fn shortest(&self, bytes: &[u8], at_least: u8, longest: usize) -> Option<Option<String>> {
        // The start of the string; matches may begin anywhere.
        let start = start::Config::new().anchored(Anchored::No);
        let starts: Option<_> = self.automata.iter().map(|a| a.start_state(&start).ok().map(Progress::At)).collect();
        let first = SearchNode { progress: starts?, letter: Letter::Boundary, missing: at_least };
        let mut seen = Seen::default();
        seen.insert(first, Step { before: 0, byte: 0, length: 0 });
        let mut unknown = false;
        let mut at = 0;
        while let Some((place, Step { length, .. })) = seen.get_index(at) {
            if self.is_wanted(place) {
                return Some(Some(text(&seen, at)));
            }
            // The nodes are sorted by the length of their strings.
            if *length >= longest {
                break;
            }
            let (place, length) = (place.clone(), length + 1);
            for byte in bytes {
                match self.next(&place, *byte) {
                    Next::Nowhere => {}
                    Next::Unknown => unknown = true,
                    Next::SearchNode(next) => {
                        seen.entry(next).or_insert(Step { before: at, byte: *byte, length });
                    }
                }
            }
            if seen.len() > MAX_PLACES {
                return None;
            }
            at += 1;
        }
        if unknown { None } else { Some(None) }
    }

    fn next(&self, place: &SearchNode, byte: u8) -> Next {
        let Some(letter) = place.letter.read(byte) else { return Next::Nowhere };
        let mut unknown = false;
        let mut progress = SmallVec::with_capacity(self.automata.len());
        for (i, (automaton, before)) in self.automata.iter().zip(&place.progress).enumerate() {
            let after = match before {
                Progress::At(state) => {
                    let state = automaton.next_state(*state, byte);
                    // Match states are delayed by one byte: there was a match before this byte.
                    if automaton.is_match_state(state) {
                        Progress::Matched
                    } else if automaton.is_dead_state(state) {
                        Progress::Never
                    } else {
                        unknown |= automaton.is_quit_state(state);
                        Progress::At(state)
                    }
                }
                done => *done,
            };
            let lost = if i < self.wanted { Progress::Never } else { Progress::Matched };
            if after == lost {
                return Next::Nowhere;
            }
            progress.push(after);
        }
        let missing = place.missing.saturating_sub(u8::from(letter == Letter::Boundary));
        if unknown { Next::Unknown } else { Next::SearchNode(SearchNode { progress, letter, missing }) }
    }

    /// Returns `true` if a string that ends here satisfies the conditions.
    fn is_wanted(&self, place: &SearchNode) -> bool {
        let matched = |(automaton, progress): (&&PatternAutomaton, &Progress)| match progress {
            Progress::Matched => true,
            Progress::Never => false,
            Progress::At(state) => automaton.is_match_state(automaton.next_eoi_state(*state)),
        };
        place.letter == Letter::Boundary
            && place.missing == 0
            && self.automata.iter().zip(&place.progress).enumerate().all(|(i, pair)| matched(pair) == (i < self.wanted))
    }
}

/// The visited nodes, each with the step that reached the node first.
type Seen = IndexMap<SearchNode, Step, foldhash::fast::RandomState>;

/// A step of the search.
struct Step {
    /// The index of the previous node.
    before: usize,
    byte: u8,
    /// The length of the string up to here, in bytes.
    length: usize,
}

/// Returns the string on the path to a node.
fn text(seen: &Seen, mut at: usize) -> String {
    let mut bytes = Vec::new();
    while at > 0 {
        let Some((_, Step { before, byte, .. })) = seen.get_index(at) else { break };
        bytes.push(*byte);
        at = *before;
    }
    bytes.reverse();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests;
