//! Resolves YAML scalars like Ruby's YAML library, which follows YAML 1.1 (Psych 4.0: `ScalarScanner#tokenize`, `ToRuby#deserialize`).

use crate::value::{EcoString, Value};
use regex::Regex;
use std::sync::LazyLock;

/// A Ruby class that Puppet loads only from YAML files that permit the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarClass {
    /// `:word`.
    Symbol,
    /// `2024-01-31`.
    Date,
    /// `2024-01-31 12:00:00`.
    Time,
}

impl ScalarClass {
    pub(super) fn with_article(self) -> &'static str {
        match self {
            ScalarClass::Symbol => "a symbol",
            ScalarClass::Date => "a date",
            ScalarClass::Time => "a time",
        }
    }
}

/// The value of a YAML scalar.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer beyond 64 bits, as written.
    TooLarge(EcoString),
    Float(f64),
    Str(EcoString),
    Bytes(Value),
    /// A symbol, date or time, as a string.
    Ruby(ScalarClass, EcoString),
    /// A scalar that makes Ruby's library fail, such as the number `0x_`.
    Invalid,
}

/// Resolves a plain scalar without a tag.
pub(super) fn plain(text: &str) -> Scalar {
    if text.is_empty() {
        Scalar::Null
    } else if starts_with_word(text) || text.contains('\n') {
        word(text)
    } else if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | ':')) {
        number(text)
    } else {
        Scalar::Str(text.into())
    }
}

/// Returns `true` if Ruby reads the plain scalar as a string.
pub fn is_plain_text(text: &str) -> bool {
    matches!(plain(text), Scalar::Str(_))
}

/// Returns `true` if the first or second character rules out numbers, times and symbols.
fn starts_with_word(text: &str) -> bool {
    let is_word = |c: char| c.is_alphabetic() || c.is_ascii_whitespace() || c == '\x0b' || "_!@#$%^&*(){}<>|/\\~;=".contains(c);
    let mut chars = text.chars();
    let first = chars.next().unwrap_or(' ');
    is_word(first) || (!first.is_ascii_digit() && !matches!(first, '.' | ':' | '-') && chars.next().is_some_and(is_word))
}

/// Resolves the words for null and booleans. Like Ruby, checks each line of a scalar with several lines.
fn word(text: &str) -> Scalar {
    let string = || Scalar::Str(text.into());
    if text.chars().nth(5).is_some() {
        return string();
    }
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        let is_other = match line.chars().next() {
            Some(c) => !"ytonf~".contains(c.to_ascii_lowercase()),
            None => lines.peek().is_some(),
        };
        if is_other {
            return string();
        }
    }
    // Ruby's case-insensitive regexes also match the long s.
    let short = text.replace('ſ', "s");
    let is_any = |words: &[&str]| short.split('\n').any(|line| words.iter().any(|word| line.eq_ignore_ascii_case(word)));
    if text == "~" || is_any(&["null"]) {
        Scalar::Null
    } else if is_any(&["yes", "true", "on"]) {
        Scalar::Bool(true)
    } else if is_any(&["no", "false", "off"]) {
        Scalar::Bool(false)
    } else {
        string()
    }
}

struct Patterns {
    time: Regex,
    date: Regex,
    minutes: Regex,
    seconds: Regex,
    float: Regex,
    integer: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let regex = |text: &str| Regex::new(text).ok();
    Some(Patterns {
        time: regex(
            r"^-?[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t\r\n\f\x0b]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t\r\n\f\x0b]*(?:Z|[-+][0-9]{1,2}:?(?:[0-9]{2})?))?$",
        )?,
        date: regex(r"^[0-9]{4}-(?:1[012]|0[0-9]|[0-9])-(?:[12][0-9]|3[01]|0[0-9]|[0-9])$")?,
        minutes: regex(r"^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}$")?,
        seconds: regex(r"^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*$")?,
        float: regex(r"^[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][-+][0-9]+)?$")?,
        integer: regex(r"^(?:[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)|[-+]?0x[0-9a-fA-F_,]+)$")?,
    })
});

/// Resolves numbers, dates, times and symbols.
fn number(text: &str) -> Scalar {
    let Some(patterns) = PATTERNS.as_ref() else { return Scalar::Invalid };
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    if patterns.time.is_match(text) {
        Scalar::Ruby(ScalarClass::Time, text.into())
    } else if patterns.date.is_match(text) {
        date(text)
    } else if unsigned.eq_ignore_ascii_case(".inf") {
        Scalar::Float(f64::INFINITY)
    } else if text.eq_ignore_ascii_case("-.inf") {
        Scalar::Float(f64::NEG_INFINITY)
    } else if text.eq_ignore_ascii_case(".nan") {
        Scalar::Float(f64::NAN)
    } else if let Some(name) = text.strip_prefix(':').filter(|name| !name.is_empty()) {
        Scalar::Ruby(ScalarClass::Symbol, symbol(name).into())
    } else if patterns.minutes.is_match(text) {
        base_60(text)
    } else if patterns.seconds.is_match(text) {
        let parts = text.split(':').zip([3600.0, 60.0, 1.0]);
        Scalar::Float(parts.map(|(part, weight)| leading_float(part) * weight).sum())
    } else if patterns.float.is_match(text) {
        float(text)
    } else if patterns.integer.is_match(text) {
        integer(text)
    } else {
        Scalar::Str(text.into())
    }
}

/// Resolves a date. Ruby reads nonexistent dates as strings, but only where the class is permitted.
fn date(text: &str) -> Scalar {
    let parts: Vec<&str> = text.split('-').collect();
    let date = match parts.as_slice() {
        [year, month, day] => year.parse().ok().zip(month.parse().ok()).zip(day.parse().ok()),
        _ => None,
    };
    let date = date.and_then(|((year, month), day)| jiff::civil::Date::new(year, month, day).ok());
    Scalar::Ruby(ScalarClass::Date, date.map_or_else(|| text.into(), |date| ecow::eco_format!("{date}")))
}

