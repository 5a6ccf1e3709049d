//! Operators, brackets, regexes and unknown characters.

use super::super::token::TokenKind;
use super::Lexer;
use rtype_lang::diagnostics::Code;

/// Operators with the same first character are ordered from the longest to the shortest.
const OPERATORS: &[(&str, TokenKind)] = &[
    ("=>", TokenKind::Arrow),
    ("==", TokenKind::Equal),
    ("=~", TokenKind::Matches),
    ("=", TokenKind::Assign),
    (",", TokenKind::Comma),
    (".", TokenKind::Dot),
    (";", TokenKind::Semicolon),
    ("|>>", TokenKind::ExportClose),
    ("|>", TokenKind::CollectClose),
    ("|", TokenKind::Pipe),
    ("->", TokenKind::Before),
    ("-=", TokenKind::Delete),
    ("-", TokenKind::Minus),
    ("~>", TokenKind::Notify),
    ("~", TokenKind::Tilde),
    ("!=", TokenKind::NotEqual),
    ("!~", TokenKind::NotMatches),
    ("!", TokenKind::Not),
    ("+=", TokenKind::Append),
    ("+>", TokenKind::PlusArrow),
    ("+", TokenKind::Plus),
    ("<<|", TokenKind::ExportOpen),
    ("<<", TokenKind::ShiftLeft),
    ("<=", TokenKind::LessEqual),
    ("<|", TokenKind::CollectOpen),
    ("<-", TokenKind::Require),
    ("<~", TokenKind::Subscribe),
    ("<", TokenKind::Less),
    (">>", TokenKind::ShiftRight),
    (">=", TokenKind::GreaterEqual),
    (">", TokenKind::Greater),
    ("?", TokenKind::Question),
    ("*", TokenKind::Times),
    ("%", TokenKind::Modulo),
];

impl Lexer<'_> {
    pub(super) fn operator(&mut self) {
        let pos = self.region.pos;
        let kind = match self.byte(pos) {
            b'[' => {
                self.enter();
                let before = self.slice(0, pos).chars().next_back();
                if before.is_none_or(char::is_whitespace) { TokenKind::ListStart } else { TokenKind::BracketOpen }
            }
            b'(' => {
                self.enter();
                let line = self.slice(self.region.line_start, pos);
                if line.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\r')) { TokenKind::LineParen } else { TokenKind::ParenOpen }
            }
            b'{' => {
                self.enter();
                self.braces += 1;
                if self.after == Some(TokenKind::Question) { TokenKind::SelectorBrace } else { TokenKind::BraceOpen }
            }
            b']' => TokenKind::BracketClose,
            b')' => TokenKind::ParenClose,
            b'}' => {
                self.braces = self.braces.saturating_sub(1);
                TokenKind::BraceClose
            }
            first => return self.longest_operator(first),
        };
        if matches!(kind, TokenKind::BracketClose | TokenKind::ParenClose | TokenKind::BraceClose) {
            self.leave();
        }
        self.emit(kind, 1);
    }

    fn longest_operator(&mut self, first: u8) {
        let rest = self.slice(self.region.pos, self.region.limit);
        let found = OPERATORS.iter().find(|(text, _)| text.as_bytes().first() == Some(&first) && rest.starts_with(text));
        match found {
            Some((text, kind)) => self.emit(*kind, text.len()),
            None => {
                let character = rest.chars().next().unwrap_or_default();
                self.emit(TokenKind::Unknown, character.len_utf8().max(1));
            }
        }
    }

    pub(super) fn at_sign(&mut self) {
        match self.byte(self.region.pos + 1) {
            b'@' => self.emit(TokenKind::AtAt, 2),
            b'(' => self.heredoc(),
            _ => self.emit(TokenKind::At, 1),
        }
    }

    pub(super) fn slash(&mut self) {
        let start = self.region.pos;
        if self.byte(start + 1) == b'*' {
            return self.block_comment();
        }
        let end = if self.regex_is_allowed() { self.regex_end(start) } else { None };
        let Some(end) = end else { return self.emit(TokenKind::Divide, 1) };
        self.region.pos = end;
        self.push(TokenKind::Regex, start, end, Some(self.slice(start + 1, end - 1).replace("\\/", "/").into()));
    }

    /// Returns the offset after the `/` that closes a regex: the first `/` without an odd number of backslashes before it.
    fn regex_end(&mut self, start: usize) -> Option<usize> {
        // The rest of the text is searched only once.
        if self.region.limit <= self.no_regex_before {
            return None;
        }
        let mut is_escaped = false;
        let bytes = self.text.as_bytes().get(start + 1..self.region.limit)?;
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                b'/' if !is_escaped => return Some(start + 1 + at + 1),
                b'\\' => is_escaped = !is_escaped,
                _ => is_escaped = false,
            }
        }
        self.no_regex_before = self.region.limit;
        None
    }

    /// Decides between a regex and a division by the token before the slash.
    fn regex_is_allowed(&self) -> bool {
        use TokenKind::{
            Boolean, BracketClose, ClassRef, CollectClose, ExportClose, Heredoc, Name, Number, ParenClose, Regex, String, StringEnd,
            StringMiddle, StringStart, Variable, Word,
        };
        !matches!(
            self.after,
            Some(
                ParenClose
                    | BracketClose
                    | ExportClose
                    | CollectClose
                    | Name
                    | ClassRef
                    | Number
                    | String
                    | Boolean
                    | StringStart
                    | StringMiddle
                    | StringEnd
                    | Heredoc
                    | Regex
                    | Variable
                    | Word
            )
        )
    }

    pub(super) fn variable(&mut self) {
        let start = self.region.pos;
        let length = self.variable_name(start + 1);
        if length == 0 {
            self.error(Code::Syntax, start, 1, "missing variable name after `$`");
        }
        self.emit(TokenKind::Variable, 1 + length);
    }

    /// Returns the length of the variable name at an offset: `::`, segments of word characters separated by `::`.
    pub(super) fn variable_name(&self, start: usize) -> usize {
        let is_word = |at: usize| self.byte(at).is_ascii_alphanumeric() || self.byte(at) == b'_';
        let is_separator = |at: usize| self.byte(at) == b':' && self.byte(at + 1) == b':';
        let mut end = start;
        let mut at = if is_separator(start) { start + 2 } else { start };
        while is_word(at) {
            while is_word(at) {
                at += 1;
            }
            end = at;
            if is_separator(at) {
                at += 2;
            }
        }
        end - start
    }
}
