//! Strings and regexes: brackets inside them do not count.

use super::Dialect;
use super::pass::Pass;
use super::problem::Problem;
use super::text::Edit;

/// Words that may come after a string.
const GOES_ON: &[&str] = &["in", "and", "or", "if", "unless", "do", "then", "else", "elsif", "end"];

impl Pass<'_> {
    /// The rest of `"…"` from `from` on; stops at the closing quote or in an interpolation.
    pub(super) fn string(&mut self, start: usize, from: usize) {
        let sign = if self.dialect == Dialect::Types { b'#' } else { b'$' };
        let mut at = from;
        let mut line_end = None;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'"' if line_end.is_none() && self.is_quote_inside(at) => self.quote_inside("\"", at, start),
                b'"' => {
                    if let Some(end) = line_end.filter(|_| self.is_word(at + 1)) {
                        // A quote right before a word opens a string: this one was forgotten to be closed.
                        self.unclosed_string("\"", start, end);
                        return;
                    }
                    self.lines_until(at);
                    self.at = at + 1;
                    return;
                }
                b'\n' if line_end.is_none() => line_end = Some(at),
                _ if *byte == sign && self.byte(at + 1) == b'{' => {
                    self.lines_until(at);
                    if self.open(b'#', at, start) {
                        self.at = at + 2;
                    }
                    return;
                }
                _ => {}
            }
            at += 1;
        }
        self.open_at_end = true;
        self.unclosed_string("\"", start, line_end.unwrap_or(self.bytes.len()));
    }

    pub(super) fn single(&mut self, start: usize) {
        let mut at = start + 1;
        let mut line_end = None;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\'' if line_end.is_none() && self.is_quote_inside(at) => self.quote_inside("'", at, start),
                b'\'' => {
                    if let Some(end) = line_end.filter(|_| self.is_word(at + 1)) {
                        self.unclosed_string("'", start, end);
                        return;
                    }
                    self.lines_until(at);
                    self.at = at + 1;
                    return;
                }
                b'\n' if line_end.is_none() => line_end = Some(at),
                _ => {}
            }
            at += 1;
        }
        self.open_at_end = true;
        self.unclosed_string("'", start, line_end.unwrap_or(self.bytes.len()));
    }

    /// Whether the quote at `at` is part of the text: a word goes on after it, and a quote that does end a string
    /// comes later on the line.
    fn is_quote_inside(&self, at: usize) -> bool {
        let quote = self.byte(at);
        let rest = self.ahead(at + 1);
        let touches = self.is_word(at + 1);
        // `'the dogs' bowl'`: a word where only a sign could come.
        let next = rest.trim_start_matches(' ');
        let word: &str = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let gap = next.len() < rest.len() && !word.is_empty() && !GOES_ON.contains(&word) && self.is_word_before(at);
        if !touches && !gap {
            return false;
        }
        // What is left of the line without this string: its other strings are whole, or this quote ends none.
        let mut closes = false;
        let mut bytes = rest.bytes().enumerate().peekable();
        while let Some((i, byte)) = bytes.next() {
            match byte {
                b'\\' => drop(bytes.next()),
                _ if byte == quote => {
                    let after = rest.get(i + 1..).unwrap_or("").trim_start_matches([' ', '\t']);
                    let word = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
                    let ends = after.is_empty()
                        || after.starts_with([',', ';', '}', ')', ']', ':', '#', '.', '?', '=', '!', '+', '&', '|', '-', '~'])
                        || GOES_ON.contains(&word);
                    if ends {
                        closes = true;
                        break;
                    }
                }
                // A string that begins after punctuation is another one.
                b',' | b'=' | b'[' | b'{' | b'('
                    if rest.get(i + 1..).is_some_and(|r| r.trim_start_matches([' ', '>']).as_bytes().first() == Some(&quote)) =>
                {
                    return false;
                }
                _ => {}
            }
        }
        closes
    }

    fn is_word_before(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| self.is_word(before))
    }

    /// The text goes on: in the copy the quote is escaped. One string is one mistake.
    fn quote_inside(&mut self, quote: &'static str, at: usize, string: usize) {
        self.edits.push(Edit { at, remove: 0, insert: "\\" });
        if matches!(self.problems.last(), Some(Problem::QuoteInside { string: other, .. }) if *other == string) {
            return;
        }
        let rest = self.ahead(at);
        let end = at + rest.rfind(quote).unwrap_or(rest.len());
        self.problems.push(Problem::QuoteInside { quote, at, string, end });
    }

    fn is_word(&self, at: usize) -> bool {
        self.byte(at).is_ascii_alphanumeric()
    }

    /// The string is taken to end with its line, before a bracket that closes the one around it if it ends so.
    fn unclosed_string(&mut self, quote: &'static str, start: usize, line_end: usize) {
        // `"a #{b"`: this quote was to end the string around the interpolation.
        if quote == "\""
            && let Some(frame) = self.frames.pop_if(|f| f.open == b'#' && f.line == self.line)
        {
            self.problems.push(Problem::Unclosed { open: b'#', at: frame.at, expected_at: start });
            self.edits.push(Edit { at: start, remove: 0, insert: "}" });
            self.string(frame.string, start);
            return;
        }
        let line = self.text.get(start..line_end).unwrap_or("");
        let mut end = start + line.trim_end().len();
        // `f("a)` and `{ desc "a }`: brackets at the end that close what was open before the string.
        let tail = line.trim_end().len() - line.trim_end().trim_end_matches(['}', ')', ']', ' ']).len();
        let opened_here = self.frames.iter().filter(|f| f.line == self.line).count();
        if tail > 0 && opened_here > 0 {
            end -= tail;
        }
        let end = end.max(start + quote.len());
        self.problems.push(Problem::UnclosedString { quote, at: start, end });
        self.edits.push(Edit { at: end, remove: 0, insert: quote });
        self.at = end;
    }

    /// Keeps track of lines inside a string.
    fn lines_until(&mut self, end: usize) {
        if let Some(last) = self.bytes.get(self.at..end).and_then(|b| b.iter().rposition(|b| *b == b'\n')) {
            self.line = self.at + last + 1;
            // What follows on this line has the indentation of the line where the string began.
        }
    }

    /// A regex, a comment of manifests, or a division that somebody thought possible.
    pub(super) fn slash(&mut self, at: usize) {
        self.at += 1;
        let divides = self.divides(at);
        let mut end = at + 1;
        while let Some(byte) = self.bytes.get(end) {
            match byte {
                b'\\' if self.byte(end + 1) != b'\n' => end += 1,
                b'\n' => return,
                b'/' => {
                    if divides {
                        // pest might read a regex here all the same: what could be in it stays as it is.
                        self.verbatim_until = end + 1;
                    } else {
                        self.at = end + 1;
                    }
                    return;
                }
                _ => {}
            }
            end += 1;
        }
    }

    /// Whether a `/` is meant to divide: it stands behind a value, touching it or with blanks on both sides.
    fn divides(&self, at: usize) -> bool {
        let is_value = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b')' | b']' | b'"' | b'\'');
        let before = at.checked_sub(1).map_or(b'\n', |i| self.byte(i));
        let line = self.text.get(self.line..at).unwrap_or("").trim_end();
        is_value(before) || (before == b' ' && self.byte(at + 1) == b' ' && line.bytes().last().is_some_and(is_value))
    }
}
