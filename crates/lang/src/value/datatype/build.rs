//! Creates data types from a name and arguments, for the parsers of `Name[a, b]`.

use super::{Bounds, DataType, Member, TextFormat};
use crate::value::{BadRegex, Flags, Regex, Value, inspect};
use std::sync::Arc;

/// An argument in the brackets of a data type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeArg {
    /// A data type.
    Type(DataType),
    /// A number, string or regex.
    Value(Value),
    /// `default`: no limit.
    Default,
    /// The members `{name => T, Optional[name] => T}` of a `Struct`.
    Members(Vec<Member>),
}

/// The reason why a name and arguments are not a data type.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DataTypeError {
    /// No data type has this name.
    #[error("unknown data type `{0}`")]
    Unknown(String),
    /// A Puppet data type that the language lacks.
    #[error("the data type `{0}` is not supported")]
    Unsupported(String),
    /// A Ruby class with an equivalent data type or expression.
    #[error("`{class}` is written `{data_type}`, or compared: `{expression}`")]
    RubyClass {
        /// The class.
        class: String,
        /// The data type.
        data_type: &'static str,
        /// The expression.
        expression: &'static str,
    },
    /// A data type without parameters has arguments.
    #[error("`{0}` takes nothing in brackets")]
    TakesNothing(String),
    /// Arguments are missing, or there are too many of them.
    #[error("`{name}` takes {takes}")]
    Takes {
        /// The data type.
        name: String,
        /// The accepted arguments.
        takes: &'static str,
    },
    /// An argument of the wrong kind.
    #[error("`{name}` takes {takes}, not {}", found.describe())]
    WrongArgument {
        /// The data type.
        name: String,
        /// The accepted arguments.
        takes: &'static str,
        /// The argument.
        found: Box<TypeArg>,
    },
    /// The data type has too many parts.
    #[error("`{0}` has more than {MAX_PARTS} data types and regexes in its brackets")]
    TooLarge(String),
    /// A length limit is negative.
    #[error("the limits of `{0}` are lengths: not below 0")]
    NegativeLength(String),
    /// The lower limit is above the upper limit.
    #[error("the first limit of `{0}` is larger than the second")]
    LimitsReversed(String),
    /// A pattern is not a regex.
    #[error("bad regex `{pattern}`: {error}")]
    BadRegex {
        /// The pattern.
        pattern: String,
        /// The error in the pattern.
        error: BadRegex,
    },
}

impl TypeArg {
    fn describe(&self) -> String {
        match self {
            TypeArg::Type(t) => format!("the data type `{t}`"),
            TypeArg::Value(v) => format!("{} `{}`", v.kind_name(), inspect(v)),
            TypeArg::Default => "`default`".into(),
            TypeArg::Members(_) => "a map".into(),
        }
    }
}

/// Names of data types in other languages and in Puppet's stdlib, with the corresponding type.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["bool", "boole", "logical"], "Boolean"),
    (&["text", "str", "char", "varchar", "stringish"], "String"),
    (&["list", "vec", "vector", "arr", "sequence"], "Array"),
    (&["map", "dict", "dictionary", "object"], "Hash"),
    (&["number", "num"], "Numeric"),
    (&["long", "short", "uint", "i64", "u16", "fixnum", "natural"], "Integer"),
    (&["address", "ip", "ipaddr", "inet"], "IPAddress"),
    (&["fqdn", "domain", "dnsname"], "Hostname"),
    (&["uri", "httpurl", "httpsurl", "link"], "Url"),
    (&["interval", "timeout"], "Duration"),
    (&["bytes", "filesize", "size"], "ByteSize"),
    (&["double", "decimal", "real"], "Float"),
    (&["path", "filepath", "unixpath"], "AbsolutePath"),
    (&["regex", "re"], "Regexp"),
    (&["null", "nil", "none", "void"], "Undef"),
    (&["password", "secret"], "Sensitive[String]"),
    (&["union", "either", "oneof"], "Variant"),
    (&["maybe", "nullable"], "Optional"),
    (&["choice"], "Enum"),
    (&["mapping", "record"], "Struct"),
];

