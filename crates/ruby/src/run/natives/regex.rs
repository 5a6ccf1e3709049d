//! Regexes and matches.

use super::super::eval::{embedded, group_text};
use super::super::frame::Arguments;
use super::super::value::{MatchCell, ProcCell, RegexCell, RuntimeValue};
use super::super::{Eval, Interpreter};
use super::string::text;
use super::{Call, MANY, NativeMethod, known};
use crate::hir::RegexFlags;
use std::rc::Rc;

fn own(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Rc<RegexCell>> {
    match &call.receiver {
        RuntimeValue::Regex(regex) => Ok(Rc::clone(regex)),
        _ => run.unknown_because("this receiver is not supported"),
    }
}

pub(super) const METHODS: &[NativeMethod] = &[
    ("source", 0, 0, |run, call| {
        let source = own(run, call)?.source.to_string();
        run.new_str(source)
    }),
    ("to_s", 0, 0, |run, call| {
        let text = embedded(&*own(run, call)?);
        run.new_str(text)
    }),
    ("options", 0, 0, |run, call| {
        let flags = own(run, call)?.flags;
        Ok(RuntimeValue::Int(i64::from(flags.ignore_case) + 2 * i64::from(flags.extended) + 4 * i64::from(flags.multi_line)))
    }),
    ("casefold?", 0, 0, |run, call| Ok(RuntimeValue::Bool(own(run, call)?.flags.ignore_case))),
    ("names", 0, 0, |run, call| {
        let regex = own(run, call)?;
        let Some(compiled) = &regex.compiled else { return run.unknown_because("this regex is not supported") };
        let names = compiled.group_names().into_iter().map(|(name, _)| RuntimeValue::str(name)).collect();
        run.new_array(names)
    }),
    ("=~", 1, 1, regex_match),
    ("===", 1, 1, regex_match),
    ("match", 1, 2, regex_match),
    ("match?", 1, 2, regex_match),
    ("eql?", 1, 1, |run, call| Ok(RuntimeValue::Bool(run.equal(&call.receiver, &call.arg(0))?))),
    ("hash", 0, 0, |run, call| run.hash_number(&call.receiver).map(RuntimeValue::Int)),
];

pub(super) const CLASS: &[NativeMethod] = &[
    ("new", 1, 3, compile),
    ("compile", 1, 3, compile),
    ("escape", 1, 1, quote),
    ("quote", 1, 1, quote),
    ("union", 0, MANY, |run, call| {
        let mut patterns = Vec::new();
        for pattern in &call.arguments.positional {
            match known(pattern)? {
                RuntimeValue::Array(list) => patterns.extend(run.items(list)?),
                other => patterns.push(other.clone()),
            }
        }
        let mut parts = Vec::new();
        for pattern in &patterns {
            parts.push(match known(pattern)? {
                RuntimeValue::Regex(regex) if patterns.len() == 1 => return Ok(RuntimeValue::Regex(Rc::clone(regex))),
                RuntimeValue::Regex(regex) => embedded(regex),
                other => {
                    let text = run.text_of(other)?;
                    escape(&text)
                }
            });
        }
        if parts.is_empty() {
            parts.push("(?!)".into());
        }
        run.new_regex(&parts.join("|"), RegexFlags::default())
    }),
    ("last_match", 0, 1, |run, call| {
        let found = call.frame.map(|frame| Interpreter::method_scope(frame).slots.borrow().first().cloned().unwrap_or_default());
        let found = found.unwrap_or_default();
        if call.has(0) && !found.is_nil() {
            return run.send(&found, "[]", Arguments::of(vec![call.arg(0)]));
        }
        Ok(found)
    }),
];

fn found(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Rc<MatchCell>> {
    match &call.receiver {
        RuntimeValue::Match(found) => Ok(Rc::clone(found)),
        _ => run.unknown_because("this receiver is not supported"),
    }
}

fn groups(found: &MatchCell) -> Vec<RuntimeValue> {
    (0..found.groups.len()).map(|at| group_text(found, at)).collect()
}

fn names(found: &MatchCell) -> Vec<(String, usize)> {
    let compiled = found.regex.compiled.as_ref();
    compiled.map(|regex| regex.group_names().into_iter().map(|(name, at)| (name.to_owned(), at)).collect()).unwrap_or_default()
}

/// Returns the string's part outside the match.
fn outside(run: &mut Interpreter<'_>, call: &Call<'_>, is_before: bool) -> Eval {
    let found = found(run, call)?;
    let whole = found.groups.first().cloned().flatten().unwrap_or_default();
    let part = if is_before { found.text.get(..whole.start) } else { found.text.get(whole.end..) };
    run.new_str(part.unwrap_or_default())
}

fn offset(run: &mut Interpreter<'_>, call: &Call<'_>, is_start: bool) -> Eval {
    let (found, at) = (found(run, call)?, run.int_of(&call.arg(0))?);
    let range = usize::try_from(at).ok().and_then(|at| found.groups.get(at).cloned()).flatten();
    Ok(range.map_or(RuntimeValue::Nil, |range| {
        let byte = if is_start { range.start } else { range.end };
        RuntimeValue::count(found.text.get(..byte).unwrap_or_default().chars().count())
    }))
}

pub(super) const MATCH: &[NativeMethod] = &[
    ("[]", 1, 2, |run, call| {
        let found = found(run, call)?;
        match known(&call.arg(0))? {
            name @ (RuntimeValue::Str(_) | RuntimeValue::Sym(_)) => {
                let name = run.text_of(name)?;
                match names(&found).iter().rev().find(|(known, _)| *known == name) {
                    Some((_, at)) => Ok(group_text(&found, *at)),
                    None => run.raise("IndexError", format!("undefined group name reference: {name}")),
                }
            }
            RuntimeValue::Int(at) if !call.has(1) => {
                let at = super::array::position(*at, found.groups.len());
                Ok(at.map_or(RuntimeValue::Nil, |at| group_text(&found, at)))
            }
            _ => {
                let all = run.new_array(groups(&found))?;
                run.send(&all, "[]", call.arguments.clone())
            }
        }
    }),
    ("to_a", 0, 0, |run, call| {
        let all = groups(&*found(run, call)?);
        run.new_array(all)
    }),
    ("captures", 0, 0, |run, call| {
        let all = groups(&*found(run, call)?).into_iter().skip(1).collect();
        run.new_array(all)
    }),
    ("named_captures", 0, 0, |run, call| {
        let found = found(run, call)?;
        let pairs = names(&found).into_iter().map(|(name, at)| (RuntimeValue::str(name), group_text(&found, at))).collect();
        run.new_hash(pairs)
    }),
    ("names", 0, 0, |run, call| {
        let all = names(&*found(run, call)?).into_iter().map(|(name, _)| RuntimeValue::str(name)).collect();
        run.new_array(all)
    }),
    ("size", 0, 0, |run, call| Ok(RuntimeValue::count(found(run, call)?.groups.len()))),
    ("length", 0, 0, |run, call| Ok(RuntimeValue::count(found(run, call)?.groups.len()))),
    ("values_at", 0, MANY, |run, call| {
        let all = groups(&*found(run, call)?);
        let all = run.new_array(all)?;
        run.send(&all, "values_at", call.arguments.clone())
    }),
    ("pre_match", 0, 0, |run, call| outside(run, call, true)),
    ("post_match", 0, 0, |run, call| outside(run, call, false)),
    ("begin", 1, 1, |run, call| offset(run, call, true)),
    ("end", 1, 1, |run, call| offset(run, call, false)),
    ("to_s", 0, 0, |run, call| Ok(group_text(&*found(run, call)?, 0))),
    ("string", 0, 0, |run, call| {
        let text = found(run, call)?.text.clone();
        run.new_str(text)
    }),
    ("regexp", 0, 0, |run, call| Ok(RuntimeValue::Regex(Rc::clone(&found(run, call)?.regex)))),
    ("inspect", 0, 0, |run, call| {
        let found = found(run, call)?;
        let names = names(&found);
        let mut parts = Vec::new();
        for (at, group) in groups(&found).iter().enumerate() {
            let shown = run.inspect(group)?;
            let name = names.iter().find(|(_, of)| *of == at).map_or_else(|| at.to_string(), |(name, _)| name.clone());
            parts.push(if at == 0 { shown } else { format!("{name}:{shown}") });
        }
        run.new_str(format!("#<MatchData {}>", parts.join(" ")))
    }),
];

fn compile(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let source = match known(&call.arg(0))? {
        RuntimeValue::Regex(regex) => return Ok(RuntimeValue::Regex(Rc::clone(regex))),
        other => run.text_of(other)?,
    };
    let flags = match known(&call.arg(1))? {
        RuntimeValue::Nil | RuntimeValue::Bool(false) => RegexFlags::default(),
        RuntimeValue::Int(bits) => {
            RegexFlags { ignore_case: bits & 1 != 0, extended: bits & 2 != 0, multi_line: bits & 4 != 0, once: false }
        }
        RuntimeValue::Bool(true) => RegexFlags { ignore_case: true, ..RegexFlags::default() },
        _ => return run.unknown_because("these regex options are not supported"),
    };
    run.new_regex(&source, flags)
}

fn quote(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let text = run.text_of(&call.arg(0))?;
    run.new_str(escape(&text))
}

/// Returns a regex source that only matches this string.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        let short = match letter {
            '\n' => Some('n'),
            '\t' => Some('t'),
            '\r' => Some('r'),
            '\x0c' => Some('f'),
            '\x0b' => Some('v'),
            '.' | '*' | '?' | '+' | '^' | '$' | '|' | '\\' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | '#' | ' ' => Some(letter),
            _ => None,
        };
        if short.is_some() {
            out.push('\\');
        }
        out.push(short.unwrap_or(letter));
    }
    out
}

