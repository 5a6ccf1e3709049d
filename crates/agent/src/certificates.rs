//! A node's certificates: key, request, certificate, CA certificates and revocation lists.
//!
//! Follows Puppet 7.23's `lib/puppet/ssl/state_machine.rb` and `ssldir` layout, and Puppet 8's renewal.

mod request;

use crate::client::Client;
use crate::error::AgentError;
use crate::settings::{Revocation, Settings};
use crate::store::OwnFiles;
use crate::tls::{Authorities, RevocationCheck, RevocationLists, Trust, identity, section, sections};
use rtype_lang::value::digest;
use rtype_provider::interrupt::is_stopping;
use rtype_system::process;
use rustls::sign::CertifiedKey;
use rustls_pki_types::{CertificateDer, CertificateSigningRequestDer, PrivateKeyDer};
use std::path::{Path, PathBuf};
use std::time::Duration;
use ureq::http::Method;
use x509_parser::prelude::{FromDer, X509Certificate};

/// The time between two checks for a stop request while the agent waits.
const SLICE: Duration = Duration::from_millis(200);

/// The file with the CA certificates, relative to `ssldir`.
const CA: &str = "certs/ca.pem";
/// The file with the revocation lists, relative to `ssldir`.
const LISTS: &str = "crl.pem";
const CA_NAME: &str = "the certificate of the CA";
const LISTS_NAME: &str = "the list of revoked certificates";
const OWN_NAME: &str = "the certificate of this node";
const KEY_NAME: &str = "the key of this node";

/// The widest permissions for a private key, as in Puppet.
const KEY_MODE: u32 = 0o640;

