//! Tokenizes a line that may be unfinished or wrong, for coloring and completion.

use std::ops::Range;

/// The kind of a token in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceTokenKind {
    /// `user`, `present`
    Word,
    /// `User`
    Type,
    /// `'…'`, `"…"`; `true` for a closed string.
    Str(bool),
    /// `12`
    Number,
    /// `=>`
    Arrow,
    /// `{ [ (`
    Open(char),
    /// `} ] )`
    Close(char),
    /// Any other sign.
    Sign(char),
    /// `# …`
    Comment,
    /// `$x`
    Variable,
    /// `:help` at the start.
    Command,
}

/// A token in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceToken {
    /// The kind.
    pub kind: ResourceTokenKind,
    /// The byte range.
    pub range: Range<usize>,
}

/// Returns the tokens of a source without whitespace.
pub fn lex(text: &str) -> Vec<ResourceToken> {
    let mut tokens = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((start, c)) = letters.next() {
        let mut end = start + c.len_utf8();
        let mut take_while = |letters: &mut std::iter::Peekable<std::str::CharIndices<'_>>, wanted: &dyn Fn(char) -> bool| {
            while let Some((at, c)) = letters.next_if(|(_, c)| wanted(*c)) {
                end = at + c.len_utf8();
            }
            end
        };
        let kind = match c {
            c if c.is_whitespace() => continue,
            '#' => {
                end = take_while(&mut letters, &|c| c != '\n');
                ResourceTokenKind::Comment
            }
            ':' if tokens.is_empty() => {
                end = take_while(&mut letters, &|c| c.is_alphanumeric() || c == '?');
                ResourceTokenKind::Command
            }
            '$' => {
                end = take_while(&mut letters, &|c| c.is_alphanumeric() || c == '_' || c == ':');
                ResourceTokenKind::Variable
            }
            '\'' | '"' => {
                let mut closed = false;
                while let Some((at, inside)) = letters.next() {
                    end = at + inside.len_utf8();
                    if inside == '\\' {
                        if let Some((at, escaped)) = letters.next() {
                            end = at + escaped.len_utf8();
                        }
                    } else if inside == c {
                        closed = true;
                        break;
                    }
                }
                ResourceTokenKind::Str(closed)
            }
            '=' if letters.next_if(|(_, c)| *c == '>').is_some() => {
                end += 1;
                ResourceTokenKind::Arrow
            }
            '{' | '[' | '(' => ResourceTokenKind::Open(c),
            '}' | ']' | ')' => ResourceTokenKind::Close(c),
            c if c.is_ascii_digit() => {
                end = take_while(&mut letters, &|c| c.is_ascii_alphanumeric() || c == '.');
                ResourceTokenKind::Number
            }
            c if c.is_alphabetic() || c == '_' => {
                end = take_while(&mut letters, &|c| c.is_alphanumeric() || c == '_');
                // `foo::bar` is one word, `ensure:` is not.
                while text.get(end..).is_some_and(|rest| rest.strip_prefix("::").is_some_and(|r| r.starts_with(char::is_alphabetic))) {
                    letters.next();
                    letters.next();
                    end = word_end(&mut letters, end + 2);
                }
                if c.is_uppercase() { ResourceTokenKind::Type } else { ResourceTokenKind::Word }
            }
            other => ResourceTokenKind::Sign(other),
        };
        tokens.push(ResourceToken { kind, range: start..end });
    }
    tokens
}

fn word_end(letters: &mut std::iter::Peekable<std::str::CharIndices<'_>>, mut end: usize) -> usize {
    while let Some((at, c)) = letters.next_if(|(_, c)| c.is_alphanumeric() || *c == '_') {
        end = at + c.len_utf8();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_found_in_unfinished_lines() {
        let text = "user { 'é': x => Foo::Bar['a\\'b'], y=>12 # no";
        let all: Vec<_> = lex(text).into_iter().map(|t| (t.kind, text.get(t.range).unwrap())).collect();
        assert_eq!(
            all,
            [
                (ResourceTokenKind::Word, "user"),
                (ResourceTokenKind::Open('{'), "{"),
                (ResourceTokenKind::Str(true), "'é'"),
                (ResourceTokenKind::Sign(':'), ":"),
                (ResourceTokenKind::Word, "x"),
                (ResourceTokenKind::Arrow, "=>"),
                (ResourceTokenKind::Type, "Foo::Bar"),
                (ResourceTokenKind::Open('['), "["),
                (ResourceTokenKind::Str(true), "'a\\'b'"),
                (ResourceTokenKind::Close(']'), "]"),
                (ResourceTokenKind::Sign(','), ","),
                (ResourceTokenKind::Word, "y"),
                (ResourceTokenKind::Arrow, "=>"),
                (ResourceTokenKind::Number, "12"),
                (ResourceTokenKind::Comment, "# no"),
            ]
        );
        assert_eq!(lex(":is x").first().map(|t| t.kind), Some(ResourceTokenKind::Command));
        assert_eq!(lex("'x").first().map(|t| t.kind), Some(ResourceTokenKind::Str(false)));
    }
}
