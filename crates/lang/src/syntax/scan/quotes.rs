//! Strings and regexes, in which brackets are not counted.

use super::Dialect;
use super::pass::{Frame, Pass};
use super::problem::Problem;
use super::text::BracketEdit;

/// Keywords that may follow a string.
const GOES_ON: &[&str] = &["in", "and", "or", "if", "unless", "do", "then", "else", "elsif", "end"];

/// The maximum number of strings to read again after an unclosed interpolation. Each reading may extend to the end of the source.
const MAX_REREADS: usize = 16;

/// The number of bytes in which an interpolation that spans lines is expected to end.
const MAX_INTERPOLATION: usize = 2000;

impl Pass<'_> {
    /// Reads the rest of `"…"` from `from` up to the closing quote or into an interpolation.
    pub(super) fn string(&mut self, start: usize, from: usize) {
        let sign = if self.dialect == Dialect::Types { b'#' } else { b'$' };
        let mut at = from;
        let mut line_end = None;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'"' if line_end.is_none() && self.is_after_pattern(start, at) => {
                    line_end = self.arrow_after(start);
                    break;
                }
                b'"' if line_end.is_none() && self.is_quote_inside(at) => self.quote_inside("\"", at, start),
                b'"' => {
                    if let Some(end) = line_end.filter(|_| self.is_word(at + 1)) {
                        // A quote directly before a word opens a string, so this string has not been closed.
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
        self.open_at_end |= at >= self.bytes.len();
        self.unclosed_string("\"", start, line_end.unwrap_or(self.bytes.len()));
    }

    pub(super) fn single(&mut self, start: usize) {
        let mut at = start + 1;
        let mut line_end = None;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\'' if line_end.is_none() && self.is_after_pattern(start, at) => {
                    line_end = self.arrow_after(start);
                    break;
                }
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
        self.open_at_end |= at >= self.bytes.len();
        self.unclosed_string("'", start, line_end.unwrap_or(self.bytes.len()));
    }

    /// Returns `true` if a string or regex at `start` is a pattern: it is the first on its line, or follows `{`, `;` or `|`.
    fn is_pattern(&self, start: usize) -> bool {
        let before = self.text.get(self.line..start).unwrap_or("").trim_end();
        before.is_empty() || before.ends_with(['{', ';', '|'])
    }

    /// Returns the place of the first ` => ` after `start` on its line.
    fn arrow_after(&self, start: usize) -> Option<usize> {
        self.ahead(start).find(" => ").map(|at| start + at)
    }

    /// Returns `true` if the quote at `at` begins the value of a pattern at `start`, which has not been closed: `"a => "x"`.
    fn is_after_pattern(&self, start: usize, at: usize) -> bool {
        let after = self.ahead(at + 1);
        let opens = self.is_word(at + 1) && after.contains(char::from(self.byte(at)));
        opens && self.is_pattern(start) && self.text.get(start..at).is_some_and(|text| text.ends_with(" => "))
    }

    /// Returns `true` if the quote at `at` is part of the string: a word follows, and a later quote on the line ends the string.
    fn is_quote_inside(&self, at: usize) -> bool {
        let quote = self.byte(at);
        let rest = self.ahead(at + 1);
        let touches = self.is_word(at + 1);
        // `'the dogs' bowl'`: a word where an operator or comma is expected.
        let next = rest.trim_start_matches(' ');
        let word: &str = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let gap = next.len() < rest.len() && !word.is_empty() && !GOES_ON.contains(&word) && self.is_word_before(at);
        if !touches && !gap {
            return false;
        }
        // Look for a later quote on the line that closes the string; strings in between must be complete.
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
                // A string that begins after punctuation is a different string.
                b',' | b'=' | b'[' | b'{' | b'('
                    if rest.get(i + 1..).is_some_and(|r| r.trim_start_matches([' ', '>']).as_bytes().first() == Some(&quote)) =>
                {
                    return false;
                }
                _ => {}
            }
        }
        // `'it's` at the end of a line: the string goes on after an apostrophe.
        let is_apostrophe = quote == b'\'' && touches && self.is_word_before(at) && !GOES_ON.contains(&word);
        closes || is_apostrophe && !rest.contains('\'')
    }

    fn is_word_before(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| self.is_word(before))
    }

    /// Escapes the quote in the copy and continues the string. Only the first such quote in each string is reported.
    fn quote_inside(&mut self, quote: &'static str, at: usize, string: usize) {
        self.edits.push(BracketEdit { at, remove: 0, insert: "\\" });
        if matches!(self.problems.last(), Some(Problem::QuoteInside { string: other, .. }) if *other == string) {
            return;
        }
        let rest = self.ahead(at);
        let end = match rest.rfind(quote) {
            Some(close) if close > 0 => at + close,
            _ => at + rest.trim_end_matches(['}', ' ', '\r']).len(),
        };
        self.problems.push(Problem::QuoteInside { quote, at, string, end });
    }

    fn is_word(&self, at: usize) -> bool {
        self.byte(at).is_ascii_alphanumeric()
    }

    /// Ends an unclosed string at the end of the line, or before brackets that close brackets opened before the string.
    fn unclosed_string(&mut self, quote: &'static str, start: usize, line_end: usize) {
        // In `"a #{b"` this quote ends the string around the interpolation.
        if quote == "\""
            && self.rereads < MAX_REREADS
            && let Some(frame) = self.frames.pop_if(|f| f.open == b'#' && f.line == self.line)
        {
            self.problems.push(Problem::Unclosed { open: b'#', at: frame.at, expected_at: start });
            self.edits.push(BracketEdit { at: start, remove: 0, insert: "}" });
            self.rereads += 1;
            self.string(frame.string, start);
            return;
        }
        let line = self.text.get(start..line_end).unwrap_or("");
        let mut end = start + line.trim_end().len();
        // In `f("a)` and `{ desc "a }` the brackets at the end close brackets opened before the string.
        if quote == "/" {
            let before = self.closers_from(start, end).and_then(|from| self.text.get(start..from));
            end = before.map_or(end, |text| start + text.trim_end().len());
        } else {
            let is_closer = |c: char| matches!(c, '}' | ' ' | ')' | ']');
            let tail = line.trim_end().len() - line.trim_end().trim_end_matches(is_closer).len();
            let opened_here = self.frames.iter().filter(|f| f.line == self.line).count();
            if tail > 0 && opened_here > 0 {
                end -= tail;
            }
        }
        let end = end.max(start + quote.len());
        // A quote inside is the reason why the string is not closed.
        if !matches!(self.problems.last(), Some(Problem::QuoteInside { string, .. }) if *string == start) {
            self.problems.push(Problem::UnclosedString { quote, at: start, end });
        }
        // What would be in the regex is not known, so an empty one is parsed.
        self.edits.push(match quote {
            "/" => BracketEdit { at: start, remove: end - start, insert: "//" },
            _ => BracketEdit { at: end, remove: 0, insert: quote },
        });
        self.at = end;
    }

    /// Ends an unclosed string with an unclosed interpolation at the end of its line: `"a#{b`.
    pub(super) fn end_interpolation(&mut self) {
        let is_open = |frame: &Frame| frame.open == b'#' && frame.line < self.line && !self.closes_string(self.at);
        if !self.frames.last().is_some_and(is_open) {
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        self.conditions = frame.conditions;
        let end = frame.line + self.text.get(frame.line..).and_then(|text| text.lines().next()).map_or(0, |line| line.trim_end().len());
        self.problems.push(Problem::UnclosedString { quote: "\"", at: frame.string, end });
        self.edits.push(BracketEdit { at: end, remove: 0, insert: "}\"" });
    }

    /// Returns `true` if a `}` closes the interpolation around `from`, and a quote follows it on its line.
    fn closes_string(&self, from: usize) -> bool {
        let mut open = 0;
        for (at, byte) in self.bytes.iter().enumerate().skip(from).take(MAX_INTERPOLATION) {
            match byte {
                b'{' => open += 1,
                b'}' if open == 0 => return self.ahead(at).contains('"'),
                b'}' => open -= 1,
                _ => {}
            }
        }
        false
    }

    /// Updates the current line for a string that spans lines.
    fn lines_until(&mut self, end: usize) {
        if let Some(last) = self.bytes.get(self.at..end).and_then(|b| b.iter().rposition(|b| *b == b'\n')) {
            self.line = self.at + last + 1;
            // The rest of this line has the indentation of the string's first line.
        }
    }

    /// Reads a regex, a comment in a manifest, or a slash written as a division operator.
    pub(super) fn slash(&mut self, at: usize) {
        self.at += 1;
        let divides = self.divides(at);
        let mut end = at + 1;
        while let Some(byte) = self.bytes.get(end) {
            match byte {
                b'\\' if self.byte(end + 1) != b'\n' => end += 1,
                b'\n' => break,
                b'/' => {
                    if divides {
                        // pest may parse a regex here after all, so whitespace in it is kept.
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
        let begins = self.is_pattern(at) && self.byte(at + 1) != b' ';
        let is_regex = begins || self.is_operator_before(at) || !divides && self.is_first_argument(at);
        if self.dialect == Dialect::Types && self.byte(at + 1) != b'*' && is_regex {
            let arrow = self.arrow_after(at).filter(|arrow| self.is_pattern(at) && *arrow < end);
            self.unclosed_string("/", at, arrow.unwrap_or(end));
        }
    }

    /// Returns the start of the shortest end of `start..end` that closes the brackets which were opened before `start` on its line.
    /// Braces may also be closed on a later line, so they count only at the end.
    fn closers_from(&self, start: usize, end: usize) -> Option<usize> {
        let mut opened = self.frames.iter().filter(|frame| frame.line == self.line).map(|frame| frame.open).peekable();
        let (mut from, mut only_closers) = (None, true);
        // The outermost bracket is closed last.
        for (at, byte) in self.bytes.get(start..end)?.iter().enumerate().rev() {
            let open = match byte {
                b'}' if only_closers => b'{',
                b')' => b'(',
                b']' => b'[',
                _ => {
                    only_closers &= *byte == b' ';
                    continue;
                }
            };
            while open != b'{' && opened.next_if(|frame| matches!(frame, b'{' | b'#')).is_some() {}
            if opened.next_if(|frame| *frame == open || open == b'{' && *frame == b'#').is_some() {
                from = Some(start + at);
            }
        }
        from
    }

    /// Returns `true` if a word that begins a line or follows `{` or `;` precedes `at`, such as `newvalues`.
    fn is_first_argument(&self, at: usize) -> bool {
        let line = self.text.get(self.line..at).unwrap_or("").trim_end();
        let before = line.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        before.len() < line.len() && self.begins(self.line + before.len())
    }

    /// Returns `true` if an operator, a comma or an opening bracket precedes `at` on its line, so that a value must follow.
    fn is_operator_before(&self, at: usize) -> bool {
        let line = self.text.get(self.line..at).unwrap_or("").trim_end();
        line.ends_with(['~', '=', '(', '[', ',', '|', '&', '!', '?'])
    }

    /// Returns `true` if a `/` is meant as division: it directly follows a value, or has spaces on both sides after a value.
    fn divides(&self, at: usize) -> bool {
        let is_value = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b')' | b']' | b'"' | b'\'');
        let before = at.checked_sub(1).map_or(b'\n', |i| self.byte(i));
        let line = self.text.get(self.line..at).unwrap_or("").trim_end();
        is_value(before) || (before == b' ' && self.byte(at + 1) == b' ' && line.bytes().last().is_some_and(is_value))
    }
}
