//! Ranges of semantic versions.

use semver::{BuildMetadata, Prerelease, Version};
use std::fmt;

/// A range as Puppet reads it: alternatives of lower and upper limits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemVerRange {
    /// The text.
    text: String,
    alternatives: Vec<Interval>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Interval {
    lower: Version,
    includes_lower: bool,
    /// The upper limit; `None` is open.
    upper: Option<Version>,
    includes_upper: bool,
}

/// A version that may lack its minor or patch number.
struct Partial {
    parts: [Option<u64>; 3],
    version: Version,
}

impl SemVerRange {
    /// Parses a range: `>=1.0.0 <2.0.0`, `~1.2`, `1.x`, `1.0.0 - 2.0.0`, alternatives with `||`.
    pub fn parse(text: &str) -> Option<SemVerRange> {
        let alternatives = text.split("||").map(|part| parse_alternative(part.trim())).collect::<Option<Vec<_>>>()?;
        Some(SemVerRange { text: text.to_owned(), alternatives })
    }

    /// Returns the range between two versions.
    pub fn between(lower: Option<&Version>, upper: Option<&Version>, excludes_upper: bool) -> SemVerRange {
        let text = match (lower, upper) {
            (Some(lower), Some(upper)) if lower == upper && !excludes_upper => format!("{lower} - {upper}"),
            (lower, Some(upper)) => {
                let lower = lower.map(|lower| format!(">={lower} ")).unwrap_or_default();
                format!("{lower}{}{upper}", if excludes_upper { "<" } else { "<=" })
            }
            (Some(lower), None) => format!(">={lower}"),
            (None, None) => ">=0.0.0".to_owned(),
        };
        let interval = Interval {
            lower: lower.cloned().unwrap_or(Version::new(0, 0, 0)),
            includes_lower: true,
            upper: upper.cloned(),
            includes_upper: !excludes_upper,
        };
        SemVerRange { text, alternatives: vec![interval] }
    }

    /// Returns the range of one version.
    pub fn exactly(version: &Version) -> SemVerRange {
        SemVerRange::between(Some(version), Some(version), false)
    }

    /// Returns `true` if a version is in the range. Prereleases are only in ranges that name a prerelease of the same version.
    pub fn contains(&self, version: &Version) -> bool {
        self.alternatives.iter().any(|interval| interval.contains(version))
    }

    /// Returns `true` if all versions of another range are in this range.
    pub fn includes_range(&self, other: &SemVerRange) -> bool {
        other.alternatives.iter().all(|inner| self.alternatives.iter().any(|outer| outer.includes(inner)))
    }
}

impl Interval {
    fn contains(&self, version: &Version) -> bool {
        let above = match version.cmp_precedence(&self.lower) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => self.includes_lower,
            std::cmp::Ordering::Greater => true,
        };
        let below = self.upper.as_ref().is_none_or(|upper| match version.cmp_precedence(upper) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => self.includes_upper,
            std::cmp::Ordering::Greater => false,
        });
        let same = |other: &Version| {
            !other.pre.is_empty() && (other.major, other.minor, other.patch) == (version.major, version.minor, version.patch)
        };
        let allows = version.pre.is_empty() || same(&self.lower) || self.upper.as_ref().is_some_and(same);
        above && below && allows
    }

    fn includes(&self, inner: &Interval) -> bool {
        let lower = match self.lower.cmp_precedence(&inner.lower) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => self.includes_lower || !inner.includes_lower,
            std::cmp::Ordering::Greater => false,
        };
        let upper = match (&self.upper, &inner.upper) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => match own.cmp_precedence(other) {
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Equal => self.includes_upper || !inner.includes_upper,
                std::cmp::Ordering::Less => false,
            },
        };
        lower && upper
    }
}

