//! Data types for strings in a known format: addresses, names, URLs, durations, sizes.

use fluent_uri::Uri;
use std::net::{Ipv4Addr, Ipv6Addr};

/// A format for strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// An IPv4 or IPv6 address.
    IpAddress,
    /// An IPv4 address: four numbers from 0 to 255 without leading zeros.
    Ipv4Address,
    /// An IPv6 address, with a zone if need be: `fe80::1%eth0`.
    Ipv6Address,
    /// A host name: labels of letters, digits and inner hyphens, separated by dots (RFC 1123).
    Hostname,
    /// A URL with a scheme and a host.
    Url,
    /// A duration with units: `90s`, `1h30m`, `2d`.
    Duration,
    /// A number of bytes, with a unit if need be: `512`, `10k`, `1.5GiB`.
    ByteSize,
}

/// A row in the table of formats.
pub(super) struct FormatRow {
    format: TextFormat,
    name: &'static str,
    description: &'static str,
    /// Strings in the format.
    examples: &'static [&'static str],
    /// Similar strings outside the format.
    #[cfg(test)]
    similar: &'static [&'static str],
}

macro_rules! formats {
    ($($format:ident $name:literal $description:literal $examples:expr, $similar:expr;)*) => {
        &[$(FormatRow {
            format: TextFormat::$format,
            name: $name,
            description: $description,
            examples: &$examples,
            #[cfg(test)]
            similar: &$similar,
        }),*]
    };
}

impl TextFormat {
    pub(super) const ALL: &[FormatRow] = formats! {
        IpAddress "IPAddress" "an IP address" ["192.0.2.1", "2001:db8::1", "fe80::1%eth0"],
            ["192.0.2", "192.0.2.256", "192.0.2.1/24", "2001:db8:::1", "example"];
        Ipv4Address "IPv4Address" "an IPv4 address" ["192.0.2.1", "0.0.0.0"], ["2001:db8::1", "192.0.2.01", "1.2.3"];
        Ipv6Address "IPv6Address" "an IPv6 address" ["2001:db8::1", "::", "fe80::1%eth0", "::ffff:192.0.2.1"],
            ["192.0.2.1", "1::2::3", "[::1]", "fe80::1%", "fe80::1%a b"];
        Hostname "Hostname" "a host name" ["db1.example.com", "localhost", "3com"], ["", "-a", "a-", "a..b", "a_b", "a b", "a.b."];
        Url "Url" "a URL with a scheme and a host" ["https://example.com/a?b=c", "ftp://[2001:db8::1]:21/"],
            ["example.com", "/a", "mailto:a@example.com", "http://", "https://a b/"];
        Duration "Duration" "a duration such as `90s` or `1h30m`" ["90s", "1h30m", "2d", "1.5h"], ["90", "s", "1 h", "-1s", "1x", ""];
        ByteSize "ByteSize" "a size such as `512` or `1.5GiB`" ["512", "10k", "1.5GiB", "64MB", "8B"], ["", "k", "1 k", "-1", "1x", "1iB", "1KiBB"];
    };

    fn row(self) -> Option<&'static FormatRow> {
        TextFormat::ALL.iter().find(|row| row.format == self)
    }

    /// Returns the format with this name.
    pub fn named(name: &str) -> Option<TextFormat> {
        TextFormat::ALL.iter().find(|row| row.name == name).map(|row| row.format)
    }

    /// Returns the name of the data type.
    pub fn name(self) -> &'static str {
        self.row().map_or("", |row| row.name)
    }

    /// Returns a description of strings in the format, as a noun phrase.
    pub fn description(self) -> &'static str {
        self.row().map_or("", |row| row.description)
    }

    /// Returns a few strings in the format.
    pub fn examples(self) -> &'static [&'static str] {
        self.row().map_or(&[], |row| row.examples)
    }

    /// Returns `true` if a string has the format.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            TextFormat::IpAddress => TextFormat::Ipv4Address.accepts(text) || TextFormat::Ipv6Address.accepts(text),
            TextFormat::Ipv4Address => text.parse::<Ipv4Addr>().is_ok(),
            TextFormat::Ipv6Address => {
                let (address, zone) = text.split_once('%').map_or((text, None), |(address, zone)| (address, Some(zone)));
                let is_zone = |zone: &str| !zone.is_empty() && zone.chars().all(|c| c.is_ascii_alphanumeric() || "._~-".contains(c));
                zone.is_none_or(is_zone) && address.parse::<Ipv6Addr>().is_ok()
            }
            TextFormat::Hostname => text.len() <= 253 && text.split('.').all(is_label),
            TextFormat::Url => Uri::parse(text).is_ok_and(|uri| uri.authority().is_some_and(|authority| !authority.host().is_empty())),
            TextFormat::Duration => is_duration(text),
            TextFormat::ByteSize => {
                let unit = without_number(text).map(|unit| unit.strip_suffix('B').unwrap_or(unit));
                let prefix = unit.map(|unit| unit.strip_suffix('i').filter(|_| text.ends_with('B')).unwrap_or(unit));
                prefix.is_some_and(|prefix| ["", "k", "K", "M", "G", "T", "P", "E"].contains(&prefix))
                    && !(text.ends_with("iB") && prefix == Some(""))
            }
        }
    }
}

fn is_label(label: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (1..=63).contains(&label.len()) && label.chars().all(is_inner) && !label.starts_with('-') && !label.ends_with('-')
}

/// Returns the rest after a number such as `1` or `1.5`; `None` if a string does not begin with a number.
fn without_number(text: &str) -> Option<&str> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let whole = digits(text);
    let rest = text.get(whole..).filter(|_| whole > 0)?;
    match rest.strip_prefix('.') {
        Some(fraction) => fraction.get(digits(fraction)..).filter(|_| digits(fraction) > 0),
        None => Some(rest),
    }
}

fn is_duration(text: &str) -> bool {
    const UNITS: &[&str] = &["ns", "us", "ms", "min", "s", "m", "h", "d", "w"];
    let mut rest = text;
    while !rest.is_empty() {
        let next = without_number(rest).and_then(|unit| UNITS.iter().find_map(|name| unit.strip_prefix(name)));
        let Some(next) = next else { return false };
        rest = next;
    }
    !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_accept_their_examples_and_nothing_similar() {
        for row in TextFormat::ALL {
            for text in row.examples {
                assert!(row.format.accepts(text), "{}: {text}", row.name);
            }
            for text in row.similar {
                assert!(!row.format.accepts(text), "{}: {text}", row.name);
            }
        }
    }
}
