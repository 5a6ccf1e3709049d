//! Finds the parts of a type that do not match.

use super::NamedSignature;
use super::message::{MismatchReason, MismatchStep, TypeMismatch};
use crate::compile::types::{Callable, IntegerBounds, StructMember, Tuple, Type};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// A place inside of a type, with the number of places that may still be described.
struct DescribedPath {
    steps: Vec<MismatchStep>,
    left: Rc<Cell<usize>>,
}

impl DescribedPath {
    fn start(path: &[MismatchStep]) -> DescribedPath {
        DescribedPath { steps: path.to_vec(), left: Rc::new(Cell::new(MAX_PLACES)) }
    }
}

impl std::ops::Deref for DescribedPath {
    type Target = [MismatchStep];

    fn deref(&self) -> &[MismatchStep] {
        &self.steps
    }
}

fn with(path: &DescribedPath, step: MismatchStep) -> DescribedPath {
    DescribedPath { steps: path.iter().cloned().chain([step]).collect(), left: Rc::clone(&path.left) }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The length of paths up to which the parts of types are described.
const MAX_PATH: usize = 100;

/// The maximum number of mismatching parts that are described. Nested variants of structures double them with each level.
const MAX_PLACES: usize = 10_000;

/// The number of mismatches after which further parts of a type are not described.
const MAX_MISMATCHES: usize = 1000;

/// Returns the type of an alias. If the alias is a choice in which it occurs again, that is the choice between
/// the other types.
fn without_repetition(alias: &Type) -> Type {
    let target = alias.resolved();
    if matches!(target, Type::Variant(_) | Type::Optional(_)) && target.repeats_choice() {
        return Type::variant(alias.choices().into_iter().cloned().collect());
    }
    target.clone()
}

/// Returns the mismatches of the parts of a type, up to the limit.
fn gathered(parts: impl Iterator<Item = Vec<TypeMismatch>>) -> Vec<TypeMismatch> {
    let mut all = Vec::new();
    for part in parts {
        all.extend(part);
        if all.len() >= MAX_MISMATCHES {
            break;
        }
    }
    all
}

/// Returns why a type does not accept another type; nothing if it does.
pub fn describe(expected: &Type, actual: &Type, path: &[MismatchStep]) -> Vec<TypeMismatch> {
    described(expected, actual, &DescribedPath::start(path))
}

fn described(expected: &Type, actual: &Type, path: &DescribedPath) -> Vec<TypeMismatch> {
    let Some(left) = path.left.get().checked_sub(1).filter(|_| path.len() <= MAX_PATH) else {
        return vec![TypeMismatch::of_type(path, expected, actual)];
    };
    path.left.set(left);
    if let Some(name) = unresolved(expected, &mut Vec::new()) {
        return vec![TypeMismatch::new(path, MismatchReason::Unresolved(name))];
    }
    inner(&expected.normalized(), expected, actual, path)
}

/// Returns the name of an unknown type inside a type.
fn unresolved(of: &Type, seen: &mut Vec<ecow::EcoString>) -> Option<String> {
    match of {
        Type::Reference(name) => Some(name.to_string()),
        Type::Alias(alias) if seen.contains(&alias.name) => None,
        Type::Alias(alias) => {
            seen.push(alias.name.clone());
            alias.target.get().and_then(|target| unresolved(target, seen))
        }
        Type::Array(inner, _) | Type::Optional(inner) | Type::NotUndef(inner) | Type::Type(inner) | Type::Sensitive(inner) => {
            unresolved(inner, seen)
        }
        Type::Hash(types, _) => unresolved(&types.0, seen).or_else(|| unresolved(&types.1, seen)),
        Type::Variant(types) => types.iter().find_map(|t| unresolved(t, seen)),
        Type::Tuple(tuple) => tuple.types.iter().find_map(|t| unresolved(t, seen)),
        Type::Struct(members) => members.iter().find_map(|m| unresolved(&m.value, seen)),
        _ => None,
    }
}

fn inner(expected: &Type, original: &Type, actual: &Type, path: &DescribedPath) -> Vec<TypeMismatch> {
    match expected {
        Type::Variant(types) => variant(types, original, actual, path),
        Type::Data | Type::RichData => match expected.expanded() {
            Some(Type::Variant(types)) => variant(types, original, actual, path),
            _ => Vec::new(),
        },
        Type::Struct(members) => structure(members, original, actual, path),
        Type::Hash(types, bounds) => hash(types, *bounds, original, actual, path),
        Type::Tuple(expected) => tuple(expected, original, actual, path, false),
        Type::Array(element, bounds) => array(element, *bounds, original, actual, path),
        Type::Callable(expected) => callable(expected, original, actual, path),
        Type::Optional(of) => {
            if matches!(actual, Type::Undef) || matches!(**of, Type::Unit) {
                return Vec::new();
            }
            inner(of, if matches!(original, Type::Alias(_)) { original } else { expected }, actual, path)
        }
        Type::Pattern(_) | Type::Enum(_) => {
            vec![TypeMismatch::new(path, MismatchReason::Pattern { expected: original.normalized(), actual: actual.normalized() })]
        }
        Type::Alias(_) => match without_repetition(expected).normalized() {
            Type::Alias(_) => vec![TypeMismatch::of_type(path, original, actual)],
            target => inner(&target, expected, actual, path),
        },
        _ if expected.accepts(actual) => Vec::new(),
        _ => vec![TypeMismatch::of_type(path, original, actual)],
    }
}

fn variant(types: &[Type], original: &Type, actual: &Type, path: &DescribedPath) -> Vec<TypeMismatch> {
    let undef = matches!(original, Type::Optional(_)).then_some(Type::Undef);
    let mut all = Vec::new();
    for (index, of) in undef.iter().chain(types).enumerate() {
        let found = if of.accepts(actual) { Vec::new() } else { described(of, actual, &with(path, MismatchStep::Variant(index))) };
        if found.is_empty() {
            return Vec::new();
        }
        all.push(found);
    }
    let merged = merge(path.len(), false, &all);
    if matches!(original, Type::Alias(_) | Type::Data | Type::RichData) && merged.len() == 1 {
        return vec![TypeMismatch::of_type(path, original, actual)];
    }
    merged
}

/// Merges the mismatches of all variants if they have the same path and reason.
pub fn merge(position: usize, counts: bool, variants: &[Vec<TypeMismatch>]) -> Vec<TypeMismatch> {
    let mut all: Vec<TypeMismatch> = variants.iter().flatten().cloned().collect();
    let kinds: [fn(&MismatchReason, bool) -> bool; 4] = [
        |found, counts| {
            if counts {
                matches!(found, MismatchReason::Count { .. })
            } else {
                matches!(found, MismatchReason::Size { .. } | MismatchReason::Count { .. })
            }
        },
        |found, _| matches!(found, MismatchReason::MissingBlock),
        |found, _| matches!(found, MismatchReason::UnexpectedBlock),
        |found, _| matches!(found, MismatchReason::Type { .. } | MismatchReason::Pattern { .. }),
    ];
    for is_kind in kinds {
        let same: Vec<&TypeMismatch> = all.iter().filter(|m| is_kind(&m.found, counts)).collect();
        if same.len() != variants.len() || same.is_empty() {
            continue;
        }
        let Some((first, rest)) = same.split_first() else { continue };
        if rest.iter().any(|m| m.canonical_path() != first.canonical_path()) {
            continue;
        }
        let merged = rest.iter().fold((*first).clone(), |a, b| merge_two(a, b));
        all = vec![merged];
        break;
    }
    let mut unique: Vec<TypeMismatch> = Vec::new();
    for mismatch in all {
        if !unique.iter().any(|known| known.is_same(&mismatch)) {
            unique.push(mismatch);
        }
    }
    match unique.as_slice() {
        [one] => vec![one.without_step(position)],
        _ => unique,
    }
}

fn merge_two(a: TypeMismatch, b: &TypeMismatch) -> TypeMismatch {
    let union = |a: IntegerBounds, b: IntegerBounds| IntegerBounds {
        from: Some(a.from.unwrap_or(0).min(b.from.unwrap_or(0))),
        to: a.to.and_then(|a| Some(a.max(b.to?))),
    };
    let expected_of = |found: &MismatchReason| match found {
        MismatchReason::Type { expected, .. } => expected.clone(),
        MismatchReason::Pattern { expected, .. } => vec![expected.clone()],
        _ => Vec::new(),
    };
    let found = match (&a.found, &b.found) {
        (MismatchReason::Size { expected, actual }, MismatchReason::Size { expected: other, .. }) => {
            MismatchReason::Size { expected: union(*expected, *other), actual: *actual }
        }
        (MismatchReason::Count { expected, actual }, MismatchReason::Count { expected: other, .. }) => {
            MismatchReason::Count { expected: union(*expected, *other), actual: *actual }
        }
        (MismatchReason::Pattern { expected, actual }, MismatchReason::Pattern { expected: other, .. }) => {
            let merged = Type::variant(vec![expected.clone(), other.clone()]).normalized();
            MismatchReason::Pattern { expected: merged, actual: actual.clone() }
        }
        (MismatchReason::Type { actual, .. } | MismatchReason::Pattern { actual, .. }, _) => {
            let merged = Type::variant(expected_of(&a.found).into_iter().chain(expected_of(&b.found)).collect()).normalized();
            MismatchReason::Type { expected: vec![merged], is_list: true, actual: actual.clone() }
        }
        (found, _) => found.clone(),
    };
    TypeMismatch { path: a.path, found }
}

fn array(element: &Type, bounds: IntegerBounds, original: &Type, actual: &Type, path: &DescribedPath) -> Vec<TypeMismatch> {
    match actual {
        Type::Tuple(found) => {
            let size = found.size.unwrap_or(IntegerBounds::new(count(found.types.len()), count(found.types.len())));
            if !bounds.includes(size) {
                return vec![TypeMismatch::new(path, MismatchReason::Size { expected: bounds, actual: size })];
            }
            let wrong = found.types.iter().enumerate().filter(|(_, of)| !element.accepts(of));
            gathered(wrong.map(|(index, of)| described(element, of, &with(path, MismatchStep::Index(index)))))
        }
        Type::Array(of, size) => {
            if bounds.includes(*size) {
                return vec![TypeMismatch::of_type(path, original, &Type::array((**of).clone()))];
            }
            vec![TypeMismatch::new(path, MismatchReason::Size { expected: bounds, actual: *size })]
        }
        _ => vec![TypeMismatch::of_type(path, original, actual)],
    }
}

fn hash(types: &(Type, Type), bounds: IntegerBounds, original: &Type, actual: &Type, path: &DescribedPath) -> Vec<TypeMismatch> {
    match actual {
        Type::Struct(members) => {
            let required = members.iter().filter(|m| !m.is_optional()).count();
            let size = IntegerBounds::new(count(required), count(members.len()));
            if !bounds.includes(size) {
                return vec![TypeMismatch::new(path, MismatchReason::Size { expected: bounds, actual: size })];
            }
            let mut found = Vec::new();
            for member in members.iter() {
                if found.len() >= MAX_MISMATCHES {
                    break;
                }
                let key = Type::Literal(member.name.clone());
                if !types.0.accepts(&key) {
                    found.extend(described(&types.0, &key, &with(path, MismatchStep::EntryKey(member.name.to_string()))));
                }
                if !types.1.accepts(&member.value) {
                    found.extend(described(&types.1, &member.value, &with(path, MismatchStep::EntryValue(member.name.to_string()))));
                }
            }
            found
        }
        Type::Hash(found, size) => {
            if bounds.includes(*size) {
                return vec![TypeMismatch::of_type(path, original, &Type::hash(found.0.clone(), found.1.clone()))];
            }
            vec![TypeMismatch::new(path, MismatchReason::Size { expected: bounds, actual: *size })]
        }
        _ => vec![TypeMismatch::of_type(path, original, actual)],
    }
}

fn structure(members: &[StructMember], original: &Type, actual: &Type, path: &DescribedPath) -> Vec<TypeMismatch> {
    match actual {
        Type::Struct(others) => {
            let mut found = Vec::new();
            for own in members {
                if found.len() >= MAX_MISMATCHES {
                    break;
                }
                let name = own.name.to_string();
                match others.iter().find(|other| other.name == own.name) {
                    None if !own.is_optional() => found.push(TypeMismatch::new(path, MismatchReason::MissingKey(name))),
                    Some(other) if !own.value.accepts(&other.value) => {
                        found.extend(described(&own.value, &other.value, &with(path, MismatchStep::EntryValue(name))));
                    }
                    _ => {}
                }
            }
            let extra = others.iter().filter(|other| !members.iter().any(|own| own.name == other.name));
            found.extend(extra.map(|other| TypeMismatch::new(path, MismatchReason::ExtraKey(other.name.to_string()))));
            found
        }
        Type::Hash(types, size) => {
            let required = members.iter().filter(|m| !m.is_optional()).count();
            let expected = IntegerBounds::new(count(required), count(members.len()));
            if expected.includes(*size) {
                return vec![TypeMismatch::of_type(path, original, &Type::hash(types.0.clone(), types.1.clone()))];
            }
            vec![TypeMismatch::new(path, MismatchReason::Size { expected, actual: *size })]
        }
        _ => vec![TypeMismatch::of_type(path, original, actual)],
    }
}

/// Returns the number of elements of a tuple, or any number for `Tuple`.
fn tuple_size(tuple: &Tuple) -> IntegerBounds {
    if tuple.types.is_empty() && tuple.size.is_none() { IntegerBounds::SIZE } else { tuple.bounds() }
}

fn tuple(expected: &Tuple, original: &Type, actual: &Type, path: &DescribedPath, counts: bool) -> Vec<TypeMismatch> {
    let bounds = tuple_size(expected);
    let mismatch = |size: IntegerBounds| {
        let found = if counts {
            MismatchReason::Count { expected: bounds, actual: size }
        } else {
            MismatchReason::Size { expected: bounds, actual: size }
        };
        vec![TypeMismatch::new(path, found)]
    };
    match actual {
        Type::Tuple(found) if **found == *expected => Vec::new(),
        Type::Array(..) if expected.types.is_empty() => Vec::new(),
        Type::Tuple(found) => {
            if !bounds.includes(tuple_size(found)) {
                return mismatch(tuple_size(found));
            }
            let last = expected.types.len().saturating_sub(1);
            let step = |index: usize| with(path, MismatchStep::Index(index.min(last)));
            let each = found.types.iter().enumerate();
            let all = each
                .filter_map(|(index, of)| Some((index, expected.element(index)?, of)))
                .filter(|(_, own, of)| !own.accepts(of))
                .map(|(index, own, of)| described(own, of, &step(index)));
            gathered(all)
        }
        Type::Array(element, size) => {
            if !bounds.includes(*size) {
                return mismatch(*size);
            }
            let wrong = expected.types.iter().enumerate().filter(|(_, own)| !own.accepts(element));
            gathered(wrong.map(|(index, own)| described(own, element, &with(path, MismatchStep::Index(index)))))
        }
        _ => vec![TypeMismatch::of_type(path, original, actual)],
    }
}

fn callable(expected: &Callable, original: &Type, actual: &Type, path: &DescribedPath) -> Vec<TypeMismatch> {
    let Type::Callable(found) = actual else { return vec![TypeMismatch::of_type(path, original, actual)] };
    let Some(parameters) = &expected.parameters else { return Vec::new() };
    if let Some(others) = &found.parameters {
        let wrong = tuple(parameters, original, &Type::Tuple(Arc::new(others.clone())), path, true);
        if !wrong.is_empty() {
            return wrong;
        }
    }
    let returns = expected.returns.as_ref().unwrap_or(&Type::Any);
    let other = found.returns.as_ref().unwrap_or(&Type::Any);
    if !returns.accepts(other) {
        return vec![TypeMismatch::of_type(&with(path, MismatchStep::Return), returns, other)];
    }
    let block = expected.block.as_ref().unwrap_or(&Type::Undef);
    let other = found.block.as_ref().unwrap_or(&Type::Undef);
    if other.accepts(block) { Vec::new() } else { vec![TypeMismatch::of_type(&with(path, MismatchStep::Block), block, other)] }
}

/// Returns why arguments do not fit the parameters of a signature.
pub fn signature_arguments(signature: &NamedSignature<'_>, arguments: &[Type], path: &[MismatchStep]) -> Vec<TypeMismatch> {
    let expected = signature.callable.arity();
    let actual = IntegerBounds::new(count(arguments.len()), count(arguments.len()));
    if !expected.includes(actual) {
        return vec![TypeMismatch::new(path, MismatchReason::Count { expected, actual })];
    }
    let types = signature.callable.parameters.as_ref().map(|tuple| tuple.types.as_slice()).unwrap_or_default();
    for (index, argument) in arguments.iter().enumerate() {
        let at = index.min(types.len().saturating_sub(1));
        let (Some(of), name) = (types.get(at), signature.names.get(at)) else { continue };
        if !of.accepts(argument) {
            let found =
                described(of, argument, &with(&DescribedPath::start(path), MismatchStep::Parameter(name.cloned().unwrap_or_default())));
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

/// Returns why a lambda does not fit a signature.
pub fn block(signature: &NamedSignature<'_>, lambda: Option<&Type>, path: &[MismatchStep]) -> Vec<TypeMismatch> {
    match (&signature.callable.block, lambda) {
        (None, Some(_)) => vec![TypeMismatch::new(path, MismatchReason::UnexpectedBlock)],
        (Some(expected), Some(actual)) => described(expected, actual, &with(&DescribedPath::start(path), MismatchStep::Block)),
        (Some(expected), None) if !expected.accepts(&Type::Undef) => vec![TypeMismatch::new(path, MismatchReason::MissingBlock)],
        _ => Vec::new(),
    }
}
