//! Names, keywords, class references and numbers.

use super::super::token::TokenKind;
use super::Lexer;
use rtype_lang::diagnostics::{Code, Diagnostic};

fn keyword(text: &str) -> Option<TokenKind> {
    Some(match text {
        "case" => TokenKind::Case,
        "class" => TokenKind::Class,
        "default" => TokenKind::Default,
        "define" => TokenKind::Define,
        "if" => TokenKind::If,
        "elsif" => TokenKind::Elsif,
        "else" => TokenKind::Else,
        "inherits" => TokenKind::Inherits,
        "node" => TokenKind::Node,
        "and" => TokenKind::And,
        "or" => TokenKind::Or,
        "undef" => TokenKind::Undef,
        "false" | "true" => TokenKind::Boolean,
        "in" => TokenKind::In,
        "unless" => TokenKind::Unless,
        "function" => TokenKind::Function,
        "type" => TokenKind::Type,
        "attr" => TokenKind::Attr,
        "private" => TokenKind::Private,
        _ => return None,
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns `true` if every segment begins with a lower-case letter and has no hyphen.
fn is_name(text: &str) -> bool {
    let segments = text.strip_prefix("::").unwrap_or(text);
    segments.split("::").all(|s| s.starts_with(|c: char| c.is_ascii_lowercase()) && s.bytes().all(is_word))
}

impl Lexer<'_> {
    pub(super) fn bare_word(&mut self) {
        let start = self.region.pos;
        let end = self.bare_word_end(start);
        let text = self.slice(start, end);
        let kind = if is_name(text) { keyword(text).unwrap_or(TokenKind::Name) } else { TokenKind::Word };
        self.emit(kind, end - start);
    }

    /// Returns the end of segments that begin with a lower-case letter or `_`, may contain hyphens, and end with a word character.
    fn bare_word_end(&self, start: usize) -> usize {
        let mut end = start;
        loop {
            let mut at = end;
            if self.byte(at) == b':' && self.byte(at + 1) == b':' {
                at += 2;
            }
            if !(self.byte(at).is_ascii_lowercase() || self.byte(at) == b'_') {
                return end;
            }
            let mut next = at;
            while is_word(self.byte(next)) || self.byte(next) == b'-' {
                next += 1;
                if is_word(self.byte(next - 1)) {
                    end = next;
                }
            }
        }
    }

    pub(super) fn class_reference(&mut self) {
        let start = self.region.pos;
        let mut end = start;
        loop {
            let at = if self.byte(end) == b':' && self.byte(end + 1) == b':' { end + 2 } else { end };
            if !self.byte(at).is_ascii_uppercase() {
                break;
            }
            end = at;
            while is_word(self.byte(end)) {
                end += 1;
            }
        }
        if self.byte(end) == b':' && self.byte(end + 1) == b':' {
            let mut bad = end + 2;
            while is_word(self.byte(bad)) {
                bad += 1;
            }
            let text = self.slice(start, bad).to_owned();
            let capital = capitalized(&text);
            let span = self.source.span_of(start..bad);
            let mut found =
                Diagnostic::new(Code::Syntax, span, format!("`{text}` is not a type name: each segment begins with a capital letter"));
            if capital != text && !capital.ends_with(':') {
                found = found.help(format!("write `{capital}`")).unsafe_fix("capitalize each segment", span, capital);
            }
            self.report(found);
            end = bad;
        }
        self.emit(TokenKind::ClassRef, end - start);
    }

    pub(super) fn colon(&mut self) {
        let start = self.region.pos;
        if self.byte(start + 1) != b':' {
            return self.emit(TokenKind::Colon, 1);
        }
        match self.byte(start + 2) {
            b'A'..=b'Z' => self.class_reference(),
            b'a'..=b'z' | b'_' => self.bare_word(),
            _ => {
                self.error(Code::Syntax, start, 2, "expected a name after `::`");
                self.emit(TokenKind::Unknown, 2);
            }
        }
    }

    pub(super) fn number(&mut self) {
        let start = self.region.pos;
        let digits = |mut at: usize, is: fn(&u8) -> bool| {
            while is(&self.byte(at)) {
                at += 1;
            }
            at
        };
        let mut end = digits(start, u8::is_ascii_digit);
        if self.byte(start) == b'0' && matches!(self.byte(start + 1), b'x' | b'X') {
            end = digits(start + 2, u8::is_ascii_hexdigit);
        } else {
            if self.byte(end) == b'.' && self.byte(end + 1).is_ascii_digit() {
                end = digits(end + 1, u8::is_ascii_digit);
            }
            if matches!(self.byte(end), b'e' | b'E') {
                let exponent = if self.byte(end + 1) == b'-' { end + 2 } else { end + 1 };
                if self.byte(exponent).is_ascii_digit() {
                    end = digits(exponent, u8::is_ascii_digit);
                }
            }
        }
        end = digits(end, |b| is_word(*b));
        if let Some(problem) = number_problem(self.slice(start, end)) {
            self.error(Code::BadNumber, start, end - start, problem);
        }
        self.emit(TokenKind::Number, end - start);
    }
}

fn capitalized(text: &str) -> String {
    let capital = |s: &str| {
        let mut chars = s.chars();
        chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect::<String>()
    };
    text.split("::").map(capital).collect::<Vec<_>>().join("::")
}

/// Returns the message about a number that Puppet refuses.
fn number_problem(text: &str) -> Option<String> {
    let is_decimal = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let is_hex = !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit());
        return (!is_hex).then(|| format!("`{text}` is not a hexadecimal number"));
    }
    if text.len() > 1 && text.starts_with('0') && !text.starts_with("0.") {
        let is_octal = text.bytes().all(|b| (b'0'..=b'7').contains(&b));
        return (!is_octal).then(|| format!("`{text}` is not an octal number: numbers that begin with 0 have digits from 0 to 7"));
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix('-').unwrap_or(exponent)),
        None => (text, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_number = is_decimal(whole) && is_decimal(fraction) && is_decimal(exponent);
    (!is_number).then(|| format!("`{text}` is not a number"))
}
