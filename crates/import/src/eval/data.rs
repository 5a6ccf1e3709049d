//! Values that are data of the language, too, and the operators of numbers and strings.

use super::value::{MAX_NESTING, RubyPattern, RubyValue};
use rtype_lang::value::{EcoString, Flags, Regex, Symbol, Value as Data};
use std::num::IntErrorKind;
use std::rc::Rc;
use std::sync::Arc;

/// Applies an operator to numbers and strings.
pub(super) fn operated(of: &Data, method: &str, given: &[Data]) -> Option<Data> {
    let truth = |b: bool| Some(Data::Bool(b));
    match (of, given) {
        (Data::Int(a), [Data::Int(b)]) => Some(match method {
            "+" => Data::Int(a.checked_add(*b)?),
            "-" => Data::Int(a.checked_sub(*b)?),
            "*" => Data::Int(a.checked_mul(*b)?),
            "/" => Data::Int(a.checked_div_euclid(*b).filter(|_| *b > 0)?),
            "%" | "modulo" => Data::Int(a.checked_rem_euclid(*b).filter(|_| *b > 0)?),
            "**" => Data::Int(a.checked_pow(u32::try_from(*b).ok()?)?),
            "<" => return truth(a < b),
            ">" => return truth(a > b),
            "<=" => return truth(a <= b),
            ">=" => return truth(a >= b),
            "<=>" => Data::Int(a.cmp(b) as i64),
            "&" => Data::Int(a & b),
            "|" => Data::Int(a | b),
            "<<" => Data::Int(a.checked_mul(1i64.checked_shl(u32::try_from(*b).ok()?)?)?),
            ">>" => Data::Int(a >> u32::try_from(*b).ok().filter(|b| *b < 64)?),
            _ => return None,
        }),
        (Data::Int(a), []) if method == "-@" => Some(Data::Int(a.checked_neg()?)),
        (Data::Float(a), []) if method == "-@" => Some(Data::Float(-a)),
        (Data::Str(a), [Data::Str(b)]) => match method {
            "+" => Some(Data::Str(format!("{a}{b}").into())),
            "<" => truth(a < b),
            ">" => truth(a > b),
            "<=" => truth(a <= b),
            ">=" => truth(a >= b),
            "<=>" => Some(Data::Int(a.cmp(b) as i64)),
            _ => None,
        },
        (Data::Sym(a), [Data::Sym(b)]) if method == "<=>" => Some(Data::Int(a.as_str().cmp(b.as_str()) as i64)),
        (Data::Str(a), [Data::Int(n)]) if method == "*" => {
            let n = usize::try_from(*n).ok().filter(|n| n.saturating_mul(a.len()) <= MAX_TEXT)?;
            Some(Data::Str(a.repeat(n)))
        }
        (Data::Str(a), [at @ (Data::Int(_) | Data::Str(_) | Data::Regex(_)), rest @ ..]) if matches!(method, "[]" | "slice") => {
            part(a, at, rest)
        }
        (Data::Float(a), [other]) => {
            let b = match other {
                Data::Int(b) => *b as f64,
                Data::Float(b) => *b,
                _ => return None,
            };
            Some(match method {
                "+" => Data::Float(a + b),
                "-" => Data::Float(a - b),
                "*" => Data::Float(a * b),
                "/" => Data::Float(a / b),
                "<" => return truth(*a < b),
                ">" => return truth(*a > b),
                _ => return None,
            })
        }
        _ => None,
    }
}

/// `text[at]` and `text[at, length]`.
fn part(text: &str, at: &Data, rest: &[Data]) -> Option<Data> {
    let found = |t: Option<&str>| Some(t.map_or(Data::Nil, Data::str));
    match (at, rest) {
        (Data::Str(wanted), []) => found(text.contains(wanted.as_str()).then_some(wanted.as_str())),
        (Data::Regex(regex), _) => {
            let group = match rest {
                [] => 0,
                [Data::Int(n)] => usize::try_from(*n).ok()?,
                [Data::Str(name)] => regex.group_number(name)?,
                [Data::Sym(name)] => regex.group_number(name.as_str())?,
                _ => return None,
            };
            let captures = regex.captures_at(text, 0);
            found(captures.and_then(|c| c.get(group).cloned().flatten()).and_then(|r| text.get(r)))
        }
        (Data::Int(at), _) => {
            let letters: Vec<char> = text.chars().collect();
            let from =
                if *at < 0 { letters.len().checked_sub(usize::try_from(at.unsigned_abs()).ok()?) } else { usize::try_from(*at).ok() };
            let Some(from) = from.filter(|f| *f <= letters.len()) else { return Some(Data::Nil) };
            let length = match rest {
                [] if from == letters.len() => return Some(Data::Nil),
                [] => 1,
                [Data::Int(n)] => usize::try_from(*n).ok()?,
                _ => return None,
            };
            let end = from.saturating_add(length).min(letters.len());
            Some(Data::Str(letters.get(from..end)?.iter().collect::<String>().into()))
        }
        _ => None,
    }
}

/// Maximum size of a text in bytes.
const MAX_TEXT: usize = 1 << 20;

