//! The scanning pass.

use super::Dialect;
use super::problem::{Problem, closer};
use super::ruby::Opener;
use super::text::{BracketEdit, Cut};
use crate::diagnostics::blank_name;
use std::ops::Range;

/// The maximum depth of nested brackets.
pub(super) const DEEPEST: usize = 200;

/// The maximum lookahead in bytes.
const FURTHEST: usize = 300;

/// An open bracket. For `#{` (or `${`) in a string, `open` is `#`.
pub(super) struct Frame {
    pub open: u8,
    pub at: usize,
    /// The indentation of the line.
    pub indent: usize,
    /// The start of the line.
    pub line: usize,
    /// The start of the enclosing string.
    pub string: usize,
    /// The number of conditions without brackets around this bracket.
    pub conditions: usize,
}

pub(super) struct Pass<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) dialect: Dialect,
    /// The number of missing and superfluous braces that may still be located by indentation.
    missing: usize,
    superfluous: usize,
    pub(super) at: usize,
    pub(super) line: usize,
    pub(super) indent: usize,
    /// `true` if only whitespace has been read on this line.
    pub(super) fresh: bool,
    /// The offset up to which whitespace is kept unchanged.
    pub(super) verbatim_until: usize,
    pub(super) frames: Vec<Frame>,
    /// Ruby keywords that an `end` may close.
    pub(super) openers: Vec<Opener>,
    pub comments: Vec<(usize, usize, bool)>,
    /// Whitespace and comments.
    pub cuts: Vec<Cut>,
    pub problems: Vec<Problem>,
    pub edits: Vec<BracketEdit>,
    /// The maximum depth of nested brackets and conditions, with its offset.
    pub depth: usize,
    pub deepest: usize,
    /// The number of conditions around the cursor without brackets: `a ? b ? c`, `if if a`.
    pub(super) conditions: usize,
    /// The offsets of closing braces outside all other brackets.
    pub closed: Vec<usize>,
    /// `true` if a part has been cut because it is nested too deeply.
    pub too_deep: bool,
    pub open_at_end: bool,
    /// The number of strings read again after an unclosed interpolation.
    pub rereads: usize,
    /// `true` if the current declaration is a type or mixin.
    pub(super) in_type: bool,
    /// The lines of a heredoc that begins on the current line.
    pub(super) heredoc: Option<Range<usize>>,
    /// The number of heredocs without a last line.
    pub(super) failed_heredocs: usize,
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
            openers: Vec::new(),
            comments: Vec::new(),
            cuts: Vec::new(),
            problems: Vec::new(),
            edits: Vec::new(),
            depth: 0,
            deepest: 0,
            conditions: 0,
            closed: Vec::new(),
            too_deep: false,
            open_at_end: false,
            rereads: 0,
            in_type: false,
            heredoc: None,
            failed_heredocs: 0,
        }
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// Returns the rest of the line, limited to the lookahead, so that a long line is not read again and again.
    pub(super) fn ahead(&self, at: usize) -> &'t str {
        let mut end = self.bytes.len().min(at + FURTHEST);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        self.text.get(at..end).and_then(|rest| rest.split('\n').next()).unwrap_or("")
    }

    pub(super) fn starts(&self, at: usize, with: &str) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(with.as_bytes()))
    }

    pub fn run(&mut self) {
        if self.text.starts_with('\u{FEFF}') {
            self.at = 3;
            self.line = 3;
            self.cuts.push(Cut { start: 0, end: 3, stands_for: b' ', place: 0 });
        }
        while self.at < self.bytes.len() {
            self.step();
        }
        self.end_of_openers();
        self.open_at_end |= !self.frames.is_empty();
        let end = self.bytes.len();
        while let Some(frame) = self.frames.pop() {
            if frame.open == b'#' {
                self.edits.push(BracketEdit { at: end, remove: 0, insert: "}\"" });
            } else {
                self.edits.push(BracketEdit { at: end, remove: 0, insert: newline_closer(frame.open) });
            }
            // An unclosed text block extends to the end of the file.
            if !self.problems.iter().any(|p| matches!(p, Problem::UnclosedString { quote: "\"\"\"", .. })) {
                self.problems.push(Problem::Unclosed { open: frame.open, at: frame.at, expected_at: end });
            }
        }
    }

    /// Returns the position for a missing `)` or `]`: the end of the opening bracket's line, unless the line continues.
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

    /// Cuts a part out of the copy, and drops the problems found in that part.
    pub(super) fn cut_out(&mut self, start: usize, end: usize, stands_for: u8) {
        if start >= end {
            return;
        }
        while self.cuts.pop_if(|c| c.start >= start).is_some() {}
        let stays = |at: usize| at < start || at >= end;
        self.edits.retain(|e| stays(e.at));
        self.problems.retain(|p| stays(p.at()));
        self.cuts.push(Cut { start, end, stands_for, place: start });
    }

    /// Reads a run of whitespace, comments and line breaks; in type files also `;`.
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
                    if let Some(lines) = self.heredoc.take_if(|lines| lines.start == self.at) {
                        self.at = lines.end;
                    }
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
                // A line continuation.
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
                128..
                    if let Some(blank) = self.text.get(at..).and_then(|rest| rest.chars().next()).filter(|c| blank_name(*c).is_some()) =>
                {
                    let text = self.in_place_of(at, blank);
                    if text == "\n" && stands_for == b' ' {
                        stands_for = b'\n';
                    }
                    self.problems.push(Problem::Blank { at, blank, text });
                    self.at += blank.len_utf8();
                }
                _ => break,
            }
        }
        if stands_for != b' ' {
            self.end_conditions(start, stands_for);
        }
        if start < self.at && start >= self.verbatim_until {
            let same = self.at == start + 1 && self.byte(start) == stands_for;
            if !same {
                self.cuts.push(Cut { start, end: self.at, stands_for, place });
            }
        }
        start < self.at
    }

    /// Returns the replacement for a blank or invisible character. A line separator between two statements is a line break.
    fn in_place_of(&self, at: usize, blank: char) -> &'static str {
        if !blank.is_whitespace() {
            return "";
        }
        let before = self.text.get(self.line..at).unwrap_or("").trim();
        let after = self.ahead(at + blank.len_utf8()).trim_start();
        let goes_on = before.ends_with([',', '(', '[', '{', '|', '=', '<', '>', '+', '-', '*', '&', '?', ':', '!', '~']);
        let is_statement =
            !goes_on && before.contains([' ', '}', ')']) && after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '}'));
        if matches!(blank, '\u{85}' | '\u{2028}' | '\u{2029}') && is_statement { "\n" } else { " " }
    }

    pub(super) fn new_line(&mut self) {
        self.line = self.at;
        self.indent = 0;
        self.fresh = true;
    }

    /// Returns `true` if the current source contains resource declarations: in manifests and in tests.
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
            self.end_interpolation();
            self.first_of_line(byte);
        }
        match byte {
            b'"' if self.dialect == Dialect::Types && self.starts(at, "\"\"\"") => {
                let end = self.text.get(at + 3..).and_then(|rest| rest.find("\"\"\""));
                match end {
                    Some(end) => self.at = at + 3 + end + 3,
                    None => {
                        self.problems.push(Problem::UnclosedString { quote: "\"\"\"", at, end: at + 3 });
                        self.edits.push(BracketEdit { at: self.bytes.len(), remove: 0, insert: "\"\"\"" });
                        self.open_at_end = true;
                        self.at = self.bytes.len();
                    }
                }
            }
            b'<' | b'@' if self.dialect == Dialect::Types && self.heredoc(at) => {}
            b'"' => self.string(at, at + 1),
            b'\'' => self.single(at),
            b'/' => self.slash(at),
            b'%' if self.dialect == Dialect::Types && self.starts(at, "%w[") => {
                match self.bytes.iter().skip(at).position(|b| *b == b']') {
                    Some(end) => self.at = at + end + 1,
                    // Without `]`, this is an open bracket like any other.
                    None => self.at += 2,
                }
            }
            b'{' | b'[' | b'(' => {
                if self.open(byte, at, at) {
                    self.at += 1;
                }
            }
            b'}' | b']' | b')' => self.close(byte, at),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.word(at);
                self.condition_word(at);
            }
            b'?' => {
                self.condition(at);
                self.at += 1;
            }
            _ => self.at += 1,
        }
    }

    /// Opens a bracket. Returns `false` if the bracket is nested too deeply; the pass then continues after the cut part.
    pub(super) fn open(&mut self, open: u8, at: usize, string: usize) -> bool {
        self.condition_in_braces(open);
        self.frames.push(Frame { open, at, indent: self.indent, line: self.line, string, conditions: self.conditions });
        self.note_depth(at);
        let fits = self.frames.len() <= DEEPEST;
        if !fits {
            self.bury();
        }
        fits
    }

    /// Closes braces at the start of a line by indentation: if a line is indented like the line of an open brace, or less, and does not
    /// close the brace, the closing brace is missing.
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
            self.edits.push(BracketEdit { at: self.line, remove: 0, insert: "}\n" });
        }
    }

    pub(super) fn close(&mut self, close: u8, at: usize) {
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
        // `)` and `]` do not close brackets outside the enclosing braces.
        let reach = self.frames.iter().rev().take_while(|f| fits(f) || close == b'}' || !matches!(f.open, b'{' | b'#')).position(fits);
        let Some(above) = reach else {
            self.unopened(close, at);
            return;
        };
        for _ in 0..above {
            if let Some(frame) = self.frames.pop() {
                let place = self.end_of_line(&frame, at);
                self.problems.push(Problem::Unclosed { open: frame.open, at: frame.at, expected_at: place });
                self.edits.push(BracketEdit { at: place, remove: 0, insert: closer(frame.open) });
            }
        }
        let closed = self.frames.pop();
        self.conditions = closed.as_ref().map_or(0, |frame| frame.conditions);
        if self.frames.is_empty() && close == b'}' {
            self.closed.push(self.at);
        }
        self.forget_openers();
        if let Some(frame) = closed
            && frame.open == b'#'
        {
            self.string(frame.string, self.at);
        }
    }

    fn unopened(&mut self, close: u8, at: usize) {
        self.problems.push(Problem::Unopened { close, at });
        self.edits.push(BracketEdit { at, remove: 1, insert: " " });
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'#' | b'\\' | b'/' | 128..)
}

fn newline_closer(open: u8) -> &'static str {
    match open {
        b'[' => "\n]",
        b'(' => "\n)",
        _ => "\n}",
    }
}
