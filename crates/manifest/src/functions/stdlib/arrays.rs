//! Functions of arrays.

use super::booleans::{is_digits_line, parse_boolean};
use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::function::Function;
use crate::compile::value::Value;
use crate::functions::ruby::{class_name, equal, flatten, inspect, to_i, to_s_legacy, value_to_i};
use crate::functions::{Block, Evaluated, argument, bridge, legacy, length, no_method};
use indexmap::IndexSet;

/// The functions of this file.
pub const TABLE: &[Function] = &[
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

fn wrong_number(context: &Context<'_>, arguments: &[Value], expected: &str) -> Failure {
    Failure::new(format!("{}(): Wrong number of arguments given ({} for {expected})", context.name(), arguments.len()))
}

fn any2array(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let [only] = arguments else { return Ok(Value::array(arguments.to_vec())) };
    match only {
        Value::Array(_) => Ok(only.clone()),
        Value::String(text) if text.is_empty() => Ok(Value::array(Vec::new())),
        Value::Hash(map) => Ok(Value::array(map.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect())),
        _ => Ok(Value::array(arguments.to_vec())),
    }
}

fn concat(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "< 2"));
    }
    let Value::Array(first) = argument(arguments, 0) else {
        return Err(Failure::new("concat(): Requires array to work with"));
    };
    let mut joined = first.to_vec();
    for more in arguments.iter().skip(1) {
        match more {
            Value::Array(elements) => joined.extend(elements.iter().cloned()),
            other => joined.push(other.clone()),
        }
    }
    context.spend(joined.len())?;
    Ok(Value::array(joined))
}

fn count(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.len() > 2 {
        return Err(Failure::new(format!("count(): Wrong number of arguments given {} for 1 or 2.", arguments.len())));
    }
    let elements: Vec<Value> = match argument(arguments, 0) {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(map) => map.iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect(),
        Value::String(_) if arguments.get(1).is_none_or(|item| !item.is_true()) => {
            return Err(Failure::new("wrong number of arguments (given 0, expected 1+)"));
        }
        Value::String(_) => return Err(Failure::unsupported("`count` of the letters of a string")),
        other => return Err(no_method(other, "count")),
    };
    Ok(length(match arguments.get(1).filter(|item| item.is_true()) {
        Some(item) => elements.iter().filter(|element| equal(element, item)).count(),
        None => elements.iter().filter(|element| **element != Value::Undef && **element != Value::from("")).count(),
    }))
}

fn delete_at(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "2"));
    }
    let Value::Array(elements) = argument(arguments, 0) else {
        return Err(Failure::new("delete_at(): Requires array to work with"));
    };
    let index = argument(arguments, 1);
    if index.as_str().is_some_and(|text| !is_digits_line(text)) {
        return Err(Failure::new("delete_at(): You must provide non-negative numeric index"));
    }
    let (index, size) = (value_to_i(index)?, i64::try_from(elements.len()).unwrap_or(i64::MAX));
    if index > size - 1 {
        return Err(Failure::new("delete_at(): Given index exceeds size of array given"));
    }
    let at = if index < 0 { size.saturating_add(index) } else { index };
    let mut kept = elements.to_vec();
    if let Some(at) = usize::try_from(at).ok().filter(|at| *at < kept.len()) {
        kept.remove(at);
    }
    Ok(Value::array(kept))
}

fn difference(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    match arguments {
        [Value::Array(first), Value::Array(second)] => {
            let second: IndexSet<&Value> = second.iter().collect();
            Ok(Value::array(first.iter().filter(|element| !second.contains(element)).cloned().collect()))
        }
        [_, _] => Err(Failure::new("difference(): Requires 2 arrays")),
        _ => Err(wrong_number(context, arguments, "2")),
    }
}

fn intersection(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    match arguments {
        [Value::Array(first), Value::Array(second)] => {
            let second: IndexSet<&Value> = second.iter().collect();
            let shared: IndexSet<&Value> = first.iter().filter(|element| second.contains(element)).collect();
            Ok(Value::array(shared.into_iter().cloned().collect()))
        }
        [a, b] => Err(Failure::new(format!("intersection(): Requires 2 arrays, got {} and {}", class_name(a), class_name(b)))),
        _ => Err(wrong_number(context, arguments, "2")),
    }
}

fn union(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "< 2"));
    }
    let mut all: IndexSet<Value> = IndexSet::new();
    for argument in arguments {
        match argument {
            Value::Array(elements) => all.extend(elements.iter().cloned()),
            _ => return Err(Failure::new("union(): Every parameter must be an array")),
        }
    }
    Ok(Value::array(all.into_iter().collect()))
}

fn member(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "2"));
    }
    let Value::Array(elements) = argument(arguments, 0) else {
        return Err(Failure::new("member(): Requires array to work with"));
    };
    let wanted = match argument(arguments, 1) {
        Value::Array(wanted) => wanted.to_vec(),
        item @ (Value::String(_) | Value::Integer(_)) => vec![item.clone()],
        _ => return Err(Failure::new("member(): Item to search for must be a string, fixnum, or array")),
    };
    if wanted.is_empty() {
        return Err(Failure::new("member(): You must provide item to search for within array given"));
    }
    let elements: IndexSet<&Value> = elements.iter().collect();
    Ok(Value::Boolean(wanted.iter().all(|item| elements.contains(item))))
}

