//! Data types in Puppet's notation, and their lossless conversions.

mod build;
mod coerce;
mod faults;
mod format;
mod includes;
#[cfg(test)]
mod tests;

pub use build::{DataTypeError, TypeArg};
pub use faults::{PathStep, ValueFault};
pub use format::TextFormat;

use super::{Regex, Value, quote_puppet};
use std::fmt::{self, Display, Write};
use std::sync::Arc;

/// Inclusive limits; `None` for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Bounds<T> {
    /// The minimum.
    pub min: Option<T>,
    /// The maximum.
    pub max: Option<T>,
}

impl<T: PartialOrd + Copy> Bounds<T> {
    /// No limits.
    pub const NONE: Bounds<T> = Bounds { min: None, max: None };

    /// Returns `true` if a value is within the limits.
    pub fn contain(&self, value: T) -> bool {
        self.min.is_none_or(|min| value >= min) && self.max.is_none_or(|max| value <= max)
    }
}

/// A member of a `Struct`.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key.
    pub name: String,
    /// `true` for an optional key.
    pub optional: bool,
    /// The type of the value.
    pub data_type: DataType,
}

/// A data type.
#[derive(Clone, Debug, PartialEq)]
pub enum DataType {
    /// Anything.
    Any,
    /// Only `undef`.
    Undef,
    /// `true` or `false`.
    Boolean,
    /// Only this boolean.
    OneBoolean(bool),
    /// An integer within limits.
    Integer(Bounds<i64>),
    /// A float within limits.
    Float(Bounds<f64>),
    /// An integer or float.
    Numeric,
    /// A string with length limits in characters.
    String(Bounds<i64>),
    /// A symbol.
    Symbol,
    /// Any of these strings.
    Enum(Vec<String>),
    /// A string that matches any regex in the list.
    Pattern(Vec<Arc<Regex>>),
    /// A list with an element type and length limits.
    Array(Box<DataType>, Bounds<i64>),
    /// A map with a key type, a value type and size limits.
    Hash(Box<DataType>, Box<DataType>, Bounds<i64>),
    /// A map with these keys.
    Struct(Vec<Member>),
    /// A list with one type for each element.
    Tuple(Vec<DataType>),
    /// `undef` or a value of the type.
    Optional(Box<DataType>),
    /// A value with any of these types.
    Variant(Vec<DataType>),
    /// A sensitive value, redacted in output.
    Sensitive(Box<DataType>),
    /// An absolute path as a string.
    AbsolutePath,
    /// A string in a known format.
    Format(TextFormat),
    /// A regex.
    Regexp,
    /// Binary data.
    Binary,
    /// A scalar: a string, number, boolean or regex.
    Scalar,
    /// A type with this name for values that only Puppet's language creates, such as a point in time. No rtype value has this type.
    PuppetOnly(&'static str),
}

/// The reason why a value does not have a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The expected type as a noun phrase: `an Integer[1, 65535]`.
    pub expected: String,
}

impl DataType {
    /// Returns `true` if the value has this type without conversion. A sensitive value also has the type of the wrapped value, and all
    /// values in it are sensitive.
    pub fn accepts(&self, value: &Value) -> bool {
        self.accepts_within(value, false)
    }