impl DataType {
    /// All data types: name, notation and documentation.
    pub const TABLE: &[(&str, &str, &str)] = &[
        ("AbsolutePath", "AbsolutePath", "text that begins with `/`"),
        ("Any", "Any", "every value"),
        ("Array", "Array[T, min, max]", "a list: of what, and of how many"),
        ("Boolean", "Boolean, Boolean[true]", "`true` or `false`; only one of them"),
        ("ByteSize", "ByteSize", "a number of bytes with or without a unit: `512`, `10k`, `1.5GiB`"),
        ("Collection", "Collection[min, max]", "a list or a map, and of what size"),
        ("Data", "Data", "every value, as in Puppet"),
        ("Duration", "Duration", "a duration with units: `90s`, `1h30m`, `2d`"),
        ("Enum", "Enum['a', 'b']", "one of these texts; with `true` at the end in any case"),
        ("Float", "Float[min, max]", "a number with a fraction"),
        ("Hash", "Hash[K, V, min, max]", "a map: keys, values, how many pairs"),
        ("Hostname", "Hostname", "a host name: labels of letters, digits and inner hyphens"),
        ("IPAddress", "IPAddress", "an IPv4 or IPv6 address"),
        ("IPv4Address", "IPv4Address", "an IPv4 address"),
        ("IPv6Address", "IPv6Address", "an IPv6 address, with a zone if need be: `fe80::1%eth0`"),
        ("Integer", "Integer[min, max]", "a whole number"),
        ("NotUndef", "NotUndef[T]", "a value of T that is not undef"),
        ("Numeric", "Numeric", "any number"),
        ("Optional", "Optional[T]", "a value of T, or none"),
        ("Pattern", "Pattern[/…/]", "text that matches one of these"),
        ("Port", "Port", "the number of a port: `Integer[0, 65535]`"),
        ("Binary", "Binary", "bytes, which may be text"),
        ("Regexp", "Regexp", "a regex"),
        ("RichData", "RichData", "every value, as in Puppet"),
        ("Scalar", "Scalar", "a text, number, boolean or regex"),
        ("ScalarData", "ScalarData", "a text, number or boolean"),
        ("SemVer", "SemVer", "a version of Puppet's language; no text is one"),
        ("Sensitive", "Sensitive[T]", "a value of T that is always redacted"),
        ("String", "String[min, max]", "text of so many letters"),
        ("Struct", "Struct[{k => T, Optional[k] => T}]", "a map with these keys"),
        ("Symbol", "Symbol", "a symbol, as blocks know them"),
        ("Timespan", "Timespan", "a duration of Puppet's language; no text is one: that is `Duration`"),
        ("Timestamp", "Timestamp", "a point in time of Puppet's language; no text is one"),
        ("Tuple", "Tuple[T, …, min, max]", "a list with a type for each place"),
        ("Undef", "Undef", "no value"),
        ("Url", "Url", "a URL with a scheme and a host"),
        ("Variant", "Variant[T, …]", "a value of one of these"),
    ];

