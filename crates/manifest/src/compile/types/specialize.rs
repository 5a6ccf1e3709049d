//! Types with parameters: `Integer[1, 2]`.

use super::{Callable, Enumeration, FloatBounds, IntegerBounds, KeyForm, StructMember, Tuple, Type};
use crate::compile::failure::EvaluationFailure;
use crate::compile::semver_range::SemVerRange;
use crate::compile::text::label::{ruby_class, type_label, with_article, with_capital_article};
use crate::compile::value::{ManifestValue, ValuePattern};
use ecow::EcoString;
use std::sync::Arc;

/// The position of an error about type parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The expression with its brackets.
    Expression,
    /// A parameter.
    Key(usize),
    /// The expression before the brackets.
    Target,
}

/// An error in the parameters of a type.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The message.
    pub text: EcoString,
    /// The part that is wrong.
    pub blame: Blame,
    /// Whether the message is that of an error in Ruby, to which Puppet adds `Error while evaluating a '[]' expression`.
    pub is_runtime: bool,
}

/// The result of adding parameters to a type.
pub type Specialized = Result<ManifestValue, Mistake>;

fn mistake(blame: Blame, text: impl Into<EcoString>) -> Mistake {
    Mistake { text: text.into(), blame, is_runtime: false }
}

pub fn runtime(text: impl Into<EcoString>) -> Mistake {
    Mistake { text: text.into(), blame: Blame::Expression, is_runtime: true }
}

/// Returns the name of a key's type in messages.
fn key_name(key: &ManifestValue) -> String {
    super::infer(key).generalized().to_string()
}

/// Returns the class of a key in messages: `Integer`, or `Boolean-Type` for a type.
fn class_name(key: &ManifestValue) -> String {
    match key {
        ManifestValue::Type(of) => format!("{}-Type", of.simple_name()),
        _ => ruby_class(key).to_owned(),
    }
}

pub fn number_of_arguments(base: &str, at_least: usize, at_most: Option<usize>, actual: usize) -> Mistake {
    let count = match at_most {
        None => format!("{at_least} or more arguments"),
        Some(most) if most != at_least => format!("{at_least} to {most} arguments"),
        Some(_) => format!("{at_least} argument{}", if at_least == 1 { "" } else { "s" }),
    };
    mistake(Blame::Expression, format!("{base}[] accepts {count}. Got {actual}"))
}

fn flatten(keys: &[ManifestValue]) -> Vec<ManifestValue> {
    let mut flat = Vec::new();
    for key in keys {
        match key {
            ManifestValue::Array(elements) => flat.extend(flatten(elements)),
            other => flat.push(other.clone()),
        }
    }
    flat
}

fn integer_or_default(key: &ManifestValue) -> Option<Option<i64>> {
    match key {
        ManifestValue::Integer(number) => Some(Some(*number)),
        ManifestValue::Default => Some(None),
        _ => None,
    }
}

fn ordered(from: Option<i64>, to: Option<i64>) -> Result<IntegerBounds, Mistake> {
    match (from, to) {
        (Some(from), Some(to)) if from > to => Err(runtime(format!("'from' must be less or equal to 'to'. Got ({from}, {to}"))),
        _ => Ok(IntegerBounds { from, to }),
    }
}

/// Returns the bounds of a collection, which are never negative.
fn size(start: usize, keys: &[ManifestValue]) -> Result<IntegerBounds, Mistake> {
    if let [ManifestValue::Type(of)] = keys
        && let Type::Integer(bounds) = &**of
    {
        return Ok(to_size(*bounds));
    }
    for (at, key) in keys.iter().enumerate() {
        if integer_or_default(key).is_none() {
            let text = "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got";
            return Err(mistake(Blame::Key(start + at), format!("{text} {}", with_article(&class_name(key)))));
        }
    }
    let at = |index: usize| keys.get(index).and_then(integer_or_default).flatten();
    Ok(to_size(ordered(at(0), at(1))?))
}

fn to_size(bounds: IntegerBounds) -> IntegerBounds {
    IntegerBounds { from: Some(bounds.from.unwrap_or(0).max(0)), to: bounds.to.map(|to| to.max(0)) }
}

