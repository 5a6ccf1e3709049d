//! The pass itself.

use super::Dialect;
use super::problem::{Problem, closer};
use super::text::{Cut, Edit};

/// More brackets inside each other than anybody writes.
pub(super) const DEEPEST: usize = 200;

/// A bracket that is open. `#` stands for `#{` (or `${`) in a string.
struct Frame {
    open: u8,
    at: usize,
    /// The indentation of its line.
    indent: usize,
    /// Where its line starts.
    line: usize,
    /// Where the string around it starts.
    string: usize,
}

pub(super) struct Pass<'t> {
    text: &'t str,
    bytes: &'t [u8],
    dialect: Dialect,
    /// How many missing and how many superfluous braces indentation may still find.
    missing: usize,
    superfluous: usize,
    at: usize,
    line: usize,
    indent: usize,
    /// Whether only blanks have been seen on this line.
    fresh: bool,
    /// Up to here blanks stay as they are.
    verbatim_until: usize,
    frames: Vec<Frame>,
    pub comments: Vec<(usize, usize, bool)>,
    /// Blanks and comments.
    pub cuts: Vec<Cut>,
    pub problems: Vec<Problem>,
    pub edits: Vec<Edit>,
    pub depth: usize,
    pub too_deep: bool,
    pub open_at_end: bool,
}