    /// Returns the names of all data types.
    pub fn names() -> impl Iterator<Item = &'static str> {
        DataType::TABLE.iter().map(|(name, _, _)| *name)
    }

    /// Returns the data type for a name from another language or Puppet's stdlib; only the last part of a qualified name is used.
    pub fn known_elsewhere(name: &str) -> Option<&'static str> {
        let last = name.rsplit("::").next().unwrap_or(name);
        let same = DataType::names().find(|own| own.eq_ignore_ascii_case(last));
        let other = || ELSEWHERE.iter().find(|(names, _)| names.iter().any(|n| n.eq_ignore_ascii_case(last))).map(|(_, own)| *own);
        same.or_else(other).or_else(|| {
            let begins = |own: &&str| last.len() > 2 && own.get(..last.len()).is_some_and(|start| start.eq_ignore_ascii_case(last));
            DataType::names().find(begins)
        })
    }

    /// Returns `true` if the type accepts only lists.
    pub fn is_list(&self) -> bool {
        match self {
            DataType::Array(..) | DataType::Tuple(_) => true,
            DataType::Optional(inner) | DataType::Sensitive(inner) => inner.is_list(),
            DataType::Variant(types) => types.iter().all(DataType::is_list),
            _ => false,
        }
    }

    /// Returns the element type, if all elements have the same type.
    pub fn element(&self) -> Option<&DataType> {
        match self {
            DataType::Array(element, _) => Some(element),
            DataType::Optional(inner) | DataType::Sensitive(inner) => inner.element(),
            _ => None,
        }
    }

    /// Returns the data type with this name and arguments.
    ///
    /// # Errors
    /// Returns the error if the name is unknown or the arguments are wrong.
    pub fn from_parts(name: &str, args: &[TypeArg]) -> Result<DataType, DataTypeError> {
        let built = DataType::build(name, args)?;
        if built.parts() > MAX_PARTS { Err(DataTypeError::TooLarge(name.to_owned())) } else { Ok(built) }
    }

    /// Returns the number of data types and regexes in this data type. A value may be compared with each of them.
    fn parts(&self) -> usize {
        let all = |types: &[DataType]| types.iter().map(DataType::parts).sum();
        1 + match self {
            DataType::Pattern(regexes) => regexes.len(),
            DataType::Variant(types) | DataType::Tuple(types) => all(types),
            DataType::Optional(inner) | DataType::Sensitive(inner) | DataType::Array(inner, _) => inner.parts(),
            DataType::Hash(keys, values, _) => keys.parts() + values.parts(),
            DataType::Struct(members) => members.iter().map(|member| member.data_type.parts()).sum(),
            _ => 0,
        }
    }

    fn build(name: &str, args: &[TypeArg]) -> Result<DataType, DataTypeError> {
        let none = |t: DataType| {
            if args.is_empty() { Ok(t) } else { Err(DataTypeError::TakesNothing(name.to_owned())) }
        };
        match name {
            "Any" | "Data" | "RichData" => none(DataType::Any),
            "Undef" => none(DataType::Undef),
            "Boolean" => match args {
                [] => Ok(DataType::Boolean),
                [TypeArg::Value(Value::Bool(only))] => Ok(DataType::OneBoolean(*only)),
                _ => Err(DataTypeError::Takes { name: name.into(), takes: "`true` or `false` in brackets" }),
            },
            "Collection" => Ok(collection(count_bounds(name, args)?)),
            "ScalarData" => none(DataType::Variant(vec![DataType::String(Bounds::NONE), DataType::Numeric, DataType::Boolean])),
            "NotUndef" if args.is_empty() => Ok(DataType::Variant(vec![DataType::Scalar, DataType::Binary, collection(Bounds::NONE)])),
            "NotUndef" => match one(name, args)? {
                DataType::Optional(inner) => Ok(*inner),
                other => Ok(other),
            },
            "Numeric" => none(DataType::Numeric),
            "Symbol" => none(DataType::Symbol),
            "AbsolutePath" | "Stdlib::Absolutepath" | "Stdlib::Unixpath" => none(DataType::AbsolutePath),
            "Port" => none(DataType::Integer(super::Bounds { min: Some(0), max: Some(65535) })),
            "Binary" => none(DataType::Binary),
            "Regexp" => none(DataType::Regexp),
            "Scalar" => none(DataType::Scalar),
            "Integer" => Ok(DataType::Integer(whole_bounds(name, args)?)),
            "String" => Ok(DataType::String(count_bounds(name, args)?)),
            "Float" => Ok(DataType::Float(float_bounds(args)?)),
            "Enum" if matches!(args, [_, .., TypeArg::Value(Value::Bool(_))]) => {
                let (texts, is_any_case) =
                    (args.split_last().map_or(args, |(_, texts)| texts), args.last() == Some(&TypeArg::Value(Value::Bool(true))));
                let DataType::Enum(names) = DataType::from_parts(name, texts)? else { return Err(DataTypeError::Unknown(name.into())) };
                if is_any_case { any_case(&names).map(DataType::Pattern) } else { Ok(DataType::Enum(names)) }
            }
            "Enum" => {
                let names: Result<Vec<_>, _> = args.iter().map(|a| text(name, a)).collect();
                some(names?, "Enum", "texts in brackets").map(DataType::Enum)
            }
            "Pattern" => {
                let patterns: Result<Vec<_>, _> = args.iter().map(regex).collect();
                some(patterns?, "Pattern", "regexes in brackets").map(DataType::Pattern)
            }
            "Array" => {
                let (element, rest) = match args {
                    [] => (DataType::Any, args),
                    [TypeArg::Type(t), rest @ ..] => (t.clone(), rest),
                    // Array[1, 3] limits only the length.
                    [TypeArg::Value(_) | TypeArg::Default, ..] => (DataType::Any, args),
                    [other, ..] => return Err(takes("Array", "a data type first", other)),
                };
                Ok(DataType::Array(Box::new(element), count_bounds(name, rest)?))
            }
            "Hash" => match args {
                [] => Ok(DataType::Hash(Box::new(DataType::Any), Box::new(DataType::Any), Bounds::NONE)),
                [TypeArg::Type(k), TypeArg::Type(v), rest @ ..] => {
                    Ok(DataType::Hash(Box::new(k.clone()), Box::new(v.clone()), count_bounds(name, rest)?))
                }
                _ => Err(DataTypeError::Takes { name: name.into(), takes: "the data types of keys and values: `Hash[String, Integer]`" }),
            },
            "Struct" => match args {
                [TypeArg::Members(members)] => Ok(DataType::Struct(members.clone())),
                _ => Err(DataTypeError::Takes { name: name.into(), takes: "a map of names and data types: `Struct[{name => String}]`" }),
            },
            "Tuple" => tuple(args),
            "Variant" => some(types(name, args)?, "Variant", "data types in brackets").map(DataType::Variant),
            "Optional" => one(name, args).map(|t| DataType::Optional(Box::new(t))),
            "Sensitive" if args.is_empty() => Ok(DataType::Sensitive(Box::new(DataType::Any))),
            "Sensitive" => one(name, args).map(|t| DataType::Sensitive(Box::new(t))),
            // Classes that Ruby code passes to `is_a?`.
            "TrueClass" | "FalseClass" => ruby_class(name, "Boolean", "v == true"),
            "NilClass" => ruby_class(name, "Undef", "v.nil?"),
            "SemVer" => none(DataType::PuppetOnly("SemVer")),
            "Timespan" => none(DataType::PuppetOnly("Timespan")),
            "Timestamp" => none(DataType::PuppetOnly("Timestamp")),
            "Callable" | "Type" => Err(DataTypeError::Unsupported(name.into())),
            other => match TextFormat::named(other) {
                Some(format) => none(DataType::Format(format)),
                None => Err(DataTypeError::Unknown(other.into())),
            },
        }
    }
}

