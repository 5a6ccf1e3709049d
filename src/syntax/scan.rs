//! One pass over the bytes before pest: comments, brackets, quotes.
//!
//! pest cannot say which of a hundred braces is the one that was forgotten, and a text that nests too deeply must
//! not reach it at all. So this pass knows just enough of the language (strings, interpolation, regexes, text
//! blocks, word lists, comments) to count brackets. What is missing it inserts into a copy of the text, what is
//! too much it blanks out there: pest always sees balanced brackets and closed strings, and one forgotten brace is
//! one error.

use super::ast::Comment;
use crate::diagnostics::{Code, Diagnostic};
use crate::source::{Source, Span};

/// More brackets inside each other than anybody writes.
const DEEPEST: usize = 200;

/// Which language a text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `.rtype`
    Types,
    /// `.pp`
    Manifest,
}

/// What the scanner found.
pub(crate) struct Scan<'s> {
    source: &'s Source,
    pub comments: Vec<Comment>,
    pub diagnostics: Vec<Diagnostic>,
    /// The most brackets inside each other.
    pub depth: usize,
    /// Whether that is more than is allowed; the rest of the text was not looked at.
    pub too_deep: bool,
    /// The balanced copy, where one was needed.
    balanced: Option<String>,
    /// Where the copy differs.
    moves: Vec<Move>,
}

/// A place where the balanced copy differs: bytes `from..to` of the copy stand for `original..original_end`.
struct Move {
    from: usize,
    to: usize,
    original: usize,
    original_end: usize,
}

impl<'s> Scan<'s> {
    pub fn new(source: &'s Source, dialect: Dialect) -> Scan<'s> {
        let text = source.text();
        let mut pass = Pass::new(text, dialect, 0, 0);
        pass.run();
        let unclosed = pass.problems.iter().filter(|p| matches!(p, Problem::Unclosed { open: b'{', .. })).count();
        let unopened = pass.problems.iter().filter(|p| matches!(p, Problem::Unopened { close: b'}', .. })).count();
        if !pass.too_deep && unclosed + unopened > 0 {
            // Something is wrong; indentation tells where.
            let mut guided = Pass::new(text, dialect, unclosed, unopened);
            guided.run();
            if guided.problems.len() <= pass.problems.len() {
                pass = guided;
            }
        }
        let mut scan = Scan {
            source,
            comments: Vec::with_capacity(pass.comments.len()),
            diagnostics: Vec::new(),
            depth: pass.depth,
            too_deep: pass.too_deep,
            balanced: None,
            moves: Vec::new(),
        };
        for (start, end, own_line) in &pass.comments {
            scan.comments.push(Comment { span: source.span_of(*start..*end), own_line: *own_line });
        }
        for problem in &pass.problems {
            scan.diagnostics.push(problem.diagnostic(source));
        }
        if !pass.edits.is_empty() {
            scan.balance(pass.edits);
        }
        scan
    }

    fn balance(&mut self, mut edits: Vec<Edit>) {
        edits.sort_by_key(|e| e.at);
        let text = self.source.text();
        let mut out = String::with_capacity(text.len() + edits.len() * 2);
        let mut done = 0;
        for edit in edits {
            out.push_str(text.get(done..edit.at).unwrap_or(""));
            let from = out.len();
            out.push_str(edit.insert);
            done = edit.at.max(done) + edit.remove;
            self.moves.push(Move { from, to: out.len(), original: edit.at, original_end: done });
        }
        out.push_str(text.get(done..).unwrap_or(""));
        self.balanced = Some(out);
    }

    /// The balanced text.
    pub fn text(&self) -> &str {
        self.balanced.as_deref().unwrap_or(self.source.text())
    }

    /// The map-wide place of a byte of the balanced text.
    pub fn place(&self, at: usize) -> u32 {
        let after = self.moves.partition_point(|m| m.from <= at);
        let original = match after.checked_sub(1).and_then(|i| self.moves.get(i)) {
            None => at,
            Some(m) if at < m.to => m.original,
            Some(m) => m.original_end + (at - m.to),
        };
        self.source.base() + original.min(self.source.text().len()) as u32
    }
}

/// Whether all brackets and strings of a type file are closed, so that nothing more has to be typed.
pub fn is_complete(text: &str) -> bool {
    let mut pass = Pass::new(text, Dialect::Types, 0, 0);
    pass.run();
    pass.too_deep || !pass.open_at_end
}

/// The same for resource declarations.
pub fn is_complete_manifest(text: &str) -> bool {
    let mut pass = Pass::new(text, Dialect::Manifest, 0, 0);
    pass.run();
    pass.too_deep || !pass.open_at_end
}

enum Problem {
    Unclosed { open: u8, at: usize, expected_at: usize },
    Unopened { close: u8, at: usize },
    UnclosedString { quote: &'static str, at: usize, end: usize },
    TooDeep { at: usize },
}

impl Problem {
    fn diagnostic(&self, source: &Source) -> Diagnostic {
        let span = |start: usize, len: usize| source.span_of(start..start + len);
        match *self {
            Problem::Unclosed { open, at, expected_at } => {
                let (shown, length) = match open {
                    b'#' => ("#{", 2),
                    b'[' => ("[", 1),
                    b'(' => ("(", 1),
                    _ => ("{", 1),
                };
                let close = closer(open);
                let line = source.position(source.base() + expected_at as u32).line;
                let opened = source.position(source.base() + at as u32).line;
                let help = if expected_at >= source.text().trim_end().len() {
                    format!("write `{close}` where it ends; by the indentation that is at the end of the file")
                } else if line == opened {
                    format!("write `{close}` where it ends, on this line")
                } else {
                    format!("write `{close}` where it ends; by the indentation that is before line {line}")
                };
                let mut diagnostic = Diagnostic::new(Code::Unclosed, span(at, length), format!("`{shown}` is never closed")).help(help);
                if line != opened && expected_at < source.text().trim_end().len() {
                    let place = Span::new(source.base() + expected_at as u32, source.base() + expected_at as u32);
                    diagnostic = diagnostic.also(place, format!("`{close}` is missing before this"));
                }
                diagnostic
            }
            Problem::Unopened { close, at } => {
                let close = char::from(close);
                Diagnostic::new(Code::Unopened, span(at, 1), format!("`{close}` closes nothing"))
                    .help(format!("remove it, or write the `{}` that it closes", opener(close)))
            }
            Problem::UnclosedString { quote, at, end } => {
                let place = source.span_of(at..end.max(at + quote.len()));
                Diagnostic::new(Code::Unclosed, place, "this string is never closed")
                    .help(format!("write `{quote}` where it ends{}", if quote == "\"" { "; a quote inside is written `\\\"`" } else { "" }))
            }
            Problem::TooDeep { at } => {
                Diagnostic::new(Code::NestingTooDeep, span(at, 1), format!("more than {DEEPEST} brackets stand inside each other here"))
                    .help("move inner parts into a `const`, a `fn` or a `kind`")
            }
        }
    }
}

fn closer(open: u8) -> &'static str {
    match open {
        b'[' => "]",
        b'(' => ")",
        _ => "}",
    }
}

fn opener(close: char) -> char {
    match close {
        ']' => '[',
        ')' => '(',
        _ => '{',
    }
}

struct Edit {
    at: usize,
    remove: usize,
    insert: &'static str,
}

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

struct Pass<'t> {
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
    frames: Vec<Frame>,
    comments: Vec<(usize, usize, bool)>,
    problems: Vec<Problem>,
    edits: Vec<Edit>,
    depth: usize,
    too_deep: bool,
    open_at_end: bool,
}

