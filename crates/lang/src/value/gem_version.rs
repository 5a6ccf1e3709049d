//! Versions and requirements, parsed and compared by RubyGems' rules (`Gem::Version`, `Gem::Requirement`).

use regex::Regex;
use std::cmp::Ordering;
use std::sync::LazyLock;

/// A version: `1.10.0.rc1`.
#[derive(Clone, Debug)]
pub struct GemVersion {
    text: String,
    segments: Vec<Segment>,
}

/// A part of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// Decimal digits without leading zeros; empty for zero.
    Number(String),
    Letters(String),
}

const ZERO: Segment = Segment::Number(String::new());

const VERSION: &str = r"[0-9]+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?";

static ONE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!(r"^(?-u:\s)*(?:{VERSION})?(?-u:\s)*$")).ok());

static REQUIREMENT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"^(?-u:\s)*(=|!=|>=|<=|~>|>|<)?(?-u:\s)*({VERSION})(?-u:\s)*$")).ok());

impl GemVersion {
    /// Reads a version; `None` if it is malformed.
    pub fn parse(text: &str) -> Option<GemVersion> {
        if !ONE.as_ref()?.is_match(text) {
            return None;
        }
        let text = match text.trim() {
            "" => "0".to_owned(),
            version => version.replace('-', ".pre."),
        };
        let segments = segments(&text);
        Some(GemVersion { text, segments })
    }

    /// Returns the version as a string, with `.pre.` for `-`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns `true` if the version has letters.
    pub fn is_prerelease(&self) -> bool {
        self.segments.iter().any(|s| matches!(s, Segment::Letters(_)))
    }

    /// Compares with another version.
    pub fn compare(&self, other: &GemVersion) -> Ordering {
        let (left, right) = (canonical(&self.segments), canonical(&other.segments));
        let at = |all: &[Segment], i: usize| all.get(i).cloned().unwrap_or(ZERO);
        let pairs = (0..left.len().max(right.len())).map(|i| (at(&left, i), at(&right, i)));
        let different = pairs.filter(|(a, b)| a != b).map(|(a, b)| match (a, b) {
            (Segment::Letters(_), Segment::Number(_)) => Ordering::Less,
            (Segment::Number(_), Segment::Letters(_)) => Ordering::Greater,
            (Segment::Letters(a), Segment::Letters(b)) => a.cmp(&b),
            (Segment::Number(a), Segment::Number(b)) => a.len().cmp(&b.len()).then(a.cmp(&b)),
        });
        different.into_iter().next().unwrap_or(Ordering::Equal)
    }

    /// Returns `true` if the version meets a requirement, such as `~> 1.2`; `None` for an ill-formed requirement.
    pub fn satisfies(&self, requirement: &str) -> Option<bool> {
        let parts = REQUIREMENT.as_ref()?.captures(requirement)?;
        let wanted = GemVersion::parse(parts.get(2)?.as_str())?;
        let order = self.compare(&wanted);
        Some(match parts.get(1).map_or("=", |operator| operator.as_str()) {
            "!=" => order != Ordering::Equal,
            ">" => order == Ordering::Greater,
            "<" => order == Ordering::Less,
            ">=" => order != Ordering::Less,
            "<=" => order != Ordering::Greater,
            "~>" => order != Ordering::Less && self.release().compare(&wanted.bumped()) == Ordering::Less,
            _ => order == Ordering::Equal,
        })
    }

    /// Returns `true` if a string is a requirement.
    pub fn is_requirement(text: &str) -> bool {
        REQUIREMENT.as_ref().is_some_and(|form| form.is_match(text))
    }

    /// Returns the version up to the first part with letters.
    fn release(&self) -> GemVersion {
        let segments = self.segments.iter().take_while(|s| matches!(s, Segment::Number(_))).cloned().collect();
        GemVersion { text: String::new(), segments }
    }

    /// Returns the first version that `~>` does not accept: `1.3` for `1.2.5`.
    fn bumped(&self) -> GemVersion {
        let mut next = self.release();
        if next.segments.len() > 1 {
            next.segments.pop();
        }
        if let Some(Segment::Number(digits)) = next.segments.last_mut() {
            *digits = following(digits);
        }
        next
    }
}

