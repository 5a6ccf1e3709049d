//! The string methods `split`, `partition` and `rpartition`, with Ruby's rules.

use super::edit;
use crate::eval::call::{BuiltinCall, Eval, SearchPattern};
use crate::eval::interpreter::Interpreter;
use crate::types::builtin::Method;
use crate::value::{EcoString, Regex, Value};

/// Evaluates `text.split(pattern, limit)`.
pub(super) fn split(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, text: &EcoString) -> Eval {
    let limit = call.maybe_int(1)?.unwrap_or(0);
    if text.is_empty() {
        return Ok(Value::array([]));
    }
    if limit == 1 {
        return Ok(Value::array([Value::Str(text.clone())]));
    }
    // The limit counts parts, which are one more than the cuts.
    let cuts = usize::try_from(limit).ok().filter(|n| *n > 0).map_or(usize::MAX, |n| n - 1);
    let mut parts = match call.arg(0) {
        Value::Nil => on_blanks(text, cuts),
        Value::Str(s) if s == " " => on_blanks(text, cuts),
        Value::Str(s) if s.is_empty() => letters(text, cuts),
        Value::Str(s) => text.splitn(cuts.saturating_add(1), s.as_str()).map(Value::from).collect(),
        Value::Regex(regex) => on_regex(it, call, regex, text, cuts)?,
        other => return Err(call.takes("a string or a regex", other)),
    };
    it.meter.room(parts.len().saturating_mul(16), call.span)?;
    if limit == 0 {
        while parts.last().is_some_and(|p| matches!(p, Value::Str(s) if s.is_empty())) {
            parts.pop();
        }
    }
    Ok(Value::array(parts))
}

/// Returns `true` if `split` treats a character as whitespace. Unlike for `strip`, NUL is not whitespace.
fn is_blank(c: char) -> bool {
    c != '\0' && super::string::is_blank(c)
}

fn on_blanks(text: &str, cuts: usize) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start_matches(is_blank);
    while parts.len() < cuts {
        let Some((part, after)) = rest.split_once(is_blank) else { break };
        parts.push(Value::str(part));
        rest = after.trim_start_matches(is_blank);
    }
    parts.push(Value::str(rest));
    parts
}

fn letters(text: &str, cuts: usize) -> Vec<Value> {
    let mut chars = text.chars();
    let mut parts: Vec<Value> = Vec::new();
    while parts.len() < cuts {
        match chars.next() {
            Some(c) => parts.push(Value::str(c)),
            None => break,
        }
    }
    parts.push(Value::str(chars.as_str()));
    parts
}

/// Splits at each match, whose groups become parts as well. An empty match splits between two characters.
fn on_regex(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, regex: &Regex, text: &EcoString, cuts: usize) -> Eval<Vec<Value>> {
    let mut parts = Vec::new();
    let (mut begin, mut from, mut done) = (0, 0, 0);
    while done < cuts {
        let Some(groups) = it.search_from(regex, text, from, call.span)? else { break };
        let Some(whole) = groups.first().cloned().flatten() else { break };
        if whole.is_empty() {
            if whole.end >= text.len() {
                // If empty parts at the end are kept, an empty match after the last letter splits as well.
                if begin < text.len() {
                    parts.push(text.get(begin..).map_or(Value::Nil, Value::from));
                    begin = text.len();
                }
                break;
            }
            if whole.start == begin {
                from = edit::after_letter(text, whole.end);
                continue;
            }
        }
        parts.push(text.get(begin..whole.start).map_or(Value::Nil, Value::from));
        for group in groups.iter().skip(1).flatten() {
            parts.push(text.get(group.clone()).map_or(Value::Nil, Value::from));
        }
        begin = whole.end;
        from = whole.end;
        done += 1;
    }
    parts.push(text.get(begin..).map_or(Value::Nil, Value::from));
    Ok(parts)
}

/// Evaluates `partition` and `rpartition`: the strings before, at and after the match.
pub(super) fn partition(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    let first = method == Method::Partition;
    let found = match call.pattern(0)? {
        SearchPattern::Text(wanted) => {
            let at = if first { text.find(wanted.as_str()) } else { text.rfind(wanted.as_str()) };
            at.map(|at| at..at + wanted.len())
        }
        SearchPattern::Regex(regex) if first => {
            it.find(&regex, &Value::Str(text.clone()), call.secret, call.span)?;
            it.last_match.as_ref().and_then(|m| m.groups.first().cloned().flatten())
        }
        SearchPattern::Regex(regex) => edit::last(it, call, &regex, text)?,
    };
    let part = |range: Option<&str>| range.map_or(Value::str(""), Value::from);
    Ok(match found {
        Some(r) => Value::array([part(text.get(..r.start)), part(text.get(r.clone())), part(text.get(r.end..))]),
        None if first => Value::array([Value::Str(text.clone()), Value::str(""), Value::str("")]),
        None => Value::array([Value::str(""), Value::str(""), Value::Str(text.clone())]),
    })
}
