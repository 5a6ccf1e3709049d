//! Values of attributes and blocks, and their formats.

mod compare;
mod datatype;
pub mod digest;
mod format;
mod gem_version;
mod json;
pub mod mode;
mod parse;
mod path;
mod regex;
mod time;
mod yaml;

pub use compare::{ComparisonMode, in_sync, versioncmp};
pub use datatype::{Bounds, DataType, DataTypeError, Member, Mismatch, PathStep, TextFormat, TypeArg, ValueFault};
pub use format::{describe_bytes, inspect, quote_puppet};
pub use gem_version::GemVersion;
pub use json::to_json;
pub use parse::{parse_json, parse_yaml};
pub use path::push_path;
pub use regex::{BadRegex, Branch, Captures, Flags, Regex, RegexEdge, Shape, Template, TooManySteps};
pub use time::{Clock, Moment, NoMoment};
pub use yaml::to_yaml;

use base64::Engine;
use base64::alphabet::STANDARD as STANDARD_ALPHABET;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD, STANDARD, STANDARD_NO_PAD};
pub use ecow::{EcoString, EcoVec};
use indexmap::IndexMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Base64 in which unused bits of the last digit may be set.
const LENIENT: GeneralPurpose = GeneralPurpose::new(&STANDARD_ALPHABET, NO_PAD.with_decode_allow_trailing_bits(true));

/// The class name for ranges.
pub const RANGE: &str = "Range";

/// The replacement for a sensitive value in output.
pub const REDACTED: &str = "[redacted]";

/// A symbol: `:present`. It is not equal to the string with the same characters.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct Symbol(EcoString);

impl Symbol {
    /// Returns the name without the colon.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name as a string with a shared buffer.
    pub fn text(&self) -> EcoString {
        self.0.clone()
    }
}

impl<T: Into<EcoString>> From<T> for Symbol {
    fn from(text: T) -> Symbol {
        Symbol(text.into())
    }
}

impl std::borrow::Borrow<str> for Symbol {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Symbol {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Symbol {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl std::fmt::Display for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, ":{}", self.0)
    }
}

/// A map that keeps the insertion order.
pub type Map = IndexMap<Value, Value>;

/// A reference to a resource: `File['/etc/hosts']`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct ResourceRef {
    /// The name of the type in lower case.
    pub type_name: Symbol,
    /// The title as declared.
    pub title: EcoString,
}

impl std::fmt::Display for ResourceRef {
    /// Writes `Type[title]` as Puppet does, with each part of a qualified name capitalized.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}]", capitalized_type(self.type_name.as_str()), self.title)
    }
}

/// Returns the name of a type with each part capitalized, as in references.
pub fn capitalized_type(name: &str) -> String {
    let capitalized = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        format!("{}{}", first.map(String::from).unwrap_or_default(), letters.as_str())
    };
    name.split("::").map(capitalized).collect::<Vec<_>>().join("::")
}

/// A value with named parts and its own string form, such as a range of addresses.
#[derive(Clone, Debug)]
pub struct ObjectValue {
    /// The name of the class, which objects must share to be equal.
    pub class: EcoString,
    /// The parts.
    pub fields: Arc<Map>,
    /// The string, like Ruby's `to_s`, or the reason why the object has no string.
    pub text: Result<EcoString, EcoString>,
}

impl PartialEq for ObjectValue {
    /// Compares the class and the parts, which determine the string.
    fn eq(&self, other: &ObjectValue) -> bool {
        self.class == other.class && self.fields == other.fields
    }
}

/// A value. Cloning is cheap, because large values are shared.
#[derive(Clone, Default)]
pub enum Value {
    /// `nil`, Puppet's `undef`.
    #[default]
    Nil,
    /// `true`, `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Str(EcoString),
    /// Bytes with invalid UTF-8 or control characters: Puppet's `Binary`. Other bytes are a string; see [`Value::from_bytes`].
    Binary(Arc<[u8]>),
    /// A symbol.
    Sym(Symbol),
    /// A list.
    Array(EcoVec<Value>),
    /// A map with ordered keys.
    Map(Arc<Map>),
    /// A regex.
    Regex(Arc<Regex>),
    /// A sensitive value, redacted in output.
    Sensitive(Arc<Value>),
    /// A reference to a resource.
    Resource(Arc<ResourceRef>),
    /// An object.
    Object(Arc<ObjectValue>),
    /// A data type, as an argument of `is_a?`.
    Type(Arc<DataType>),
    /// A value that is still unknown; checks that read it are postponed.
    Unknown,
}

