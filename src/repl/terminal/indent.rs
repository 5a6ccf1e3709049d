//! The indentation of continued lines.

use crate::app::lexer::{ResourceTokenKind, lex};
use crate::app::tokens::{TypeTokenKind, tokens};
use crate::repl::input::is_type_text;

/// How far a bracket indents what it encloses.
const STEP: usize = 2;

/// What matters of a token.
enum BracketToken {
    Open,
    Close,
    /// A string that goes on after the text.
    OpenString,
}

/// Returns the indentation of a line that follows a text: none in a string, which it would change.
pub(super) fn after(text: &str) -> usize {
    match open_bracket(text) {
        Some(at) => indentation_at(text, at) + STEP,
        None => 0,
    }
}

/// Returns the indentation of a closing bracket that follows a text. `None` if there is nothing to close.
pub(super) fn of_closing(text: &str) -> Option<usize> {
    open_bracket(text).map(|at| indentation_at(text, at))
}

/// Returns where the innermost bracket starts that is open after a text. `None` in a string.
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

/// Returns the brackets that are open after a text, and the quote of an open string.
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
            // Two brackets of one line indent once.
            ("a { 'b': c => [{", 2),
            // Blanks would become a part of the string.
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
