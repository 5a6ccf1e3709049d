//! Heredocs: `@(TAG:syntax/escapes)`.

use super::super::token::{TokenKind, Trivia};
use super::escape::Escapes;
use super::{Lexer, Quote, Region};
use ecow::EcoString;
use rtype_lang::diagnostics::{Code, Diagnostic};

/// The text of a heredoc while it is read.
pub(super) struct HeredocText {
    pub start: usize,
    pub end: usize,
    pub margin: EcoString,
    pub escapes: Escapes,
    pub interpolates: bool,
    /// Where the lexer continues after the text.
    pub resume: Region,
}

/// The specification between `@(` and `)`.
struct Specification<'a> {
    tag: &'a str,
    syntax: &'a str,
    escapes: Escapes,
    interpolates: bool,
}

/// The line that ends a heredoc.
struct EndLine {
    margin: Option<EcoString>,
    removes_break: bool,
}

impl Lexer<'_> {
    pub(super) fn heredoc(&mut self) {
        let start = self.region.pos;
        let Some(close) = self.find_byte(start, b')') else {
            self.error(Code::Unclosed, start, 2, "unclosed heredoc: no `)` follows `@(`");
            return self.emit(TokenKind::Unknown, self.region.limit - start);
        };
        let after = close + 1;
        let specification = match specification(self.slice(start + 2, close)) {
            Ok(specification) => specification,
            Err(message) => {
                self.error(Code::Syntax, start, after - start, message);
                self.region.pos = after;
                return self.push(TokenKind::String, start, after, Some(EcoString::new()));
            }
        };
        let text = match self.region.newline_jump {
            Some(text) => Some(text),
            None => self.find_byte(after, b'\n').map(|at| at + 1),
        };
        self.push(TokenKind::Heredoc, start, after, Some(specification.syntax.into()));
        self.region.pos = after;
        let Some(text) = text else {
            self.error(Code::Unclosed, start, after - start, "heredoc without text: the text begins in the next line");
            return self.push(TokenKind::String, after, after, Some(EcoString::new()));
        };
        match self.heredoc_end(text, specification.tag) {
            Some(found) => self.heredoc_text(text, found, &specification),
            None => {
                let tag = specification.tag;
                let span = self.source.span_of(start..after);
                let found = Diagnostic::new(Code::Unclosed, span, format!("unclosed heredoc: no line ends it with `{tag}`"));
                self.report(found.help(format!("add a line `| {tag}` after the text")));
                self.push(TokenKind::String, text, self.region.limit, Some(EcoString::new()));
                self.region.newline_jump = Some(self.region.limit);
            }
        }
    }

    /// Finds the end line of the heredoc. Returns the start of the line, the offset after the line, and the markers.
    fn heredoc_end(&self, text: usize, tag: &str) -> Option<(usize, usize, EndLine)> {
        let mut start = text;
        for line in self.slice(text, self.region.limit).split_inclusive('\n') {
            if let Some(found) = end_line(line, tag) {
                return Some((start, start + line.len(), found));
            }
            start += line.len();
        }
        None
    }

    fn heredoc_text(&mut self, start: usize, (end, after, line): (usize, usize, EndLine), specification: &Specification<'_>) {
        let mut text_end = end;
        if line.removes_break {
            let text = self.slice(start, end);
            let text = text.strip_suffix('\n').unwrap_or(text);
            text_end = start + text.strip_suffix('\r').unwrap_or(text).len();
        }
        self.out.heredocs.push(Trivia { start: start as u32, end: after as u32 });
        let margin = line.margin.unwrap_or_default();
        let mut resume = self.region.clone();
        resume.newline_jump = Some(after);
        self.region = Region { pos: start, limit: text_end, line_start: start, newline_jump: None, margin: margin.clone() };
        let (escapes, interpolates) = (specification.escapes, specification.interpolates);
        let text = HeredocText { start, end: text_end, margin, escapes, interpolates, resume };
        self.string_text(Quote::Heredoc(Box::new(text)), start, TokenKind::StringStart);
    }
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

fn specification(text: &str) -> Result<Specification<'_>, String> {
    let invalid = || "invalid heredoc: expected `@(TAG)`, `@(TAG:syntax)` or `@(TAG/escapes)`".to_owned();
    let (head, flags) = match text.split_once('/') {
        Some((head, flags)) => (head, Some(flags.trim_end_matches(is_blank))),
        None => (text, None),
    };
    let (tag, syntax) = match head.split_once(':') {
        Some((tag, syntax)) => (tag, Some(syntax.trim_matches(is_blank))),
        None => (head, None),
    };
    if tag.is_empty() || tag.contains(['\n', '\r']) {
        return Err(invalid());
    }
    let is_syntax = |s: &str| {
        s.len() > 1
            && s.starts_with(|c: char| c.is_ascii_lowercase())
            && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'+')
    };
    if syntax.is_some_and(|s| !is_syntax(s)) {
        return Err(invalid());
    }
    let tag = tag.trim();
    let quoted = tag.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    let name = quoted.map_or(tag, str::trim);
    if name.is_empty() {
        return Err("the tag of the heredoc is empty".into());
    }
    let escapes = flags.map(escapes).transpose()?.unwrap_or_default();
    Ok(Specification { tag: name, syntax: syntax.unwrap_or_default(), escapes, interpolates: quoted.is_some() })
}

fn escapes(flags: &str) -> Result<Escapes, String> {
    let mut found = Escapes::BACKSLASH;
    let flags = if flags.is_empty() { "trnsuL$" } else { flags };
    let mut seen = String::new();
    for flag in flags.chars() {
        if seen.contains(flag) {
            return Err(format!("duplicate escape `{flag}` in the heredoc"));
        }
        seen.push(flag);
        let escape = Escapes::named(flag).ok_or_else(|| format!("unknown escape `{flag}` in the heredoc; allowed: t, r, n, s, u, L, $"))?;
        found = found.with(escape);
    }
    Ok(found)
}

/// Recognizes `  | - TAG`. As in Puppet, other text may precede it.
fn end_line(line: &str, tag: &str) -> Option<EndLine> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    let before = line.trim_end_matches(is_blank).strip_suffix(tag)?;
    let (before, removes_break) = match before.trim_end_matches(is_blank).strip_suffix('-') {
        Some(before) => (before, true),
        None => (before, false),
    };
    let leading = before.trim_end_matches(is_blank).strip_suffix('|');
    let margin = leading.map(|l| l.get(l.trim_end_matches(is_blank).len()..).unwrap_or_default().into());
    Some(EndLine { margin, removes_break })
}
