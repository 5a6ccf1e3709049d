//! Builds strings, numbers and regexes.

use super::{Builder, P};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::expected::{End, Expected};
use crate::syntax::parser::Rule;
use crate::value::{EcoString, Flags};

impl Builder<'_> {
    /// Builds a `string` with any kind of quotes.
    pub(super) fn string(&mut self, pair: P<'_>) -> StrLit {
        let span = self.span_of(&pair);
        let written = pair.as_str();
        let inner = pair.into_inner();
        match inner.peek().map(|first| first.as_rule()) {
            Some(Rule::single) => {
                let text = written.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(written);
                StrLit { parts: text_part(unescape_single(text)), quote: Quote::Single, span }
            }
            Some(Rule::text_block) => {
                let text = written.strip_prefix("\"\"\"").and_then(|t| t.strip_suffix("\"\"\"")).unwrap_or(written);
                StrLit { parts: text_part(dedent(text)), quote: Quote::Text, span }
            }
            _ => {
                let mut parts: Vec<StrPart> = inner.map(|part| self.string_part(part)).collect();
                parts.shrink_to_fit();
                StrLit { parts, quote: Quote::Double, span }
            }
        }
    }

    /// Builds a `chunk` or `interpolation`.
    fn string_part(&mut self, part: P<'_>) -> StrPart {
        if part.as_rule() == Rule::chunk {
            let start = part.as_span().start();
            return StrPart::Text(self.unescape(part.as_str(), start));
        }
        let words = std::mem::replace(&mut self.words, false);
        let mut inner = part.into_inner();
        let value = self.value(inner.next(), Expected::InterpolatedValue);
        for rest in inner {
            self.rest(rest, Expected::Operator(End::Brace));
        }
        self.words = words;
        StrPart::Expr(value)
    }

    /// Resolves the escapes of `"…"` as in Ruby. `start` is the offset of `text`.
    fn unescape(&mut self, text: &str, start: usize) -> EcoString {
        if !text.contains('\\') && !text.contains('\r') {
            return text.into();
        }
        let mut out = EcoString::new();
        let mut rest = text.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            if c != '\\' {
                if !(c == '\r' && rest.peek().is_some_and(|(_, n)| *n == '\n')) {
                    out.push(c);
                }
                continue;
            }
            let Some((_, escape)) = rest.next() else { break };
            match escape {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                's' => out.push(' '),
                '0' => out.push('\0'),
                'a' => out.push('\u{7}'),
                'b' => out.push('\u{8}'),
                'e' => out.push('\u{1b}'),
                'f' => out.push('\u{c}'),
                'v' => out.push('\u{b}'),
                '\n' => {}
                'u' | 'x' => {
                    let mut digits = String::new();
                    let braces = escape == 'u' && rest.next_if(|(_, c)| *c == '{').is_some();
                    let most = if braces {
                        6
                    } else if escape == 'u' {
                        4
                    } else {
                        2
                    };
                    while digits.len() < most {
                        match rest.next_if(|(_, c)| c.is_ascii_hexdigit()) {
                            Some((_, digit)) => digits.push(digit),
                            None => break,
                        }
                    }
                    let closed = !braces || rest.next_if(|(_, c)| *c == '}').is_some();
                    let long_enough = if escape == 'u' && !braces { digits.len() == 4 } else { !digits.is_empty() };
                    let found = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    match found.filter(|_| closed && long_enough) {
                        Some(c) => out.push(c),
                        None => {
                            let end = rest.peek().map_or(text.len(), |(i, _)| *i);
                            let span = self.span(start + at, start + end);
                            let written = text.get(at..end).unwrap_or_default().to_owned();
                            self.error(
                                Code::BadEscape,
                                span,
                                format!("`{written}` names no character"),
                                "write four hexadecimal digits as in `\\u00e9`, up to six in braces as in `\\u{1F600}`, or two as in `\\x41`",
                            );
                        }
                    }
                }
                // As in Ruby, any other escape is the character itself: `\"`, `\#`, `\\`, `\/`.
                other => out.push(other),
            }
        }
        out
    }

    /// Builds a regex `/source/flags`.
    pub(super) fn regex(&mut self, pair: P<'_>) -> ExprKind {
        let mut source = EcoString::new();
        let mut source_span = Span::NONE;
        let mut flags = Flags::default();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::regex_source => {
                    source_span = self.span_of(&part);
                    let written = part.as_str();
                    source = if written.contains("\\/") { written.replace("\\/", "/").into() } else { written.into() };
                }
                _ => {
                    let start = part.as_span().start();
                    for (i, flag) in part.as_str().char_indices() {
                        let span = self.span(start + i, start + i + flag.len_utf8());
                        match flag {
                            'i' => flags.ignore_case = true,
                            's' => flags.dot_all = true,
                            'x' => flags.extended = true,
                            'm' => self.error(
                                Code::RubyRegexFlag,
                                span,
                                "the flag `m` means different things in different languages",
                                "in Ruby it lets the dot match line breaks: write `s`; for `^` and `$` at every line write `(?m:…)`",
                            ),
                            _ => self.error(
                                Code::RubyRegexFlag,
                                span,
                                format!("unknown regex flag `{flag}`"),
                                "flags are `i` (ignore case), `s` (the dot matches line breaks) and `x` (blanks and comments)",
                            ),
                        }
                    }
                }
            }
        }
        ExprKind::Regex(RegexLit { source, flags, source_span })
    }

    /// Builds a number with Ruby's rules: `0644` is octal, and `_` is allowed between digits.
    pub(super) fn number(&mut self, text: &str, span: Span) -> ExprKind {
        match read_number(text) {
            Some(Number::Int(n)) => ExprKind::Int(n),
            Some(Number::Float(n)) => ExprKind::Float(n),
            None => {
                let digits = text.trim_start_matches('-');
                let help = if digits.bytes().all(|b| b.is_ascii_digit()) && digits.starts_with('0') {
                    "numbers that start with `0` are octal, with digits `0` to `7`; quote text"
                } else if digits.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
                    "whole numbers reach from -9223372036854775808 to 9223372036854775807"
                } else {
                    "write `12`, `1.5`, `0x1f` or `0755`; quote text; names start with a letter"
                };
                self.error(Code::BadNumber, span, format!("`{text}` is not a number"), help);
                ExprKind::Error
            }
        }
    }
}

