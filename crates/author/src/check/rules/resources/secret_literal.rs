//! What it does: Reports secrets in plain text.
//!
//! Why: Secrets in plain text end up in catalogs, logs and reports, and everyone who can read the file can read them. The
//! type declares which attributes are secret. Values without a letter or digit, such as `*` and `!!`, and values that the
//! type lists are not secrets.
//!
//! Example:
//!
//! ```puppet
//! user { 'bob':
//!   password => '$6$salt$encrypted',
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! user { 'bob':
//!   password => Deferred('vault_lookup::lookup', ['users/bob']),
//! }
//! ```
//!
//! `Sensitive('…')` keeps a value out of logs and reports, but not out of the file that contains it.

use super::given;
use crate::check::{ResourceSubject, Sink};
use rtype_lang::types::AttributeDef;
use rtype_lang::value::Value;

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    for (_, attribute, given) in given(subject) {
        let secret = attribute.sensitive || attribute.data_type.as_ref().is_some_and(|t| t.is_sensitive());
        if secret && !given.sensitive && is_secret(attribute, &given.value) {
            let found = sink.finding(given.name_span, format!("`{}` is secret and given in clear", attribute.name));
            sink.report(found.help("keep it where secrets are kept and look it up with `Deferred(…)`; at least wrap it in `Sensitive(…)`"));
        }
    }
}

fn is_secret(attribute: &AttributeDef, value: &Value) -> bool {
    match value {
        Value::Str(text) => {
            let listed = attribute.values.literals().any(|l| l.as_str() == text.as_str());
            !listed && text.as_str() != "absent" && text.chars().any(char::is_alphanumeric)
        }
        Value::Int(_) | Value::Float(_) => true,
        Value::Array(values) => values.iter().any(|v| is_secret(attribute, v)),
        Value::Map(map) => map.values().any(|v| is_secret(attribute, v)),
        _ => false,
    }
}
