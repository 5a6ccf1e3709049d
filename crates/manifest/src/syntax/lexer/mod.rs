//! The lexer: text to tokens. It never fails: mistakes become diagnostics, and the tokens continue after them.

mod escape;
mod heredoc;
mod operator;
mod string;
mod template;
mod word;

use super::token::{Token, TokenKind, Tokens, Trivia};
use ecow::EcoString;
use heredoc::HeredocText;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Source;
use template::TemplateMode;

/// The maximum number of brackets and interpolations that may be open at the same time.
const MAX_DEPTH: usize = 200;

/// The result of the lexer.
pub(super) struct Lexed {
    pub tokens: Tokens,
    /// One character per token, for the grammar.
    pub kinds: String,
    pub diagnostics: Vec<Diagnostic>,
    /// The largest number of brackets and interpolations open at the same time.
    pub depth: usize,
}

/// Reads the tokens of a manifest, or of an EPP template.
pub(super) fn lex(source: &Source, is_template: bool) -> Lexed {
    let mut lexer = Lexer::new(source);
    if lexer.refuses_byte_order_mark() {
        return lexer.finish();
    }
    if is_template {
        lexer.begin_template();
    }
    lexer.run();
    lexer.finish()
}

/// The place where the text of a string continues after an interpolation.
enum Quote {
    Double { start: usize },
    Heredoc(Box<HeredocText>),
}

/// An interpolation `${…}` whose closing brace was not reached yet.
struct Interpolation {
    quote: Quote,
    /// The number of open braces at the end of the interpolation.
    braces: usize,
    /// The index of the first token of the interpolation.
    first: usize,
    /// The offset of `${`.
    opened: usize,
}

/// The position in the text, and what limits it.
#[derive(Clone)]
struct Region {
    pos: usize,
    /// The end of the text, or of the heredoc that contains the position.
    limit: usize,
    /// The offset where the current line starts; an open parenthesis at the start of a line never begins the arguments of a call.
    line_start: usize,
    /// The offset after the heredocs of the current line.
    newline_jump: Option<usize>,
    /// The margin of the heredoc that contains the position.
    margin: EcoString,
}

