//! `archive/ruby`: downloads by itself.
//!
//! Follows `puppet/provider/archive/ruby.rb` and `puppet_x/bodeco/util.rb` of Puppet's module puppet-archive 4.1.0, but for `https:` and
//! `ftp:`, which are left to curl and wget: TLS and its certificates are the system's to keep.

use super::file::{Archive, TIME_LIMIT, text};
use crate::provider::{ProviderError, Resource, System};
use base64::Engine;
use std::path::Path;

/// How many addresses may lead to another one.
const REDIRECTS: u32 = 5;

/// The provider.
pub const PROVIDER: Archive = Archive { fetch };

fn fetch(_: &System, resource: &dyn Resource, address: &str, to: &Path) -> Result<(), ProviderError> {
    if !address.starts_with("http://") {
        return Err(ProviderError::new(format!("nothing is there that downloads {address}")).help("install curl or wget before"));
    }
    let failed = |e: ureq::Error| ProviderError::new(format!("cannot download {address}: {e}"));
    let proxy = text(resource, "proxy_server").map(|proxy| ureq::Proxy::new(&proxy)).transpose().map_err(failed)?;
    let settings = ureq::Agent::config_builder().max_redirects(REDIRECTS).timeout_global(Some(TIME_LIMIT)).proxy(proxy);
    let agent = ureq::Agent::new_with_config(settings.build());
    let mut request = agent.get(address);
    if let Some(cookie) = text(resource, "cookie") {
        request = request.header("Cookie", cookie);
    }
    if let (Some(name), Some(password)) = (text(resource, "username"), text(resource, "password")) {
        let account = base64::engine::general_purpose::STANDARD.encode(format!("{name}:{password}"));
        request = request.header("Authorization", format!("Basic {account}"));
    }
    let response = request.call().map_err(failed)?;
    let write = || std::io::copy(&mut response.into_body().into_reader(), &mut std::fs::File::create(to)?);
    write().map(drop).map_err(|e| ProviderError::new(format!("cannot download {address}: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::native::common::testing::Wants;
    use crate::value::Value;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// A server that gives one answer to each of some requests, and what it was asked.
    fn server(answers: Vec<&'static str>) -> (String, std::thread::JoinHandle<String>) {
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

    #[test]
    fn a_download_follows_redirects_and_shows_who_asks() {
        let found = "302 Found\r\nLocation: /b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        let (address, server) = server(vec![found, "200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"]);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let wants = Wants(vec![("username", Value::str("me")), ("password", Value::str("pw")), ("cookie", Value::str("c=1"))]);
        fetch(&System::at(folder.path()), &wants, &format!("{address}/a"), &file).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "hello");
        let asked = server.join().unwrap().to_lowercase();
        let first = asked.split("---").next().unwrap();
        assert!(first.contains("authorization: basic bwu6chc=") && first.contains("cookie: c=1"), "{asked}");
        assert!(asked.contains("get /b "), "{asked}");
    }

    #[test]
    fn what_is_not_there_leaves_no_file() {
        let (address, server) = server(vec!["404 Not Found\r\nContent-Length: 5\r\nConnection: close\r\n\r\nsorry"]);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let error = fetch(&System::at(folder.path()), &Wants::default(), &format!("{address}/a"), &file).unwrap_err();
        assert!(error.message.ends_with("http status: 404"), "{error}");
        assert!(!file.exists());
        server.join().unwrap();
    }
}
