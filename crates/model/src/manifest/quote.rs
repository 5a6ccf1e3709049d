//! Quotes strings for Puppet's syntax and for YAML.

use rtype_lang::data::is_plain_text;
use std::fmt::Write;

/// Quotes a string like Puppet: single quotes, or double quotes if control characters need escapes.
pub fn puppet(text: &str) -> String {
    if text.chars().any(char::is_control) {
        return double(text, '$', |out, c| {
            let _ = write!(out, "\\u{{{:X}}}", c as u32);
        });
    }
    // A backslash needs escaping only if it would form an escape with the following character.
    let mut out = String::from("'");
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let escaped = c == '\'' || (c == '\\' && matches!(letters.peek(), None | Some('\\' | '\'')));
        out.extend(escaped.then_some('\\'));
        out.push(c);
    }
    out.push('\'');
    out
}

fn double(text: &str, also: char, control: impl Fn(&mut String, char)) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '"' | '\\' => out.extend(['\\', c]),
            c if c == also => out.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => control(&mut out, c),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Quotes a string like Puppet's YAML library, but without block styles. A safe string stays plain.
pub(super) fn yaml(text: &str) -> String {
    let special = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}');
    let first = text.chars().next();
    if text.chars().any(special) || (first.is_some_and(|c| !c.is_alphanumeric() && c != '_') && !text.contains('"')) {
        return double(text, '\\', |out, c| {
            let _ = write!(out, "\\u{:04X}", c as u32);
        });
    }
    let safe = |c: char| {
        c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ' | '+' | '@' | '(' | ')' | '=' | ';' | '$' | '^' | '~' | '<')
    };
    let inner = text.char_indices().all(|(i, c)| {
        let next = text.get(i + c.len_utf8()..).and_then(|t| t.chars().next());
        // A colon before whitespace ends a key; a number sign after whitespace starts a comment.
        safe(c)
            || (c == ':' && next.is_some_and(|n| !n.is_whitespace()))
            || (matches!(c, ',' | '\'' | '"' | '*' | '?' | '!' | '%' | '>' | '|') && i > 0)
    });
    if inner
        && !text.ends_with(' ')
        && first.is_some_and(|c| c.is_alphanumeric() || c == '_')
        && !reads_otherwise(text)
        && is_plain_text(text)
    {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns true if any YAML version would read a plain word as a value other than a string.
fn reads_otherwise(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_word =
        matches!(lower.as_str(), "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null" | "nan" | "inf" | "infinity");
    // YAML 1.2 reads `1e3` and `0o17` as numbers. The condition also matches versions, where quotes are not needed.
    is_word
        || text.starts_with(|c: char| c.is_ascii_digit())
            && !text.contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'a'..='f' | 'A'..='F' | 'x' | 'o' | '_' | 'T' | 'Z'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puppet_strings_are_quoted_as_puppet_does() {
        let shown: Vec<_> = ["a", "it's", "a\\b", "a\\", "\\\\", "a\nb$x\"", "é\u{1b}", ""].map(puppet).into();
        assert_eq!(shown, ["'a'", "'it\\'s'", "'a\\b'", "'a\\\\'", "'\\\\\\\\'", "\"a\\nb\\$x\\\"\"", "\"é\\u{1B}\"", "''"]);
    }

    #[test]
    fn yaml_strings_are_quoted_as_puppet_does() {
        let texts = [
            "present",
            "/root",
            "*",
            "0644",
            "1.5",
            "yes",
            "y",
            "",
            "it's",
            "a: b",
            "a:b",
            "-x",
            "2024-01-01",
            "a\nb",
            "say \"x\"",
            "[x",
            "10th of May",
            "x #y",
        ];
        let shown: Vec<_> = texts.map(yaml).into();
        let expected = [
            "present",
            "\"/root\"",
            "\"*\"",
            "'0644'",
            "'1.5'",
            "'yes'",
            "'y'",
            "''",
            "it's",
            "'a: b'",
            "a:b",
            "\"-x\"",
            "'2024-01-01'",
            "\"a\\nb\"",
            "say \"x\"",
            "\"[x\"",
            "10th of May",
            "'x #y'",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn quoted_yaml_is_read_as_the_same_string() {
        let recorded = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/yaml/scalars.txt");
        let scalars = std::fs::read_to_string(recorded).unwrap();
        let more = ["a\u{2028}b", "\u{85}", "\u{feff}a", "a\u{7f}", "\u{1}", "x\ty", "🎉", "a\r\nb"];
        for text in scalars.lines().chain(more) {
            assert!(!yaml(text).contains(['\u{85}', '\u{2028}', '\u{2029}']), "line breaks are escaped: {text:?}");
            for (document, what) in [(format!("k: {}\n", yaml(text)), "value"), (format!("{}: k\n", yaml(text)), "key")] {
                let read = rtype_lang::value::parse_yaml(&document).map(|value| match value {
                    rtype_lang::value::Value::Map(map) => map.iter().next().map(|(k, v)| if what == "key" { k.clone() } else { v.clone() }),
                    _ => None,
                });
                assert_eq!(read, Ok(Some(rtype_lang::value::Value::str(text))), "{what} {document}");
            }
        }
    }
}
