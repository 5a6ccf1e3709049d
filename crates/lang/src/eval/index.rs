//! Index expressions (`list[1]`, `list[0..2]`, `text[/re/, 1]`, `map[k]`, `r[:x]`) and ranges.

use super::call::{Args, BuiltinCall, Eval, describe};
use super::interpreter::{Interpreter, LastMatch};
use super::{methods, secret};
use crate::source::Span;
use crate::types::{Node, Op};
use crate::value::{EcoString, Value};
use smallvec::smallvec;

/// Evaluates `receiver[arguments]`.
#[inline(never)]
pub(super) fn index(it: &mut Interpreter<'_>, receiver: &Node, arguments: &[Node], span: Span) -> Eval {
    let receiver = it.eval(receiver)?;
    it.truth(&receiver, span)?; // Fails if the receiver as a whole is unknown.
    let value = receiver.unwrapped().clone();
    // The elements of a list or map keep their own wrappers; they become secret only if the whole receiver is secret.
    let is_secret = matches!(receiver, Value::Sensitive(_));
    if let [Node { op: Op::Range(from, to, exclusive), .. }] = arguments {
        let from = bound(it, from.as_deref(), span)?;
        let to = bound(it, to.as_deref(), span)?;
        let call = it.call("[]", Args::new(), is_secret, None, span)?;
        let part = range(&mut it.meter, &call, &value, from, to, *exclusive)?;
        return finish(it, &call, part);
    }
    let arguments = it.all(arguments)?;
    if let Value::Resource(resource) = &value {
        let name = arguments.first().cloned().unwrap_or_default();
        it.known(&name, span)?;
        return match name.as_text() {
            Some(name) => it.resource_attribute(resource, name, span),
            None => {
                let call = it.call("[]", smallvec![name], is_secret, None, span)?;
                Err(call.takes("a symbol", call.arg(0)))
            }
        };
    }
    let call = it.call("[]", arguments, is_secret, None, span)?;
    let found = lookup(it, &call, &value)?;
    finish(it, &call, found)
}

fn finish(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, value: Value) -> Eval {
    it.meter.spend(1, call.span)?;
    Ok(if call.secret { secret::close(value) } else { value })
}

fn bound(it: &mut Interpreter<'_>, node: Option<&Node>, span: Span) -> Eval<Option<i64>> {
    let Some(node) = node else { return Ok(None) };
    let value = it.eval(node)?;
    let call = it.call("..", smallvec![value], false, None, span)?;
    call.maybe_int(0)
}

/// Evaluates `receiver[arguments]`, except for ranges and resources, and `slice`.
pub(super) fn lookup(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, value: &Value) -> Eval {
    match value {
        Value::Array(items) if call.has(1) => {
            let part = span_of(call.int(0)?, call.int(1)?, items.len());
            let part = part.and_then(|(from, to)| items.get(from..to));
            Ok(part.map_or(Value::Nil, |p| Value::array(p.iter().cloned())))
        }
        Value::Array(items) => Ok(at(items, call.int(0)?)),
        Value::Map(map) => {
            it.meter.admit(call.arg(0), call.span)?;
            Ok(map.get(call.arg(0)).cloned().unwrap_or_default())
        }
        Value::Object(object) => Ok(object.fields.get(call.arg(0)).cloned().unwrap_or_default()),
        Value::Str(text) => in_text(it, call, text),
        Value::Sym(text) => in_text(it, call, &text.text()),
        other => Err(methods::no_method(other, "[]", call.span)),
    }
}

/// Returns the element at an index, which counts from the end if negative; nil for an index out of bounds.
pub(super) fn at(items: &[Value], place: i64) -> Value {
    let place = if place < 0 { items.len() as i64 + place } else { place };
    usize::try_from(place).ok().and_then(|i| items.get(i)).cloned().unwrap_or_default()
}

/// Returns start and end of `[start, length]`, or `None` if out of bounds.
fn span_of(start: i64, length: i64, len: usize) -> Option<(usize, usize)> {
    let start = if start < 0 { start.checked_add(i64::try_from(len).ok()?)? } else { start };
    let start = usize::try_from(start).ok().filter(|s| *s <= len)?;
    let length = usize::try_from(length).ok()?;
    Some((start, start.saturating_add(length).min(len)))
}

