//! Functions for IP addresses and host names.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::patterns::compile;
use crate::functions::ruby::{class_name, flatten, to_s};
use crate::functions::{Block, Evaluated, argument, legacy, no_method, signature, text, typed};
use indexmap::IndexSet;
use rtype_lang::value::Flags;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("enclose_ipv6", -1, enclose_ipv6),
    legacy("has_interface_with", -1, has_interface_with),
    legacy("has_ip_address", -1, has_ip_address),
    legacy("has_ip_network", -1, has_ip_network),
    typed("stdlib::ip_in_range", &[signature("(String $ipaddress, Variant[String, Array] $range)", ip_in_range)]),
];

/// An address with the network mask of its prefix.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    bits: u128,
    mask: u128,
    is_v4: bool,
}

impl Address {
    /// Parses an address, with a prefix such as `/8` or `/255.0.0.0`.
    ///
    /// # Errors
    /// Returns the message of Ruby's error.
    pub fn parse(text: &str) -> Result<Address, String> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let inner = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let invalid = || "invalid address: ".to_owned();
        let ip: IpAddr = match inner {
            Some(inner) => IpAddr::V6(inner.parse::<Ipv6Addr>().map_err(|_| invalid())?),
            None => address.split('%').next().unwrap_or_default().parse().map_err(|_| invalid())?,
        };
        let (bits, width) = match ip {
            IpAddr::V4(ip) => (u128::from(u32::from(ip)), 32),
            IpAddr::V6(ip) => (u128::from(ip), 128),
        };
        let all = u128::MAX >> (128 - width);
        let mask = match prefix {
            None => all,
            Some(prefix) => mask(prefix, width, all).ok_or_else(|| format!("invalid length: {text}"))?,
        };
        Ok(Address { bits: bits & mask, mask, is_v4: width == 32 })
    }

    /// Returns `true` for IPv4.
    pub fn is_v4(&self) -> bool {
        self.is_v4
    }

    fn contains(&self, other: &Address) -> bool {
        self.is_v4 == other.is_v4 && other.bits & self.mask == self.bits
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match u32::try_from(self.bits) {
            Ok(bits) if self.is_v4 => Ipv4Addr::from(bits).fmt(f),
            _ => Ipv6Addr::from(self.bits).fmt(f),
        }
    }
}

fn mask(prefix: &str, width: u32, all: u128) -> Option<u128> {
    if let Ok(length) = prefix.parse::<u32>() {
        return (length <= width).then(|| if length == 0 { 0 } else { all & (all << (width - length)) });
    }
    match prefix.parse::<IpAddr>().ok()? {
        IpAddr::V4(ip) if width == 32 => Some(u128::from(u32::from(ip))),
        IpAddr::V6(ip) if width == 128 => Some(u128::from(ip)),
        _ => None,
    }
}

fn parse(value: &ManifestValue) -> Result<Address, EvaluationFailure> {
    match value {
        ManifestValue::String(text) => Address::parse(text).map_err(EvaluationFailure::new),
        other => Err(no_method(other, "split")),
    }
}

fn ip_in_range(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let address = Address::parse(text(arguments, 0)).map_err(EvaluationFailure::new)?;
    let ranges = match argument(arguments, 1) {
        ManifestValue::Array(ranges) => ranges.iter().map(parse).collect::<Result<Vec<_>, _>>()?,
        range => vec![parse(range)?],
    };
    Ok(ManifestValue::Boolean(ranges.iter().any(|range| range.contains(&address))))
}

fn enclose_ipv6(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [value] = arguments else {
        return Err(EvaluationFailure::new(format!("enclose_ipv6(): Wrong number of arguments given {} for 1", arguments.len())));
    };
    if !matches!(value, ManifestValue::String(_) | ManifestValue::Array(_)) {
        let class = class_name(value);
        return Err(EvaluationFailure::new(format!("enclose_ipv6(): Wrong argument type given {class} expected String or Array")));
    }
    let mut enclosed = IndexSet::new();
    for value in flatten(arguments).into_iter().filter(|value| *value != ManifestValue::Undef) {
        let wrong = || EvaluationFailure::new(format!("enclose_ipv6(): Wrong argument given {} is not an ip address.", to_s(&value)));
        let ManifestValue::String(text) = &value else { return Err(wrong()) };
        if text == "*" {
            enclosed.insert(value);
            continue;
        }
        let address = Address::parse(text).map_err(|_| wrong())?;
        enclosed.insert(if address.is_v4() { value } else { ManifestValue::string(format!("[{address}]")) });
    }
    Ok(ManifestValue::array(enclosed.into_iter().collect()))
}

