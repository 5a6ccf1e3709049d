//! Formats of `Timestamp`: Ruby's `strftime`.

use crate::compile::failure::EvaluationFailure;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

/// The maximum width of a field.
const WIDEST: usize = 1024;

/// A time with the texts of its zone.
struct Moment {
    civil: DateTime,
    /// The offset from UTC in seconds.
    offset: i32,
    is_utc: bool,
    seconds: i64,
    nanoseconds: i32,
}

/// The flags and the width of a field.
#[derive(Default)]
struct Spec {
    padding: Option<char>,
    is_unpadded: bool,
    is_upper: bool,
    is_swapped: bool,
    colons: usize,
    width: Option<usize>,
}

/// Formats nanoseconds since 1970, in UTC or in a time zone such as `+02:00` or `PST`.
///
/// # Errors
/// Returns Puppet's error for an unknown time zone.
pub fn format_timestamp(nanoseconds: i128, format: &str, timezone: Option<&str>) -> Result<String, EvaluationFailure> {
    let too_far = || EvaluationFailure::unsupported("a timestamp outside of the years -9999 to 9999");
    let zone = timezone.filter(|zone| !zone.is_empty());
    let offset = zone.map_or(Ok(0), utc_offset)?;
    let timestamp = jiff::Timestamp::from_nanosecond(nanoseconds).map_err(|_| too_far())?;
    let zoned = timestamp.to_zoned(TimeZone::fixed(Offset::from_seconds(offset).map_err(|_| too_far())?));
    let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000)).map_err(|_| too_far())?;
    let civil = zoned.datetime();
    let moment = Moment { civil, offset, is_utc: zone.is_none(), seconds, nanoseconds: civil.subsec_nanosecond() };
    let mut out = String::new();
    write(&moment, format, &mut out);
    Ok(out)
}

/// Returns the offset of a time zone in seconds.
///
/// # Errors
/// Returns Puppet's error for an unknown time zone.
pub fn utc_offset(zone: &str) -> Result<i32, EvaluationFailure> {
    if zone.eq_ignore_ascii_case("current") {
        return Ok(0);
    }
    super::strptime::zone_offset(zone).ok_or_else(|| EvaluationFailure::new(format!("Illegal timezone '{zone}'")))
}

fn write(moment: &Moment, format: &str, out: &mut String) {
    let mut rest = format;
    while let Some((plain, after)) = rest.split_once('%') {
        out.push_str(plain);
        let mut spec = Spec::default();
        let mut letters = after.chars();
        let text = loop {
            let Some(c) = letters.next() else { break None };
            match c {
                '-' => spec.is_unpadded = true,
                '^' => spec.is_upper = true,
                '#' => spec.is_swapped = true,
                '_' => spec.padding = Some(' '),
                '0' if spec.width.is_none() => spec.padding = Some('0'),
                ':' => spec.colons += 1,
                '0'..='9' => {
                    let digit = c.to_digit(10).unwrap_or(0) as usize;
                    spec.width = Some(spec.width.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(WIDEST));
                }
                'E' | 'O' => {}
                letter => break field(moment, &spec, letter),
            }
        };
        match text {
            Some(text) => {
                out.push_str(&text);
                rest = letters.as_str();
            }
            // An unknown field stays as it is written.
            None => {
                out.push('%');
                rest = after;
            }
        }
    }
    out.push_str(rest);
}

/// Formats one field; `None` if the letter is unknown.
fn field(moment: &Moment, spec: &Spec, letter: char) -> Option<String> {
    let civil = moment.civil;
    let (year, month, day) = (i64::from(civil.year()), i64::from(civil.month()), i64::from(civil.day()));
    let hour = i64::from(civil.hour());
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    let week = civil.date().iso_week_date();
    let day_of_year = i64::from(civil.day_of_year());
    let sunday = i64::from(civil.weekday().to_sunday_zero_offset());
    let monday = i64::from(civil.weekday().to_monday_zero_offset());
    let number = |n: i64, width: usize, padding: char| Some(pad_number(spec, n, width, padding));
    let word = |text: &str| Some(pad_text(spec, text.to_owned()));
    let composite = |format: &str| {
        let mut text = String::new();
        write(moment, format, &mut text);
        word(&text)
    };
    match letter {
        'Y' => number(year, if year < 0 { 5 } else { 4 }, '0'),
        'C' => number(year.div_euclid(100), 2, '0'),
        'y' => number(year.rem_euclid(100), 2, '0'),
        'm' => number(month, 2, '0'),
        'd' => number(day, 2, '0'),
        'e' => number(day, 2, ' '),
        'j' => number(day_of_year, 3, '0'),
        'H' => number(hour, 2, '0'),
        'k' => number(hour, 2, ' '),
        'I' => number(twelve, 2, '0'),
        'l' => number(twelve, 2, ' '),
        'M' => number(i64::from(civil.minute()), 2, '0'),
        'S' => number(i64::from(civil.second()), 2, '0'),
        's' => number(moment.seconds, 1, '0'),
        'G' => number(i64::from(week.year()), 4, '0'),
        'g' => number(i64::from(week.year()).rem_euclid(100), 2, '0'),
        'V' => number(i64::from(week.week()), 2, '0'),
        'U' => number((day_of_year + 6 - sunday) / 7, 2, '0'),
        'W' => number((day_of_year + 6 - monday) / 7, 2, '0'),
        'u' => number(monday + 1, 1, '0'),
        'w' => number(sunday, 1, '0'),
        'L' | 'N' => Some(fraction(moment, spec.width.unwrap_or(if letter == 'L' { 3 } else { 9 }))),
        'z' => zone(moment, spec),
        'Z' => word(if moment.is_utc { "UTC" } else { "" }),
        'B' => word(MONTHS.get(usize::try_from(month - 1).ok()?)?),
        'b' | 'h' => word(MONTHS.get(usize::try_from(month - 1).ok()?)?.get(..3)?),
        'A' => word(DAYS.get(usize::try_from(sunday).ok()?)?),
        'a' => word(DAYS.get(usize::try_from(sunday).ok()?)?.get(..3)?),
        'p' => word(match (hour < 12, spec.is_swapped) {
            (true, false) => "AM",
            (false, false) => "PM",
            (true, true) => "am",
            (false, true) => "pm",
        }),
        'P' => word(if hour < 12 { "am" } else { "pm" }),
        'n' => Some("\n".to_owned()),
        't' => Some("\t".to_owned()),
        '%' => Some("%".to_owned()),
        'F' => composite("%Y-%m-%d"),
        'D' | 'x' => composite("%m/%d/%y"),
        'T' | 'X' => composite("%H:%M:%S"),
        'R' => composite("%H:%M"),
        'r' => composite("%I:%M:%S %p"),
        'c' => composite("%a %b %e %H:%M:%S %Y"),
        'v' => composite("%e-%^b-%Y"),
        '+' => composite("%a %b %e %H:%M:%S %Z %Y"),
        _ => None,
    }
}

