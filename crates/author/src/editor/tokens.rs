//! A tokenizer for type files that are incomplete or invalid.
//!
//! The parser needs complete items to build a tree, which do not exist while the user is typing. Like the scanner, this tokenizer
//! recognizes strings, interpolation, regexes and comments, and yields the location of each token.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeTokenKind {
    /// `newparam`, `Integer`, `set?`
    Word,
    /// `:x`, `:"x y"`
    Symbol,
    /// A string, or the part of a string before, between or after interpolations; `true` for a closed string.
    Str(bool),
    /// `/…/x`; `true` for a closed regex.
    Regex(bool),
    /// `12`, `1.5`
    Number,
    /// `$1`
    Capture,
    /// `# …`
    Comment,
    /// `{ [ (`, and `#` for `#{`.
    Open(char),
    /// `} ] )`, and `#` for the `}` that ends an interpolation.
    Close(char),
    /// The end of a line, or `;`.
    End,
    /// Any other sign or operator.
    Sign,
}

/// A token in a type file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeToken {
    /// The kind.
    pub kind: TypeTokenKind,
    /// The byte range.
    pub range: Range<usize>,
}

impl TypeToken {
    /// Returns the token's source.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range.clone()).unwrap_or_default()
    }
}

/// Returns the tokens of a source without whitespace.
pub fn tokens(text: &str) -> Vec<TypeToken> {
    Lexer { text, at: 0, out: Vec::new(), open: Vec::new() }.run()
}

/// An open bracket, or a string around `#{`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Bracket,
    /// The end of the string.
    String(&'static str),
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    out: Vec<TypeToken>,
    open: Vec<Open>,
}

