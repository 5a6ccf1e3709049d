//! Lossless conversion of values to data types.

use super::{DataType, Member, Mismatch, fits, key_of, text_key};
use crate::value::{Map, Value};
use std::sync::Arc;

impl DataType {
    /// Converts a value to this type if no information is lost: `"80"` becomes 80 for an `Integer`, `"true"` becomes true for a
    /// `Boolean`, symbols become strings, and lists and maps are converted element by element. Sensitive values stay sensitive, and
    /// `Sensitive[T]` wraps other values.
    ///
    /// # Errors
    /// Returns a [`Mismatch`] if the value neither has this type nor can be converted to it.
    pub fn coerce(&self, value: &Value) -> Result<Value, Mismatch> {
        self.converted(value).ok_or_else(|| self.reason(value))
    }

    /// As [`DataType::coerce`], without a description of the mismatch: a variant may refuse a value with each of its types.
    fn converted(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Sensitive(inner) => self.converted(inner).map(close),
            Value::Unknown => Some(Value::Unknown),
            _ => self.convert(value),
        }
    }

    /// Converts a value that is neither sensitive nor unknown.
    fn convert(&self, value: &Value) -> Option<Value> {
        match self {
            DataType::Sensitive(inner) => return inner.converted(value).map(close),
            DataType::Optional(inner) => return if value.is_nil() { Some(Value::Nil) } else { inner.converted(value) },
            DataType::Variant(types) => {
                // Prefer a type that accepts the value without conversion.
                if let Some(found) = types.iter().find(|t| t.accepts(value)) {
                    return found.converted(value);
                }
                return types.iter().find_map(|t| t.respelled(value));
            }
            DataType::Array(element, bounds) => {
                let items = value.as_array().filter(|items| fits(bounds, items.len()))?;
                return items.iter().map(|v| element.converted(v)).collect::<Option<Vec<_>>>().map(Value::array);
            }
            DataType::Tuple(types) => {
                let items = value.as_array().filter(|items| items.len() == types.len())?;
                return items.iter().zip(types).map(|(v, t)| t.converted(v)).collect::<Option<Vec<_>>>().map(Value::array);
            }
            DataType::Hash(keys, values, bounds) => {
                let Value::Map(map) = value else { return None };
                if !fits(bounds, map.len()) {
                    return None;
                }
                let mut new = Map::with_capacity(map.len());
                for (key, value) in map.iter() {
                    new.insert(keys.converted(&text_key(key))?, values.converted(value)?);
                }
                return Some(Value::Map(Arc::new(new)));
            }
            DataType::Struct(members) => return convert_struct(members, value),
            _ => {}
        }
        if self.accepts(value) { Some(value.clone()) } else { self.respelled(value) }
    }

    /// Converts a value that does not have this type.
    fn respelled(&self, value: &Value) -> Option<Value> {
        match self {
            DataType::Sensitive(_) | DataType::Optional(_) | DataType::Variant(_) | DataType::Struct(_) => self.convert(value),
            DataType::Array(..) | DataType::Tuple(_) | DataType::Hash(..) => self.convert(value),
            _ => self.spelled(value).filter(|v| self.accepts(v)),
        }
    }

    /// Converts a scalar to this type; the caller checks limits.
    fn spelled(&self, value: &Value) -> Option<Value> {
        let text = value.as_text();
        match self {
            DataType::Boolean | DataType::OneBoolean(_) => match text? {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            DataType::Integer(_) => match value {
                Value::Float(f) if f.fract() == 0.0 && f.abs() < 9e15 => Some(Value::Int(*f as i64)),
                _ => integer(text?),
            },
            DataType::Float(_) => match value {
                Value::Int(n) if n.unsigned_abs() < (1 << 53) => Some(Value::Float(*n as f64)),
                _ => float(text?),
            },
            DataType::Numeric => integer(text?).or_else(|| float(text?)),
            // `yes` and `:yes`, or `80` and `"80"`, are the same string.
            DataType::String(_) | DataType::Enum(_) | DataType::Pattern(_) | DataType::AbsolutePath | DataType::Format(_) => match value {
                Value::Sym(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => Some(Value::Str(value.to_text())),
                _ => None,
            },
            DataType::Symbol => Some(Value::sym(text?)),
            DataType::Scalar => Some(Value::str(text?)),
            _ => None,
        }
    }

    /// Returns the reason why a value cannot be converted: the first part of the value that has the wrong type.
    fn reason(&self, value: &Value) -> Mismatch {
        let part = |data_type: &DataType, value: &Value| data_type.converted(value).is_none().then(|| data_type.reason(value));
        let inner = match (self, value) {
            // Only the outermost error is reported, because details could reveal the value.
            (_, Value::Sensitive(_)) => None,
            (DataType::Sensitive(inner), _) => return inner.reason(value),
            (DataType::Array(element, bounds), Value::Array(items)) if fits(bounds, items.len()) => {
                items.iter().find_map(|v| part(element, v))
            }
            (DataType::Tuple(types), Value::Array(items)) if items.len() == types.len() => {
                items.iter().zip(types).find_map(|(v, t)| part(t, v))
            }
            (DataType::Hash(keys, values, bounds), Value::Map(map)) if fits(bounds, map.len()) => {
                map.iter().find_map(|(k, v)| part(keys, &text_key(k)).or_else(|| part(values, v)))
            }
            (DataType::Struct(members), Value::Map(map)) if has_only(members, map) => {
                // A missing member is described by the whole type.
                let given = members.iter().map_while(|m| match key_of(map, &m.name) {
                    Some((_, value)) => Some(part(&m.data_type, value)),
                    None => may_be_missing(m).then_some(None),
                });
                given.flatten().next()
            }
            _ => None,
        };
        inner.map_or_else(|| self.mismatch(), |inner| self.inside(&inner))
    }

    /// Combines an element's expected type with the whole value's expected type.
    fn inside(&self, element: &Mismatch) -> Mismatch {
        let whole = self.mismatch().expected;
        if whole.contains(element.expected.split_once(' ').map_or(element.expected.as_str(), |(_, t)| t)) {
            return Mismatch { expected: whole };
        }
        Mismatch { expected: format!("{whole} ({} inside)", element.expected) }
    }
}

fn convert_struct(members: &[Member], value: &Value) -> Option<Value> {
    let Value::Map(map) = value else { return None };
    if !has_only(members, map) {
        return None;
    }
    let mut new = Map::with_capacity(map.len());
    for member in members {
        match key_of(map, &member.name) {
            Some((key, value)) => drop(new.insert(text_key(key), member.data_type.converted(value)?)),
            None if may_be_missing(member) => {}
            None => return None,
        }
    }
    Some(Value::Map(Arc::new(new)))
}

/// Returns `true` if all keys of a map are members of a struct.
fn has_only(members: &[Member], map: &Map) -> bool {
    map.keys().all(|key| key.as_text().is_some_and(|key| members.iter().any(|m| m.name == key)))
}

fn may_be_missing(member: &Member) -> bool {
    member.optional || member.data_type.accepts(&Value::Nil)
}

fn close(value: Value) -> Value {
    match value {
        Value::Sensitive(_) => value,
        other => Value::Sensitive(Arc::new(other)),
    }
}

/// Parses a decimal integer without leading zeros: `010` could mean 8 or 10.
fn integer(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits == "0" || (!digits.starts_with('0') && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    if plain { text.parse().ok().map(Value::Int) } else { None }
}

fn float(text: &str) -> Option<Value> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'))
        && text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && text.ends_with(|c: char| c.is_ascii_digit());
    if plain { text.parse().ok().filter(|f: &f64| f.is_finite()).map(Value::Float) } else { None }
}
