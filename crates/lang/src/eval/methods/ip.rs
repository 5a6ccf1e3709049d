//! Methods of IP addresses, which are strings with an optional prefix length or netmask after `/`.

use super::unfit;
use crate::eval::call::{BuiltinCall, Eval};
use crate::types::builtin::Method;
use crate::value::{EcoString, Value};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

fn parse(text: &str) -> Option<(IpAddr, Option<u8>)> {
    let Some((address, prefix)) = text.split_once('/') else {
        return Some((text.parse().ok()?, None));
    };
    let address: IpAddr = address.parse().ok()?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    let prefix = match prefix.parse::<Ipv4Addr>() {
        // A netmask, as in 10.0.0.0/255.0.0.0.
        Ok(mask) if address.is_ipv4() => {
            let bits = u32::from(mask);
            (bits.leading_ones() + bits.trailing_zeros() == 32 || bits == 0).then_some(bits.leading_ones() as u8)?
        }
        _ if prefix.starts_with('+') => return None,
        _ => prefix.parse().ok().filter(|p| *p <= most)?,
    };
    Some((address, Some(prefix)))
}

fn network(address: IpAddr, prefix: u8) -> IpAddr {
    match address {
        IpAddr::V4(a) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from(u32::from(a) & mask))
        }
        IpAddr::V6(a) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from(u128::from(a) & mask))
        }
    }
}

/// Evaluates `ip(text)`: returns an address without its optional brackets.
pub(in crate::eval) fn check(call: &BuiltinCall<'_>, text: &EcoString) -> Eval {
    let (address, prefix) = text.split_once('/').map_or((text.as_str(), None), |(address, prefix)| (address, Some(prefix)));
    // An IPv6 address may have brackets.
    let inner = address.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).filter(|inner| inner.contains(':'));
    let plain = match (inner, prefix) {
        (Some(inner), Some(prefix)) => EcoString::from(format!("{inner}/{prefix}")),
        (Some(inner), None) => EcoString::from(inner),
        (None, _) => text.clone(),
    };
    match parse(&plain) {
        Some(_) => Ok(Value::Str(plain)),
        // Only the length of the prefix, or the mask, is wrong.
        None if prefix.is_some_and(|p| !p.is_empty() && p.bytes().all(|c| c.is_ascii_digit() || c == b'.'))
            && parse(inner.unwrap_or(address)).is_some() =>
        {
            Err(call.fail_of("IPAddr::InvalidPrefixError", format!("`{text}` is not an IP address")))
        }
        None => Err(call.fail(format!("`{text}` is not an IP address"))),
    }
}

pub(super) fn call(call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    let parsed = parse(text);
    match method {
        Method::IsIpv4 => return Ok(Value::Bool(parsed.is_some_and(|(a, _)| a.is_ipv4()))),
        Method::IsIpv6 => return Ok(Value::Bool(parsed.is_some_and(|(a, _)| a.is_ipv6()))),
        _ => {}
    }
    let Some((address, prefix)) = parsed else {
        return Err(call.fail(format!("`{text}` is not an IP address")));
    };
    let whole = if address.is_ipv4() { 32 } else { 128 };
    Ok(match method {
        Method::IpAddress => Value::str(address.to_string()),
        Method::IpPrefix => prefix.map_or(Value::Nil, |p| Value::Int(i64::from(p))),
        Method::IpNetwork => {
            let prefix = prefix.unwrap_or(whole);
            Value::str(format!("{}/{prefix}", network(address, prefix)))
        }
        Method::IsInNetwork => {
            let other = call.text(0)?;
            let Some((base, length)) = parse(&other) else {
                return Err(call.fail(format!("`{other}` is not a network")));
            };
            let same_family = base.is_ipv4() == address.is_ipv4();
            let length = length.unwrap_or(whole);
            let inside = prefix.unwrap_or(whole) >= length;
            Value::Bool(same_family && inside && network(address, length) == network(base, length))
        }
        _ => return Err(unfit(call, &Value::Str(text.clone()))),
    })
}
