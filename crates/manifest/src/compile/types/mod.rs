//! Puppet's data types.

mod assign;
pub mod display;
mod generalize;
mod guard;
mod infer;
mod instance;
mod mismatch;
mod named;
mod parse;
mod specialize;
mod time_bounds;
mod unify;

pub use infer::{callable, infer, infer_exact, infer_generic, signature};
pub use mismatch::{
    NamedParameter, NamedSignature, describe_argument, describe_mismatch, describe_parameter, describe_parameters, describe_signatures,
};
pub use named::{deferred, object};
pub(crate) use parse::simple_literal;
pub use specialize::{Blame, Mistake, Specialized, illegal_name};

use super::semver_range::SemVerRange;
use super::value::{ManifestValue, ValuePattern};
use ecow::EcoString;
use indexmap::IndexMap;
use std::sync::{Arc, OnceLock};

/// A range of integers; `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct IntegerBounds {
    /// The minimum.
    pub from: Option<i64>,
    /// The maximum.
    pub to: Option<i64>,
}

/// A range of floats; `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct FloatBounds {
    /// The minimum.
    pub from: Option<f64>,
    /// The maximum.
    pub to: Option<f64>,
}

/// A range of nanoseconds; `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TimeBounds {
    /// The minimum.
    pub from: Option<i128>,
    /// The maximum.
    pub to: Option<i128>,
}

/// `Enum[…]`
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// The allowed strings.
    pub values: Vec<EcoString>,
    /// Whether the case of letters does not count.
    pub ignores_case: bool,
}

/// `Tuple[…]`
#[derive(Clone, Debug, PartialEq)]
pub struct Tuple {
    /// The types of the elements. The last type repeats.
    pub types: Vec<Type>,
    /// The allowed number of elements; `None` for exactly one element per type.
    pub size: Option<IntegerBounds>,
}

impl Tuple {
    /// Returns the number of elements.
    pub fn bounds(&self) -> IntegerBounds {
        let count = i64::try_from(self.types.len()).unwrap_or(i64::MAX);
        self.size.unwrap_or(IntegerBounds { from: Some(count), to: Some(count) })
    }

    /// Returns the type of an element.
    pub fn element(&self, at: usize) -> Option<&Type> {
        self.types.get(at).or(self.types.last())
    }
}

/// How the key of a `Struct` is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyForm {
    /// `a`
    Plain,
    /// `Optional[a]`
    Optional,
    /// `NotUndef[a]`
    NotUndef,
}

/// An entry of a `Struct`.
#[derive(Clone, Debug, PartialEq)]
pub struct StructMember {
    /// The key.
    pub name: EcoString,
    /// The form of the key.
    pub form: KeyForm,
    /// The type of the value.
    pub value: Type,
}

impl StructMember {
    /// Returns `true` if a hash may lack the key.
    pub fn is_optional(&self) -> bool {
        self.form == KeyForm::Optional
    }
}

/// The parameters of a `Callable`.
#[derive(Clone, Debug, PartialEq)]
pub struct Callable {
    /// The types of the arguments; `None` for `Callable` without parameters.
    pub parameters: Option<Tuple>,
    /// The type of the lambda; optional lambdas have the type `Optional[…]`.
    pub block: Option<Type>,
    /// The type of the result.
    pub returns: Option<Type>,
}

impl Callable {
    /// Returns a signature.
    pub fn new(types: Vec<Type>, least: i64, most: Option<i64>, block: Option<Type>) -> Callable {
        let count = i64::try_from(types.len()).unwrap_or(i64::MAX);
        let size = IntegerBounds { from: Some(least), to: most };
        let is_plain = size.from == Some(count) && size.to == Some(count) && count > 0;
        Callable { parameters: Some(Tuple { types, size: (!is_plain).then_some(size) }), block, returns: None }
    }

    /// Returns the minimum and maximum number of arguments.
    pub fn arity(&self) -> IntegerBounds {
        self.parameters.as_ref().map_or(IntegerBounds { from: Some(0), to: None }, Tuple::bounds)
    }
}

