//! Conversion between booleans, numbers and strings.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::ruby::{flatten, float, to_f, to_i, to_s, value_to_i, whole};
use crate::functions::{Block, Evaluated, argument, legacy, no_method, type_error};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("any2bool", -1, any2bool),
    legacy("bool2num", -1, bool2num),
    legacy("bool2str", -1, bool2str),
    legacy("clamp", -2, clamp),
    legacy("convert_base", 2, convert_base),
    legacy("num2bool", -1, num2bool),
    legacy("str2bool", -1, str2bool),
    legacy("to_bytes", -1, to_bytes),
    legacy("type3x", -1, type3x),
];

fn wrong_number(context: &CallContext<'_>, arguments: &[ManifestValue]) -> EvaluationFailure {
    EvaluationFailure::new(format!("{}(): Wrong number of arguments given ({} for 1)", context.name(), arguments.len()))
}

/// Returns the boolean of a string such as `yes` or `0`.
///
/// # Errors
/// Returns stdlib's error for other strings and values.
pub fn parse_boolean(value: &ManifestValue) -> Result<bool, EvaluationFailure> {
    let text = match value {
        ManifestValue::Boolean(value) => return Ok(*value),
        ManifestValue::String(text) => text,
        _ => return Err(EvaluationFailure::new("str2bool(): Requires string to work with")),
    };
    // The patterns of stdlib look at each line.
    let has_line = |words: &[&str]| text.lines().any(|line| words.iter().any(|word| line.eq_ignore_ascii_case(word)));
    if text.is_empty() || has_line(&[""]) {
        Ok(false)
    } else if has_line(&["1", "t", "y", "true", "yes"]) {
        Ok(true)
    } else if has_line(&["0", "f", "n", "false", "no"]) || text.lines().any(|line| line == "undef" || line == "undefined") {
        Ok(false)
    } else {
        Err(EvaluationFailure::new("str2bool(): Unknown type of boolean given"))
    }
}

fn str2bool(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let Some(value) = arguments.first() else { return Err(wrong_number(context, arguments)) };
    parse_boolean(value).map(ManifestValue::Boolean)
}

fn number_is_positive(value: &ManifestValue) -> Evaluated {
    let number = match value {
        ManifestValue::String(text) => match float(text) {
            Ok(number) => number.trunc(),
            Err(failure) => {
                return Err(EvaluationFailure::new(format!("num2bool(): '{text}' does not look like a number: {}", failure.text())));
            }
        },
        ManifestValue::Float(number) => whole(number.trunc())? as f64,
        ManifestValue::Integer(number) => *number as f64,
        other => to_i(&to_s(other)) as f64,
    };
    Ok(ManifestValue::Boolean(number > 0.0))
}

fn num2bool(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments {
        [value] => number_is_positive(value),
        _ => Err(wrong_number(context, arguments)),
    }
}

fn any2bool(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let Some(value) = arguments.first() else { return Err(wrong_number(context, arguments)) };
    match value {
        ManifestValue::Boolean(_) => Ok(value.clone()),
        ManifestValue::Undef => Ok(ManifestValue::Boolean(false)),
        ManifestValue::Integer(_) | ManifestValue::Float(_) => number_is_positive(value),
        ManifestValue::String(text) if float(text).is_ok() => number_is_positive(value),
        ManifestValue::String(_) => parse_boolean(value).map(ManifestValue::Boolean),
        _ => Ok(ManifestValue::Boolean(true)),
    }
}

fn bool2num(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let Some(value) = arguments.first() else { return Err(wrong_number(context, arguments)) };
    parse_boolean(value).map(|value| ManifestValue::Integer(i64::from(value)))
}

fn bool2str(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() != 1 && arguments.len() != 3 {
        return Err(EvaluationFailure::new(format!("bool2str(): Wrong number of arguments given ({} for 3)", arguments.len())));
    }
    let word = |at: usize, default: &str| match arguments.get(at) {
        Some(value) if value.is_true() => value.clone(),
        _ => ManifestValue::from(default),
    };
    let (yes, no) = (word(1, "true"), word(2, "false"));
    let ManifestValue::Boolean(value) = argument(arguments, 0) else {
        return Err(EvaluationFailure::new("bool2str(): Requires a boolean to work with"));
    };
    if yes.as_str().is_none() || no.as_str().is_none() {
        return Err(EvaluationFailure::new("bool2str(): Requires strings to convert to"));
    }
    Ok(if *value { yes } else { no })
}