impl<'t> Pass<'t> {
    fn new(text: &'t str, dialect: Dialect, missing: usize, superfluous: usize) -> Pass<'t> {
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
            frames: Vec::new(),
            comments: Vec::new(),
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

    fn run(&mut self) {
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

    fn step(&mut self) {
        let at = self.at;
        let byte = self.byte(at);
        match byte {
            b'\n' => {
                self.at += 1;
                self.line = self.at;
                self.indent = 0;
                self.fresh = true;
                return;
            }
            b' ' | b'\t' | b'\r' => {
                if self.fresh {
                    self.indent += 1;
                }
                self.at += 1;
                return;
            }
            b'#' => {
                let end = self.bytes.iter().skip(at).position(|b| *b == b'\n').map_or(self.bytes.len(), |n| at + n);
                let end = if end > at && self.byte(end - 1) == b'\r' { end - 1 } else { end };
                self.comments.push((at, end, self.fresh));
                self.at = end;
                return;
            }
            _ => {}
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
        if self.dialect == Dialect::Manifest && self.byte(at + 1) == b'*' {
            let end = self.text.get(at + 2..).and_then(|rest| rest.find("*/"));
            let end = end.map_or(self.bytes.len(), |n| at + 2 + n + 2);
            self.comments.push((at, end, false));
            self.at = end;
            return;
        }
        let before = at.checked_sub(1).map_or(b'\n', |i| self.byte(i));
        let is_value = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b')' | b']' | b'"' | b'\'');
        let after = self.byte(at + 1);
        if is_value(before) || (before == b' ' && after == b' ') {
            return;
        }
        let mut end = at + 1;
        while let Some(byte) = self.bytes.get(end) {
            match byte {
                b'\\' if self.byte(end + 1) != b'\n' => end += 1,
                b'\n' => return,
                b'/' => {
                    self.at = end + 1;
                    return;
                }
                _ => {}
            }
            end += 1;
        }
    }
}

fn newline_closer(open: u8) -> &'static str {
    match open {
        b'[' => "\n]",
        b'(' => "\n)",
        _ => "\n}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn balanced(text: &str) -> (String, Vec<String>) {
        let mut map = SourceMap::new();
        let source = map.add("x", text).unwrap();
        let scan = Scan::new(&source, Dialect::Types);
        let said = scan.diagnostics.iter().map(|d| format!("{} {}", d.code, map.locate(d.span()).unwrap())).collect();
        (scan.text().to_owned(), said)
    }

    #[test]
    fn a_forgotten_brace_is_found_by_indentation() {
        let (text, said) = balanced("type a {\n  newparam x {\n    desc \"y\"\n  newparam z {\n  }\n}\n");
        assert_eq!(said, ["RT202 x:2:14"]);
        assert_eq!(text, "type a {\n  newparam x {\n    desc \"y\"\n}\n  newparam z {\n  }\n}\n");
    }

    #[test]
    fn a_superfluous_brace_is_found_by_indentation() {
        let (_, said) = balanced("type a {\n  newparam x {\n  }\n  }\n  newparam z\n}\n");
        assert_eq!(said, ["RT203 x:4:3"]);
    }

    #[test]
    fn brackets_in_strings_regexes_and_comments_do_not_count() {
        for text in ["'{'", "\"{ #{ \"}\" } {\"", "/[{(]/", "# {", "\"\"\"\n { \"\"\"", "%w[{ (]", "a[/]/]"] {
            assert_eq!(balanced(text).1, Vec::<String>::new(), "{text}");
            assert!(is_complete(text), "{text}");
        }
    }

    #[test]
    fn the_repl_waits_for_what_is_open() {
        for text in ["type a {", "x = \"a", "f(", "\"#{", "\"\"\"", "['a'"] {
            assert!(!is_complete(text), "{text}");
        }
        assert!(is_complete("}"));
    }
}