pub(super) enum Number {
    Int(i64),
    Float(f64),
}

pub(super) fn read_number(text: &str) -> Option<Number> {
    if text.ends_with('_') || text.contains("__") || text.contains("_.") || text.contains("._") {
        return None;
    }
    let clean: String = text.chars().filter(|c| *c != '_').collect();
    let (sign, digits) = match clean.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", clean.as_str()),
    };
    let radix = |rest: &str, radix: u32| i64::from_str_radix(&format!("{sign}{rest}"), radix).ok().map(Number::Int);
    let lower = digits.to_ascii_lowercase();
    for (prefix, base) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = lower.strip_prefix(prefix) {
            return if rest.starts_with(['+', '-']) { None } else { radix(rest, base) };
        }
    }
    if digits.bytes().all(|b| b.is_ascii_digit()) {
        return match digits.strip_prefix('0') {
            Some(rest) if !rest.is_empty() => radix(rest, 8),
            _ => radix(digits, 10),
        };
    }
    let plausible = lower.bytes().all(|b| b.is_ascii_digit() || b".e+-".contains(&b));
    let float: f64 = clean.parse().ok().filter(|_| plausible)?;
    float.is_finite().then_some(Number::Float(float))
}

fn text_part(text: EcoString) -> Vec<StrPart> {
    if text.is_empty() { Vec::new() } else { vec![StrPart::Text(text)] }
}

/// Resolves the escapes of `'…'`: only `\'` and `\\`.
pub(super) fn unescape_single(text: &str) -> EcoString {
    if !text.contains('\\') && !text.contains('\r') {
        return text.into();
    }
    let mut out = EcoString::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('\\', Some(&next @ ('\'' | '\\'))) => {
                out.push(next);
                rest.next();
            }
            ('\r', Some('\n')) => {}
            _ => out.push(c),
        }
    }
    out
}

/// Dedents documentation as Puppet does: removes the indentation common to all lines but the first, an empty first line, and the
/// whitespace before the closing quotes.
pub(crate) fn dedent(text: &str) -> EcoString {
    let text = text.replace("\r\n", "\n");
    let indent = text
        .split('\n')
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let mut lines: Vec<&str> = Vec::new();
    for (i, line) in text.split('\n').enumerate() {
        lines.push(if i == 0 { line } else { line.get(indent..).unwrap_or("") });
    }
    if lines.first().is_some_and(|l| l.trim().is_empty()) && lines.len() > 1 {
        lines.remove(0);
    }
    if lines.last().is_some_and(|l| l.trim().is_empty()) && lines.len() > 1 {
        lines.pop();
    }
    lines.join("\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_ruby_reads_them() {
        let int = |t: &str| match read_number(t) {
            Some(Number::Int(n)) => Some(n),
            _ => None,
        };
        assert_eq!(int("0644"), Some(420));
        assert_eq!(int("0x1f"), Some(31));
        assert_eq!(int("1_000"), Some(1000));
        assert_eq!(int("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(int("9223372036854775808"), None);
        assert_eq!(int("089"), None);
        assert_eq!(int("1_"), None);
        assert!(matches!(read_number("1.5e-3"), Some(Number::Float(_))));
        assert!(read_number("12abc").is_none());
        assert!(read_number("1.2.3").is_none());
    }

    #[test]
    fn text_blocks_lose_their_common_indentation() {
        assert_eq!(dedent("\n    One.\n\n      Two.\n    "), "One.\n\n  Two.");
        assert_eq!(dedent("First,\n    second."), "First,\nsecond.");
    }
}
