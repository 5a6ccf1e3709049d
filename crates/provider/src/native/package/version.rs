//! Debian's version numbers and Puppet's version ranges.
//!
//! The range syntax follows `puppet/util/package/version/range.rb` of Puppet 7.23; versions are compared by dpkg's rules (Debian
//! policy 5.6.12). Puppet's comparison differs in rare cases: for dpkg, `1+` is newer than `1a`.

use std::cmp::Ordering;

/// `[epoch:]upstream[-revision]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version<'a> {
    epoch: u64,
    upstream: &'a str,
    revision: Option<&'a str>,
}

impl<'a> Version<'a> {
    fn parse(text: &'a str) -> Option<Version<'a>> {
        let (epoch, rest) = match text.split_once(':') {
            Some((epoch, rest)) if epoch.bytes().all(|b| b.is_ascii_digit()) => (epoch.parse().ok()?, rest),
            Some(_) => return None,
            None => (0, text),
        };
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'~' | b'-');
        if rest.is_empty() || !rest.bytes().all(allowed) {
            return None;
        }
        Some(match rest.rsplit_once('-').filter(|(upstream, _)| !upstream.is_empty()) {
            Some((upstream, revision)) => Version { epoch, upstream, revision: Some(revision) },
            None => Version { epoch, upstream: rest, revision: None },
        })
    }

    fn compare(&self, other: &Version<'_>) -> Ordering {
        let revision = |v: &Version<'_>| v.revision.unwrap_or_default().as_bytes().to_vec();
        (self.epoch.cmp(&other.epoch))
            .then_with(|| compare_parts(self.upstream.as_bytes(), other.upstream.as_bytes()))
            .then_with(|| compare_parts(&revision(self), &revision(other)))
    }
}

/// How early a letter sorts: `~` before the end, that before letters, these before all else.
fn rank(byte: Option<&u8>) -> i32 {
    match byte {
        None => 0,
        Some(b'~') => -1,
        Some(b) if b.is_ascii_digit() => 0,
        Some(b) if b.is_ascii_alphabetic() => i32::from(*b),
        Some(b) => i32::from(*b) + 256,
    }
}

/// Splits off the bytes at the beginning for which `is` holds.
fn take(bytes: &[u8], is: fn(&u8) -> bool) -> (&[u8], &[u8]) {
    bytes.split_at(bytes.iter().position(|b| !is(b)).unwrap_or(bytes.len()))
}

/// Compares text and numbers in turn.
fn compare_parts(mut a: &[u8], mut b: &[u8]) -> Ordering {
    while !a.is_empty() || !b.is_empty() {
        let ((text_a, rest_a), (text_b, rest_b)) = (take(a, |b| !b.is_ascii_digit()), take(b, |b| !b.is_ascii_digit()));
        for place in 0..text_a.len().max(text_b.len()) {
            match rank(text_a.get(place)).cmp(&rank(text_b.get(place))) {
                Ordering::Equal => {}
                unequal => return unequal,
            }
        }
        let ((number_a, rest_a), (number_b, rest_b)) = (take(rest_a, u8::is_ascii_digit), take(rest_b, u8::is_ascii_digit));
        let (number_a, number_b) = (take(number_a, |b| *b == b'0').1, take(number_b, |b| *b == b'0').1);
        // Without leading zeros the longer number is the larger one.
        match number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b)) {
            Ordering::Equal => {}
            unequal => return unequal,
        }
        (a, b) = (rest_a, rest_b);
    }
    Ordering::Equal
}

/// Splits a part of a range such as `>=1.0` into operator and version. Without an operator, the range is the single version.
fn part(text: &str) -> Option<(&str, Version<'_>)> {
    let limit = text.trim_start_matches(['<', '>', '=']);
    let operator = text.strip_suffix(limit)?;
    matches!(operator, "" | ">" | ">=" | "<" | "<=").then_some(())?;
    Some((operator, Version::parse(limit)?))
}

/// Splits a version range; `None` if the text is not a range.
fn parts(range: &str) -> Option<Vec<(&str, Version<'_>)>> {
    let parts: Option<Vec<_>> = range.split_ascii_whitespace().map(part).collect();
    parts.filter(|parts| !parts.is_empty())
}

/// Returns whether the text is a version range rather than a single version.
pub(super) fn is_range(text: &str) -> bool {
    parts(text).is_some_and(|parts| parts.iter().take(2).any(|(operator, _)| !operator.is_empty()))
}

/// Returns whether the version is in the range: `1.0`, `>1.0`, `>=1.0 <2.0`. False for an invalid version or range.
pub(super) fn in_range(version: &str, range: &str) -> bool {
    let (Some(version), Some(parts)) = (Version::parse(version), parts(range)) else {
        return false;
    };
    let fits = |(operator, limit): &(&str, Version<'_>)| {
        let order = version.compare(limit);
        match *operator {
            ">" => order.is_gt(),
            ">=" => order.is_ge(),
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            // A version without an operator must match literally.
            _ => version == *limit,
        }
    };
    // Puppet looks at the first two parts and only reads the others.
    parts.iter().take(2).all(fits)
}

/// Returns the newest version in the range.
pub(super) fn best<'a>(versions: impl Iterator<Item = &'a str>, range: &str) -> Option<&'a str> {
    let fitting = versions.filter(|v| in_range(v, range)).filter_map(|v| Some((v, Version::parse(v)?)));
    fitting.max_by(|(_, a), (_, b)| a.compare(b)).map(|(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_sort_as_dpkg_sorts_them() {
        let sorted = ["1.0~~", "1.0~rc1-1", "1.0", "1.0-1", "1.0-1+b1", "1.0a", "1.0+1", "1.2", "1.10", "2", "1:0.1"];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                let (a, b) = (Version::parse(a).unwrap(), Version::parse(b).unwrap());
                assert_eq!(a.compare(&b), i.cmp(&j), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn leading_zeros_do_not_count() {
        assert_eq!(compare_parts(b"1.01", b"1.1"), Ordering::Equal);
    }

    #[test]
    fn a_range_has_one_limit_or_two() {
        assert!(in_range("5.2.15-2+b8", ">=5.2"));
        assert!(in_range("5.2.15-2+b8", ">5.0 <6"));
        assert!(!in_range("5.2.15-2+b8", ">5.0 <5.2"));
        assert!(in_range("1.0", "0:1.0"));
        assert!(!in_range("1.0", "1.00"));
    }

    #[test]
    fn invalid_range_matches_nothing() {
        for range in ["", ">", "=>1.0", ">=1_0", "x:1"] {
            assert!(!in_range("1.0", range), "{range}");
        }
    }

    #[test]
    fn the_best_version_is_the_newest_in_the_range() {
        let known = ["1.2-1", "1.10-1", "2.0-1"];
        assert_eq!(best(known.into_iter(), "<2"), Some("1.10-1"));
        assert_eq!(best(known.into_iter(), ">3"), None);
    }

    #[test]
    fn plain_version_is_not_parsed_as_range() {
        assert!(is_range(">=1.0 <2") && is_range("<2"));
        assert!(!is_range("1.0") && !is_range("latest") && !is_range(">") && !is_range(""));
    }
}
