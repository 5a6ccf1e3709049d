//! Functions of arrays.

use super::booleans::{is_digits_line, parse_boolean};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::ruby::{class_name, equal, flatten, inspect, to_i, to_s_legacy, value_to_i};
use crate::functions::{Block, Evaluated, argument, bridge, legacy, length, no_method};
use indexmap::IndexSet;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("any2array", -1, any2array),
    legacy("concat", -1, concat),
    legacy("count", -2, count),
    legacy("delete_at", -1, delete_at),
    legacy("difference", -1, difference),
    legacy("intersection", -1, intersection),
    legacy("member", -1, member),
    legacy("prefix", -1, affix),
    legacy("suffix", -1, affix),
    legacy("reverse", -1, reverse),
    legacy("squeeze", -1, squeeze),
    legacy("swapcase", -1, swapcase),
    legacy("union", -1, union),
    legacy("values_at", -1, values_at),
    legacy("zip", -1, zip),
];

fn wrong_number(context: &CallContext<'_>, arguments: &[ManifestValue], expected: &str) -> EvaluationFailure {
    EvaluationFailure::new(format!("{}(): Wrong number of arguments given ({} for {expected})", context.name(), arguments.len()))
}

fn any2array(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [only] = arguments else { return Ok(ManifestValue::array(arguments.to_vec())) };
    match only {
        ManifestValue::Array(_) => Ok(only.clone()),
        ManifestValue::String(text) if text.is_empty() => Ok(ManifestValue::array(Vec::new())),
        ManifestValue::Hash(map) => Ok(ManifestValue::array(map.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect())),
        _ => Ok(ManifestValue::array(arguments.to_vec())),
    }
}

fn concat(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "< 2"));
    }
    let ManifestValue::Array(first) = argument(arguments, 0) else {
        return Err(EvaluationFailure::new("concat(): Requires array to work with"));
    };
    let mut joined = first.to_vec();
    for more in arguments.iter().skip(1) {
        match more {
            ManifestValue::Array(elements) => joined.extend(elements.iter().cloned()),
            other => joined.push(other.clone()),
        }
    }
    context.spend(joined.len())?;
    Ok(ManifestValue::array(joined))
}

fn count(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() > 2 {
        return Err(EvaluationFailure::new(format!("count(): Wrong number of arguments given {} for 1 or 2.", arguments.len())));
    }
    let elements: Vec<ManifestValue> = match argument(arguments, 0) {
        ManifestValue::Array(elements) => elements.to_vec(),
        ManifestValue::Hash(map) => map.iter().map(|(key, value)| ManifestValue::array(vec![key.clone(), value.clone()])).collect(),
        ManifestValue::String(_) if arguments.get(1).is_none_or(|item| !item.is_true()) => {
            return Err(EvaluationFailure::new("wrong number of arguments (given 0, expected 1+)"));
        }
        ManifestValue::String(_) => return Err(EvaluationFailure::unsupported("`count` of the letters of a string")),
        other => return Err(no_method(other, "count")),
    };
    Ok(length(match arguments.get(1).filter(|item| item.is_true()) {
        Some(item) => elements.iter().filter(|element| equal(element, item)).count(),
        None => elements.iter().filter(|element| **element != ManifestValue::Undef && **element != ManifestValue::from("")).count(),
    }))
}

fn delete_at(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "2"));
    }
    let ManifestValue::Array(elements) = argument(arguments, 0) else {
        return Err(EvaluationFailure::new("delete_at(): Requires array to work with"));
    };
    let index = argument(arguments, 1);
    if index.as_str().is_some_and(|text| !is_digits_line(text)) {
        return Err(EvaluationFailure::new("delete_at(): You must provide non-negative numeric index"));
    }
    let (index, size) = (value_to_i(index)?, i64::try_from(elements.len()).unwrap_or(i64::MAX));
    if index > size - 1 {
        return Err(EvaluationFailure::new("delete_at(): Given index exceeds size of array given"));
    }
    let at = if index < 0 { size.saturating_add(index) } else { index };
    let mut kept = elements.to_vec();
    if let Some(at) = usize::try_from(at).ok().filter(|at| *at < kept.len()) {
        kept.remove(at);
    }
    Ok(ManifestValue::array(kept))
}

