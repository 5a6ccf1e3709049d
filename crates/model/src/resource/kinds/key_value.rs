//! Properties with key-value pairs: Puppet's `Puppet::Property::KeyValue`.

use super::KindError;
use rtype_lang::value::{Map, Value};
use std::sync::Arc;

pub(super) fn validate(value: &Value, separator: &str) -> Result<(), KindError> {
    match value {
        Value::Map(_) => Ok(()),
        Value::Str(text) if text.contains(separator) => Ok(()),
        Value::Str(_) => Err(KindError::NoSeparator(separator.into())),
        _ => Err(KindError::NoPairs),
    }
}

pub(super) fn munge(value: Value) -> Value {
    match &value {
        Value::Map(map) => {
            let pairs: Map = map.iter().map(|(k, v)| (Value::sym(k.to_text().trim()), Value::Str(v.to_text()))).collect();
            Value::Map(Arc::new(pairs))
        }
        _ => value,
    }
}

pub(super) fn should(stored: &Value, is: Option<&Value>, inclusive: bool, separator: &str) -> Value {
    let all = match stored {
        Value::Array(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut wanted = Map::new();
    if let Some(Value::Map(there)) = is {
        // Existing pairs are kept. With inclusive membership, undesired pairs are set to nil.
        wanted.extend(there.iter().map(|(k, v)| (k.clone(), if inclusive { Value::Nil } else { v.clone() })));
    }
    match all.first() {
        Some(Value::Map(map)) => wanted.extend(map.iter().map(|(k, v)| (k.clone(), v.clone()))),
        _ => {
            for text in all.iter().filter_map(Value::as_text) {
                // Like Ruby's `split`, which drops empty parts at the end. Parts after a second separator are lost.
                let mut parts = text.trim_end_matches(separator).split(separator);
                let key = parts.next().unwrap_or_default();
                wanted.insert(Value::sym(key.trim()), parts.next().map_or(Value::Nil, Value::from));
            }
        }
    }
    Value::Map(Arc::new(wanted))
}

/// The keys that messages show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownKeys {
    All,
    /// Keys with another value than now.
    Changed,
    /// Declared keys. As in Puppet, with inclusive membership each of them counts as changed, and removed keys do not.
    Declared,
}

pub(super) fn worded(value: &Value, is: &Value, should: &Value, separator: &str, delimiter: &str, keys: ShownKeys) -> Option<String> {
    let Value::Map(map) = value else { return None };
    let is_shown = |key: &Value| match (keys, is, should) {
        (ShownKeys::Changed, Value::Map(is), Value::Map(should)) => is.get(key) != should.get(key),
        (ShownKeys::Declared, Value::Map(_), Value::Map(should)) => should.get(key).is_some_and(|value| !value.is_nil()),
        _ => true,
    };
    let pairs: Vec<String> = map.iter().filter(|(k, _)| is_shown(k)).map(|(k, v)| format!("{k}{separator}{v}")).collect();
    Some(pairs.join(delimiter))
}
