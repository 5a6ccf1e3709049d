//! Methods of lists; methods with closures are in [`super::closures`].

use super::range::Limits;
use super::{closures, no_order, orders};
use crate::eval::call::{BuiltinCall, Eval, describe};
use crate::eval::index;
use crate::eval::interpreter::Interpreter;
use crate::eval::operators::{self, charge_lists, equal};
use crate::types::builtin::Method;
use crate::value::{EcoString, EcoVec, Map, Value};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, items: &EcoVec<Value>) -> Eval {
    use Method as M;
    let of = |values: &[Value]| Value::array(values.iter().cloned());
    let upto = |n: usize| of(items.get(..n.min(items.len())).unwrap_or_default());
    let from = |n: usize| of(items.get(n.min(items.len())..).unwrap_or_default());
    Ok(match method {
        M::ToA => Value::Array(items.clone()),
        M::Length | M::Size => Value::Int(items.len() as i64),
        M::Empty => Value::Bool(items.is_empty()),
        M::Include | M::Member => Value::Bool(find(it, call, items, call.arg(0))?.is_some()),
        M::First if call.has(0) => upto(call.count(0)?),
        M::First => items.first().cloned().unwrap_or_default(),
        M::Last if call.has(0) => from(items.len().saturating_sub(call.count(0)?)),
        M::Last => items.last().cloned().unwrap_or_default(),
        M::Take => upto(call.count(0)?),
        M::Drop => from(call.count(0)?),
        M::Captures => from(1),
        M::At => index::at(items, call.int(0)?),
        M::Slice => index::lookup(it, call, &Value::Array(items.clone()))?,
        M::Fetch => fetch(it, call, items)?,
        M::Dig => super::map::dig(it, call, &Value::Array(items.clone()))?,
        M::ValuesAt => {
            let mut found = Vec::new();
            for i in 0..call.args.len() {
                found.push(index::at(items, call.int(i)?));
            }
            Value::array(found)
        }
        M::Index | M::FindIndex if call.lambda.is_none() => place(find(it, call, items, call.arg(0))?),
        M::Rindex if call.lambda.is_none() => {
            let mut found = None;
            for (i, item) in items.iter().enumerate() {
                if equal(it, item, call.arg(0), call.span)? {
                    found = Some(i);
                }
            }
            place(found)
        }
        M::Count if call.lambda.is_none() => {
            if !call.has(0) {
                return Ok(Value::Int(items.len() as i64));
            }
            let mut n = 0;
            for item in items {
                n += i64::from(equal(it, item, call.arg(0), call.span)?);
            }
            Value::Int(n)
        }
        M::Compact => Value::array(items.iter().filter(|v| !v.is_nil()).cloned()),
        M::Flatten => flatten(it, call, items)?,
        M::Uniq if call.lambda.is_none() => {
            charge_lists(it, call, items, &[])?;
            unique(items.iter())
        }
        M::Reverse => Value::array(items.iter().rev().cloned()),
        M::Rotate => {
            let by = if call.has(0) { call.int(0)? } else { 1 };
            let by = by.checked_rem_euclid(items.len() as i64).unwrap_or(0) as usize;
            let (first, second) = items.split_at_checked(by).unwrap_or((items, &[]));
            Value::array(second.iter().chain(first).cloned())
        }
        M::Sort if call.lambda.is_none() => sort(it, call, items.to_vec())?,
        M::Minmax => Value::array([extreme(it, call, items, Ordering::Less)?, extreme(it, call, items, Ordering::Greater)?]),
        M::Min => extreme(it, call, items, Ordering::Less)?,
        M::Max => extreme(it, call, items, Ordering::Greater)?,
        M::Sum if call.lambda.is_none() => closures::sum(it, call, items)?,
        M::Tally => {
            charge_lists(it, call, items, &[])?;
            let mut counts = Map::new();
            for item in items {
                let entry = counts.entry(item.clone()).or_insert(Value::Int(0));
                if let Value::Int(n) = entry {
                    *n += 1;
                }
            }
            Value::Map(Arc::new(counts))
        }
        M::Join => {
            let between = if call.arg(0).is_nil() { EcoString::new() } else { call.text(0)? };
            join(it, call, items, &between)?
        }
        M::Push | M::Append => Value::array(items.iter().chain(&call.args).cloned()),
        M::Unshift | M::Prepend => Value::array(call.args.iter().chain(items).cloned()),
        M::Insert => insert(call, items)?,
        M::Put => orders::put(it, call, items)?,
        M::Permutation | M::Combination => orders::selections(it, call, method, items)?,
        M::Concat => {
            let mut all = items.clone();
            for i in 0..call.args.len() {
                let more = call.list(i)?;
                it.meter.room((all.len() + more.len()).saturating_mul(16), call.span)?;
                all.extend(more.iter().cloned());
            }
            Value::Array(all)
        }
        M::Union | M::Difference | M::Intersection => sets(it, call, method, items)?,
        M::Intersect => {
            let Value::Array(both) = operators::intersect(it, call, items, call.list(0)?)? else { return Ok(Value::Nil) };
            Value::Bool(!both.is_empty())
        }
        M::Delete => {
            let mut kept = Vec::new();
            for item in items {
                let mut gone = false;
                for wanted in &call.args {
                    gone |= equal(it, item, wanted, call.span)?;
                }
                if !gone {
                    kept.push(item.clone());
                }
            }
            Value::array(kept)
        }
        M::Zip => zip(it, call, items)?,
        M::Product => {
            let other = call.list(0)?;
            it.meter.room(items.len().saturating_mul(other.len()).saturating_mul(48), call.span)?;
            let pairs = items.iter().flat_map(|a| other.iter().map(move |b| Value::array([a.clone(), b.clone()])));
            Value::array(pairs)
        }
        M::Transpose => transpose(it, call, items)?,
        M::ToH if call.lambda.is_none() => to_map(it, call, items.iter().cloned())?,
        M::EachSlice | M::EachCons => slices(it, call, method, items)?,
        _ => closures::call(it, call, method, items)?,
    })
}