impl fmt::Display for SemVerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_alternative(text: &str) -> Option<Interval> {
    if let Some((lower, upper)) = text.split_once(" - ") {
        let (lower, upper) = (partial(lower.trim())?, partial(upper.trim())?);
        let (limit, includes_upper) = if upper.parts.contains(&None) { (above(&upper), false) } else { (Some(upper.version), true) };
        return Some(Interval { lower: lower.version, includes_lower: true, upper: limit, includes_upper });
    }
    let mut whole = Interval { lower: Version::new(0, 0, 0), includes_lower: true, upper: None, includes_upper: false };
    for part in comparators(text) {
        let interval = parse_comparator(&part)?;
        if interval.lower.cmp_precedence(&whole.lower).is_gt() || (interval.lower == whole.lower && !interval.includes_lower) {
            (whole.lower, whole.includes_lower) = (interval.lower, interval.includes_lower);
        }
        let is_tighter = match (&whole.upper, &interval.upper) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(own), Some(new)) => new.cmp_precedence(own).is_lt(),
        };
        if is_tighter {
            (whole.upper, whole.includes_upper) = (interval.upper, interval.includes_upper);
        }
    }
    Some(whole)
}

/// Splits `>= 1.0.0 <2.0.0` into `>=1.0.0` and `<2.0.0`.
fn comparators(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match parts.last_mut() {
            Some(last) if last.ends_with(['<', '>', '=', '~', '^']) => last.push_str(word),
            _ => parts.push(word.to_owned()),
        }
    }
    if parts.is_empty() { vec!["*".to_owned()] } else { parts }
}

fn parse_comparator(text: &str) -> Option<Interval> {
    let digits = text.find(|c: char| !matches!(c, '<' | '>' | '=' | '~' | '^')).unwrap_or(text.len());
    let (operator, version) = text.split_at(digits);
    let partial = partial(version)?;
    let is_partial = partial.parts.contains(&None);
    let next = above(&partial);
    let open = Version::new(0, 0, 0);
    let interval = |lower: Version, includes_lower, upper, includes_upper| Interval { lower, includes_lower, upper, includes_upper };
    Some(match operator {
        ">=" => interval(partial.version, true, None, false),
        ">" if is_partial => interval(next?, true, None, false),
        ">" => interval(partial.version, false, None, false),
        "<" => interval(open, true, Some(partial.version), false),
        "<=" if is_partial => interval(open, true, next, false),
        "<=" => interval(open, true, Some(partial.version), true),
        "~" => {
            let upper = match partial.parts {
                [Some(major), Some(minor), _] => Some(Version::new(major, minor + 1, 0)),
                [Some(major), None, _] => Some(Version::new(major + 1, 0, 0)),
                _ => None,
            };
            interval(partial.version, true, upper, false)
        }
        "^" => {
            let upper = match partial.parts {
                [Some(0), Some(0), Some(patch)] => Some(Version::new(0, 0, patch + 1)),
                [Some(0), Some(minor), _] => Some(Version::new(0, minor + 1, 0)),
                [Some(major), ..] => Some(Version::new(major + 1, 0, 0)),
                _ => None,
            };
            interval(partial.version, true, upper, false)
        }
        "" | "=" if is_partial => interval(partial.version, true, next, false),
        "" | "=" => interval(partial.version.clone(), true, Some(partial.version), true),
        _ => return None,
    })
}

/// Returns the first version after all versions of a partial version.
fn above(partial: &Partial) -> Option<Version> {
    match partial.parts {
        [Some(major), Some(minor), None] => Some(Version::new(major, minor + 1, 0)),
        [Some(major), None, _] => Some(Version::new(major + 1, 0, 0)),
        [None, ..] => None,
        [Some(major), Some(minor), Some(patch)] => Some(Version::new(major, minor, patch + 1)),
    }
}

fn partial(text: &str) -> Option<Partial> {
    let (text, build) = text.split_once('+').map_or((text, ""), |(text, build)| (text, build));
    let (numbers, label) = text.split_once('-').map_or((text, ""), |(numbers, label)| (numbers, label));
    let mut parts = [None; 3];
    let words: Vec<&str> = numbers.split('.').collect();
    if words.len() > 3 {
        return None;
    }
    for (part, word) in parts.iter_mut().zip(&words) {
        *part = match *word {
            "x" | "X" | "*" => None,
            number if number.len() > 1 && number.starts_with('0') => return None,
            number => Some(number.parse().ok()?),
        };
    }
    let number = |part: Option<u64>| part.unwrap_or(0);
    let [major, minor, patch] = parts;
    let mut version = Version::new(number(major), number(minor), number(patch));
    version.pre = Prerelease::new(label).ok()?;
    version.build = BuildMetadata::new(build).ok()?;
    Some(Partial { parts, version })
}
