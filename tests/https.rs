//! Sources by `https:`: trusted certificates and allowed redirects.

use crate::agent::server::{Answer, Authority, Server, Valid};
use crate::common::site::Site;
use std::net::TcpListener;

/// Applies a file with a source on the server. Returns the output and the exit status.
fn apply(server: &Server, authorities: &str) -> (Site, String, i32) {
    apply_manifest(&format!("file {{ '@/a': source => 'https://localhost:{}/a' }}\n", server.port), authorities)
}

/// Applies an archive on the server. `provider` downloads the archive.
fn apply_archive(server: &Server, authorities: &str, provider: &str) -> (Site, String, i32) {
    let address = format!("https://localhost:{}/a", server.port);
    apply_manifest(&format!("archive {{ '@/a': source => '{address}', cookie => 'c=1', provider => {provider} }}\n"), authorities)
}

/// Returns the archive providers that can download on this machine.
fn downloaders() -> impl Iterator<Item = &'static str> {
    let is_there = |name: &&str| *name == "ruby" || std::path::Path::new("/usr/bin").join(name).exists();
    ["ruby", "curl", "wget"].into_iter().filter(is_there)
}

fn apply_manifest(manifest: &str, authorities: &str) -> (Site, String, i32) {
    let site = Site::new(manifest);
    site.write("ca.pem", authorities);
    let output = site.command(&["site.pp"]).env("SSL_CERT_FILE", site.path().join("ca.pem")).env_remove("SSL_CERT_DIR").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (site, text, output.status.code().unwrap())
}

fn server(valid: Valid) -> (Server, String) {
    let authority = Authority::new(valid, &[]);
    let pem = authority.issuer.pem();
    let server = Server::start(authority);
    for method in ["GET", "HEAD"] {
        server.answer(&format!("{method} /a"), Answer::of(200, if method == "GET" { "hello" } else { "" }));
    }
    (server, pem)
}

#[test]
fn file_is_downloaded_from_a_trusted_server() {
    let (server, pem) = server(Valid::Now);
    let (site, text, status) = apply(&server, &pem);
    assert_eq!((site.read("a").as_str(), status), ("hello", 0), "{text}");
}

#[test]
fn untrusted_and_expired_certificates_are_refused() {
    let (now, _) = server(Valid::Now);
    let (past, pem) = server(Valid::Past);
    for (server, authorities, word) in
        [(&now, Authority::new(Valid::Now, &[]).issuer.pem(), "invalid peer certificate"), (&past, pem, "expired")]
    {
        let (site, text, status) = apply(server, &authorities);
        assert!(status == 1 && text.to_lowercase().contains(&word.to_lowercase()), "{text}");
        assert!(text.contains("cannot download https://localhost"), "{text}");
        assert!(!site.path().join("a").exists());
    }
}

#[test]
fn redirects_do_not_lead_to_http() {
    let (server, pem) = server(Valid::Now);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let location = format!("http://{}/a", listener.local_addr().unwrap());
    for method in ["GET", "HEAD"] {
        server.answer(&format!("{method} /a"), Answer { location: location.clone(), ..Answer::of(302, "") });
    }
    let (site, text, status) = apply(&server, &pem);
    assert!(status == 1 && text.contains("cannot download"), "{text}");
    assert!(!site.path().join("a").exists());
    assert!(listener.accept().is_err(), "the other server was asked");
}

#[test]
fn archives_are_downloaded_from_a_trusted_server_by_each_program() {
    for provider in downloaders() {
        let (server, pem) = server(Valid::Now);
        server.answer("GET /b", Answer::of(200, "there"));
        server.answer("GET /a", Answer { location: "/b".into(), ..Answer::of(302, "") });
        let (site, text, status) = apply_archive(&server, &pem, provider);
        assert!(status == 0 && site.read("a") == "there", "{provider}: {text}");
        let (site, text, status) = apply_archive(&server, &Authority::new(Valid::Now, &[]).issuer.pem(), provider);
        assert!(status == 1 && !site.path().join("a").exists(), "{provider}: {text}");
    }
}

#[test]
fn no_program_that_downloads_follows_a_redirect_to_http() {
    for provider in downloaders() {
        let (server, pem) = server(Valid::Now);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let location = format!("http://{}/a", listener.local_addr().unwrap());
        server.answer("GET /a", Answer { location, ..Answer::of(302, "") });
        let (site, text, status) = apply_archive(&server, &pem, provider);
        assert!(status == 1 && !site.path().join("a").exists(), "{provider}: {text}");
        assert!(listener.accept().is_err(), "{provider}: the other server was asked");
    }
}

#[test]
fn missing_authorities_are_named() {
    let (server, _) = server(Valid::Now);
    for authorities in ["", "no certificates"] {
        let (_, text, status) = apply(&server, authorities);
        assert!(status == 1 && text.contains("no certificates are trusted") && text.contains("SSL_CERT_FILE"), "{text}");
        for provider in downloaders() {
            let (site, text, status) = apply_archive(&server, authorities, provider);
            assert!(status == 1 && !site.path().join("a").exists(), "{provider}: {text}");
        }
    }
}
