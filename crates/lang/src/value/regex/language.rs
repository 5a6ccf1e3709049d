//! What patterns say about each other: which texts one matches and another does not.
//!
//! Each pattern becomes a deterministic automaton; all of them read the same text at once, letter by letter and the shortest
//! texts first, until one is found that is asked for or no new combination of states is left. Nothing is guessed: a pattern
//! that backtracks or grows too large gives no answer.

use super::Regex;
use indexmap::IndexMap;
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::{primitives::StateID, start, syntax};
use regex_automata::{Anchored, nfa::thompson};
use smallvec::SmallVec;

/// What one automaton and the making of it may weigh, in bytes.
const SIZE_LIMIT: usize = 1 << 20;
/// How many combinations of states are looked at.
const MAX_PLACES: usize = 10_000;
/// Bytes in the order in which examples should be made of them; the others follow.
const READABLE: &[u8] = b"xabcdefghijklmnopqrstuvwyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:,@+=%#!?*&~^$()[]{}<>;|'\"`\\ ";
/// How many of these are letters and digits.
const PLAIN: usize = 62;

impl Regex {
    /// Whether it matches every text that `other` matches; `None` when that cannot be decided.
    pub fn includes(&self, other: &Regex) -> Option<bool> {
        Some(other.witness_outside(self)?.is_none())
    }

    /// Whether there is a text that both match; `None` when that cannot be decided.
    pub fn overlaps(&self, other: &Regex) -> Option<bool> {
        Some(Regex::witness(&[self, other], &[])?.is_some())
    }

    /// Whether it matches every text, the empty one too; `None` when that cannot be decided.
    pub fn matches_everything(&self) -> Option<bool> {
        Some(Regex::witness(&[], &[self])?.is_none())
    }

    /// Whether it matches every text that is not empty; `None` when that cannot be decided.
    pub fn matches_all_nonempty(&self) -> Option<bool> {
        search(&[], &[self], 1).map(|found| found.is_none())
    }

    /// A short text that this matches and `other` does not: `Some(None)` when there is none, `None` when that cannot be decided.
    pub fn witness_outside(&self, other: &Regex) -> Option<Option<String>> {
        Regex::witness(&[self], &[other])
    }

    /// A short text that matches all of `all_of` and none of `none_of`: `Some(None)` when there is none, `None` when that
    /// cannot be decided. Letters and digits are preferred.
    pub fn witness(all_of: &[&Regex], none_of: &[&Regex]) -> Option<Option<String>> {
        // True of patterns that no automaton can be made of, too.
        if all_of.iter().any(|r| none_of.contains(r)) {
            return Some(None);
        }
        search(all_of, none_of, 0)
    }

    /// [`Regex::witness`] that is not the empty text unless only that will do: better to show to people.
    pub fn example(all_of: &[&Regex], none_of: &[&Regex]) -> Option<Option<String>> {
        if all_of.iter().any(|r| none_of.contains(r)) {
            return Some(None);
        }
        match search(all_of, none_of, 1)? {
            Some(text) => Some(Some(text)),
            None => search(all_of, none_of, 0),
        }
    }

    /// A pattern that matches these texts and no others.
    pub fn exactly<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<Regex> {
        let texts: Vec<String> = texts.into_iter().map(regex_syntax::escape).collect();
        // A class of nothing: no text matches.
        let source = if texts.is_empty() { r"[^\s\S]".to_owned() } else { format!("^(?:{})$", texts.join("|")) };
        Regex::new(&source, super::Flags::default()).ok()
    }

    fn automaton(&self) -> Option<dense::DFA<Vec<u32>>> {
        if self.is_backtracking() {
            return None;
        }
        let config = dense::Config::new()
            .start_kind(StartKind::Unanchored)
            .accelerate(false)
            // Boundaries of words beyond ASCII are more than it can tell: it gives up at the first such letter.
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

/// How far one pattern is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Progress {
    /// There was a match: what follows does not matter.
    Matched,
    /// There may be one.
    At(StateID),
    /// There will be none.
    Never,
}

/// How far all are. The first are those that must match.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    progress: SmallVec<[Progress; 4]>,
    letter: Letter,
    /// How many letters are still needed.
    missing: u8,
}

/// How much of a letter of UTF-8 has been read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Letter {
    /// All of it.
    Whole,
    /// So many bytes are missing, the next one within these limits.
    Part(u8, u8, u8),
}

impl Letter {
    fn read(self, byte: u8) -> Option<Letter> {
        match (self, byte) {
            (Letter::Whole, 0x00..=0x7f) => Some(Letter::Whole),
            (Letter::Whole, 0xc2..=0xdf) => Some(Letter::Part(1, 0x80, 0xbf)),
            (Letter::Whole, 0xe0) => Some(Letter::Part(2, 0xa0, 0xbf)),
            (Letter::Whole, 0xed) => Some(Letter::Part(2, 0x80, 0x9f)),
            (Letter::Whole, 0xe1..=0xef) => Some(Letter::Part(2, 0x80, 0xbf)),
            (Letter::Whole, 0xf0) => Some(Letter::Part(3, 0x90, 0xbf)),
            (Letter::Whole, 0xf1..=0xf3) => Some(Letter::Part(3, 0x80, 0xbf)),
            (Letter::Whole, 0xf4) => Some(Letter::Part(3, 0x80, 0x8f)),
            (Letter::Part(left, low, high), byte) if (low..=high).contains(&byte) => {
                Some(if left == 1 { Letter::Whole } else { Letter::Part(left - 1, 0x80, 0xbf) })
            }
            _ => None,
        }
    }