    /// As [`DataType::accepts`], for part of a sensitive value if `hidden` is set.
    fn accepts_within(&self, value: &Value, hidden: bool) -> bool {
        let hidden = hidden || matches!(value, Value::Sensitive(_));
        match self {
            DataType::Optional(inner) => return value.is_nil() || inner.accepts_within(value, hidden),
            DataType::Variant(types) => return types.iter().any(|t| t.accepts_within(value, hidden)),
            DataType::Sensitive(inner) => return hidden && inner.accepts_within(value.unwrapped(), hidden),
            _ => {}
        }
        let value = value.unwrapped();
        match self {
            DataType::Any => true,
            DataType::Undef => value.is_nil(),
            DataType::PuppetOnly(_) => false,
            DataType::Boolean => matches!(value, Value::Bool(_)),
            DataType::OneBoolean(only) => matches!(value, Value::Bool(b) if b == only),
            DataType::Integer(bounds) => matches!(value, Value::Int(n) if bounds.contain(*n)),
            DataType::Float(bounds) => matches!(value, Value::Float(n) if bounds.contain(*n)),
            DataType::Numeric => matches!(value, Value::Int(_) | Value::Float(_)),
            DataType::String(bounds) => matches!(value, Value::Str(s) if fits(bounds, s.chars().count())),
            DataType::Symbol => matches!(value, Value::Sym(_)),
            DataType::Enum(names) => matches!(value, Value::Str(s) if names.iter().any(|n| n == s.as_str())),
            DataType::Pattern(patterns) => matches!(value, Value::Str(s) if patterns.iter().any(|p| p.is_match(s))),
            DataType::Array(element, bounds) => {
                value.as_array().is_some_and(|items| fits(bounds, items.len()) && items.iter().all(|v| element.accepts_within(v, hidden)))
            }
            DataType::Hash(keys, values, bounds) => match value {
                Value::Map(map) => {
                    fits(bounds, map.len()) && map.iter().all(|(k, v)| keys.accepts(&text_key(k)) && values.accepts_within(v, hidden))
                }
                _ => false,
            },
            DataType::Struct(members) => accepts_struct(members, value, hidden),
            DataType::Tuple(types) => value
                .as_array()
                .is_some_and(|items| items.len() == types.len() && items.iter().zip(types).all(|(v, t)| t.accepts_within(v, hidden))),
            DataType::Optional(_) | DataType::Variant(_) | DataType::Sensitive(_) => false,
            DataType::AbsolutePath => matches!(value, Value::Str(s) if s.starts_with('/')),
            DataType::Format(format) => matches!(value, Value::Str(s) if format.accepts(s)),
            DataType::Regexp => matches!(value, Value::Regex(_)),
            DataType::Binary => matches!(value, Value::Binary(_) | Value::Str(_)),
            DataType::Scalar => {
                matches!(value, Value::Str(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Regex(_))
            }
        }
    }

    /// Returns `true` if values of this type are sensitive.
    pub fn is_sensitive(&self) -> bool {
        match self {
            DataType::Sensitive(_) => true,
            DataType::Optional(inner) => inner.is_sensitive(),
            _ => false,
        }
    }

    /// Returns the type as written, up to a limit: a long list of members is not written for each wrong value.
    fn shortened(&self) -> String {
        let mut text = Shortened(String::new());
        // Writing ends with an error at the limit.
        if write!(text, "{self}").is_err() {
            text.0.push('…');
        }
        text.0
    }

    fn mismatch(&self) -> Mismatch {
        let text = self.shortened();
        let vowel = text.starts_with(['A', 'E', 'I', 'O', 'U']);
        let several = matches!(self, DataType::Any | DataType::Undef | DataType::Numeric);
        let article = if several {
            ""
        } else if vowel {
            "an "
        } else {
            "a "
        };
        let words = match self {
            DataType::Undef => "no value".to_owned(),
            DataType::Numeric => "a number".to_owned(),
            DataType::AbsolutePath => "an absolute path".to_owned(),
            DataType::Format(format) => format.description().to_owned(),
            _ => format!("{article}{text}"),
        };
        Mismatch { expected: words }
    }
}

/// The maximum length of a type in a message, in bytes.
const MAX_SHOWN: usize = 4096;

/// A text that ends at [`MAX_SHOWN`].
struct Shortened(String);

impl Write for Shortened {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_SHOWN {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

fn fits(bounds: &Bounds<i64>, count: usize) -> bool {
    bounds.contain(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Converts a symbol key to a string, so that `{k: v}` in a block is a `Hash[String, …]`.
fn text_key(key: &Value) -> Value {
    match key {
        Value::Sym(s) => Value::Str(s.text()),
        other => other.clone(),
    }
}

/// Returns `true` if a type accepts a key, after conversion.
fn accepts_key(keys: &DataType, key: &Value) -> bool {
    keys.coerce(&text_key(key)).is_ok()
}

fn key_of<'v>(map: &'v super::Map, name: &str) -> Option<(&'v Value, &'v Value)> {
    map.iter().find(|(k, _)| k.as_text() == Some(name))
}

fn accepts_struct(members: &[Member], value: &Value, hidden: bool) -> bool {
    let Value::Map(map) = value else { return false };
    let known = map.keys().all(|k| k.as_text().is_some_and(|k| members.iter().any(|m| m.name == k)));
    known
        && members.iter().all(|m| match key_of(map, &m.name) {
            Some((_, v)) => m.data_type.accepts_within(v, hidden),
            None => m.optional || m.data_type.accepts(&Value::Nil),
        })
}

/// Writes limits as `[a, b]`; writes nothing without limits.
fn bounds<T: Display + PartialOrd + Copy>(f: &mut fmt::Formatter<'_>, bounds: &Bounds<T>) -> fmt::Result {
    match (bounds.min, bounds.max) {
        (None, None) => Ok(()),
        (Some(min), None) => write!(f, "[{min}]"),
        (None, Some(max)) => write!(f, "[default, {max}]"),
        (Some(min), Some(max)) => write!(f, "[{min}, {max}]"),
    }
}

/// Writes limits as further arguments.
fn more_bounds(f: &mut fmt::Formatter<'_>, bounds: &Bounds<i64>) -> fmt::Result {
    match (bounds.min, bounds.max) {
        (None, None) => Ok(()),
        (Some(min), None) => write!(f, ", {min}"),
        (None, Some(max)) => write!(f, ", 0, {max}"),
        (Some(min), Some(max)) => write!(f, ", {min}, {max}"),
    }
}

fn listed<T: Display>(f: &mut fmt::Formatter<'_>, items: impl IntoIterator<Item = T>) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
    }
    Ok(())
}

impl Display for DataType {
    /// Writes the type in Puppet's notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataType::Any => f.write_str("Any"),
            DataType::Undef => f.write_str("Undef"),
            DataType::Boolean => f.write_str("Boolean"),
            DataType::OneBoolean(only) => write!(f, "Boolean[{only}]"),
            DataType::Numeric => f.write_str("Numeric"),
            DataType::Symbol => f.write_str("Symbol"),
            DataType::AbsolutePath => f.write_str("AbsolutePath"),
            DataType::Format(format) => f.write_str(format.name()),
            DataType::Regexp => f.write_str("Regexp"),
            DataType::Binary => f.write_str("Binary"),
            DataType::Scalar => f.write_str("Scalar"),
            DataType::PuppetOnly(name) => f.write_str(name),
            DataType::Integer(limits) => {
                f.write_str("Integer")?;
                bounds(f, limits)
            }
            DataType::Float(limits) => {
                f.write_str("Float")?;
                let as_values = Bounds { min: limits.min.map(Number), max: limits.max.map(Number) };
                bounds(f, &as_values)
            }
            DataType::String(limits) => {
                f.write_str("String")?;
                bounds(f, limits)
            }
            DataType::Enum(names) => {
                f.write_str("Enum[")?;
                listed(f, names.iter().map(|n| quote_puppet(n)))?;
                f.write_str("]")
            }
            DataType::Pattern(patterns) => {
                f.write_str("Pattern[")?;
                listed(f, patterns)?;
                f.write_str("]")
            }
            DataType::Array(element, limits) => {
                if **element == DataType::Any && *limits == Bounds::NONE {
                    return f.write_str("Array");
                }
                write!(f, "Array[{element}")?;
                more_bounds(f, limits)?;
                f.write_str("]")
            }
            DataType::Hash(keys, values, limits) => {
                if **keys == DataType::Any && **values == DataType::Any && *limits == Bounds::NONE {
                    return f.write_str("Hash");
                }
                write!(f, "Hash[{keys}, {values}")?;
                more_bounds(f, limits)?;
                f.write_str("]")
            }
            DataType::Struct(members) => {
                f.write_str("Struct[{")?;
                let member = |m: &Member| {
                    let name = quote_puppet(&m.name);
                    let key = if m.optional { format!("Optional[{name}]") } else { name };
                    format!("{key} => {}", m.data_type)
                };
                listed(f, members.iter().map(member))?;
                f.write_str("}]")
            }
            DataType::Tuple(types) => {
                f.write_str("Tuple[")?;
                listed(f, types)?;
                f.write_str("]")
            }
            DataType::Optional(inner) => write!(f, "Optional[{inner}]"),
            DataType::Variant(types) => {
                f.write_str("Variant[")?;
                listed(f, types)?;
                f.write_str("]")
            }
            DataType::Sensitive(inner) if **inner == DataType::Any => f.write_str("Sensitive"),
            DataType::Sensitive(inner) => write!(f, "Sensitive[{inner}]"),
        }
    }
}

/// A float in the notation of the language.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Number(f64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Value::Float(self.0).fmt(f)
    }
}
