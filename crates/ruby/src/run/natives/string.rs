//! Strings and symbols. The rtype language provides the methods without side effects.

use super::super::frame::Arguments;
use super::super::value::{ProcCell, ProcCode, RuntimeValue, SharedCell};
use super::super::{Eval, Interpreter};
use super::array::{bounds, position};
use super::{Call, NativeMethod, known};
use crate::hir::HirText;
use std::rc::Rc;

pub(super) fn text(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<String> {
    run.text_of(&call.receiver)
}

fn cell(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval<Rc<SharedCell<String>>> {
    match &call.receiver {
        RuntimeValue::Str(cell) => Ok(Rc::clone(cell)),
        _ => run.unknown_because("this receiver is not supported"),
    }
}

/// Returns the number at the start of a text, as `String#to_f`: single `_` between digits are left out, and a fraction has digits on both
/// sides of the dot.
fn leading_float(text: &str) -> f64 {
    let mut rest = text.trim_start().chars().peekable();
    let mut number = String::new();
    number.extend(rest.next_if(|c| matches!(c, '-' | '+')));
    let digits = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        let mut found = String::new();
        while let Some(c) = rest.peek().copied() {
            let mut ahead = rest.clone();
            ahead.next();
            let continues = c == '_' && !found.is_empty() && ahead.peek().is_some_and(char::is_ascii_digit);
            if !continues && !c.is_ascii_digit() {
                break;
            }
            rest.next();
            found.extend(Some(c).filter(char::is_ascii_digit));
        }
        found
    };
    let whole = digits(&mut rest);
    if whole.is_empty() {
        return 0.0;
    }
    number.push_str(&whole);
    let mut ahead = rest.clone();
    if ahead.next_if_eq(&'.').is_some() {
        let fraction = digits(&mut ahead);
        if !fraction.is_empty() {
            number = format!("{number}.{fraction}");
            rest = ahead;
        }
    }
    if rest.next_if(|c| matches!(c, 'e' | 'E')).is_some() {
        let sign: String = rest.next_if(|c| matches!(c, '-' | '+')).into_iter().collect();
        let exponent = digits(&mut rest);
        if !exponent.is_empty() {
            number = format!("{number}e{sign}{exponent}");
        }
    }
    number.parse().unwrap_or(0.0)
}

pub(super) const METHODS: &[NativeMethod] = &[
    ("to_s", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("to_str", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("to_sym", 0, 0, |run, call| Ok(RuntimeValue::sym(&text(run, call)?))),
    ("intern", 0, 0, |run, call| Ok(RuntimeValue::sym(&text(run, call)?))),
    ("inspect", 0, 0, |run, call| {
        let shown = run.inspect(&call.receiver)?;
        run.new_str(shown)
    }),
    ("to_f", 0, 0, |run, call| Ok(RuntimeValue::Float(leading_float(&text(run, call)?)))),
    ("length", 0, 0, |run, call| Ok(RuntimeValue::count(text(run, call)?.chars().count()))),
    ("size", 0, 0, |run, call| Ok(RuntimeValue::count(text(run, call)?.chars().count()))),
    ("empty?", 0, 0, |run, call| Ok(RuntimeValue::Bool(text(run, call)?.is_empty()))),
    ("+", 1, 1, |run, call| {
        let mut joined = text(run, call)?;
        joined.push_str(&string_argument(run, &call.arg(0))?);
        run.new_str(joined)
    }),
    ("*", 1, 1, |run, call| {
        let own = text(run, call)?;
        let count = run.int_of(&call.arg(0))?;
        let Ok(count) = usize::try_from(count) else { return run.raise("ArgumentError", "argument must be non-negative") };
        run.spend_bytes(own.len().saturating_mul(count))?;
        run.new_str(own.repeat(count))
    }),
    ("%", 1, 1, |run, call| {
        let values = match known(&call.arg(0))? {
            RuntimeValue::Array(list) => run.items(list)?,
            other => vec![other.clone()],
        };
        run.format(&call.receiver, &values)
    }),
    ("==", 1, 1, equals),
    ("===", 1, 1, equals),
    ("eql?", 1, 1, |run, call| super::object::eql(run, &call.receiver, &call.arg(0)).map(RuntimeValue::Bool)),
    ("<=>", 1, 1, |run, call| match known(&call.arg(0))? {
        RuntimeValue::Str(_) => {
            let (mine, theirs) = (text(run, call)?, run.text_of(&call.arg(0))?);
            Ok(RuntimeValue::Int(mine.as_bytes().cmp(theirs.as_bytes()) as i64))
        }
        _ => Ok(RuntimeValue::Nil),
    }),
    ("<<", 1, 1, append),
    ("concat", 0, super::MANY, append),
    ("replace", 1, 1, |run, call| {
        let (cell, new) = (cell(run, call)?, run.text_of(&call.arg(0))?);
        run.set_str(&cell, new)?;
        Ok(call.receiver.clone())
    }),
    ("clear", 0, 0, |run, call| {
        let cell = cell(run, call)?;
        run.set_str(&cell, String::new())?;
        Ok(call.receiver.clone())
    }),
    ("prepend", 0, super::MANY, |run, call| {
        let mut new = String::new();
        for part in &call.arguments.positional {
            new.push_str(&string_argument(run, part)?);
        }
        new.push_str(&text(run, call)?);
        let cell = cell(run, call)?;
        run.set_str(&cell, new)?;
        Ok(call.receiver.clone())
    }),
    ("insert", 2, 2, |run, call| {
        let (own, at, more) = (text(run, call)?, run.int_of(&call.arg(0))?, string_argument(run, &call.arg(1))?);
        let length = own.chars().count();
        let at = if at < 0 { at + 1 + i64::try_from(length).unwrap_or(0) } else { at };
        let Some(at) = usize::try_from(at).ok().filter(|at| *at <= length) else {
            return run.raise("IndexError", format!("index {at} out of string"));
        };
        let new: String = own.chars().take(at).chain(more.chars()).chain(own.chars().skip(at)).collect();
        let cell = cell(run, call)?;
        run.set_str(&cell, new)?;
        Ok(call.receiver.clone())
    }),
    ("[]", 1, 2, slice),
    ("slice", 1, 2, slice),
    ("[]=", 2, 3, set_slice),
    ("+@", 0, 0, |run, call| match &call.receiver {
        RuntimeValue::Str(cell) if cell.frozen.get() => {
            let own = text(run, call)?;
            run.new_str(own)
        }
        other => Ok(other.clone()),
    }),
    ("-@", 0, 0, |run, call| {
        let own = text(run, call)?;
        let new = SharedCell::new(own);
        new.frozen.set(true);
        Ok(RuntimeValue::Str(new))
    }),
    ("hash", 0, 0, |run, call| run.hash_number(&call.receiver).map(RuntimeValue::Int)),
    ("=~", 1, 1, super::regex::string_match),
    ("match", 1, 2, super::regex::string_match),
    ("match?", 1, 2, super::regex::string_match),
    ("scan", 1, 1, super::regex::scan),
    ("sub", 1, 2, super::regex::substitute),
    ("gsub", 1, 2, super::regex::substitute),
    ("sub!", 1, 2, super::regex::substitute),
    ("gsub!", 1, 2, super::regex::substitute),
    ("upcase!", 0, 0, in_place),
    ("downcase!", 0, 0, in_place),
    ("capitalize!", 0, 0, in_place),
    ("swapcase!", 0, 0, in_place),
    ("strip!", 0, 0, in_place),
    ("lstrip!", 0, 0, in_place),
    ("rstrip!", 0, 0, in_place),
    ("chomp!", 0, 1, in_place),
    ("chop!", 0, 0, in_place),
    ("squeeze!", 0, 1, in_place),
    ("tr!", 2, 2, in_place),
    ("delete!", 1, 1, in_place),
    ("delete_prefix!", 1, 1, in_place),
    ("delete_suffix!", 1, 1, in_place),
    ("reverse!", 0, 0, in_place),
    ("succ!", 0, 0, in_place),
    ("next!", 0, 0, in_place),
    ("upcase", 0, 0, case),
    ("downcase", 0, 0, case),
    ("capitalize", 0, 0, case),
    ("swapcase", 0, 0, case),
];

pub(super) const CLASS: &[NativeMethod] = &[("new", 0, 1, |run, call| {
    if call.class(run)? != run.core_class("String") {
        return run.unknown_because("classes below `String` are not supported");
    }
    let text = if call.has(0) { run.text_of(&call.arg(0))? } else { String::new() };
    run.new_str(text)
})];

pub(super) const SYMBOL: &[NativeMethod] = &[
    ("to_s", 0, 0, |run, call| {
        let text = text(run, call)?;
        run.new_str(text)
    }),
    ("id2name", 0, 0, |run, call| {
        let text = text(run, call)?;
        run.new_str(text)
    }),
    ("name", 0, 0, |run, call| {
        let new = SharedCell::new(text(run, call)?);
        new.frozen.set(true);
        Ok(RuntimeValue::Str(new))
    }),
    ("to_sym", 0, 0, |_, call| Ok(call.receiver.clone())),
    ("to_proc", 0, 0, |run, call| {
        let name: HirText = text(run, call)?.into();
        let Some(frame) = call.frame.cloned().or_else(|| run.plain_frame()) else { return run.unknown_because("no code is running") };
        Ok(RuntimeValue::Proc(Rc::new(ProcCell { code: ProcCode::Symbol(name), frame, is_lambda: true })))
    }),
    ("==", 1, 1, |_, call| Ok(RuntimeValue::Bool(call.receiver.is_same(known(&call.arg(0))?)))),
    ("<=>", 1, 1, |_, call| match (&call.receiver, known(&call.arg(0))?) {
        (RuntimeValue::Sym(a), RuntimeValue::Sym(b)) => Ok(RuntimeValue::Int(a.as_bytes().cmp(b.as_bytes()) as i64)),
        _ => Ok(RuntimeValue::Nil),
    }),
    ("[]", 1, 2, slice),
    ("length", 0, 0, |run, call| Ok(RuntimeValue::count(text(run, call)?.chars().count()))),
    ("size", 0, 0, |run, call| Ok(RuntimeValue::count(text(run, call)?.chars().count()))),
    ("empty?", 0, 0, |run, call| Ok(RuntimeValue::Bool(text(run, call)?.is_empty()))),
    ("=~", 1, 1, super::regex::string_match),
    ("match", 1, 2, super::regex::string_match),
    ("match?", 1, 2, super::regex::string_match),
    ("upcase", 0, 0, case),
    ("downcase", 0, 0, case),
    ("capitalize", 0, 0, case),
    ("swapcase", 0, 0, case),
];

/// Converts an argument to a string, or raises an error.
fn string_argument(run: &mut Interpreter<'_>, value: &RuntimeValue) -> Eval<String> {
    match known(value)? {
        RuntimeValue::Sym(_) => run.no_conversion(value, "String"),
        other => run.text_of(other),
    }
}

fn equals(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let other = call.arg(0);
    match known(&other)? {
        RuntimeValue::Object(_) if run.responds(&other, "to_str") => run.send(&other, "==", Arguments::of(vec![call.receiver.clone()])),
        _ => Ok(RuntimeValue::Bool(run.equal(&call.receiver, &other)?)),
    }
}

fn append(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let cell = cell(run, call)?;
    let mut more = String::new();
    for part in &call.arguments.positional {
        match known(part)? {
            RuntimeValue::Int(code) => match u32::try_from(*code).ok().and_then(char::from_u32) {
                Some(letter) => more.push(letter),
                None => return run.raise("RangeError", format!("invalid codepoint 0x{code:X} in UTF-8")),
            },
            other => more.push_str(&string_argument(run, other)?),
        }
    }
    if cell.frozen.get() {
        return run.frozen(&call.receiver);
    }
    run.check_known(&*cell)?;
    run.touch(|| super::super::journal::Storage::Str(Rc::clone(&cell)))?;
    run.spend_bytes(more.len())?;
    cell.content.borrow_mut().push_str(&more);
    Ok(call.receiver.clone())
}

/// Applies a copying method, and stores the changed copy. The result is `nil` without a change.
fn in_place(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let cell = cell(run, call)?;
    let before = text(run, call)?;
    if cell.frozen.get() {
        return run.frozen(&call.receiver);
    }
    let name = call.name.trim_end_matches('!');
    let changed = run.send(&call.receiver, name, call.arguments.clone())?;
    let after = run.text_of(&changed)?;
    let always = matches!(name, "reverse" | "succ" | "next");
    let is_same = before == after;
    run.set_str(&cell, after)?;
    Ok(if is_same && !always { RuntimeValue::Nil } else { call.receiver.clone() })
}

/// Changes the case of letters.
fn case(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    match run.lang_method(&call.receiver, &call.name, &[])? {
        Some(result) => Ok(result),
        None => {
            let own = text(run, call)?;
            let symbol = matches!(call.receiver, RuntimeValue::Sym(_));
            if !symbol {
                return run.unknown_because(format!("`{}` of this text is not supported", call.name));
            }
            let string = RuntimeValue::str(own);
            let changed = run.send(&string, &call.name, Arguments::default())?;
            let changed = run.text_of(&changed)?;
            Ok(RuntimeValue::sym(&changed))
        }
    }
}

/// Returns a slice's start and length; `None` if the start is after the end.
fn range(run: &mut Interpreter<'_>, call: &Call<'_>, length: usize) -> Eval<Option<(usize, usize)>> {
    let last_is_count = call.has(1) && (&*call.name != "[]=" || call.has(2));
    Ok(match (known(&call.arg(0))?, last_is_count) {
        (range @ RuntimeValue::Range(_), _) => bounds(run, range, length)?,
        (at, true) => {
            let (at, count) = (run.int_of(at)?, run.int_of(&call.arg(1))?);
            position(at, length).filter(|at| *at <= length).zip(usize::try_from(count).ok())
        }
        (at, false) => {
            let at = run.int_of(at)?;
            position(at, length).filter(|at| *at < length).map(|at| (at, 1))
        }
    })
}

fn slice(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let own = text(run, call)?;
    match known(&call.arg(0))? {
        RuntimeValue::Str(_) => {
            let wanted = run.text_of(&call.arg(0))?;
            if own.contains(&wanted) { run.new_str(wanted) } else { Ok(RuntimeValue::Nil) }
        }
        RuntimeValue::Regex(regex) => {
            let found = run.search(regex, &own, 0)?;
            if let Some(frame) = call.frame {
                run.set_last_match(frame, found.clone())?;
            }
            match found {
                RuntimeValue::Match(_) if call.has(1) => run.send(&found, "[]", Arguments::of(vec![call.arg(1)])),
                RuntimeValue::Match(found) => Ok(super::super::eval::group_text(&found, 0)),
                _ => Ok(RuntimeValue::Nil),
            }
        }
        _ => {
            let length = own.chars().count();
            match range(run, call, length)? {
                Some((start, count)) => run.new_str(own.chars().skip(start).take(count).collect::<String>()),
                None => Ok(RuntimeValue::Nil),
            }
        }
    }
}

fn set_slice(run: &mut Interpreter<'_>, call: &Call<'_>) -> Eval {
    let (cell, own) = (cell(run, call)?, text(run, call)?);
    let value = call.arg(call.arguments.positional.len() - 1);
    let new = string_argument(run, &value)?;
    let found = match known(&call.arg(0))? {
        RuntimeValue::Str(_) => {
            let wanted = run.text_of(&call.arg(0))?;
            own.find(&wanted).map(|at| at..at + wanted.len())
        }
        RuntimeValue::Regex(regex) => {
            if call.has(2) {
                return run.unknown_because("this assignment to a part of a string is not supported");
            }
            match run.search(regex, &own, 0)? {
                RuntimeValue::Match(found) => found.groups.first().cloned().flatten(),
                _ => None,
            }
        }
        _ => {
            let length = own.chars().count();
            let byte = |at: usize| own.char_indices().nth(at).map_or(own.len(), |(byte, _)| byte);
            range(run, call, length)?.map(|(start, count)| byte(start)..byte((start + count).min(length)))
        }
    };
    let Some(found) = found else {
        return match known(&call.arg(0))? {
            RuntimeValue::Str(_) => run.raise("IndexError", "string not matched"),
            RuntimeValue::Regex(_) => run.raise("IndexError", "regexp not matched"),
            RuntimeValue::Int(at) => run.raise("IndexError", format!("index {at} out of string")),
            _ => run.unknown_because("this assignment to a part of a string is not supported"),
        };
    };
    let before = own.get(..found.start).unwrap_or_default();
    let after = own.get(found.end..).unwrap_or_default();
    run.set_str(&cell, format!("{before}{new}{after}"))?;
    Ok(value)
}
