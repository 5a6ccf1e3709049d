//! The indentation of continued lines.

use crate::app::lexer::{ResourceTokenKind, lex};
use crate::app::tokens::{TypeTokenKind, tokens};
use crate::repl::input::is_type_text;

/// The indentation inside a bracket.
const STEP: usize = 2;

/// Tokens that affect the indentation.
enum BracketToken {
    Open,
    Close,
    /// A string that is still open at the end of the input.
    OpenString,
}

/// Returns the indentation of a line that follows an input. Inside a string, returns 0, because indentation would change the string.
pub(super) fn after(text: &str) -> usize {
    match open_bracket(text) {
        Some(at) => indentation_at(text, at) + STEP,
        None => 0,
    }
}

/// Returns the indentation of a closing bracket that follows an input. `None` if no bracket is open.
pub(super) fn of_closing(text: &str) -> Option<usize> {
    open_bracket(text).map(|at| indentation_at(text, at))
}

/// Returns the position of the innermost open bracket at the end of an input. `None` inside a string.
fn open_bracket(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (token, at) in brackets(text) {
        match token {
            BracketToken::Open => open.push(at),
            BracketToken::Close => {
                open.pop();
            }
            BracketToken::OpenString => return None,
        }
    }
    open.pop()
}

/// Returns all open brackets at the end of an input, followed by the quote of an open string.
pub(super) fn open(text: &str) -> String {
    let mut open = String::new();
    for (token, at) in brackets(text) {
        match token {
            BracketToken::Close => drop(open.pop()),
            BracketToken::Open | BracketToken::OpenString => open.extend(text.get(at..).and_then(|rest| rest.chars().next())),
        }
    }
    open
}

fn indentation_at(text: &str, at: usize) -> usize {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default();
    line.len() - line.trim_start_matches(' ').len()
}

fn brackets(text: &str) -> Vec<(BracketToken, usize)> {
    if is_type_text(text) {
        let token = |t: crate::app::tokens::TypeToken| match t.kind {
            TypeTokenKind::Open(_) => Some((BracketToken::Open, t.range.start)),
            TypeTokenKind::Close(_) => Some((BracketToken::Close, t.range.start)),
            TypeTokenKind::Str(false) if t.range.end == text.len() => Some((BracketToken::OpenString, t.range.start)),
            _ => None,
        };
        return tokens(text).into_iter().filter_map(token).collect();
    }
    let token = |t: crate::app::lexer::ResourceToken| match t.kind {
        ResourceTokenKind::Open(_) => Some((BracketToken::Open, t.range.start)),
        ResourceTokenKind::Close(_) => Some((BracketToken::Close, t.range.start)),
        ResourceTokenKind::Str(false) => Some((BracketToken::OpenString, t.range.start)),
        _ => None,
    };
    lex(text).into_iter().filter_map(token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_brackets_indent() {
        let cases = [
            ("", 0),
            ("user { 'a':", 2),
            ("user { 'a':\n  groups => [", 4),
            ("user { 'a': }", 0),
            ("type x {", 2),
            ("type x {\n", 2),
            ("type x {\n  newparam y {\n    munge { |v|", 6),
            ("type x {\n  newparam y { isnamevar }", 2),
            ("type x {\n  validate { fail \"}\" if x =~ /\\{/ }", 2),
            // Two brackets on the same line indent only once.
            ("a { 'b': c => [{", 2),
            // Blanks would become part of the string.
            ("type x {\n  desc \"one", 0),
            ("user { 'a': comment => 'one", 0),
            ("test \"x\" {\n  expect \"#{", 4),
            (":is {", 2),
        ];
        for (text, wanted) in cases {
            assert_eq!(after(text), wanted, "{text}");
        }
    }

    #[test]
    fn closing_brackets_have_the_indentation_of_what_they_close() {
        assert_eq!(of_closing("type x {\n  newparam y {\n    isnamevar\n    "), Some(2));
        assert_eq!(of_closing("type x {\n  newparam y\n  "), Some(0));
        assert_eq!(of_closing("type x { }"), None);
        assert_eq!(of_closing("type x {\n  desc \"a\n  "), None);
    }
}
