//! Ruby's `sprintf`: directives such as `%-5s`, `%<name>05.1f`, `%1$s` and `%{name}`.

use super::{bridge, ruby};
use crate::compile::failure::EvaluationFailure;
use crate::compile::value::ManifestValue;
use rtype_lang::value::Value as Plain;

/// The maximum width and precision.
const WIDEST: usize = 10_000;
/// The maximum size of the result.
const LARGEST: usize = 4 << 20;

/// How the values of a format are numbered, which must not change within a format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    Unused,
    Sequential(usize),
    Numbered(usize),
    Named,
}

/// The values, and the position of the next.
struct Arguments<'a> {
    values: &'a [ManifestValue],
    numbering: Numbering,
}

/// One directive.
#[derive(Default)]
struct Directive {
    flags: String,
    width: Option<usize>,
    precision: Option<usize>,
    value: Option<ManifestValue>,
}

fn failed(text: impl Into<String>) -> EvaluationFailure {
    EvaluationFailure::new(text.into())
}

impl Arguments<'_> {
    fn next(&mut self) -> Result<ManifestValue, EvaluationFailure> {
        let at = match self.numbering {
            Numbering::Unused => 0,
            Numbering::Sequential(at) => at,
            Numbering::Numbered(_) => return Err(failed("unnumbered(1) mixed with numbered")),
            Numbering::Named => return Err(failed("unnumbered(1) mixed with named")),
        };
        self.numbering = Numbering::Sequential(at + 1);
        self.values.get(at).cloned().ok_or_else(|| failed("too few arguments"))
    }

    fn numbered(&mut self, number: usize) -> Result<ManifestValue, EvaluationFailure> {
        match self.numbering {
            Numbering::Sequential(at) => return Err(failed(format!("numbered({number}) after unnumbered({at})"))),
            Numbering::Named => return Err(failed(format!("numbered({number}) after named"))),
            _ => self.numbering = Numbering::Numbered(number),
        }
        let at = number.checked_sub(1).ok_or_else(|| failed("malformed format string - %$"))?;
        self.values.get(at).cloned().ok_or_else(|| failed("too few arguments"))
    }

    fn named(&mut self, name: &str, written: &str) -> Result<ManifestValue, EvaluationFailure> {
        match self.numbering {
            Numbering::Sequential(at) => return Err(failed(format!("named{written} after unnumbered({at})"))),
            Numbering::Numbered(at) => return Err(failed(format!("named{written} after numbered({at})"))),
            _ => self.numbering = Numbering::Named,
        }
        let [ManifestValue::Hash(map)] = self.values else { return Err(failed("one hash required")) };
        map.get(&ManifestValue::from(name)).cloned().ok_or_else(|| failed(format!("key{written} not found")))
    }
}