impl Value {
    /// Creates a string.
    pub fn str(text: impl Into<EcoString>) -> Value {
        Value::Str(text.into())
    }

    /// Creates a value from bytes: a string for UTF-8 without control characters, so that it can be used wherever strings are expected;
    /// otherwise a binary.
    pub fn from_bytes(bytes: Vec<u8>) -> Value {
        let is_text = |text: &str| !text.chars().any(|c| c.is_control() && !"\t\n\r".contains(c));
        match String::from_utf8(bytes) {
            Ok(text) if is_text(&text) => Value::Str(text.into()),
            Ok(text) => Value::Binary(text.into_bytes().into()),
            Err(error) => Value::Binary(error.into_bytes().into()),
        }
    }

    /// Decodes base64, with or without line breaks, to a string or binary; `None` if it is invalid.
    pub fn from_base64(text: &str) -> Option<Value> {
        let text: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        STANDARD_NO_PAD.decode(text.trim_end_matches('=')).ok().map(Value::from_bytes)
    }

    /// Decodes base64 like Ruby's `unpack('m')`: other characters are skipped, and the input ends at the first `=`.
    pub(crate) fn from_lenient_base64(text: &str) -> Value {
        let is_digit = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/');
        let mut digits: String = text.chars().take_while(|c| *c != '=').filter(is_digit).collect();
        if digits.len() % 4 == 1 {
            digits.pop();
        }
        LENIENT.decode(digits).map(Value::from_bytes).unwrap_or_default()
    }

    /// Returns the bytes of a string, symbol or binary.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Value::Binary(bytes) => Some(bytes),
            other => other.as_text().map(str::as_bytes),
        }
    }

    /// Returns the first binary in the value, including values inside lists and maps.
    pub fn binary(&self) -> Option<&[u8]> {
        match self {
            Value::Binary(bytes) => Some(bytes),
            Value::Array(values) => values.iter().find_map(Value::binary),
            Value::Map(map) => map.iter().find_map(|(k, v)| k.binary().or_else(|| v.binary())),
            Value::Object(object) => object.fields.values().find_map(Value::binary),
            Value::Sensitive(inner) => inner.binary(),
            _ => None,
        }
    }

    /// Creates a symbol.
    pub fn sym(text: impl Into<EcoString>) -> Value {
        Value::Sym(Symbol(text.into()))
    }

    /// Creates a list.
    pub fn array(values: impl IntoIterator<Item = Value>) -> Value {
        Value::Array(values.into_iter().collect())
    }

    /// Returns `true` if the value is true in a condition: all values except nil and false are.
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    /// Returns `true` if the value is nil.
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// Returns `true` if the value is the symbol with this name.
    pub fn is_sym(&self, letters: &str) -> bool {
        matches!(self, Value::Sym(s) if s.as_str() == letters)
    }

    /// Returns `true` if the value is `:absent`, the value of properties that do not exist.
    pub fn is_absent(&self) -> bool {
        self.is_sym("absent")
    }

    /// Returns the content of a string or symbol.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Str(s) => Some(s),
            Value::Sym(s) => Some(s.as_str()),
            _ => None,
        }
    }

    /// Returns the elements of a list.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(a) => Some(a),
            _ => None,
        }
    }

    /// Returns the value inside a sensitive value; other values are returned unchanged.
    pub fn unwrapped(&self) -> &Value {
        match self {
            Value::Sensitive(inner) => inner.unwrapped(),
            other => other,
        }
    }

    /// Returns `true` if the value is sensitive or contains a sensitive value.
    pub fn has_secret(&self) -> bool {
        match self {
            Value::Sensitive(_) => true,
            Value::Array(values) => values.iter().any(Value::has_secret),
            Value::Map(map) => map.iter().any(|(k, v)| k.has_secret() || v.has_secret()),
            Value::Object(object) => object.fields.values().any(Value::has_secret),
            _ => false,
        }
    }

    /// Returns `true` if the value is or contains an object.
    pub fn has_object(&self) -> bool {
        match self {
            Value::Object(_) => true,
            Value::Array(values) => values.iter().any(Value::has_object),
            Value::Map(map) => map.values().any(Value::has_object),
            Value::Sensitive(inner) => inner.has_object(),
            _ => false,
        }
    }

    /// Returns `true` if the value or a part of it is not known yet.
    pub fn has_unknown(&self) -> bool {
        match self {
            Value::Unknown => true,
            Value::Array(values) => values.iter().any(Value::has_unknown),
            Value::Map(map) => map.values().any(Value::has_unknown),
            Value::Object(object) => object.fields.values().any(Value::has_unknown),
            Value::Sensitive(inner) => inner.has_unknown(),
            _ => false,
        }
    }

    /// Converts a value to a string like Ruby's `to_s`; a sensitive value becomes [`REDACTED`].
    pub fn to_text(&self) -> EcoString {
        match self {
            Value::Str(s) => s.clone(),
            Value::Sym(s) => s.text(),
            other => ecow::eco_format!("{other}"),
        }
    }

    /// Returns the value's kind with an article, for messages.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Bool(_) => "a boolean",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Str(_) => "a string",
            Value::Binary(_) => "a binary",
            Value::Sym(_) => "a symbol",
            Value::Array(_) => "a list",
            Value::Map(_) => "a map",
            Value::Regex(_) => "a regex",
            Value::Sensitive(_) => "a sensitive value",
            Value::Resource(_) => "a resource",
            Value::Object(_) => "an object",
            Value::Type(_) => "a data type",
            Value::Unknown => "an unknown value",
        }
    }
}

