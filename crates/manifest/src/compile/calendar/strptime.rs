//! Parses `Timestamp`: Ruby's `DateTime._strptime`.

use crate::compile::failure::EvaluationFailure;

/// The formats without an explicit format or time zone.
pub const DEFAULTS: [&str; 10] =
    ["%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z", "%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];
/// The formats for an explicit time zone.
pub const DEFAULTS_WITHOUT_ZONE: [&str; 5] = ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

const SECOND: i128 = 1_000_000_000;

/// The parts that a text has.
#[derive(Clone, Default, Debug)]
struct Parts {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    hour: Option<i64>,
    minute: Option<i64>,
    second: Option<i64>,
    fraction: Option<i64>,
    is_afternoon: Option<bool>,
    /// Seconds since 1970, from `%s`.
    epoch: Option<i64>,
    zone: Option<String>,
}

/// Parses a time in the first format that matches; a single format has its own error. Without formats, Puppet's defaults are used.
///
/// # Errors
/// Returns Puppet's error if no format matches.
pub fn parse_timestamp(text: &str, formats: &[&str], timezone: Option<&str>) -> Result<i128, EvaluationFailure> {
    let explicit = timezone.filter(|zone| !zone.is_empty());
    let alternatives: &[&str] = match (formats.is_empty(), explicit) {
        (false, _) => formats,
        (true, Some(_)) => &DEFAULTS_WITHOUT_ZONE,
        (true, None) => &DEFAULTS,
    };
    let mut found = None;
    for format in alternatives {
        let parsed = parse(text, format);
        let has_zone = parsed.as_ref().is_some_and(|parts| parts.zone.is_some());
        if has_zone && explicit.is_some() {
            if formats.len() == 1 {
                return Err(EvaluationFailure::new(
                    "Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument",
                ));
            }
            continue;
        }
        if parsed.is_some() {
            found = parsed;
            break;
        }
    }
    let Some(parts) = found else {
        return Err(EvaluationFailure::new(match formats {
            [format] => format!("Unable to parse '{text}' using format '{format}'"),
            _ => format!("Unable to parse '{text}' using any of the formats {}", alternatives.join(", ")),
        }));
    };
    let zone = explicit.map(str::to_owned).or_else(|| parts.zone.clone());
    let offset = zone.as_deref().map_or(Ok(0), super::strftime::utc_offset)?;
    Ok(parts.nanoseconds()? - i128::from(offset) * SECOND)
}

impl Parts {
    /// Returns the nanoseconds since 1970 as `Time.utc` does: days up to 31 are allowed in each month.
    fn nanoseconds(&self) -> Result<i128, EvaluationFailure> {
        let Some(year) = self.year else { return Err(EvaluationFailure::new("no implicit conversion of nil into Integer")) };
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        let days = i128::from(days_before(year, month)) + i128::from(day - 1);
        let hour = match (self.is_afternoon, self.hour) {
            (Some(is_afternoon), Some(hour)) => hour % 12 + if is_afternoon { 12 } else { 0 },
            (_, hour) => hour.unwrap_or(0),
        };
        let seconds = days * 86400 + i128::from(hour * 3600 + self.minute.unwrap_or(0) * 60 + self.second.unwrap_or(0));
        Ok(seconds * SECOND + i128::from(self.fraction.unwrap_or(0)))
    }
}

/// Returns the days from 1970-01-01 to the first day of a month.
fn days_before(year: i64, month: i64) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year - 719_468
}

/// Parses a text in one format; `None` if it does not match completely.
fn parse(text: &str, format: &str) -> Option<Parts> {
    let mut parts = Parts::default();
    let rest = scan(text, format, &mut parts, 0)?;
    if !rest.is_empty() {
        return None;
    }
    // After a number of seconds, Puppet ignores all other parts.
    if parts.epoch.is_some() && parts.year.is_none() {
        return Some(parts);
    }
    Some(parts)
}

