//! Ruby's `do … end` and similar blocks.
//!
//! Each block is reported as one error, with any contents. The matching `end` is found by counting keywords, which takes one pass here
//! but would take a search from every `if` in the grammar. So the contents are removed from the copy, and the grammar only sees the two
//! keywords.

use super::pass::Pass;
use super::problem::Problem;
use super::text::BracketEdit;
use super::{Dialect, is_item_word};

/// A Ruby keyword that an `end` may close.
pub(super) struct Opener {
    at: usize,
    /// The indentation of the line.
    indent: usize,
    line: usize,
    /// The number of open brackets around the keyword.
    frames: usize,
    /// The start of the part to remove: after `do |x|`, or after the line of other keywords.
    from: Option<usize>,
    /// `true` if the following source belongs to the keyword even without `end`, as for `newtype(:x) do` at the top level.
    keeps: bool,
}

impl<'t> Pass<'t> {
    /// Reads a word.
    pub(super) fn word(&mut self, at: usize) {
        let first = self.line + self.indent == at;
        let word = self.word_at(at);
        self.at = at + word.len();
        if self.dialect == Dialect::Manifest {
            return;
        }
        self.misspelt(at, word);
        if first && !self.openers.is_empty() && is_item_word(word) {
            self.end_of_item();
        }
        match word {
            "end" if first && self.is_free(at) && self.is_end_of_brace(at) => {
                let open = self.frames.last().map_or(at, |frame| frame.at);
                self.problems.push(Problem::EndOfBrace { at, open });
                self.edits.push(BracketEdit { at, remove: word.len(), insert: "}" });
                self.at -= 1;
                self.close(b'}', at);
            }
            "end" if !self.openers.is_empty() && self.is_free(at) => self.end_word(at),
            "do" if self.is_free(at) => {
                let rest = self.text.get(self.at..).unwrap_or("");
                let bars = rest.trim_start_matches([' ', '\t', '\r']);
                let behind = self.at + (rest.len() - bars.len());
                let line = bars.split('\n').next().unwrap_or("");
                let from = match bars.bytes().next() {
                    Some(b'|') => line.get(1..).and_then(|names| names.find('|')).map(|n| behind + n + 2),
                    Some(b'\n' | b'#') | None => Some(self.at),
                    _ => None,
                };
                if from.is_some() {
                    self.push_opener(at, from, self.frames.is_empty());
                }
            }
            "def" | "class" | "module" | "begin" | "case" | "while" | "until" | "for" | "if" | "unless"
                if self.is_free(at) && (first || self.begins_value(at, word)) =>
            {
                let keeps = self.frames.is_empty() && matches!(word, "def" | "class" | "module");
                self.push_opener(at, None, keeps);
            }
            _ => {}
        }
    }

    /// Returns `true` if the `end` at `at`, which begins a line, is written for the `}` of the innermost open brace: the lines of both have the
    /// same indentation, and no Ruby keyword inside the brace is open.
    fn is_end_of_brace(&self, at: usize) -> bool {
        let frames = self.frames.len();
        let is_alone = matches!(self.ahead(at + "end".len()).trim_start().bytes().next(), None | Some(b'#' | b';'));
        is_alone
            && !self.is_brace_below(at)
            && self.openers.last().is_none_or(|opener| opener.frames < frames)
            && self.frames.last().is_some_and(|frame| frame.open == b'{' && frame.indent == self.indent && frame.line < self.line)
    }

    /// Returns `true` if the next line that is not empty closes a brace with the indentation of this line.
    fn is_brace_below(&self, at: usize) -> bool {
        let below = self.text.get(at..).unwrap_or("").lines().skip(1).find(|line| !line.trim().is_empty());
        below.is_some_and(|line| {
            line.split_at_checked(self.indent).is_some_and(|(blank, rest)| blank.trim().is_empty() && rest.starts_with('}'))
        })
    }

    /// Returns `true` if a keyword follows `=`, or the start of a block. `if` and `unless` in a block have braces in most cases.
    fn begins_value(&self, at: usize, word: &str) -> bool {
        let before = self.text.get(self.line..at).unwrap_or("").trim_end();
        before.ends_with('=') || before.ends_with(['{', '|']) && !matches!(word, "if" | "unless")
    }

    fn push_opener(&mut self, at: usize, from: Option<usize>, keeps: bool) {
        self.openers.push(Opener { at, indent: self.indent, line: self.line, frames: self.frames.len(), from, keeps });
    }

    /// Returns the word at `at`, or an empty string.
    pub(super) fn word_at(&self, at: usize) -> &'t str {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length = rest.iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'_')).unwrap_or(rest.len());
        self.text.get(at..at + length).unwrap_or("")
    }

    /// Returns `true` if the word just read is a keyword on its own, not `.end`, `:end`, `end:` or `end?`.
    fn is_free(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or(b' ', |i| self.byte(i));
        !matches!(before, b'.' | b':' | b'@' | b'$') && !matches!(self.byte(self.at), b':' | b'?' | b'(')
    }

    /// Drops the keyword of a condition before a brace, as in `if x {`, because such a condition is not Ruby.
    pub(super) fn condition_in_braces(&mut self, open: u8) {
        let frames = self.frames.len();
        if open == b'{' {
            let line = self.line;
            self.openers.pop_if(|o| o.line == line && o.frames == frames && o.from.is_none() && !o.keeps);
        }
    }

    /// Drops the keywords inside a bracket that has just been closed: they have no `end`.
    pub(super) fn forget_openers(&mut self) {
        let frames = self.frames.len();
        while self.openers.pop_if(|o| o.frames > frames).is_some() {}
    }

    fn end_word(&mut self, at: usize) {
        let frames = self.frames.len();
        let Some(opener) = self.openers.pop_if(|o| o.frames == frames) else { return };
        let line_end = || self.text.get(opener.at..at).and_then(|t| t.find(['\n', ';'])).map(|n| opener.at + n);
        if let Some(from) = opener.from.or_else(line_end) {
            self.cut_out(from, at, b'\n');
        }
    }

    /// Drops open keywords at the start of a declaration without more indentation: no later `end` belongs to them.
    fn end_of_item(&mut self) {
        let (frames, indent) = (self.frames.len(), self.indent);
        let mut outermost = None;
        while let Some(opener) = self.openers.pop_if(|o| o.frames == frames && indent <= o.indent) {
            outermost = Some(opener);
        }
        let end = self.line;
        self.swallow(outermost, end);
    }

    pub(super) fn end_of_openers(&mut self) {
        let outermost = self.openers.drain(..).next();
        let end = self.bytes.len();
        self.swallow(outermost, end);
    }

    fn swallow(&mut self, opener: Option<Opener>, end: usize) {
        let Some(opener) = opener.filter(|o| o.keeps) else { return };
        let line_end = self.text.get(opener.at..end).and_then(|t| t.find('\n')).map(|n| opener.at + n);
        if let Some(from) = opener.from.or(line_end) {
            self.cut_out(from, end, b'\n');
        }
    }
}
