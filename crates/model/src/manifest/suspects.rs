//! Finds secrets by name in sources with syntax errors.
//!
//! In a valid declaration, the type determines which values are secret. Snippets from an invalid source must not show a password either,
//! and names are the only hint there.

use regex::{Captures, Match, Regex};
use rtype_lang::diagnostics::Redactions;
use rtype_lang::source::Source;
use rtype_lang::value::REDACTED;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Regular expression for words that mark a name as secret.
const WORDS: &str = "passw(?:or)?d|passphrase|secret|token|api_?key|private_?key|credential|__pvalue";

/// Matches a name with any of [`WORDS`].
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?i){WORDS}")).ok());

/// Matches the value in `password => 'x'`, `"api_key": "x"`, `token: x`, `Sensitive('x')`, at most to the end of the line.
static SUSPECT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = format!("(?:[A-Za-z0-9_-]*(?:{WORDS})[A-Za-z0-9_-]*)");
    let given = format!(r#"(?i){name}["']?[ \t]*(?:=>|\+>|[:=])[ \t]*(?P<value>[^\s,}}][^\n]*)"#);
    // This alternative is last so that a URL inside a redacted value is not matched separately.
    let address = r#"://[^\s/"'@:]*:(?P<password>[^\s/"'@]+)@"#;
    Regex::new(&format!(r#"{given}|Sensitive[ \t]*\((?P<wrapped>[^\n]*)|{address}"#)).ok()
});

/// Matches the names in a catalog's `sensitive_parameters`.
static LISTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#""sensitive_parameters"\s*:\s*\[(?P<names>[^\]]*)\]"#).ok());

/// Returns a pattern for the values of all sensitive names in a catalog, at any position.
fn listed(text: &str) -> Option<Regex> {
    let lists = LISTED.as_ref()?.captures_iter(text).filter_map(|captures| captures.name("names"));
    let names: BTreeSet<&str> = lists.flat_map(|names| names.as_str().split(',')).map(|name| name.trim().trim_matches('"')).collect();
    let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).map(regex::escape).collect();
    let pattern = || format!(r#""(?:{})"[ \t]*:[ \t]*(?P<value>[^\s,}}][^\n]*)"#, names.join("|"));
    (!names.is_empty()).then(pattern).and_then(|pattern| Regex::new(&pattern).ok())
}

/// Returns the secret part of a match.
fn found_in<'t>(captures: &Captures<'t>) -> Option<Match<'t>> {
    ["value", "wrapped", "password"].into_iter().find_map(|name| captures.name(name))
}

/// Returns true if an unknown attribute's name suggests a secret.
pub fn is_suspect(name: &str) -> bool {
    NAME.as_ref().is_none_or(|words| words.is_match(name))
}

/// Returns the locations in `source` that look like secrets.
pub fn suspects(source: &Source) -> Redactions {
    let found = Redactions::new();
    let listed = listed(source.text());
    let patterns = SUSPECT.iter().chain(&listed);
    for captures in patterns.flat_map(|pattern| pattern.captures_iter(source.text())) {
        if let Some(value) = found_in(&captures) {
            found.add(source.span_of(value.range()));
        }
    }
    found
}

/// Returns `text` with a mask in place of each suspected secret.
pub fn blacked_out(text: &str) -> String {
    let Some(suspect) = SUSPECT.as_ref() else { return text.to_owned() };
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for captures in suspect.captures_iter(text) {
        if let Some(value) = found_in(&captures) {
            out.push_str(text.get(from..value.start()).unwrap_or_default());
            out.push_str(REDACTED);
            from = value.end();
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_lang::source::SourceMap;

    #[test]
    fn what_is_named_like_a_secret_is_one() {
        let cases = [
            ("user { 'a': password => 'geheim' uid => 1", true),
            ("\"api_key\": \"geheim\"", true),
            ("db_token: geheim", true),
            ("x => Sensitive('geheim'", true),
            ("password_max_age => geheim", true),
            ("comment => 'geheim'", false),
            ("source => 'https://me:geheim@host/x'", true),
            ("source => 'https://host/x:geheim'", false),
            (r#"{"parameters":{"x":{"__ptype":"Sensitive","__pvalue":"geheim"}}"#, true),
            (r#"{"parameters":{"content":"geheim"},"sensitive_parameters":["mode", "content"]"#, true),
            (r#"{"parameters":{"owner":"geheim"},"sensitive_parameters":["content"]"#, false),
        ];
        for (text, secret) in cases {
            let map = SourceMap::new();
            let source = map.add("x", text).unwrap();
            let at = text.find("geheim").unwrap();
            assert_eq!(suspects(&source).touches(source.span_of(at..at + 6)), secret, "{text}");
        }
    }
}