/// Returns a fact by its old name, with Puppet's warning if there is none.
pub fn legacy_fact(context: &mut CallContext<'_>, name: &str) -> ManifestValue {
    let found = context.variable(name);
    if found.is_none() {
        context.warn_once(&format!("Variable: {name}"), &format!("Undefined variable '{name}'; "), None);
    }
    found.unwrap_or(ManifestValue::Undef)
}

fn interface_with(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Evaluated {
    let ManifestValue::String(interfaces) = legacy_fact(context, "interfaces") else { return Ok(ManifestValue::Boolean(false)) };
    let interfaces: Vec<String> = interfaces.split(',').map(str::to_owned).collect();
    let [kind, value] = arguments else {
        return Ok(ManifestValue::Boolean(interfaces.iter().any(|name| argument(arguments, 0).as_str() == Some(name))));
    };
    let kind = to_s(kind);
    if legacy_fact(context, &kind) == *value {
        return Ok(ManifestValue::Boolean(true));
    }
    let has = interfaces.iter().any(|name| legacy_fact(context, &format!("{kind}_{}", name.to_lowercase())) == *value);
    Ok(ManifestValue::Boolean(has))
}

fn has_interface_with(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.is_empty() || arguments.len() > 2 {
        let given = arguments.len();
        return Err(EvaluationFailure::new(format!("has_interface_with(): Wrong number of arguments given ({given} for 1 or 2)")));
    }
    interface_with(context, arguments)
}

fn has_address_of_kind(context: &mut CallContext<'_>, arguments: &[ManifestValue], kind: &str) -> Evaluated {
    let [value] = arguments else {
        return Err(EvaluationFailure::new(format!("{}(): Wrong number of arguments given ({} for 1)", context.name(), arguments.len())));
    };
    super::deprecation::warn_autoloader(context, "has_interface_with");
    interface_with(context, &[ManifestValue::from(kind), value.clone()])
}

fn has_ip_address(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    has_address_of_kind(context, arguments, "ipaddress")
}

fn has_ip_network(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    has_address_of_kind(context, arguments, "network")
}

/// Tests whether a text is the name of a host or domain by stdlib's rules.
pub fn is_host_name(text: &str) -> bool {
    if text == "." {
        return true;
    }
    let name = text.strip_suffix('.').unwrap_or(text);
    if name.is_empty() || name.chars().count() > 255 {
        return false;
    }
    let ends_in_letters = |name: &str| {
        name.lines().any(|line| {
            let end = line.rsplit_once('.').map(|(_, end)| end);
            end.is_some_and(|end| !end.is_empty() && end.bytes().all(|b| b.is_ascii_alphabetic()))
        })
    };
    if name.contains('.') && !ends_in_letters(name) {
        return false;
    }
    let is_word = |line: &str| !line.is_empty() && line.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_label = |label: &str| {
        (1..=63).contains(&label.chars().count()) && !label.starts_with('-') && !label.ends_with('-') && label.lines().any(is_word)
    };
    name.trim_end_matches('.').split('.').all(is_label)
}

/// Tests whether a text is an email address by stdlib's rules.
pub fn is_email_address(text: &str) -> bool {
    compile(r"\A([\w+\-].?)+@[a-z\d\-]+(\.[a-z]+)*\.[a-z]+\z", Flags::default()).is_ok_and(|regex| regex.is_match(text))
}

/// Tests whether a line of a text is the address of a network card.
pub fn is_mac_address(text: &str) -> bool {
    text.lines().any(|line| {
        let parts: Vec<&str> = line.split(':').collect();
        let is_byte = |part: &&str| matches!(part.len(), 1 | 2) && part.bytes().all(|b| b.is_ascii_hexdigit());
        matches!(parts.len(), 6 | 20) && parts.iter().all(is_byte)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed() {
        assert_eq!(Address::parse("10.1.2.3/8").unwrap().to_string(), "10.0.0.0");
        assert_eq!(Address::parse("[::1]").unwrap().to_string(), "::1");
        assert!(Address::parse("10.0.0.0/24").unwrap().contains(&Address::parse("10.0.0.5").unwrap()));
        assert!(Address::parse("01.2.3.4").is_err());
        assert!(Address::parse("").is_err());
        assert!(Address::parse("10.0.0.0/33").is_err());
    }

    #[test]
    fn names_are_tested() {
        assert_eq!(
            ["a.b", "a..b", "-a.b", "a.b.", "", "127.0.0.1", "a_b.c", "x"].map(is_host_name),
            [true, false, false, true, false, false, false, true]
        );
        assert!(is_mac_address("00:a0:1f:12:7f:a0"));
        assert!(!is_mac_address("00-a0-1f-12-7f-a0"));
        assert!(is_email_address("a@b.c"));
    }
}