/// Returns an argument's regex: a regex, or a string to search for.
fn pattern(run: &mut Interpreter<'_>, value: &RuntimeValue, is_source: bool) -> Eval<Rc<RegexCell>> {
    match known(value)? {
        RuntimeValue::Regex(regex) => Ok(Rc::clone(regex)),
        other @ RuntimeValue::Str(_) => {
            let text = run.text_of(other)?;
            let source = if is_source { text } else { escape(&text) };
            match run.new_regex(&source, RegexFlags::default())? {
                RuntimeValue::Regex(regex) => Ok(regex),
                _ => run.unknown_because("this regex is not supported"),
            }
        }
        other => {
            let class = run.real_class_name(other);
            run.raise("TypeError", format!("wrong argument type {class} (expected Regexp)"))
        }
    }
}

fn regex_match(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let regex = own(run, call)?;
    let value = match known(&call.arg(0))? {
        value @ (RuntimeValue::Str(_) | RuntimeValue::Sym(_)) => value.clone(),
        RuntimeValue::Nil => {
            store(run, call, RuntimeValue::Nil)?;
            return Ok(if matches!(&*call.name, "===" | "match?") { RuntimeValue::Bool(false) } else { RuntimeValue::Nil });
        }
        _ if &*call.name == "===" => return Ok(RuntimeValue::Bool(false)),
        other => return run.no_conversion(other, "String"),
    };
    let text = run.text_of(&value)?;
    finish(run, call, &regex, &text)
}

