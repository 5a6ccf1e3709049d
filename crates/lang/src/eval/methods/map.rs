//! Methods of maps. Most methods with a closure work on the list of pairs.

use super::{closures, list, unfit};
use crate::eval::call::{BuiltinCall, Eval, Stop, describe};
use crate::eval::interpreter::Interpreter;
use crate::eval::operators::equal;
use crate::eval::{index, secret};
use crate::types::builtin::Method;
use crate::value::{EcoVec, Map, Value};
use std::sync::Arc;

fn pair((key, value): (&Value, &Value)) -> Value {
    Value::array([key.clone(), value.clone()])
}

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, map: &Arc<Map>) -> Eval {
    use Method as M;
    let whole = || Value::Map(map.clone());
    let of = |map: Map| Value::Map(Arc::new(map));
    for key in &call.args {
        it.meter.admit(key, call.span)?;
    }
    Ok(match method {
        M::ToH if call.lambda.is_none() => whole(),
        M::Length | M::Size => Value::Int(map.len() as i64),
        M::Count if call.lambda.is_none() => Value::Int(map.len() as i64),
        M::Empty => Value::Bool(map.is_empty()),
        M::Include | M::Member | M::IsKey | M::HasKey => Value::Bool(map.contains_key(call.arg(0))),
        M::IsValue | M::HasValue => Value::Bool(key_of(it, call, map)?.is_some()),
        M::Key => key_of(it, call, map)?.unwrap_or_default(),
        M::Keys => Value::array(map.keys().cloned()),
        M::Values => Value::array(map.values().cloned()),
        M::ToA => Value::array(pairs(it, call, map)?),
        M::First | M::Min | M::Max | M::Minmax => {
            let all = pairs(it, call, map)?;
            list::call(it, call, method, &all)?
        }
        M::Fetch => match map.get(call.arg(0)) {
            Some(value) => value.clone(),
            None if call.lambda.is_some() => call.with(it, std::slice::from_ref(call.arg(0)))?,
            None if call.has(1) => call.arg(1).clone(),
            None => return Err(call.fail_of("KeyError", format!("the map has no key {}", describe(call.arg(0))))),
        },
        M::Dig => dig(it, call, &whole())?,
        M::ValuesAt => Value::array(call.args.iter().map(|k| map.get(k).cloned().unwrap_or_default())),
        M::Slice => of(call.args.iter().filter_map(|k| map.get_key_value(k)).map(owned).collect()),
        M::Except | M::Delete => of(map.iter().filter(|(k, _)| !call.args.contains(k)).map(owned).collect()),
        M::Compact => of(map.iter().filter(|(_, v)| !v.is_nil()).map(owned).collect()),
        M::Invert => of(map.iter().map(|(k, v)| (v.clone(), k.clone())).collect()),
        M::Put => {
            let mut new = Map::clone(map);
            new.insert(call.arg(0).clone(), call.arg(1).clone());
            of(new)
        }
        M::FetchValues => {
            let mut found = Vec::new();
            for key in &call.args {
                found.push(match map.get(key) {
                    Some(value) => value.clone(),
                    None if call.lambda.is_some() => call.with(it, std::slice::from_ref(key))?,
                    None => return Err(call.fail_of("KeyError", format!("the map has no key {}", describe(key)))),
                });
            }
            Value::array(found)
        }
        M::Merge => merge(it, call, map)?,
        M::TransformValues => {
            let mut new = Map::with_capacity(map.len());
            for (key, value) in map.iter() {
                new.insert(key.clone(), call.with(it, std::slice::from_ref(value))?);
            }
            of(new)
        }
        M::TransformKeys => {
            let mut new = Map::with_capacity(map.len());
            for (key, value) in map.iter() {
                let key = call.with(it, std::slice::from_ref(key))?;
                it.known(&key, call.span)?;
                it.meter.admit(&key, call.span)?;
                new.insert(key, value.clone());
            }
            of(new)
        }
        M::Each | M::EachPair | M::EachWithIndex => {
            let all = pairs(it, call, map)?;
            let method = if method == M::EachPair { M::Each } else { method };
            let result = closures::call(it, call, method, &all)?;
            if call.lambda.is_some() { whole() } else { result }
        }
        M::EachKey | M::EachValue => {
            for (key, value) in map.iter() {
                call.with(it, std::slice::from_ref(if method == M::EachKey { key } else { value }))?;
            }
            whole()
        }
        // As in Ruby, a closure with one parameter gets the key.
        M::Select | M::Filter | M::KeepIf | M::Reject | M::DeleteIf if call.lambda.is_some_and(|l| l.params.len() == 1) => {
            let mut kept = Map::new();
            for (key, value) in map.iter() {
                if call.test(it, key)? != matches!(method, M::Reject | M::DeleteIf) {
                    kept.insert(key.clone(), value.clone());
                }
            }
            of(kept)
        }
        M::Select | M::Filter | M::KeepIf | M::FindAll | M::Reject | M::DeleteIf => {
            let all = pairs(it, call, map)?;
            match closures::call(it, call, method, &all)? {
                // As in Ruby, `find_all` of a map returns a list of pairs and `select` a map.
                Value::Array(kept) if method != M::FindAll => list::to_map(it, call, kept.iter().cloned())?,
                other => other,
            }
        }
        M::Any if call.lambda.is_none() && !call.has(0) => Value::Bool(!map.is_empty()),
        M::Map
        | M::Collect
        | M::FlatMap
        | M::FilterMap
        | M::Partition
        | M::Find
        | M::Detect
        | M::Any
        | M::All
        | M::None
        | M::One
        | M::Count
        | M::Sort
        | M::SortBy
        | M::MinBy
        | M::MaxBy
        | M::Sum
        | M::Reduce
        | M::Inject
        | M::GroupBy
        | M::ToH => {
            let all = pairs(it, call, map)?;
            closures::call(it, call, method, &all)?
        }
        M::ChunkWhile
        | M::SliceWhen
        | M::Drop
        | M::DropWhile
        | M::EachCons
        | M::EachSlice
        | M::FindIndex
        | M::Take
        | M::TakeWhile
        | M::Tally
        | M::Uniq
        | M::Zip => {
            let all = pairs(it, call, map)?;
            list::call(it, call, method, &all)?
        }
        _ => return Err(unfit(call, &whole())),
    })
}