/// Matches a format at the start of a text; returns the rest of the text.
fn scan<'t>(text: &'t str, format: &str, parts: &mut Parts, depth: u8) -> Option<&'t str> {
    let mut rest = text;
    let mut letters = format.chars();
    while let Some(c) = letters.next() {
        if c.is_whitespace() {
            rest = rest.trim_start();
            continue;
        }
        if c != '%' {
            rest = rest.strip_prefix(c)?;
            continue;
        }
        let mut letter = letters.next()?;
        while matches!(letter, ':' | 'E' | 'O' | '-' | '_' | '^' | '#' | '0') {
            letter = letters.next()?;
        }
        let is_followed_by_number = followed_by_number(letters.as_str());
        rest = field(rest, letter, is_followed_by_number, parts, depth)?;
    }
    Some(rest)
}

/// Returns `true` if the next thing in a format is a number, which limits the digits of the field before it.
fn followed_by_number(format: &str) -> bool {
    let mut letters = format.chars();
    match letters.next() {
        Some('%') => matches!(
            letters.next(),
            Some(
                'C' | 'D'
                    | 'd'
                    | 'e'
                    | 'F'
                    | 'G'
                    | 'g'
                    | 'H'
                    | 'I'
                    | 'j'
                    | 'k'
                    | 'L'
                    | 'l'
                    | 'M'
                    | 'm'
                    | 'N'
                    | 'Q'
                    | 'R'
                    | 'r'
                    | 'S'
                    | 's'
                    | 'T'
                    | 'U'
                    | 'u'
                    | 'V'
                    | 'v'
                    | 'W'
                    | 'w'
                    | 'X'
                    | 'x'
                    | 'Y'
                    | 'y'
            )
        ),
        Some(c) => c.is_ascii_digit(),
        None => false,
    }
}

fn field<'t>(rest: &'t str, letter: char, is_followed: bool, parts: &mut Parts, depth: u8) -> Option<&'t str> {
    let composite = |format: &str, parts: &mut Parts| if depth > 2 { None } else { scan(rest, format, parts, depth + 1) };
    let (value, rest) = match letter {
        'F' => return composite("%Y-%m-%d", parts),
        'T' | 'X' => return composite("%H:%M:%S", parts),
        'R' => return composite("%H:%M", parts),
        'r' => return composite("%I:%M:%S %p", parts),
        'D' | 'x' => return composite("%m/%d/%y", parts),
        'c' => return composite("%a %b %e %H:%M:%S %Y", parts),
        'v' => return composite("%e-%b-%Y", parts),
        '%' => return rest.strip_prefix('%'),
        'n' | 't' => return Some(rest.trim_start()),
        'Z' | 'z' => return zone(rest, parts),
        'A' | 'a' => return name(rest, &DAYS).map(|(_, rest)| rest),
        'B' | 'b' | 'h' => {
            let (month, rest) = name(rest, &MONTHS)?;
            parts.month = Some(month);
            return Some(rest);
        }
        'p' | 'P' => return half_day(rest, parts),
        'N' | 'L' => return fraction(rest, parts, if is_followed { if letter == 'N' { 9 } else { 3 } } else { usize::MAX }),
        'Y' => signed(rest, if is_followed { 4 } else { usize::MAX })?,
        's' => signed(rest, usize::MAX)?,
        'j' => number(rest, 3, 1, 366)?,
        'm' => number(rest, 2, 1, 12)?,
        'd' | 'e' => number(rest.strip_prefix(' ').unwrap_or(rest), 2, 1, 31)?,
        'H' | 'k' => number(rest.strip_prefix(' ').unwrap_or(rest), 2, 0, 24)?,
        'I' | 'l' => number(rest.strip_prefix(' ').unwrap_or(rest), 2, 1, 12)?,
        'M' => number(rest, 2, 0, 59)?,
        'S' => number(rest, 2, 0, 60)?,
        'y' => number(rest, 2, 0, 99)?,
        _ => return None,
    };
    match letter {
        'Y' => parts.year = Some(value),
        'y' => parts.year = Some(if value >= 69 { value + 1900 } else { value + 2000 }),
        'm' => parts.month = Some(value),
        'd' | 'e' => parts.day = Some(value),
        'H' | 'k' | 'I' | 'l' => parts.hour = Some(value),
        'M' => parts.minute = Some(value),
        'S' => parts.second = Some(value),
        's' => parts.epoch = Some(value),
        _ => {}
    }
    Some(rest)
}

