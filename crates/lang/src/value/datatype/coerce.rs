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
        match value {
            // Only the outermost error is reported, because details could reveal the value.
            Value::Sensitive(inner) => {
                let coerced = self.coerce(inner).map_err(|_| self.mismatch())?;
                Ok(close(coerced))
            }
            Value::Unknown => Ok(Value::Unknown),
            _ => self.convert(value),
        }
    }

    fn convert(&self, value: &Value) -> Result<Value, Mismatch> {
        match self {
            DataType::Sensitive(inner) => return inner.coerce(value).map(close),
            DataType::Optional(inner) => {
                return if value.is_nil() { Ok(Value::Nil) } else { inner.coerce(value).map_err(|_| self.mismatch()) };
            }
            DataType::Variant(types) => {
                // Prefer a type that accepts the value without conversion.
                if let Some(found) = types.iter().find(|t| t.accepts(value)) {
                    return found.coerce(value);
                }
                return types.iter().find_map(|t| t.converted(value)).ok_or_else(|| self.mismatch());
            }
            DataType::Array(element, bounds) => {
                let items = value.as_array().filter(|items| fits(bounds, items.len())).ok_or_else(|| self.mismatch())?;
                let items: Result<Vec<_>, _> = items.iter().map(|v| element.coerce(v)).collect();
                return items.map(Value::array).map_err(|m| self.inside(&m));
            }
            DataType::Tuple(types) => {
                let items = value.as_array().filter(|items| items.len() == types.len()).ok_or_else(|| self.mismatch())?;
                let items: Result<Vec<_>, _> = items.iter().zip(types).map(|(v, t)| t.coerce(v)).collect();
                return items.map(Value::array).map_err(|m| self.inside(&m));
            }
            DataType::Hash(keys, values, bounds) => {
                let Value::Map(map) = value else { return Err(self.mismatch()) };
                if !fits(bounds, map.len()) {
                    return Err(self.mismatch());
                }
                let mut new = Map::with_capacity(map.len());
                for (key, value) in map.iter() {
                    let key = keys.coerce(&text_key(key)).map_err(|m| self.inside(&m))?;
                    new.insert(key, values.coerce(value).map_err(|m| self.inside(&m))?);
                }
                return Ok(Value::Map(Arc::new(new)));
            }
            DataType::Struct(members) => return self.convert_struct(members, value),
            _ => {}
        }
        if self.accepts(value) {
            return Ok(value.clone());
        }
        self.spelled(value).filter(|v| self.accepts(v)).ok_or_else(|| self.mismatch())
    }

    /// Converts a value that is neither sensitive nor unknown, without a description of the mismatch.
    fn converted(&self, value: &Value) -> Option<Value> {
        match self {
            DataType::Sensitive(_) | DataType::Optional(_) | DataType::Variant(_) | DataType::Struct(_) => self.convert(value).ok(),
            DataType::Array(..) | DataType::Tuple(_) | DataType::Hash(..) => self.convert(value).ok(),
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

    fn convert_struct(&self, members: &[Member], value: &Value) -> Result<Value, Mismatch> {
        let Value::Map(map) = value else { return Err(self.mismatch()) };
        let known = map.keys().all(|k| k.as_text().is_some_and(|k| members.iter().any(|m| m.name == k)));
        if !known {
            return Err(self.mismatch());
        }
        let mut new = Map::with_capacity(map.len());
        for member in members {
            match key_of(map, &member.name) {
                Some((key, value)) => {
                    new.insert(text_key(key), member.data_type.coerce(value).map_err(|m| self.inside(&m))?);
                }
                None if member.optional || member.data_type.accepts(&Value::Nil) => {}
                None => return Err(self.mismatch()),
            }
        }
        Ok(Value::Map(Arc::new(new)))
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