impl<'t> Pass<'t> {
    pub fn new(text: &'t str, dialect: Dialect, missing: usize, superfluous: usize) -> Pass<'t> {
        Pass {
            text,
            bytes: text.as_bytes(),
            dialect,
            missing,
            superfluous,
            at: 0,
            line: 0,
            indent: 0,
            fresh: true,
            verbatim_until: 0,
            frames: Vec::new(),
            comments: Vec::new(),
            cuts: Vec::new(),
            problems: Vec::new(),
            edits: Vec::new(),
            depth: 0,
            too_deep: false,
            open_at_end: false,
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn starts(&self, at: usize, with: &str) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(with.as_bytes()))
    }

    pub fn run(&mut self) {
        if self.text.starts_with('\u{FEFF}') {
            self.at = 3;
            self.line = 3;
            self.cuts.push(Cut { start: 0, end: 3, stands_for: b' ', place: 0 });
        }
        while self.at < self.bytes.len() && !self.too_deep {
            self.step();
        }
        if self.too_deep {
            return;
        }
        self.open_at_end |= !self.frames.is_empty();
        let end = self.bytes.len();
        while let Some(frame) = self.frames.pop() {
            if frame.open == b'#' {
                self.edits.push(Edit { at: end, remove: 0, insert: "}\"" });
            } else {
                self.edits.push(Edit { at: end, remove: 0, insert: newline_closer(frame.open) });
            }
            // Behind a text block that swallowed the rest of the file nothing can be closed.
            if !self.problems.iter().any(|p| matches!(p, Problem::UnclosedString { quote: "\"\"\"", .. })) {
                self.problems.push(Problem::Unclosed { open: frame.open, at: frame.at, expected_at: end });
            }
        }
    }

    /// Where a forgotten `)` or `]` belongs: at the end of the line where it opened, unless that line goes on.
    fn end_of_line(&self, frame: &Frame, otherwise: usize) -> usize {
        let end = self.text.get(frame.at..).and_then(|t| t.find('\n')).map_or(self.bytes.len(), |n| frame.at + n);
        let comment = self.comments.iter().rev().find(|(start, ..)| (frame.at..end).contains(start));
        let end = comment.map_or(end, |(start, ..)| *start).min(otherwise);
        let line = self.text.get(frame.at..end).unwrap_or("").trim_end();
        if frame.open == b'{' || line.ends_with([',', '(', '[', '{', '|', '=', '>', '+', '-', '*', '&', '\\']) {
            return otherwise;
        }
        frame.at + line.len()
    }

    /// A run of blanks, comments and line breaks; in type files `;` is one of them.
    fn blanks(&mut self) -> bool {
        let start = self.at;
        let mut stands_for = b' ';
        let mut place = start;
        loop {
            let at = self.at;
            match self.byte(at) {
                b' ' | b'\t' | b'\r' => {
                    self.indent += usize::from(self.fresh);
                    self.at += 1;
                }
                b'\n' => {
                    self.at += 1;
                    self.new_line();
                    if stands_for == b' ' {
                        stands_for = b'\n';
                    }
                }
                b';' if self.dialect == Dialect::Types => {
                    self.at += 1;
                    self.fresh = false;
                    if stands_for != b';' {
                        stands_for = b';';
                        place = at;
                    }
                }
                b'#' => {
                    let end = self.text.get(at..).and_then(|rest| rest.find('\n')).map_or(self.bytes.len(), |n| at + n);
                    let end = if end > at && self.byte(end - 1) == b'\r' { end - 1 } else { end };
                    self.comments.push((at, end, self.fresh));
                    self.at = end;
                }
                // A line that goes on.
                b'\\' if self.starts(at, "\\\n") || self.starts(at, "\\\r\n") => {
                    self.at += if self.byte(at + 1) == b'\n' { 2 } else { 3 };
                    self.new_line();
                }
                b'/' if self.starts(at, "/*") && self.is_manifest() => {
                    let end = self.text.get(at + 2..).and_then(|rest| rest.find("*/"));
                    let end = end.map_or(self.bytes.len(), |n| at + 2 + n + 2);
                    self.comments.push((at, end, false));
                    self.at = end;
                }
                _ => break,
            }
        }
        if start < self.at && start >= self.verbatim_until {
            let same = self.at == start + 1 && self.byte(start) == stands_for;
            if !same {
                self.cuts.push(Cut { start, end: self.at, stands_for, place });
            }
        }
        start < self.at
    }

    fn new_line(&mut self) {
        self.line = self.at;
        self.indent = 0;
        self.fresh = true;
    }

    /// Whether resources are declared here: in manifests and in tests.
    fn is_manifest(&self) -> bool {
        self.dialect == Dialect::Manifest || self.frames.first().is_some_and(|f| self.starts(f.line + f.indent, "test"))
    }

    fn step(&mut self) {
        let at = self.at;
        let byte = self.byte(at);
        if is_blank(byte) && self.blanks() {
            return;
        }
        if self.fresh {
            self.fresh = false;
            self.first_of_line(byte);
        }
        match byte {
            b'"' if self.dialect == Dialect::Types && self.starts(at, "\"\"\"") => {
                let end = self.text.get(at + 3..).and_then(|rest| rest.find("\"\"\""));
                match end {
                    Some(end) => self.at = at + 3 + end + 3,
                    None => {
                        self.problems.push(Problem::UnclosedString { quote: "\"\"\"", at, end: at + 3 });
                        self.edits.push(Edit { at: self.bytes.len(), remove: 0, insert: "\"\"\"" });
                        self.open_at_end = true;
                        self.at = self.bytes.len();
                    }
                }
            }
            b'"' => self.string(at, at + 1),
            b'\'' => self.single(at),
            b'/' => self.slash(at),
            b'%' if self.dialect == Dialect::Types && self.starts(at, "%w[") => {
                match self.bytes.iter().skip(at).position(|b| *b == b']') {
                    Some(end) => self.at = at + end + 1,
                    // An open bracket like any other.
                    None => self.at += 2,
                }
            }
            b'{' | b'[' | b'(' => {
                self.open(byte, at, at);
                self.at += 1;
            }
            b'}' | b']' | b')' => self.close(byte, at),
            _ => self.at += 1,
        }
    }

    fn open(&mut self, open: u8, at: usize, string: usize) {
        self.frames.push(Frame { open, at, indent: self.indent, line: self.line, string });
        self.depth = self.depth.max(self.frames.len());
        if self.frames.len() > DEEPEST {
            self.too_deep = true;
            self.problems = vec![Problem::TooDeep { at }];
            self.edits.clear();
        }
    }

    /// A brace that opened at the end of a line closes on a line that is indented like its own. A line that is
    /// indented like that, or less, and does not close it, is a sign that the closing brace was forgotten.
    fn first_of_line(&mut self, byte: u8) {
        if self.missing == 0 || matches!(byte, b')' | b']' | b'.' | b'&' | b'|' | b'?' | b':') {
            return;
        }
        while let Some(frame) = self.frames.last() {
            let outside = if byte == b'}' { self.indent < frame.indent } else { self.indent <= frame.indent };
            if frame.open != b'{' || !outside || self.missing == 0 || frame.line == self.line {
                return;
            }
            let at = frame.at;
            self.frames.pop();
            self.missing -= 1;
            self.problems.push(Problem::Unclosed { open: b'{', at, expected_at: self.at });
            self.edits.push(Edit { at: self.line, remove: 0, insert: "}\n" });
        }
    }

    fn close(&mut self, close: u8, at: usize) {
        self.at += 1;
        let first = self.line + self.indent == at;
        let too_many =
            close == b'}' && first && self.superfluous > 0 && self.frames.last().is_some_and(|f| f.open == b'{' && f.indent < self.indent);
        if too_many {
            self.superfluous -= 1;
            self.unopened(close, at);
            return;
        }
        let fits = |frame: &Frame| match close {
            b'}' => matches!(frame.open, b'{' | b'#'),
            b']' => frame.open == b'[',
            _ => frame.open == b'(',
        };
        // `)` and `]` do not reach out of the braces around them.
        let reach = self.frames.iter().rev().take_while(|f| fits(f) || close == b'}' || !matches!(f.open, b'{' | b'#')).position(fits);
        let Some(above) = reach else {
            self.unopened(close, at);
            return;
        };
        for _ in 0..above {
            if let Some(frame) = self.frames.pop() {
                let place = self.end_of_line(&frame, at);
                self.problems.push(Problem::Unclosed { open: frame.open, at: frame.at, expected_at: place });
                self.edits.push(Edit { at: place, remove: 0, insert: closer(frame.open) });
            }
        }
        if let Some(frame) = self.frames.pop()
            && frame.open == b'#'
        {
            self.string(frame.string, self.at);
        }
    }

    fn unopened(&mut self, close: u8, at: usize) {
        self.problems.push(Problem::Unopened { close, at });
        self.edits.push(Edit { at, remove: 1, insert: " " });
    }

    /// The rest of `"…"` from `from` on; stops at the closing quote or in an interpolation.
    fn string(&mut self, start: usize, from: usize) {
        let sign = if self.dialect == Dialect::Types { b'#' } else { b'$' };
        let mut at = from;
        let mut line_end = None;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
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
                    self.open(b'#', at, start);
                    self.at = at + 2;
                    return;
                }
                _ => {}
            }
            at += 1;
        }
        self.open_at_end = true;
        self.unclosed_string("\"", start, line_end.unwrap_or(self.bytes.len()));
    }

    fn single(&mut self, start: usize) {
        let mut at = start + 1;
        let mut line_end = None;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
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
    fn slash(&mut self, at: usize) {
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

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'#' | b'\\' | b'/')
}

fn newline_closer(open: u8) -> &'static str {
    match open {
        b'[' => "\n]",
        b'(' => "\n)",
        _ => "\n}",
    }
}
