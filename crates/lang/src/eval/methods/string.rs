//! Methods of strings. Searching and replacing is in [`super::edit`], character sets in [`super::set`].

use super::succ::successor;
use super::{edit, ip, orders, path, regex, set, split, unfit, uri};
use crate::eval::call::{BuiltinCall, Eval, SearchPattern};
use crate::eval::functions::numbers;
use crate::eval::index::{self, cut, letters};
use crate::eval::interpreter::{Interpreter, LastMatch};
use crate::types::builtin::Method;
use crate::value::{Captures, EcoString, Value};

/// Returns `true` if Ruby's `strip` removes this character.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r' | '\0')
}

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    use Method as M;
    let plain = |s: &str| Ok(Value::str(s));
    match method {
        M::Strip => plain(text.trim_matches(is_blank)),
        M::Lstrip => plain(text.trim_start_matches(is_blank)),
        M::Rstrip => plain(text.trim_end_matches(is_blank)),
        M::Chomp => chomp(call, text),
        M::Chop => plain(text.strip_suffix("\r\n").unwrap_or_else(|| {
            let mut letters = text.chars();
            letters.next_back();
            letters.as_str()
        })),
        M::Capitalize => Ok(Value::Str(capitalize(text))),
        M::Downcase => Ok(Value::Str(text.to_lowercase())),
        M::Upcase => Ok(Value::Str(text.to_uppercase())),
        M::Swapcase => Ok(Value::Str(text.chars().map(swap_case).collect::<String>().into())),
        M::Succ => successor(text).map(Value::str).ok_or_else(|| call.fail("its last letter has none after it")),
        M::ToSym | M::Intern => Ok(Value::sym(text.clone())),
        M::ToI => numbers::leading_integer(call, text),
        M::ToF => Ok(Value::Float(numbers::leading_float(text))),
        M::Hex => numbers::in_base(call, text, 16),
        M::Oct => numbers::octal(call, text),
        M::Chr => plain(text.chars().next().map_or("", |c| text.get(..c.len_utf8()).unwrap_or_default())),
        M::Ord => text
            .chars()
            .next()
            .map(|c| Value::Int(i64::from(u32::from(c))))
            .ok_or_else(|| call.fail_of("ArgumentError", "an empty string has no first letter")),
        M::Length | M::Size => Ok(Value::Int(letters(text) as i64)),
        M::Bytesize => Ok(Value::Int(text.len() as i64)),
        M::Empty => Ok(Value::Bool(text.is_empty())),
        M::Include => Ok(Value::Bool(text.contains(call.text(0)?.as_str()))),
        M::StartWith => starts_with(it, call, text),
        M::EndWith => {
            for i in 0..call.args.len() {
                if text.ends_with(call.text(i)?.as_str()) {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        }
        M::DeletePrefix => plain(text.strip_prefix(call.text(0)?.as_str()).unwrap_or(text)),
        M::DeleteSuffix => plain(text.strip_suffix(call.text(0)?.as_str()).unwrap_or(text)),
        M::Between | M::Clamp => super::integer::between(call, method, &Value::Str(text.clone())),
        M::Casecmp | M::IsCasecmp => casecmp(call, method, text),
        M::Chars => {
            it.meter.room(text.len().saturating_mul(16), call.span)?;
            Ok(Value::array(text.chars().map(Value::str)))
        }
        M::Bytes => {
            it.meter.room(text.len().saturating_mul(16), call.span)?;
            Ok(Value::array(text.bytes().map(|b| Value::Int(i64::from(b)))))
        }
        M::Lines => Ok(Value::array(text.split_inclusive('\n').map(Value::from))),
        M::EachChar => {
            for c in text.chars() {
                call.with(it, &[Value::str(c)])?;
            }
            Ok(Value::Str(text.clone()))
        }
        M::EachLine => {
            for line in text.split_inclusive('\n') {
                call.with(it, &[Value::str(line)])?;
            }
            Ok(Value::Str(text.clone()))
        }
        M::Rjust | M::Ljust | M::Center => justify(it, call, method, text),
        M::Slice => index::lookup(it, call, &Value::Str(text.clone())),
        M::Reverse => Ok(Value::Str(text.chars().rev().collect())),
        M::Index | M::Rindex => position(it, call, method, text),
        M::Insert => insert(it, call, text),
        M::Put => orders::put_text(it, call, text),
        M::Concat | M::Prepend => concat(it, call, method, text),
        M::Match | M::IsMatch | M::NamedCaptures => match call.pattern(0)? {
            SearchPattern::Regex(found) => regex::search(it, call, method, &found, text),
            SearchPattern::Text(source) => {
                let found = crate::value::Regex::new(&source, crate::value::Flags::default());
                let found = found.map_err(|e| call.fail(e.message))?;
                regex::search(it, call, method, &found, text)
            }
        },
        M::Split => split::split(it, call, text),
        M::Partition | M::Rpartition => split::partition(it, call, method, text),
        M::Scan | M::Sub | M::Gsub => edit::call(it, call, method, text),
        M::Tr | M::Count | M::Delete | M::DeleteChars | M::Squeeze => set::call(it, call, method, text),
        M::Shellescape => Ok(Value::Str(shellescape(text))),
        M::IsAbsolute
        | M::IsRelative
        | M::IsRoot
        | M::Dirname
        | M::Parent
        | M::Basename
        | M::Extname
        | M::Ancestors
        | M::Expand
        | M::Clean
        | M::IsWithin => path::call(it, call, method, text),
        M::Scheme | M::Host | M::Port | M::UriPath | M::Query | M::Fragment | M::Userinfo | M::WithUserinfo => {
            uri::call(call, method, text)
        }
        M::IsIpv4 | M::IsIpv6 | M::IpAddress | M::IpPrefix | M::IpNetwork | M::IsInNetwork => ip::call(call, method, text),
        _ => Err(unfit(call, &Value::Str(text.clone()))),
    }
}

fn chomp(call: &BuiltinCall<'_>, text: &str) -> Eval {
    let shorter = if call.has(0) && call.arg(0).is_nil() {
        None
    } else if call.has(0) && call.text(0)?.is_empty() {
        let mut rest = text;
        while let Some(shorter) = rest.strip_suffix('\n') {
            rest = shorter.strip_suffix('\r').unwrap_or(shorter);
        }
        Some(rest)
    } else if call.has(0) {
        text.strip_suffix(call.text(0)?.as_str())
    } else {
        text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r']))
    };
    Ok(Value::str(shorter.unwrap_or(text)))
}

fn capitalize(text: &str) -> EcoString {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return EcoString::new() };
    first.to_uppercase().chain(letters.as_str().to_lowercase().chars()).collect()
}

