//! Patterns as the language writes them, run by a linear-time engine where that is possible.

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

/// A compiled pattern that remembers how it was written.
#[derive(Debug)]
pub struct Regex {
    source: String,
    flags: Flags,
    engine: Engine,
}

#[derive(Debug)]
enum Engine {
    Linear(regex::Regex),
    Backtracking(fancy_regex::Regex),
}

/// The texts of a match: the whole, then the groups, `None` for a group that took no part.
pub type Captures = Vec<Option<std::ops::Range<usize>>>;

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// [`BadRegex`] when it is malformed or too large.
    pub fn new(source: &str, flags: Flags) -> Result<Regex, BadRegex> {
        let translated = source.to_owned();
        let engine = match regex::RegexBuilder::new(&translated)
            .case_insensitive(flags.ignore_case)
            .dot_matches_new_line(flags.dot_all)
            .ignore_whitespace(flags.extended)
            .build()
        {
            Ok(r) => Engine::Linear(r),
            Err(e) => fancy_regex::Regex::new(&translated)
                .map(Engine::Backtracking)
                .map_err(|_| BadRegex {
                    message: e.to_string(),
                    range: None,
                })?,
        };
        Ok(Regex {
            source: source.to_owned(),
            flags,
            engine,
        })
    }

    /// The pattern as written between the slashes.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Its flags.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// How many groups it has, the whole not counted.
    pub fn groups(&self) -> usize {
        match &self.engine {
            Engine::Linear(r) => r.captures_len() - 1,
            Engine::Backtracking(r) => r.captures_len() - 1,
        }
    }

    /// Whether it matches somewhere in `text`. A backtracking pattern that runs out of steps does not match.
    pub fn is_match(&self, text: &str) -> bool {
        match &self.engine {
            Engine::Linear(r) => r.is_match(text),
            Engine::Backtracking(r) => r.is_match(text).unwrap_or(false),
        }
    }

    /// The first match at or after byte `from`.
    pub fn captures_at(&self, text: &str, from: usize) -> Option<Captures> {
        match &self.engine {
            Engine::Linear(r) => {
                let c = r.captures_at(text, from)?;
                Some(c.iter().map(|m| m.map(|m| m.range())).collect())
            }
            Engine::Backtracking(r) => {
                let c = r.captures_from_pos(text, from).ok()??;
                Some(c.iter().map(|m| m.map(|m| m.range())).collect())
            }
        }
    }
}

impl PartialEq for Regex {
    fn eq(&self, other: &Regex) -> bool {
        self.source == other.source && self.flags == other.flags
    }
}

impl std::fmt::Display for Regex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "/{}/", self.source)?;
        for (on, letter) in [
            (self.flags.ignore_case, "i"),
            (self.flags.dot_all, "s"),
            (self.flags.extended, "x"),
        ] {
            f.write_str(if on { letter } else { "" })?;
        }
        Ok(())
    }
}
