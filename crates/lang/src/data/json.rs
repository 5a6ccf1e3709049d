//! A JSON parser that keeps source spans, which `serde_json` does not.

use super::node::{DataNode, Kind, MAX_DEPTH, too_deep, too_large};
use crate::diagnostics::{Code, Diagnostic, blank_at};
use crate::source::{Source, Span};
use crate::value::EcoString;

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// Parses the JSON text that begins at the byte `start`; a byte order mark is skipped. Numbers are exact, and repeated keys are kept.
///
/// # Errors
/// Returns the first error.
pub fn parse_json(source: &Source, start: usize) -> Fallible<DataNode> {
    let mut parser = Parser::new(source, start);
    let node = parser.value(0)?;
    parser.blank();
    if parser.at < parser.bytes.len() {
        return Err(parser.error(
            parser.at,
            "unexpected text after the JSON value",
            "put several resources into one list: a file contains one value",
        ));
    }
    Ok(node)
}

/// Parses a sequence of JSON values, such as JSON Lines.
///
/// # Errors
/// Returns the first error.
pub fn parse_json_values(source: &Source) -> Fallible<Vec<DataNode>> {
    let mut parser = Parser::new(source, 0);
    let mut all = Vec::new();
    parser.blank();
    while parser.at < parser.bytes.len() {
        all.push(parser.value(0)?);
        parser.blank();
    }
    Ok(all)
}

struct Parser<'a> {
    source: &'a Source,
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn new(source: &Source, start: usize) -> Parser<'_> {
        let mark = if start == 0 && source.text().starts_with('\u{feff}') { 3 } else { 0 };
        Parser { source, bytes: source.text().as_bytes(), at: start + mark }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.blank();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn span(&self, start: usize) -> Span {
        self.source.span_of(start..self.at)
    }

    fn slice(&self, start: usize, end: usize) -> &str {
        self.source.text().get(start..end).unwrap_or_default()
    }

    fn error(&self, at: usize, message: impl Into<String>, help: &str) -> Box<Diagnostic> {
        if let Some(blank) = blank_at(Code::BadInput, self.source, at) {
            return Box::new(blank);
        }
        let end = self.source.text().get(at..).and_then(|t| t.chars().next()).map_or(at, |c| at + c.len_utf8());
        Box::new(Diagnostic::new(Code::BadInput, self.source.span_of(at..end), message).help(help))
    }

    /// Returns the error for an unexpected character.
    fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let help = match self.peek() {
            Some(b'\'') => "write strings in double quotes",
            Some(b'}' | b']') => "remove the comma: JSON allows none after the last element",
            Some(b'/' | b'#') => "JSON has no comments",
            None => "a bracket, brace or quote before it is not closed",
            _ => "the text is not valid JSON here",
        };
        let found = match self.source.text().get(self.at..).and_then(|t| t.chars().next()) {
            Some(c) => format!("found `{c}`"),
            None => "found the end of the text".into(),
        };
        self.error(self.at, format!("expected {expected}, {found}"), help)
    }

    fn value(&mut self, depth: usize) -> Fallible<DataNode> {
        self.blank();
        let start = self.at;
        if depth > MAX_DEPTH {
            return Err(too_deep(self.source.span_of(start..start + 1)));
        }
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Kind::Str(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(DataNode::new(kind, self.span(start)))
    }

    fn array(&mut self, depth: usize) -> Fallible<Kind> {
        self.at += 1;
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(Kind::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.eat(b']') {
                return Ok(Kind::Array(items));
            }
            if !self.eat(b',') {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Fallible<Kind> {
        self.at += 1;
        let mut pairs = Vec::new();
        if self.eat(b'}') {
            return Ok(Kind::Object(pairs));
        }
        loop {
            self.blank();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let key = Kind::Str(self.string()?);
            let key = DataNode::new(key, self.span(start));
            if !self.eat(b':') {
                return Err(self.unexpected("`:` after the key"));
            }
            pairs.push((key, self.value(depth + 1)?));
            if self.eat(b'}') {
                return Ok(Kind::Object(pairs));
            }
            if !self.eat(b',') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    fn word(&mut self) -> Fallible<Kind> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        match self.slice(start, self.at) {
            "null" => Ok(Kind::Null),
            "true" => Ok(Kind::Bool(true)),
            "false" => Ok(Kind::Bool(false)),
            other => {
                let message = format!("`{other}` is not a JSON value");
                let diagnostic = Diagnostic::new(Code::BadInput, self.span(start), message);
                Err(Box::new(diagnostic.help("write strings in double quotes; other words are `true`, `false`, `null`")))
            }
        }
    }

    fn number(&mut self) -> Fallible<Kind> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        let text = self.slice(start, self.at);
        let digits = text.strip_prefix('-').unwrap_or(text);
        let padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.") && !digits.starts_with(['e', 'E']);
        if !padded {
            if let Ok(n) = text.parse::<i64>() {
                return Ok(Kind::Int(n));
            }
            if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(too_large(text, self.span(start)));
            }
            // Rust also parses `1.` and `.5`, which JSON does not allow.
            let is_json = serde_json::from_str::<f64>(text).is_ok();
            if let Some(n) = text.parse::<f64>().ok().filter(|n| is_json && n.is_finite()) {
                return Ok(Kind::Float(n));
            }
        }
        let help = if padded {
            "JSON numbers do not begin with 0: write a mode as the string \"0644\""
        } else {
            "write it as `12`, `-3` or `1.5e3`"
        };
        Err(Box::new(Diagnostic::new(Code::BadInput, self.span(start), format!("`{text}` is not a number that JSON knows")).help(help)))
    }

    fn string(&mut self) -> Fallible<EcoString> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break self.at += 1,
                Some(b'\\') => self.at += 2,
                Some(b'\n') | None => {
                    let mut d = self.error(start, "the string is never closed", "put `\"` at its end; a line end in a string is `\\n`");
                    d.labels.iter_mut().for_each(|l| l.span = self.source.span_of(start..self.at.min(self.bytes.len())));
                    return Err(d);
                }
                Some(_) => self.at += 1,
            }
        }
        let raw = self.slice(start + 1, self.at - 1);
        if !raw.contains('\\') && !raw.contains(|c: char| c < ' ') {
            return Ok(raw.into());
        }
        // Escapes are rare; `serde_json` handles them, including surrogate pairs.
        serde_json::from_str::<String>(self.slice(start, self.at)).map(EcoString::from).map_err(|e| {
            let at = start + e.column().saturating_sub(1).min(self.at - start);
            let message = if raw.contains(|c: char| c < ' ') {
                "control character in a string"
            } else {
                "a string holds an escape that JSON does not know"
            };
            let mut d = self.error(start, message, "escapes are `\\\" \\\\ \\/ \\b \\f \\n \\r \\t` and `\\u12ab`");
            d.labels.iter_mut().for_each(|l| l.span = self.source.span_of(start..at.max(start + 1)));
            d
        })
    }
}
