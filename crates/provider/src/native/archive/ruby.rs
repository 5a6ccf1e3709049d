//! `archive/ruby`: downloads by itself.
//!
//! Follows `puppet/provider/archive/ruby.rb` and `puppet_x/bodeco/util.rb` of Puppet's module puppet-archive 4.1.0, but for `ftp:`,
//! which is left to curl and wget.

use super::file::{Archive, text};
use crate::native::http::{self, Asking};
use crate::{ProviderError, Resource, System};
use rtype_system::Scratch;

/// The provider.
pub const PROVIDER: Archive = Archive { fetch };

fn fetch(_: &System, resource: &dyn Resource, address: &str, to: &Scratch, name: &str) -> Result<(), ProviderError> {
    if !address.starts_with("http") {
        return Err(ProviderError::new(format!("nothing is there that downloads {address}")).help("install curl or wget before"));
    }
    let mut headers: Vec<_> = text(resource, "cookie").map(|cookie| ("Cookie", cookie)).into_iter().collect();
    if let (Some(name), Some(password)) = (text(resource, "username"), text(resource, "password")) {
        headers.push(http::account(&name, &password));
    }
    let proxy = match text(resource, "proxy_server") {
        Some(proxy) => Some(ureq::Proxy::new(&proxy).map_err(|e| http::failed(address, e))?),
        None => http::proxy(address)?,
    };
    let answer = http::get(address, Asking { proxy, headers })?;
    let write = || std::io::copy(&mut answer.into_body(), &mut to.make_file(name)?);
    write().map(drop).map_err(|e| http::failed(address, e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::Wants;
    use crate::native::http::testing::server;
    use rtype_lang::value::Value;

    #[test]
    fn a_download_follows_redirects_and_shows_who_asks() {
        let found = "302 Found\r\nLocation: /b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        let (address, server) = server(vec![found.into(), "200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello".into()]);
        let folder = tempfile::tempdir().unwrap();
        let system = System::at(folder.path());
        let scratch = system.tree().scratch("/".as_ref()).unwrap();
        let file = scratch.path().join("file");
        let wants = Wants(vec![("username", Value::str("me")), ("password", Value::str("pw")), ("cookie", Value::str("c=1"))]);
        fetch(&system, &wants, &format!("{address}/a"), &scratch, "file").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "hello");
        let asked = server.join().unwrap().to_lowercase();
        let first = asked.split("---").next().unwrap();
        assert!(first.contains("authorization: basic bwu6chc=") && first.contains("cookie: c=1"), "{asked}");
        assert!(asked.contains("get /b "), "{asked}");
    }

    #[test]
    fn failed_download_leaves_no_file() {
        let (address, server) = server(vec!["404 Not Found\r\nContent-Length: 5\r\nConnection: close\r\n\r\nsorry".into()]);
        let folder = tempfile::tempdir().unwrap();
        let system = System::at(folder.path());
        let scratch = system.tree().scratch("/".as_ref()).unwrap();
        let file = scratch.path().join("file");
        let error = fetch(&system, &Wants::default(), &format!("{address}/a"), &scratch, "file").unwrap_err();
        assert!(error.message.ends_with("http status: 404"), "{error}");
        assert!(!file.exists());
        server.join().unwrap();
    }
}