fn one_type(name: &str, keys: &[ManifestValue]) -> Result<Type, Mistake> {
    match keys {
        [ManifestValue::Type(of)] => Ok((**of).clone()),
        [ManifestValue::String(text)] if name == "Optional" => Ok(Type::Literal(text.clone())),
        [key] => Err(mistake(Blame::Key(0), format!("{name}-Type[] arguments must be types. Got {}", class_name(key)))),
        _ => Err(number_of_arguments(&format!("{name}-Type"), 1, None, keys.len()).exactly_one(name, keys.len())),
    }
}

impl Mistake {
    fn exactly_one(self, name: &str, actual: usize) -> Mistake {
        mistake(self.blame, format!("{name}-Type[] accepts 1 argument. Got {actual}"))
    }
}

impl Type {
    /// Returns the type with parameters; `Class[a, b]` is an array of types.
    ///
    /// # Errors
    /// Returns Puppet's message and the part of the expression that it blames.
    pub fn specialize(&self, keys: &[ManifestValue]) -> Specialized {
        if matches!(self, Type::Class(_) | Type::Resource(..)) {
            return self.specialize_reference(keys);
        }
        let flat = flatten(keys);
        Ok(ManifestValue::of_type(match self {
            Type::Integer(_) => integer(&flat)?,
            Type::Float(_) => float(&flat)?,
            Type::Boolean(_) => boolean(self, &flat)?,
            Type::String(_) => string(&flat)?,
            Type::Enum(_) => enumeration(self, &flat)?,
            Type::Pattern(_) => pattern(self, &flat)?,
            Type::Regexp(_) => regexp(self, &flat)?,
            Type::Collection(_) => match flat.len() {
                1 | 2 => Type::Collection(size(0, &flat)?),
                actual => return Err(number_of_arguments("Collection-Type", 1, Some(2), actual)),
            },
            Type::Array(..) => array(&flat)?,
            Type::Hash(..) => hash(&flat)?,
            Type::Tuple(_) => tuple(self, &flat)?,
            Type::Struct(_) => structure(self, keys)?,
            Type::Variant(_) => Type::variant_of(expect_types(self, &flat)?),
            Type::Optional(_) => Type::Optional(Arc::new(one_type("Optional", &flat)?)),
            Type::Iterable(_) => Type::Iterable(Arc::new(one_type("Iterable", &flat)?)),
            Type::Iterator(_) => Type::Iterator(Arc::new(one_type("Iterator", &flat)?)),
            Type::Sensitive(_) => Type::Sensitive(Arc::new(one_type("Sensitive", &flat)?.generalized())),
            Type::Type(_) => Type::Type(Arc::new(one_type("Type", &flat)?)),
            Type::NotUndef(_) => not_undef(&flat)?,
            Type::Callable(_) => callable(keys)?,
            _ => self.specialize_rare(keys, &flat)?,
        }))
    }

    fn variant_of(types: Vec<Type>) -> Type {
        match Type::variant(types) {
            Type::Variant(types) => Type::Variant(types),
            single => single,
        }
    }