fn place(found: Option<usize>) -> Value {
    found.map_or(Value::Nil, |i| Value::Int(i as i64))
}

/// Returns the index of the first equal element.
fn find(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value], wanted: &Value) -> Eval<Option<usize>> {
    for (i, item) in items.iter().enumerate() {
        if equal(it, item, wanted, call.span)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// Returns the distinct elements in the order of their first occurrence.
fn unique<'v>(items: impl Iterator<Item = &'v Value>) -> Value {
    let mut seen = HashSet::new();
    Value::array(items.filter(|v| seen.insert(*v)).cloned())
}

fn fetch(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval {
    let wanted = call.int(0)?;
    let at = if wanted < 0 { items.len() as i64 + wanted } else { wanted };
    match usize::try_from(at).ok().and_then(|i| items.get(i)) {
        Some(value) => Ok(value.clone()),
        None if call.lambda.is_some() => call.with(it, &[Value::Int(wanted)]),
        None if call.has(1) => Ok(call.arg(1).clone()),
        None => Err(call.fail_of("IndexError", format!("index {wanted} is out of range for a list of {}", items.len()))),
    }
}

fn flatten(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval {
    fn into(out: &mut Vec<Value>, items: &[Value], depth: i64) {
        for item in items {
            match item {
                Value::Array(inner) if depth != 0 => into(out, inner, depth - 1),
                other => out.push(other.clone()),
            }
        }
    }
    it.meter.admit(&Value::array(items.iter().cloned()), call.span)?;
    let mut out = Vec::new();
    into(&mut out, items, call.maybe_int(0)?.unwrap_or(-1).max(-1));
    Ok(Value::array(out))
}

/// Sorts elements; fails if they cannot be compared.
pub(super) fn sort(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, mut items: Vec<Value>) -> Eval {
    pay_sort(it, call, &items)?;
    if let Some((a, b)) = incomparable(&items) {
        return Err(no_order(call, a, b));
    }
    items.sort_by(|a, b| operators::order(a, b).unwrap_or(Ordering::Equal));
    Ok(Value::array(items))
}

/// Pays for n log n comparisons, and for the size of the elements.
pub(super) fn pay_sort(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval<()> {
    let rounds = u64::from(items.len().max(1).ilog2()) + 1;
    it.meter.spend(items.len() as u64 * rounds / 4, call.span)?;
    for item in items {
        it.meter.admit(item, call.span)?;
    }
    Ok(())
}

/// Returns two adjacent elements that cannot be compared.
pub(super) fn incomparable(items: &[Value]) -> Option<(&Value, &Value)> {
    items.iter().zip(items.iter().skip(1)).find(|(a, b)| operators::order(a, b).is_none())
}

fn extreme(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value], wanted: Ordering) -> Eval {
    let mut best: Option<&Value> = None;
    for item in items {
        match best {
            None => best = Some(item),
            Some(b) => {
                let order = operators::compare(it, item, b, call.span)?.ok_or_else(|| no_order(call, item, b))?;
                if order == wanted {
                    best = Some(item);
                }
            }
        }
    }
    Ok(best.cloned().unwrap_or_default())
}

/// Joins elements as strings with a separator; nested lists are joined recursively.
pub(in crate::eval) fn join(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value], between: &str) -> Eval {
    fn into(out: &mut Vec<u8>, items: &[Value], between: &str, limit: usize, first: &mut bool) {
        for item in items {
            if out.len() > limit {
                return;
            }
            match item {
                Value::Array(inner) => into(out, inner, between, limit, first),
                other => {
                    if !std::mem::take(first) {
                        out.extend_from_slice(between.as_bytes());
                    }
                    match other {
                        Value::Binary(bytes) => out.extend_from_slice(bytes),
                        other => out.extend_from_slice(other.to_text().as_bytes()),
                    }
                }
            }
        }
    }
    for item in items {
        it.meter.admit(item, call.span)?;
    }
    it.meter.room(items.len().saturating_sub(1).saturating_mul(between.len()), call.span)?;
    let mut out = Vec::new();
    // The size is checked with the result; this limit only stops the loop.
    into(&mut out, items, between, 1 << 24, &mut true);
    Ok(String::from_utf8(out).map_or_else(|e| Value::from_bytes(e.into_bytes()), Value::str))
}

fn insert(call: &BuiltinCall<'_>, items: &[Value]) -> Eval {
    let wanted = call.int(0)?;
    let at = if wanted < 0 { items.len() as i64 + wanted + 1 } else { wanted };
    let parts = usize::try_from(at).ok().and_then(|at| items.split_at_checked(at));
    let Some((before, after)) = parts else {
        return Err(call.fail(format!("index {wanted} is out of range for a list of {}", items.len())));
    };
    Ok(Value::array(before.iter().chain(call.args.iter().skip(1)).chain(after).cloned()))
}

fn sets(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, items: &EcoVec<Value>) -> Eval {
    let mut result = Value::Array(items.clone());
    for i in 0..call.args.len() {
        let other = call.list(i)?;
        let Value::Array(so_far) = &result else { break };
        result = match method {
            Method::Difference => operators::subtract(it, call, so_far, other)?,
            Method::Intersection => operators::intersect(it, call, so_far, other)?,
            _ => {
                charge_lists(it, call, so_far, other)?;
                unique(so_far.iter().chain(other))
            }
        };
    }
    match &result {
        Value::Array(all) if method != Method::Difference => {
            charge_lists(it, call, all, &[])?;
            Ok(unique(all.iter()))
        }
        _ => Ok(result),
    }
}

fn zip(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval {
    it.meter.room(items.len().saturating_mul(call.args.len() + 1).saturating_mul(16), call.span)?;
    let column = |place: usize| match Limits::of(call.arg(place)) {
        Some(limits) => limits.leading(items.len()).ok_or_else(|| call.takes("a list", call.arg(place))),
        None => Ok(call.list(place)?.iter().take(items.len()).cloned().collect()),
    };
    let columns: Vec<Vec<Value>> = (0..call.args.len()).map(column).collect::<Eval<_>>()?;
    let row = |(i, item): (usize, &Value)| {
        let others = columns.iter().map(|column| column.get(i).cloned().unwrap_or_default());
        Value::Array(std::iter::once(item.clone()).chain(others).collect())
    };
    Ok(Value::array(items.iter().enumerate().map(row)))
}

fn transpose(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval {
    let width = items.first().and_then(Value::as_array).map_or(0, <[Value]>::len);
    if let Some(bad) = items.iter().find(|row| row.as_array().is_none_or(|r| r.len() != width)) {
        return Err(call.takes("lists of the same length", bad));
    }
    it.meter.room(items.len().saturating_mul(width).saturating_mul(16), call.span)?;
    let column = |i: usize| Value::array(items.iter().filter_map(|row| row.as_array()?.get(i).cloned()));
    Ok(Value::array((0..width).map(column)))
}

/// Creates a map from pairs.
pub(super) fn to_map(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, pairs: impl IntoIterator<Item = Value>) -> Eval {
    let mut map = Map::new();
    for pair in pairs {
        match pair.unwrapped().as_array() {
            Some([key, value]) => {
                it.meter.admit(key, call.span)?;
                map.insert(key.clone(), value.clone());
            }
            Some(_) => {
                let message = format!("`{}` takes pairs: lists of two, not {}", call.name, describe(&pair));
                return Err(call.fail_of("ArgumentError", message));
            }
            None => return Err(call.takes("pairs: lists of two", &pair)),
        }
    }
    Ok(Value::Map(Arc::new(map)))
}

fn slices(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, items: &EcoVec<Value>) -> Eval {
    let size = call.count(0)?;
    if size == 0 {
        return Err(call.fail(format!("`{}` takes a number above 0", call.name)));
    }
    let parts: Vec<&[Value]> = match method {
        Method::EachSlice => items.chunks(size).collect(),
        _ => items.windows(size).collect(),
    };
    it.meter.room(parts.iter().map(|p| p.len() * 16).sum(), call.span)?;
    let parts: Vec<_> = parts.into_iter().map(|p| Value::array(p.iter().cloned())).collect();
    if call.lambda.is_none() {
        return Ok(Value::array(parts));
    }
    for part in &parts {
        call.with(it, std::slice::from_ref(part))?;
    }
    Ok(Value::Array(items.clone()))
}