/// Evaluates `text =~ regex`, `text.match(regex)` and `text.match?(regex)`.
pub(super) fn string_match(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let text = text(run, call)?;
    if &*call.name == "=~" && matches!(call.arg(0), RuntimeValue::Str(_)) {
        return run.raise("TypeError", "type mismatch: String given");
    }
    if &*call.name == "=~" && call.arg(0).is_nil() {
        return Ok(RuntimeValue::Nil);
    }
    let regex = pattern(run, &call.arg(0), true)?;
    finish(run, call, &regex, &text)
}

/// Keeps a match for `$~`.
fn store(run: &mut Interpreter<'_>, call: &Call<'_>, found: RuntimeValue) -> Eval<()> {
    call.frame.map_or(Ok(()), |frame| run.set_last_match(frame, found))
}

fn finish(run: &mut Interpreter<'_>, call: &Call<'_>, regex: &Rc<RegexCell>, text: &str) -> Eval {
    let from = if call.has(1) { run.int_of(&call.arg(1))? } else { 0 };
    let from = usize::try_from(from).ok().map(|at| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte));
    let Some(from) = from else { return run.unknown_because("this offset of a match is not supported") };
    let found = run.search(regex, text, from)?;
    if &*call.name != "match?" {
        store(run, call, found.clone())?;
    }
    Ok(match (&*call.name, found) {
        ("===" | "match?", found) => RuntimeValue::Bool(!found.is_nil()),
        ("=~", RuntimeValue::Match(found)) => {
            let start = found.groups.first().cloned().flatten().map_or(0, |range| range.start);
            RuntimeValue::count(text.get(..start).unwrap_or_default().chars().count())
        }
        (_, RuntimeValue::Match(found)) => match call.block() {
            Some(block) => run.call_proc(&block, Arguments::of(vec![RuntimeValue::Match(found)]))?,
            None => RuntimeValue::Match(found),
        },
        _ => RuntimeValue::Nil,
    })
}