/// Returns the digits of the next number.
fn following(digits: &str) -> String {
    let bare = digits.trim_end_matches('9');
    let nines = "0".repeat(digits.len() - bare.len());
    match bare.char_indices().last() {
        Some((at, last)) => {
            let kept = bare.get(..at).unwrap_or_default();
            format!("{kept}{}{nines}", char::from_digit(last.to_digit(10).unwrap_or(0) + 1, 10).unwrap_or('0'))
        }
        None => format!("1{nines}"),
    }
}

fn segments(text: &str) -> Vec<Segment> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_alike = |c: char| c.is_ascii_alphanumeric() && c.is_ascii_digit() == first.is_ascii_digit();
        let length = if is_alike(first) { rest.find(|c| !is_alike(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (part, behind) = rest.split_at(length);
        match first {
            '0'..='9' => out.push(Segment::Number(part.trim_start_matches('0').to_owned())),
            'a'..='z' | 'A'..='Z' => out.push(Segment::Letters(part.to_owned())),
            _ => {}
        }
        rest = behind;
    }
    out
}

/// Removes zeros before the first letters and at the end.
fn canonical(segments: &[Segment]) -> Vec<Segment> {
    let first = segments.iter().position(|s| matches!(s, Segment::Letters(_))).unwrap_or(segments.len());
    let (numbers, rest) = segments.split_at(first);
    let without_zeros = |part: &[Segment]| {
        let kept = part.iter().rposition(|s| *s != ZERO).map_or(0, |at| at + 1);
        part.iter().take(kept).cloned().collect::<Vec<_>>()
    };
    [without_zeros(numbers), without_zeros(rest)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(a: &str, b: &str) -> Ordering {
        GemVersion::parse(a).unwrap().compare(&GemVersion::parse(b).unwrap())
    }

    #[test]
    fn versions_compare_as_in_rubygems() {
        // Each version is less than the next version; recorded with `Gem::Version`.
        let ascending = ["", "0.0.1", "1.a", "1.0.a.2", "1.0.b1", "1-1", "1", "1.0.1", "1.2", "1.9.9", "1.10", "2.0.0.rc1", "2", "10"];
        for pair in ascending.windows(2) {
            let [a, b] = pair else { unreachable!() };
            assert_eq!(order(a, b), Ordering::Less, "{a} {b}");
            assert_eq!(order(b, a), Ordering::Greater, "{b} {a}");
        }
        for (a, b) in [("1", "1.0.0"), (" 1.2 ", "1.2"), ("1.02", "1.2"), ("1.0.a", "1.a"), ("1.0-rc", "1.pre.rc"), ("", "0")] {
            assert_eq!(order(a, b), Ordering::Equal, "{a} {b}");
        }
        for malformed in ["a", "1.", ".1", "1..2", "v1", "1_2", "1 2", "1.2-", "~> 1"] {
            assert!(GemVersion::parse(malformed).is_none(), "{malformed}");
        }
    }

    #[test]
    fn requirements_are_met_as_in_rubygems() {
        // Recorded with `Gem::Requirement`.
        let cases = [
            ("1.2.3", "~> 1.2", true),
            ("1.9", "~> 1.2", true),
            ("2.0", "~> 1.2", false),
            ("2.0.rc1", "~> 1.2", false),
            ("1.2.9", "~> 1.2.3", true),
            ("1.3", "~> 1.2.3", false),
            ("9", "~> 1", false),
            ("1.99", "~> 1", true),
            ("1.10", ">= 1.9", true),
            ("1.0", "= 1", true),
            ("1.0", "1.0.0", true),
            ("1.0", "!=1", false),
            ("1.0.a", "< 1.0", true),
            ("10.0", "~> 9.9", false),
            ("9.99", "~> 9.9", true),
        ];
        for (version, requirement, is_met) in cases {
            assert_eq!(GemVersion::parse(version).unwrap().satisfies(requirement), Some(is_met), "{version} {requirement}");
        }
        for malformed in ["", ">=", "=> 1", "> 1, < 2", "a"] {
            assert_eq!(GemVersion::parse("1").unwrap().satisfies(malformed), None, "{malformed}");
        }
        assert!(GemVersion::parse("1.0-1").unwrap().is_prerelease());
    }
}
