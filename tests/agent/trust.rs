//! The agent ends the run if a certificate, key, revocation list or setting is damaged, empty, foreign or writable by other users.

use super::Node;
use super::server::{Answer, Authority, Server, Valid};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// Returns a node that has run once, so that all files exist.
fn initialized_node() -> Node {
    let node = Node::new();
    node.server.catalog(json!([node.file("motd", json!({"content": "hi\n"}))]));
    assert_eq!(node.run(&["--test"]).status, 2);
    fs::remove_file(node.at("motd")).unwrap();
    node
}

/// The name of a fault, for messages, and the function that damages a file accordingly.
type Fault = (&'static str, fn(&Path, &[u8]));

fn other_sections(path: &Path, _: &[u8]) {
    let directory = path.ancestors().nth(if path.ends_with("crl.pem") { 1 } else { 2 }).unwrap();
    let other = if path.to_string_lossy().contains("certs") { "crl.pem" } else { "certs/ca.pem" };
    fs::write(path, fs::read(directory.join(other)).unwrap()).unwrap();
}

const FAULTS: &[Fault] = &[
    ("empty", |path, _| fs::write(path, "").unwrap()),
    ("blank", |path, _| fs::write(path, "\n\n").unwrap()),
    ("garbage", |path, _| fs::write(path, [0xff, 0x00, 0x0a, 0x2d]).unwrap()),
    ("DER", |path, text| fs::write(path, der(text)).unwrap()),
    ("another kind of PEM", other_sections),
    ("an unknown kind of PEM", |path, text| {
        let text = String::from_utf8_lossy(text).replace("-----BEGIN ", "-----BEGIN TRUSTED ").replace("-----END ", "-----END TRUSTED ");
        fs::write(path, text).unwrap();
    }),
    ("truncated", |path, text| fs::write(path, &text[..text.len() / 2]).unwrap()),
    ("a directory", |path, _| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    }),
    ("a link to nothing", |path, _| {
        fs::remove_file(path).unwrap();
        symlink("nosuch", path).unwrap();
    }),
    ("a link to itself", |path, _| {
        fs::remove_file(path).unwrap();
        symlink(path, path).unwrap();
    }),
    ("writable by everyone", |path, _| fs::set_permissions(path, fs::Permissions::from_mode(0o666)).unwrap()),
    ("in a directory that everyone can write to", |path, _| {
        fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o777)).unwrap();
    }),
];

fn der(pem: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(pem);
    let body: String = text.lines().filter(|line| !line.starts_with("-----")).collect();
    // The PEM library decodes any section with the label CERTIFICATE.
    let pem = format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
    CertificateDer::from_pem_slice(pem.as_bytes()).unwrap().to_vec()
}

/// Returns the requests that a node sends only to a server that it trusts.
fn confidential(server: &Server) -> Vec<String> {
    let served = server.served.lock().unwrap();
    served.asked.iter().map(|(key, _)| key.clone()).filter(|key| !key.starts_with("GET /puppet-ca/v1/certificate")).collect()
}