/// Returns a regex's matches in a string, from the start.
fn all_matches(run: &mut Interpreter<'_>, regex: &Rc<RegexCell>, text: &str, is_single: bool) -> Eval<Vec<Rc<MatchCell>>> {
    let mut all = Vec::new();
    let mut from = 0;
    while let RuntimeValue::Match(found) = run.search(regex, text, from)? {
        run.spend(1)?;
        let whole = found.groups.first().cloned().flatten().unwrap_or_default();
        all.push(found);
        if is_single {
            break;
        }
        // After an empty match, the search continues with the next character.
        let next = text.get(whole.end..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        from = if whole.is_empty() { whole.end + next } else { whole.end };
        if from > text.len() {
            break;
        }
    }
    Ok(all)
}

/// Evaluates `text.scan(pattern)`.
pub(super) fn scan(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let text = text(run, call)?;
    let regex = pattern(run, &call.arg(0), false)?;
    let mut results = Vec::new();
    for found in all_matches(run, &regex, &text, false)? {
        store(run, call, RuntimeValue::Match(Rc::clone(&found)))?;
        let item =
            if found.groups.len() > 1 { run.new_array(groups(&found).into_iter().skip(1).collect())? } else { group_text(&found, 0) };
        match call.block() {
            Some(block) => drop(run.call_proc(&block, Arguments::of(vec![item]))?),
            None => results.push(item),
        }
    }
    if call.block().is_some() { Ok(call.receiver.clone()) } else { run.new_array(results) }
}

/// Evaluates `sub`, `gsub` and the variants that change the string.
pub(super) fn substitute(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let whole = text(run, call)?;
    let regex = pattern(run, &call.arg(0), false)?;
    let block = call.block();
    if !call.has(1) && block.is_none() && call.arguments.keywords.is_empty() {
        return run.unknown_because("this substitution is not supported");
    }
    let found = all_matches(run, &regex, &whole, call.name.starts_with("sub"))?;
    let mut out = String::new();
    let mut at = 0;
    for found in &found {
        let range = found.groups.first().cloned().flatten().unwrap_or_default();
        out.push_str(whole.get(at..range.start).unwrap_or_default());
        store(run, call, RuntimeValue::Match(Rc::clone(found)))?;
        let new = replacement(run, call, found, block.as_ref())?;
        out.push_str(&new);
        run.spend_bytes(new.len())?;
        at = range.end;
    }
    if found.is_empty() {
        store(run, call, RuntimeValue::Nil)?;
    }
    out.push_str(whole.get(at..).unwrap_or_default());
    if !call.name.ends_with('!') {
        return run.new_str(out);
    }
    if found.is_empty() {
        return Ok(RuntimeValue::Nil);
    }
    let RuntimeValue::Str(cell) = &call.receiver else { return Ok(RuntimeValue::Nil) };
    run.set_str(cell, out)?;
    Ok(call.receiver.clone())
}

fn replacement(run: &mut Interpreter<'_>, call: &Call<'_>, found: &MatchCell, block: Option<&Rc<ProcCell>>) -> Eval<String> {
    let matched = group_text(found, 0);
    if !call.arguments.keywords.is_empty() {
        let hash = run.new_hash(call.arguments.keywords.clone())?;
        let value = run.send(&hash, "[]", Arguments::of(vec![matched]))?;
        return run.interpolated(&value);
    }
    match (known(&call.arg(1))?, block) {
        (RuntimeValue::Hash(hash), _) => {
            let value = run.hash_get(hash, &matched)?;
            run.interpolated(&value)
        }
        (RuntimeValue::Nil, Some(block)) if !call.has(1) => {
            let value = run.call_proc(block, Arguments::of(vec![matched]))?;
            run.interpolated(known(&value)?)
        }
        (template, _) => {
            let template = run.text_of(template)?;
            Ok(expand(&template, found))
        }
    }
}

/// Expands the references in a replacement string: `\1`, `\0`, `\k<name>`, `\\`.
fn expand(template: &str, found: &MatchCell) -> String {
    let group = |at: usize| found.groups.get(at).cloned().flatten().and_then(|range| found.text.get(range)).unwrap_or_default();
    let whole = found.groups.first().cloned().flatten().unwrap_or_default();
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut letters = after.chars();
        let letter = letters.next();
        rest = letters.as_str();
        match letter {
            Some(digit) if digit.is_ascii_digit() => out.push_str(group(digit.to_digit(10).unwrap_or(0) as usize)),
            Some('&') => out.push_str(group(0)),
            Some('`') => out.push_str(found.text.get(..whole.start).unwrap_or_default()),
            Some('\'') => out.push_str(found.text.get(whole.end..).unwrap_or_default()),
            Some('\\') => out.push('\\'),
            Some('k') if rest.starts_with('<') => {
                let (name, more) = rest.trim_start_matches('<').split_once('>').unwrap_or((rest, ""));
                let at = names(found).iter().rev().find(|(known, _)| known == name).map(|(_, at)| *at);
                out.push_str(at.map(group).unwrap_or_default());
                rest = more;
            }
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    out.push_str(rest);
    out
}

impl Interpreter<'_> {
    /// Searches a string from a byte offset on. Returns the match, or `nil`.
    pub(crate) fn search(&mut self, regex: &Rc<RegexCell>, text: &str, from: usize) -> Eval {
        let Some(compiled) = &regex.compiled else {
            let shown = regex.source.to_string();
            return self.unknown_because(format!("regex `{shown}` is not supported"));
        };
        self.spend_bytes(text.len())?;
        if compiled.is_backtracking() {
            self.spend(1_000)?;
        }
        match compiled.try_captures_at(text, from) {
            Ok(Some(groups)) => {
                let groups = groups.to_vec();
                Ok(RuntimeValue::Match(Rc::new(MatchCell { regex: Rc::clone(regex), text: text.to_owned(), groups })))
            }
            Ok(None) => Ok(RuntimeValue::Nil),
            Err(_) => {
                self.spend(100_000)?;
                self.unknown_because("the regex takes too many steps")
            }
        }
    }
}
