//! The parts of URIs.

use super::value::ManifestValue;
use ecow::EcoString;
use indexmap::IndexMap;

/// The ports of schemes.
fn standard_port(scheme: &str) -> Option<i64> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        "ftp" => Some(21),
        "ldap" => Some(389),
        _ => None,
    }
}

/// Returns the value of an attribute of the type `URI`; missing parts are undef, a missing port is that of the scheme.
pub fn attribute(text: &str, name: &str) -> Option<ManifestValue> {
    if !["scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"].contains(&name) {
        return None;
    }
    let all = parts(text);
    let standard = || all.get("scheme").and_then(ManifestValue::as_str).and_then(standard_port).map(ManifestValue::Integer);
    let value = all.get(name).cloned().or_else(|| if name == "port" { standard() } else { None });
    Some(value.unwrap_or(ManifestValue::Undef))
}

/// Returns the parts of a URI in Puppet's order.
pub fn parts(text: &str) -> IndexMap<EcoString, ManifestValue> {
    let mut found = IndexMap::new();
    let mut add = |name: &str, value: &str| {
        found.insert(EcoString::from(name), ManifestValue::string(value));
    };
    let (rest, fragment) = text.split_once('#').map_or((text, None), |(rest, fragment)| (rest, Some(fragment)));
    let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
    let is_scheme = |scheme: &str| scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && !scheme.contains('/');
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, rest),
    };
    if let Some(scheme) = scheme {
        add("scheme", &scheme.to_lowercase());
    }
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.find('/').map_or((Some(rest), ""), |at| (rest.get(..at), rest.get(at..).unwrap_or_default())),
        None => (None, rest),
    };
    if let Some(authority) = authority {
        let (userinfo, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        if let Some(userinfo) = userinfo {
            add("userinfo", userinfo);
        }
        let (host, port) = host.rsplit_once(':').map_or((host, None), |(host, port)| (host, port.parse::<i64>().ok()));
        if !host.is_empty() {
            add("host", &host.to_lowercase());
        }
        let standard = scheme.and_then(standard_port);
        if let Some(port) = port.filter(|port| Some(*port) != standard) {
            found.insert("port".into(), ManifestValue::Integer(port));
        }
    }
    let is_opaque = scheme.is_some() && authority.is_none() && !path.starts_with('/');
    if !path.is_empty() {
        found.insert(if is_opaque { "opaque" } else { "path" }.into(), ManifestValue::string(path));
    }
    for (name, value) in [("query", query), ("fragment", fragment)] {
        if let Some(value) = value {
            found.insert(name.into(), ManifestValue::string(value));
        }
    }
    found
}