/// Returns a value as one of the language, if it is plain data.
pub fn data(of: &RubyValue<'_>) -> Option<Data> {
    data_within(of, MAX_NESTING)
}

fn data_within(of: &RubyValue<'_>, depth: usize) -> Option<Data> {
    let depth = depth.checked_sub(1)?;
    Some(match of {
        RubyValue::Nil => Data::Nil,
        RubyValue::Bool(b) => Data::Bool(*b),
        RubyValue::Int(n) => Data::Int(*n),
        RubyValue::Float(n) => Data::Float(*n),
        RubyValue::Sym(word) => Data::Sym(Symbol::from(EcoString::from(&**word))),
        RubyValue::Str(text) => Data::Str(text.borrow().as_str().into()),
        RubyValue::Array(items) => Data::Array(items.borrow().iter().map(|i| data_within(i, depth)).collect::<Option<_>>()?),
        RubyValue::Hash(hash) => {
            let pairs = hash.pairs.borrow();
            Data::Map(Arc::new(pairs.iter().map(|(k, v)| Some((data_within(k, depth)?, data_within(v, depth)?))).collect::<Option<_>>()?))
        }
        RubyValue::Regex(regex) => Data::Regex(Arc::new(compiled(regex)?)),
        _ => return None,
    })
}

/// Returns a value of the language as one of Ruby.
pub fn value<'w>(of: &Data) -> RubyValue<'w> {
    match of {
        Data::Bool(b) => RubyValue::Bool(*b),
        Data::Int(n) => RubyValue::Int(*n),
        Data::Float(n) => RubyValue::Float(*n),
        Data::Sym(word) => RubyValue::sym(word.as_str()),
        Data::Str(text) => RubyValue::str(text.as_str()),
        Data::Array(items) => RubyValue::array(items.iter().map(value).collect()),
        Data::Map(map) => RubyValue::hash(map.iter().map(|(k, v)| (value(k), value(v))).collect()),
        Data::Regex(regex) => RubyValue::Regex(Rc::new(RubyPattern { source: regex.source().to_owned(), flags: String::new() })),
        _ => RubyValue::Nil,
    }
}

/// Compiles a pattern; `None` if the language does not support it.
pub fn compiled(regex: &RubyPattern) -> Option<Regex> {
    let flags = Flags {
        ignore_case: regex.flags.contains('i'),
        dot_all: regex.flags.contains('m'),
        extended: regex.flags.contains('x'),
        ..Flags::default()
    };
    // In Ruby, `^` and `$` match at lines.
    let lines = regex.source.contains(['^', '$']);
    let source = if lines { format!("(?m:{})", regex.source) } else { regex.source.clone() };
    Regex::new(&source, flags).ok()
}

/// Returns a pattern as part of another one.
pub fn embedded(regex: &RubyPattern) -> String {
    if regex.flags.is_empty() {
        return format!("(?:{})", regex.source);
    }
    // `m` of Ruby is `s` here.
    let flags: String = regex.flags.chars().map(|f| if f == 'm' { 's' } else { f }).collect();
    format!("(?{flags}:{})", regex.source)
}

/// Escapes a text for a pattern, as `Regexp.escape` does.
pub fn escaped(text: &str) -> String {
    match rtype_lang::eval::call_method(&Data::str(text), "re_escape", &[]) {
        Some(Ok(Data::Str(text))) => text.to_string(),
        _ => {
            let mut out = String::new();
            for c in text.chars() {
                match c {
                    '\n' => out.push_str("\\n"),
                    '\t' => out.push_str("\\t"),
                    '\r' => out.push_str("\\r"),
                    '.' | '*' | '?' | '+' | '^' | '$' | '|' | '\\' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | '#' | ' ' => {
                        out.push('\\');
                        out.push(c);
                    }
                    _ => out.push(c),
                }
            }
            out
        }
    }
}

/// Returns the number that `Integer(text, base)` gives, or why it gives none. With base 0, a prefix of the text says the base.
pub(super) fn whole_number(text: &str, base: u32) -> Option<Result<i64, IntErrorKind>> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace()).to_ascii_lowercase();
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) if text.starts_with('-') => ("-", digits),
        Some(digits) => ("", digits),
        None => ("", text.as_str()),
    };
    let prefixed = [("0x", 16), ("0b", 2), ("0o", 8), ("0d", 10)]
        .into_iter()
        .find(|(prefix, of)| digits.starts_with(prefix) && [0, *of].contains(&base));
    let (digits, base) = match prefixed {
        Some((prefix, of)) => (digits.strip_prefix(prefix)?, of),
        None if base == 0 => (digits, if digits.starts_with('0') { 8 } else { 10 }),
        None => (digits, base),
    };
    let is_digits = !digits.starts_with(['_', '+', '-']) && !digits.ends_with('_') && !digits.contains("__");
    let number = i64::from_str_radix(&format!("{sign}{}", digits.replace('_', "")), base);
    Some(if is_digits { number.map_err(|e| *e.kind()) } else { Err(IntErrorKind::InvalidDigit) })
}