#[test]
fn damaged_trust_files_end_the_run_before_anything_is_sent() {
    let rogue = Server::start(Authority::new(Valid::Now, &[]));
    rogue.answer("GET /status/v1/simple/server", Answer::of(200, "running"));
    let at_rogue = format!("localhost:{}", rogue.port);
    let from_list = format!("--server_list={at_rogue}");
    for file in ["certs/ca.pem", "crl.pem", "private_keys/web1.pem", "certs/web1.pem"] {
        let node = initialized_node();
        let (ssl, path) = (node.at("ssl"), node.at("ssl").join(file));
        let intact = fs::read(&path).unwrap();
        for (fault, damage) in FAULTS {
            damage(&path, &intact);
            let before = fs::read(&path).ok();
            let (own, catalog) = (confidential(&node.server).len(), fs::read(node.at("state/agent/catalog.json")).unwrap());
            let mut commands = vec![vec!["--test"], vec!["--onetime"]];
            if file == "certs/ca.pem" {
                commands.extend([
                    vec!["--test", "--server", &at_rogue],
                    vec!["--onetime", "--server", &at_rogue],
                    vec!["--onetime", &from_list],
                ]);
            }
            for command in commands {
                let ran = node.run(&command);
                let case = format!("{file} is {fault}, {command:?}:\n{}", ran.text);
                assert_eq!(ran.status, 1, "{case}");
                assert!(ran.text.contains("@/ssl/") || ran.text.contains("another CA has signed"), "{case}");
                assert!(confidential(&rogue).is_empty() && confidential(&node.server).len() == own, "{case}");
                assert_eq!(
                    (fs::read(&path).ok(), fs::read(node.at("state/agent/catalog.json")).unwrap()),
                    (before.clone(), catalog.clone())
                );
                assert!(!node.at("motd").exists(), "{case}");
            }
            // Restore the intact file and its permissions.
            if path.is_dir() {
                fs::remove_dir(&path).unwrap()
            } else {
                fs::remove_file(&path).unwrap()
            }
            fs::write(&path, &intact).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o700)).unwrap();
            assert!(ssl.exists());
        }
        assert_eq!(node.run(&["--test"]).status, 2, "{file}");
    }
}