/// A list or a map with size limits.
fn collection(size: Bounds<i64>) -> DataType {
    let any = || Box::new(DataType::Any);
    DataType::Variant(vec![DataType::Array(any(), size), DataType::Hash(any(), any(), size)])
}

/// Returns the pattern of these strings in any case.
fn any_case(names: &[String]) -> Result<Vec<Arc<Regex>>, DataTypeError> {
    let flags = Flags { ignore_case: true, ..Flags::default() };
    let pattern = |name: &String| {
        let source = format!("\\A(?:{})\\z", regex_syntax::escape(name));
        Regex::new(&source, flags).map(Arc::new).map_err(|error| DataTypeError::BadRegex { pattern: name.clone(), error })
    };
    names.iter().map(pattern).collect()
}

/// The maximum number of parts of a data type, so that neither many regexes nor nested aliases take long.
const MAX_PARTS: usize = 2_000;

/// The maximum number of alternative lengths for a tuple.
const MAX_LENGTHS: usize = 32;

/// Returns a tuple, or a variant if several lengths are allowed. As in Puppet, the last type repeats.
fn tuple(args: &[TypeArg]) -> Result<DataType, DataTypeError> {
    const TAKES: &str = "data types in brackets, and then how many elements at least and at most";
    let count = args.iter().take_while(|a| matches!(a, TypeArg::Type(_))).count();
    let (elements, limits) = args.split_at(count);
    let elements = some(types("Tuple", elements)?, "Tuple", TAKES)?;
    let limits = match limits {
        [] => return Ok(DataType::Tuple(elements)),
        [TypeArg::Value(_)] => Bounds { max: i64::try_from(elements.len()).ok(), ..count_bounds("Tuple", limits)? },
        _ => count_bounds("Tuple", limits)?,
    };
    let min = limits.min.unwrap_or(0);
    let largest = elements.iter().map(DataType::parts).max().unwrap_or_default() as i64;
    let is_small =
        |max: &i64| max - min < MAX_LENGTHS as i64 && max.saturating_mul(max - min + 1).saturating_mul(largest) <= MAX_PARTS as i64;
    let (Some(max), Some(last)) = (limits.max.filter(is_small), elements.last()) else {
        return match elements.as_slice() {
            [only] => Ok(DataType::Array(Box::new(only.clone()), limits)),
            _ if limits.max.is_some_and(|max| max - min < MAX_LENGTHS as i64) => Err(DataTypeError::TooLarge("Tuple".into())),
            _ => Err(DataTypeError::Takes { name: "Tuple".into(), takes: TAKES }),
        };
    };
    let of_length = |length: i64| {
        let all = elements.iter().chain(std::iter::repeat(last)).take(usize::try_from(length).unwrap_or_default());
        DataType::Tuple(all.cloned().collect())
    };
    let mut all: Vec<DataType> = (min..=max).map(of_length).collect();
    if all.len() > 1 { Ok(DataType::Variant(all)) } else { all.pop().ok_or(DataTypeError::LimitsReversed("Tuple".into())) }
}

