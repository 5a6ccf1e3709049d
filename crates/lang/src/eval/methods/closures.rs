//! Methods of lists that call a closure for each element. Maps use them with their pairs.

use super::list::{incomparable, pay_sort, sort, to_map};
use super::{no_order, unfit};
use crate::eval::call::{BuiltinCall, Eval, Stop, describe};
use crate::eval::interpreter::Interpreter;
use crate::eval::operators::{self, equal};
use crate::eval::scope::Failure;
use crate::eval::secret;
use crate::types::builtin::Method;
use crate::value::{EcoVec, Map, Value};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, items: &EcoVec<Value>) -> Eval {
    use Method as M;
    match method {
        M::Each => {
            each(it, call, items.iter().map(std::slice::from_ref))?;
            Ok(Value::Array(items.clone()))
        }
        M::EachWithIndex => each_with_index(it, call, items),
        M::Map | M::Collect => Ok(Value::array(gather(it, call, items)?)),
        M::FlatMap => {
            let mut all = Vec::new();
            for value in gather(it, call, items)? {
                match &value {
                    Value::Array(inner) => {
                        it.meter.spend(inner.len() as u64, call.span)?;
                        all.extend(inner.iter().cloned());
                    }
                    _ => all.push(value),
                }
            }
            Ok(Value::array(all))
        }
        M::FilterMap => {
            let mut all = Vec::new();
            for value in gather(it, call, items)? {
                if it.truth(&value, call.span)? {
                    all.push(value);
                }
            }
            Ok(Value::array(all))
        }
        M::Select | M::Filter | M::KeepIf | M::FindAll => Ok(Value::array(divide(it, call, items)?.0)),
        M::Reject | M::DeleteIf => Ok(Value::array(divide(it, call, items)?.1)),
        M::Partition => {
            let (yes, no) = divide(it, call, items)?;
            Ok(Value::array([Value::array(yes), Value::array(no)]))
        }
        M::Find | M::Detect => Ok(position(it, call, items)?.and_then(|i| items.get(i).cloned()).unwrap_or_default()),
        M::Index | M::FindIndex => Ok(position(it, call, items)?.map_or(Value::Nil, |i| Value::Int(i as i64))),
        M::Rindex => {
            let mut found = Value::Nil;
            for (i, item) in items.iter().enumerate() {
                if call.test(it, item)? {
                    found = Value::Int(i as i64);
                }
            }
            Ok(found)
        }
        M::Any | M::All | M::None | M::One => quantify(it, call, method, items),
        M::Count => Ok(Value::Int(divide(it, call, items)?.0.len() as i64)),
        M::TakeWhile | M::DropWhile => {
            let mut end = items.len();
            for (i, item) in items.iter().enumerate() {
                if !call.test(it, item)? {
                    end = i;
                    break;
                }
            }
            let (first, second) = items.split_at_checked(end).unwrap_or((items, &[]));
            Ok(Value::array(if method == M::TakeWhile { first } else { second }.iter().cloned()))
        }
        M::SliceWhen | M::ChunkWhile => runs(it, call, items, method == M::ChunkWhile),
        M::Sort => sort_with(it, call, items),
        M::SortBy => {
            let Keys { values, are_secret } = keyed(it, call, items)?;
            let mut order: Vec<_> = values.into_iter().zip(items).collect();
            let keys: Vec<_> = order.iter().map(|(k, _)| k.clone()).collect();
            pay_sort(it, call, &keys)?;
            if let Some((a, b)) = incomparable(&keys) {
                return Err(if are_secret { call.fail(call.concealed()) } else { no_order(call, a, b) });
            }
            order.sort_by(|(a, _), (b, _)| operators::order(a, b).unwrap_or(Ordering::Equal));
            Ok(Value::array(order.into_iter().map(|(_, v)| v.clone())))
        }
        M::MinBy | M::MaxBy => {
            let wanted = if method == M::MinBy { Ordering::Less } else { Ordering::Greater };
            let mut best: Option<(Value, &Value)> = None;
            let Keys { values, are_secret } = keyed(it, call, items)?;
            for (key, item) in values.into_iter().zip(items) {
                let better = match &best {
                    None => true,
                    Some((b, _)) => {
                        let order = operators::compare(it, &key, b, call.span)?;
                        let failure = || if are_secret { call.fail(call.concealed()) } else { no_order(call, &key, b) };
                        order.ok_or_else(failure)? == wanted
                    }
                };
                if better {
                    best = Some((key, item));
                }
            }
            Ok(best.map(|(_, v)| v.clone()).unwrap_or_default())
        }
        M::Sum => {
            let values = gather(it, call, items)?;
            sum(it, call, &values)
        }
        M::Reduce | M::Inject => reduce(it, call, items),
        M::GroupBy => {
            let mut groups = Map::new();
            let Keys { values, are_secret } = keyed(it, call, items)?;
            for (key, item) in values.into_iter().zip(items) {
                it.meter.admit(&key, call.span)?;
                if let Value::Array(group) = groups.entry(key).or_insert_with(|| Value::array([])) {
                    group.push(item.clone());
                }
            }
            let groups = Value::Map(Arc::new(groups));
            Ok(if are_secret { secret::close(groups) } else { groups })
        }
        M::Uniq => {
            let mut seen = HashSet::new();
            let mut kept = Vec::new();
            for (key, item) in keyed(it, call, items)?.values.into_iter().zip(items) {
                it.meter.admit(&key, call.span)?;
                if seen.insert(key) {
                    kept.push(item.clone());
                }
            }
            Ok(Value::array(kept))
        }
        M::ToH => {
            let pairs = gather(it, call, items)?;
            to_map(it, call, pairs)
        }
        _ => Err(unfit(call, &Value::Array(items.clone()))),
    }
}