#[test]
fn private_key_that_others_can_read_gets_the_permissions_of_puppet() {
    let node = initialized_node();
    let key = node.at("ssl/private_keys/web1.pem");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    node.run(&["--test"]).fails(2, &["other users could read the private key @/ssl/private_keys/web1.pem"]);
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn certificate_of_another_key_is_an_error_that_names_both_files() {
    let node = initialized_node();
    fs::write(node.at("ssl/private_keys/web1.pem"), rcgen::KeyPair::generate().unwrap().serialize_pem()).unwrap();
    node.run(&["--test"]).fails(1, &["@/ssl/certs/web1.pem: it does not match the key of this node, @/ssl/private_keys/web1.pem"]);
}

fn digest(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

#[test]
fn fingerprint_of_the_ca_is_compared_in_each_run() {
    let node = initialized_node();
    let pem = fs::read(node.at("ssl/certs/ca.pem")).unwrap();
    // Puppet computes the digest of the PEM file. The digest of the certificate itself is also accepted.
    for right in [digest(&der(&pem)), digest(&pem)] {
        node.set(&format!("ca_fingerprint = \"{right}\"\n"));
        assert_ne!(node.run(&["--test"]).status, 1, "{right}");
    }
    node.set(&format!("ca_fingerprint = \"{}\"\n", "0".repeat(64)));
    node.run(&["--test"]).fails(1, &["does not match `ca_fingerprint`", "@/ssl/certs/ca.pem"]);
    for wrong in ["", "SHA256", "00"] {
        node.set(&format!("ca_fingerprint = \"{wrong}\"\n"));
        node.run(&["--test"]).fails(1, &["is not a value of `ca_fingerprint`"]);
    }
}

#[test]
fn fingerprint_covers_all_certificates_that_a_server_sends() {
    let node = Node::new();
    let own = Authority::new(Valid::Now, &[]).issuer.pem();
    let Answer { body, .. } = node.server.served.lock().unwrap().answers["GET /puppet-ca/v1/certificate/ca"].clone();
    let real = String::from_utf8(body).unwrap();
    node.set(&format!("ca_fingerprint = \"{}\"\n", digest(&der(real.as_bytes()))));
    for bundle in [format!("{real}{own}"), format!("{own}{real}")] {
        node.server.answer("GET /puppet-ca/v1/certificate/ca", Answer::of(200, bundle));
        node.run(&["--test"]).fails(1, &["`ca_fingerprint` does not cover the certificate of `CN=Test CA`"]);
        assert!(!node.at("ssl/certs/ca.pem").exists());
    }
    node.server.answer("GET /puppet-ca/v1/certificate/ca", Answer::of(200, real));
    assert_eq!(node.run(&["--test"]).status, 0);
}

#[test]
fn unusable_answers_of_the_ca_are_errors() {
    for (path, words) in
        [("certificate/ca", "the certificate of the CA"), ("certificate_revocation_list/ca", "the list of revoked certificates")]
    {
        for answer in [Answer::of(200, ""), Answer::of(200, "<html>"), Answer::of(404, "")] {
            let node = Node::new();
            node.server.answer(&format!("GET /puppet-ca/v1/{path}"), answer);
            node.run(&["--test"]).fails(1, &[words]);
            assert!(confidential(&node.server).is_empty());
        }
    }
    // Without revocation checks, the agent requests no revocation list.
    let node = Node::new();
    node.server.answer("GET /puppet-ca/v1/certificate_revocation_list/ca", Answer::of(404, ""));
    node.set("certificate_revocation = false\n");
    assert_eq!(node.run(&["--test"]).status, 0);
}

#[test]
fn settings_that_others_can_change_are_refused() {
    let node = initialized_node();
    node.set(&format!("postrun_command = \"touch {}\"\n", node.at("ran").display()));
    let settings = node.at("agent.toml");
    fs::set_permissions(&settings, fs::Permissions::from_mode(0o666)).unwrap();
    node.run(&["--test"]).fails(1, &["@/agent.toml is writable by everyone", "chmod go-w"]);
    fs::set_permissions(&settings, fs::Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(node.directory.path(), fs::Permissions::from_mode(0o777)).unwrap();
    node.run(&["--onetime"]).fails(1, &["@ is writable by everyone"]);
    fs::set_permissions(node.directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
    if nix::unistd::Uid::effective().is_root() {
        std::os::unix::fs::chown(&settings, Some(4_000_000), None).unwrap();
        node.run(&["--test"]).fails(1, &["@/agent.toml is owned by 4000000"]);
        std::os::unix::fs::chown(&settings, Some(0), None).unwrap();
    }
    assert!(!node.at("ran").exists() && !node.at("motd").exists());
    assert_eq!(node.run(&["--test"]).status, 2);
}

#[test]
fn servers_with_too_many_or_too_deep_files_are_refused() {
    let entry =
        |path: &str| json!({"relative_path": path, "type": "file", "mode": 420, "checksum": {"type": "sha256", "value": "{sha256}00"}});
    let many: Vec<_> = (0..100_001).map(|number| entry(&format!("a{number}"))).collect();
    for (list, words) in [(json!(many), "more than 100000 files"), (json!([entry(&"a/".repeat(100))]), "has more than 64 directories")] {
        let node = Node::new();
        node.server.answer("GET /puppet/v3/file_metadatas/plugins", Answer::of(200, list.to_string()));
        node.run(&["--test"]).fails(1, &[words]);
    }
}

#[test]
fn signal_ends_the_copy_of_types_at_once() {
    let node = Node::new();
    let entries: Vec<_> = (0..2000)
        .map(|number| {
            let path = format!("a{number}");
            let mut answer = Answer::of(200, "x");
            answer.delay = std::time::Duration::from_millis(50);
            node.server.answer(&format!("GET /puppet/v3/file_content/plugins/{path}"), answer);
            json!({"relative_path": path, "type": "file", "mode": 420, "checksum": {"type": "sha256", "value": super::sha256("x")}})
        })
        .collect();
    node.server.answer("GET /puppet/v3/file_metadatas/plugins", Answer::of(200, json!(entries).to_string()));
    let daemon = node.daemon();
    super::drop_in::until("no copy", || node.asked("file_content/plugins") > 3);
    let begun = std::time::Instant::now();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(i32::try_from(daemon.id()).unwrap()), nix::sys::signal::SIGTERM).unwrap();
    daemon.wait_with_output().unwrap();
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(node.asked("file_content/plugins") < 1000);
}
