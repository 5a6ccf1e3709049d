//! A Puppet server with a separate CA, on loopback. Tests choose the responses.

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertificateSigningRequestParams, CertifiedIssuer,
    DistinguishedName, DnType, IsCa, KeyIdMethod, KeyPair, RevokedCertParams, SerialNumber, date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The response to a request.
#[derive(Clone)]
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
    /// The number of announced bytes that are not sent.
    pub cut: usize,
    pub delay: Duration,
    /// The address of a redirect.
    pub location: String,
}

impl Answer {
    pub fn of(status: u16, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status, body: body.into(), cut: 0, delay: Duration::ZERO, location: String::new() }
    }
}

/// The certificates of the server.
pub struct Authority {
    pub issuer: CertifiedIssuer<'static, KeyPair>,
    revoked: Vec<u64>,
    server: (Vec<u8>, Vec<u8>),
}

/// The validity period of a certificate.
#[derive(Clone, Copy)]
pub enum Valid {
    Now,
    Past,
    Future,
    /// Valid for ten more days.
    Soon,
}

fn named(name: &str, valid: Valid, serial: u64) -> CertificateParams {
    let mut parameters = CertificateParams::default();
    parameters.distinguished_name = DistinguishedName::new();
    parameters.distinguished_name.push(DnType::CommonName, name);
    parameters.serial_number = Some(SerialNumber::from(serial));
    (parameters.not_before, parameters.not_after) = match valid {
        Valid::Now => (date_time_ymd(2020, 1, 1), date_time_ymd(2090, 1, 1)),
        Valid::Past => (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1)),
        Valid::Soon => (date_time_ymd(2020, 1, 1), (std::time::SystemTime::now() + Duration::from_secs(10 * 86_400)).into()),
        Valid::Future => (date_time_ymd(2090, 1, 1), date_time_ymd(2091, 1, 1)),
    };
    parameters
}

impl Authority {
    /// Creates a CA, and a server certificate with the serial number 2.
    pub fn new(server: Valid, revoked: &[u64]) -> Authority {
        let mut own = named("Test CA", Valid::Now, 1);
        own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(own, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let mut parameters = named("localhost", server, 2);
        parameters.subject_alt_names = vec![rcgen::SanType::DnsName("localhost".try_into().unwrap())];
        let certificate = parameters.signed_by(&key, &issuer).unwrap();
        Authority { revoked: revoked.to_vec(), server: (certificate.der().to_vec(), key.serialize_der()), issuer }
    }

    fn list(&self) -> String {
        let revoked = self.revoked.iter().map(|serial| RevokedCertParams {
            serial_number: SerialNumber::from(*serial),
            revocation_time: date_time_ymd(2024, 1, 1),
            reason_code: None,
            invalidity_date: None,
        });
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2024, 1, 1),
            next_update: date_time_ymd(2090, 1, 1),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: None,
            revoked_certs: revoked.collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        list.signed_by(&self.issuer).unwrap().pem().unwrap()
    }

    /// Signs a certificate request.
    pub fn sign(&self, request: &str, valid: Valid) -> String {
        let mut request = CertificateSigningRequestParams::from_pem(request).unwrap();
        let template = named("", valid, 3);
        (request.params.not_before, request.params.not_after) = (template.not_before, template.not_after);
        request.params.serial_number = template.serial_number;
        request.signed_by(&self.issuer).unwrap().pem()
    }
}

/// The responses of the server, and the received requests.
#[derive(Default)]
pub struct Served {
    /// Responses by method and path without query, such as `POST /puppet/v3/catalog/web1`.
    pub answers: HashMap<String, Answer>,
    pub asked: Vec<(String, Vec<u8>)>,
    /// The received methods and paths with query.
    pub lines: Vec<String>,
    signed: HashMap<String, String>,
    /// The validity period of signed certificates; `None` to sign no requests.
    pub signs: Option<Valid>,
}

/// A running server.
pub struct Server {
    pub port: u16,
    pub served: Arc<Mutex<Served>>,
}

