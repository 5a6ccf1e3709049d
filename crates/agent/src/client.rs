//! Requests to a Puppet server.

use crate::error::AgentError;
use crate::metadata::FileMetadata;
use crate::settings::Settings;
use crate::tls::{self, Trust};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rtype_lang::data::json_error;
use rtype_provider::interrupt::is_stopping;
use rtype_provider::transfer::{self, Transfer};
use serde::de::{DeserializeOwned, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;
use std::fmt;
use std::io::{self, Read};
use std::time::Duration;
use ureq::http::{HeaderMap, Method, Request};

/// The maximum size of a response kept in memory.
const LARGEST: u64 = 256 << 20;
/// The maximum number of files in a response.
pub(crate) const MOST_FILES: usize = 100_000;
/// The maximum length of a server's error message in our messages.
const MOST_SHOWN: usize = 2000;
/// The time limit for a whole request.
const TIME_LIMIT: Duration = Duration::from_secs(3600);
/// The emulated version of Puppet's agent.
const PUPPET: &str = "7.23.0";
/// The characters to encode in a query or form.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
/// The characters to encode in a path.
const PATH: &AsciiSet = &ENCODED.remove(b'/');

/// Percent-encodes a string for a query or a form.
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// A client with certificates. Connections are kept for further requests.
#[derive(Debug)]
pub struct Client {
    agent: ureq::Agent,
    server: (String, u16),
    ca_server: (String, u16),
    report_server: (String, u16),
    /// The proxy's name and port, for messages.
    proxy: Option<String>,
}

/// A catalog as the server sent it.
#[derive(Debug)]
pub struct FetchedCatalog {
    /// The JSON.
    pub text: String,
    /// The same JSON, parsed.
    pub json: Json,
}

/// A request.
struct ServerRequest<'a> {
    method: Method,
    server: &'a (String, u16),
    /// The encoded path and query.
    path: String,
    /// A description of the requested resource, for messages.
    what: &'a str,
    accept: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Option<Vec<u8>>,
}

/// A response with an HTTP status between 200 and 299, or 304.
pub(crate) struct ServerResponse {
    status: u16,
    headers: HeaderMap,
    body: Transfer,
    server: String,
    what: String,
}

impl Client {
    /// Creates a client.
    ///
    /// # Errors
    /// If the certificates cannot be used.
    pub(crate) fn new(settings: &Settings, trust: Trust) -> Result<Client, AgentError> {
        let proxy = match &settings.proxy {
            Some((host, port)) => Some(ureq::Proxy::new(&format!("http://{host}:{port}")).map_err(|e| AgentError::Setting {
                path: "http_proxy_host".into(),
                why: e.to_string(),
                help: "write a host name".into(),
            })?),
            None => None,
        };
        let config = ureq::Agent::config_builder()
            .https_only(true)
            .proxy(proxy)
            .max_redirects(0)
            .timeout_connect(Some(settings.connect_timeout))
            .timeout_recv_response(Some(settings.read_timeout))
            .timeout_recv_body(Some(TIME_LIMIT))
            .http_status_as_error(false)
            .user_agent(concat!("rtype/", env!("CARGO_PKG_VERSION")))
            .build();
        let resolver = ureq::unversioned::resolver::DefaultResolver::default();
        Ok(Client {
            agent: ureq::Agent::with_parts(config, tls::connector(trust)?, resolver),
            server: settings.server.clone(),
            ca_server: settings.ca_server.clone(),
            report_server: settings.report_server.clone(),
            proxy: settings.proxy.as_ref().map(|(host, port)| format!("{host}:{port}")),
        })
    }

    /// Returns the server's name and port.
    pub(crate) fn server(&self) -> &(String, u16) {
        &self.server
    }

    fn send(&self, wanted: ServerRequest<'_>) -> Result<ServerResponse, AgentError> {
        let server = format!("{}:{}", wanted.server.0, wanted.server.1);
        let failed = |error: &ureq::Error| match tls::explained(error) {
            _ if is_stopping() => AgentError::Stopped,
            Some((why, help)) => AgentError::Tls { server: server.clone(), why, help },
            None => {
                let through = self.proxy.as_ref().map(|proxy| format!(" through the proxy {proxy}")).unwrap_or_default();
                AgentError::Unreachable { server: format!("{server}{through}"), why: transfer::reason(error) }
            }
        };
        let mut request = Request::builder()
            .method(wanted.method)
            .uri(format!("https://{server}{}", wanted.path))
            .header("Accept", wanted.accept)
            .header("X-Puppet-Version", PUPPET);
        for (name, value) in &wanted.headers {
            request = request.header(*name, value);
        }
        let bad = |e: &dyn std::fmt::Display| AgentError::Unreachable { server: server.clone(), why: e.to_string() };
        let answer = match wanted.body {
            Some(body) => transfer::ask_shared(&self.agent, request.body(body).map_err(|e| bad(&e))?),
            None => transfer::ask_shared(&self.agent, request.body(()).map_err(|e| bad(&e))?),
        };
        let (parts, body) = answer.map_err(|e| failed(&e))?.into_parts();
        let status = parts.status.as_u16();
        let answer = ServerResponse { status, headers: parts.headers, body, server, what: wanted.what.to_owned() };
        if parts.status.is_success() || status == 304 {
            return Ok(answer);
        }
        Err(answer.refusal())
    }

