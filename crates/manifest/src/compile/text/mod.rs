//! Values as text.

pub mod inspect;
pub mod label;
pub mod number;

use super::types::Type;
use super::types::display::value_text;
use super::value::ManifestValue;
use base64_text::encode;
use ecow::EcoString;

/// Returns a float as Ruby prints it.
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e16).contains(&magnitude) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = if digits.contains('.') { digits.to_owned() } else { format!("{digits}.0") };
        let (sign, exponent) = exponent.strip_prefix('-').map_or(("+", exponent), |exponent| ("-", exponent));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    let text = format!("{value}");
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// Returns a string in quotes, as Puppet prints literals.
pub fn puppet_quote(text: &str) -> String {
    let needs_double = text.chars().any(|c| matches!(c, '\n' | '\t' | '\r' | '\0'..='\u{1f}' | '\u{7f}'));
    if !needs_double {
        return format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '$' => out.push_str("\\$"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:X}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns the text of a value inside a double-quoted string.
pub fn display(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Undef => String::new(),
        ManifestValue::Default => "default".to_owned(),
        ManifestValue::Boolean(value) => value.to_string(),
        ManifestValue::Integer(value) => value.to_string(),
        ManifestValue::Float(value) => float_text(*value),
        ManifestValue::String(text) | ManifestValue::Uri(text) => text.to_string(),
        ManifestValue::Regexp(_) => value_text(value),
        ManifestValue::Array(elements) => format!("[{}]", elements.iter().map(display).collect::<Vec<_>>().join(", ")),
        ManifestValue::Hash(map) => {
            format!("{{{}}}", map.iter().map(|(k, v)| format!("{} => {}", display(k), display(v))).collect::<Vec<_>>().join(", "))
        }
        ManifestValue::Sensitive(_) => "Sensitive [value redacted]".to_owned(),
        ManifestValue::Binary(bytes) => encode(bytes),
        ManifestValue::Timestamp(at) => timestamp_text(*at),
        ManifestValue::Timespan(nanos) => timespan_text(*nanos),
        ManifestValue::SemVer(version) => version.to_string(),
        ManifestValue::SemVerRange(range) => range.to_string(),
        ManifestValue::Type(of) => match &**of {
            Type::Alias(_) => of.expanded_text(),
            Type::Object(Some(object)) => object_text(object, true),
            Type::Object(None) => "Object[{}]".to_owned(),
            _ => of.to_string(),
        },
        ManifestValue::Object(object) => {
            let attributes = object.attributes.iter().map(|(k, v)| format!("'{k}' => {}", value_text(v)));
            format!("{}({{{}}})", object.object_type.name, attributes.collect::<Vec<_>>().join(", "))
        }
        ManifestValue::Iterator(sequence) => sequence.text.to_string(),
        ManifestValue::Lambda(_) => "Lambda".to_owned(),
    }
}

/// Returns an `Object` type with its definition.
fn object_text(object: &super::types::ObjectType, has_name: bool) -> String {
    let name = (has_name && !object.name.is_empty()).then(|| format!("name => {}", puppet_quote(&object.name)));
    let entries = object
        .init
        .as_map()
        .map(|map| map.iter().map(|(key, value)| format!("{} => {}", display(key), value_text(value))).collect::<Vec<_>>());
    format!("Object[{{{}}}]", name.into_iter().chain(entries.into_iter().flatten()).collect::<Vec<_>>().join(", "))
}

/// Returns a point in time as Puppet prints it: `2020-01-01T00:00:00.000000000 UTC`.
pub fn timestamp_text(nanos: i128) -> String {
    let seconds = nanos.div_euclid(1_000_000_000);
    let rest = nanos.rem_euclid(1_000_000_000);
    let days = seconds.div_euclid(86_400);
    let second = seconds.rem_euclid(86_400);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{rest:09} UTC", second / 3600, second / 60 % 60, second % 60)
}

/// Returns year, month and day of a number of days since 1970-01-01.
fn civil(days: i128) -> (i128, i128, i128) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i128::from(month <= 2), month, day)
}

/// Returns a duration as Puppet prints it: `0-02:00:00.0`.
pub fn timespan_text(nanos: i128) -> String {
    let magnitude = nanos.unsigned_abs();
    let seconds = magnitude / 1_000_000_000;
    // Puppet's format `%-N` leaves out zeros on both sides.
    let fraction = (magnitude % 1_000_000_000).to_string();
    let fraction = fraction.trim_end_matches('0');
    format!(
        "{}{}-{:02}:{:02}:{:02}.{}",
        if nanos < 0 { "-" } else { "" },
        seconds / 86_400,
        seconds / 3600 % 24,
        seconds / 60 % 60,
        seconds % 60,
        if fraction.is_empty() { "0" } else { fraction }
    )
}

/// Base64 without line breaks.
pub mod base64_text {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};

    /// Encodes bytes.
    pub fn encode(bytes: &[u8]) -> String {
        STANDARD.encode(bytes)
    }

    /// Decodes strict Base64.
    pub fn decode(text: &str) -> Option<Vec<u8>> {
        STANDARD.decode(text).ok()
    }

    /// Decodes Base64 with the alphabet for URLs.
    pub fn decode_url(text: &str) -> Option<Vec<u8>> {
        URL_SAFE.decode(text).ok()
    }
}

/// Joins words as in `a, b, or c`.
pub fn alternatives(words: &[EcoString]) -> String {
    match words {
        [] => String::new(),
        [one] => one.to_string(),
        [one, two] => format!("{one} or {two}"),
        [first @ .., last] => format!("{}, or {last}", first.join(", ")),
    }
}