/// A named type: `type A = …`.
pub struct NamedType {
    /// The qualified name.
    pub name: EcoString,
    /// The type, once it is resolved.
    pub target: OnceLock<Type>,
}

/// An attribute of an `Object` type.
#[derive(Clone, Debug)]
pub struct ObjectAttribute {
    /// The name.
    pub name: EcoString,
    /// The type.
    pub of: Type,
    /// The default, or the value of a constant.
    pub value: Option<ManifestValue>,
    /// Whether the attribute is a constant.
    pub is_constant: bool,
}

/// `Object[…]`
#[derive(Clone, Debug)]
pub struct ObjectType {
    /// The name; empty for `Object[{…}]`.
    pub name: EcoString,
    /// The parent.
    pub parent: Option<Arc<ObjectType>>,
    /// The attributes.
    pub attributes: Vec<ObjectAttribute>,
    /// The hash from which the type was made.
    pub init: ManifestValue,
}

/// A data type.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are those of Puppet's types")]
pub enum Type {
    Any,
    Undef,
    Default,
    /// The type that accepts everything and that everything accepts.
    Unit,
    Scalar,
    ScalarData,
    Data,
    RichData,
    Numeric,
    CatalogEntry,
    Binary,
    SemVerRange,
    Boolean(Option<bool>),
    Integer(IntegerBounds),
    Float(FloatBounds),
    Timestamp(TimeBounds),
    Timespan(TimeBounds),
    String(IntegerBounds),
    /// The type of one string.
    Literal(EcoString),
    Enum(Arc<Enumeration>),
    Pattern(Arc<Vec<Arc<ValuePattern>>>),
    Regexp(Option<Arc<ValuePattern>>),
    SemVer(Arc<Vec<SemVerRange>>),
    Uri(Option<Arc<IndexMap<EcoString, ManifestValue>>>),
    Collection(IntegerBounds),
    Array(Arc<Type>, IntegerBounds),
    /// The types of keys and values.
    Hash(Arc<(Type, Type)>, IntegerBounds),
    Tuple(Arc<Tuple>),
    Struct(Arc<Vec<StructMember>>),
    Variant(Arc<Vec<Type>>),
    Optional(Arc<Type>),
    NotUndef(Arc<Type>),
    Iterable(Arc<Type>),
    Iterator(Arc<Type>),
    Sensitive(Arc<Type>),
    Type(Arc<Type>),
    Callable(Arc<Callable>),
    /// `Class[name]`
    Class(Option<EcoString>),
    /// The lower-case name of a resource type, and a title.
    Resource(Option<EcoString>, Option<EcoString>),
    /// The runtime and the name of the class.
    Runtime(Option<EcoString>, Option<EcoString>),
    /// The initialized type and further arguments.
    Init(Option<Arc<Type>>, Arc<Vec<ManifestValue>>),
    Object(Option<Arc<ObjectType>>),
    TypeSet,
    TypeAlias,
    Alias(Arc<NamedType>),
    /// A type that is not known.
    Reference(EcoString),
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Resource(a, b), Type::Resource(c, d)) => a == c && b == d,
            (Type::Class(a), Type::Class(b)) => a == b,
            (Type::Alias(a), Type::Alias(b)) => Arc::ptr_eq(a, b) || a.name == b.name,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other) && self.exact_text() == other.exact_text(),
        }
    }
}

impl std::fmt::Debug for NamedType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl IntegerBounds {
    /// Returns a range.
    pub fn new(from: i64, to: i64) -> IntegerBounds {
        IntegerBounds { from: Some(from), to: Some(to) }
    }

    /// The sizes of collections and strings without limits.
    pub const SIZE: IntegerBounds = IntegerBounds { from: Some(0), to: None };

    /// Returns `true` if a number is in the range.
    pub fn contains(self, number: i64) -> bool {
        self.from.is_none_or(|from| from <= number) && self.to.is_none_or(|to| number <= to)
    }

