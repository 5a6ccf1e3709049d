//! The string methods `scan`, `sub` and `gsub`, which search repeatedly.

use super::unfit;
use crate::eval::call::{BuiltinCall, Eval, SearchPattern};
use crate::eval::interpreter::{Interpreter, LastMatch};
use crate::eval::secret;
use crate::types::builtin::Method;
use crate::value::{Captures, EcoString, Regex, Template, Value};
use std::ops::Range;

/// Returns the byte offset after the character at an offset.
pub(super) fn after_letter(text: &str, at: usize) -> usize {
    at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
}

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    match method {
        Method::Scan => scan(it, call, text),
        Method::Sub => replace(it, call, text, true),
        Method::Gsub => replace(it, call, text, false),
        _ => Err(unfit(call, &Value::Str(text.clone()))),
    }
}

/// Returns the groups in the next match of a string or regex.
fn next(
    it: &mut Interpreter<'_>,
    call: &BuiltinCall<'_>,
    pattern: &SearchPattern,
    text: &EcoString,
    from: usize,
) -> Eval<Option<Captures>> {
    it.meter.spend(1, call.span)?;
    if from > text.len() {
        return Ok(None);
    }
    match pattern {
        SearchPattern::Text(wanted) => {
            let at = text.get(from..).and_then(|rest| rest.find(wanted.as_str()));
            Ok(at.map(|at| vec![Some(from + at..from + at + wanted.len())]))
        }
        SearchPattern::Regex(regex) => it.search_from(regex, text, from, call.span),
    }
}

/// Returns the range of a regex's last match.
pub(super) fn last(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, regex: &Regex, text: &EcoString) -> Eval<Option<Range<usize>>> {
    let mut from = 0;
    let mut found = None;
    while let Some(groups) = it.search(regex, text, from, call.span)? {
        let Some(whole) = groups.first().cloned().flatten() else { break };
        from = after_letter(text, whole.start);
        found = Some(whole);
        if from > text.len() {
            break;
        }
    }
    Ok(found)
}

fn scan(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, text: &EcoString) -> Eval {
    let pattern = call.pattern(0)?;
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(groups) = next(it, call, &pattern, text, from)? {
        let Some(whole) = groups.first().cloned().flatten() else { break };
        from = if whole.is_empty() { after_letter(text, whole.end) } else { whole.end };
        let part = |range: &Option<Range<usize>>| range.clone().and_then(|r| text.get(r)).map_or(Value::Nil, Value::from);
        let value = if groups.len() > 1 { Value::array(groups.iter().skip(1).map(part)) } else { part(&Some(whole)) };
        it.last_match = Some(LastMatch { text: text.clone(), groups, secret: call.secret });
        if call.lambda.is_some() {
            call.with(it, std::slice::from_ref(&value))?;
        }
        found.push(value);
    }
    Ok(if call.lambda.is_some() { Value::Str(text.clone()) } else { Value::array(found) })
}

/// The replacement of a match.
enum Replacement {
    Template(Template),
    Map(Value),
    Closure,
}

fn replace(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, text: &EcoString, once: bool) -> Eval {
    let pattern = call.pattern(0)?;
    let with = match call.arg(1) {
        Value::Str(template) => Replacement::Template(Template::new(template)),
        map @ Value::Map(_) => Replacement::Map(map.clone()),
        Value::Nil if call.lambda.is_some() && !call.has(1) => Replacement::Closure,
        other => return Err(call.takes("a string or a map as second argument, or a closure", other)),
    };
    let mut out = EcoString::new();
    let (mut from, mut kept) = (0, 0);
    it.last_match = None;
    while let Some(groups) = next(it, call, &pattern, text, from)? {
        let Some(whole) = groups.first().cloned().flatten() else { break };
        out.push_str(text.get(kept..whole.start).unwrap_or_default());
        kept = whole.end;
        from = if whole.is_empty() { after_letter(text, whole.end) } else { whole.end };
        let matched = text.get(whole).unwrap_or_default();
        match &with {
            Replacement::Template(template) => {
                let regex = match &pattern {
                    SearchPattern::Regex(regex) => Some(regex.as_ref()),
                    SearchPattern::Text(_) => None,
                };
                template.expand(&mut out, text, &groups, regex);
                it.last_match = Some(LastMatch { text: text.clone(), groups, secret: call.secret });
            }
            Replacement::Map(Value::Map(map)) => {
                out.push_str(&map.get(&Value::str(matched)).map(Value::to_text).unwrap_or_default());
            }
            Replacement::Map(_) => {}
            Replacement::Closure => {
                let value = Value::str(matched);
                it.last_match = Some(LastMatch { text: text.clone(), groups, secret: call.secret });
                let new = call.with(it, &[value])?;
                it.known(&new, call.span)?;
                if it.is_secret(&new) && !call.secret {
                    // The string itself is not secret, but would become secret with the closure's result.
                    return Err(call.fail("a closure may not put sensitive text into other text; build it with \"#{…}\""));
                }
                out.push_str(&secret::open(&new).to_text());
            }
        }
        it.meter.fits(out.len().saturating_add(text.len() - kept.min(text.len())), call.span)?;
        if once {
            break;
        }
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Ok(Value::Str(out))
}