    fn specialize_rare(&self, keys: &[ManifestValue], flat: &[ManifestValue]) -> Result<Type, Mistake> {
        Ok(match self {
            Type::SemVer(_) => semver(self, flat)?,
            Type::Timestamp(_) => Type::Timestamp(super::time_bounds::times("Timestamp", flat, false)?),
            Type::Timespan(_) => Type::Timespan(super::time_bounds::times("Timespan", flat, true)?),
            Type::Runtime(..) => match flat {
                [ManifestValue::String(runtime), ManifestValue::String(name)] => Type::Runtime(Some(runtime.clone()), Some(name.clone())),
                [_, _] => {
                    let at = flat.iter().position(|key| !matches!(key, ManifestValue::String(_))).unwrap_or(0);
                    return Err(bad_key(self, at, flat.get(at).unwrap_or(&ManifestValue::Undef), "String or String"));
                }
                _ => return Err(number_of_arguments("A Runtime-Type", 1, Some(2), flat.len())),
            },
            Type::Uri(_) => match flat {
                [ManifestValue::String(text) | ManifestValue::Uri(text)] => Type::Uri(Some(Arc::new(crate::compile::uri::parts(text)))),
                [ManifestValue::Hash(map)] => {
                    let parts = map.iter().filter_map(|(k, v)| Some((EcoString::from(k.as_str()?), v.clone())));
                    Type::Uri(Some(Arc::new(parts.collect())))
                }
                [key] => return Err(mistake(Blame::Key(0), format!("URI-Type[] arguments must be types. Got {}", class_name(key)))),
                _ => return Err(mistake(Blame::Expression, format!("URI-Type[] accepts 1 argument. Got {}", flat.len()))),
            },
            Type::Init(..) => match keys {
                [ManifestValue::Type(of), rest @ ..] => Type::Init(Some(of.clone()), Arc::new(rest.to_vec())),
                [key, ..] => return Err(mistake(Blame::Key(0), format!("Init-Type[] arguments must be types. Got {}", class_name(key)))),
                [] => return Err(mistake(Blame::Expression, "Init-Type[] accepts 1 argument. Got 0")),
            },
            Type::Object(None) => match flat {
                [ManifestValue::Hash(_)] => {
                    Type::Object(Some(Arc::new(super::named::object("", flat.first().unwrap_or(&ManifestValue::Undef))?)))
                }
                _ => return Err(mistake(Blame::Expression, format!("Object-Type[] accepts 1 argument. Got {}", flat.len()))),
            },
            Type::Reference(text) => return Err(mistake(Blame::Expression, format!("Resource type not found: {text}"))),
            _ => {
                return Err(mistake(Blame::Target, format!("Operator '[]' is not applicable to {}.", with_article(&type_label(self)))));
            }
        })
    }

    fn specialize_reference(&self, keys: &[ManifestValue]) -> Specialized {
        let is_list = keys.len() > 1 || matches!(keys.first(), Some(ManifestValue::Array(_)));
        let (name, mut rest): (EcoString, &[ManifestValue]) = match self {
            Type::Resource(Some(name), _) => (name.clone(), keys),
            Type::Resource(None, _) => match keys {
                [ManifestValue::Type(of), rest @ ..] => match &**of {
                    Type::Resource(Some(name), _) => (name.clone(), rest),
                    _ => return Err(illegal_resource(keys)),
                },
                [ManifestValue::String(name), rest @ ..] => (name.to_lowercase(), rest),
                _ => return Err(illegal_resource(keys)),
            },
            _ => return self.specialize_class(keys, is_list),
        };
        let is_name =
            |part: &str| part.starts_with(|c: char| c.is_ascii_alphabetic()) && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !name.split("::").all(is_name) {
            let shown = super::display::capitalized(&name);
            return Err(mistake(
                Blame::Key(0),
                format!("Illegal type reference. The given name '{shown}' does not conform to the naming rule"),
            ));
        }
        let is_list = if matches!(self, Type::Resource(None, _)) {
            rest.len() > 1 || matches!(rest.first(), Some(ManifestValue::Array(_)))
        } else {
            is_list
        };
        if rest.is_empty() {
            return Ok(ManifestValue::of_type(Type::Resource(Some(name), None)));
        }
        let flat: Vec<ManifestValue> = flatten(rest).into_iter().filter(|key| !matches!(key, ManifestValue::Undef)).collect();
        rest = &flat;
        if rest.is_empty() {
            return Ok(if is_list { ManifestValue::array(Vec::new()) } else { ManifestValue::Undef });
        }
        let reference = |(at, key): (usize, &ManifestValue)| match key {
            ManifestValue::String(title) => Ok(ManifestValue::of_type(Type::Resource(Some(name.clone()), Some(title.clone())))),
            other => Err(mistake(
                Blame::Key(at),
                format!(
                    "Error creating type specialization of {}, Cannot use {} where a resource title String is expected",
                    with_article(&type_label(self)),
                    key_name(other)
                ),
            )),
        };
        let all: Vec<ManifestValue> = rest.iter().enumerate().map(reference).collect::<Result<_, _>>()?;
        Ok(if is_list { ManifestValue::array(all) } else { all.into_iter().next_back().unwrap_or(ManifestValue::Undef) })
    }