impl Server {
    /// Starts a server with a CA that signs requests. The server has no types, no facts and an empty catalog.
    pub fn start(authority: Authority) -> Server {
        let mut served = Served { signs: Some(Valid::Now), ..Served::default() };
        let mut put = |key: &str, answer: Answer| served.answers.insert(key.to_owned(), answer);
        put("GET /puppet-ca/v1/certificate/ca", Answer::of(200, authority.issuer.pem()));
        put("GET /puppet-ca/v1/certificate_revocation_list/ca", Answer::of(200, authority.list()));
        put("GET /puppet/v3/node/web1", Answer::of(200, json!({"name": "web1", "environment": "production"}).to_string()));
        put("GET /puppet/v3/file_metadatas/plugins", Answer::of(200, "[]"));
        put("GET /puppet/v3/file_metadatas/pluginfacts", Answer::of(200, "[]"));
        put("PUT /puppet/v3/report/web1", Answer::of(200, "[]"));
        let served = Arc::new(Mutex::new(served));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut roots = RootCertStore::empty();
        roots.add(authority.issuer.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).allow_unauthenticated().build().unwrap();
        let chain = vec![CertificateDer::from(authority.server.0.clone())];
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(authority.server.1.clone()));
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier)
            .with_single_cert(chain, key)
            .unwrap();
        let (config, authority, shared) = (Arc::new(config), Arc::new(authority), Arc::clone(&served));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (config, authority, shared) = (Arc::clone(&config), Arc::clone(&authority), Arc::clone(&shared));
                std::thread::spawn(move || serve(stream, config, &authority, &shared));
            }
        });
        Server { port, served }
    }

    pub fn answer(&self, key: &str, answer: Answer) {
        self.served.lock().unwrap().answers.insert(key.to_owned(), answer);
    }

    /// Serves a catalog with these resources.
    pub fn catalog(&self, resources: Json) {
        let catalog = json!({
            "name": "web1", "version": 7, "environment": "production", "catalog_uuid": "c", "code_id": null, "catalog_format": 2,
            "tags": [], "classes": [], "edges": [], "resources": resources,
        });
        self.answer("POST /puppet/v3/catalog/web1", Answer::of(200, catalog.to_string()));
    }

    /// Returns the last report.
    pub fn report(&self) -> Json {
        let served = self.served.lock().unwrap();
        let (_, body) = served.asked.iter().rev().find(|(key, _)| key.starts_with("PUT /puppet/v3/report/")).expect("no report came");
        serde_json::from_slice(body).unwrap()
    }
}

fn serve(stream: TcpStream, config: Arc<ServerConfig>, authority: &Authority, served: &Mutex<Served>) -> Option<()> {
    let mut stream = StreamOwned::new(ServerConnection::new(config).ok()?, stream);
    loop {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            if stream.read(&mut byte).ok()? == 0 {
                return None;
            }
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).ok()?;
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        stream.read_exact(&mut body).ok()?;
        let line = head.lines().next()?;
        let key = line.split([' ', '?']).take(2).collect::<Vec<_>>().join(" ");
        let answer = {
            let mut served = served.lock().ok()?;
            served.lines.push(line.to_owned());
            answer_to(&key, &body, authority, &mut served)
        };
        std::thread::sleep(answer.delay);
        let length = answer.body.len();
        let location = if answer.location.is_empty() { String::new() } else { format!("Location: {}\r\n", answer.location) };
        let head = format!("HTTP/1.1 {} x\r\n{location}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n", answer.status);
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(&answer.body[..length - answer.cut.min(length)]).ok()?;
        stream.flush().ok()?;
        if answer.cut > 0 {
            return None;
        }
    }
}

fn answer_to(key: &str, body: &[u8], authority: &Authority, served: &mut Served) -> Answer {
    served.asked.push((key.to_owned(), body.to_vec()));
    if let Some(answer) = served.answers.get(key) {
        return answer.clone();
    }
    if let Some(name) = key.strip_prefix("PUT /puppet-ca/v1/certificate_request/") {
        if let Some(valid) = served.signs {
            served.signed.insert(name.to_owned(), authority.sign(&String::from_utf8_lossy(body), valid));
        }
        return Answer::of(200, "");
    }
    let certificate = key.strip_prefix("GET /puppet-ca/v1/certificate/").and_then(|name| served.signed.get(name));
    if key == "POST /puppet-ca/v1/certificate_renewal" {
        let key = KeyPair::generate().unwrap();
        let renewed = named("web1", Valid::Now, 4).signed_by(&key, &authority.issuer).unwrap();
        return Answer::of(200, renewed.pem());
    }
    match certificate {
        Some(pem) => Answer::of(200, pem.clone()),
        None => Answer::of(404, json!({"message": "not found", "issue_kind": "RESOURCE_NOT_FOUND"}).to_string()),
    }
}
