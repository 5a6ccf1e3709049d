//! One mismatch as text.

use crate::compile::text::label::article;
use crate::compile::types::{IntegerBounds, Type};

/// A step on the way from a value to the part that does not match.
#[derive(Clone, Debug, PartialEq)]
pub enum MismatchStep {
    Subject(String),
    EntryValue(String),
    EntryKey(String),
    Parameter(String),
    Return,
    Block,
    Index(usize),
    Variant(usize),
    Signature(usize),
}

impl MismatchStep {
    fn text(&self) -> String {
        match self {
            MismatchStep::Subject(name) => name.clone(),
            MismatchStep::EntryValue(key) => format!("entry '{key}'"),
            MismatchStep::EntryKey(key) => format!("key of entry '{key}'"),
            MismatchStep::Parameter(name) => format!("parameter '{name}'"),
            MismatchStep::Return => "return".to_owned(),
            MismatchStep::Block => "block".to_owned(),
            MismatchStep::Index(index) => format!("index {index}"),
            MismatchStep::Variant(index) => format!("variant {index}"),
            MismatchStep::Signature(index) => format!("{}.", index + 1),
        }
    }

    fn is_variant(&self) -> bool {
        matches!(self, MismatchStep::Variant(_) | MismatchStep::Signature(_))
    }
}

/// What does not match.
#[derive(Clone, Debug, PartialEq)]
pub enum MismatchReason {
    MissingKey(String),
    ExtraKey(String),
    MissingParameter(String),
    NoParameter(String),
    UnexpectedBlock,
    MissingBlock,
    Unresolved(String),
    Type { expected: Vec<Type>, is_list: bool, actual: Type },
    Pattern { expected: Type, actual: Type },
    Size { expected: IntegerBounds, actual: IntegerBounds },
    Count { expected: IntegerBounds, actual: IntegerBounds },
}

/// A mismatch with its path.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeMismatch {
    pub path: Vec<MismatchStep>,
    pub found: MismatchReason,
}

impl TypeMismatch {
    pub fn new(path: &[MismatchStep], found: MismatchReason) -> TypeMismatch {
        TypeMismatch { path: path.to_vec(), found }
    }

    /// Returns the mismatch of a type.
    pub fn of_type(path: &[MismatchStep], expected: &Type, actual: &Type) -> TypeMismatch {
        let found = MismatchReason::Type { expected: vec![expected.normalized()], is_list: false, actual: actual.normalized() };
        TypeMismatch::new(path, found)
    }

    /// Returns the path without the numbers of variants and signatures.
    pub fn canonical_path(&self) -> Vec<&MismatchStep> {
        self.path.iter().filter(|step| !step.is_variant()).collect()
    }

    /// Returns `true` for mismatches that Puppet counts as the same.
    pub fn is_same(&self, other: &TypeMismatch) -> bool {
        self.canonical_path() == other.canonical_path() && self.found == other.found
    }

    pub fn without_step(&self, index: usize) -> TypeMismatch {
        let mut copy = self.clone();
        if index < copy.path.len() {
            copy.path.remove(index);
        }
        copy
    }

    /// Returns the message; it begins with a space if there is a path.
    pub fn text(&self) -> String {
        let (variant, path) = match self.path.as_slice() {
            [first @ MismatchStep::Signature(_), rest @ ..] => (format!(" {}", first.text()), rest),
            path => (String::new(), path),
        };
        let position = match path {
            [] => String::new(),
            path => format!(" {}", path.iter().map(MismatchStep::text).collect::<Vec<_>>().join(" ")),
        };
        format!("{variant}{position} {}", self.found.text())
    }
}

impl MismatchReason {
    fn text(&self) -> String {
        match self {
            MismatchReason::MissingKey(key) => format!("expects a value for key '{key}'"),
            MismatchReason::ExtraKey(key) => format!("unrecognized key '{key}'"),
            MismatchReason::MissingParameter(name) => format!("expects a value for parameter '{name}'"),
            MismatchReason::NoParameter(name) => format!("has no parameter named '{name}'"),
            MismatchReason::UnexpectedBlock => "does not expect a block".to_owned(),
            MismatchReason::MissingBlock => "expects a block".to_owned(),
            MismatchReason::Unresolved(name) => format!("references an unresolved type '{name}'"),
            MismatchReason::Type { expected, is_list, actual } => type_text(expected, *is_list, actual),
            MismatchReason::Pattern { expected, actual } => pattern_text(expected, actual),
            MismatchReason::Size { expected, actual } => {
                format!("expects size to be {}, got {}", range_text(*expected, "0"), range_text(*actual, "0"))
            }
            MismatchReason::Count { expected, actual } => {
                let is_one = matches!((expected.from, expected.to), (Some(1), Some(1) | None) | (Some(0), Some(1)));
                let plural = if is_one { "" } else { "s" };
                format!("expects {} argument{plural}, got {}", range_text(*expected, "no"), range_text(*actual, "none"))
            }
        }
    }
}