fn swap_case(c: char) -> String {
    if c.is_uppercase() { c.to_lowercase().collect() } else { c.to_uppercase().collect() }
}

fn starts_with(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, text: &EcoString) -> Eval {
    for i in 0..call.args.len() {
        let found = match call.pattern(i)? {
            SearchPattern::Text(start) => text.starts_with(start.as_str()),
            SearchPattern::Regex(regex) => {
                let is_first = |groups: &Captures| groups.first().cloned().flatten().is_some_and(|whole| whole.start == 0);
                let groups = it.search(&regex, text, 0, call.span)?.filter(is_first);
                it.last_match = groups.map(|groups| LastMatch { text: text.clone(), groups, secret: call.secret });
                it.last_match.is_some()
            }
        };
        if found {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn casecmp(call: &BuiltinCall<'_>, method: Method, text: &str) -> Eval {
    let Some(other) = call.arg(0).as_text() else { return Ok(Value::Nil) };
    Ok(if method == Method::IsCasecmp {
        Value::Bool(text.to_lowercase() == other.to_lowercase())
    } else {
        Value::Int(text.to_ascii_lowercase().cmp(&other.to_ascii_lowercase()) as i64)
    })
}

fn justify(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    let width = usize::try_from(call.int(0)?).unwrap_or(0);
    let pad = if call.has(1) { call.text(1)? } else { " ".into() };
    if pad.is_empty() {
        return Err(call.fail(format!("`{}` cannot fill with an empty string", call.name)));
    }
    let missing = width.saturating_sub(letters(text));
    it.meter.room(missing.saturating_mul(pad.len()).saturating_add(text.len()), call.span)?;
    let left = match method {
        Method::Rjust => missing,
        Method::Center => missing / 2,
        _ => 0,
    };
    let mut out = String::with_capacity(text.len() + missing * pad.len());
    let fill = |out: &mut String, n: usize| {
        let size = letters(&pad);
        out.push_str(&pad.repeat(n / size));
        out.push_str(&cut(&pad, 0, n % size));
    };
    fill(&mut out, left);
    out.push_str(text);
    fill(&mut out, missing - left);
    Ok(Value::str(out))
}

/// Evaluates `index` and `rindex`, counted in characters.
fn position(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    let from = call.maybe_int(1)?.unwrap_or(0);
    let from = if from < 0 { from + letters(text) as i64 } else { from };
    let Some(start) = usize::try_from(from).ok().and_then(|n| byte_of(text, n)) else {
        return Ok(Value::Nil);
    };
    let place = match (call.pattern(0)?, method) {
        (SearchPattern::Text(wanted), Method::Index) => text.get(start..).and_then(|rest| rest.find(wanted.as_str())).map(|at| at + start),
        (SearchPattern::Text(wanted), _) => text.rfind(wanted.as_str()),
        (SearchPattern::Regex(regex), Method::Index) => {
            let groups = it.search(&regex, text, start, call.span)?;
            it.last_match = groups.map(|groups| LastMatch { text: text.clone(), groups, secret: call.secret });
            it.last_match.as_ref().and_then(|m| m.groups.first().cloned().flatten()).map(|whole| whole.start)
        }
        (SearchPattern::Regex(regex), _) => edit::last(it, call, &regex, text)?.map(|whole| whole.start),
    };
    Ok(place.and_then(|at| text.get(..at)).map_or(Value::Nil, |before| Value::Int(letters(before) as i64)))
}

/// Returns the byte offset of a character; the index after the last character returns the length of the string.
fn byte_of(text: &str, letter: usize) -> Option<usize> {
    text.char_indices().map(|(i, _)| i).chain(std::iter::once(text.len())).nth(letter)
}

fn insert(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, text: &EcoString) -> Eval {
    let (place, new) = (call.int(0)?, call.text(1)?);
    let count = letters(text) as i64;
    let place = if place < 0 { count + place + 1 } else { place };
    if !(0..=count).contains(&place) {
        return Err(call.fail(format!("index {} is out of range for a string of {count} characters", call.int(0)?)));
    }
    it.meter.room(text.len() + new.len(), call.span)?;
    let mut all = cut(text, 0, place as usize);
    all.push_str(&new);
    all.push_str(&cut(text, place as usize, count as usize));
    Ok(Value::Str(all))
}

/// Returns a string with a range of bytes replaced.
pub(super) fn replaced(text: &str, range: std::ops::Range<usize>, new: &str) -> Option<EcoString> {
    let mut all = EcoString::from(text.get(..range.start)?);
    all.push_str(new);
    all.push_str(text.get(range.end..)?);
    Some(all)
}

fn concat(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    let mut added = EcoString::new();
    for i in 0..call.args.len() {
        let part = call.text(i)?;
        it.meter.room(text.len() + added.len() + part.len(), call.span)?;
        added.push_str(&part);
    }
    let (mut first, second) = if method == Method::Prepend { (added, text.clone()) } else { (text.clone(), added) };
    first.push_str(&second);
    Ok(Value::Str(first))
}

/// Escapes a string like Ruby's Shellwords: all but safe characters get a backslash, newlines are quoted.
fn shellescape(text: &str) -> EcoString {
    if text.is_empty() {
        return "''".into();
    }
    let mut out = EcoString::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("'\n'"),
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' | '.' | ',' | ':' | '+' | '/' | '@' => out.push(c),
            _ => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    out
}
