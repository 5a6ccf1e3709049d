//! Requests by `http:` and `https:`, for all providers that download something by themselves.
//!
//! The certificates that the system trusts decide about `https:`, and no redirect leads from there to `http:`.

mod proxy;
#[cfg(feature = "tls")]
mod tls;

pub(super) use proxy::proxy;

use crate::ProviderError;
use crate::transfer::{self, Transfer};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;
use ureq::http::{Method, Request};

/// The schemes of addresses, for messages.
pub(super) const SCHEMES: &str = if cfg!(feature = "tls") { "`http:` and `https:`" } else { "`http:`" };

/// How many addresses may lead to another one.
const REDIRECTS: u32 = 10;

/// How long it may take until a server is there, and until it begins to answer; Puppet's settings `http_connect_timeout` and
/// `http_read_timeout`.
const CONNECT_LIMIT: Duration = Duration::from_secs(120);
const ANSWER_LIMIT: Duration = Duration::from_secs(600);

/// Timeout for a whole transfer. Puppet has no limit and hangs if the server never finishes.
const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// Options of a request.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// The proxy.
    pub proxy: Option<ureq::Proxy>,
    /// Headers.
    pub headers: Vec<(&'static str, String)>,
}

/// What a server has answered.
pub(super) type Answer = ureq::http::Response<Transfer>;

/// Returns the header for basic authentication.
pub(super) fn account(name: &str, password: &str) -> (&'static str, String) {
    ("Authorization", format!("Basic {}", STANDARD.encode(format!("{name}:{password}"))))
}

/// Splits an address into the address without user name and password, which must not be shown, and these.
pub(super) fn split(address: &str) -> (String, Option<(String, String)>) {
    let Some((scheme, rest)) = address.split_once("://") else { return (address.to_owned(), None) };
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let Some((who, host)) = host.rsplit_once('@') else { return (address.to_owned(), None) };
    let (name, password) = who.split_once(':').unwrap_or((who, ""));
    (format!("{scheme}://{host}{path}"), Some((decoded(name), decoded(password))))
}

/// Decodes percent-encoding such as `%20`.
pub(super) fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let byte = part.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (byte, part.get(2..)) {
            (Some(byte), Some(rest)) => {
                bytes.push(byte);
                bytes.extend(rest.bytes());
            }
            _ => bytes.extend(format!("%{part}").bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the error of a failed request.
pub(super) fn failed(address: &str, why: impl std::fmt::Display) -> ProviderError {
    ProviderError::new(format!("cannot download {}: {why}", split(address).0))
}

/// Sends a request and follows redirects. An HTTP error status is returned as an answer.
///
/// # Errors
/// If no server responds.
pub(super) fn ask(method: Method, address: &str, asking: Asking) -> Result<Answer, ProviderError> {
    let is_secure = cfg!(feature = "tls") && address.starts_with("https://");
    if !is_secure && !address.starts_with("http://") {
        return Err(failed(address, format!("only {SCHEMES} addresses are supported")));
    }
    let (bare, own) = split(address);
    let used = asking.proxy.as_ref().filter(|proxy| bare.parse().is_ok_and(|uri| !proxy.is_no_proxy(&uri)));
    let through = used.map(|proxy| format!("the proxy {}:{}: ", proxy.host(), proxy.port())).unwrap_or_default();
    let settings = ureq::Agent::config_builder()
        .proxy(asking.proxy)
        .max_redirects(REDIRECTS)
        .timeout_connect(Some(CONNECT_LIMIT))
        .timeout_recv_response(Some(ANSWER_LIMIT))
        .timeout_global(Some(TIME_LIMIT))
        .https_only(is_secure)
        .http_status_as_error(false);
    #[cfg(feature = "tls")]
    let settings = if is_secure { settings.tls_config(tls::settings().map_err(|why| failed(address, why))?) } else { settings };
    let mut request = Request::builder().method(method).uri(&bare);
    for (name, value) in asking.headers.into_iter().chain(own.map(|(name, password)| account(&name, &password))) {
        request = request.header(name, value);
    }
    let request = request.body(()).map_err(|e| failed(address, e))?;
    let answer = transfer::ask(ureq::Agent::new_with_config(settings.build()), request);
    answer.map_err(|e| failed(address, format!("{through}{}", transfer::reason(&e))))
}

/// Sends a GET request.
///
/// # Errors
/// If it fails.
pub(super) fn get(address: &str, asking: Asking) -> Result<Answer, ProviderError> {
    let answer = ask(Method::GET, address, asking)?;
    let status = answer.status();
    if status.is_success() { Ok(answer) } else { Err(failed(address, format!("http status: {}", status.as_u16()))) }
}

#[cfg(test)]
pub(super) mod testing {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// Starts a server that sends these responses in order. The thread returns the received requests.
    pub fn server(answers: Vec<String>) -> (String, std::thread::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let serve = move || {
            let mut asked = String::new();
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let mut room = [0; 4096];
                while !asked.ends_with("\r\n\r\n") {
                    let count = stream.read(&mut room).unwrap();
                    asked.push_str(&String::from_utf8_lossy(&room[..count]));
                }
                stream.write_all(format!("HTTP/1.1 {answer}").as_bytes()).unwrap();
                asked.push_str("---\n");
            }
            asked
        };
        (address, std::thread::spawn(serve))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreachable_proxy_is_named() {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let proxy = ureq::Proxy::new(&format!("http://me:hunter2@127.0.0.1:{port}")).ok();
        let error = get("http://host.invalid/x", Asking { proxy, ..Asking::default() }).unwrap_err();
        let error = error.describe(&rtype_lang::redact::Redactor::new());
        let expected = format!("cannot download http://host.invalid/x: the proxy 127.0.0.1:{port}: Connection refused");
        assert!(error.starts_with(&expected), "{error}");
    }

    #[test]
    fn name_and_password_are_taken_out_of_addresses() {
        let me = || Some(("me".to_owned(), "p:w@".to_owned()));
        assert_eq!(split("http://me:p:w%40@h:8/a@b?c"), ("http://h:8/a@b?c".to_owned(), me()));
        assert_eq!(split("http://h/a@b"), ("http://h/a@b".to_owned(), None));
        assert_eq!(split("/a@b"), ("/a@b".to_owned(), None));
        let error = get("ftp://me:pw@h/x", Asking::default()).unwrap_err();
        assert_eq!(error.message, format!("cannot download ftp://h/x: only {SCHEMES} addresses are supported"));
    }
}
