//! Functions of numbers, and comparison.

use super::ruby::{self, float, to_f, to_i, whole};
use super::{Block, Evaluated, argument, signature, typed};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{FunctionBody, FunctionRow, Signature};
use crate::compile::text::label::label;
use crate::compile::value::ManifestValue;
use std::cmp::Ordering;

const fn extreme(body: FunctionBody) -> [Signature; 7] {
    [
        signature("(Numeric *$values)", body),
        signature("(String *$values)", body),
        signature("(Array[Numeric] $values, Callable[2, 2] &block?)", body),
        signature("(Array[String] $values, Callable[2, 2] &block?)", body),
        signature("(Array $values, Callable[2, 2] &block?)", body),
        signature("(Any *$values, Callable[2, 2] &block)", body),
        signature("(Any *$values)", body),
    ]
}

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    typed("abs", &[signature("(Numeric $val)", abs), signature("(String $val)", abs)]),
    typed("ceiling", &[signature("(Numeric $val)", ceiling), signature("(String $val)", ceiling)]),
    typed("floor", &[signature("(Numeric $val)", floor), signature("(String $val)", floor)]),
    typed("round", &[signature("(Numeric $val)", round)]),
    typed("max", &extreme(max)),
    typed("min", &extreme(min)),
    typed(
        "compare",
        &[
            signature("(Numeric $a, Numeric $b)", compare),
            signature("(String $a, String $b, Boolean $ignore_case?)", compare),
            signature("(SemVer $a, SemVer $b)", compare),
            signature("(Numeric $a, Variant[Timespan, Timestamp] $b)", compare),
            signature("(Timestamp $a, Variant[Timestamp, Numeric] $b)", compare),
            signature("(Timespan $a, Variant[Timespan, Numeric] $b)", compare),
            signature("(Any $a, Any $b, Any *$ignore_case)", incomparable),
        ],
    ),
];

/// Logs the deprecation of the conversion from strings.
fn warn_coercion(context: &mut CallContext<'_>, kind: &str) {
    let name = context.name().to_owned();
    context.warn_once(
        &format!("{name}_function_numeric_coerce_string"),
        &format!("The {name}() function's auto conversion of String to {kind} is deprecated - change to convert input before calling"),
        None,
    );
}

fn abs(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match argument(arguments, 0) {
        ManifestValue::Integer(number) => number.checked_abs().map(ManifestValue::Integer).ok_or_else(too_large),
        ManifestValue::Float(number) => Ok(ManifestValue::Float(number.abs())),
        other => {
            warn_coercion(context, "Numeric");
            let text = other.as_str().unwrap_or_default();
            // Each line is looked at, as in Ruby.
            let is_number = |line: &str, has_fraction: bool| {
                let digits = line.strip_prefix('-').unwrap_or(line);
                let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
                match digits.split_once('.') {
                    Some((whole, fraction)) => has_fraction && is_digits(whole) && is_digits(fraction),
                    None => !has_fraction && is_digits(digits),
                }
            };
            if text.lines().any(|line| is_number(line, true)) {
                Ok(ManifestValue::Float(to_f(text).abs()))
            } else if text.lines().any(|line| is_number(line, false)) {
                Ok(ManifestValue::Integer(to_i(text).saturating_abs()))
            } else {
                Err(EvaluationFailure::new("abs(): Requires float or integer to work with - was given non decimal string"))
            }
        }
    }
}

fn too_large() -> EvaluationFailure {
    EvaluationFailure::unsupported("integers of more than 64 bits")
}

fn rounded(context: &mut CallContext<'_>, value: &ManifestValue, round: fn(f64) -> f64) -> Evaluated {
    match value {
        ManifestValue::Float(number) => Ok(ManifestValue::Integer(whole(round(*number))?)),
        ManifestValue::String(text) => {
            warn_coercion(context, "Float");
            let name = context.name().to_owned();
            let number = float(text)
                .map_err(|_| EvaluationFailure::new(format!("{name}(): cannot convert given value to a floating point value.")))?;
            Ok(ManifestValue::Integer(whole(round(number))?))
        }
        other => Ok(other.clone()),
    }
}

fn ceiling(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    rounded(context, argument(arguments, 0), f64::ceil)
}

fn floor(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    rounded(context, argument(arguments, 0), f64::floor)
}

fn round(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let number = match argument(arguments, 0) {
        ManifestValue::Integer(number) => *number as f64,
        ManifestValue::Float(number) => *number,
        other => return Err(super::type_error(other, "Numeric")),
    };
    Ok(ManifestValue::Integer(whole((if number > 0.0 { number + 0.5 } else { number - 0.5 }).trunc())?))
}

