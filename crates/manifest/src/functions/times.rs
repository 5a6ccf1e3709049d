//! Functions and constructors of points in time and durations.

use super::{Block, Evaluated, argument, ruby, signature, text, typed};
use crate::compile::calendar::strftime::format_timestamp;
use crate::compile::calendar::strptime::parse_timestamp;
use crate::compile::calendar::timespan::{DEFAULTS, format_timespan, parse_timespan};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    typed(
        "strftime",
        &[
            signature("(Timespan $time_object, String $format)", strftime_span),
            signature("(Timestamp $time_object, String $format, String $timezone?)", strftime_stamp),
            signature("(String $format, String $timezone?)", strftime_now),
        ],
    ),
    typed(
        "Timestamp.new",
        &[
            signature("()", now),
            signature("(Variant[Integer, Float] $seconds)", of_seconds),
            signature(
                "(String[1] $string, Formats $format?, String[1] $timezone?) where Formats = Variant[String[2], Array[String[2], 1]]",
                timestamp_of_string,
            ),
            signature(
                "(Struct[{string => String[1], Optional[format] => Formats, Optional[timezone] => String[1]}] $hash_arg) \
                 where Formats = Variant[String[2], Array[String[2], 1]]",
                timestamp_of_hash,
            ),
        ],
    ),
    typed(
        "Timespan.new",
        &[
            signature("(Variant[Integer, Float] $seconds)", of_seconds),
            signature("(String[1] $string, Formats $format?) where Formats = Variant[String[2], Array[String[2], 1]]", timespan_of_string),
            signature(
                "(Integer $days, Integer $hours, Integer $minutes, Integer $seconds, Integer $milliseconds?, Integer $microseconds?, \
                 Integer $nanoseconds?)",
                timespan_of_fields,
            ),
            signature(
                "(Struct[{string => String[1], Optional[format] => Formats}] $hash_arg) where Formats = Variant[String[2], Array[String[2], 1]]",
                timespan_of_hash,
            ),
            signature(
                "(Struct[{Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => Integer, \
                 Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] => Integer, \
                 Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}] $hash_arg)",
                timespan_of_hash,
            ),
        ],
    ),
];

const SECOND: i128 = 1_000_000_000;

fn nanoseconds(value: &ManifestValue) -> i128 {
    match value {
        ManifestValue::Timestamp(nanoseconds) | ManifestValue::Timespan(nanoseconds) => *nanoseconds,
        _ => 0,
    }
}

fn strftime_span(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Ok(ManifestValue::string(format_timespan(nanoseconds(argument(arguments, 0)), text(arguments, 1))?))
}

fn strftime_stamp(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let zone = argument(arguments, 2).as_str();
    Ok(ManifestValue::string(format_timestamp(nanoseconds(argument(arguments, 0)), text(arguments, 1), zone)?))
}

fn strftime_now(_: &mut CallContext<'_>, _: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Err(super::refused::needs_clock("strftime"))
}

fn now(_: &mut CallContext<'_>, _: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Err(super::refused::needs_clock("Timestamp.new"))
}

fn of_seconds(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let nanoseconds = match argument(arguments, 0) {
        ManifestValue::Integer(seconds) => i128::from(*seconds) * SECOND,
        ManifestValue::Float(seconds) => seconds_of_float(*seconds)?,
        other => return Err(super::type_error(other, "Integer")),
    };
    Ok(if context.name().starts_with("Timespan") { ManifestValue::Timespan(nanoseconds) } else { ManifestValue::Timestamp(nanoseconds) })
}

/// Returns the nanoseconds of a number of seconds, without errors of rounding beyond those of the number.
fn seconds_of_float(seconds: f64) -> Result<i128, EvaluationFailure> {
    if !seconds.is_finite() || seconds.abs() > 1e18 {
        return Err(EvaluationFailure::new(ruby::to_s(&ManifestValue::Float(seconds))));
    }
    Ok((seconds * 1e9) as i128)
}

/// Returns the formats of an argument, which is a string or an array.
fn formats(value: &ManifestValue) -> Vec<String> {
    match value {
        ManifestValue::String(format) if format == "default" => Vec::new(),
        ManifestValue::String(format) => vec![format.to_string()],
        ManifestValue::Array(formats) => formats.iter().filter_map(ManifestValue::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn timestamp(string: &str, format: &ManifestValue, timezone: Option<&str>) -> Evaluated {
    let formats = formats(format);
    let formats: Vec<&str> = formats.iter().map(String::as_str).collect();
    parse_timestamp(string, &formats, timezone).map(ManifestValue::Timestamp)
}

fn timestamp_of_string(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    timestamp(text(arguments, 0), argument(arguments, 1), argument(arguments, 2).as_str())
}

fn timestamp_of_hash(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let entry = |name: &str| argument(arguments, 0).get(name);
    let string = entry("string").and_then(ManifestValue::as_str).unwrap_or_default();
    timestamp(string, entry("format").unwrap_or(&ManifestValue::Undef), entry("timezone").and_then(ManifestValue::as_str))
}

fn timespan(string: &str, format: &ManifestValue) -> Evaluated {
    let formats = formats(format);
    let formats: Vec<&str> = formats.iter().map(String::as_str).collect();
    parse_timespan(string, if formats.is_empty() { &DEFAULTS } else { &formats }).map(ManifestValue::Timespan)
}

fn timespan_of_string(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    timespan(text(arguments, 0), argument(arguments, 1))
}

/// The units of the fields of a timespan in nanoseconds.
const UNITS: [(&str, i128); 7] = [
    ("days", 86400 * SECOND),
    ("hours", 3600 * SECOND),
    ("minutes", 60 * SECOND),
    ("seconds", SECOND),
    ("milliseconds", 1_000_000),
    ("microseconds", 1000),
    ("nanoseconds", 1),
];

fn timespan_of_fields(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let sum = arguments.iter().zip(UNITS).map(|(value, (_, unit))| match value {
        ManifestValue::Integer(number) => i128::from(*number) * unit,
        _ => 0,
    });
    Ok(ManifestValue::Timespan(sum.sum()))
}

fn timespan_of_hash(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let hash = argument(arguments, 0);
    if let Some(string) = hash.get("string") {
        return timespan(string.as_str().unwrap_or_default(), hash.get("format").unwrap_or(&ManifestValue::Undef));
    }
    let sum: i128 = UNITS
        .iter()
        .map(|(name, unit)| match hash.get(name) {
            Some(ManifestValue::Integer(number)) => i128::from(*number) * unit,
            _ => 0,
        })
        .sum();
    let is_negative = hash.get("negative").is_some_and(ManifestValue::is_true);
    Ok(ManifestValue::Timespan(if is_negative { -sum } else { sum }))
}