const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

fn pad_number(spec: &Spec, n: i64, width: usize, padding: char) -> String {
    if spec.is_unpadded {
        return n.to_string();
    }
    let width = spec.width.unwrap_or(width);
    if spec.padding.unwrap_or(padding) == '0' { format!("{n:0width$}") } else { format!("{n:width$}") }
}

fn pad_text(spec: &Spec, text: String) -> String {
    let is_half_day = text.eq_ignore_ascii_case("am") || text.eq_ignore_ascii_case("pm");
    let text = if spec.is_upper || (spec.is_swapped && !is_half_day) { text.to_uppercase() } else { text };
    let missing = spec.width.unwrap_or(0).saturating_sub(text.chars().count());
    let blank = if spec.padding == Some('0') { "0" } else { " " };
    if spec.is_unpadded { text } else { blank.repeat(missing) + &text }
}

/// Returns the first digits of the fraction of a second.
fn fraction(moment: &Moment, digits: usize) -> String {
    let all = format!("{:09}", moment.nanoseconds);
    let kept: String = all.chars().take(digits).collect();
    format!("{kept:0<digits$}")
}

/// Formats the offset: `+0200`, `+02:00` or `+02:00:00`.
fn zone(moment: &Moment, spec: &Spec) -> Option<String> {
    let offset = moment.offset.abs();
    let (hours, minutes, seconds) = (offset / 3600, offset / 60 % 60, offset % 60);
    let sign = if moment.offset < 0 { '-' } else { '+' };
    let rest = match spec.colons {
        0 => format!("{minutes:02}"),
        1 => format!(":{minutes:02}"),
        2 => format!(":{minutes:02}:{seconds:02}"),
        _ => return None,
    };
    let width = spec.width.unwrap_or(0).saturating_sub(rest.len() + 1).max(2);
    Some(match (spec.is_unpadded, spec.padding) {
        (true, _) => format!("{sign}{hours}{rest}"),
        (false, Some(' ')) => format!("{:>1$}{rest}", format!("{sign}{hours}"), width + 1),
        (false, _) => format!("{sign}{hours:0width$}{rest}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected texts are Ruby's.
    #[test]
    fn fields_are_those_of_ruby() {
        let text = |seconds: i128, format| format_timestamp(seconds * 1_000_000_000, format, None).unwrap();
        assert_eq!(
            text(0, "%s %j %a %A %b %B %p %I %y %C %e %k %l %u %w %U %W %V %G %Z %z %:z %::z %L %N %3N %c %v"),
            "0 001 Thu Thursday Jan January AM 12 70 19  1  0 12 4 4 00 00 01 1970 UTC +0000 +00:00 +00:00:00 000 000000000 000 \
             Thu Jan  1 00:00:00 1970  1-JAN-1970"
        );
        assert_eq!(
            text(1_582_981_509, "%-d/%-m %I:%M%p %^a %^B %#p %010Y %-H %_H %0e"),
            "29/2 01:05PM SAT FEBRUARY pm 0000002020 13 13 29"
        );
        assert_eq!(text(0, "%Q %"), "%Q %");
    }

    #[test]
    fn times_are_shown_in_a_time_zone() {
        assert_eq!(format_timestamp(0, "%H:%M %z", Some("+02:00")).unwrap(), "02:00 +0200");
        assert_eq!(format_timestamp(0, "%H %Z|", Some("EST")).unwrap(), "19 |");
        assert_eq!(format_timestamp(0, "%Y", Some("bogus")).unwrap_err().text(), "Illegal timezone 'bogus'");
    }
}
