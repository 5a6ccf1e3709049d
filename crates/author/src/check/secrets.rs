//! Detects attributes whose names suggest a secret.

use rtype_lang::types::{AttributeDef, Matcher, NativeKind};
use rtype_lang::value::DataType;

/// Words at the end of a secret's name.
const SECRETS: &[&[&str]] = &[
    &["password"],
    &["passwd"],
    &["passphrase"],
    &["secret"],
    &["token"],
    &["apikey"],
    &["api", "key"],
    &["private", "key"],
    &["privatekey"],
    &["secret", "key"],
    &["access", "key"],
    &["encryption", "key"],
    &["credentials"],
];

/// Words that may follow without changing the meaning: `password_hash`.
const SAME: &[&str] =
    &["hash", "value", "data", "content", "text", "string", "base64", "encrypted", "plain", "plaintext", "new", "old", "current"];

/// Leading words that turn the name into a setting about a secret: `manage_password`.
const ABOUT: &[&str] = &[
    "allow",
    "check",
    "disable",
    "enable",
    "expire",
    "force",
    "has",
    "hide",
    "ignore",
    "is",
    "manage",
    "manages",
    "max",
    "min",
    "need",
    "needs",
    "next",
    "no",
    "public",
    "purge",
    "refresh",
    "regenerate",
    "replace",
    "require",
    "requires",
    "reset",
    "rotate",
    "set",
    "show",
    "skip",
    "store",
    "sync",
    "update",
    "use",
    "validate",
    "verify",
    "with",
    "without",
];

/// Returns `true` if a name suggests a secret.
pub(super) fn names_secret(name: &str) -> bool {
    let words: Vec<&str> = name.trim_end_matches('?').split('_').collect();
    let end = words.iter().rposition(|w| !SAME.contains(w)).map_or(0, |last| last + 1);
    let words = words.get(..end).unwrap_or_default();
    let is_secret = SECRETS.iter().any(|secret| words.ends_with(secret));
    is_secret && !words.first().is_some_and(|first| ABOUT.contains(first))
}

/// Returns `true` if an attribute can hold a secret: it is not a boolean, number, path or enumeration.
pub(super) fn can_be_secret(attribute: &AttributeDef) -> bool {
    let known_values = !attribute.values.is_empty() && attribute.values.values.iter().all(|v| matches!(v.matcher, Matcher::Literal(_)));
    // A pattern next to `false` or `true` still accepts other strings.
    let path = |text: &str| text.starts_with("\\A/") || text.starts_with("^/") || text.starts_with("\\A\\/");
    let is_path = matches!(attribute.native, Some(NativeKind::Path { .. } | NativeKind::FileSource))
        || attribute.values.regexes().any(|r| path(r.source()));
    !known_values && !is_path && attribute.data_type.as_ref().is_none_or(holds_text) && !says_path(&attribute.doc)
}

/// Returns `true` if the first sentence of the description mentions a path, a file, a name or an algorithm.
fn says_path(doc: &str) -> bool {
    let first = doc.split(". ").next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = first.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.iter().any(|w| matches!(*w, "path" | "file" | "filename" | "directory" | "whether" | "number" | "seconds" | "days" | "algorithm"))
        || words.windows(2).any(|w| matches!(w, ["name" | "names" | "id" | "uuid" | "url" | "uri" | "type", "of" | "for"]))
}

fn holds_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Boolean | DataType::OneBoolean(_) | DataType::Integer(_) | DataType::Float(_) | DataType::Numeric | DataType::Enum(_) => {
            false
        }
        // `Sensitive` is already marked.
        DataType::AbsolutePath | DataType::Format(_) | DataType::Sensitive(_) => false,
        DataType::Optional(inner) => holds_text(inner),
        DataType::Variant(types) => types.iter().any(holds_text) && !types.iter().any(|t| matches!(t, DataType::Sensitive(_))),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_end_in_secrets() {
        for name in
            ["password", "db_password", "password_hash", "api_key", "auth_token", "client_token", "ssl_private_key", "secret", "old_passwd"]
        {
            assert!(names_secret(name), "{name}");
        }
        for name in
            ["password_max_age", "manage_password", "token_ttl", "private_key_path", "key", "public_key", "passwords", "secret_name"]
        {
            assert!(!names_secret(name), "{name}");
        }
    }
}