/// Returns the name of a symbol without quotes.
fn symbol(name: &str) -> &str {
    let quote = name.chars().next().filter(|c| matches!(c, '"' | '\''));
    let quoted = quote.and_then(|quote| name.get(1..)?.rsplit_once(quote));
    quoted.map_or(name, |(inside, _)| inside.strip_prefix(':').unwrap_or(inside))
}

/// Resolves `1:30` and `1:30:15`. Ruby multiplies the first part by 3600, even if there are only two parts.
fn base_60(text: &str) -> Scalar {
    let parts = text.split(':').zip([3600_i64, 60, 1]);
    let total = parts.map(|(part, weight)| leading_integer(part)?.checked_mul(weight)).try_fold(0_i64, |sum, part| sum.checked_add(part?));
    total.map_or_else(|| Scalar::TooLarge(text.into()), Scalar::Int)
}

/// Returns the leading digits of a string with their sign. Single underscores between digits are dropped.
fn leading_digits(text: &str) -> String {
    let mut digits = String::new();
    let mut chars = text.chars().peekable();
    digits.extend(chars.next_if(|c| matches!(c, '+' | '-')));
    while let Some(c) = chars.next() {
        match c {
            '0'..='9' => digits.push(c),
            '_' if chars.peek().is_some_and(char::is_ascii_digit) && digits.ends_with(|c: char| c.is_ascii_digit()) => {}
            _ => break,
        }
    }
    digits
}

/// Ruby's `to_i`; `None` beyond 64 bits.
fn leading_integer(text: &str) -> Option<i64> {
    leading_digits(text).parse().ok()
}

/// Ruby's `to_f`.
fn leading_float(text: &str) -> f64 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = if fraction.starts_with(|c: char| c.is_ascii_digit()) { leading_digits(fraction) } else { String::new() };
    format!("{}.{fraction}", leading_digits(whole)).parse().unwrap_or(0.0)
}

fn float(text: &str) -> Scalar {
    let digits = text.trim_start_matches(['+', '-']);
    if digits == "." {
        return Scalar::Str(text.into());
    }
    if digits.starts_with(".e") || digits.starts_with(".E") {
        return Scalar::Invalid;
    }
    text.replace(['_', ','], "").parse().map_or(Scalar::Invalid, Scalar::Float)
}

fn integer(text: &str) -> Scalar {
    let bare = text.replace(['_', ','], "");
    let (sign, digits) = match bare.strip_prefix(['-', '+']) {
        Some(digits) => (if bare.starts_with('-') { "-" } else { "" }, digits),
        None => ("", bare.as_str()),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'b', ..] => (2, digits.get(2..)),
        [b'0', b'x', ..] => (16, digits.get(2..)),
        [b'0', _, ..] => (8, digits.get(1..)),
        _ => (10, Some(digits)),
    };
    match i64::from_str_radix(&format!("{sign}{}", digits.unwrap_or_default()), radix) {
        Ok(n) => Scalar::Int(n),
        Err(e) if matches!(e.kind(), std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow) => {
            Scalar::TooLarge(text.into())
        }
        Err(_) => Scalar::Invalid,
    }
}

/// Resolves a scalar with a tag, plain or quoted. Returns `None` for tags of other Ruby objects.
pub(super) fn tagged(text: &str, tag: &str) -> Option<Scalar> {
    Some(match tag {
        "!binary" | "tag:yaml.org,2002:binary" => Scalar::Bytes(Value::from_lenient_base64(text)),
        "!str" | "!str:" | "!ruby/string" | "!ruby/string:" | "tag:yaml.org,2002:str" => Scalar::Str(text.into()),
        "!float" | "tag:yaml.org,2002:float" => match plain(text) {
            Scalar::Int(n) => Scalar::Float(n as f64),
            Scalar::Float(n) => Scalar::Float(n),
            Scalar::Str(text) => strict_float(&text).map_or(Scalar::Invalid, Scalar::Float),
            Scalar::TooLarge(text) => match text.as_str().replace(['_', ','], "").parse() {
                Ok(n) => Scalar::Float(n),
                Err(_) => Scalar::TooLarge(text),
            },
            Scalar::Ruby(class, text) => Scalar::Ruby(class, text),
            _ => Scalar::Invalid,
        },
        _ if tag.starts_with("!ruby/sym") => Scalar::Ruby(ScalarClass::Symbol, text.into()),
        _ if tag.starts_with("!ruby/") || tag.starts_with("!str:") => return None,
        _ => plain(text),
    })
}

/// Ruby's `Float(text)` for decimal and hexadecimal numbers.
fn strict_float(text: &str) -> Option<f64> {
    let text = text.trim();
    let between_digits = |(at, _): (usize, &str)| {
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_hexdigit());
        is_digit(text.get(..at)?.chars().next_back()).then_some(()).filter(|()| is_digit(text.get(at + 1..).and_then(|t| t.chars().next())))
    };
    if text.match_indices('_').any(|at| between_digits(at).is_none()) {
        return None;
    }
    let bare = text.replace('_', "");
    let digits = bare.trim_start_matches(['+', '-']);
    if let Some(digits) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        let n = u64::from_str_radix(digits, 16).ok()? as f64;
        return Some(if bare.starts_with('-') { -n } else { n });
    }
    let is_decimal = bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E'));
    (is_decimal && !bare.ends_with('.') && !bare.contains(".e") && !bare.contains(".E")).then(|| bare.parse().ok()).flatten()
}