/// `prefix` and `suffix`.
fn affix(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    let Some(source) = arguments.first() else { return Err(wrong_number(context, arguments, "1")) };
    if !matches!(source, Value::Array(_) | Value::Hash(_)) {
        return Err(Failure::new(format!("{name}(): expected first argument to be an Array or a Hash, got {}", inspect(source))));
    }
    let affix = match arguments.get(1).filter(|affix| affix.is_true()) {
        Some(Value::String(affix)) => affix.clone(),
        Some(other) => {
            return Err(Failure::new(format!("{name}(): expected second argument to be a String, got {}", inspect(other))));
        }
        None => "".into(),
    };
    let changed = |value: &Value| {
        let text = to_s_legacy(value);
        Value::string(if name == "prefix" { format!("{affix}{text}") } else { format!("{text}{affix}") })
    };
    Ok(match source {
        Value::Hash(map) => Value::hash(map.iter().map(|(key, value)| (changed(key), value.clone()))),
        other => Value::array(other.as_array().unwrap_or_default().iter().map(changed).collect()),
    })
}

fn reverse(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    match arguments.first() {
        None => Err(wrong_number(context, arguments, "1")),
        Some(Value::Array(elements)) => Ok(Value::array(elements.iter().rev().cloned().collect())),
        Some(Value::String(text)) => Ok(Value::string(text.chars().rev().collect::<String>())),
        Some(_) => Err(Failure::new("reverse(): Requires either array or string to work with")),
    }
}

fn squeeze(_: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.is_empty() || arguments.len() > 2 {
        return Err(Failure::new(format!("squeeze(): Wrong number of arguments given {} for 2 or 1", arguments.len())));
    }
    let letters = arguments.get(1).filter(|letters| letters.is_true());
    let plain = letters.map(|letters| bridge::to_plain(letters).ok_or_else(|| no_method(letters, "to_str"))).transpose()?;
    let squeezed = |value: &Value| match value {
        Value::String(_) => bridge::call(value, "squeeze", plain.as_slice()),
        other => Err(no_method(other, "squeeze")),
    };
    match argument(arguments, 0) {
        Value::Array(elements) => Ok(Value::array(elements.iter().map(squeezed).collect::<Result<_, _>>()?)),
        other => squeezed(other),
    }
}

fn swapcase(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let swapped = |value: &Value| match value {
        Value::String(_) => bridge::call(value, "swapcase", &[]),
        other => Ok(other.clone()),
    };
    match arguments.first() {
        None => Err(wrong_number(context, arguments, "1")),
        Some(Value::Array(elements)) => Ok(Value::array(elements.iter().map(swapped).collect::<Result<_, _>>()?)),
        Some(text @ Value::String(_)) => swapped(text),
        Some(_) => Err(Failure::new("swapcase(): Requires either array or string to work with")),
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

fn values_at(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "2"));
    }
    let Value::Array(elements) = argument(arguments, 0) else {
        return Err(Failure::new("values_at(): Requires array to work with"));
    };
    let indices = flatten(arguments.get(1..2).unwrap_or_default());
    if indices.is_empty() {
        return Err(Failure::new("values_at(): You must provide at least one positive index to collect"));
    }
    let mut found = Vec::new();
    for index in indices {
        let text = to_s_legacy(&index);
        if let Some((start, stop, is_exclusive)) = index_range(&text) {
            if start > stop {
                return Err(Failure::new("values_at(): Stop index in given indices range is smaller than the start index"));
            }
            if stop >= elements.len() {
                return Err(Failure::new("values_at(): Stop index in given indices range exceeds array size"));
            }
            let end = if is_exclusive { stop } else { stop + 1 };
            found.extend(elements.get(start..end).unwrap_or_default().iter().cloned());
            continue;
        }
        if !is_digits_line(&text) {
            return Err(Failure::new("values_at(): Unknown format of given index"));
        }
        match usize::try_from(to_i(&text)).ok().and_then(|at| elements.get(at)) {
            Some(element) => found.push(element.clone()),
            None => return Err(Failure::new("values_at(): Given index exceeds array size")),
        }
    }
    context.spend(found.len())?;
    Ok(Value::array(found.into_iter().filter(|value| *value != Value::Undef).collect()))
}

fn zip(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    if arguments.len() < 2 {
        return Err(wrong_number(context, arguments, "2"));
    }
    let (Value::Array(a), Value::Array(b)) = (argument(arguments, 0), argument(arguments, 1)) else {
        return Err(Failure::new("zip(): Requires array to work with"));
    };
    let is_flat = match arguments.get(2).filter(|flat| flat.is_true()) {
        Some(flat) => parse_boolean(flat)?,
        None => false,
    };
    let pairs = a.iter().enumerate().map(|(at, element)| Value::array(vec![element.clone(), b.get(at).cloned().unwrap_or(Value::Undef)]));
    let pairs: Vec<Value> = pairs.collect();
    Ok(Value::array(if is_flat { flatten(&pairs) } else { pairs }))
}
