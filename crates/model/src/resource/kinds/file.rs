//! The file attributes owner, group, content and source: Puppet's `Puppet::Type::File::{Owner,Group,Content,Source}`.

use super::error::{KindError, SourceError};
use rtype_lang::value::{Value, digest};

/// Returns the numeric ID for a name or number. A number need not have an account.
fn number(value: &Value, lookup: impl Fn(&str) -> Option<i64>) -> Option<i64> {
    match value {
        Value::Int(n) => Some(*n),
        other => other.as_text().and_then(|t| integer(t).or_else(|| lookup(t))),
    }
}

/// Parses an integer like Ruby's `Integer`: a leading zero means octal, `0x` hexadecimal.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    match text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        Some(rest) => match rest.strip_prefix(['x', 'X']) {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => i64::from_str_radix(rest, 8).ok(),
        },
        None => text.parse().ok(),
    }
}

/// Returns true if a desired owner equals the current owner, by name or number.
///
/// Accounts are resolved this late because they may be created during the run.
pub(super) fn id_in_sync(is: &Value, all: &[Value], noop: bool, lookup: impl Fn(&str) -> Option<i64>) -> Result<bool, KindError> {
    let mut fits = false;
    for wanted in all {
        match number(wanted, &lookup) {
            Some(n) => fits |= *is == Value::Int(n),
            None if noop => return Ok(false),
            None => return Err(KindError::NoAccount(wanted.to_text())),
        }
    }
    Ok(fits)
}

/// Formats an owner for messages: the account name, if known, otherwise the number.
pub(super) fn worded_id(value: &Value, lookup: impl Fn(&str) -> Option<i64>, name: impl Fn(i64) -> Option<String>) -> Option<String> {
    let Value::Int(_) = value else {
        let n = number(value, lookup)?;
        return Some(name(n).map_or_else(|| n.to_string(), |name| format!("'{name}'")));
    };
    number(value, lookup).and_then(name).map(|name| format!("'{name}'"))
}

/// Checks that each source is an absolute path or a URI with a supported scheme.
pub(super) fn validate_source(value: &Value) -> Result<(), KindError> {
    let all = match value {
        Value::Array(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    };
    for source in all {
        let Value::Str(text) = source else {
            return Err(KindError::WrongKind { expected: "a string as source", found: source.kind_name() });
        };
        if text.starts_with('/') {
            continue;
        }
        let scheme = text.split_once(':').filter(|(s, _)| s.starts_with(|c: char| c.is_ascii_alphabetic()));
        let reason = match scheme {
            None => SourceError::Relative,
            Some((_, rest)) if !rest.starts_with('/') => SourceError::NoSlash,
            Some((scheme, _)) if !["file", "puppet", "http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) => {
                SourceError::UnknownScheme
            }
            Some((_, rest)) if !is_authority(rest) => SourceError::BadHost,
            Some(_) => continue,
        };
        return Err(KindError::BadSource { text: text.clone(), reason });
    }
    Ok(())
}

/// Returns true if the host and port after the scheme are valid. Other characters may need escaping; Puppet escapes them itself.
fn is_authority(rest: &str) -> bool {
    let Some(after) = rest.strip_prefix("//") else { return true };
    let authority = after.split(['/', '?', '#']).next().unwrap_or_default();
    fluent_uri::Uri::parse(format!("x://{authority}/")).is_ok()
}

/// Converts sources to a list of URIs without trailing slashes.
pub(super) fn munge_source(value: &Value) -> Value {
    let all = match value {
        Value::Array(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    };
    Value::array(all.iter().map(|source| {
        let text = source.to_text();
        let bare = text.trim_end_matches('/');
        Value::str(if bare.starts_with('/') { format!("file://{bare}") } else { bare.to_owned() })
    }))
}

/// Converts content to its checksum with the given algorithm.
///
/// As in Puppet, a string that looks like a checksum is used as a checksum.
pub(super) fn munge_content(value: Value, kind: &str) -> Result<Value, KindError> {
    match &value {
        Value::Sym(s) if s.as_str() == "absent" => Ok(value),
        Value::Str(text) if is_checksum(text) => Ok(value),
        Value::Str(_) | Value::Binary(_) => {
            let bytes = value.as_bytes().unwrap_or_default();
            let sum = match kind {
                "mtime" | "ctime" | "none" => String::new(),
                _ => digest::hex(kind, bytes).ok_or_else(|| KindError::UnknownChecksum(kind.into()))?,
            };
            Ok(Value::str(format!("{{{kind}}}{sum}")))
        }
        other => Err(KindError::WrongKind { expected: "a string as content", found: other.kind_name() }),
    }
}

/// Returns true if a string has the form `{sha256}…`.
fn is_checksum(text: &str) -> bool {
    text.lines().any(|line| {
        line.strip_prefix('{').and_then(|rest| rest.split_once('}')).is_some_and(|(kind, sum)| {
            (3..=10).contains(&kind.len())
                && kind.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
                && sum.starts_with(|c: char| !c.is_whitespace())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_becomes_its_checksum() {
        let sum = |text: &str, kind: &str| munge_content(Value::str(text), kind).map(|v| v.to_text().to_string());
        assert_eq!(sum("", "md5").as_deref(), Ok("{md5}d41d8cd98f00b204e9800998ecf8427e"));
        assert_eq!(sum("{md5}abc", "sha256").as_deref(), Ok("{md5}abc"));
        assert_eq!(sum("x", "mtime").as_deref(), Ok("{mtime}"));
        assert!(sum("x", "crc32").is_err());
        assert!(munge_content(Value::Int(5), "md5").is_err());
    }

    #[test]
    fn sources_become_uris() {
        let list = Value::array([Value::str("/a/b//"), Value::str("puppet:///m/f/")]);
        assert_eq!(validate_source(&list), Ok(()));
        assert_eq!(munge_source(&list), Value::array([Value::str("file:///a/b"), Value::str("puppet:///m/f")]));
        for bad in ["relative", "ftp://h/x", "puppet:x", "", "http://[bad"] {
            assert!(validate_source(&Value::str(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn owners_are_compared_by_number() {
        let lookup = |name: &str| (name == "root").then_some(0);
        let compare = |is: Value, should: &str, noop| id_in_sync(&is, &[Value::str(should)], noop, lookup);
        assert_eq!(compare(Value::Int(0), "root", false), Ok(true));
        assert_eq!(compare(Value::Int(0), "0", false), Ok(true));
        assert_eq!(compare(Value::Int(8), "010", false), Ok(true));
        assert_eq!(compare(Value::str("root"), "root", false), Ok(false));
        assert_eq!(compare(Value::Int(0), "nobody", true), Ok(false));
        assert!(compare(Value::Int(0), "nobody", false).is_err());
        assert_eq!(worded_id(&Value::Int(0), lookup, |_| Some("root".into())).as_deref(), Some("'root'"));
    }
}