struct Lexer<'a> {
    source: &'a Source,
    text: &'a str,
    region: Region,
    out: Tokens,
    after: Option<TokenKind>,
    open: Vec<Interpolation>,
    braces: usize,
    brackets: usize,
    depth: usize,
    template: Option<TemplateMode>,
    /// Whether a string was not closed.
    has_unclosed: bool,
    /// The end of the text without an unescaped slash.
    no_regex_before: usize,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a Source) -> Lexer<'a> {
        let text = source.text();
        let region = Region { pos: 0, limit: text.len(), line_start: 0, newline_jump: None, margin: EcoString::new() };
        Lexer {
            source,
            text,
            region,
            out: Tokens { tokens: Vec::with_capacity(text.len() / 4), comments: Vec::new(), heredocs: Vec::new() },
            after: None,
            open: Vec::new(),
            braces: 0,
            brackets: 0,
            depth: 0,
            template: None,
            has_unclosed: false,
            no_regex_before: 0,
            diagnostics: Vec::new(),
        }
    }

    fn finish(self) -> Lexed {
        let kinds = self.out.tokens.iter().map(|t| t.kind as u8 as char).collect();
        Lexed { tokens: self.out, kinds, diagnostics: self.diagnostics, depth: self.depth }
    }

    fn run(&mut self) {
        loop {
            self.skip_blanks();
            if self.region.pos >= self.region.limit {
                match self.open.pop() {
                    Some(open) => self.unclosed_interpolation(open),
                    None => break,
                }
            } else if self.depth > MAX_DEPTH {
                self.error(Code::NestingTooDeep, self.region.pos, 1, format!("more than {MAX_DEPTH} brackets are open at the same time"));
                self.out.tokens.clear();
                break;
            } else {
                self.token();
            }
        }
        if self.template == Some(TemplateMode::Value) || self.template == Some(TemplateMode::Code) {
            self.unbalanced_tag();
        }
    }

    /// Reads one token at the position, which is not blank.
    fn token(&mut self) {
        let pos = self.region.pos;
        match self.byte(pos) {
            b'a'..=b'z' | b'_' => self.bare_word(),
            b'A'..=b'Z' => self.class_reference(),
            b'0'..=b'9' => self.number(),
            b'$' => self.variable(),
            b'\'' => self.single_quoted(),
            b'"' => self.double_quoted(),
            b'#' => self.line_comment(),
            b'\n' => self.newline(),
            b'/' => self.slash(),
            b':' => self.colon(),
            b'@' => self.at_sign(),
            b'}' if self.open.last().is_some_and(|open| open.braces == self.braces) => self.end_interpolation(),
            b'%' | b'-' if self.template.is_some() && self.ends_tag(pos) => self.end_tag(),
            _ => self.operator(),
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.byte(self.region.pos) {
                b' ' | b'\t' | b'\r' if self.region.pos < self.region.limit => self.region.pos += 1,
                // Puppet also accepts other blanks of Unicode.
                0x80.. => match self.char(self.region.pos) {
                    Some(c) if c.is_whitespace() && c != '\u{85}' && c != '\u{2028}' && c != '\u{2029}' => self.region.pos += c.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    fn newline(&mut self) {
        self.region.pos = self.region.newline_jump.take().unwrap_or(self.region.pos + 1);
        self.region.line_start = self.region.pos;
    }

    fn line_comment(&mut self) {
        let start = self.region.pos;
        let end = self.find_byte(start, b'\n').unwrap_or(self.region.limit);
        let text = self.slice(start, end);
        self.out.comments.push(Trivia { start: start as u32, end: (start + text.trim_end_matches('\r').len()) as u32 });
        self.region.pos = end;
    }

    fn block_comment(&mut self) {
        let start = self.region.pos;
        let body = self.slice(start + 2, self.region.limit);
        let end = match body.find("*/") {
            Some(at) => start + 2 + at + 2,
            None => {
                self.error(Code::Unclosed, start, 2, "unclosed comment: no `*/` follows");
                self.region.limit
            }
        };
        self.out.comments.push(Trivia { start: start as u32, end: end as u32 });
        self.region.pos = end;
    }

    /// Appends a token and moves to its end.
    fn emit(&mut self, kind: TokenKind, length: usize) {
        let start = self.region.pos;
        self.region.pos = start + length;
        self.push(kind, start, self.region.pos, None);
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize, value: Option<EcoString>) {
        self.after = Some(kind);
        self.out.tokens.push(Token { kind, start: start as u32, end: end as u32, value });
    }

    fn enter(&mut self) {
        self.brackets += 1;
        self.depth = self.depth.max(self.brackets + self.open.len());
    }

    fn leave(&mut self) {
        self.brackets = self.brackets.saturating_sub(1);
    }

    fn byte(&self, at: usize) -> u8 {
        if at < self.region.limit { self.text.as_bytes().get(at).copied().unwrap_or(0) } else { 0 }
    }

    fn char(&self, at: usize) -> Option<char> {
        self.slice(at, self.region.limit).chars().next()
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn find_byte(&self, from: usize, byte: u8) -> Option<usize> {
        let bytes = self.text.as_bytes().get(from..self.region.limit)?;
        bytes.iter().position(|b| *b == byte).map(|at| from + at)
    }

    fn error(&mut self, code: Code, start: usize, length: usize, message: impl Into<String>) {
        self.report(Diagnostic::new(code, self.source.span_of(start..start + length), message));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Puppet refuses files that begin with a byte order mark.
    fn refuses_byte_order_mark(&mut self) -> bool {
        if !self.text.starts_with('\u{feff}') {
            return false;
        }
        let span = self.source.span_of(0..3);
        self.report(
            Diagnostic::new(Code::Syntax, span, "the file begins with a byte order mark").help("save the file as UTF-8 without it").fix(
                "remove the byte order mark",
                span,
                "",
            ),
        );
        true
    }
}
