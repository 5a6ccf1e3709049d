//! Proxies that the environment names.
//!
//! As curl reads it, with Puppet's rule (`lib/puppet/util/http_proxy.rb`) that `http_proxy` is for `https:`, too, where nothing else is named.

use super::{failed, split};
use crate::ProviderError;
use rtype_system::process;
use ureq::Proxy;

/// Returns the proxy for an address; as in Puppet none for this machine itself.
///
/// # Errors
/// If the value of a variable is not a proxy. The request must not go out directly then.
pub fn proxy(address: &str) -> Result<Option<Proxy>, ProviderError> {
    let variable = |name: &str| {
        let of = |name: &str| process::variable(name)?.into_string().ok().filter(|text| !text.is_empty());
        of(name).or_else(|| of(&name.to_ascii_uppercase()))
    };
    chosen(address, variable)
}

fn chosen(address: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Option<Proxy>, ProviderError> {
    let bare = split(address).0;
    let host = bare.split('/').nth(2).unwrap_or_default();
    let is = |own: &str| host.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    if ["localhost", "127.0.0.1", "[::1]"].into_iter().any(is) {
        return Ok(None);
    }
    let names: &[&str] =
        if bare.starts_with("https:") { &["https_proxy", "all_proxy", "http_proxy"] } else { &["http_proxy", "all_proxy"] };
    let Some((name, text)) = names.iter().find_map(|name| Some((*name, variable(name)?))) else { return Ok(None) };
    // The message does not contain the value, which may have a password.
    let unusable = || failed(address, format!("the environment variable `{name}` does not name a proxy")).help("write `http://HOST:PORT`");
    let named = Proxy::new(&text).ok().filter(|_| has_valid_port(&text)).ok_or_else(unusable)?;
    let mut proxy = Proxy::builder(named.protocol()).host(named.host()).port(named.port());
    if let Some(user) = named.username() {
        proxy = proxy.username(user).password(named.password().unwrap_or_default());
    }
    let exceptions = variable("no_proxy").unwrap_or_default();
    // A name includes the hosts below it.
    for host in exceptions.split([',', ' ']).filter(|host| !host.is_empty()) {
        proxy = proxy.no_proxy(host);
        if !host.starts_with(['.', '*']) {
            proxy = proxy.no_proxy(&format!(".{host}"));
        } else if let Some(domain) = host.strip_prefix('.') {
            proxy = proxy.no_proxy(domain);
        }
    }
    proxy.build().map(Some).map_err(|_| unusable())
}

/// Returns whether the port in a proxy address is a number or missing. ureq ignores other ports.
fn has_valid_port(text: &str) -> bool {
    let authority = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = authority.split('/').next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let after_address = host.rsplit(']').next().unwrap_or_default();
    after_address.split_once(':').is_none_or(|(_, port)| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(address: &str, variables: &[(&str, &str)]) -> Option<String> {
        let variable = |name: &str| variables.iter().find(|(one, _)| *one == name).map(|(_, value)| (*value).to_owned());
        let proxy = chosen(address, variable).unwrap()?;
        let uri = split(address).0.parse().unwrap();
        (!proxy.is_no_proxy(&uri)).then(|| format!("{}:{}", proxy.host(), proxy.port()))
    }

    #[test]
    fn the_scheme_decides() {
        let all = [("http_proxy", "http://plain:1"), ("https_proxy", "http://secure:2"), ("all_proxy", "http://any:3")];
        assert_eq!(found("http://host/a", &all).as_deref(), Some("plain:1"));
        assert_eq!(found("https://host/a", &all).as_deref(), Some("secure:2"));
        assert_eq!(found("http://host/a", &all[1..]).as_deref(), Some("any:3"));
        assert_eq!(found("http://host/a", &all[1..2]), None);
        assert_eq!(found("https://host/a", &all[..1]).as_deref(), Some("plain:1"));
        assert_eq!(found("http://localhost:80/a", &all), None);
    }

    #[test]
    fn invalid_proxy_variables_are_errors() {
        for text in ["http://", "http://host:port", "::", "nosuch://host", "http://[host"] {
            let error = chosen("http://host/a", |name| (name == "http_proxy").then(|| text.to_owned())).unwrap_err();
            let error = error.describe(&rtype_lang::redact::Redactor::new());
            assert!(error.contains("cannot download http://host/a: the environment variable `http_proxy`"), "{text}: {error}");
        }
    }

    #[test]
    fn hosts_can_be_excepted_with_those_below_them() {
        let all = |hosts| [("http_proxy", "http://me:pw@plain:1"), ("no_proxy", hosts)];
        for hosts in ["example.com", ".example.com", "other, example.com", "*"] {
            assert_eq!(found("http://example.com/", &all(hosts)), None, "{hosts}");
            assert_eq!(found("http://a.example.com/", &all(hosts)), None, "{hosts}");
        }
        assert_eq!(found("http://notexample.com/", &all("example.com")).as_deref(), Some("plain:1"));
    }
}
