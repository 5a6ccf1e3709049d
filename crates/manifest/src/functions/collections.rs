//! Functions of arrays and hashes.

use super::{Block, Evaluated, argument, ruby, signature, text, typed};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::types::infer;
use crate::compile::value::ManifestValue;
use indexmap::{IndexMap, IndexSet};
use std::cmp::Ordering;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    typed("dig", &[signature("(Optional[Collection] $data, Any *$arg)", dig)]),
    typed(
        "empty",
        &[
            signature("(Collection $coll)", empty),
            signature("(Sensitive[String] $str)", empty),
            signature("(String $str)", empty),
            signature("(Numeric $num)", empty_number),
            signature("(Binary $bin)", empty),
            signature("(Undef $x)", empty),
        ],
    ),
    typed("flatten", &[signature("(Any *$args)", flatten)]),
    typed("join", &[signature("(Array $arg, String $delimiter?)", join)]),
    typed("keys", &[signature("(Hash $hsh)", keys)]),
    typed("values", &[signature("(Hash $hsh)", values)]),
    typed(
        "sort",
        &[
            signature("(String $string_value, Callable[2, 2] &block?)", sort),
            signature("(Array $array_value, Callable[2, 2] &block?)", sort),
        ],
    ),
    typed(
        "unique",
        &[
            signature("(String $string, Callable[String] &block?)", unique),
            signature("(Hash $hash, Callable[Any] &block?)", unique_hash),
            signature("(Array $array, Callable[Any] &block?)", unique),
            signature("(Iterable $iterable, Callable[Any] &block?)", unique),
        ],
    ),
    typed("unwrap", &[signature("(Sensitive $arg, Callable &block?)", unwrap), signature("(Any $arg, Callable &block?)", unwrap)]),
];

/// Returns the element of an array; negative indexes count from the end.
pub fn element(elements: &[ManifestValue], index: i64) -> ManifestValue {
    let at = if index < 0 { i64::try_from(elements.len()).unwrap_or(i64::MAX).saturating_add(index) } else { index };
    usize::try_from(at).ok().and_then(|at| elements.get(at)).cloned().unwrap_or(ManifestValue::Undef)
}

fn dig(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let mut current = argument(arguments, 0).clone();
    let mut walked: Vec<ManifestValue> = Vec::new();
    for key in arguments.iter().skip(1) {
        if current == ManifestValue::Undef || *key == ManifestValue::Undef {
            return Ok(ManifestValue::Undef);
        }
        context.evaluator.refuse_unread_key(&current, key)?;
        let path = |walked: Vec<ManifestValue>| ruby::inspect(&ManifestValue::array(walked));
        current = match (&current, key) {
            (ManifestValue::Hash(map), key) => map.get(key).cloned().unwrap_or(ManifestValue::Undef),
            (ManifestValue::Array(elements), ManifestValue::Integer(index)) => element(elements, *index),
            (ManifestValue::Array(_), key) => {
                walked.push(key.clone());
                let message = "The given data requires an Integer index";
                return Err(EvaluationFailure::new(format!("{message} at {}, got '{}'", path(walked), infer(key))));
            }
            (other, _) => {
                let message = "The given data does not contain a Collection";
                return Err(EvaluationFailure::new(format!("{message} at {}, got '{}'", path(walked), infer(other))));
            }
        };
        walked.push(key.clone());
    }
    Ok(current)
}

fn empty(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let value = match argument(arguments, 0) {
        ManifestValue::Sensitive(inner) => inner,
        other => other,
    };
    Ok(ManifestValue::Boolean(match value {
        ManifestValue::Array(elements) => elements.is_empty(),
        ManifestValue::Hash(map) => map.is_empty(),
        ManifestValue::String(text) => text.is_empty(),
        ManifestValue::Binary(bytes) => bytes.is_empty(),
        other => *other == ManifestValue::Undef,
    }))
}

fn empty_number(context: &mut CallContext<'_>, _: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let (file, line) = context.place();
    let file = file.unwrap_or_else(|| "unknown".to_owned());
    let key = format!("empty-from-{file}-{line}");
    context.warn_once(&key, "Calling function empty() with Numeric value is deprecated.", Some((&file, line)));
    Ok(ManifestValue::Boolean(false))
}

fn flatten(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let flat = ruby::flatten(arguments);
    context.spend(flat.len())?;
    Ok(ManifestValue::array(flat))
}

/// Joins as Ruby's `Array#join`: nested arrays are joined, too.
pub fn join_values(values: &[ManifestValue], delimiter: &str) -> String {
    ruby::flatten(values).iter().map(ruby::to_s).collect::<Vec<_>>().join(delimiter)
}

fn join(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let joined = join_values(argument(arguments, 0).as_array().unwrap_or_default(), text(arguments, 1));
    context.spend(joined.len() / 16)?;
    Ok(ManifestValue::string(joined))
}

fn keys(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Ok(ManifestValue::array(argument(arguments, 0).as_map().map(|map| map.keys().cloned().collect()).unwrap_or_default()))
}

fn values(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Ok(ManifestValue::array(argument(arguments, 0).as_map().map(|map| map.values().cloned().collect()).unwrap_or_default()))
}

