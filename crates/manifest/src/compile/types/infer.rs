//! The types of values.

use super::{Callable, FloatBounds, IntegerBounds, KeyForm, StructMember, TimeBounds, Tuple, Type};
use crate::compile::scope::LambdaClosure;
use crate::compile::value::ManifestValue;
use std::sync::Arc;

/// Returns the type of a value; elements of arrays and hashes have one common type.
pub fn infer(value: &ManifestValue) -> Type {
    match value {
        ManifestValue::Array(elements) if elements.is_empty() => empty_array(),
        ManifestValue::Array(elements) => Type::Array(Arc::new(common(elements.iter())), exactly(elements.len())),
        ManifestValue::Hash(map) if map.is_empty() => empty_hash(),
        ManifestValue::Hash(map) => Type::Hash(Arc::new((common(map.keys()), common(map.values()))), exactly(map.len())),
        ManifestValue::SemVer(_) => Type::SemVer(Arc::default()),
        _ => infer_scalar(value),
    }
}

/// Returns the most precise type of a value: each element has its own type.
pub fn infer_exact(value: &ManifestValue) -> Type {
    match value {
        ManifestValue::Array(elements) if elements.is_empty() => empty_array(),
        ManifestValue::Array(elements) => Type::tuple(elements.iter().map(infer_exact).collect()),
        ManifestValue::Hash(map) if map.is_empty() => empty_hash(),
        ManifestValue::Hash(map) => {
            let is_struct = map.keys().all(|key| key.as_str().is_some_and(|key| !key.is_empty()));
            if is_struct {
                let member = |(key, value): (&ManifestValue, &ManifestValue)| StructMember {
                    name: key.as_str().unwrap_or_default().into(),
                    form: KeyForm::Plain,
                    value: infer_exact(value),
                };
                return Type::Struct(Arc::new(map.iter().map(member).collect()));
            }
            let keys = Type::variant(map.keys().map(infer_exact).collect());
            let values = Type::variant(map.values().map(infer_exact).collect());
            Type::Hash(Arc::new((keys, values)), exactly(map.len()))
        }
        ManifestValue::SemVer(version) => Type::SemVer(Arc::new(vec![crate::compile::semver_range::SemVerRange::exactly(version)])),
        _ => infer_scalar(value),
    }
}

/// Returns the type of a value without ranges and sizes.
pub fn infer_generic(value: &ManifestValue) -> Type {
    infer(value).generalized()
}

fn infer_scalar(value: &ManifestValue) -> Type {
    match value {
        ManifestValue::Undef => Type::Undef,
        ManifestValue::Default => Type::Default,
        ManifestValue::Boolean(value) => Type::Boolean(Some(*value)),
        ManifestValue::Integer(number) => Type::Integer(IntegerBounds::new(*number, *number)),
        ManifestValue::Float(number) => Type::Float(FloatBounds { from: Some(*number), to: Some(*number) }),
        ManifestValue::String(text) => Type::Literal(text.clone()),
        ManifestValue::Regexp(pattern) => Type::Regexp(Some(pattern.clone())),
        ManifestValue::Sensitive(inner) => Type::Sensitive(Arc::new(infer(inner).generalized())),
        ManifestValue::Binary(_) => Type::Binary,
        ManifestValue::Timestamp(at) => Type::Timestamp(TimeBounds { from: Some(*at), to: Some(*at) }),
        ManifestValue::Timespan(nanos) => Type::Timespan(TimeBounds { from: Some(*nanos), to: Some(*nanos) }),
        ManifestValue::SemVerRange(_) => Type::SemVerRange,
        ManifestValue::Uri(text) => Type::Uri(Some(Arc::new(crate::compile::uri::parts(text)))),
        ManifestValue::Type(of) => Type::Type(of.clone()),
        ManifestValue::Object(object) => Type::Object(Some(object.object_type.clone())),
        ManifestValue::Iterator(sequence) => Type::Iterator(Arc::new(sequence.element_type.clone())),
        ManifestValue::Lambda(closure) => Type::Callable(Arc::new(callable(closure))),
        _ => Type::Any,
    }
}

fn empty_array() -> Type {
    Type::Array(Arc::new(Type::Unit), IntegerBounds::new(0, 0))
}

fn empty_hash() -> Type {
    Type::Hash(Arc::new((Type::Unit, Type::Unit)), IntegerBounds::new(0, 0))
}

fn exactly(size: usize) -> IntegerBounds {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    IntegerBounds::new(size, size)
}

fn common<'v>(values: impl Iterator<Item = &'v ManifestValue>) -> Type {
    values.map(infer).reduce(|a, b| a.common(&b)).unwrap_or(Type::Unit)
}

/// Returns the signature of a lambda.
pub fn callable(closure: &LambdaClosure) -> Callable {
    signature(closure.parameters(), &closure.types, closure.returns.as_ref())
}

/// Returns the signature of parameters with evaluated types.
pub fn signature(parameters: &[crate::syntax::tree::Parameter], types: &[Option<Type>], returns: Option<&Type>) -> Callable {
    let required = parameters.iter().filter(|p| p.default.is_none() && !p.is_splat).count();
    let is_open = parameters.iter().any(|p| p.is_splat);
    let types: Vec<Type> = types
        .iter()
        .zip(parameters)
        .map(|(of, parameter)| match of {
            Some(Type::Array(element, _)) if parameter.is_splat => (**element).clone(),
            Some(of) => of.clone(),
            None => Type::Any,
        })
        .collect();
    let count = i64::try_from(types.len()).unwrap_or(i64::MAX);
    let size = IntegerBounds { from: i64::try_from(required).ok(), to: (!is_open).then_some(count) };
    let size = (size != IntegerBounds::new(count, count) || count == 0).then_some(size);
    let returns = returns.filter(|of| !matches!(of, Type::Any)).cloned();
    Callable { parameters: Some(Tuple { types, size }), block: None, returns }
}