fn clamp(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let values = flatten(arguments);
    if values.len() != 3 {
        return Err(EvaluationFailure::new("clamp(): Wrong number of arguments, need three to clamp"));
    }
    for value in &values {
        match value {
            ManifestValue::String(text) if !is_digits_line(text) => {
                return Err(EvaluationFailure::new(format!("clamp(): Required explicit numeric ({text}:String)")));
            }
            ManifestValue::Hash(_) => {
                return Err(EvaluationFailure::new(format!("clamp(): The Hash type is not allowed ({})", to_s(value))));
            }
            _ => {}
        }
    }
    let mut numbers = values.iter().map(value_to_i).collect::<Result<Vec<_>, _>>()?;
    numbers.sort_unstable();
    Ok(numbers.get(1).map_or(ManifestValue::Undef, |number| ManifestValue::Integer(*number)))
}

/// Returns `true` if a line of the text has digits only.
pub fn is_digits_line(text: &str) -> bool {
    text.lines().any(|line| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()))
}

fn convert_base(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let (number, base) = (argument(arguments, 0), argument(arguments, 1));
    for (value, place) in [(number, "First"), (base, "Second")] {
        if !matches!(value, ManifestValue::Integer(_) | ManifestValue::String(_)) {
            return Err(EvaluationFailure::new(format!("convert_base(): {place} argument must be either a string or an integer")));
        }
    }
    if [number, base].iter().any(|value| value.as_str().is_some_and(|text| !is_digits_line(text))) {
        return Err(EvaluationFailure::new(
            "convert_base(): First argument must be an integer or a string corresponding to an integer in base 10",
        ));
    }
    let base = match value_to_i(base)? {
        base @ 2..=36 => u128::try_from(base).unwrap_or(10),
        _ => return Err(EvaluationFailure::new("convert_base(): base must be at least 2 and must not be greater than 36")),
    };
    let number = value_to_i(number)?;
    let mut rest = u128::from(number.unsigned_abs());
    let mut digits = Vec::new();
    while rest > 0 || digits.is_empty() {
        digits.push(u32::try_from(rest % base).ok().and_then(|digit| char::from_digit(digit, 36)).unwrap_or('0'));
        rest /= base;
    }
    let sign = if number < 0 { "-" } else { "" };
    Ok(ManifestValue::string(format!("{sign}{}", digits.iter().rev().collect::<String>())))
}

fn to_bytes(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [value] = arguments else { return Err(wrong_number(context, arguments)) };
    let text = match value {
        ManifestValue::Integer(_) | ManifestValue::Float(_) => return Ok(value.clone()),
        ManifestValue::String(text) => text,
        ManifestValue::Undef => return Err(no_method(value, "[]")),
        other => return Err(type_error(other, "String")),
    };
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-'))).unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let prefix = rest.trim_start_matches(|c: char| c.is_ascii_whitespace()).chars().next().filter(|c| !matches!(c, 'b' | 'B'));
    let power = match prefix {
        None => 0,
        Some('k') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        Some('P') => 50,
        Some('E') => 60,
        Some(other) => return Err(EvaluationFailure::new(format!("to_bytes(): Unknown prefix {other}"))),
    };
    Ok(ManifestValue::Integer(whole((to_f(number) * (1_u64 << power) as f64).trunc())?))
}

fn type3x(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [value] = arguments else { return Err(wrong_number(context, arguments)) };
    Ok(ManifestValue::from(match value {
        ManifestValue::Boolean(_) => "boolean",
        ManifestValue::Array(_) => "array",
        ManifestValue::Integer(_) => "integer",
        ManifestValue::Float(_) => "float",
        ManifestValue::Hash(_) => "hash",
        ManifestValue::String(text) if to_i(text).to_string() == text.as_str() => "integer",
        ManifestValue::String(text) if to_s(&ManifestValue::Float(to_f(text))) == text.as_str() => "float",
        ManifestValue::String(_) => "string",
        _ => return Err(EvaluationFailure::new("type3x(): Unknown type")),
    }))
}