    fn get<'a>(&'a self, path: String, what: &'a str, accept: &'static str) -> ServerRequest<'a> {
        ServerRequest { method: Method::GET, server: &self.server, path, what, accept, headers: Vec::new(), body: None }
    }

    /// Requests a CA file. Returns `None` if the file does not exist, or has not changed since `since`.
    pub(crate) fn ca(&self, path: &str, what: &str, since: Option<String>) -> Result<Option<String>, AgentError> {
        let headers = since.map(|since| ("If-Modified-Since", since)).into_iter().collect();
        let request = ServerRequest { server: &self.ca_server, headers, ..self.get(format!("/puppet-ca/v1/{path}"), what, "text/plain") };
        match self.send(request) {
            Ok(answer) if answer.status == 304 => Ok(None),
            Ok(answer) => answer.text().map(Some),
            Err(AgentError::Refused { status: 404, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sends a certificate request or a renewal request.
    pub(crate) fn to_ca(&self, method: Method, path: &str, what: &str, body: Vec<u8>) -> Result<String, AgentError> {
        let headers = vec![("Content-Type", "text/plain".to_owned())];
        let path = format!("/puppet-ca/v1/{path}");
        self.send(ServerRequest { server: &self.ca_server, method, headers, body: Some(body), ..self.get(path, what, "text/plain") })?
            .text()
    }

    /// Checks that the server runs.
    pub(crate) fn status(&self) -> Result<(), AgentError> {
        let ask = |name: &str| self.send(self.get(format!("/status/v1/simple/{name}"), "its status", "text/plain, */*")).map(drop);
        match ask("server") {
            // Puppet Server 6 uses another service name.
            Err(AgentError::Refused { status: 404, .. }) => ask("master"),
            result => result,
        }
    }

    /// Returns the server's node object, which contains this node's environment.
    ///
    /// # Errors
    /// If the request fails.
    pub fn node(&self, name: &str, environment: &str, transaction: &str) -> Result<Json, AgentError> {
        let path = format!(
            "/puppet/v3/node/{name}?environment={}&configured_environment={0}&transaction_uuid={transaction}",
            encoded(environment)
        );
        self.send(self.get(path, "this node", "application/json"))?.json()
    }

    /// Requests a catalog, with facts.
    ///
    /// # Errors
    /// If the request fails, or the response is not this node's catalog.
    pub fn catalog(&self, name: &str, environment: &str, transaction: &str, facts: &Json) -> Result<FetchedCatalog, AgentError> {
        let what = format!("the catalog of {name}");
        // Puppet encodes the facts twice.
        let facts = encoded(&encoded(&facts.to_string()));
        let body = format!(
            "environment={}&configured_environment={0}&facts_format=application%2Fjson&facts={facts}&transaction_uuid={transaction}\
             &job_id=&static_catalog=true&checksum_type=sha256.sha384.sha512.sha224.md5",
            encoded(environment)
        );
        let request = ServerRequest {
            method: Method::POST,
            headers: vec![("Content-Type", "application/x-www-form-urlencoded".to_owned())],
            body: Some(body.into_bytes()),
            ..self.get(
                format!("/puppet/v3/catalog/{name}?environment={}", encoded(environment)),
                &what,
                "application/vnd.puppet.rich+json, application/json",
            )
        };
        let answer = self.send(request)?;
        let (server, what) = (answer.server.clone(), answer.what.clone());
        let text = answer.text()?;
        let unusable = |why: String| AgentError::BadResponse { server: server.clone(), what: what.clone(), why };
        let json: Json = serde_json::from_str(&text).map_err(|e| unusable(json_error(&e)))?;
        match json.get("name").and_then(Json::as_str) {
            Some(other) if other == name && json.get("resources").is_some_and(Json::is_array) => Ok(FetchedCatalog { text, json }),
            Some(other) if other != name => Err(unusable(format!("it is the catalog of {other}"))),
            _ => Err(unusable("it is not a catalog".to_owned())),
        }
    }

    /// Requests a list with at most [`MOST_FILES`] files, and parses the response while it arrives. Returns `None` if the path does not
    /// exist.
    fn list(&self, path: String, what: &str) -> Result<Option<Vec<FileMetadata>>, AgentError> {
        let answer = match self.send(self.get(path, what, "application/json")) {
            Ok(answer) => answer,
            Err(AgentError::Refused { status: 404, .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let reader = io::BufReader::new(Interruptible { body: answer.body, left: LARGEST });
        let FileList(files) = serde_json::from_reader(reader).map_err(|e| match is_stopping() {
            true => AgentError::Stopped,
            false => AgentError::BadResponse { server: answer.server, what: what.to_owned(), why: json_error(&e) },
        })?;
        Ok(Some(files))
    }

    /// Requests a file's metadata. `path` has the form `modules/NAME/FILE`. Returns `None` if the file does not exist.
    pub(crate) fn file_metadata(&self, path: &str, query: &str) -> Result<Option<FileMetadata>, AgentError> {
        match self.send(self.get(address("file_metadata", path, query), path, "application/json")) {
            Ok(answer) => answer.json().map(Some),
            Err(AgentError::Refused { status: 404, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Requests the metadata for a file or a mount such as `plugins`, and for all files below. Returns `None` if the path does not exist.
    pub(crate) fn file_metadatas(&self, path: &str, query: &str) -> Result<Option<Vec<FileMetadata>>, AgentError> {
        self.list(address("file_metadatas", path, query), path)
    }

    /// Returns a reader for a file's content. `path` has the form `file_content/modules/NAME/FILE`.
    pub(crate) fn content(&self, path: &str, query: &str) -> Result<Transfer, AgentError> {
        let address = format!("/puppet/v3/{}?{query}", utf8_percent_encode(path, PATH));
        Ok(self.send(self.get(address, path, "application/octet-stream"))?.body)
    }

    /// Sends a report.
    ///
    /// # Errors
    /// If the request fails.
    pub fn report(&self, name: &str, environment: &str, report: &Json) -> Result<(), AgentError> {
        let path = format!("/puppet/v3/report/{name}?environment={}", encoded(environment));
        let request = ServerRequest {
            method: Method::PUT,
            server: &self.report_server,
            headers: vec![("Content-Type", "application/json".to_owned())],
            body: Some(report.to_string().into_bytes()),
            ..self.get(path, "the report", "application/json")
        };
        self.send(request).map(drop)
    }
}

fn address(kind: &str, path: &str, query: &str) -> String {
    format!("/puppet/v3/{kind}/{}?{query}", utf8_percent_encode(path, PATH))
}

/// A response body. Reading fails if the run is interrupted or the body is too large.
struct Interruptible {
    body: Transfer,
    left: u64,
}

impl Read for Interruptible {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if is_stopping() {
            return Err(io::Error::other("stopped"));
        }
        let count = self.body.read(to)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| io::Error::other(too_large()))?;
        Ok(count)
    }
}

fn too_large() -> String {
    format!("larger than {} MiB", LARGEST >> 20)
}

/// A list of at most [`MOST_FILES`] files.
struct FileList(Vec<FileMetadata>);

impl<'de> Deserialize<'de> for FileList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FileList, D::Error> {
        struct Elements;
        impl<'de> Visitor<'de> for Elements {
            type Value = FileList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of files")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<FileList, A::Error> {
                let mut files = Vec::new();
                while let Some(file) = elements.next_element()? {
                    if files.len() >= MOST_FILES {
                        return Err(Error::custom(format_args!("more than {MOST_FILES} files")));
                    }
                    files.push(file);
                }
                Ok(FileList(files))
            }
        }
        deserializer.deserialize_seq(Elements)
    }
}

impl ServerResponse {
    fn bytes(self) -> Result<Vec<u8>, AgentError> {
        let unusable = |why: String| AgentError::BadResponse { server: self.server.clone(), what: self.what.clone(), why };
        let mut bytes = Vec::new();
        self.body.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|e| unusable(e.to_string()))?;
        let is_whole = u64::try_from(bytes.len()).is_ok_and(|n| n <= LARGEST);
        if is_whole { Ok(bytes) } else { Err(unusable(too_large())) }
    }

    fn text(self) -> Result<String, AgentError> {
        let (server, what) = (self.server.clone(), self.what.clone());
        String::from_utf8(self.bytes()?).map_err(|_| AgentError::BadResponse { server, what, why: "it is not UTF-8".into() })
    }

    fn json<T: DeserializeOwned>(self) -> Result<T, AgentError> {
        let (server, what) = (self.server.clone(), self.what.clone());
        serde_json::from_slice(&self.bytes()?).map_err(|e| AgentError::BadResponse { server, what, why: json_error(&e) })
    }

    /// Returns the error for an unsuccessful HTTP status, with the server's message.
    fn refusal(self) -> AgentError {
        let (server, what, status) = (self.server.clone(), self.what.clone(), self.status);
        let is_json = self.headers.get("content-type").and_then(|t| t.to_str().ok()).is_some_and(|t| t.contains("json"));
        let body = String::from_utf8_lossy(&self.bytes().unwrap_or_default()).into_owned();
        let message = match serde_json::from_str::<Json>(&body) {
            Ok(json) if is_json => json.get("message").and_then(Json::as_str).unwrap_or(&body).to_owned(),
            // Proxies and servlets respond with HTML pages.
            _ if body.trim_start().starts_with('<') => String::new(),
            _ => body.trim().to_owned(),
        };
        let body: String = message.chars().take(MOST_SHOWN).collect();
        AgentError::Refused { server, what, status, body }
    }
}