    fn specialize_class(&self, keys: &[ManifestValue], is_list: bool) -> Specialized {
        let flat: Vec<ManifestValue> = flatten(keys).into_iter().filter(|key| !matches!(key, ManifestValue::Undef)).collect();
        if flat.is_empty() {
            return Ok(if is_list { ManifestValue::array(Vec::new()) } else { ManifestValue::Undef });
        }
        let reference = |(at, key): (usize, &ManifestValue)| match key {
            ManifestValue::String(title) => {
                let name = title.to_lowercase();
                let name = EcoString::from(name.strip_prefix("::").unwrap_or(&name));
                let is_word = |part: &str| {
                    part.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
                        && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                };
                if !name.split("::").all(is_word) {
                    return Err(mistake(Blame::Key(at), illegal_name(title)));
                }
                Ok(ManifestValue::of_type(Type::Class(Some(name))))
            }
            other => Err(mistake(
                Blame::Key(at),
                format!(
                    "Illegal Class name in class reference. {} cannot be used where a String is expected",
                    with_capital_article(&crate::compile::text::label::label(other))
                ),
            )),
        };
        let all: Vec<ManifestValue> = flat.iter().enumerate().map(reference).collect::<Result<_, _>>()?;
        Ok(if is_list { ManifestValue::array(all) } else { all.into_iter().next_back().unwrap_or(ManifestValue::Undef) })
    }
}

/// Returns Puppet's message about the name of a class or definition.
pub fn illegal_name(name: &str) -> String {
    format!("Illegal name. The given name '{name}' does not conform to the naming rule /^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/")
}

fn illegal_resource(keys: &[ManifestValue]) -> Mistake {
    let actual = keys.first().map(key_name).unwrap_or_default();
    mistake(Blame::Key(0), format!("First argument to Resource[] must be a resource type or a String. Got {actual}."))
}

fn bad_key(of: &Type, at: usize, key: &ManifestValue, expected: &str) -> Mistake {
    let text = format!(
        "Error creating type specialization of {}, Cannot use {} where {expected} is expected",
        with_article(&type_label(of)),
        key_name(key)
    );
    mistake(Blame::Key(at), text)
}

fn integer(keys: &[ManifestValue]) -> Result<Type, Mistake> {
    if !matches!(keys.len(), 1 | 2) {
        let text = format!("Integer-Type supports [] with one or two arguments (from, to). Got {}", keys.len());
        return Err(mistake(Blame::Expression, text));
    }
    for (at, key) in keys.iter().enumerate() {
        if integer_or_default(key).is_none() {
            let text = format!("Integer-Type [] requires all arguments to be integers (or default). Got {}", class_name(key));
            return Err(mistake(Blame::Key(at), text));
        }
    }
    let at = |index: usize| keys.get(index).and_then(integer_or_default).flatten();
    Ok(Type::Integer(ordered(at(0), at(1))?))
}

fn float(keys: &[ManifestValue]) -> Result<Type, Mistake> {
    if !matches!(keys.len(), 1 | 2) {
        let text = format!("Float-Type supports [] with one or two arguments (from, to). Got {}", keys.len());
        return Err(mistake(Blame::Expression, text));
    }
    let number = |(at, key): (usize, &ManifestValue)| match key {
        ManifestValue::Float(number) => Ok(Some(*number)),
        ManifestValue::Integer(number) => Ok(Some(*number as f64)),
        ManifestValue::Default => Ok(None),
        other => {
            let text = "Float-Type [] requires all arguments to be floats, or integers (or default). Got";
            Err(mistake(Blame::Key(at), format!("{text} {}", class_name(other))))
        }
    };
    let limits: Vec<Option<f64>> = keys.iter().enumerate().map(number).collect::<Result<_, _>>()?;
    let (from, to) = (limits.first().copied().flatten(), limits.get(1).copied().flatten());
    if let (Some(low), Some(high)) = (from, to)
        && low > high
    {
        let (low, high) = (crate::compile::text::float_text(low), crate::compile::text::float_text(high));
        return Err(runtime(format!("'from' must be less or equal to 'to'. Got ({low}, {high}")));
    }
    Ok(Type::Float(FloatBounds { from, to }))
}