const MONTHS: [&str; 12] =
    ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/// Reads a name or its first three letters; returns its number from 1.
fn name<'t>(text: &'t str, names: &[&str]) -> Option<(i64, &'t str)> {
    let starts = |name: &str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    names.iter().zip(1..).find_map(|(name, number)| {
        let written = [*name, name.get(..3)?].into_iter().find(|form| starts(form))?;
        Some((number, text.get(written.len()..)?))
    })
}

fn number(text: &str, most: usize, from: i64, to: i64) -> Option<(i64, &str)> {
    let length = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    let value: i64 = digits.parse().ok()?;
    (from..=to).contains(&value).then_some((value, rest))
}

fn signed(text: &str, most: usize) -> Option<(i64, &str)> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    // Years of more than six digits are out of range anyway.
    let (value, rest) = number(digits, most.min(12), 0, 999_999_999_999)?;
    Some((sign * value, rest))
}

fn fraction<'t>(text: &'t str, parts: &mut Parts, most: usize) -> Option<&'t str> {
    let length = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    let kept: String = digits.chars().take(9).collect();
    parts.fraction = Some(format!("{kept:0<9}").parse().ok().filter(|_| length > 0)?);
    Some(rest)
}

fn half_day<'t>(text: &'t str, parts: &mut Parts) -> Option<&'t str> {
    let letters: String = text.chars().take(4).collect::<String>().to_ascii_lowercase();
    let length = if letters.starts_with("a.m.") || letters.starts_with("p.m.") { 4 } else { 2 };
    if length == 2 && !letters.starts_with("am") && !letters.starts_with("pm") {
        return None;
    }
    parts.is_afternoon = Some(letters.starts_with('p'));
    text.get(length..)
}

/// Reads a zone: `+02:00`, `UTC+1`, or a word.
fn zone<'t>(text: &'t str, parts: &mut Parts) -> Option<&'t str> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, after) = text.split_at_checked(letters)?;
    let length = if after.starts_with(['+', '-']) && ["", "gmt", "utc", "ut"].contains(&word.to_ascii_lowercase().as_str()) {
        let mut length = letters + 1;
        let digits = |from: usize| text.bytes().skip(from).take_while(u8::is_ascii_digit).count();
        let first = digits(length);
        if first == 0 {
            return None;
        }
        length += first;
        for separators in [",.:", ":"] {
            let is_separator = text.get(length..).is_some_and(|rest| rest.starts_with(|c| separators.contains(c)));
            match digits(length + 1) {
                count if is_separator && count > 0 => length += 1 + count,
                _ => break,
            }
        }
        length
    } else {
        // A word ends before other characters than letters, digits and underscores.
        if letters == 0 || after.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let has_dst = after.get(..4).is_some_and(|rest| rest.eq_ignore_ascii_case(" dst"));
        if has_dst { letters + 4 } else { letters }
    };
    let (zone, rest) = text.split_at_checked(length)?;
    parts.zone = Some(zone.to_owned());
    Some(rest)
}

