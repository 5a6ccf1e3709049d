//! Splits input into commands, definitions and declarations, and decides whether an input is complete.

use super::commands::{is_sentence, is_word};
use super::expression::is_expression;
use rtype_lang::syntax::{is_complete, is_complete_manifest};

/// The maximum size of an incomplete input. A larger input probably contains an unclosed bracket or quote, and is evaluated.
pub(super) const MAX_OPEN: usize = 256 * 1024;

/// The first words of items in type files.
const ITEMS: &[&str] = &["type", "provider", "kind", "mixin", "fn", "const", "typealias", "feature", "use", "test"];

/// Returns whether an input is part of a type file rather than a declaration: `type motd {`, not `type { 'x': }`. `test "…"` is a test, but
/// `test motd` is the command without a colon.
pub(super) fn is_type_text(text: &str) -> bool {
    let text = skip_comments(text);
    let Some((word, rest)) = text.split_once(char::is_whitespace) else { return false };
    let is_start = |c: char| c == '"' || c == '\'' || word != "test" && (c.is_alphanumeric() || c == '_');
    ITEMS.contains(&word) && rest.trim_start().starts_with(is_start)
}

/// Returns whether an input is a command: `:help`, or a word such as `exit` that needs no colon.
pub(super) fn is_command(text: &str) -> bool {
    text.trim_start().starts_with(':') || is_word(text)
}

fn skip_comments(text: &str) -> &str {
    let mut text = text.trim_start();
    while text.starts_with('#') {
        text = text.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    text
}

/// Operators that continue an expression on the next line. `/`, `%` and `?` are not listed: they may end a regex, a word list or a name.
const OPERATORS: &[&str] = &["+", "-", "*", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "=~", "!~", "=", "=>", ".", "<-", "<~"];

/// Tokens at the start of a line that continue the expression or chain of the previous line.
const CONTINUATIONS: &[&str] = &[".", "->", "~>", "&&", "||", "{", "else", "elsif"];

/// Returns whether the input is complete. Two empty lines end any input, so that a missing quote cannot block the session.
pub(super) fn is_whole(text: &str) -> bool {
    text.len() > MAX_OPEN || text.ends_with("\n\n\n") || is_closed(text)
}

/// Returns whether all brackets and quotes of an input are closed, and no operator waits for its operand.
fn is_closed(text: &str) -> bool {
    if text.trim().is_empty() {
        return true;
    }
    if is_command(text) {
        // Only `:is {…}` contains brackets that must be closed. A path may contain a quote.
        return !text.contains('{') || is_complete_manifest(text);
    }
    if is_type_text(text) {
        return is_complete(text);
    }
    let last = text.trim_end().lines().last().unwrap_or_default();
    let goes_on = !is_sentence(text) && !last.contains('#') && OPERATORS.iter().any(|operator| last.ends_with(operator));
    !goes_on && is_complete_manifest(text)
}

/// Returns whether the last added line can have closed an input. This check avoids parsing a long input after each line.
pub(super) fn may_close(text: &str, line: &str) -> bool {
    const SHORT: usize = 8 * 1024;
    text.len() < SHORT || text.len() > MAX_OPEN || line.trim().is_empty() || line.contains(['}', ']', ')'])
}

/// Splits an input into commands, type definitions, expressions and declarations.
///
/// Adjacent resource declarations form a single part, so that they can refer to each other. So do adjacent type definitions.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut last = "";
    for line in text.split_inclusive('\n') {
        let open = text.get(start..at).unwrap_or_default();
        let is_continued = CONTINUATIONS.iter().any(|beginning| line.trim_start().starts_with(beginning));
        let is_after_comments = skip_comments(open).is_empty();
        // After an unclosed bracket or quote, two empty lines and a command begin a new part.
        let is_end = is_command(line) && is_whole(open) || !is_continued && may_close(open, last) && is_closed(open);
        if !is_after_comments && is_end {
            parts.push(open);
            start = at;
        }
        at += line.len();
        last = line;
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts.retain(|part| !skip_comments(part).is_empty());
    merged(text, parts)
}

/// Joins adjacent parts that must be declared together.
fn merged<'t>(text: &'t str, parts: Vec<&'t str>) -> Vec<&'t str> {
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let mut merged: Vec<(PartKind, &str)> = Vec::new();
    for part in parts {
        let kind = PartKind::of(part);
        match merged.last_mut() {
            Some((before, whole)) if *before == kind && matches!(kind, PartKind::Types | PartKind::Resources) => {
                *whole = text.get(offset(whole)..offset(part) + part.len()).unwrap_or(part);
            }
            _ => merged.push((kind, part)),
        }
    }
    merged.into_iter().map(|(_, part)| part).collect()
}

/// The kind of an input's part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PartKind {
    Command,
    Types,
    Expression,
    Resources,
}

