//! Methods of URIs, which are strings; they return the parts.

use super::unfit;
use crate::eval::call::{BuiltinCall, Eval};
use crate::types::builtin::Method;
use crate::value::{EcoString, Value};
use fluent_uri::UriRef;

fn parse<'t>(call: &BuiltinCall<'_>, text: &'t str) -> Eval<UriRef<&'t str>> {
    UriRef::parse(text).map_err(|_| call.fail(format!("`{text}` is not a URI")))
}

/// Evaluates `uri(text)`: returns the string unchanged if it is a URI.
pub(in crate::eval) fn check(call: &BuiltinCall<'_>, text: &EcoString) -> Eval {
    parse(call, text)?;
    Ok(Value::Str(text.clone()))
}

pub(super) fn call(call: &BuiltinCall<'_>, method: Method, text: &EcoString) -> Eval {
    use Method as M;
    let uri = parse(call, text)?;
    let authority = uri.authority();
    let is_file = || text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
    let maybe = |part: Option<&str>| part.map_or(Value::Nil, Value::from);
    Ok(match method {
        M::Scheme => maybe(uri.scheme().map(|s| s.as_str().to_lowercase()).as_deref()),
        // As in Ruby, only `file` URIs can have an empty host.
        M::Host => maybe(authority.map(|a| a.host()).filter(|host| !host.is_empty() || is_file())),
        M::Port => port(authority.and_then(|a| a.port()).map(|p| p.as_str()), uri.scheme().map(|s| s.as_str())),
        M::UriPath => Value::str(uri.path().as_str()),
        M::Query => maybe(uri.query().map(|q| q.as_str())),
        M::Fragment => maybe(uri.fragment().map(|f| f.as_str())),
        M::Userinfo => maybe(authority.and_then(|a| a.userinfo()).map(|u| u.as_str())),
        M::WithUserinfo => {
            let Some((scheme, rest)) = text.split_once("//").filter(|_| authority.is_some()) else {
                return Err(call.fail(format!("`{text}` has no host")));
            };
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            let (authority, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            Value::str(format!("{scheme}//{}@{host}{after}", call.text(0)?))
        }
        _ => return Err(unfit(call, &Value::Str(text.clone()))),
    })
}

fn port(written: Option<&str>, scheme: Option<&str>) -> Value {
    let usual = || match scheme.map(str::to_ascii_lowercase).as_deref() {
        Some("http" | "ws") => Value::Int(80),
        Some("https" | "wss") => Value::Int(443),
        Some("ftp") => Value::Int(21),
        Some("ldap") => Value::Int(389),
        Some("ldaps") => Value::Int(636),
        Some("ssh") => Value::Int(22),
        Some("puppet") => Value::Int(8140),
        _ => Value::Nil,
    };
    written.and_then(|p| p.parse().ok()).map_or_else(usual, Value::Int)
}