/// Returns the letters of a string, or the elements of an iterable value.
fn parts(value: &ManifestValue) -> Result<Vec<ManifestValue>, EvaluationFailure> {
    match value {
        ManifestValue::String(text) => Ok(text.chars().map(|c| ManifestValue::string(c.to_string())).collect()),
        other => super::strings::elements(other),
    }
}

/// Joins letters again if they come from a string.
fn whole(source: &ManifestValue, parts: Vec<ManifestValue>) -> ManifestValue {
    match source {
        ManifestValue::String(_) => ManifestValue::string(parts.iter().filter_map(ManifestValue::as_str).collect::<String>()),
        _ => ManifestValue::array(parts),
    }
}

/// Sorts with a comparison that may fail. The order of equal elements stays.
///
/// # Errors
/// Returns the failure of the comparison.
pub fn sort_with(
    values: Vec<ManifestValue>,
    compare: &mut dyn FnMut(&ManifestValue, &ManifestValue) -> Result<Ordering, EvaluationFailure>,
) -> Result<Vec<ManifestValue>, EvaluationFailure> {
    let mut failure = None;
    let mut values = values;
    // The comparison may contradict itself, for which the standard library's sort may panic.
    let mut width = 1;
    while width < values.len() && failure.is_none() {
        let mut merged = Vec::with_capacity(values.len());
        for pair in values.chunks(width * 2) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, compare, &mut merged, &mut failure);
        }
        values = merged;
        width *= 2;
    }
    failure.map_or(Ok(values), Err)
}

fn merge(
    left: &[ManifestValue],
    right: &[ManifestValue],
    compare: &mut dyn FnMut(&ManifestValue, &ManifestValue) -> Result<Ordering, EvaluationFailure>,
    out: &mut Vec<ManifestValue>,
    failure: &mut Option<EvaluationFailure>,
) {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let order = match compare(a, b) {
            Ok(order) => order,
            Err(error) => {
                failure.get_or_insert(error);
                Ordering::Equal
            }
        };
        out.extend(if order == Ordering::Greater { right.next() } else { left.next() }.cloned());
    }
    out.extend(left.chain(right).cloned());
}

/// Returns the order of two values, or Ruby's error if they have none.
///
/// # Errors
/// Returns Ruby's error for values without an order.
pub fn order(a: &ManifestValue, b: &ManifestValue) -> Result<Ordering, EvaluationFailure> {
    ruby::compare(a, b).ok_or_else(|| {
        let other = match b {
            ManifestValue::Undef | ManifestValue::Boolean(_) | ManifestValue::Integer(_) | ManifestValue::Float(_) => ruby::inspect(b),
            other => ruby::class_name(other),
        };
        EvaluationFailure::new(format!("comparison of {} with {other} failed", ruby::class_name(a)))
    })
}

fn sort(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>) -> Evaluated {
    let source = argument(arguments, 0);
    let values = parts(source)?;
    context.spend(values.len())?;
    let sorted = sort_with(values, &mut |a, b| match block {
        None => order(a, b),
        Some(block) => match context.yield_to(block, vec![a.clone(), b.clone()])? {
            ManifestValue::Integer(number) => Ok(number.cmp(&0)),
            ManifestValue::Float(number) => Ok(number.total_cmp(&0.0)),
            ManifestValue::Undef => {
                let (a, b) = (ruby::class_name(a), ruby::class_name(b));
                Err(EvaluationFailure::new(format!("comparison of {a} with {b} failed")))
            }
            other => Err(super::no_method(&other, ">")),
        },
    })?;
    Ok(whole(source, sorted))
}

/// Returns the value by which an element is distinguished.
fn distinguish(context: &mut CallContext<'_>, block: Block<'_>, value: &ManifestValue) -> Evaluated {
    match block {
        Some(block) => context.yield_to(block, vec![value.clone()]),
        None => Ok(value.clone()),
    }
}

fn unique(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>) -> Evaluated {
    let source = argument(arguments, 0);
    let mut seen = IndexSet::new();
    let mut kept = Vec::new();
    for part in parts(source)? {
        if seen.insert(distinguish(context, block, &part)?) {
            kept.push(part);
        }
    }
    Ok(whole(source, kept))
}

fn unique_hash(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>) -> Evaluated {
    let mut groups: IndexMap<ManifestValue, (Vec<ManifestValue>, IndexSet<ManifestValue>)> = IndexMap::new();
    for (key, value) in argument(arguments, 0).as_map().into_iter().flatten() {
        let group = groups.entry(distinguish(context, block, value)?).or_default();
        group.0.push(key.clone());
        group.1.insert(value.clone());
    }
    let pairs = groups.into_values().map(|(keys, values)| (ManifestValue::array(keys), ManifestValue::array(values.into_iter().collect())));
    Ok(ManifestValue::hash(pairs))
}

fn unwrap(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>) -> Evaluated {
    let value = match argument(arguments, 0) {
        ManifestValue::Sensitive(inner) => {
            context.evaluator.logs.keep_secret(inner);
            (**inner).clone()
        }
        other => other.clone(),
    };
    match block {
        Some(block) => context.yield_to(block, vec![value]),
        None => Ok(value),
    }
}