fn difference(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments {
        [ManifestValue::Array(first), ManifestValue::Array(second)] => {
            let second: IndexSet<&ManifestValue> = second.iter().collect();
            Ok(ManifestValue::array(first.iter().filter(|element| !second.contains(element)).cloned().collect()))
        }
        [_, _] => Err(EvaluationFailure::new("difference(): Requires 2 arrays")),
        _ => Err(wrong_number(context, arguments, "2")),
    }
}

fn intersection(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments {
        [ManifestValue::Array(first), ManifestValue::Array(second)] => {
            let second: IndexSet<&ManifestValue> = second.iter().collect();
            let shared: IndexSet<&ManifestValue> = first.iter().filter(|element| second.contains(element)).collect();
            Ok(ManifestValue::array(shared.into_iter().cloned().collect()))
        }
        [a, b] => Err(EvaluationFailure::new(format!("intersection(): Requires 2 arrays, got {} and {}", class_name(a), class_name(b)))),
        _ => Err(wrong_number(context, arguments, "2")),
    }
}

fn union(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "< 2"));
    }
    let mut all: IndexSet<ManifestValue> = IndexSet::new();
    for argument in arguments {
        match argument {
            ManifestValue::Array(elements) => all.extend(elements.iter().cloned()),
            _ => return Err(EvaluationFailure::new("union(): Every parameter must be an array")),
        }
    }
    Ok(ManifestValue::array(all.into_iter().collect()))
}

fn member(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "2"));
    }
    let ManifestValue::Array(elements) = argument(arguments, 0) else {
        return Err(EvaluationFailure::new("member(): Requires array to work with"));
    };
    let wanted = match argument(arguments, 1) {
        ManifestValue::Array(wanted) => wanted.to_vec(),
        item @ (ManifestValue::String(_) | ManifestValue::Integer(_)) => vec![item.clone()],
        _ => return Err(EvaluationFailure::new("member(): Item to search for must be a string, fixnum, or array")),
    };
    if wanted.is_empty() {
        return Err(EvaluationFailure::new("member(): You must provide item to search for within array given"));
    }
    let elements: IndexSet<&ManifestValue> = elements.iter().collect();
    Ok(ManifestValue::Boolean(wanted.iter().all(|item| elements.contains(item))))
}

/// `prefix` and `suffix`.
fn affix(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    let Some(source) = arguments.first() else { return Err(wrong_number(context, arguments, "1")) };
    if !matches!(source, ManifestValue::Array(_) | ManifestValue::Hash(_)) {
        return Err(EvaluationFailure::new(format!("{name}(): expected first argument to be an Array or a Hash, got {}", inspect(source))));
    }
    let affix = match arguments.get(1).filter(|affix| affix.is_true()) {
        Some(ManifestValue::String(affix)) => affix.clone(),
        Some(other) => {
            return Err(EvaluationFailure::new(format!("{name}(): expected second argument to be a String, got {}", inspect(other))));
        }
        None => "".into(),
    };
    let changed = |value: &ManifestValue| {
        let text = to_s_legacy(value);
        ManifestValue::string(if name == "prefix" { format!("{affix}{text}") } else { format!("{text}{affix}") })
    };
    Ok(match source {
        ManifestValue::Hash(map) => ManifestValue::hash(map.iter().map(|(key, value)| (changed(key), value.clone()))),
        other => ManifestValue::array(other.as_array().unwrap_or_default().iter().map(changed).collect()),
    })
}

fn reverse(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments.first() {
        None => Err(wrong_number(context, arguments, "1")),
        Some(ManifestValue::Array(elements)) => Ok(ManifestValue::array(elements.iter().rev().cloned().collect())),
        Some(ManifestValue::String(text)) => Ok(ManifestValue::string(text.chars().rev().collect::<String>())),
        Some(_) => Err(EvaluationFailure::new("reverse(): Requires either array or string to work with")),
    }
}

