//! Strings and regexes, in which brackets are not counted.

use super::Dialect;
use super::pass::Pass;
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
        if quote == "\"" && self.rereads < MAX_REREADS && self.interpolation_on_line().is_some() {
            self.rereads += 1;
            self.interpolation_ends_before(start);
            return;
        }
        let line = self.text.get(start..line_end).unwrap_or("");
        let mut end = start + line.trim_end().len();
        // In `f("a)` and `{ desc "a }` the brackets at the end close brackets opened before the string.
        if quote == "/" {
            let before = self.closers_from(start, end, self.line).and_then(|from| self.text.get(start..from));
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
        let interpolation = self.text.get(start..end).and_then(|text| text.find("#{")).map(|at| start + at);
        let is_broken = quote == "\"" && interpolation.is_some() && self.retract(start, end);
        // What would be in the regex or in the interpolation is not known, so an empty regex and a string that ends before it are parsed.
        self.edits.push(match (quote, interpolation) {
            ("\"", Some(at)) if is_broken => BracketEdit { at, remove: end - at, insert: "\"" },
            ("/", _) => BracketEdit { at: start, remove: end - start, insert: "//" },
            _ => BracketEdit { at: end, remove: 0, insert: quote },
        });
        self.at = end;
    }

    /// Returns the number of brackets inside the innermost interpolation that was opened on this line.
    fn interpolation_on_line(&self) -> Option<usize> {
        self.frames.iter().rev().take_while(|frame| frame.line == self.line).position(|frame| frame.open == b'#')
    }

    /// Returns `true` if the quote at `at` ends the string around an unclosed interpolation, as in `["a#{b" + "c"]`: it follows a value,
    /// so no string can begin here, and the quotes after it on the line leave a string open.
    pub(super) fn ends_unclosed_interpolation(&self, at: usize) -> bool {
        if self.rereads >= MAX_REREADS || self.interpolation_on_line().is_none() {
            return false;
        }
        let before = self.text.get(self.line..at).unwrap_or("").trim_end().bytes().last();
        before.is_some_and(|byte| byte == b'}' || is_end_of_value(byte)) && self.is_string_open_after(at)
    }

    /// Returns `true` if a string is open at the end of the line, and no `}` between the strings closes the interpolation before.
    fn is_string_open_after(&self, at: usize) -> bool {
        let rest = self.ahead(at);
        let (mut is_open, mut braces) = (false, 0_usize);
        let mut bytes = rest.bytes();
        while let Some(byte) = bytes.next() {
            match byte {
                b'\\' => drop(bytes.next()),
                b'"' => is_open = !is_open,
                b'{' if !is_open => braces += 1,
                b'}' if !is_open && braces == 0 => return false,
                b'}' if !is_open => braces -= 1,
                _ => {}
            }
        }
        is_open
    }

    /// Reports the interpolation that was opened on this line, and closes it before the quote at `at`, which ends the string.
    pub(super) fn interpolation_ends_before(&mut self, at: usize) {
        let Some(brackets) = self.interpolation_on_line() else { return };
        self.frames.truncate(self.frames.len() - brackets);
        let Some(frame) = self.frames.pop() else { return };
        self.retract(frame.at, at);
        self.problems.push(Problem::Unclosed { open: b'#', at: frame.at, expected_at: at });
        self.edits.push(match brackets {
            0 => BracketEdit { at, remove: 0, insert: "}" },
            // An expression with unclosed brackets is not parsed.
            _ => BracketEdit { at: frame.at, remove: at - frame.at, insert: "" },
        });
        self.conditions = frame.conditions;
        self.forget_openers();
        self.string(frame.string, at);
    }

    /// Drops the problems and edits of brackets and quotes after `start`, where an unclosed string or interpolation ends at `end`. What
    /// follows `end` is scanned again. Returns `true` if there were any.
    fn retract(&mut self, start: usize, end: usize) -> bool {
        let is_kept = |problem: &Problem| {
            let is_bracket = matches!(problem, Problem::Unclosed { .. } | Problem::Unopened { .. } | Problem::UnclosedString { .. });
            problem.at() <= start || !is_bracket && problem.at() < end
        };
        let before = self.edits.len();
        self.problems.retain(is_kept);
        self.edits.retain(|edit| edit.at <= start || edit.insert == "\\" && edit.at < end);
        self.edits.len() < before
    }

    /// Ends an unclosed string with an unclosed interpolation at the end of its line, such as `"a#{b`, or before brackets that close
    /// brackets opened before the string. Returns `true` if there was one: the rest of its line is then scanned again.
    pub(super) fn end_interpolation(&mut self) -> bool {
        let Some(line) = self.frames.last().map(|frame| frame.line).filter(|line| *line < self.line) else { return false };
        let on_line = self.frames.iter().rev().take_while(|frame| frame.line == line);
        let Some(brackets) = on_line.enumerate().find(|(_, frame)| frame.open == b'#').map(|(brackets, _)| brackets) else { return false };
        if self.rereads >= MAX_REREADS || self.closes_string(self.at) {
            return false;
        }
        self.rereads += 1;
        self.frames.truncate(self.frames.len() - brackets);
        let Some(frame) = self.frames.pop() else { return false };
        self.conditions = frame.conditions;
        self.forget_openers();
        let end = line + self.text.get(line..).and_then(|text| text.lines().next()).map_or(0, |line| line.trim_end().len());
        let closers = self.closers_from(frame.string, end, line).and_then(|from| self.text.get(..from));
        let end = closers.map_or(end, |text| text.trim_end().len()).max(frame.at);
        self.retract(frame.string, end);
        self.problems.push(Problem::UnclosedString { quote: "\"", at: frame.string, end });
        self.edits.push(BracketEdit { at: frame.at, remove: end - frame.at, insert: "\"" });
        while self.cuts.pop_if(|cut| cut.start >= end).is_some() {}
        while self.comments.pop_if(|(start, ..)| *start >= end).is_some() {}
        (self.at, self.line, self.indent) = (end, line, frame.indent);
        true
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

    /// Returns the start of the shortest end of `start..end` that closes the brackets which were opened before `start` on this line.
    /// Braces may also be closed on a later line, so they count only at the end.
    fn closers_from(&self, start: usize, end: usize, line: usize) -> Option<usize> {
        let mut opened = self.frames.iter().filter(|frame| frame.line == line).map(|frame| frame.open).peekable();
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
        let before = at.checked_sub(1).map_or(b'\n', |i| self.byte(i));
        let line = self.text.get(self.line..at).unwrap_or("").trim_end();
        is_end_of_value(before) || (before == b' ' && self.byte(at + 1) == b' ' && line.bytes().last().is_some_and(is_end_of_value))
    }
}

/// Returns `true` if a name, number, string or bracketed value may end with this byte.
fn is_end_of_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b')' | b']' | b'"' | b'\'')
}
