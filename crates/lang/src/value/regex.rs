//! Patterns as the language writes them, run by a linear-time engine where that is possible.
//!
//! Loading a type only translates and checks a pattern (microseconds); the engine is built at the first use
//! (tens to hundreds of microseconds), unless the pattern is so large that it might not fit.

mod language;
mod shape;
mod template;
#[cfg(test)]
mod tests;
mod translate;

pub use shape::{Branch, Edge, Shape};
pub use template::Template;

use std::sync::OnceLock;
use translate::Translation;

/// What stands behind the closing slash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags {
    /// `i`: letters match in either case.
    pub ignore_case: bool,
    /// `s`: the dot matches newlines, too.
    pub dot_all: bool,
    /// `x`: blanks and comments in the pattern do not count.
    pub extended: bool,
}

/// Why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadRegex {
    /// What is wrong, in the style of diagnostics.
    pub message: String,
    /// Where in the pattern, as a byte range.
    pub range: Option<std::ops::Range<usize>>,
}

impl BadRegex {
    fn at(message: impl Into<String>, range: std::ops::Range<usize>) -> BadRegex {
        BadRegex { message: message.into(), range: Some(range) }
    }
}

/// A backtracking pattern that took more steps than it may on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern takes too many steps on this text")]
pub struct TooManySteps;

/// A compiled pattern that remembers how it was written.
pub struct Regex {
    source: String,
    flags: Flags,
    translation: Translation,
    engine: OnceLock<Engine>,
    reach: OnceLock<Option<usize>>,
    shape: OnceLock<Option<Box<Shape>>>,
}

enum Engine {
    Linear(regex::Regex),
    Backtracking(fancy_regex::Regex),
    /// Larger than the engine allows, although it looked small: matches nothing.
    None,
}

/// The texts of a match: the whole, then the groups, `None` for a group that took no part.
pub type Captures = Vec<Option<std::ops::Range<usize>>>;

/// What a compiled pattern may weigh, in bytes.
const SIZE_LIMIT: usize = 4 << 20;
/// How many steps back a backtracking pattern may go on one text.
const BACKTRACK_LIMIT: usize = 50_000;
/// Patterns above this estimate are built while loading, to know that they fit.
const LARGE: u64 = 4_000;

impl Regex {
    /// Checks a pattern and prepares it.
    ///
    /// # Errors
    /// [`BadRegex`] when it is malformed or too large.
    pub fn new(source: &str, flags: Flags) -> Result<Regex, BadRegex> {
        let translation = translate::translate(source, flags)?;
        let engine = OnceLock::new();
        // Building is what costs, and most patterns of a type are never asked in a run. What only building finds out, the
        // size of large patterns and the width of what is looked back at, is found out here.
        if translation.estimate > LARGE || (translation.backtracks && translation.pattern.contains("(?<")) {
            let built = build(&translation).map_err(|message| BadRegex { message, range: None })?;
            let _ = engine.set(built);
        } else if translation.backtracks {
            fancy_regex::Expr::parse_tree(&translation.pattern).map_err(|e| BadRegex { message: unusable(&e.to_string()), range: None })?;
        } else {
            translation.check(source)?;
        }
        Ok(Regex { source: source.to_owned(), flags, translation, engine, reach: OnceLock::new(), shape: OnceLock::new() })
    }

    fn engine(&self) -> &Engine {
        self.engine.get_or_init(|| build(&self.translation).unwrap_or(Engine::None))
    }

    /// The pattern as written between the slashes.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Its flags.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// Whether it needs look-around, back-references or possessive repetition, which no linear-time engine has:
    /// it runs with a limit of steps.
    pub fn is_backtracking(&self) -> bool {
        self.translation.backtracks
    }

    /// Whether it matches somewhere in `text`. A backtracking pattern that runs out of steps does not match.
    pub fn is_match(&self, text: &str) -> bool {
        match self.engine() {
            Engine::Linear(r) => r.is_match(text),
            Engine::Backtracking(r) => r.is_match(text).unwrap_or(false),
            Engine::None => false,
        }
    }

    /// The first match at or after byte `from`. A backtracking pattern that runs out of steps does not match.
    pub fn captures_at(&self, text: &str, from: usize) -> Option<Captures> {
        self.try_captures_at(text, from).ok().flatten()
    }

    /// The first match at or after byte `from`.
    ///
    /// # Errors
    /// [`TooManySteps`] when a backtracking pattern runs out of them.
    pub fn try_captures_at(&self, text: &str, from: usize) -> Result<Option<Captures>, TooManySteps> {
        if !text.is_char_boundary(from) {
            return Ok(None);
        }
        match self.engine() {
            Engine::Linear(r) => {
                // Whether there is a match is found much faster than where its groups are.
                let found = if r.is_match_at(text, from) { r.captures_at(text, from) } else { None };
                Ok(found.map(|c| c.iter().map(|m| m.map(|m| m.range())).collect()))
            }
            Engine::Backtracking(r) => {
                let found = r.captures_from_pos(text, from).map_err(|_| TooManySteps)?;
                Ok(found.map(|c| c.iter().map(|m| m.map(|m| m.range())).collect()))
            }
            Engine::None => Ok(None),
        }
    }

    /// The names of its groups and their numbers.
    pub fn group_names(&self) -> Vec<(&str, usize)> {
        self.translation.names.iter().map(|(name, number)| (name.as_str(), *number)).collect()
    }

    /// The number of a named group.
    pub fn group_number(&self, name: &str) -> Option<usize> {
        self.translation.names.iter().rev().find(|(n, _)| n == name).map(|(_, number)| *number)
    }

    /// How many groups it has, the whole match not counted.
    pub fn group_count(&self) -> usize {
        self.translation.groups
    }

    /// The most bytes that a match can have, if there is such a number.
    pub fn reach(&self) -> Option<usize> {
        *self.reach.get_or_init(|| self.syntax()?.properties().maximum_len())
    }
}

/// The engine's words in ours.
fn unusable(text: &str) -> String {
    format!("the regex cannot be used: {}", text.lines().next().unwrap_or_default().to_lowercase())
}

fn build(translation: &Translation) -> Result<Engine, String> {
    if translation.backtracks {
        let built =
            fancy_regex::RegexBuilder::new(&translation.pattern).backtrack_limit(BACKTRACK_LIMIT).delegate_size_limit(SIZE_LIMIT).build();
        return built.map(Engine::Backtracking).map_err(|e| unusable(&e.to_string()));
    }
    let built = regex::RegexBuilder::new(&translation.pattern).size_limit(SIZE_LIMIT).dfa_size_limit(SIZE_LIMIT).build();
    built.map(Engine::Linear).map_err(|e| match e {
        regex::Error::CompiledTooBig(_) => "the regex is too large: its repetitions multiply".to_owned(),
        other => {
            let text = other.to_string();
            format!("the regex cannot be used: {}", text.lines().last().unwrap_or_default().trim_start_matches("error: "))
        }
    })
}

impl std::fmt::Debug for Regex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl PartialEq for Regex {
    fn eq(&self, other: &Regex) -> bool {
        self.source == other.source && self.flags == other.flags
    }
}

impl std::fmt::Display for Regex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "/{}/", self.source.replace('/', "\\/"))?;
        for (on, letter) in [(self.flags.ignore_case, "i"), (self.flags.dot_all, "s"), (self.flags.extended, "x")] {
            f.write_str(if on { letter } else { "" })?;
        }
        Ok(())
    }
}
