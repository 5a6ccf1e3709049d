//! Quoted strings and interpolation.

use super::super::token::TokenKind;
use super::escape::{Escapes, unescape, unescape_single, without_margin};
use super::{Interpolation, Lexer, Quote};
use ecow::EcoString;
use rtype_lang::diagnostics::{Code, Diagnostic};

/// Why a part of a string ends.
enum PartEnd {
    /// The closing quote, or the end of the heredoc.
    Closed,
    /// `$` before the name of a variable.
    Variable,
    /// `${`.
    Expression,
    /// The end of the text.
    Missing,
}

impl Lexer<'_> {
    pub(super) fn single_quoted(&mut self) {
        let start = self.region.pos;
        let Some(end) = self.quote_end(start + 1, b'\'') else { return self.unclosed_string(start, start, TokenKind::String) };
        let raw = without_margin(self.slice(start + 1, end), &self.region.margin);
        let value = unescape_single(&raw).unwrap_or(raw);
        self.region.pos = end + 1;
        self.push(TokenKind::String, start, end + 1, Some(value));
    }

    /// Returns the offset of the first quote that an even number of backslashes precedes.
    fn quote_end(&self, from: usize, quote: u8) -> Option<usize> {
        let bytes = self.text.as_bytes().get(from..self.string_limit(from))?;
        let mut is_escaped = false;
        for (at, byte) in bytes.iter().enumerate() {
            if is_escaped {
                is_escaped = false;
            } else if *byte == b'\\' {
                is_escaped = true;
            } else if *byte == quote {
                return Some(from + at);
            }
        }
        None
    }

    /// Reports a string without its closing quote; the token of its last part ends with the line.
    fn unclosed_string(&mut self, quote: usize, start: usize, kind: TokenKind) {
        let end = self.line_end(start);
        self.has_unclosed = true;
        let sign = self.slice(quote, quote + 1);
        self.error(Code::Unclosed, quote, 1, format!("unclosed string: no closing `{sign}` follows"));
        self.region.pos = end;
        self.push(kind, start, end, Some(self.slice(start, end).into()));
    }

    fn line_end(&self, from: usize) -> usize {
        self.find_byte(from, b'\n').unwrap_or(self.region.limit)
    }

    /// After an unclosed string, strings are searched in their own line, so that each line is read once.
    fn string_limit(&self, from: usize) -> usize {
        if self.has_unclosed { self.line_end(from) } else { self.region.limit }
    }

    pub(super) fn double_quoted(&mut self) {
        let start = self.region.pos;
        self.region.pos = start + 1;
        self.string_text(Quote::Double { start }, start, TokenKind::StringStart);
    }

    /// Reads the text of a string up to an expression or the end. `kind` is `StringStart` for the first part.
    pub(super) fn string_text(&mut self, quote: Quote, mut start: usize, mut kind: TokenKind) {
        loop {
            let from = self.region.pos;
            let (end, found) = self.part_end(&quote);
            let value = self.part_value(&quote, from, end);
            match found {
                PartEnd::Closed => return self.close_string(quote, start, end, kind, value),
                PartEnd::Missing => {
                    let Quote::Double { start: quote } = quote else { return };
                    let kind = if kind == TokenKind::StringStart { TokenKind::String } else { TokenKind::StringEnd };
                    return self.unclosed_string(quote, start, kind);
                }
                PartEnd::Variable => {
                    let length = self.variable_name(end + 1);
                    self.push(kind, start, end, Some(value));
                    self.region.pos = end + 1 + length;
                    self.push(TokenKind::Variable, end, self.region.pos, None);
                    start = self.region.pos;
                    kind = TokenKind::StringMiddle;
                }
                PartEnd::Expression => {
                    let after = self.after;
                    self.region.pos = end + 2;
                    self.push(kind, start, end + 2, Some(value));
                    // Whether a slash begins a regex depends on the token before the string.
                    self.after = after;
                    let first = self.out.tokens.len();
                    self.open.push(Interpolation { quote, braces: self.braces, first, opened: end });
                    self.depth = self.depth.max(self.brackets + self.open.len());
                    return;
                }
            }
        }
    }

    /// Finds the end of a part of a string from the position.
    fn part_end(&self, quote: &Quote) -> (usize, PartEnd) {
        let (closing, limit, escapes, interpolates) = match quote {
            Quote::Double { .. } => (Some(b'"'), self.string_limit(self.region.pos), true, true),
            Quote::Heredoc(text) => (None, text.end, text.escapes.has(Escapes::DOLLAR), text.interpolates),
        };
        let bytes = self.text.as_bytes();
        let mut at = self.region.pos;
        while at < limit {
            match bytes.get(at) {
                Some(b'\\') if escapes => at += 1,
                Some(byte) if Some(*byte) == closing => return (at, PartEnd::Closed),
                Some(b'$') if interpolates => {
                    if bytes.get(at + 1) == Some(&b'{') && at + 1 < limit {
                        return (at, PartEnd::Expression);
                    }
                    if self.variable_name(at + 1) > 0 {
                        return (at, PartEnd::Variable);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        (limit, if closing.is_some() { PartEnd::Missing } else { PartEnd::Closed })
    }

    /// Returns the value of a part of a string: without the margin, and with escapes replaced.
    fn part_value(&mut self, quote: &Quote, from: usize, end: usize) -> EcoString {
        let mut source = self.slice(from, end);
        let (escapes, warns) = match quote {
            Quote::Double { .. } => (Escapes::DOUBLE, true),
            Quote::Heredoc(text) => {
                if from == text.start {
                    source = source.strip_prefix(text.margin.as_str()).unwrap_or(source);
                }
                (text.escapes, false)
            }
        };
        let margin = match quote {
            Quote::Double { .. } => self.region.margin.clone(),
            Quote::Heredoc(text) => text.margin.clone(),
        };
        let raw = without_margin(source, &margin);
        let mut unknown = Vec::new();
        let value = unescape(&raw, escapes, |at, c| unknown.push((at, c)));
        // With a margin, offsets in the value differ from offsets in the source.
        for (at, c) in unknown.into_iter().filter(|_| warns && margin.is_empty()) {
            self.unknown_escape(from + at, c);
        }
        value.unwrap_or(raw)
    }

    fn unknown_escape(&mut self, at: usize, c: char) {
        let span = self.source.span_of(at..at + 1 + c.len_utf8());
        let mut found = Diagnostic::new(Code::BadEscape, span, format!("unknown escape `\\{c}`: the backslash stays in the string"));
        found.severity = rtype_lang::diagnostics::Severity::Warning;
        self.report(found.help(format!("write `\\\\{c}` for a backslash")).fix("escape the backslash", span, format!("\\\\{c}")));
    }

    fn close_string(&mut self, quote: Quote, start: usize, end: usize, kind: TokenKind, value: EcoString) {
        let kind = if kind == TokenKind::StringStart { TokenKind::String } else { TokenKind::StringEnd };
        match quote {
            Quote::Double { .. } => {
                self.region.pos = end + 1;
                self.push(kind, start, end + 1, Some(value));
            }
            Quote::Heredoc(text) => {
                self.push(kind, start, end, Some(value));
                self.region = text.resume;
            }
        }
    }

    /// Reads the brace that closes an interpolation, and continues with the text of the string.
    pub(super) fn end_interpolation(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.name_to_variable(open.first);
        let start = self.region.pos + 1;
        self.region.pos = start;
        self.string_text(open.quote, start, TokenKind::StringMiddle);
    }

    /// A name, number or keyword alone, or before `.` or `[`, is a variable.
    fn name_to_variable(&mut self, first: usize) {
        let next = self.out.tokens.get(first + 1).map(|t| t.kind);
        if let Some(token) = self.out.tokens.get_mut(first)
            && matches!(next, None | Some(TokenKind::Dot | TokenKind::BracketOpen))
            && (matches!(token.kind, TokenKind::Number | TokenKind::Name | TokenKind::Word) || token.kind.is_keyword())
        {
            token.value = Some(self.text.get(token.start as usize..token.end as usize).unwrap_or_default().into());
            token.kind = TokenKind::Variable;
        }
    }

    /// Reports an interpolation without its closing brace, and closes it.
    pub(super) fn unclosed_interpolation(&mut self, open: Interpolation) {
        self.error(Code::Unclosed, open.opened, 2, "unclosed interpolation: no `}` follows");
        let end = self.region.limit;
        self.braces = open.braces;
        self.push(TokenKind::StringEnd, end, end, Some(EcoString::new()));
        if let Quote::Heredoc(text) = open.quote {
            self.region = text.resume;
        }
    }
}