fn takes(name: &str, takes: &'static str, found: &TypeArg) -> DataTypeError {
    DataTypeError::WrongArgument { name: name.into(), takes, found: Box::new(found.clone()) }
}

fn ruby_class(class: &str, data_type: &'static str, expression: &'static str) -> Result<DataType, DataTypeError> {
    Err(DataTypeError::RubyClass { class: class.into(), data_type, expression })
}

fn some<T>(items: Vec<T>, name: &str, takes: &'static str) -> Result<Vec<T>, DataTypeError> {
    if items.is_empty() { Err(DataTypeError::Takes { name: name.into(), takes }) } else { Ok(items) }
}

fn types(name: &str, args: &[TypeArg]) -> Result<Vec<DataType>, DataTypeError> {
    let each = |arg: &TypeArg| match arg {
        TypeArg::Type(t) => Ok(t.clone()),
        other => Err(takes(name, "data types", other)),
    };
    args.iter().map(each).collect()
}

/// Returns the single data type in the arguments. As in Puppet's `Optional['a']`, a string means the `Enum` with this string.
fn one(name: &str, args: &[TypeArg]) -> Result<DataType, DataTypeError> {
    match args {
        [TypeArg::Type(t)] => Ok(t.clone()),
        [TypeArg::Value(Value::Str(s))] => Ok(DataType::Enum(vec![s.to_string()])),
        [other] => Err(takes(name, "a data type", other)),
        _ => Err(DataTypeError::Takes { name: name.into(), takes: "one data type in brackets" }),
    }
}

fn text(name: &str, arg: &TypeArg) -> Result<String, DataTypeError> {
    match arg {
        TypeArg::Value(v) => v.as_text().map(str::to_owned).ok_or_else(|| takes(name, "texts", arg)),
        other => Err(takes(name, "texts", other)),
    }
}

fn regex(arg: &TypeArg) -> Result<Arc<Regex>, DataTypeError> {
    match arg {
        TypeArg::Value(Value::Regex(r)) => Ok(r.clone()),
        TypeArg::Value(Value::Str(s)) => Regex::new(s, super::super::Flags::default())
            .map(Arc::new)
            .map_err(|error| DataTypeError::BadRegex { pattern: s.to_string(), error }),
        other => Err(takes("Pattern", "regexes", other)),
    }
}

fn whole_bounds(name: &str, args: &[TypeArg]) -> Result<Bounds<i64>, DataTypeError> {
    let limit = |arg: &TypeArg| match arg {
        TypeArg::Default => Ok(None),
        TypeArg::Value(Value::Int(n)) => Ok(Some(*n)),
        other => Err(takes(name, "whole numbers as limits", other)),
    };
    let bounds = match args {
        [] => Bounds::NONE,
        [min] => Bounds { min: limit(min)?, max: None },
        [min, max] => Bounds { min: limit(min)?, max: limit(max)? },
        _ => return Err(DataTypeError::Takes { name: name.into(), takes: "at most two limits" }),
    };
    ordered(name, bounds)
}

fn count_bounds(name: &str, args: &[TypeArg]) -> Result<Bounds<i64>, DataTypeError> {
    let bounds = whole_bounds(name, args)?;
    if bounds.min.is_some_and(|n| n < 0) || bounds.max.is_some_and(|n| n < 0) {
        return Err(DataTypeError::NegativeLength(name.into()));
    }
    Ok(bounds)
}

fn float_bounds(args: &[TypeArg]) -> Result<Bounds<f64>, DataTypeError> {
    let limit = |arg: &TypeArg| match arg {
        TypeArg::Default => Ok(None),
        TypeArg::Value(Value::Int(n)) => Ok(Some(*n as f64)),
        TypeArg::Value(Value::Float(n)) => Ok(Some(*n)),
        other => Err(takes("Float", "numbers as limits", other)),
    };
    let bounds = match args {
        [] => Bounds::NONE,
        [min] => Bounds { min: limit(min)?, max: None },
        [min, max] => Bounds { min: limit(min)?, max: limit(max)? },
        _ => return Err(DataTypeError::Takes { name: "Float".into(), takes: "at most two limits" }),
    };
    ordered("Float", bounds)
}

fn ordered<T: PartialOrd + Copy>(name: &str, bounds: Bounds<T>) -> Result<Bounds<T>, DataTypeError> {
    match (bounds.min, bounds.max) {
        (Some(min), Some(max)) if min > max => Err(DataTypeError::LimitsReversed(name.into())),
        _ => Ok(bounds),
    }
}