/// Calls the closure with each element. An undecided element does not hide the failure of a later element.
fn each<T: AsRef<[Value]>>(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, elements: impl Iterator<Item = T>) -> Eval<()> {
    let mut undecided = None;
    for element in elements {
        if let Err(stop) = call.with(it, element.as_ref()) {
            let failure = it.continue_after(&call.lambda()?.body, stop)?;
            undecided.get_or_insert(failure);
        }
    }
    undecided.map_or(Ok(()), |failure| Err(Stop::Fail(failure)))
}

/// Returns the closure's result for each element.
fn gather(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval<Vec<Value>> {
    items.iter().map(|item| call.with(it, std::slice::from_ref(item))).collect()
}

/// Returns the closure's result for each element, unwrapped for comparison; fails if a result is unknown.
fn keyed(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval<Keys> {
    let mut keys = Keys { values: Vec::with_capacity(items.len()), are_secret: false };
    for item in items {
        let key = call.with(it, std::slice::from_ref(item))?;
        it.known(&key, call.span)?;
        keys.are_secret |= it.is_secret(&key);
        keys.values.push(secret::open(&key));
    }
    Ok(keys)
}

/// The closure's results for all elements.
struct Keys {
    /// The values, without wrappers of secrets.
    values: Vec<Value>,
    /// `true` if any value is secret, so that neither a message nor the result may show it.
    are_secret: bool,
}

/// Partitions the elements into elements for which the closure is true, and the others.
fn divide(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval<(Vec<Value>, Vec<Value>)> {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for item in items {
        if call.test(it, item)? { &mut yes } else { &mut no }.push(item.clone());
    }
    Ok((yes, no))
}

fn position(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval<Option<usize>> {
    for (i, item) in items.iter().enumerate() {
        if call.test(it, item)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

fn each_with_index(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &EcoVec<Value>) -> Eval {
    let place = |i: usize| Value::Int(i as i64);
    if call.lambda.is_none() {
        it.meter.room(items.len().saturating_mul(48), call.span)?;
        return Ok(Value::array(items.iter().enumerate().map(|(i, v)| Value::array([v.clone(), place(i)]))));
    }
    each(it, call, items.iter().enumerate().map(|(i, item)| [item.clone(), place(i)]))?;
    Ok(Value::Array(items.clone()))
}

fn quantify(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, items: &[Value]) -> Eval {
    let (mut hits, mut misses) = (0, 0);
    let mut undecided = None;
    for item in items {
        let truth = if call.lambda.is_some() {
            call.truth(it, item, undecided.is_none())?
        } else if item.has_unknown() {
            Err(Box::new(Failure::unknown(call.span)))
        } else if call.has(0) {
            Ok(fits(it, call, item)?)
        } else {
            Ok(it.truth(item, call.span)?)
        };
        match truth {
            Ok(true) => hits += 1,
            Ok(false) => misses += 1,
            Err(failure) => undecided = undecided.or(Some(failure)),
        }
        let answer = match method {
            Method::Any => (hits > 0).then_some(true),
            Method::None => (hits > 0).then_some(false),
            Method::One => (hits > 1).then_some(false),
            _ => (misses > 0).then_some(false),
        };
        if let Some(answer) = answer {
            return Ok(Value::Bool(answer));
        }
    }
    match undecided {
        Some(failure) => Err(Stop::Fail(failure)),
        None if method == Method::One => Ok(Value::Bool(hits == 1)),
        None => Ok(Value::Bool(method != Method::Any)),
    }
}

/// Returns `true` if an element matches the argument of `xs.all?(String)`, `xs.any?(/x/)` or `xs.any?(3)`.
fn fits(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, item: &Value) -> Eval<bool> {
    match call.arg(0) {
        Value::Type(data_type) => Ok(data_type.accepts(item)),
        Value::Regex(regex) => match item.as_text() {
            Some(text) => Ok(it.search(regex, text, 0, call.span)?.is_some()),
            None => Ok(false),
        },
        other => equal(it, other, item, call.span),
    }
}

/// Divides a list between neighbours for which the closure's truth value differs from `joins`.
fn runs(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &EcoVec<Value>, joins: bool) -> Eval {
    let mut runs: Vec<EcoVec<Value>> = Vec::new();
    let mut last: Option<&Value> = None;
    for item in items {
        let answer = match last {
            Some(before) => Some(call.with(it, &[before.clone(), item.clone()])?),
            None => None,
        };
        let is_joined = match &answer {
            Some(answer) => it.truth(answer, call.span)? == joins,
            None => false,
        };
        match runs.last_mut().filter(|_| is_joined) {
            Some(run) => run.push(item.clone()),
            None => runs.push(EcoVec::from([item.clone()])),
        }
        last = Some(item);
    }
    Ok(Value::array(runs.into_iter().map(Value::Array)))
}

/// Evaluates `sort { |a, b| … }` with a merge sort, which also terminates if the closure is inconsistent.
fn sort_with(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &EcoVec<Value>) -> Eval {
    if call.lambda.is_none() {
        return sort(it, call, items.to_vec());
    }
    let mut runs: Vec<Vec<Value>> = items.iter().map(|v| vec![v.clone()]).collect();
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len() / 2 + 1);
        let mut rest = runs.into_iter();
        while let Some(first) = rest.next() {
            merged.push(match rest.next() {
                Some(second) => merge(it, call, first, second)?,
                None => first,
            });
        }
        runs = merged;
    }
    Ok(Value::array(runs.pop().unwrap_or_default()))
}

fn merge(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, first: Vec<Value>, second: Vec<Value>) -> Eval<Vec<Value>> {
    let mut out = Vec::with_capacity(first.len() + second.len());
    let (mut a, mut b) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let answer = call.with(it, &[x.clone(), y.clone()])?;
        it.known(&answer, call.span)?;
        let first_is_less = match answer.unwrapped() {
            Value::Int(n) => *n <= 0,
            Value::Float(n) => *n <= 0.0,
            _ if it.is_secret(&answer) => return Err(call.fail("the closure of `sort` must give a number")),
            other => return Err(call.wrong(format!("the closure of `sort` must give a number, not {}", describe(other)))),
        };
        out.extend(if first_is_less { a.next() } else { b.next() });
    }
    out.extend(a);
    out.extend(b);
    Ok(out)
}

/// Evaluates `sum`: adds all elements with `+` to the argument, or to 0.
pub(super) fn sum(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &[Value]) -> Eval {
    let mut total = if call.has(0) { call.arg(0).clone() } else { Value::Int(0) };
    let mut items = items.iter().peekable();
    while let Some(item) = items.next() {
        if let (Value::Int(whole), Value::Float(first)) = (&total, item) {
            total = Value::Float(float_sum(*whole as f64, *first, &mut items));
            continue;
        }
        total = combine(it, call, crate::types::BinaryOp::Add, total, item.clone())?;
    }
    Ok(total)
}

/// Adds numbers after the first float with the error of each addition, as in Ruby (Kahan and Babuška).
fn float_sum<'v>(start: f64, first: f64, items: &mut std::iter::Peekable<impl Iterator<Item = &'v Value>>) -> f64 {
    let (mut sum, mut error) = (start, 0.0);
    let mut next = Some(first);
    while let Some(number) = next {
        if sum.is_finite() && number.is_finite() {
            let all = sum + number;
            error += if sum.abs() >= number.abs() { (sum - all) + number } else { (number - all) + sum };
            sum = all;
        } else {
            sum += number;
        }
        next = items.peek().and_then(|item| match item {
            Value::Float(number) => Some(*number),
            Value::Int(number) => Some(*number as f64),
            _ => None,
        });
        if next.is_some() {
            items.next();
        } else if items.peek().is_some() {
            // Ruby forgets the error if an element other than a number follows.
            return sum;
        }
    }
    sum + error
}

fn combine(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, op: crate::types::BinaryOp, a: Value, b: Value) -> Eval {
    operators::values(it, op, a, b, call.secret, call.span)
}

/// Evaluates `reduce(init) { |acc, x| … }`, `reduce { … }`, `reduce(:+)` or `reduce(0, :+)`.
fn reduce(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &EcoVec<Value>) -> Eval {
    let (start, symbol) = match (call.lambda.is_some(), call.args.as_slice()) {
        (true, []) => (None, None),
        (true, [start, ..]) => (Some(start.clone()), None),
        (false, [symbol]) => (None, Some(symbol)),
        (false, [start, symbol, ..]) => (Some(start.clone()), Some(symbol)),
        (false, []) => return Err(call.fail(format!("`{}` needs a closure", call.name))),
    };
    let op = match symbol {
        Some(symbol) => {
            let op = symbol.as_text().and_then(operators::named);
            Some(op.ok_or_else(|| call.takes("an operator such as `:+`", symbol))?)
        }
        None => None,
    };
    let mut rest = items.iter();
    let mut total = match start {
        Some(start) => start,
        None => match rest.next() {
            Some(first) => first.clone(),
            None => return Ok(Value::Nil),
        },
    };
    for item in rest {
        total = match op {
            Some(op) => combine(it, call, op, total, item.clone())?,
            None => call.with(it, &[total, item.clone()])?,
        };
    }
    Ok(total)
}