impl PartKind {
    fn of(part: &str) -> PartKind {
        match () {
            () if is_command(part) => PartKind::Command,
            () if is_type_text(part) => PartKind::Types,
            () if is_expression(part) => PartKind::Expression,
            () => PartKind::Resources,
        }
    }
}

/// Returns the input if it is a single word: a variable, a type or a mistyped command.
pub(super) fn word(text: &str) -> Option<&str> {
    let word = skip_comments(text).trim();
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    (word.starts_with(|c: char| c.is_alphabetic() || c == '_') && word.chars().all(is_name)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repl::commands::is_unknown_operand;

    #[test]
    fn an_input_ends_when_everything_is_closed() {
        for open in ["user { 'a':\n", "type x {\n", ":is {\n", "a { 'b': } ->\n", "user { 'it"] {
            assert!(!is_whole(open), "{open}");
        }
        for whole in ["", "user { 'a': }\n", "}", ":load it's.pp\n", "user { 'a\n\n\n", "type x { newparam y { isnamevar } }"] {
            assert!(is_whole(whole), "{whole}");
        }
    }

    #[test]
    fn operators_after_words_do_not_continue_an_input() {
        for operator in OPERATORS {
            for words in ["lst user lib", "lst user ", "show me all users", "plese help", "user root", "lst user a.b/c "] {
                assert!(is_whole(&format!("{words}{operator}\n")), "{words}{operator}");
            }
            let expressions =
                ["1 ", "x ", "if a ", "unless a ", "let x = 1 ", "x if y ", "fail x ", "not a ", "notice x ", "facts(\"a\") ", "x.y "];
            for expression in expressions {
                assert!(!is_whole(&format!("{expression}{operator}\n")), "{expression}{operator}");
            }
        }
    }

    #[test]
    fn unknown_words_are_no_operands() {
        let is_known = |word: &str| matches!(word, "x" | "LIMIT");
        for operator in OPERATORS {
            for text in ["lst ", "lst", "User "] {
                assert!(is_unknown_operand(&format!("{text}{operator}\n"), is_known), "{text}{operator}");
            }
            for text in ["x ", "LIMIT ", "1 ", "if ", "not ", "lst a ", "fact ", "(lst) ", "lst\n"] {
                assert!(!is_unknown_operand(&format!("{text}{operator}\n"), is_known), "{text}{operator}");
            }
        }
        assert!(!is_unknown_operand("lst\n", is_known));
    }

    #[test]
    fn a_paste_is_taken_apart() {
        let text = "user { 'a': }\nuser { 'b':\n  uid => 1 }\n:is {\n  uid: 2 }\n:json\nhost { 'c': }\n";
        assert_eq!(parts(text), ["user { 'a': }\nuser { 'b':\n  uid => 1 }\n", ":is {\n  uid: 2 }\n", ":json\n", "host { 'c': }\n"]);
        assert!(parts(" \n\n").is_empty());
    }

    #[test]
    fn types_are_distinguished_from_resources() {
        assert!(is_type_text("# motd\ntype motd {"));
        assert!(is_type_text("use \"x\""));
        assert!(is_type_text("test 'it is red' {"));
        assert!(!is_type_text("test motd"));
        assert!(!is_type_text("type { 'x': }"));
        assert!(!is_type_text("user { 'x': }"));
    }
}
