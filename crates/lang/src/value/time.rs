//! Times in strings, parsed like Ruby's `Time.parse`.

use jiff::civil::{Date, Time as TimeOfDay};
use jiff::tz::{Offset, TimeZone};
use regex::Regex;
use std::sync::LazyLock;

/// A moment, with the time zone from its string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    timestamp: jiff::Timestamp,
    offset: Offset,
    is_utc: bool,
}

/// The reason why a string names no moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMoment {
    /// No part of the string is a date or a time.
    NoTime,
    /// The string may name a moment, but in a form that only Ruby knows or that depends on the machine.
    NotKnown,
}

/// The machine's clock: `now` in seconds since 1970, and `is_utc` for a machine in UTC.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Seconds since 1970.
    pub now: Option<i64>,
    /// `true` if the machine's time zone is UTC.
    pub is_utc: bool,
}

static FORM: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let date = r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})";
    let time = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?";
    let zone = r"(?P<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)";
    Regex::new(&format!(r"(?i)^\s*(?:{date})?(?:(?:^|[T\s]\s*|\b){time}\s*{zone}?)?\s*$")).ok()
});

static PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)").ok());

impl Moment {
    /// Parses a string; missing parts come from today at midnight.
    pub fn parse(text: &str, clock: Clock) -> Result<Moment, NoMoment> {
        if PARTS.as_ref().is_some_and(|parts| !parts.is_match(text)) {
            return Err(NoMoment::NoTime);
        }
        Moment::of_form(text, clock).ok_or(NoMoment::NotKnown)
    }

    fn of_form(text: &str, clock: Clock) -> Option<Moment> {
        let found = FORM.as_ref()?.captures(text)?;
        let part = |name: &str| found.name(name).map(|m| m.as_str());
        let number = |name: &str| part(name).map_or(Some(0), |digits| digits.parse::<i8>().ok());
        let zone = part("zone").map(str::to_uppercase);
        let (offset, is_utc) = match zone.as_deref() {
            Some("Z" | "UTC" | "GMT" | "-00:00" | "-0000" | "-00") => (Offset::UTC, true),
            Some(zone) => (offset(zone)?, false),
            None if clock.is_utc => (Offset::UTC, false),
            None => return None,
        };
        let date = match part("year") {
            Some(year) => Date::new(year.parse().ok()?, number("month")?, number("day")?).ok()?,
            None => {
                let now = jiff::Timestamp::from_second(clock.now?).ok()?;
                part("hour")?;
                now.to_zoned(TimeZone::fixed(offset)).date()
            }
        };
        let fraction = part("fraction").map_or(Some(0), |digits| format!("{digits:0<9}").parse::<i32>().ok())?;
        let time = TimeOfDay::new(number("hour")?, number("minute")?, number("second")?, fraction).ok()?;
        let timestamp = offset.to_timestamp(date.to_datetime(time)).ok()?;
        Some(Moment { timestamp, offset, is_utc })
    }

    /// Returns the moment this number of seconds after the start of 1970, in UTC; `None` if the moment is too far away.
    pub fn of_seconds(seconds: i64, nanos: i32) -> Option<Moment> {
        let timestamp = jiff::Timestamp::new(seconds, nanos).ok()?;
        Some(Moment { timestamp, offset: Offset::UTC, is_utc: true })
    }

    /// Returns the seconds since 1970, with a fraction if necessary.
    pub fn seconds(&self) -> super::Value {
        match self.timestamp.subsec_nanosecond() {
            0 => super::Value::Int(self.timestamp.as_second()),
            nanos => super::Value::Float(self.timestamp.as_second() as f64 + f64::from(nanos) / 1e9),
        }
    }

    /// Formats the moment with a `strftime` pattern; `%Z` is `UTC` or the offset. `None` for an invalid pattern.
    pub fn format(&self, pattern: &str) -> Option<String> {
        let pattern = pattern.replace("%Z", if self.is_utc { "UTC" } else { "%z" });
        jiff::fmt::strtime::format(pattern, &self.timestamp.to_zoned(TimeZone::fixed(self.offset))).ok()
    }

    /// Formats the moment as ISO 8601 prescribes.
    pub fn iso8601(&self) -> Option<String> {
        self.format(if self.is_utc { "%Y-%m-%dT%H:%M:%SZ" } else { "%Y-%m-%dT%H:%M:%S%:z" })
    }
}

/// Reads `+01:00`, `+0100` and `+01`.
fn offset(zone: &str) -> Option<Offset> {
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = (digits.get(..2)?.parse::<i32>().ok()?, digits.get(2..4).map_or(Some(0), |m| m.parse::<i32>().ok())?);
    let seconds = hours * 3600 + minutes * 60;
    Offset::from_seconds(if zone.starts_with('-') { -seconds } else { seconds }).ok().filter(|_| minutes < 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock { now: Some(1_700_000_000), is_utc: true };

    /// The right side is Ruby 3.1's result, with `TZ=UTC`.
    #[test]
    fn texts_are_read_as_ruby_reads_them() {
        let read = |text: &str| Moment::parse(text, CLOCK).map(|m| m.iso8601().unwrap_or_default());
        let is = |text: &str, expected: &str| assert_eq!(read(text), Ok(expected.to_owned()), "{text}");
        is("2018-01-02T03:04:05Z", "2018-01-02T03:04:05Z");
        is("2018-01-02T03:04:05.678+02:00", "2018-01-02T03:04:05+02:00");
        is("2018-01-02 03:04:05 -0130", "2018-01-02T03:04:05-01:30");
        is("2018/1/2", "2018-01-02T00:00:00+00:00");
        is("2018-01-02 03:04", "2018-01-02T03:04:00+00:00");
        is("03:04:05 UTC", "2023-11-14T03:04:05Z");
        let at = |seconds, nanos| Moment::of_seconds(seconds, nanos).and_then(|m| m.iso8601());
        assert_eq!(at(1_700_000_000, 0).as_deref(), Some("2023-11-14T22:13:20Z"));
        assert_eq!(at(-1, 0).as_deref(), Some("1969-12-31T23:59:59Z"));
        assert_eq!(at(i64::MAX, 0), None);
        assert_eq!(read("text"), Err(NoMoment::NoTime));
        assert_eq!(read(""), Err(NoMoment::NoTime));
        for unknown in ["Tue, 02 Jan 2018 03:04:05 GMT", "2018-13-01", "2018-02-30", "may", "5"] {
            assert_eq!(read(unknown), Err(NoMoment::NotKnown), "{unknown}");
        }
        assert_eq!(Moment::parse("2018-01-02", Clock { is_utc: false, ..CLOCK }), Err(NoMoment::NotKnown));
    }
}
