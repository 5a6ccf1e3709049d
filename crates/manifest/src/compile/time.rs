//! Points in time and durations in strings.

use super::failure::EvaluationFailure;
use super::value::{ManifestValue, ValueMap};

/// The formats of points in time without an explicit format.
pub const TIMESTAMP_FORMATS: &[&str] =
    &["%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z", "%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

/// The formats of durations without an explicit format.
pub const TIMESPAN_FORMATS: &[&str] =
    &["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"];

fn unparsable(text: &str, formats: &[&str]) -> EvaluationFailure {
    EvaluationFailure::new(format!("Unable to parse '{text}' using any of the formats {}", formats.join(", ")))
}

/// Parses a duration in one of the default formats.
///
/// # Errors
/// Returns Puppet's message if the text has another format.
pub fn parse_timespan_default(text: &str) -> Result<i128, EvaluationFailure> {
    parse_span(text).ok_or_else(|| unparsable(text, TIMESPAN_FORMATS))
}

fn parse_span(text: &str) -> Option<i128> {
    let (is_negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (days, rest) = match rest.split_once('-') {
        Some((days, rest)) => (digits(days)?, rest),
        None => (0, rest),
    };
    let (clock, fraction) = rest.split_once('.').map_or((rest, None), |(clock, fraction)| (clock, Some(fraction)));
    let parts: Vec<i128> = clock.split(':').map(digits).collect::<Option<_>>()?;
    let has_days = rest.len() < text.trim_start_matches('-').len();
    let seconds = match (parts.as_slice(), fraction) {
        ([h, m, s], _) => h * 3600 + m * 60 + s,
        ([h, m], None) if has_days => h * 3600 + m * 60,
        ([m, s], Some(_)) if !has_days => m * 60 + s,
        ([s], _) if !has_days => *s,
        _ => return None,
    };
    let nanos = match fraction {
        Some(text) if text.len() <= 9 => digits(text)? * 10_i128.pow(9 - u32::try_from(text.len()).ok()?),
        Some(_) => return None,
        None => 0,
    };
    let total = (days * 86_400 + seconds) * 1_000_000_000 + nanos;
    Some(if is_negative { -total } else { total })
}

fn digits(text: &str) -> Option<i128> {
    let is_number = !text.is_empty() && text.len() <= 15 && text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// Parses a point in time in one of the default formats.
///
/// # Errors
/// Returns Puppet's message if the text has another format.
pub fn parse_timestamp_default(text: &str) -> Result<i128, EvaluationFailure> {
    parse_point(text).ok_or_else(|| unparsable(text, TIMESTAMP_FORMATS))
}

fn parse_point(text: &str) -> Option<i128> {
    let date = text.get(..10)?;
    let mut rest = text.get(10..)?;
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return None };
    let date =
        jiff::civil::Date::new(digits(year)?.try_into().ok()?, digits(month)?.try_into().ok()?, digits(day)?.try_into().ok()?).ok()?;
    let mut nanos = i128::from(days_since_epoch(date)) * 86_400_000_000_000;
    if let Some(clock) = rest.strip_prefix(['T', ' ']).filter(|clock| clock.starts_with(|c: char| c.is_ascii_digit())) {
        let time = clock.get(..8)?;
        let parts: Vec<i128> = time.split(':').map(digits).collect::<Option<_>>()?;
        let [h, m, s] = parts.as_slice() else { return None };
        if *h > 23 || *m > 59 || *s > 59 {
            return None;
        }
        nanos += (h * 3600 + m * 60 + s) * 1_000_000_000;
        rest = clock.get(8..)?;
        if let Some(fraction) = rest.strip_prefix('.') {
            let end = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
            let (number, after) = fraction.split_at(end);
            if number.is_empty() || number.len() > 9 {
                return None;
            }
            nanos += digits(number)? * 10_i128.pow(9 - u32::try_from(number.len()).ok()?);
            rest = after;
        }
    }
    Some(nanos - zone(rest)?)
}

/// Returns the offset of a time zone in nanoseconds.
fn zone(text: &str) -> Option<i128> {
    if text.is_empty() {
        return Some(0);
    }
    let name = text.strip_prefix(' ')?;
    if matches!(name, "UTC" | "GMT" | "Z") {
        return Some(0);
    }
    let (sign, offset) = match name.strip_prefix('+') {
        Some(offset) => (1, offset),
        None => (-1, name.strip_prefix('-')?),
    };
    let offset = offset.replace(':', "");
    let (hours, minutes) = (digits(offset.get(..2)?)?, digits(offset.get(2..4)?)?);
    (offset.len() == 4).then_some(sign * (hours * 3600 + minutes * 60) * 1_000_000_000)
}

fn days_since_epoch(date: jiff::civil::Date) -> i32 {
    let epoch = jiff::civil::date(1970, 1, 1);
    date.since((jiff::Unit::Day, epoch)).map(|span| span.get_days()).unwrap_or(0)
}

/// Returns the duration of a hash such as `{hours => 1, minutes => 30}`.
pub fn timespan_from_hash(map: &ValueMap) -> i128 {
    let part = |name: &str| match map.get(&ManifestValue::string(name)) {
        Some(ManifestValue::Integer(number)) => i128::from(*number),
        _ => 0,
    };
    let seconds = part("days") * 86_400 + part("hours") * 3600 + part("minutes") * 60 + part("seconds");
    let fraction = part("milliseconds") * 1_000_000 + part("microseconds") * 1000 + part("nanoseconds");
    let total = seconds * 1_000_000_000 + fraction;
    if matches!(map.get(&ManifestValue::string("negative")), Some(ManifestValue::Boolean(true))) { -total } else { total }
}
