//! Values of Puppet's language.

use super::failure::EvaluationFailure;
use super::scope::LambdaClosure;
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
    Regexp(Arc<ValuePattern>),
    /// `[…]`
    Array(Arc<Vec<ManifestValue>>),
    /// `{…}`
    Hash(Arc<ValueMap>),
    /// `Sensitive(…)`
    Sensitive(Arc<ManifestValue>),
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
    Object(Arc<ObjectInstance>),
    /// A lazy sequence, for example of `reverse_each` and `step`.
    Iterator(Arc<Sequence>),
    /// A lambda.
    Lambda(Arc<LambdaClosure>),
}

/// A hash in the order of insertion.
pub type ValueMap = IndexMap<ManifestValue, ManifestValue>;

/// The elements of an iterator, with the text Puppet prints for it.
#[derive(Debug)]
pub struct Sequence {
    /// The elements.
    pub elements: Vec<ManifestValue>,
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
    pub attributes: IndexMap<EcoString, ManifestValue>,
}

/// A regular expression with Ruby's syntax.
#[derive(Debug)]
pub struct ValuePattern {
    /// The text between the slashes.
    pub source: EcoString,
    /// The compiled expression.
    pub regex: Regex,
}

impl ValuePattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// Returns the reason if the expression is malformed or not supported.
    pub fn new(source: &str) -> Result<Arc<ValuePattern>, EvaluationFailure> {
        match Regex::new(source, Flags { is_ruby: true, ..Flags::default() }) {
            Ok(regex) => Ok(Arc::new(ValuePattern { source: source.into(), regex })),
            Err(error) => Err(EvaluationFailure::unsupported(format!("the regex /{source}/: {error}"))),
        }
    }
}

impl ManifestValue {
    /// Returns a string value.
    pub fn string(text: impl Into<EcoString>) -> ManifestValue {
        ManifestValue::String(text.into())
    }

    /// Returns an array value.
    pub fn array(values: Vec<ManifestValue>) -> ManifestValue {
        ManifestValue::Array(Arc::new(values))
    }

    /// Returns a hash value.
    pub fn hash(entries: impl IntoIterator<Item = (ManifestValue, ManifestValue)>) -> ManifestValue {
        ManifestValue::Hash(Arc::new(entries.into_iter().collect()))
    }

    /// Returns the value of a type.
    pub fn of_type(of: Type) -> ManifestValue {
        ManifestValue::Type(Arc::new(of))
    }

    /// Returns `false` for `undef` and `false` only.
    pub fn is_true(&self) -> bool {
        !matches!(self, ManifestValue::Undef | ManifestValue::Boolean(false))
    }