fn range_text(range: IntegerBounds, zero: &str) -> String {
    match (range.from.unwrap_or(0), range.to) {
        (0, Some(0)) => zero.to_owned(),
        (from, Some(to)) if from == to => from.to_string(),
        (0, None) => "unlimited".to_owned(),
        (0, Some(to)) => format!("at most {to}"),
        (from, None) => format!("at least {from}"),
        (from, Some(to)) => format!("between {from} and {to}"),
    }
}

fn type_text(expected: &[Type], is_list: bool, actual: &Type) -> String {
    let (mut expected, mut is_list, mut is_optional) = (expected.to_vec(), is_list, false);
    if let [Type::Optional(inner)] = expected.as_slice() {
        expected = vec![(**inner).clone()];
        is_optional = true;
    }
    if let [Type::Variant(types)] = expected.as_slice() {
        expected = types.to_vec();
        is_list = true;
    }
    let is_detailed = is_list_detailed(&expected, actual) || expected.iter().any(|e| accepts_without_parameters(e, actual));
    let (mut names, actual) = if is_detailed {
        (expected.iter().map(Type::expanded_text).collect::<Vec<_>>(), detailed_actual(&expected, actual))
    } else {
        let mut names: Vec<String> = Vec::new();
        for name in expected.iter().map(short_name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        (names, short_name(actual))
    };
    if is_optional {
        names.insert(0, "Undef".to_owned());
    }
    let _ = is_list;
    match names.as_slice() {
        [one] => format!("expects {} {one} value, got {actual}", article(one)),
        [one, two] => format!("expects a value of type {one} or {two}, got {actual}"),
        [first @ .., last] => format!("expects a value of type {}, or {last}, got {actual}", first.join(", ")),
        [] => format!("expects a  value, got {actual}"),
    }
}

fn pattern_text(expected: &Type, actual: &Type) -> String {
    let (expected, prefix) = match expected {
        Type::Optional(inner) => (&**inner, "an undef value or "),
        other => (other, ""),
    };
    let actual = match actual {
        Type::Literal(text) => format!("'{text}'"),
        other => short_name(other),
    };
    format!("expects {prefix}a match for {}, got {actual}", expected.expanded_text())
}

/// Returns the name of a type without parameters, except for types of one other type.
fn short_name(of: &Type) -> String {
    match of {
        Type::Optional(inner)
        | Type::NotUndef(inner)
        | Type::Iterable(inner)
        | Type::Iterator(inner)
        | Type::Sensitive(inner)
        | Type::Type(inner)
            if !matches!(**inner, Type::Any) =>
        {
            format!("{}[{}]", base_name(of), base_name(inner))
        }
        _ => base_name(of),
    }
}

fn base_name(of: &Type) -> String {
    match of {
        Type::Resource(..) => "Resource".to_owned(),
        Type::Alias(alias) => alias.name.to_string(),
        _ => of.simple_name().to_string(),
    }
}

fn same_kind(a: &Type, b: &Type) -> bool {
    let is_string = |of: &Type| matches!(of, Type::String(_) | Type::Literal(_));
    std::mem::discriminant(a) == std::mem::discriminant(b) || (is_string(a) && is_string(b))
}

fn is_detailed(expected: &Type, actual: &Type) -> bool {
    same_kind(expected, actual)
        || matches!(expected, Type::Alias(_) | Type::Data | Type::RichData)
        || matches!(actual, Type::Alias(_))
        || matches!((expected, actual), (Type::Struct(_), Type::Hash(..)) | (Type::Tuple(_), Type::Array(..)))
}

fn is_list_detailed(expected: &[Type], actual: &Type) -> bool {
    expected.iter().any(|e| is_detailed(e, actual))
}

/// Returns `true` if the type would accept a value without its parameters.
fn accepts_without_parameters(expected: &Type, actual: &Type) -> bool {
    let expected = expected.resolved();
    Type::named(&expected.simple_name()).is_some_and(|base| !matches!(base, Type::Any) && base.accepts(actual))
        || matches!(expected, Type::Literal(_) if Type::STRING.accepts(actual))
}

fn detailed_actual(expected: &[Type], actual: &Type) -> String {
    let expected: Vec<&Type> = expected.iter().map(Type::resolved).collect();
    let generic = actual.generalized();
    let always = expected.iter().any(|e| {
        same_kind(e, actual)
            || matches!(actual, Type::Alias(_))
            || matches!((e, actual), (Type::Struct(_), Type::Hash(..)) | (Type::Tuple(_), Type::Array(..)))
    });
    if always || expected.iter().any(|e| e.accepts(&generic)) { actual.expanded_text() } else { base_name(actual) }
}
