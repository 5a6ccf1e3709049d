//! Colours for the edited line.

use super::input::is_type_text;
use crate::app::lexer::{ResourceTokenKind as Kind, lex};
use crate::app::tokens::{TypeTokenKind, tokens};
use std::ops::Range;

/// Adds colours to a line. The characters themselves stay unchanged.
pub(super) fn highlight(line: &str) -> String {
    let colored = if is_type_text(line) { of_types(line) } else { of_resources(line) };
    let mut out = String::with_capacity(line.len() * 2);
    let mut done = 0;
    for (range, color) in colored {
        out.push_str(line.get(done..range.start).unwrap_or_default());
        // A prompt may be drawn between two lines of a string.
        let text = line.get(range.clone()).unwrap_or_default().replace('\n', &format!("\x1b[0m\n\x1b[{color}m"));
        out.push_str(&format!("\x1b[{color}m{text}\x1b[0m"));
        done = range.end;
    }
    out.push_str(line.get(done..).unwrap_or_default());
    out
}

fn of_resources(line: &str) -> Vec<(Range<usize>, &'static str)> {
    let tokens = lex(line);
    let color = |(i, token): (usize, &crate::app::lexer::ResourceToken)| {
        let color = match (token.kind, tokens.get(i + 1).map(|t| t.kind)) {
            (Kind::Command, _) => "1;35",
            (Kind::Type, _) => "1;34",
            (Kind::Word, Some(Kind::Open('{'))) => "1;34",
            (Kind::Word, Some(Kind::Arrow | Kind::Sign(':'))) => "36",
            (Kind::Str(_), _) => "32",
            (Kind::Number, _) | (Kind::Variable, _) => "33",
            (Kind::Comment, _) => "2",
            _ => return None,
        };
        Some((token.range.clone(), color))
    };
    tokens.iter().enumerate().filter_map(color).collect()
}

/// Colours type definitions: words that begin directives and statements, options, and literals.
fn of_types(line: &str) -> Vec<(Range<usize>, &'static str)> {
    let tokens = tokens(line);
    let color = |(i, token): (usize, &crate::app::tokens::TypeToken)| {
        let before = i.checked_sub(1).and_then(|before| tokens.get(before)).map(|t| t.kind);
        let is_option = tokens.get(i + 1).is_some_and(|next| next.text(line) == ":");
        let begins = matches!(before, None | Some(TypeTokenKind::End | TypeTokenKind::Open('{') | TypeTokenKind::Comment));
        let color = match token.kind {
            TypeTokenKind::Word if is_option => "36",
            TypeTokenKind::Word if begins => "1;34",
            TypeTokenKind::Str(_) | TypeTokenKind::Regex(_) => "32",
            TypeTokenKind::Number | TypeTokenKind::Symbol | TypeTokenKind::Capture => "33",
            TypeTokenKind::Comment => "2",
            _ => return None,
        };
        Some((token.range.clone(), color))
    };
    tokens.iter().enumerate().filter_map(color).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_are_added() {
        let line = "user { 'é':  uid => 1, # x\n  'open";
        let colored = highlight(line);
        assert!(colored.starts_with("\x1b[1;34muser\x1b[0m { \x1b[32m'é'\x1b[0m:  \x1b[36muid"), "{colored:?}");
        let mut plain = colored;
        for code in ["1;35", "1;34", "36", "32", "33", "2", "0"] {
            plain = plain.replace(&format!("\x1b[{code}m"), "");
        }
        assert_eq!(plain, line);
    }

    #[test]
    fn directives_options_and_literals_of_types_are_coloured() {
        let colored = highlight("type x, a: 1 {\n  desc \"a\nb\"\n}");
        assert_eq!(
            colored,
            "\x1b[1;34mtype\x1b[0m x, \x1b[36ma\x1b[0m: \x1b[33m1\x1b[0m {\n  \x1b[1;34mdesc\x1b[0m \x1b[32m\"a\x1b[0m\n\x1b[32mb\"\x1b[0m\n}"
        );
    }
}