    /// What bytes it tells apart.
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
    let automata: Vec<_> = all_of.iter().chain(none_of).map(|r| r.automaton()).collect::<Option<_>>()?;
    let product = Product { automata, wanted: all_of.len() };
    let bytes = product.bytes();
    let Some(found) = product.shortest(&bytes, at_least)? else { return Some(None) };
    // There is one: perhaps one of plain letters that is hardly longer.
    let length = found.chars().count() + 4;
    for readable in [PLAIN, READABLE.len()] {
        let plain: Vec<u8> = READABLE.iter().take(readable).copied().filter(|b| bytes.contains(b)).collect();
        if found.bytes().all(|b| plain.contains(&b)) {
            break;
        }
        if let Some(Some(found)) = product.shortest(&plain, at_least)
            && found.len() <= length
        {
            return Some(Some(found));
        }
    }
    Some(Some(found))
}

struct Product {
    automata: Vec<dense::DFA<Vec<u32>>>,
    /// How many of them must match; the others must not.
    wanted: usize,
}

/// A place leads nowhere, may lead somewhere, or is beyond what the automata can tell.
enum Next {
    Nowhere,
    Place(Place),
    Unknown,
}

impl Product {
    /// One byte of each set that nobody tells apart, the readable ones first.
    fn bytes(&self) -> Vec<u8> {
        let mut classes: IndexMap<SmallVec<[u8; 4]>, u8> = IndexMap::new();
        let others = (0..=u8::MAX).filter(|b| !READABLE.contains(b));
        for byte in READABLE.iter().copied().chain(others) {
            let class = self.automata.iter().map(|a| a.byte_classes().get(byte)).chain([Letter::class(byte)]).collect();
            classes.entry(class).or_insert(byte);
        }
        classes.into_values().collect()
    }

    /// The shortest text that is asked for, made of these bytes. Breadth first: each place is reached the shortest way.
    fn shortest(&self, bytes: &[u8], at_least: u8) -> Option<Option<String>> {
        // Before the first letter; matches begin anywhere.
        let start = start::Config::new().anchored(Anchored::No);
        let starts: Option<_> = self.automata.iter().map(|a| a.start_state(&start).ok().map(Progress::At)).collect();
        let first = Place { progress: starts?, letter: Letter::Whole, missing: at_least };
        let mut seen: IndexMap<Place, (usize, u8), foldhash::fast::RandomState> = IndexMap::default();
        seen.insert(first, (0, 0));
        let mut unknown = false;
        let mut at = 0;
        while let Some((place, _)) = seen.get_index(at) {
            if self.is_wanted(place) {
                return Some(Some(text(&seen, at)));
            }
            let place = place.clone();
            for byte in bytes {
                match self.next(&place, *byte) {
                    Next::Nowhere => {}
                    Next::Unknown => unknown = true,
                    Next::Place(next) => {
                        seen.entry(next).or_insert((at, *byte));
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

    fn next(&self, place: &Place, byte: u8) -> Next {
        let Some(letter) = place.letter.read(byte) else { return Next::Nowhere };
        let mut unknown = false;
        let mut progress = SmallVec::with_capacity(self.automata.len());
        for (i, (automaton, before)) in self.automata.iter().zip(&place.progress).enumerate() {
            let after = match before {
                Progress::At(state) => {
                    let state = automaton.next_state(*state, byte);
                    // A state of match tells that there was one before this byte.
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
        let missing = place.missing.saturating_sub(u8::from(letter == Letter::Whole));
        if unknown { Next::Unknown } else { Next::Place(Place { progress, letter, missing }) }
    }

    /// Whether the text may end here.
    fn is_wanted(&self, place: &Place) -> bool {
        let matched = |(automaton, progress): (&dense::DFA<Vec<u32>>, &Progress)| match progress {
            Progress::Matched => true,
            Progress::Never => false,
            Progress::At(state) => automaton.is_match_state(automaton.next_eoi_state(*state)),
        };
        place.letter == Letter::Whole
            && place.missing == 0
            && self.automata.iter().zip(&place.progress).enumerate().all(|(i, pair)| matched(pair) == (i < self.wanted))
    }
}

/// The bytes on the way to a place.
fn text(seen: &IndexMap<Place, (usize, u8), foldhash::fast::RandomState>, mut at: usize) -> String {
    let mut bytes = Vec::new();
    while at > 0 {
        let Some((_, (before, byte))) = seen.get_index(at) else { break };
        bytes.push(*byte);
        at = *before;
    }
    bytes.reverse();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests;
