//! Regexes, matched by a linear-time engine if possible.
//!
//! Loading a type only translates and checks a pattern, which takes microseconds. The engine is built when the pattern is first used,
//! which takes tens to hundreds of microseconds, unless the pattern is so large that it may exceed the size limit.

mod language;
mod shape;
mod template;
#[cfg(test)]
mod tests;
mod translate;

pub use shape::{Branch, RegexEdge, Shape};
pub use template::Template;

use std::sync::OnceLock;
use translate::Translation;

/// The flags after the closing slash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags {
    /// `i`: ignores case.
    pub ignore_case: bool,
    /// `s`: the dot also matches newlines.
    pub dot_all: bool,
    /// `x`: ignores whitespace and comments in the pattern.
    pub extended: bool,
    /// Ruby's syntax, which Puppet's language has too: `^` and `$` match at line ends, and in `(?m:…)` the dot matches newlines.
    pub is_ruby: bool,
}

/// The reason why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadRegex {
    /// The message, in the style of diagnostics.
    pub message: String,
    /// The byte range of the error in the pattern.
    pub range: Option<std::ops::Range<usize>>,
}

impl BadRegex {
    fn at(message: impl Into<String>, range: std::ops::Range<usize>) -> BadRegex {
        BadRegex { message: message.into(), range: Some(range) }
    }

    /// Creates an error about the whole pattern.
    fn whole(message: impl Into<String>) -> BadRegex {
        BadRegex { message: message.into(), range: None }
    }

    /// Creates an error from the first line of an engine's message.
    fn unusable(text: &str) -> BadRegex {
        BadRegex::whole(format!("the regex cannot be used: {}", text.lines().next().unwrap_or_default().to_lowercase()))
    }
}

/// The error for a backtracking pattern that exceeds the step limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern takes too many steps on this text")]
pub struct TooManySteps;

/// A compiled pattern with its source.
pub struct Regex {
    source: String,
    flags: Flags,
    translation: Translation,
    engine: OnceLock<Engine>,
    reach: OnceLock<Option<usize>>,
    shape: OnceLock<Option<Box<Shape>>>,
    /// For questions about all strings that match.
    automaton: OnceLock<Option<Box<language::PatternAutomaton>>>,
    /// The pattern that matches whole strings only.
    whole: OnceLock<Option<Box<Regex>>>,
}

enum Engine {
    Linear(regex::Regex),
    Backtracking(fancy_regex::Regex),
    /// The compiled pattern exceeds the size limit despite a small estimate; it never matches.
    None,
}

/// The byte ranges of a match: the whole match, then the groups, `None` for a group that did not match.
pub type Captures = Vec<Option<std::ops::Range<usize>>>;

/// The maximum size of a compiled pattern in bytes.
const SIZE_LIMIT: usize = 4 << 20;
/// The maximum number of backtracking steps per string.
const BACKTRACK_LIMIT: usize = 50_000;
/// The estimated size above which patterns are compiled when they are loaded, to check that they fit.
const LARGE: u64 = 4_000;

impl Regex {
    /// Checks and translates a pattern.
    ///
    ///
    /// # Errors
    ///
    /// Returns [`BadRegex`] if the pattern is malformed or too large.
    pub fn new(source: &str, flags: Flags) -> Result<Regex, BadRegex> {
        let translation = translate::translate(source, flags)?;
        let engine = OnceLock::new();
        // Compiling is expensive, and most patterns in a type are not used in a run. Patterns are compiled here only if their errors
        // cannot be found in another way: large patterns, and lookbehind, for which the width must be known.
        if translation.estimate > LARGE || (translation.backtracks && translation.pattern.contains("(?<")) {
            let built = build(&translation)?;
            let _ = engine.set(built);
        } else if translation.backtracks {
            fancy_regex::Expr::parse_tree(&translation.pattern).map_err(|e| BadRegex::unusable(&e.to_string()))?;
        } else {
            translation.check(source)?;
        }
        Ok(Regex {
            source: source.to_owned(),
            flags,
            translation,
            engine,
            reach: OnceLock::new(),
            shape: OnceLock::new(),
            automaton: OnceLock::new(),
            whole: OnceLock::new(),
        })
    }

