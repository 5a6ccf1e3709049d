//! Content from web servers.
//!
//! Follows Puppet 7.23's `indirector/file_metadata/http.rb` and `file_serving/http_metadata.rb`. If a server sends
//! neither a checksum nor a modification time, Puppet uses the current time and copies the file in each run; here the
//! checksum of the content is computed.

use super::posix::{DEFAULT_CHECKSUM, time};
use crate::native::http::{self, Asking};
use crate::{Draft, ProviderError};
use base64::Engine;
use rtype_lang::value::digest;
use std::io::Read;
use std::time::{SystemTime, UNIX_EPOCH};
use ureq::http::{HeaderMap, Method};

/// The headers that contain checksums, in order of preference.
const CHECKSUMS: [(&str, &str); 4] =
    [("sha256", "X-Checksum-Sha256"), ("sha1", "X-Checksum-Sha1"), ("md5", "X-Checksum-Md5"), ("md5", "Content-MD5")];

/// The metadata of a URL.
#[derive(Debug)]
pub(super) struct Page {
    address: String,
    /// Kinds of checksum with their digits.
    sums: Vec<(&'static str, String)>,
    modified: Option<SystemTime>,
}

/// Returns whether a source is on a web server.
pub(super) fn is_web(uri: &str) -> bool {
    ["http:", "https:"].iter().any(|scheme| uri.starts_with(scheme))
}

/// Returns a source for messages: without user name and password.
pub(super) fn shown(uri: &str) -> String {
    if is_web(uri) { http::split(uri).0 } else { uri.to_owned() }
}

fn asking(address: &str, range: Option<&str>) -> Result<Asking, ProviderError> {
    Ok(Asking { proxy: http::proxy(address)?, headers: range.map(|range| ("Range", range.to_owned())).into_iter().collect() })
}

impl Page {
    /// Returns the metadata of a URL, `None` if the server reports that it does not exist.
    ///
    /// # Errors
    /// If the server does not respond, or responds with any other status. Puppet treats that as missing and uses the
    /// next source.
    pub fn look(address: &str) -> Result<Option<Page>, ProviderError> {
        let mut answer = http::ask(Method::HEAD, address, asking(address, None)?)?;
        // Some servers reject HEAD, and Amazon's signed URLs are valid for GET only.
        if [403, 405].contains(&answer.status().as_u16()) {
            answer = http::ask(Method::GET, address, asking(address, Some("bytes=0-0"))?)?;
        }
        match answer.status().as_u16() {
            200..300 => Ok(Some(Page::from_headers(address, answer.headers()))),
            403 | 404 | 410 => Ok(None),
            status => Err(http::failed(address, format!("http status: {status}"))),
        }
    }

    fn from_headers(address: &str, headers: &HeaderMap) -> Page {
        let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
        let sum = |(kind, name): (&'static str, &str)| {
            let given = text(name)?;
            let digits = if name == "Content-MD5" {
                digest::hexadecimal(&base64::engine::general_purpose::STANDARD.decode(given).ok()?)
            } else {
                given.to_lowercase()
            };
            Some((kind, digits))
        };
        let modified =
            text("Last-Modified").and_then(|date| jiff::fmt::rfc2822::parse(date).ok()).map(|at| SystemTime::from(at.timestamp()));
        Page { address: address.to_owned(), sums: CHECKSUMS.into_iter().filter_map(sum).collect(), modified }
    }

    /// Returns `{kind}digits`: with the requested checksum type if the server sends it, else with the best one that
    /// it sends.
    ///
    /// # Errors
    /// If it sends none, and the content cannot be downloaded.
    pub fn checksum(&self, wanted: &str) -> Result<String, ProviderError> {
        let seconds = self.modified.and_then(|at| i64::try_from(at.duration_since(UNIX_EPOCH).ok()?.as_secs()).ok());
        let time = seconds.map(|seconds| ("mtime", time(seconds)));
        let mut from_headers = self.sums.iter().cloned().chain(time);
        let found = from_headers.clone().find(|(kind, _)| *kind == wanted).or_else(|| from_headers.next());
        if let Some((kind, sum)) = found {
            return Ok(format!("{{{kind}}}{sum}"));
        }
        let kind = if digest::is_known(wanted) { wanted } else { DEFAULT_CHECKSUM };
        let sum = digest::of_reader(kind, self.read()?).map_err(|e| http::failed(&self.address, e))?;
        Ok(format!("{{{kind}}}{}", sum.unwrap_or_default()))
    }

    /// Returns the modification time, if the server sends it.
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// Returns a reader for the content.
    ///
    /// # Errors
    /// If it cannot be downloaded.
    pub fn read(&self) -> Result<impl Read + use<>, ProviderError> {
        Ok(http::get(&self.address, asking(&self.address, None)?)?.into_body())
    }

    /// Copies its content, piece by piece.
    ///
    /// # Errors
    /// When it cannot be had, or the draft not be written.
    pub fn copy(&self, draft: &mut Draft) -> Result<(), ProviderError> {
        std::io::copy(&mut self.read()?, draft.file()).map(drop).map_err(|e| match e.raw_os_error() {
            Some(_) => draft.failed(&e),
            None => http::failed(&self.address, e),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::http::testing::server;

    /// Returns the metadata for these responses, and the requests that the server received.
    fn look(answers: &[&str]) -> (Result<Option<Page>, ProviderError>, String) {
        let (address, server) = server(answers.iter().map(|a| format!("{a}\r\nConnection: close\r\n\r\n")).collect());
        (Page::look(&format!("{}/a", address.replace("//", "//me:pw@"))), server.join().unwrap().to_lowercase())
    }

    fn page(headers: &str) -> Page {
        look(&[&format!("200 OK{headers}")]).0.unwrap().unwrap()
    }

    #[test]
    fn strongest_checksum_header_is_preferred() {
        let md5 = "\r\nContent-MD5: XUFAKrxLKna5cZ2REBfFkg==";
        assert_eq!(page(md5).checksum("sha256").unwrap(), "{md5}5d41402abc4b2a76b9719d911017c592");
        let all = format!("{md5}\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nX-Checksum-Sha1: AAF4");
        assert_eq!(page(&all).checksum("sha256").unwrap(), "{sha1}aaf4");
        assert_eq!(page(&all).checksum("md5").unwrap(), "{md5}5d41402abc4b2a76b9719d911017c592");
        assert_eq!(page(&all).checksum("mtime").unwrap(), "{mtime}1994-11-06 08:49:37 +0000");
    }

    #[test]
    fn who_may_not_look_gets_a_part() {
        let (page, asked) = look(&["405 No", "206 Partial Content\r\nX-Checksum-Md5: ab"]);
        assert_eq!(page.unwrap().unwrap().checksum("md5").unwrap(), "{md5}ab");
        assert!(asked.contains("get /a ") && asked.contains("range: bytes=0-0"), "{asked}");
        assert_eq!(asked.matches("authorization: basic bwu6chc=").count(), 2, "{asked}");
    }

    #[test]
    fn missing_page_is_none_and_server_failure_is_an_error() {
        assert!(look(&["404 Not Found"]).0.unwrap().is_none());
        assert!(look(&["403 Forbidden", "403 Forbidden"]).0.unwrap().is_none());
        let error = look(&["503 Later"]).0.unwrap_err().to_string();
        assert!(error.starts_with("cannot download http://127.0.0.1:") && error.ends_with("/a: http status: 503"), "{error}");
    }
}