impl Lexer<'_> {
    fn run(mut self) -> Vec<TypeToken> {
        while let Some(c) = self.peek() {
            let start = self.at;
            match c {
                '\n' | ';' => self.one(TypeTokenKind::End),
                c if c.is_whitespace() || c == '\\' || c == '\u{feff}' => self.at += c.len_utf8(),
                '#' => {
                    self.skip(|c| c != '\n');
                    self.push(TypeTokenKind::Comment, start);
                }
                '"' if self.rest().starts_with("\"\"\"") => self.string(3, "\"\"\""),
                '"' => self.string(1, "\""),
                '\'' => self.plain(start, '\''),
                '/' => self.regex(start),
                '%' if self.rest().starts_with("%w[") => {
                    self.skip(|c| c != ']' && c != '\n');
                    let closed = self.peek() == Some(']');
                    self.at += usize::from(closed);
                    self.push(TypeTokenKind::Str(closed), start);
                }
                ':' => self.colon(start),
                '$' => {
                    self.at += 1;
                    self.skip(|c| c.is_ascii_digit());
                    self.push(TypeTokenKind::Capture, start);
                }
                '{' | '[' | '(' => {
                    self.open.push(Open::Bracket);
                    self.one(TypeTokenKind::Open(c));
                }
                '}' | ']' | ')' => match self.open.pop() {
                    Some(Open::String(end)) if c == '}' => {
                        self.one(TypeTokenKind::Close('#'));
                        self.string(0, end);
                    }
                    other => {
                        // A bracket without a matching opening bracket does not end a string's interpolation.
                        if let Some(string @ Open::String(_)) = other {
                            self.open.push(string);
                        }
                        self.one(TypeTokenKind::Close(c));
                    }
                },
                c if c.is_ascii_digit() => {
                    self.skip(|c| c.is_ascii_alphanumeric() || c == '_');
                    let mut ahead = self.rest().chars();
                    if ahead.next() == Some('.') && ahead.next().is_some_and(|c| c.is_ascii_digit()) {
                        self.at += 1;
                        self.skip(|c| c.is_ascii_alphanumeric() || c == '_');
                    }
                    self.push(TypeTokenKind::Number, start);
                }
                c if is_letter(c) => {
                    self.word();
                    self.push(TypeTokenKind::Word, start);
                }
                c => {
                    let operators = ["=>", "<=>", "==", "!=", "<=", ">=", "=~", "!~", "&&", "||", "**", "+=", "...", ".."];
                    let operator = operators.iter().find(|o| self.rest().starts_with(**o));
                    self.at += operator.map_or(c.len_utf8(), |o| o.len());
                    self.push(TypeTokenKind::Sign, start);
                }
            }
        }
        self.out
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    }

    fn push(&mut self, kind: TypeTokenKind, start: usize) {
        if start < self.at {
            self.out.push(TypeToken { kind, range: start..self.at });
        }
    }

    fn one(&mut self, kind: TypeTokenKind) {
        let start = self.at;
        self.at += 1;
        self.push(kind, start);
    }

    /// Reads a word, including a `?` after it.
    fn word(&mut self) {
        self.skip(is_part);
        if self.peek() == Some('?') {
            self.at += 1;
        }
    }

    fn colon(&mut self, start: usize) {
        self.at += 1;
        // `key:` and `a ? b : c` are not symbols: a symbol starts after a blank or a bracket.
        let free = self.text.get(..start).and_then(|t| t.chars().next_back()).is_none_or(|c| !is_part(c) && !matches!(c, '"' | '\'' | '?'));
        match self.peek() {
            Some('"') if free => self.plain(start, '"'),
            Some(c) if free && is_letter(c) => {
                self.word();
                self.push(TypeTokenKind::Symbol, start);
                return;
            }
            // An incomplete symbol.
            None if free => return self.push(TypeTokenKind::Symbol, start),
            _ => return self.push(TypeTokenKind::Sign, start),
        }
        if let Some(last) = self.out.last_mut() {
            last.kind = TypeTokenKind::Symbol;
        }
    }

    /// Reads a string without interpolation, starting before its quote.
    fn plain(&mut self, start: usize, quote: char) {
        self.skip(|c| c != quote);
        self.at += 1;
        let closed = self.until(|c| c == quote, |_| false);
        self.at += usize::from(closed);
        self.push(TypeTokenKind::Str(closed), start);
    }

    fn regex(&mut self, start: usize) {
        self.at += 1;
        let mut class = false;
        let closed = loop {
            match self.peek() {
                None | Some('\n') => break false,
                Some('\\') => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                    continue;
                }
                Some('[') => class = true,
                Some(']') => class = false,
                Some('/') if !class => break true,
                Some(_) => {}
            }
            self.at += self.peek().map_or(0, char::len_utf8);
        };
        if closed {
            self.at += 1;
            self.skip(|c| matches!(c, 'i' | 's' | 'x'));
        }
        self.push(TypeTokenKind::Regex(closed), start);
    }

    /// Reads a string with interpolation: the first `quotes` bytes are the opening quotes; 0 if it continues after
    /// `}`.
    fn string(&mut self, quotes: usize, end: &'static str) {
        let start = self.at;
        self.at += quotes;
        loop {
            if self.rest().starts_with(end) {
                self.at += end.len();
                return self.push(TypeTokenKind::Str(true), start);
            }
            match self.peek() {
                None => return self.push(TypeTokenKind::Str(false), start),
                Some('\\') => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                Some('#') if self.rest().starts_with("#{") => {
                    self.push(TypeTokenKind::Str(true), start);
                    let open = self.at;
                    self.at += 2;
                    self.push(TypeTokenKind::Open('#'), open);
                    self.open.push(Open::String(end));
                    return;
                }
                Some(c) => self.at += c.len_utf8(),
            }
        }
    }

    /// Advances to the end of a string; returns `true` if the end exists. A backslash skips the next character.
    fn until(&mut self, end: impl Fn(char) -> bool, broken: impl Fn(char) -> bool) -> bool {
        loop {
            match self.peek() {
                None => return false,
                Some(c) if end(c) => return true,
                Some(c) if broken(c) => return false,
                Some('\\') => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                Some(c) => self.at += c.len_utf8(),
            }
        }
    }
}

/// Returns `true` if a word may begin with this character.
pub fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Returns `true` if a word may contain this character.
pub fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        tokens(text).iter().map(|t| format!("{:?}:{}", t.kind, t.text(text).replace('\n', "⏎"))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_are_what_they_look_like() {
        let cases = [
            ("type a { # x\n}", "Word:type Word:a Open('{'):{ Comment:# x End:⏎ Close('}'):}"),
            ("a: :b ? :c : d?", "Word:a Sign:: Symbol::b Sign:? Symbol::c Sign:: Word:d?"),
            ("\"a#{b(\"}\")}c\"", "Str(true):\"a Open('#'):#{ Word:b Open('('):( Str(true):\"}\" Close(')'):) Close('#'):} Str(true):c\""),
            ("x =~ /[/]\\/i/i", "Word:x Sign:=~ Regex(true):/[/]\\/i/i"),
            ("/a\nb", "Regex(false):/a End:⏎ Word:b"),
            ("'a\\'b' \"\"\"\n\"x\"\"\" :\"a b\"", "Str(true):'a\\'b' Str(true):\"\"\"⏎\"x\"\"\" Symbol::\"a b\""),
            ("1.5 0x1f 1..2 $1 %w[a b]", "Number:1.5 Number:0x1f Number:1 Sign:.. Number:2 Capture:$1 Str(true):%w[a b]"),
            ("\"a", "Str(false):\"a"),
        ];
        for (text, wanted) in cases {
            assert_eq!(shown(text), wanted, "{text}");
        }
    }
}
