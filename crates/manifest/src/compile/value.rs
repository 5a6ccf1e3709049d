//! Values of Puppet's language.

pub use self::ManifestValue as Value;
pub use self::ObjectInstance as Object;
pub use self::ValueMap as Map;
pub use self::ValuePattern as Pattern;
use super::failure::Failure;
use super::scope::Closure;
use super::types::{ObjectType, Type};
use ecow::EcoString;
use indexmap::IndexMap;
use rtype_lang::value::{Flags, Regex};
use semver::Version;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An immutable value. Clones share their content. `==` and the hash are Ruby's `eql?`: `1` and `1.0` differ, the case of letters counts.
#[derive(Clone, Debug)]
pub enum ManifestValue {
    /// `undef`
    Undef,
    /// `default`
    Default,
    /// `true`, `false`
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// A string.
    String(EcoString),
    /// `/…/`
    Regexp(Arc<Pattern>),
    /// `[…]`
    Array(Arc<Vec<Value>>),
    /// `{…}`
    Hash(Arc<Map>),
    /// `Sensitive(…)`
    Sensitive(Arc<Value>),
    /// `Binary(…)`
    Binary(Arc<Vec<u8>>),
    /// Nanoseconds since 1970-01-01 in UTC.
    Timestamp(i128),
    /// Nanoseconds; may be negative.
    Timespan(i128),
    /// `SemVer(…)`
    SemVer(Arc<Version>),
    /// `SemVerRange(…)`
    SemVerRange(Arc<super::semver_range::SemVerRange>),
    /// `URI(…)`
    Uri(EcoString),
    /// A data type, or a reference to a resource or class.
    Type(Arc<Type>),
    /// An instance of an `Object` type such as `Deferred`.
    Object(Arc<Object>),
    /// A lazy sequence, for example of `reverse_each` and `step`.
    Iterator(Arc<Sequence>),
    /// A lambda.
    Lambda(Arc<Closure>),
}

/// A hash in the order of insertion.
pub type ValueMap = IndexMap<Value, Value>;

/// The elements of an iterator, with the text Puppet prints for it.
#[derive(Debug)]
pub struct Sequence {
    /// The elements.
    pub elements: Vec<Value>,
    /// The type of the elements.
    pub element_type: Type,
    /// The text of the iterator, for example `Iterator[Integer]-Value`.
    pub text: EcoString,
}

/// An instance of an `Object` type.
#[derive(Debug)]
pub struct ObjectInstance {
    /// The type.
    pub object_type: Arc<ObjectType>,
    /// The values of the attributes.
    pub attributes: IndexMap<EcoString, Value>,
}

/// A regular expression with Ruby's syntax.
#[derive(Debug)]
pub struct ValuePattern {
    /// The text between the slashes.
    pub source: EcoString,
    /// The compiled expression.
    pub regex: Regex,
}

impl Pattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// Returns the reason if the expression is malformed or not supported.
    pub fn new(source: &str) -> Result<Arc<Pattern>, Failure> {
        match Regex::new(source, Flags::default()) {
            Ok(regex) => Ok(Arc::new(Pattern { source: source.into(), regex })),
            Err(error) => Err(Failure::unsupported(format!("the regex /{source}/: {error}"))),
        }
    }
}

impl Value {
    /// Returns a string value.
    pub fn string(text: impl Into<EcoString>) -> Value {
        Value::String(text.into())
    }

    /// Returns an array value.
    pub fn array(values: Vec<Value>) -> Value {
        Value::Array(Arc::new(values))
    }

    /// Returns a hash value.
    pub fn hash(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Hash(Arc::new(entries.into_iter().collect()))
    }

    /// Returns the value of a type.
    pub fn of_type(of: Type) -> Value {
        Value::Type(Arc::new(of))
    }

    /// Returns `false` for `undef` and `false` only.
    pub fn is_true(&self) -> bool {
        !matches!(self, Value::Undef | Value::Boolean(false))
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements of an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the entries of a hash.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Hash(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the value of a key that is a string.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(&Value::string(key))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Boolean(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value)
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Undef, Value::Undef) | (Value::Default, Value::Default) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::String(a), Value::String(b)) | (Value::Uri(a), Value::Uri(b)) => a == b,
            (Value::Regexp(a), Value::Regexp(b)) => a.source == b.source,
            (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Hash(a), Value::Hash(b)) => a == b,
            (Value::Sensitive(a), Value::Sensitive(b)) => a == b,
            (Value::Binary(a), Value::Binary(b)) => a == b,
            (Value::Timestamp(a), Value::Timestamp(b)) | (Value::Timespan(a), Value::Timespan(b)) => a == b,
            (Value::SemVer(a), Value::SemVer(b)) => a == b,
            (Value::SemVerRange(a), Value::SemVerRange(b)) => a == b,
            (Value::Type(a), Value::Type(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => a.object_type.name == b.object_type.name && a.attributes == b.attributes,
            (Value::Iterator(a), Value::Iterator(b)) => Arc::ptr_eq(a, b),
            (Value::Lambda(a), Value::Lambda(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Boolean(value) => value.hash(state),
            Value::Integer(value) => value.hash(state),
            Value::Float(value) if *value == 0.0 => 0.hash(state),
            Value::Float(value) => value.to_bits().hash(state),
            Value::String(text) | Value::Uri(text) => text.hash(state),
            Value::Regexp(pattern) => pattern.source.hash(state),
            Value::Array(elements) => elements.hash(state),
            Value::Hash(map) => map.len().hash(state),
            Value::Sensitive(value) => value.hash(state),
            Value::Binary(bytes) => bytes.hash(state),
            Value::Timestamp(value) | Value::Timespan(value) => value.hash(state),
            Value::SemVer(version) => version.hash(state),
            Value::SemVerRange(range) => range.hash(state),
            Value::Type(of) => of.to_string().hash(state),
            Value::Object(object) => object.attributes.len().hash(state),
            Value::Undef | Value::Default | Value::Iterator(_) | Value::Lambda(_) => {}
        }
    }
}
