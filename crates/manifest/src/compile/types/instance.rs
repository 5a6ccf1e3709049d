//! Decides whether a value is an instance of a type.

use super::guard::AliasGuard;
use super::{Type, infer};
use crate::compile::value::ManifestValue;

/// The addresses of an alias and of a value.
pub type InstanceGuard = AliasGuard<(usize, usize)>;

impl Type {
    /// Returns `true` if a value is an instance of the type.
    pub fn is_instance(&self, value: &ManifestValue) -> bool {
        self.is_instance_guarded(value, &mut InstanceGuard::default())
    }

    pub(super) fn is_instance_guarded(&self, value: &ManifestValue, guard: &mut InstanceGuard) -> bool {
        match (self, value) {
            (Type::Any | Type::Unit, _) | (Type::Undef, ManifestValue::Undef) | (Type::Default, ManifestValue::Default) => true,
            (Type::Alias(alias), _) => {
                let question = (std::sync::Arc::as_ptr(alias).addr(), std::ptr::from_ref(value).addr());
                guard.ask(question, |guard| self.choices().iter().any(|of| of.is_instance_guarded(value, guard)))
            }
            (Type::Data, _) => is_data(value),
            (Type::RichData, _) => is_rich_data(value),
            (Type::Optional(inner), _) => {
                matches!(value, ManifestValue::Undef) || (!matches!(**inner, Type::Unit) && inner.is_instance_guarded(value, guard))
            }
            (Type::NotUndef(inner), _) => !matches!(value, ManifestValue::Undef) && inner.is_instance_guarded(value, guard),
            (Type::Variant(types), _) => types.iter().any(|t| t.is_instance_guarded(value, guard)),
            (Type::Scalar, _) => matches!(value, ManifestValue::Regexp(_)) || is_scalar_data(value) || is_other_scalar(value),
            (Type::ScalarData, _) => is_scalar_data(value),
            (Type::Numeric, ManifestValue::Integer(_) | ManifestValue::Float(_)) => true,
            (Type::Integer(bounds), ManifestValue::Integer(number)) => bounds.contains(*number),
            (Type::Float(bounds), ManifestValue::Float(number)) => {
                bounds.from.is_none_or(|from| from <= *number) && bounds.to.is_none_or(|to| *number <= to)
            }
            (Type::Boolean(expected), ManifestValue::Boolean(actual)) => expected.is_none_or(|expected| expected == *actual),
            (Type::String(bounds), ManifestValue::String(text)) => bounds.contains_size(text.chars().count()),
            (Type::Literal(expected), ManifestValue::String(text)) => expected == text,
            (Type::Enum(enumeration), ManifestValue::String(text)) => enumeration.contains(text),
            (Type::Pattern(patterns), ManifestValue::String(text)) => {
                patterns.is_empty() || patterns.iter().any(|p| p.regex.is_match(text))
            }
            (Type::Regexp(expected), ManifestValue::Regexp(pattern)) => {
                expected.as_ref().is_none_or(|expected| expected.source == pattern.source)
            }
            (Type::SemVer(ranges), ManifestValue::SemVer(version)) => {
                ranges.is_empty() || ranges.iter().any(|range| range.contains(version))
            }
            (Type::Collection(bounds), ManifestValue::Array(elements)) => bounds.contains_size(elements.len()),
            (Type::Collection(bounds), ManifestValue::Hash(map)) => bounds.contains_size(map.len()),
            _ => self.is_compound_instance(value, guard),
        }
    }