    fn engine(&self) -> &Engine {
        self.engine.get_or_init(|| build(&self.translation).unwrap_or(Engine::None))
    }

    /// Returns the pattern between the slashes.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the flags.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// Returns `true` if the pattern uses look-around, back-references or possessive repetition, which no linear-time engine supports.
    /// Such a pattern is matched with a step limit.
    pub fn is_backtracking(&self) -> bool {
        self.translation.backtracks
    }

    /// Returns `true` if the pattern matches anywhere in `text`. A backtracking pattern beyond its step limit does not match.
    pub fn is_match(&self, text: &str) -> bool {
        if text.ends_with('\n') && self.begins_line() {
            return self.captures_at(text, 0).is_some();
        }
        match self.engine() {
            Engine::Linear(r) => r.is_match(text),
            Engine::Backtracking(r) => r.is_match(text).unwrap_or(false),
            Engine::None => false,
        }
    }

    /// Returns the first match at or after byte `from`. A backtracking pattern beyond its step limit does not match.
    pub fn captures_at(&self, text: &str, from: usize) -> Option<Captures> {
        self.try_captures_at(text, from).ok().flatten()
    }

    /// Returns the first match at or after byte `from`.
    ///
    /// # Errors
    /// Returns [`TooManySteps`] if a backtracking pattern exceeds its steps.
    pub fn try_captures_at(&self, text: &str, from: usize) -> Result<Option<Captures>, TooManySteps> {
        if !text.is_char_boundary(from) {
            return Ok(None);
        }
        let found = self.search_at(text, from)?;
        // In Ruby no line begins after a string's last newline.
        let is_after_end = |c: &Captures| matches!(c.first(), Some(Some(all)) if all.start == text.len()) && text.ends_with('\n');
        Ok(found.filter(|c| !(is_after_end(c) && self.begins_line())))
    }

    /// Returns `true` if every match begins at the start of a line: the pattern begins with `^`.
    fn begins_line(&self) -> bool {
        let mut rest = self.source.as_str();
        while let Some(inner) = ["(?m)", "(?m:", "(?:", "("].iter().find_map(|group| rest.strip_prefix(group)) {
            rest = inner;
        }
        rest.starts_with('^') && !rest.contains('|')
    }

    fn search_at(&self, text: &str, from: usize) -> Result<Option<Captures>, TooManySteps> {
        match self.engine() {
            Engine::Linear(r) => {
                // Testing for a match is much faster than determining the groups.
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

    /// Returns the names of the groups with their numbers.
    pub fn group_names(&self) -> Vec<(&str, usize)> {
        self.translation.names.iter().map(|(name, number)| (name.as_str(), *number)).collect()
    }

    /// Returns the number of a named group.
    pub fn group_number(&self, name: &str) -> Option<usize> {
        self.translation.names.iter().rev().find(|(n, _)| n == name).map(|(_, number)| *number)
    }

    /// Returns the number of groups, not including the whole match.
    pub fn group_count(&self) -> usize {
        self.translation.groups
    }

    /// Returns the maximum length of a match in bytes, if it is limited.
    pub fn reach(&self) -> Option<usize> {
        *self.reach.get_or_init(|| self.syntax()?.properties().maximum_len())
    }
}

fn build(translation: &Translation) -> Result<Engine, BadRegex> {
    if translation.backtracks {
        let built =
            fancy_regex::RegexBuilder::new(&translation.pattern).backtrack_limit(BACKTRACK_LIMIT).delegate_size_limit(SIZE_LIMIT).build();
        return built.map(Engine::Backtracking).map_err(|e| BadRegex::unusable(&e.to_string()));
    }
    let built = regex::RegexBuilder::new(&translation.pattern).size_limit(SIZE_LIMIT).dfa_size_limit(SIZE_LIMIT).build();
    built.map(Engine::Linear).map_err(|e| match e {
        regex::Error::CompiledTooBig(_) => BadRegex::whole("the regex is too large: its repetitions multiply"),
        other => BadRegex::unusable(other.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ")),
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