fn squeeze(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.is_empty() || arguments.len() > 2 {
        return Err(EvaluationFailure::new(format!("squeeze(): Wrong number of arguments given {} for 2 or 1", arguments.len())));
    }
    let letters = arguments.get(1).filter(|letters| letters.is_true());
    let plain = letters.map(|letters| bridge::to_plain(letters).ok_or_else(|| no_method(letters, "to_str"))).transpose()?;
    let squeezed = |value: &ManifestValue| match value {
        ManifestValue::String(_) => bridge::call(value, "squeeze", plain.as_slice()),
        other => Err(no_method(other, "squeeze")),
    };
    match argument(arguments, 0) {
        ManifestValue::Array(elements) => Ok(ManifestValue::array(elements.iter().map(squeezed).collect::<Result<_, _>>()?)),
        other => squeezed(other),
    }
}

fn swapcase(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let swapped = |value: &ManifestValue| match value {
        ManifestValue::String(_) => bridge::call(value, "swapcase", &[]),
        other => Ok(other.clone()),
    };
    match arguments.first() {
        None => Err(wrong_number(context, arguments, "1")),
        Some(ManifestValue::Array(elements)) => Ok(ManifestValue::array(elements.iter().map(swapped).collect::<Result<_, _>>()?)),
        Some(text @ ManifestValue::String(_)) => swapped(text),
        Some(_) => Err(EvaluationFailure::new("swapcase(): Requires either array or string to work with")),
    }
}

/// A range of indexes such as `1-3`, `1..3` or `1...3`.
fn index_range(text: &str) -> Option<(usize, usize, bool)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (start, rest) = text.split_at_checked(digits)?;
    let (stop, is_exclusive) = match (rest.strip_prefix("..."), rest.strip_prefix(".."), rest.strip_prefix('-')) {
        (Some(stop), ..) => (stop, true),
        (_, Some(stop), _) | (_, _, Some(stop)) => (stop, false),
        _ => return None,
    };
    let is_number = !stop.is_empty() && stop.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| Some((start.parse().ok()?, stop.parse().ok()?, is_exclusive)))?
}

fn values_at(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "2"));
    }
    let ManifestValue::Array(elements) = argument(arguments, 0) else {
        return Err(EvaluationFailure::new("values_at(): Requires array to work with"));
    };
    let indices = flatten(arguments.get(1..2).unwrap_or_default());
    if indices.is_empty() {
        return Err(EvaluationFailure::new("values_at(): You must provide at least one positive index to collect"));
    }
    let mut found = Vec::new();
    for index in indices {
        let text = to_s_legacy(&index);
        if let Some((start, stop, is_exclusive)) = index_range(&text) {
            if start > stop {
                return Err(EvaluationFailure::new("values_at(): Stop index in given indices range is smaller than the start index"));
            }
            if stop >= elements.len() {
                return Err(EvaluationFailure::new("values_at(): Stop index in given indices range exceeds array size"));
            }
            let end = if is_exclusive { stop } else { stop + 1 };
            found.extend(elements.get(start..end).unwrap_or_default().iter().cloned());
            continue;
        }
        if !is_digits_line(&text) {
            return Err(EvaluationFailure::new("values_at(): Unknown format of given index"));
        }
        match usize::try_from(to_i(&text)).ok().and_then(|at| elements.get(at)) {
            Some(element) => found.push(element.clone()),
            None => return Err(EvaluationFailure::new("values_at(): Given index exceeds array size")),
        }
    }
    context.spend(found.len())?;
    Ok(ManifestValue::array(found.into_iter().filter(|value| *value != ManifestValue::Undef).collect()))
}

fn zip(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "2"));
    }
    let (ManifestValue::Array(a), ManifestValue::Array(b)) = (argument(arguments, 0), argument(arguments, 1)) else {
        return Err(EvaluationFailure::new("zip(): Requires array to work with"));
    };
    let is_flat = match arguments.get(2).filter(|flat| flat.is_true()) {
        Some(flat) => parse_boolean(flat)?,
        None => false,
    };
    let pairs = a
        .iter()
        .enumerate()
        .map(|(at, element)| ManifestValue::array(vec![element.clone(), b.get(at).cloned().unwrap_or(ManifestValue::Undef)]));
    let pairs: Vec<ManifestValue> = pairs.collect();
    Ok(ManifestValue::array(if is_flat { flatten(&pairs) } else { pairs }))
}