/// Returns the offset in seconds of a zone: `+02:00`, `-0130`, `UTC`, `PST`, `UTC+1`.
pub fn zone_offset(zone: &str) -> Option<i32> {
    let lower = zone.trim().to_ascii_lowercase();
    let (lower, is_daylight) = match lower.strip_suffix(" daylight time").or_else(|| lower.strip_suffix(" dst")) {
        Some(name) => (name.to_owned(), true),
        None => (lower.strip_suffix(" standard time").unwrap_or(&lower).to_owned(), false),
    };
    if let Some((_, offset)) = ZONES.iter().find(|(name, _)| *name == lower) {
        return Some(offset + if is_daylight { 3600 } else { 0 });
    }
    if let [letter @ b'a'..=b'y'] = lower.as_bytes() {
        return military(*letter);
    }
    let digits = lower.strip_prefix("utc").or_else(|| lower.strip_prefix("gmt")).or_else(|| lower.strip_prefix("ut")).unwrap_or(&lower);
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, digits.strip_prefix('+')?),
    };
    let parts: Vec<&str> = digits.split(':').collect();
    let number = |text: &str| text.parse::<i32>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    let seconds = match parts.as_slice() {
        [all] if all.len() <= 2 => number(all)? * 3600,
        [all] => {
            let padded = if all.len() % 2 == 1 { format!("0{all}") } else { (*all).to_owned() };
            let pair = |at: usize| padded.get(at..at + 2).map_or(Some(0), number);
            pair(0)? * 3600 + pair(2)? * 60 + pair(4)?
        }
        [hours, minutes] => number(hours)? * 3600 + number(minutes)? * 60,
        [hours, minutes, seconds] => number(hours)? * 3600 + number(minutes)? * 60 + number(seconds)?,
        _ => return None,
    };
    (seconds < 86400).then_some(sign * seconds)
}

/// Returns the offset of a military zone, such as `Z`.
fn military(letter: u8) -> Option<i32> {
    let number = i32::from(letter) - i32::from(b'a');
    let hours = match letter {
        b'a'..=b'i' => number + 1,
        b'k'..=b'm' => number,
        b'n'..=b'y' => i32::from(b'm') - i32::from(letter),
        _ => return None,
    };
    Some(hours * 3600)
}

/// The names of zones that are in use, in seconds.
const ZONES: [(&str, i32); 38] = [
    ("utc", 0),
    ("gmt", 0),
    ("z", 0),
    ("ut", 0),
    ("wet", 0),
    ("west", 3600),
    ("bst", 3600),
    ("cet", 3600),
    ("met", 3600),
    ("mez", 3600),
    ("cest", 7200),
    ("mest", 7200),
    ("mesz", 7200),
    ("eet", 7200),
    ("sast", 7200),
    ("eest", 10800),
    ("msk", 10800),
    ("eat", 10800),
    ("ist", 19800),
    ("jst", 32400),
    ("kst", 32400),
    ("est", -18000),
    ("edt", -14400),
    ("cst", -21600),
    ("cdt", -18000),
    ("mst", -25200),
    ("mdt", -21600),
    ("pst", -28800),
    ("pdt", -25200),
    ("akst", -32400),
    ("akdt", -28800),
    ("hst", -36000),
    ("ast", -14400),
    ("adt", -10800),
    ("nst", -12600),
    ("ndt", -9000),
    ("brt", -10800),
    ("nzst", 43200),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::calendar::strftime::format_timestamp;

    fn read(text: &str, formats: &[&str], zone: Option<&str>) -> String {
        match parse_timestamp(text, formats, zone) {
            Ok(nanoseconds) => format_timestamp(nanoseconds, "%FT%T.%N", None).unwrap(),
            Err(failure) => failure.text().to_owned(),
        }
    }

    /// The expected texts are Puppet's.
    #[test]
    fn timestamps_are_parsed() {
        assert_eq!(read("2020-02-03", &[], None), "2020-02-03T00:00:00.000000000");
        assert_eq!(read("2020-02-03T04:05:06.789 UTC", &[], None), "2020-02-03T04:05:06.789000000");
        assert_eq!(read("2020-02-03 04:05:06 +0200", &[], None), "2020-02-03T02:05:06.000000000");
        assert_eq!(read("2020-02-30", &[], None), "2020-03-01T00:00:00.000000000");
        assert_eq!(read("03/02/2020", &["%d/%m/%Y"], None), "2020-02-03T00:00:00.000000000");
        assert_eq!(read("2020", &["%F", "%Y"], None), "2020-01-01T00:00:00.000000000");
        assert_eq!(read("20200203", &["%Y%m%d"], None), "2020-02-03T00:00:00.000000000");
        assert_eq!(read("2020-13-01", &["%F"], None), "Unable to parse '2020-13-01' using format '%F'");
        assert_eq!(read("2020-01-01", &[], Some("PST")), "2020-01-01T08:00:00.000000000");
    }
}