fn boolean(of: &Type, keys: &[ManifestValue]) -> Result<Type, Mistake> {
    match keys {
        [ManifestValue::Boolean(value)] => Ok(Type::Boolean(Some(*value))),
        [key] => Err(bad_key(of, 0, key, "TrueClass or FalseClass")),
        _ => Err(mistake(Blame::Expression, format!("A Boolean-Type[] accepts 1 argument. Got {}", keys.len()))),
    }
}

fn string(keys: &[ManifestValue]) -> Result<Type, Mistake> {
    match keys.len() {
        1 | 2 => Ok(Type::String(size(0, keys)?)),
        actual => Err(mistake(Blame::Expression, format!("String supports [] with one or two arguments. Got {actual}"))),
    }
}

fn enumeration(of: &Type, keys: &[ManifestValue]) -> Result<Type, Mistake> {
    let (keys, ignores_case) = match keys {
        [rest @ .., ManifestValue::Boolean(last)] => (rest, *last),
        _ => (keys, false),
    };
    if keys.is_empty() {
        return Err(number_of_arguments("An Enum-Type", 1, None, 0));
    }
    let text = |(at, key): (usize, &ManifestValue)| match key {
        ManifestValue::String(text) => Ok(text.clone()),
        other => Err(bad_key(of, at, other, "String")),
    };
    let mut values: Vec<EcoString> = keys.iter().enumerate().map(text).collect::<Result<_, _>>()?;
    values.sort();
    values.dedup();
    Ok(Type::Enum(Arc::new(Enumeration { values, ignores_case })))
}

fn compile(source: &str) -> Result<Arc<ValuePattern>, Mistake> {
    ValuePattern::new(source).map_err(|failure| runtime(failure.text()))
}

fn pattern(of: &Type, keys: &[ManifestValue]) -> Result<Type, Mistake> {
    if keys.is_empty() {
        return Err(number_of_arguments("A Pattern-Type", 1, None, 0));
    }
    let mut patterns: Vec<Arc<ValuePattern>> = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        let new = match key {
            ManifestValue::String(text) => vec![compile(text)?],
            ManifestValue::Regexp(pattern) => vec![pattern.clone()],
            ManifestValue::Type(inner) => match &**inner {
                Type::Pattern(inner) => inner.to_vec(),
                Type::Regexp(Some(pattern)) => vec![pattern.clone()],
                Type::Regexp(None) => vec![compile("")?],
                _ => return Err(bad_key(of, at, key, "String or Regexp or Pattern-Type or Regexp-Type")),
            },
            _ => return Err(bad_key(of, at, key, "String or Regexp or Pattern-Type or Regexp-Type")),
        };
        for pattern in new {
            if !patterns.iter().any(|known| known.source == pattern.source) {
                patterns.push(pattern);
            }
        }
    }
    Ok(Type::Pattern(Arc::new(patterns)))
}

fn regexp(of: &Type, keys: &[ManifestValue]) -> Result<Type, Mistake> {
    match keys {
        [ManifestValue::String(text)] => Ok(Type::Regexp(Some(compile(text)?))),
        [ManifestValue::Regexp(pattern)] => Ok(Type::Regexp(Some(pattern.clone()))),
        [key] => Err(bad_key(of, 0, key, "String or Regexp")),
        _ => Err(Mistake { blame: Blame::Key(1), ..number_of_arguments("A Regexp-Type", 1, Some(1), keys.len()) }),
    }
}

fn not_a_type(name: &str, at: usize, key: &ManifestValue) -> Mistake {
    mistake(Blame::Key(at), format!("{name}-Type[] arguments must be types. Got {}", class_name(key)))
}