    /// Returns `true` for values that contain other values.
    pub fn is_composed(&self) -> bool {
        match self {
            ManifestValue::Array(elements) => !elements.is_empty(),
            ManifestValue::Hash(map) => !map.is_empty(),
            ManifestValue::Sensitive(_) | ManifestValue::Object(_) | ManifestValue::Iterator(_) | ManifestValue::Type(_) => true,
            _ => false,
        }
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            ManifestValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements of an array.
    pub fn as_array(&self) -> Option<&[ManifestValue]> {
        match self {
            ManifestValue::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the entries of a hash.
    pub fn as_map(&self) -> Option<&ValueMap> {
        match self {
            ManifestValue::Hash(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the value of a key that is a string.
    pub fn get(&self, key: &str) -> Option<&ManifestValue> {
        self.as_map()?.get(&ManifestValue::string(key))
    }
}

impl From<&str> for ManifestValue {
    fn from(text: &str) -> ManifestValue {
        ManifestValue::String(text.into())
    }
}

impl From<bool> for ManifestValue {
    fn from(value: bool) -> ManifestValue {
        ManifestValue::Boolean(value)
    }
}

impl From<i64> for ManifestValue {
    fn from(value: i64) -> ManifestValue {
        ManifestValue::Integer(value)
    }
}

impl PartialEq for ManifestValue {
    fn eq(&self, other: &ManifestValue) -> bool {
        match (self, other) {
            (ManifestValue::Undef, ManifestValue::Undef) | (ManifestValue::Default, ManifestValue::Default) => true,
            (ManifestValue::Boolean(a), ManifestValue::Boolean(b)) => a == b,
            (ManifestValue::Integer(a), ManifestValue::Integer(b)) => a == b,
            (ManifestValue::Float(a), ManifestValue::Float(b)) => a == b,
            (ManifestValue::String(a), ManifestValue::String(b)) | (ManifestValue::Uri(a), ManifestValue::Uri(b)) => a == b,
            (ManifestValue::Regexp(a), ManifestValue::Regexp(b)) => a.source == b.source,
            (ManifestValue::Array(a), ManifestValue::Array(b)) => a == b,
            (ManifestValue::Hash(a), ManifestValue::Hash(b)) => a == b,
            (ManifestValue::Sensitive(a), ManifestValue::Sensitive(b)) => a == b,
            (ManifestValue::Binary(a), ManifestValue::Binary(b)) => a == b,
            (ManifestValue::Timestamp(a), ManifestValue::Timestamp(b)) | (ManifestValue::Timespan(a), ManifestValue::Timespan(b)) => a == b,
            (ManifestValue::SemVer(a), ManifestValue::SemVer(b)) => a == b,
            (ManifestValue::SemVerRange(a), ManifestValue::SemVerRange(b)) => a == b,
            (ManifestValue::Type(a), ManifestValue::Type(b)) => a == b,
            (ManifestValue::Object(a), ManifestValue::Object(b)) => {
                a.object_type.name == b.object_type.name && a.attributes == b.attributes
            }
            (ManifestValue::Iterator(a), ManifestValue::Iterator(b)) => Arc::ptr_eq(a, b),
            (ManifestValue::Lambda(a), ManifestValue::Lambda(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for ManifestValue {}

impl Hash for ManifestValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            ManifestValue::Boolean(value) => value.hash(state),
            ManifestValue::Integer(value) => value.hash(state),
            ManifestValue::Float(value) if *value == 0.0 => 0.hash(state),
            ManifestValue::Float(value) => value.to_bits().hash(state),
            ManifestValue::String(text) | ManifestValue::Uri(text) => text.hash(state),
            ManifestValue::Regexp(pattern) => pattern.source.hash(state),
            ManifestValue::Array(elements) => elements.hash(state),
            ManifestValue::Hash(map) => map.len().hash(state),
            ManifestValue::Sensitive(value) => value.hash(state),
            ManifestValue::Binary(bytes) => bytes.hash(state),
            ManifestValue::Timestamp(value) | ManifestValue::Timespan(value) => value.hash(state),
            ManifestValue::SemVer(version) => version.hash(state),
            ManifestValue::SemVerRange(range) => range.hash(state),
            ManifestValue::Type(of) => of.to_string().hash(state),
            ManifestValue::Object(object) => object.attributes.len().hash(state),
            ManifestValue::Undef | ManifestValue::Default | ManifestValue::Iterator(_) | ManifestValue::Lambda(_) => {}
        }
    }
}

/// A fact or another value of JSON.
impl From<&serde_json::Value> for ManifestValue {
    fn from(json: &serde_json::Value) -> ManifestValue {
        match json {
            serde_json::Value::Null => ManifestValue::Undef,
            serde_json::Value::Bool(value) => ManifestValue::Boolean(*value),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(number) => ManifestValue::Integer(number),
                None => ManifestValue::Float(number.as_f64().unwrap_or_default()),
            },
            serde_json::Value::String(text) => ManifestValue::string(text),
            serde_json::Value::Array(all) => ManifestValue::array(all.iter().map(ManifestValue::from).collect()),
            serde_json::Value::Object(map) => {
                ManifestValue::hash(map.iter().map(|(key, value)| (ManifestValue::string(key), ManifestValue::from(value))))
            }
        }
    }
}