    fn is_compound_instance(&self, value: &ManifestValue, guard: &mut InstanceGuard) -> bool {
        match (self, value) {
            (Type::Array(element, bounds), ManifestValue::Array(elements)) => {
                bounds.contains_size(elements.len()) && elements.iter().all(|e| element.is_instance_guarded(e, guard))
            }
            (Type::Tuple(tuple), ManifestValue::Array(elements)) => {
                let size_fits = match tuple.size {
                    Some(size) => size.contains_size(elements.len()),
                    None => tuple.types.is_empty() || tuple.types.len() == elements.len(),
                };
                size_fits && elements.iter().enumerate().all(|(at, e)| tuple.element(at).is_none_or(|t| t.is_instance_guarded(e, guard)))
            }
            (Type::Hash(types, bounds), ManifestValue::Hash(map)) => {
                bounds.contains_size(map.len())
                    && map.iter().all(|(k, v)| types.0.is_instance_guarded(k, guard) && types.1.is_instance_guarded(v, guard))
            }
            (Type::Struct(members), ManifestValue::Hash(map)) => {
                let mut matched = 0;
                let fits = members.iter().all(|member| match map.get(&ManifestValue::String(member.name.clone())) {
                    None => member.is_optional(),
                    Some(value) => {
                        matched += 1;
                        member.value.is_instance_guarded(value, guard)
                    }
                });
                fits && matched == map.len()
            }
            (Type::Iterable(inner), ManifestValue::Integer(number)) => *number >= 0 && inner.accepts(&Type::INTEGER),
            (Type::Iterable(inner), ManifestValue::Array(elements)) => {
                elements.is_empty() || inner.accepts(&Type::Any) || self.accepts(&infer(value))
            }
            (Type::Iterable(inner), ManifestValue::Iterator(sequence)) => inner.accepts(&sequence.element_type),
            (Type::Iterable(inner), ManifestValue::Type(of)) if inner.accepts(&Type::Any) => match of.resolved() {
                Type::Enum(_) => true,
                Type::Integer(bounds) => bounds.from.is_some() && bounds.to.is_some(),
                _ => false,
            },
            (Type::Iterable(_), _) => self.accepts(&infer(value)),
            (Type::Iterator(inner), ManifestValue::Iterator(sequence)) => inner.accepts(&sequence.element_type),
            (Type::Type(inner), ManifestValue::Type(of)) => inner.accepts(of),
            (Type::Sensitive(inner), ManifestValue::Sensitive(secret)) => inner.is_instance_guarded(secret, guard),
            (Type::Timestamp(bounds), ManifestValue::Timestamp(nanos)) | (Type::Timespan(bounds), ManifestValue::Timespan(nanos)) => {
                bounds.from.is_none_or(|from| from <= *nanos) && bounds.to.is_none_or(|to| *nanos <= to)
            }
            (Type::Callable(_), ManifestValue::Lambda(_)) => self.accepts(&infer(value)),
            (Type::Init(..), _) => super::named::is_init_instance(self, value, guard),
            (
                Type::Binary | Type::SemVerRange | Type::Uri(_) | Type::Object(_) | Type::Runtime(..),
                ManifestValue::Binary(_)
                | ManifestValue::SemVerRange(_)
                | ManifestValue::Uri(_)
                | ManifestValue::Object(_)
                | ManifestValue::Iterator(_),
            ) => self.accepts(&infer(value)),
            (Type::TypeSet | Type::TypeAlias, ManifestValue::Type(of)) => matches!((self, &**of), (Type::TypeAlias, Type::Alias(_))),
            _ => false,
        }
    }
}

fn is_scalar_data(value: &ManifestValue) -> bool {
    matches!(value, ManifestValue::String(_) | ManifestValue::Integer(_) | ManifestValue::Float(_) | ManifestValue::Boolean(_))
}

fn is_other_scalar(value: &ManifestValue) -> bool {
    matches!(value, ManifestValue::Timestamp(_) | ManifestValue::Timespan(_) | ManifestValue::SemVer(_) | ManifestValue::SemVerRange(_))
}

/// Returns `true` for JSON values.
fn is_data(value: &ManifestValue) -> bool {
    match value {
        ManifestValue::Undef => true,
        ManifestValue::Array(elements) => elements.iter().all(is_data),
        ManifestValue::Hash(map) => map.iter().all(|(key, value)| matches!(key, ManifestValue::String(_)) && is_data(value)),
        _ => is_scalar_data(value),
    }
}

/// Returns `true` for values that catalogs can contain.
fn is_rich_data(value: &ManifestValue) -> bool {
    match value {
        ManifestValue::Array(elements) => elements.iter().all(is_rich_data),
        ManifestValue::Hash(map) => map.iter().all(|(key, value)| {
            matches!(key, ManifestValue::String(_) | ManifestValue::Integer(_) | ManifestValue::Float(_)) && is_rich_data(value)
        }),
        ManifestValue::Iterator(_) | ManifestValue::Lambda(_) => false,
        _ => true,
    }
}