fn array(keys: &[ManifestValue]) -> Result<Type, Mistake> {
    match keys {
        [ManifestValue::Type(of)] => Ok(Type::array((**of).clone())),
        [key] => Err(not_a_type("Array", 0, key)),
        [ManifestValue::Type(of), rest @ ..] if rest.len() < 3 => {
            let bounds = size(1, rest)?;
            let element = if bounds == IntegerBounds::new(0, 0) { Type::Unit } else { (**of).clone() };
            Ok(Type::Array(Arc::new(element), bounds))
        }
        [_, _] => {
            let bounds = size(0, keys)?;
            let element = if bounds == IntegerBounds::new(0, 0) { Type::Unit } else { Type::Any };
            Ok(Type::Array(Arc::new(element), bounds))
        }
        [key, _, _] => Err(not_a_type("Array", 0, key)),
        _ => Err(number_of_arguments("Array-Type", 1, Some(3), keys.len())),
    }
}

fn hash(keys: &[ManifestValue]) -> Result<Type, Mistake> {
    if let [ManifestValue::Integer(from), ManifestValue::Integer(to)] = keys {
        let bounds = to_size(ordered(Some(*from), Some(*to))?);
        let of = if bounds == IntegerBounds::new(0, 0) { Type::Unit } else { Type::Any };
        return Ok(Type::Hash(Arc::new((of.clone(), of)), bounds));
    }
    for (at, key) in keys.iter().take(2).enumerate() {
        if !matches!(key, ManifestValue::Type(_)) {
            return Err(not_a_type("Hash", at, key));
        }
    }
    match keys {
        [ManifestValue::Type(key), ManifestValue::Type(value), rest @ ..] if rest.len() < 3 => {
            let bounds = if rest.is_empty() { IntegerBounds::SIZE } else { size(2, rest)? };
            Ok(Type::Hash(Arc::new(((**key).clone(), (**value).clone())), bounds))
        }
        _ => Err(number_of_arguments("Hash-Type", 2, Some(4), keys.len())),
    }
}

fn expect_types(of: &Type, keys: &[ManifestValue]) -> Result<Vec<Type>, Mistake> {
    if keys.is_empty() {
        return Err(number_of_arguments(&with_capital_article(&type_label(of)), 1, None, 0));
    }
    let one = |(at, key): (usize, &ManifestValue)| match key {
        ManifestValue::Type(inner) => Ok((**inner).clone()),
        other => Err(bad_key(of, at, other, "Any-Type")),
    };
    keys.iter().enumerate().map(one).collect()
}

fn is_limit(key: &ManifestValue) -> bool {
    matches!(key, ManifestValue::Integer(_) | ManifestValue::Default) || key.as_str() == Some("default")
}

/// Splits the size off the end of a list of types.
fn split_size(keys: &[ManifestValue]) -> Result<(&[ManifestValue], Option<IntegerBounds>), Mistake> {
    let limit = |key: &ManifestValue| if let ManifestValue::Integer(number) = key { Some(*number) } else { None };
    match keys {
        [rest @ .., from, to] if is_limit(from) && is_limit(to) => Ok((rest, Some(to_size(ordered(limit(from), limit(to))?)))),
        [rest @ .., from] if is_limit(from) => Ok((rest, Some(to_size(ordered(limit(from), None)?)))),
        _ => Ok((keys, None)),
    }
}

fn tuple(of: &Type, keys: &[ManifestValue]) -> Result<Type, Mistake> {
    let (types, size) = split_size(keys)?;
    Ok(Type::Tuple(Arc::new(Tuple { types: expect_types(of, types)?, size })))
}