/// Encodes bytes as base64.
pub fn to_base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

impl PartialEq for Value {
    /// Compares like Ruby's `==`: integers and floats with the same number are equal, strings and symbols never are.
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil) | (Value::Unknown, Value::Unknown) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Binary(a), Value::Binary(b)) => a == b,
            (Value::Sym(a), Value::Sym(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a == b,
            (Value::Regex(a), Value::Regex(b)) => a == b,
            (Value::Sensitive(a), Value::Sensitive(b)) => a == b,
            (Value::Resource(a), Value::Resource(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => a == b,
            (Value::Type(a), Value::Type(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            // Equal integers and floats must have the same hash.
            Value::Int(n) => (*n as f64).to_bits().hash(state),
            Value::Float(n) => n.to_bits().hash(state),
            Value::Bool(b) => b.hash(state),
            Value::Str(s) => (0u8, s).hash(state),
            Value::Sym(s) => (1u8, s).hash(state),
            Value::Binary(bytes) => (2u8, bytes).hash(state),
            Value::Array(a) => a.iter().for_each(|v| v.hash(state)),
            Value::Map(m) => m.len().hash(state),
            Value::Regex(r) => r.source().hash(state),
            Value::Sensitive(v) => v.hash(state),
            Value::Resource(r) => r.hash(state),
            Value::Object(object) => (&object.class, object.fields.len()).hash(state),
            Value::Nil | Value::Unknown | Value::Type(_) => std::mem::discriminant(self).hash(state),
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Int(n)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Value {
        Value::Str(s.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_at_most_24_bytes() {
        assert!(std::mem::size_of::<Value>() <= 24, "{}", std::mem::size_of::<Value>());
    }

    #[test]
    fn bytes_that_are_text_are_a_string() {
        assert_eq!(Value::from_base64("bGFi\n"), Some(Value::str("lab")));
        let bytes = Value::from_base64("/wD+").unwrap();
        assert_eq!(bytes, Value::Binary([0xff, 0, 0xfe].as_slice().into()));
        assert_eq!((bytes.to_string(), inspect(&bytes)), ("/wD+".to_owned(), "Binary(\"/wD+\", 3 bytes)".to_owned()));
        assert_eq!(bytes.to_json(), serde_json::json!({"__ptype": "Binary", "__pvalue": "/wD+"}));
        assert_eq!(Value::from_base64("!"), None);
    }

    #[test]
    fn strings_and_symbols_differ_numbers_compare_by_amount() {
        assert_ne!(Value::str("a"), Value::sym("a"));
        assert_eq!(Value::Int(1), Value::Float(1.0));
    }

    #[test]
    fn a_reference_is_written_as_puppet_writes_it() {
        let r = ResourceRef { type_name: "foo::bar".into(), title: "x".into() };
        assert_eq!(r.to_string(), "Foo::Bar[x]");
    }
}
