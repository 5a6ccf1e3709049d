//! Colours for what is typed.

use crate::app::lexer::{ResourceTokenKind as Kind, lex};

/// Returns the line with colours; without them it is as it was.
pub(super) fn highlight(line: &str) -> String {
    let tokens = lex(line);
    let mut out = String::with_capacity(line.len() * 2);
    let mut done = 0;
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).map(|t| t.kind);
        let color = match (token.kind, next) {
            (Kind::Command, _) => "1;35",
            (Kind::Type, _) => "1;34",
            (Kind::Word, Some(Kind::Open('{'))) => "1;34",
            (Kind::Word, Some(Kind::Arrow | Kind::Sign(':'))) => "36",
            (Kind::Str(_), _) => "32",
            (Kind::Number, _) | (Kind::Variable, _) => "33",
            (Kind::Comment, _) => "2",
            _ => continue,
        };
        out.push_str(line.get(done..token.range.start).unwrap_or_default());
        out.push_str(&format!("\x1b[{color}m{}\x1b[0m", line.get(token.range.clone()).unwrap_or_default()));
        done = token.range.end;
    }
    out.push_str(line.get(done..).unwrap_or_default());
    out
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
}