fn owned((key, value): (&Value, &Value)) -> (Value, Value) {
    (key.clone(), value.clone())
}

fn pairs(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, map: &Map) -> Eval<EcoVec<Value>> {
    it.meter.spend(map.len() as u64, call.span)?;
    Ok(map.iter().map(pair).collect())
}

fn key_of(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, map: &Map) -> Eval<Option<Value>> {
    for (key, value) in map {
        if equal(it, value, call.arg(0), call.span)? {
            return Ok(Some(key.clone()));
        }
    }
    Ok(None)
}

fn merge(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, map: &Map) -> Eval {
    let mut merged = map.clone();
    for other in &call.args {
        let Value::Map(other) = other else {
            return Err(call.takes("maps", other));
        };
        it.meter.spend(other.len() as u64, call.span)?;
        for (key, new) in other.iter() {
            let value = match merged.get(key) {
                Some(old) if call.lambda.is_some() => {
                    let old = old.clone();
                    call.with(it, &[key.clone(), old, new.clone()])?
                }
                _ => new.clone(),
            };
            merged.insert(key.clone(), if call.secret { secret::open(&value) } else { value });
        }
    }
    Ok(Value::Map(Arc::new(merged)))
}

/// Evaluates `value.dig(:a, 0, "b")`.
pub(super) fn dig(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, value: &Value) -> Eval {
    let mut here = value.clone();
    for step in &call.args {
        it.meter.admit(step, call.span)?;
        here = match (&here, step) {
            (Value::Nil, _) => return Ok(Value::Nil),
            (Value::Map(map), key) => map.get(key).cloned().unwrap_or_default(),
            (Value::Array(items), Value::Int(n)) => index::at(items, *n),
            (other, _) => return Err(cannot_dig(call, other)),
        };
    }
    Ok(here)
}

fn cannot_dig(call: &BuiltinCall<'_>, value: &Value) -> Stop {
    call.wrong(format!("`dig` goes through lists and maps, not {}", describe(value)))
}
