//! Formats of `Timespan`: `%D-%H:%M:%S.%-N`.

use crate::compile::failure::EvaluationFailure;

/// The formats in which a timespan is parsed without an explicit format; the first is the format of its text.
pub const DEFAULTS: [&str; 8] = ["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"];

const SECOND: i128 = 1_000_000_000;
/// The maximum width of a field.
const WIDEST: usize = 1000;

/// A unit of time. Larger units come later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Nanosecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
}

impl Unit {
    fn of(letter: char) -> Option<Unit> {
        Some(match letter {
            'N' => Unit::Nanosecond,
            'L' => Unit::Millisecond,
            'S' => Unit::Second,
            'M' => Unit::Minute,
            'H' => Unit::Hour,
            'D' => Unit::Day,
            _ => return None,
        })
    }

    fn nanoseconds(self) -> i128 {
        match self {
            Unit::Nanosecond => 1,
            Unit::Millisecond => 1_000_000,
            Unit::Second => SECOND,
            Unit::Minute => 60 * SECOND,
            Unit::Hour => 3600 * SECOND,
            Unit::Day => 86400 * SECOND,
        }
    }

    /// Returns the number of these units in the next larger unit.
    fn count(self) -> i128 {
        match self {
            Unit::Nanosecond => SECOND,
            Unit::Millisecond => 1000,
            Unit::Second | Unit::Minute => 60,
            Unit::Hour => 24,
            Unit::Day => i128::MAX,
        }
    }

    fn default_width(self) -> usize {
        match self {
            Unit::Nanosecond => 9,
            Unit::Millisecond => 3,
            Unit::Second | Unit::Minute | Unit::Hour => 2,
            Unit::Day => 1,
        }
    }
}

struct Field {
    unit: Unit,
    /// The padding character; `None` for `%-H`.
    padding: Option<char>,
    width: Option<usize>,
    /// Whether the field has the whole duration instead of the rest of the next larger unit.
    is_total: bool,
}

enum Segment {
    Literal(String),
    Field(Field),
}

/// A parsed format.
struct Format(Vec<Segment>);

impl Format {
    fn parse(format: &str) -> Result<Format, EvaluationFailure> {
        let mut segments: Vec<Segment> = Vec::new();
        let mut letters = format.char_indices().enumerate();
        let bad = |start: usize, end: usize| {
            let expression: String = format.chars().skip(start).take(end.saturating_sub(start)).collect();
            EvaluationFailure::new(format!("Bad format specifier '{expression}' in '{format}', at position {end}"))
        };
        let literal = |segments: &mut Vec<Segment>, c: char| match segments.last_mut() {
            Some(Segment::Literal(text)) => text.push(c),
            _ => segments.push(Segment::Literal(c.to_string())),
        };
        while let Some((start, (_, c))) = letters.next() {
            if c != '%' {
                literal(&mut segments, c);
                continue;
            }
            let (mut padding, mut width, mut can_pad) = (Some('0'), None::<usize>, true);
            loop {
                let Some((position, (_, c))) = letters.next() else { return Err(bad(start, format.chars().count().saturating_sub(1))) };
                match c {
                    '%' => {
                        literal(&mut segments, '%');
                        break;
                    }
                    '-' | '_' if can_pad => padding = (c == '_').then_some(' '),
                    '0' if can_pad => padding = Some('0'),
                    '0'..='9' => {
                        let digit = c.to_digit(10).unwrap_or(0) as usize;
                        width = Some(width.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(WIDEST));
                    }
                    _ => {
                        let unit = Unit::of(c).ok_or_else(|| bad(start, position))?;
                        segments.push(Segment::Field(Field { unit, padding, width, is_total: false }));
                        break;
                    }
                }
                can_pad = false;
            }
        }
        let mut format = Format(segments);
        format.mark_total();
        Ok(format)
    }

    /// Marks the first field of the largest unit.
    fn mark_total(&mut self) {
        let fields = || self.0.iter().filter_map(|s| if let Segment::Field(f) = s { Some(f.unit) } else { None });
        let Some(largest) = fields().max() else { return };
        let first = self.0.iter_mut().find_map(|s| match s {
            Segment::Field(field) if field.unit == largest => Some(field),
            _ => None,
        });
        if let Some(field) = first {
            field.is_total = true;
        }
    }
}

impl Field {
    fn value(&self, nanoseconds: u128) -> u128 {
        if self.unit == Unit::Nanosecond {
            let width = self.width.unwrap_or(9).min(9);
            let scale = 10_u128.pow(u32::try_from(9 - width).unwrap_or(0));
            let (value, count) = (nanoseconds / scale, 1_000_000_000 / scale);
            return if self.is_total { value } else { value % count };
        }
        let value = nanoseconds / self.unit.nanoseconds().unsigned_abs();
        if self.is_total { value } else { value % self.unit.count().unsigned_abs() }
    }

    fn write(&self, out: &mut String, nanoseconds: u128) {
        let value = self.value(nanoseconds);
        let width = self.width.unwrap_or(self.unit.default_width());
        if self.unit <= Unit::Millisecond {
            let mut digits = value.to_string();
            if !self.is_total && self.padding != Some('0') && value != 0 {
                digits.truncate(digits.trim_end_matches('0').len());
            }
            out.push_str(&if self.padding.is_some() { format!("{digits:<width$}") } else { digits });
            return;
        }
        out.push_str(&match self.padding {
            None => value.to_string(),
            Some(' ') => format!("{value:width$}"),
            Some(_) => format!("{value:0width$}"),
        });
    }