/// Formats values. Strings are those of the 3.x API if `is_legacy`.
///
/// # Errors
/// Returns Ruby's error if the values do not fit the format.
pub fn sprintf(format: &str, values: &[ManifestValue]) -> Result<String, EvaluationFailure> {
    let mut out = String::new();
    let mut arguments = Arguments { values, numbering: Numbering::Unused };
    let mut rest = format;
    while let Some((plain, after)) = rest.split_once('%') {
        out.push_str(plain);
        rest = directive(after, &mut arguments, &mut out)?;
        if out.len() > LARGEST {
            return Err(EvaluationFailure::limit("the result of `sprintf` is too large"));
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// Formats one directive; returns the rest of the format.
fn directive<'f>(text: &'f str, arguments: &mut Arguments<'_>, out: &mut String) -> Result<&'f str, EvaluationFailure> {
    let mut spec = Directive::default();
    let mut letters = text.chars();
    let mut is_first = true;
    loop {
        let Some(c) = letters.next() else {
            return Err(failed(match (spec.width, is_first) {
                (Some(_), _) => "malformed format string - %*[0-9]",
                (None, true) => "incomplete format specifier; use %% (double %) instead",
                (None, false) => "invalid format character - %",
            }));
        };
        match c {
            ' ' | '#' | '+' | '-' | '0' => spec.flags.push(c),
            '1'..='9' => {
                let (number, after) = digits(c, letters.clone())?;
                letters = after;
                match letters.as_str().strip_prefix('$') {
                    Some(after) => {
                        spec.value = Some(arguments.numbered(number)?);
                        letters = after.chars();
                    }
                    None => spec.width = Some(number),
                }
            }
            '*' => {
                let ManifestValue::Integer(width) = arguments.next()? else {
                    return Err(EvaluationFailure::unsupported("a width that is not an integer"));
                };
                if width < 0 {
                    spec.flags.push('-');
                }
                spec.width = Some(usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX).min(WIDEST));
            }
            '.' => {
                let (number, after) = digits('0', letters.clone())?;
                (spec.precision, letters) = (Some(number), after);
            }
            '<' | '{' => {
                let end = if c == '<' { '>' } else { '}' };
                let unmatched = || failed("malformed name - unmatched parenthesis");
                let (name, after) = letters.as_str().split_once(end).ok_or_else(unmatched)?;
                spec.value = Some(arguments.named(name, &format!("{c}{name}{end}"))?);
                letters = after.chars();
                if c == '{' {
                    out.push_str(&spec.write('s', arguments)?);
                    return Ok(after);
                }
            }
            '%' if is_first => {
                out.push('%');
                return Ok(letters.as_str());
            }
            '%' => return Err(failed("invalid format character - %")),
            '\n' | '\0' if is_first => {
                out.push('%');
                out.push(c);
                return Ok(letters.as_str());
            }
            letter => {
                out.push_str(&spec.write(letter, arguments)?);
                return Ok(letters.as_str());
            }
        }
        is_first = false;
    }
}

/// Reads a number whose first digit was read.
fn digits(first: char, letters: std::str::Chars<'_>) -> Result<(usize, std::str::Chars<'_>), EvaluationFailure> {
    let mut number = first.to_digit(10).unwrap_or(0) as usize;
    let mut letters = letters;
    loop {
        let mut after = letters.clone();
        match after.next().and_then(|c| c.to_digit(10)) {
            Some(digit) => number = number.saturating_mul(10).saturating_add(digit as usize),
            None if number > WIDEST => return Err(EvaluationFailure::limit("a width or precision in `sprintf` is too large")),
            None => return Ok((number, letters)),
        }
        letters = after;
    }
}

impl Directive {
    fn write(&mut self, letter: char, arguments: &mut Arguments<'_>) -> Result<String, EvaluationFailure> {
        if !matches!(letter, 's' | 'p' | 'c' | 'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' | 'f' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A') {
            return Err(failed(format!("malformed format string - %{letter}")));
        }
        let value = match self.value.take() {
            Some(value) => value,
            None => arguments.next()?,
        };
        let plain = match letter {
            's' => Plain::str(ruby::to_s_legacy(&value)),
            'p' => return self.written('s', &Plain::str(ruby::inspect(&value))),
            'c' => character(&value)?,
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' => Plain::Int(integer(&value)?),
            'a' | 'A' => return self.hexadecimal(float(&value)?, letter == 'A'),
            _ => Plain::Float(float(&value)?),
        };
        self.written(letter, &plain)
    }

    fn written(&self, letter: char, plain: &Plain) -> Result<String, EvaluationFailure> {
        let width = self.width.map(|width| width.to_string()).unwrap_or_default();
        let precision = self.precision.map(|precision| format!(".{precision}")).unwrap_or_default();
        let mut flags = self.flags.clone();
        if let Plain::Float(number) = plain
            && !number.is_finite()
        {
            flags = flags.replace('0', "");
        }
        let format = format!("%{flags}{width}{precision}{letter}");
        let text = rtype_lang::eval::format_text(&format, std::slice::from_ref(plain));
        text.map(|text| text.to_string()).ok_or_else(|| EvaluationFailure::unsupported(format!("the format `{format}`")))
    }

    /// Formats a float as `%a` does.
    fn hexadecimal(&self, number: f64, is_upper: bool) -> Result<String, EvaluationFailure> {
        if self.precision.is_some() {
            return Err(EvaluationFailure::unsupported("`%a` with a precision"));
        }
        let bits = number.to_bits();
        let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & 0x000f_ffff_ffff_ffff);
        let sign = if number.is_sign_negative() { "-" } else { "" };
        let text = match (number == 0.0, exponent) {
            (true, _) => format!("{sign}0x0p+0"),
            (false, 0 | 0x7ff) => return Err(EvaluationFailure::unsupported("`%a` of this number")),
            (false, exponent) => {
                let digits = format!("{fraction:013x}");
                let digits = digits.trim_end_matches('0');
                let dot = if digits.is_empty() { "" } else { "." };
                format!("{sign}0x1{dot}{digits}p{:+}", i64::try_from(exponent).unwrap_or(0) - 1023)
            }
        };
        self.written('s', &Plain::str(if is_upper { text.to_uppercase() } else { text }))
    }
}

fn character(value: &ManifestValue) -> Result<Plain, EvaluationFailure> {
    match value {
        ManifestValue::Integer(number) => Ok(Plain::Int(*number)),
        ManifestValue::String(text) if text.chars().count() == 1 => {
            bridge::to_plain(value).ok_or_else(|| failed("%c requires a character"))
        }
        ManifestValue::String(_) => Err(failed("%c requires a character")),
        ManifestValue::Undef => Err(failed("no implicit conversion from nil to integer")),
        other => Err(super::type_error(other, "Integer")),
    }
}

/// Returns the integer of a value as `Integer()` does.
///
/// # Errors
/// Returns Ruby's error for values that are not numbers.
pub fn integer(value: &ManifestValue) -> Result<i64, EvaluationFailure> {
    match value {
        ManifestValue::Integer(number) => Ok(*number),
        ManifestValue::Float(number) => ruby::whole(number.trunc()),
        ManifestValue::String(text) => ruby::integer(text),
        other => Err(cannot_convert(other, "Integer")),
    }
}

/// Returns the float of a value as `Float()` does.
///
/// # Errors
/// Returns Ruby's error for values that are not numbers.
pub fn float(value: &ManifestValue) -> Result<f64, EvaluationFailure> {
    match value {
        ManifestValue::Integer(number) => Ok(*number as f64),
        ManifestValue::Float(number) => Ok(*number),
        ManifestValue::String(text) => ruby::float(text),
        other => Err(cannot_convert(other, "Float")),
    }
}

fn cannot_convert(value: &ManifestValue, to: &str) -> EvaluationFailure {
    let shown = match value {
        ManifestValue::Undef | ManifestValue::Boolean(_) => ruby::inspect(value),
        other => ruby::class_name(other),
    };
    failed(format!("can't convert {shown} into {to}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(format: &str, values: &[ManifestValue]) -> String {
        match sprintf(format, values) {
            Ok(text) => text,
            Err(failure) => failure.text().to_owned(),
        }
    }

    /// Expected results were printed by Ruby 3.1.
    #[test]
    fn directives_are_those_of_ruby() {
        let is = |format: &str, value: ManifestValue, expected: &str| assert_eq!(formatted(format, &[value]), expected, "{format}");
        is("%05d|%%", ManifestValue::Integer(42), "00042|%");
        is("%-5s|", ManifestValue::from("a"), "a    |");
        is("%+05d", ManifestValue::Integer(5), "+0005");
        is("%x", ManifestValue::Integer(-255), "..f01");
        is("%.0f", ManifestValue::Float(2.5), "2");
        is("%a", ManifestValue::Float(-1.1), "-0x1.199999999999ap+0");
        is("%p", ManifestValue::from("a\n"), "\"a\\n\"");
        is("%d", ManifestValue::from("0x1f"), "31");
        is("%d", ManifestValue::from("x"), "invalid value for Integer(): \"x\"");
        is("%d", ManifestValue::Undef, "can't convert nil into Integer");
        is("%c", ManifestValue::from("abc"), "%c requires a character");
        is("%y", ManifestValue::Integer(1), "malformed format string - %y");
        is("%5", ManifestValue::Integer(1), "malformed format string - %*[0-9]");
        is("%", ManifestValue::Integer(1), "incomplete format specifier; use %% (double %) instead");
        is("%1$s %s", ManifestValue::Integer(1), "unnumbered(1) mixed with numbered");
        is("%s %1$s", ManifestValue::Integer(1), "numbered(1) after unnumbered(1)");
        is("%<a>s", ManifestValue::Integer(1), "one hash required");
        let hash = ManifestValue::hash([(ManifestValue::from("a"), ManifestValue::Integer(1))]);
        is("%<a>03d %{a}", hash.clone(), "001 1");
        is("%<b>s", hash, "key<b> not found");
        is("%05f", ManifestValue::Float(f64::INFINITY), "  Inf");
    }
}