/// Returns start and end of `[from..to]`, or `None` if out of bounds.
fn range_of(from: Option<i64>, to: Option<i64>, exclusive: bool, len: usize) -> Option<(usize, usize)> {
    let whole = i64::try_from(len).ok()?;
    let from = from.unwrap_or(0);
    let from = if from < 0 { from.checked_add(whole)? } else { from };
    let end = match to {
        None => whole,
        Some(to) => {
            let to = if to < 0 { to.checked_add(whole)? } else { to };
            if exclusive { to } else { to.saturating_add(1) }
        }
    };
    span_of(from, end.saturating_sub(from).max(0), len).filter(|_| from >= 0)
}

fn range(
    meter: &mut super::limits::Meter,
    call: &BuiltinCall<'_>,
    value: &Value,
    from: Option<i64>,
    to: Option<i64>,
    exclusive: bool,
) -> Eval {
    match value {
        Value::Array(items) => {
            let part = range_of(from, to, exclusive, items.len()).and_then(|(a, b)| items.get(a..b));
            meter.spend(part.map_or(0, <[Value]>::len) as u64, call.span)?;
            Ok(part.map_or(Value::Nil, |p| Value::array(p.iter().cloned())))
        }
        Value::Str(_) | Value::Sym(_) => {
            let text = value.to_text();
            meter.spend_bytes(text.len(), call.span)?;
            let part = range_of(from, to, exclusive, letters(&text)).map(|(a, b)| cut(&text, a, b));
            Ok(part.map_or(Value::Nil, Value::Str))
        }
        other => Err(methods::no_method(other, "[]", call.span)),
    }
}

/// Returns the number of characters.
pub(super) fn letters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Returns the characters from one index up to but excluding another.
pub(super) fn cut(text: &str, from: usize, to: usize) -> EcoString {
    if text.is_ascii() {
        return text.get(from..to).unwrap_or_default().into();
    }
    text.chars().skip(from).take(to.saturating_sub(from)).collect()
}

fn in_text(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, text: &EcoString) -> Eval {
    it.meter.spend_bytes(text.len(), call.span)?;
    match call.arg(0) {
        Value::Int(start) => {
            let length = if call.has(1) { call.int(1)? } else { 1 };
            let part = span_of(*start, length, letters(text)).map(|(a, b)| cut(text, a, b));
            Ok(part.filter(|p| call.has(1) || !p.is_empty()).map_or(Value::Nil, Value::Str))
        }
        Value::Str(wanted) => Ok(if text.contains(wanted.as_str()) { Value::Str(wanted.clone()) } else { Value::Nil }),
        Value::Regex(regex) => {
            let found = it.search(regex, text, 0, call.span)?;
            it.last_match = found.map(|groups| LastMatch { text: text.clone(), groups, secret: call.secret });
            let group = match call.arg(1) {
                Value::Nil => 0,
                Value::Int(n) => usize::try_from(*n).unwrap_or(usize::MAX),
                other => {
                    let name = other.as_text().and_then(|n| regex.group_number(n));
                    name.ok_or_else(|| call.takes("the number or name of a group", other))?
                }
            };
            Ok(it.last_match.as_ref().map_or(Value::Nil, |m| m.group(group)))
        }
        other => Err(call.wrong(format!("a string is indexed by a number, string, range or regex, not {}", describe(other)))),
    }
}

/// Evaluates `a..b` outside an index: the list of the integers.
#[inline(never)]
pub(super) fn range_list(it: &mut Interpreter<'_>, from: Option<&Node>, to: Option<&Node>, exclusive: bool, span: Span) -> Eval {
    let from = bound(it, from, span)?.unwrap_or(0);
    let to = bound(it, to, span)?;
    let call = it.call("..", Args::new(), false, None, span)?;
    let Some(to) = to else {
        return Err(call.fail("a range without an end is only allowed in `[ ]`"));
    };
    let end = if exclusive { to } else { to.checked_add(1).ok_or_else(|| call.overflow())? };
    numbers(it, &call, from, end)
}

/// Returns the list of the integers from `from` up to but excluding `end`.
pub(super) fn numbers(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, from: i64, end: i64) -> Eval {
    let count = usize::try_from(end.saturating_sub(from).max(0)).unwrap_or(usize::MAX);
    it.meter.room(count.saturating_mul(16), call.span)?;
    it.meter.spend(count as u64, call.span)?;
    Ok(Value::array((from..end.max(from)).map(Value::Int)))
}