    /// Returns `true` if a size is in the range.
    pub fn contains_size(self, size: usize) -> bool {
        self.contains(i64::try_from(size).unwrap_or(i64::MAX))
    }

    /// Returns `true` if another range is within this range.
    pub fn includes(self, other: IntegerBounds) -> bool {
        self.from.is_none_or(|from| other.from.is_some_and(|other| from <= other))
            && self.to.is_none_or(|to| other.to.is_some_and(|other| other <= to))
    }

    /// Returns the smallest range with both ranges.
    #[must_use]
    pub fn union(self, other: IntegerBounds) -> IntegerBounds {
        IntegerBounds { from: self.from.and_then(|a| Some(a.min(other.from?))), to: self.to.and_then(|a| Some(a.max(other.to?))) }
    }
}

impl Type {
    /// `Integer`
    pub const INTEGER: Type = Type::Integer(IntegerBounds { from: None, to: None });
    /// `Float`
    pub const FLOAT: Type = Type::Float(FloatBounds { from: None, to: None });
    /// `String`
    pub const STRING: Type = Type::String(IntegerBounds::SIZE);

    /// Returns `Array[element]`.
    pub fn array(element: Type) -> Type {
        Type::Array(Arc::new(element), IntegerBounds::SIZE)
    }

    /// Returns `Hash[key, value]`.
    pub fn hash(key: Type, value: Type) -> Type {
        Type::Hash(Arc::new((key, value)), IntegerBounds::SIZE)
    }

    /// Returns `Tuple[types]`.
    pub fn tuple(types: Vec<Type>) -> Type {
        Type::Tuple(Arc::new(Tuple { types, size: None }))
    }

    /// Returns `Variant[types]` without duplicates; a single type is returned as it is.
    pub fn variant(types: Vec<Type>) -> Type {
        let mut flat: Vec<Type> = Vec::new();
        for of in types {
            let members = match &of {
                Type::Variant(members) => members.to_vec(),
                _ => vec![of],
            };
            for member in members {
                if !flat.contains(&member) {
                    flat.push(member);
                }
            }
        }
        match <[Type; 1]>::try_from(flat) {
            Ok([single]) => single,
            Err(flat) => Type::Variant(Arc::new(flat)),
        }
    }

    /// Returns the alias's type, or the type itself.
    pub fn resolved(&self) -> &Type {
        let mut of = self;
        for _ in 0..64 {
            let Type::Alias(alias) = of else { return of };
            let Some(target) = alias.target.get() else { return of };
            of = target;
        }
        of
    }

    /// Returns `Data` and `RichData` as the variants that they abbreviate.
    pub fn expanded(&self) -> Option<&'static Type> {
        static DATA: OnceLock<Type> = OnceLock::new();
        static RICH: OnceLock<Type> = OnceLock::new();
        match self {
            Type::Data => Some(DATA.get_or_init(|| {
                Type::Variant(Arc::new(vec![Type::ScalarData, Type::Undef, Type::hash(Type::STRING, Type::Data), Type::array(Type::Data)]))
            })),
            Type::RichData => Some(RICH.get_or_init(|| {
                let key = Type::Variant(Arc::new(vec![Type::STRING, Type::Numeric]));
                Type::Variant(Arc::new(vec![
                    Type::Scalar,
                    Type::SemVerRange,
                    Type::Binary,
                    Type::Sensitive(Arc::new(Type::Any)),
                    Type::Type(Arc::new(Type::Any)),
                    Type::TypeSet,
                    Type::Uri(None),
                    Type::Object(None),
                    Type::Undef,
                    Type::Default,
                    Type::hash(key, Type::RichData),
                    Type::array(Type::RichData),
                ]))
            })),
            _ => None,
        }
    }

    /// Returns the name without parameters, for example `Integer`.
    pub fn simple_name(&self) -> EcoString {
        let text = self.to_string();
        text.split('[').next().unwrap_or_default().into()
    }
}