fn max(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>) -> Evaluated {
    select(context, arguments, block, Ordering::Greater)
}

fn min(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>) -> Evaluated {
    select(context, arguments, block, Ordering::Less)
}

/// Returns the first value that is greater, or less, than all others.
fn select(context: &mut CallContext<'_>, arguments: &[ManifestValue], block: Block<'_>, wanted: Ordering) -> Evaluated {
    let values = match arguments {
        [ManifestValue::Array(elements)] => elements.to_vec(),
        _ => arguments.to_vec(),
    };
    context.spend(values.len())?;
    let mut values = values.into_iter();
    let Some(mut best) = values.next() else {
        return match block {
            Some(_) => Ok(ManifestValue::Undef),
            None => Err(EvaluationFailure::new(format!("{}(): Wrong number of arguments need at least one", context.name()))),
        };
    };
    for value in values {
        let order = match block {
            Some(block) => match context.yield_to(block, vec![value.clone(), best.clone()])? {
                ManifestValue::Integer(number) => number.cmp(&0),
                other => return Err(EvaluationFailure::new(format!("comparison of {} with 0 failed", ruby::class_name(&other)))),
            },
            None => natural_order(context, &value, &best)?,
        };
        if order == wanted {
            best = value;
        }
    }
    Ok(best)
}

/// Returns `true` for the strings that `max` and `min` compare as numbers.
fn is_number_text(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match digits.split_once(['.', '_', 'e', 'E']) {
        Some((whole, rest)) => is_digits(whole) && is_digits(rest),
        None => is_digits(digits),
    }
}

fn natural_order(context: &mut CallContext<'_>, a: &ManifestValue, b: &ManifestValue) -> Result<Ordering, EvaluationFailure> {
    if matches!((a, b), (ManifestValue::Integer(_) | ManifestValue::Float(_), ManifestValue::Integer(_) | ManifestValue::Float(_))) {
        return ruby::compare(a, b).ok_or_else(|| EvaluationFailure::new("comparison of Float with Float failed"));
    }
    let name = context.name().to_owned();
    let warning = |from: &str, to: &str| {
        format!(
            "The {name}() function's auto conversion of {from} to {to} is deprecated - change to convert input before calling, or use lambda"
        )
    };
    let (x, y) = (ruby::to_s(a), ruby::to_s(b));
    if is_number_text(&x) && is_number_text(&y) {
        context.warn_once(&format!("{name}_function_numeric_coerce_string"), &warning("String", "Numeric"), None);
        return Ok(to_f(&x).total_cmp(&to_f(&y)));
    }
    if !matches!((a, b), (ManifestValue::String(_), ManifestValue::String(_))) {
        context.warn_once(&format!("{name}_function_string_coerce_any"), &warning("Any", "String"), None);
    }
    Ok(x.as_bytes().cmp(y.as_bytes()))
}

fn compare(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let order = match (argument(arguments, 0), argument(arguments, 1)) {
        (ManifestValue::String(a), ManifestValue::String(b)) if arguments.get(2).is_none_or(ManifestValue::is_true) => {
            a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase())
        }
        (a, b) => match ruby::compare(a, b) {
            Some(order) => order,
            None => return Ok(ManifestValue::Undef),
        },
    };
    Ok(ManifestValue::Integer(order as i64))
}

/// Explains why two values cannot be compared.
fn incomparable(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let (a, b) = (argument(arguments, 0), argument(arguments, 1));
    let is_comparable = |value: &ManifestValue| {
        matches!(
            value,
            ManifestValue::Integer(_)
                | ManifestValue::Float(_)
                | ManifestValue::String(_)
                | ManifestValue::SemVer(_)
                | ManifestValue::Timestamp(_)
                | ManifestValue::Timespan(_)
        )
    };
    let got = format!("Got {} and {}", label(a), label(b));
    if !is_comparable(a) || !is_comparable(b) {
        return Err(EvaluationFailure::new(format!(
            "'compare' compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp can be \
             compared. {got}"
        )));
    }
    if arguments.len() > 2 {
        if !matches!((a, b), (ManifestValue::String(_), ManifestValue::String(_))) {
            return Err(EvaluationFailure::new(
                "'compare' compare(): The third argument (ignore case) can only be used when comparing strings",
            ));
        }
        if arguments.len() > 3 {
            return Err(EvaluationFailure::new(format!("'compare' compare(): Accepts at most 3 arguments, got {}", arguments.len())));
        }
        return Err(EvaluationFailure::new("uninitialized constant Puppet::Pops::Loader::RubyFunctionInstantiator::Boolean"));
    }
    Err(EvaluationFailure::new(format!(
        "'compare' compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). {got}"
    )))
}