    /// Takes the digits of the field from the start of a text: the rests of the text for each number of characters that the field may
    /// have, the longest first.
    fn candidates<'t>(&self, text: &'t str) -> Vec<(&'t str, &'t str)> {
        let default = self.unit.default_width();
        let (least, most, blanks) = match (self.width, self.padding) {
            (None, None | Some('0')) => (1, if self.is_total { usize::MAX } else { default }, false),
            (None, _) => (1, if self.is_total { usize::MAX } else { default }, true),
            (Some(width), None) => (1, width, false),
            (Some(width), Some('0')) => (width, width, false),
            (Some(width), _) => (width, width, true),
        };
        let is_ok = |c: char| c.is_ascii_digit() || (blanks && c.is_ascii_whitespace());
        let length = text.chars().take_while(|c| is_ok(*c)).count().min(most);
        (least..=length).rev().filter_map(|n| text.split_at_checked(n)).collect()
    }

    fn parse(&self, digits: &str) -> Option<i128> {
        let digits = digits.trim_start();
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number: i128 = digits.parse().ok()?;
        if self.unit > Unit::Millisecond {
            return number.checked_mul(self.unit.nanoseconds());
        }
        // A fraction of a second: `5` means `500000000`.
        let missing = u32::try_from(9_usize.saturating_sub(digits.len())).ok()?;
        number.checked_mul(10_i128.pow(missing))
    }
}

/// Formats nanoseconds.
///
/// # Errors
/// Returns Puppet's error for a malformed format.
pub fn format_timespan(nanoseconds: i128, format: &str) -> Result<String, EvaluationFailure> {
    let mut out = String::from(if nanoseconds < 0 { "-" } else { "" });
    for segment in &Format::parse(format)?.0 {
        match segment {
            Segment::Literal(text) => out.push_str(text),
            Segment::Field(field) => field.write(&mut out, nanoseconds.unsigned_abs()),
        }
    }
    Ok(out)
}

/// Parses a timespan in the first format that matches; several formats are alternatives.
///
/// # Errors
/// Returns Puppet's error if no format matches.
pub fn parse_timespan(text: &str, formats: &[&str]) -> Result<i128, EvaluationFailure> {
    for format in formats {
        match parse_one(text, format) {
            Ok(nanoseconds) => return Ok(nanoseconds),
            Err(failure) if formats.len() == 1 => return Err(failure),
            Err(_) => {}
        }
    }
    Err(EvaluationFailure::new(format!("Unable to parse '{text}' using any of the formats {}", formats.join(", "))))
}

fn parse_one(text: &str, format: &str) -> Result<i128, EvaluationFailure> {
    let parsed = Format::parse(format)?;
    let failed = || EvaluationFailure::new(format!("Unable to parse '{text}' using format '{format}'"));
    let (rest, is_negative) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
    let is_fraction_only = parsed.0.iter().any(|s| matches!(s, Segment::Field(f) if f.is_total && f.unit <= Unit::Millisecond));
    let mut steps = 10_000;
    let sum = matched(&parsed.0, rest, &mut steps).ok_or_else(failed)?;
    if is_fraction_only {
        return Err(EvaluationFailure::new(
            "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude",
        ));
    }
    Ok(if is_negative { -sum } else { sum })
}

/// Returns the sum of the fields if the segments match the whole text.
fn matched(segments: &[Segment], text: &str, steps: &mut u32) -> Option<i128> {
    *steps = steps.checked_sub(1)?;
    let Some((first, others)) = segments.split_first() else { return text.is_empty().then_some(0) };
    match first {
        Segment::Literal(literal) => matched(others, text.strip_prefix(literal.as_str())?, steps),
        Segment::Field(field) => field.candidates(text).into_iter().find_map(|(digits, rest)| {
            let value = field.parse(digits)?;
            matched(others, rest, steps)?.checked_add(value)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected texts are Puppet's.
    #[test]
    fn timespans_are_formatted() {
        let text = |nanoseconds, format| format_timespan(nanoseconds, format).unwrap();
        let long = parse_timespan("1-02:03:04.5", &DEFAULTS).unwrap();
        assert_eq!(text(long, DEFAULTS[0]), "1-02:03:04.5");
        assert_eq!(text(long, "%M min %S s"), "1563 min 04 s");
        assert_eq!(text(-90 * SECOND, "%M:%S"), "-01:30");
        assert_eq!(text(SECOND, "%%"), "%");
        assert_eq!(format_timespan(0, "%Q").unwrap_err().text(), "Bad format specifier '%' in '%Q', at position 1");
    }

    #[test]
    fn timespans_are_parsed() {
        assert_eq!(parse_timespan("36", &["%H"]).unwrap(), 36 * 3600 * SECOND);
        assert_eq!(parse_timespan("-1", &["%S"]).unwrap(), -SECOND);
        assert_eq!(parse_timespan("5", &["%D %H"]).unwrap_err().text(), "Unable to parse '5' using format '%D %H'");
        assert!(parse_timespan("", &DEFAULTS).is_err());
    }
}