fn structure(of: &Type, keys: &[ManifestValue]) -> Result<Type, Mistake> {
    let [ManifestValue::Hash(map)] = keys else {
        let [key] = keys else {
            return Err(mistake(Blame::Expression, format!("A Struct-Type[] accepts 1 argument. Got {}", keys.len())));
        };
        return Err(bad_key(of, 0, key, "Hash"));
    };
    let mut members = Vec::new();
    for (key, value) in map.iter() {
        let ManifestValue::Type(value) = value else { return Err(runtime("Struct element value_type must be a Type")) };
        let literal = |of: &Type| match of {
            Type::Literal(text) => Some(text.clone()),
            Type::Enum(e) if e.values.len() == 1 => e.values.first().cloned(),
            _ => None,
        };
        let (name, form) = match key {
            ManifestValue::String(text) if text.is_empty() => return Err(runtime("Struct element key cannot be an empty String")),
            ManifestValue::String(text) if value.accepts(&Type::Undef) => (Some(text.clone()), KeyForm::Optional),
            ManifestValue::String(text) => (Some(text.clone()), KeyForm::Plain),
            ManifestValue::Type(of) => match &**of {
                Type::Optional(inner) => (literal(inner), KeyForm::Optional),
                Type::NotUndef(inner) => (literal(inner), KeyForm::NotUndef),
                other => (literal(other), KeyForm::Plain),
            },
            _ => {
                let text = "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got:";
                return Err(runtime(format!("{text} {}", ruby_class(key))));
            }
        };
        let Some(name) = name else {
            let text =
                format!("Unable to extract a non-empty literal string from Struct member key type {}", super::display::value_text(key));
            return Err(runtime(text));
        };
        members.push(StructMember { name, form, value: (**value).clone() });
    }
    Ok(Type::Struct(Arc::new(members)))
}

fn not_undef(keys: &[ManifestValue]) -> Result<Type, Mistake> {
    match keys {
        [] => Ok(Type::NotUndef(Arc::new(Type::Any))),
        [ManifestValue::String(text)] => Ok(Type::NotUndef(Arc::new(Type::Literal(text.clone())))),
        [ManifestValue::Type(of)] => Ok(Type::NotUndef(of.clone())),
        [key] => {
            let text = format!("NotUndef-Type[] argument must be a Type or a String. Got {}", class_name(key));
            Err(mistake(Blame::Key(0), text))
        }
        _ => Err(number_of_arguments("NotUndef-Type", 0, Some(1), keys.len())),
    }
}

fn callable(keys: &[ManifestValue]) -> Result<Type, Mistake> {
    let (keys, returns): (&[ManifestValue], Option<Type>) = match keys {
        [ManifestValue::Array(parameters), ManifestValue::Type(returns)] => (parameters, Some((**returns).clone())),
        [ManifestValue::Array(_), rest @ ..] if rest.len() != 1 => {
            return Err(number_of_arguments("A Callable-Type", 2, Some(2), keys.len()));
        }
        _ => (keys, None),
    };
    let is_callable = |key: &ManifestValue| matches!(key, ManifestValue::Type(of) if of.is_callable());
    let (keys, block) = match keys {
        [rest @ .., ManifestValue::Type(last)] if keys.last().is_some_and(is_callable) => (rest, Some((**last).clone())),
        _ => (keys, None),
    };
    let (types, size) = split_size(keys)?;
    let mut types: Vec<Type> = types
        .iter()
        .map(|key| match key {
            ManifestValue::Type(of) => (**of).clone(),
            other => super::infer_generic(other),
        })
        .collect();
    if types.is_empty() && size.is_some_and(|size| size.to != Some(0)) {
        types.push(Type::Unit);
    }
    let size = if types.is_empty() && size.is_none() { Some(IntegerBounds::new(0, 0)) } else { size };
    let returns = returns.filter(|of| !matches!(of, Type::Any));
    Ok(Type::Callable(Arc::new(Callable { parameters: Some(Tuple { types, size }), block, returns })))
}

fn semver(of: &Type, keys: &[ManifestValue]) -> Result<Type, Mistake> {
    if keys.is_empty() {
        return Err(number_of_arguments("A SemVer-Type", 1, None, 0));
    }
    let range = |(at, key): (usize, &ManifestValue)| match key {
        ManifestValue::SemVerRange(range) => Ok((**range).clone()),
        ManifestValue::String(text) => SemVerRange::parse(text).ok_or_else(|| runtime(format!("Unparsable version range: \"{text}\""))),
        other => Err(bad_key(of, at, other, "String or SemanticPuppet::VersionRange")),
    };
    Ok(Type::SemVer(Arc::new(keys.iter().enumerate().map(range).collect::<Result<_, _>>()?)))
}

/// Converts an error of parameters to a failure without place.
impl From<Mistake> for EvaluationFailure {
    fn from(mistake: Mistake) -> EvaluationFailure {
        EvaluationFailure::new(mistake.text)
    }
}
