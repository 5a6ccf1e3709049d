//! What belongs together: lines until everything is closed, a paste taken apart into commands and texts.

use super::commands::is_word;
use rtype_lang::syntax::{is_complete, is_complete_manifest};

/// A larger open text is taken as it is: something was never closed.
pub(super) const MAX_OPEN: usize = 256 * 1024;

/// The words that an item of a type file begins with.
const ITEMS: &[&str] = &["type", "provider", "kind", "mixin", "fn", "const", "typealias", "feature", "use", "test"];

/// Returns whether a text is part of a type file rather than a declaration: `type motd {`, not `type { 'x': }`. `test "…"` is a test,
/// `test motd` the command without its colon.
pub(super) fn is_type_text(text: &str) -> bool {
    let text = skip_comments(text);
    let Some((word, rest)) = text.split_once(char::is_whitespace) else { return false };
    let is_start = |c: char| c == '"' || c == '\'' || word != "test" && (c.is_alphanumeric() || c == '_');
    ITEMS.contains(&word) && rest.trim_start().starts_with(is_start)
}

/// Returns whether it is a command: `:help`, or one of the words that need no colon.
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

/// Returns whether the input is complete. Two empty lines always end an input, so that a missing quote cannot block
/// the session.
pub(super) fn is_whole(text: &str) -> bool {
    if text.len() > MAX_OPEN || text.ends_with("\n\n\n") || (text.trim().is_empty()) {
        return true;
    }
    if is_command(text) {
        // Only `:is {…}` has something to close; a path may hold a quote.
        return !text.contains('{') || is_complete_manifest(text);
    }
    if is_type_text(text) {
        return is_complete(text);
    }
    let end = text.trim_end();
    let goes_on = ["->", "~>", "<-", "<~"].iter().any(|arrow| end.ends_with(arrow));
    !goes_on && is_complete_manifest(text)
}

/// Returns whether a line that was just added can have closed a text: saves looking through a long one at each of its lines.
pub(super) fn may_close(text: &str, line: &str) -> bool {
    const SHORT: usize = 8 * 1024;
    text.len() < SHORT || text.len() > MAX_OPEN || line.trim().is_empty() || line.contains(['}', ']', ')'])
}

/// Splits an input into commands and the text between them.
///
/// A pasted text may contain several resources; these stay together, so that they can refer to each other.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let open = text.get(start..at).unwrap_or_default();
        let was_command = is_command(open) && is_whole(open);
        if at > start && (was_command || (is_command(line) && is_whole(open))) {
            parts.push(open);
            start = at;
        }
        at += line.len();
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts.retain(|p| !skip_comments(p).is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

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