/// Events while certificates are prepared.
pub enum CertificateEvent<'a> {
    /// The certificate is not signed yet. The agent asks again after this time.
    Waiting(Duration),
    /// Other users could read the private key at this path. Its permissions were restricted.
    KeyModeReset(&'a Path),
    /// The server did not renew the certificate. The current certificate is still valid.
    NotRenewed(&'a AgentError),
}

/// Receives each [`CertificateEvent`].
pub type CertificateEvents<'a> = &'a mut dyn FnMut(CertificateEvent<'_>);

/// The certificates of this node.
#[derive(Debug)]
pub struct Certificates<'a> {
    settings: &'a Settings,
    store: OwnFiles,
}

impl<'a> Certificates<'a> {
    /// Uses the `ssldir` in the settings.
    pub fn new(settings: &'a Settings) -> Certificates<'a> {
        Certificates { settings, store: OwnFiles::new(&settings.ssldir) }
    }

    fn named(&self, directory: &str) -> PathBuf {
        PathBuf::from(directory).join(format!("{}.pem", self.settings.certname))
    }

    /// Requests missing and outdated certificates, and returns a client that authenticates as this node.
    ///
    /// # Errors
    /// If a request fails, the server does not sign, or a stored key or certificate is not usable.
    pub fn ready(&self, events: CertificateEvents<'_>) -> Result<Client, AgentError> {
        self.prepare(events).map_err(as_certificate_error)
    }

    fn prepare(&self, events: CertificateEvents<'_>) -> Result<Client, AgentError> {
        self.update_authorities()?;
        self.update_lists()?;
        let pem = self.key(events)?;
        self.own(&pem, events)?;
        let client = self.node_client()?;
        self.renew(&client, events)?;
        Ok(client)
    }

    /// Checks that the server runs. Before the first contact with the CA, any server is trusted.
    pub(crate) fn status(&self) -> Result<(), AgentError> {
        let client = match self.authorities().map_err(as_certificate_error)? {
            Some(authorities) => self.ca_client(&authorities).map_err(as_certificate_error)?,
            None => self.first_contact()?,
        };
        client.status()
    }

    /// Returns the digest of this node's certificate, or of its certificate request, as `puppet agent --fingerprint` does.
    ///
    /// # Errors
    /// If neither file exists, or the file cannot be read.
    pub fn fingerprint(&self) -> Result<String, AgentError> {
        let request = self.named("certificate_requests");
        let der = match (self.chain()?, self.read(&request)?) {
            (Some(chain), _) => chain.first().map(|der| der.to_vec()).unwrap_or_default(),
            (None, Some(text)) => {
                let der: CertificateSigningRequestDer<'_> =
                    section(&text, "certificate request").map_err(|why| self.unusable("the certificate request", &request, &why))?;
                der.to_vec()
            }
            (None, None) => {
                return Err(AgentError::NotNow {
                    why: format!("`{}` has neither a certificate nor a certificate request", self.settings.certname),
                    help: "run `rtype agent --test` to ask for a certificate".into(),
                });
            }
        };
        let hex = digest::hex("sha256", &der).unwrap_or_default().to_uppercase();
        let pairs: Vec<&str> = (0..hex.len()).step_by(2).filter_map(|at| hex.get(at..at + 2)).collect();
        Ok(format!("(SHA256) {}", pairs.join(":")))
    }

    /// Returns a client for a node without CA certificates. The client accepts any server.
    fn first_contact(&self) -> Result<Client, AgentError> {
        Client::new(self.settings, Trust::FirstContact)
    }

    /// Returns a client that trusts the CA and sends no certificate. Without a stored revocation list, the client does not check
    /// revocation, because it fetches the list.
    fn ca_client(&self, authorities: &Authorities) -> Result<Client, AgentError> {
        let lists = self.lists()?;
        let revocation = lists.map_or(RevocationCheck::Off, |lists| lists.check(self.settings.revocation));
        self.client(authorities, revocation, None)
    }

    /// Returns a client that trusts the CA and authenticates as this node.
    ///
    /// # Errors
    /// If a required certificate, key or revocation list is missing.
    fn node_client(&self) -> Result<Client, AgentError> {
        let authorities = self.authorities()?.ok_or_else(|| self.missing(CA_NAME, CA.as_ref()))?;
        let revocation = match self.settings.revocation {
            Revocation::Off => RevocationCheck::Off,
            wanted => self.lists()?.ok_or_else(|| self.missing(LISTS_NAME, LISTS.as_ref()))?.check(wanted),
        };
        let (certificate, key) = (self.named("certs"), self.named("private_keys"));
        let chain = self.chain()?.ok_or_else(|| self.missing(OWN_NAME, &certificate))?;
        let text = self.read(&key)?.ok_or_else(|| self.missing(KEY_NAME, &key))?;
        let parsed: PrivateKeyDer<'static> = section(&text, "private key").map_err(|why| self.unusable(KEY_NAME, &key, &why))?;
        let own = identity(chain, parsed).map_err(|why| {
            let key = format!("{why}, {}", self.store.path(&key).display());
            self.unusable(OWN_NAME, &certificate, &key)
        })?;
        self.client(&authorities, revocation, Some(own))
    }

    fn client(&self, authorities: &Authorities, revocation: RevocationCheck, own: Option<CertifiedKey>) -> Result<Client, AgentError> {
        let servers = authorities.verifier(revocation).map_err(|why| self.unusable(LISTS_NAME, LISTS.as_ref(), &why))?;
        Client::new(self.settings, Trust::Verified { servers, identity: own })
    }

    /// Returns the stored CA certificates; `None` only if the file does not exist, because the CA has not been contacted yet.
    fn authorities(&self) -> Result<Option<Authorities>, AgentError> {
        let Some(text) = self.read(CA.as_ref())? else { return Ok(None) };
        let pinned = self.settings.ca_fingerprint.as_ref();
        Authorities::from_pem(&text, pinned).map(Some).map_err(|why| self.unusable(CA_NAME, CA.as_ref(), &why))
    }

    /// Returns the stored revocation lists; `None` only if the file does not exist or the settings turn revocation off.
    fn lists(&self) -> Result<Option<RevocationLists>, AgentError> {
        if self.settings.revocation == Revocation::Off {
            return Ok(None);
        }
        let Some(text) = self.read(LISTS.as_ref())? else { return Ok(None) };
        RevocationLists::from_pem(&text).map(Some).map_err(|why| self.unusable(LISTS_NAME, LISTS.as_ref(), &why))
    }

    /// Returns the stored certificate of this node, followed by its issuers.
    fn chain(&self) -> Result<Option<Vec<CertificateDer<'static>>>, AgentError> {
        let file = self.named("certs");
        let Some(text) = self.read(&file)? else { return Ok(None) };
        sections(&text, "certificate").map(Some).map_err(|why| self.unusable(OWN_NAME, &file, &why))
    }

    /// Reads a certificate, key or list; `None` if the file does not exist.
    ///
    /// # Errors
    /// If the file cannot be read, or another user controls it.
    fn read(&self, file: &Path) -> Result<Option<Vec<u8>>, AgentError> {
        self.store.check_control(file)?;
        self.store.read(file)
    }

    fn unusable(&self, what: &str, path: &Path, why: &str) -> AgentError {
        AgentError::Certificate {
            what: format!("{what}, {}", self.store.path(path).display()),
            why: why.to_owned(),
            help: "restore the file, or remove it to request it again".into(),
        }
    }

    fn missing(&self, what: &str, path: &Path) -> AgentError {
        AgentError::Certificate {
            what: format!("{what}, {}", self.store.path(path).display()),
            why: "it does not exist".into(),
            help: "run the agent again: it requests the file from the server".into(),
        }
    }

    /// Fetches the CA certificates. The first contact trusts any server, unless `ca_fingerprint` is set.
    fn update_authorities(&self) -> Result<(), AgentError> {
        let file = CA.as_ref();
        let fetch = |client: &Client, since| client.ca("certificate/ca", CA_NAME, since);
        let pinned = self.settings.ca_fingerprint.as_ref();
        let Some(stored) = self.authorities()? else {
            let text =
                fetch(&self.first_contact()?, None)?.ok_or_else(|| self.not_served(CA_NAME, "ask the administrator of the CA server"))?;
            Authorities::from_pem(text.as_bytes(), pinned).map_err(|why| AgentError::Certificate {
                what: format!("{CA_NAME} that {} sent", self.ca_server()),
                why,
                help: "ask the administrator of the CA for its digest; another server may have answered".into(),
            })?;
            return self.store.write(file, text.as_bytes(), 0o644);
        };
        let is_old = |age| self.settings.ca_refresh.is_some_and(|limit| age >= limit);
        if !self.store.age(file)?.is_some_and(is_old) {
            return Ok(());
        }
        match fetch(&self.ca_client(&stored)?, self.store.changed(file)?)? {
            Some(text) => {
                Authorities::from_pem(text.as_bytes(), pinned).map_err(|why| self.bad_response(CA_NAME, why))?;
                self.store.write(file, text.as_bytes(), 0o644)
            }
            None => self.store.touch(file),
        }
    }

    /// Fetches the revocation lists.
    fn update_lists(&self) -> Result<(), AgentError> {
        let file = LISTS.as_ref();
        let age = self.store.age(file)?;
        let is_fresh = age.is_some_and(|age| self.settings.crl_refresh.is_none_or(|limit| age < limit));
        if self.settings.revocation == Revocation::Off || is_fresh {
            return Ok(());
        }
        let authorities = self.authorities()?.ok_or_else(|| self.missing(CA_NAME, CA.as_ref()))?;
        let client = self.ca_client(&authorities)?;
        match client.ca("certificate_revocation_list/ca", LISTS_NAME, self.store.changed(file)?) {
            Ok(Some(text)) => {
                let lists = RevocationLists::from_pem(text.as_bytes()).map(|lists| lists.check(self.settings.revocation));
                lists.and_then(|lists| authorities.verifier(lists)).map_err(|why| self.bad_response(LISTS_NAME, why))?;
                self.store.write(file, text.as_bytes(), 0o644)
            }
            Ok(None) if age.is_some() => self.store.touch(file),
            Ok(None) => Err(self.not_served(LISTS_NAME, "set `certificate_revocation = false` if the CA has none")),
            // The stored list is still used.
            Err(AgentError::Unreachable { .. }) if age.is_some() => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn ca_server(&self) -> String {
        let (host, port) = &self.settings.ca_server;
        format!("{host}:{port}")
    }

    fn bad_response(&self, what: &str, why: String) -> AgentError {
        AgentError::BadResponse { server: self.ca_server(), what: what.to_owned(), why }
    }

    fn not_served(&self, what: &str, help: &str) -> AgentError {
        AgentError::Certificate { what: what.to_owned(), why: format!("not found on {}", self.ca_server()), help: help.to_owned() }
    }

    /// Returns this node's key in PEM, creating the key if necessary. If other users can read the key, its permissions are restricted to
    /// [`KEY_MODE`].
    fn key(&self, events: CertificateEvents<'_>) -> Result<Vec<u8>, AgentError> {
        let file = self.named("private_keys");
        if let Some(pem) = self.read(&file)? {
            let _: PrivateKeyDer<'_> = section(&pem, "private key").map_err(|why| self.unusable(KEY_NAME, &file, &why))?;
            if self.store.restrict(&file, KEY_MODE)? {
                events(CertificateEvent::KeyModeReset(&self.store.path(&file)));
            }
            return Ok(pem);
        }
        let (private, public) = request::new_key(self.settings.rsa_bits)?;
        self.store.write(&file, private.as_bytes(), 0o600)?;
        self.store.write(&self.named("public_keys"), public.as_bytes(), 0o644)?;
        Ok(private.into_bytes())
    }

    /// Checks this node's certificate, and returns its expiry time; `None` if the certificate does not exist.
    fn stored(&self) -> Result<Option<i64>, AgentError> {
        let file = self.named("certs");
        let Some(chain) = self.chain()? else { return Ok(None) };
        let first = chain.first().cloned().unwrap_or_else(|| CertificateDer::from(Vec::new()));
        let (_, parsed) = X509Certificate::from_der(&first).map_err(|e| self.unusable(OWN_NAME, &file, &e.to_string()))?;
        let name = parsed.subject().iter_common_name().next().and_then(|name| name.as_str().ok()).unwrap_or_default();
        if name != self.settings.certname {
            return Err(self.unusable(OWN_NAME, &file, &format!("it was issued to `{name}`")));
        }
        let (begins, expires) = (parsed.validity().not_before.timestamp(), parsed.validity().not_after.timestamp());
        let now = now();
        if now > expires || now < begins {
            let at = |seconds: i64| jiff::Timestamp::from_second(seconds).unwrap_or_default();
            let why = format!("it is valid from {} to {}, and the clock says {}", at(begins), at(expires), at(now));
            let help = "set the clock if it is wrong; else clean the certificate on the server, and remove the file to ask for a new one";
            let what = format!("the certificate of this node, {}", self.store.path(&file).display());
            return Err(AgentError::Certificate { what, why, help: help.into() });
        }
        Ok(Some(expires))
    }

    /// Waits until the CA has signed this node's certificate.
    fn own(&self, key: &[u8], events: CertificateEvents<'_>) -> Result<(), AgentError> {
        if self.stored()?.is_some() {
            return Ok(());
        }
        let name = &self.settings.certname;
        let client = self.ca_client(&self.authorities()?.ok_or_else(|| self.missing(CA_NAME, CA.as_ref()))?)?;
        let fetch = || client.ca(&format!("certificate/{name}"), OWN_NAME, None);
        let mut found = fetch()?;
        if found.is_none() {
            let attributes = self.attributes()?;
            let key = request::key_pair(key).map_err(|why| self.unusable("the private key", &self.named("private_keys"), &why))?;
            let text = request::request(name, &key, attributes.as_deref()).map_err(|why| AgentError::Certificate {
                what: "the certificate request".into(),
                why,
                help: format!("correct {}", self.settings.csr_attributes.display()),
            })?;
            self.store.write(&self.named("certificate_requests"), text.as_bytes(), 0o644)?;
            let sent = client.to_ca(Method::PUT, &format!("certificate_request/{name}"), "the certificate request", text.into_bytes());
            match sent {
                // Status 400: the CA already has a request or a certificate for this node.
                Ok(_) | Err(AgentError::Refused { status: 400, .. }) => {}
                Err(error) => return Err(error),
            }
            found = fetch()?;
        }
        let begun = process::now();
        while found.is_none() {
            let Some(interval) = self.settings.waitforcert else { return Err(self.unsigned()) };
            if self.settings.maxwaitforcert.is_some_and(|limit| begun.elapsed() >= limit) {
                return Err(self.unsigned());
            }
            events(CertificateEvent::Waiting(interval));
            sleep(interval)?;
            found = fetch()?;
        }
        let file = self.named("certs");
        self.store.write(&file, found.unwrap_or_default().as_bytes(), 0o644)?;
        self.store.remove(&self.named("certificate_requests"))?;
        // A certificate for another key is not usable, and later runs would not request a new one.
        if let Err(error) = self.node_client() {
            self.store.remove(&file)?;
            let AgentError::Certificate { why, .. } = error else { return Err(error) };
            return Err(AgentError::Certificate {
                what: format!("the certificate that the server has for `{name}`"),
                why,
                help: format!("run `puppetserver ca clean --certname {name}` on the server, and run again"),
            });
        }
        Ok(())
    }

    fn attributes(&self) -> Result<Option<String>, AgentError> {
        let path = &self.settings.csr_attributes;
        let (store, file) = (OwnFiles::new(path.parent().unwrap_or(path)), path.file_name().unwrap_or_default().as_ref());
        store.check_control(file)?;
        let bytes = store.read(file)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn unsigned(&self) -> AgentError {
        let name = &self.settings.certname;
        AgentError::NotNow {
            why: format!("the server has not signed the certificate of `{name}` yet"),
            help: format!("run `puppetserver ca sign --certname {name}` on the server, and run again; `--waitforcert 30` waits for it"),
        }
    }

    /// Requests a new certificate if the current one expires soon. A server without renewal is asked once per run.
    fn renew(&self, client: &Client, events: CertificateEvents<'_>) -> Result<(), AgentError> {
        let (Some(before), Some(expires)) = (self.settings.renewal, self.stored()?) else { return Ok(()) };
        if expires.saturating_sub(now()) > i64::try_from(before.as_secs()).unwrap_or(i64::MAX) {
            return Ok(());
        }
        match client.to_ca(Method::POST, "certificate_renewal", "the renewed certificate", Vec::new()) {
            Ok(text) => {
                let file = self.named("certs");
                let old = self.store.read(&file)?.unwrap_or_default();
                self.store.write(&file, text.as_bytes(), 0o644)?;
                // With a certificate for another key, the node could never connect again.
                if let Err(error) = self.node_client().and_then(|_| self.stored()) {
                    self.store.write(&file, &old, 0o644)?;
                    events(CertificateEvent::NotRenewed(&error));
                }
                Ok(())
            }
            // Older servers, including Puppet Server 7, do not support renewal.
            Err(AgentError::Refused { status: 404, .. }) => Ok(()),
            // The current certificate is still valid.
            Err(error @ (AgentError::Refused { .. } | AgentError::Unreachable { .. })) => {
                events(CertificateEvent::NotRenewed(&error));
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

/// Converts a file error to a certificate error.
fn as_certificate_error(error: AgentError) -> AgentError {
    match error {
        AgentError::File { path, why, help } => AgentError::Certificate {
            what: format!("cannot use `{path}`"),
            why,
            help: help.unwrap_or("restore the file, or remove it to request it again").to_owned(),
        },
        other => other,
    }
}

fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// Waits for a time, or until the run must stop.
///
/// # Errors
/// If the run must stop.
pub(crate) fn sleep(time: Duration) -> Result<(), AgentError> {
    let end = process::now() + time;
    loop {
        if is_stopping() {
            return Err(AgentError::Stopped);
        }
        let left = end.saturating_duration_since(process::now());
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(SLICE));
    }
}
