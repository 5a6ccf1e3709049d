//! Orders and selections of a list's elements, and replacement of an element.

use super::string::replaced;
use crate::eval::call::{BuiltinCall, Eval};
use crate::eval::interpreter::Interpreter;
use crate::types::builtin::Method;
use crate::value::{EcoString, EcoVec, Value};

/// Evaluates `permutation` and `combination`, in Ruby's order.
pub(super) fn selections(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, items: &[Value]) -> Eval {
    let wanted = call.maybe_int(0)?.unwrap_or(items.len() as i64);
    let Some(wanted) = usize::try_from(wanted).ok().filter(|n| *n <= items.len()) else { return Ok(Value::array([])) };
    // The number of results times their length, before any result is created.
    let count = (0..wanted).fold(1usize, |count, i| {
        let next = count.saturating_mul(items.len() - i);
        if method == Method::Combination { next / (i + 1) } else { next }
    });
    it.meter.room(count.saturating_mul(wanted + 1).saturating_mul(16), call.span)?;
    let (mut all, mut chosen) = (Vec::new(), Vec::new());
    choose(items, wanted, method == Method::Combination, &mut chosen, &mut all);
    Ok(Value::array(all))
}

fn choose(items: &[Value], wanted: usize, ordered: bool, chosen: &mut Vec<usize>, all: &mut Vec<Value>) {
    if chosen.len() == wanted {
        all.push(Value::array(chosen.iter().filter_map(|i| items.get(*i).cloned())));
        return;
    }
    let first = if ordered { chosen.last().map_or(0, |last| last + 1) } else { 0 };
    for i in first..items.len() {
        if ordered || !chosen.contains(&i) {
            chosen.push(i);
            choose(items, wanted, ordered, chosen, all);
            chosen.pop();
        }
    }
}

/// Evaluates `put` for a list: the elements up to an index beyond the end are nil.
pub(super) fn put(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, items: &EcoVec<Value>) -> Eval {
    let wanted = call.int(0)?;
    let at = if wanted < 0 { items.len() as i64 + wanted } else { wanted };
    let Ok(at) = usize::try_from(at) else {
        return Err(call.fail_of("IndexError", format!("index {wanted} is out of range for a list of {}", items.len())));
    };
    it.meter.room(at.max(items.len()).saturating_mul(16), call.span)?;
    let mut all: Vec<Value> = items.to_vec();
    if at >= all.len() {
        all.resize(at + 1, Value::Nil);
    }
    if let Some(place) = all.get_mut(at) {
        *place = call.arg(1).clone();
    }
    Ok(Value::array(all))
}

/// Evaluates `put` for a string: replaces a character, or the first occurrence of a substring.
pub(super) fn put_text(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, text: &EcoString) -> Eval {
    let new = call.text(1)?;
    it.meter.room(text.len().saturating_add(new.len()), call.span)?;
    let range = match call.arg(0) {
        Value::Str(part) => text.find(part.as_str()).map(|at| at..at + part.len()),
        _ => {
            let wanted = call.int(0)?;
            let count = text.chars().count() as i64;
            let at = if wanted < 0 { count + wanted } else { wanted };
            let mut places = text.char_indices().map(|(i, c)| i..i + c.len_utf8()).chain(std::iter::once(text.len()..text.len()));
            usize::try_from(at).ok().and_then(|at| places.nth(at))
        }
    };
    match range.and_then(|range| replaced(text, range, &new)) {
        Some(text) => Ok(Value::Str(text)),
        None => Err(call.fail("there is no such part of the text to replace")),
    }
}
