//! The function `range`.

use super::booleans::is_digits_line;
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::ruby::{to_s, value_to_i};
use crate::functions::{Block, Evaluated, argument, bridge, legacy, no_method};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[legacy("range", -1, range)];

/// The maximum number of elements.
const LARGEST: usize = 1_000_000;

/// The ends of a range.
struct Ends {
    start: ManifestValue,
    stop: ManifestValue,
    is_exclusive: bool,
}

/// Parses `1-3`, `1..3`, `1...3`.
fn parse(value: &ManifestValue) -> Result<Ends, EvaluationFailure> {
    let ManifestValue::String(text) = value else { return Err(no_method(value, "match")) };
    let is_word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    let split = |line: &str| {
        ["...", "..", "-"].iter().find_map(|separator| {
            let (start, stop) = line.split_once(separator)?;
            (is_word(start) && is_word(stop)).then(|| Ends {
                start: ManifestValue::from(start),
                stop: ManifestValue::from(stop),
                is_exclusive: *separator == "...",
            })
        })
    };
    text.lines().find_map(split).ok_or_else(|| {
        let reason = if text.trim_matches('\n').is_empty() { "Unknown range format" } else { "Unable to compute range from the value" };
        EvaluationFailure::new(format!("range(): {reason}: {text}"))
    })
}

fn range(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let (ends, step) = match arguments {
        [] => return Err(EvaluationFailure::new("range(): Wrong number of arguments given (0 for 1)")),
        [value] => (parse(value)?, 1),
        [start, stop, ..] => {
            let step = match argument(arguments, 2) {
                ManifestValue::Undef => 1,
                step => value_to_i(step)?.saturating_abs(),
            };
            (Ends { start: start.clone(), stop: stop.clone(), is_exclusive: false }, step)
        }
    };
    if step == 0 {
        return Err(EvaluationFailure::new("range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)"));
    }
    let start = to_s(&ends.start);
    let all = if is_digits_line(&start) {
        numbers(context, value_to_i(&ends.start)?, value_to_i(&ends.stop)?, step, ends.is_exclusive)?
    } else {
        texts(context, &start, &to_s(&ends.stop), step, ends.is_exclusive)?
    };
    Ok(ManifestValue::array(all))
}

fn numbers(
    context: &mut CallContext<'_>,
    start: i64,
    stop: i64,
    step: i64,
    is_exclusive: bool,
) -> Result<Vec<ManifestValue>, EvaluationFailure> {
    let mut all = Vec::new();
    let mut next = Some(start);
    while let Some(number) = next.filter(|number| *number < stop || (!is_exclusive && *number == stop)) {
        if all.len() >= LARGEST {
            break;
        }
        context.spend(1)?;
        all.push(ManifestValue::Integer(number));
        next = number.checked_add(step);
    }
    Ok(all)
}

/// Returns the strings from a first to a last in the order of Ruby's `String#upto`.
fn texts(
    context: &mut CallContext<'_>,
    start: &str,
    stop: &str,
    step: i64,
    is_exclusive: bool,
) -> Result<Vec<ManifestValue>, EvaluationFailure> {
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    let mut all = Vec::new();
    let mut current = start.to_owned();
    if start > stop {
        return Ok(all);
    }
    for at in 0.. {
        context.spend(1)?;
        if is_exclusive && current == stop {
            break;
        }
        if at % step == 0 {
            all.push(ManifestValue::string(current.clone()));
        }
        if current == stop || all.len() >= LARGEST {
            break;
        }
        current = match bridge::call(&ManifestValue::string(current), "succ", &[])? {
            ManifestValue::String(next) => next.to_string(),
            other => to_s(&other),
        };
        if current.chars().count() > stop.chars().count() || current.is_empty() {
            break;
        }
    }
    Ok(all)
}
