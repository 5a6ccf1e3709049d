//! The certificates of a node: key, request, certificate, the CA's, and what it has revoked.
//!
//! Follows Puppet 7.23's `lib/puppet/ssl/state_machine.rb` and the layout of its `ssldir`, and Puppet 8's renewal.

mod request;

use crate::client::Client;
use crate::error::AgentError;
use crate::settings::{Revocation, Settings};
use crate::store::OwnFiles;
use crate::tls::Trust;
use rtype_lang::value::digest;
use rtype_provider::interrupt::is_stopping;
use rtype_system::process;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use std::path::PathBuf;
use std::time::Duration;
use ureq::http::Method;
use x509_parser::prelude::{FromDer, X509Certificate};

/// How often is looked whether to stop while waiting.
const SLICE: Duration = Duration::from_millis(200);

/// Reports that the agent waits for its certificate to be signed, with the time until it asks again.
pub type Waiting<'a> = &'a mut dyn FnMut(Duration);

/// The certificates of this node.
#[derive(Debug)]
pub struct Certificates<'a> {
    settings: &'a Settings,
    store: OwnFiles,
}

/// A certificate of this node, with what is read from it.
struct Own {
    chain: Vec<CertificateDer<'static>>,
    expires: i64,
}

impl<'a> Certificates<'a> {
    /// Uses the directory of the settings.
    pub fn new(settings: &'a Settings) -> Certificates<'a> {
        Certificates { settings, store: OwnFiles::new(&settings.ssldir) }
    }

    fn named(&self, directory: &str) -> PathBuf {
        PathBuf::from(directory).join(format!("{}.pem", self.settings.certname))
    }

    /// Gets what is missing or old, and returns a client that speaks as this node.
    ///
    /// # Errors
    /// If a request fails, the server does not sign, or a stored key or certificate is not usable.
    pub fn ready(&self, waiting: Waiting<'_>) -> Result<Client, AgentError> {
        self.authority()?;
        self.revoked()?;
        let pem = self.key()?;
        self.own(&pem, waiting)?;
        let client = self.client(true)?;
        self.renew(&client)?;
        Ok(client)
    }

    /// Asks whether the server runs. Until the certificate of the CA is there, any server is believed.
    pub(crate) fn status(&self) -> Result<(), AgentError> {
        let client = match self.store.age("certs/ca.pem".as_ref())? {
            Some(_) => self.client(false)?,
            None => Client::new(self.settings, Trust::anyone())?,
        };
        client.status()
    }

    /// Returns a client that trusts the CA, as this node if `as_node` is set.
    fn client(&self, as_node: bool) -> Result<Client, AgentError> {
        let authorities = self.pem("certs/ca.pem", "the certificate of the CA")?;
        let revoked = self.pem::<CertificateRevocationListDer<'static>>("crl.pem", "the list of revoked certificates")?;
        let identity = match as_node {
            true => {
                let chain = self.pem(&self.named("certs").to_string_lossy(), "the certificate of this node")?;
                let key = self.store.read(&self.named("private_keys"))?.unwrap_or_default();
                Some((
                    chain,
                    PrivateKeyDer::from_pem_slice(&key)
                        .map_err(|e| self.unusable("the key of this node", &self.named("private_keys"), &e))?,
                ))
            }
            false => None,
        };
        Client::new(self.settings, Trust { authorities, revoked, revocation: self.settings.revocation, identity })
    }

    fn pem<T: PemObject>(&self, path: &str, what: &str) -> Result<Vec<T>, AgentError> {
        let text = self.store.read(path.as_ref())?.unwrap_or_default();
        T::pem_slice_iter(&text).collect::<Result<Vec<T>, _>>().map_err(|e| self.unusable(what, path.as_ref(), &e))
    }

    fn unusable(&self, what: &str, path: &std::path::Path, why: &dyn std::fmt::Display) -> AgentError {
        AgentError::Certificate {
            what: format!("{what}, {}", self.store.path(path).display()),
            why: why.to_string(),
            help: "remove the file, and the agent asks for it again".into(),
        }
    }

    /// Gets the certificates of the CA. The first time, any server is trusted, unless the settings have a digest.
    fn authority(&self) -> Result<(), AgentError> {
        let file = "certs/ca.pem".as_ref();
        let fetch = |client: &Client, since| client.ca("certificate/ca", "the certificate of the CA", since);
        let Some(age) = self.store.age(file)? else {
            let text = fetch(&Client::new(self.settings, Trust::anyone())?, None)?.unwrap_or_default();
            let all = certificates(&text).map_err(|why| self.unusable("the certificate of the CA", file, &why))?;
            self.check_fingerprint(&all)?;
            return self.store.write(file, text.as_bytes(), 0o644);
        };
        if self.settings.ca_refresh.is_none_or(|limit| age < limit) {
            return Ok(());
        }
        if let Some(text) = fetch(&self.client(false)?, self.store.changed(file)?)?
            && certificates(&text).is_ok()
        {
            return self.store.write(file, text.as_bytes(), 0o644);
        }
        self.store.touch(file)
    }

    fn check_fingerprint(&self, authorities: &[CertificateDer<'static>]) -> Result<(), AgentError> {
        let Some(wanted) = &self.settings.ca_fingerprint else { return Ok(()) };
        let found: Vec<String> = authorities.iter().filter_map(|der| digest::hex("sha256", der)).collect();
        if found.contains(wanted) {
            return Ok(());
        }
        Err(AgentError::Certificate {
            what: "the certificate of the CA".into(),
            why: format!("its digest is {}, not the one in `ca_fingerprint`", found.join(", ")),
            help: "another server may have answered; ask who runs the CA for its digest".into(),
        })
    }

    /// Gets the list of revoked certificates.
    fn revoked(&self) -> Result<(), AgentError> {
        let file = "crl.pem".as_ref();
        let age = self.store.age(file)?;
        let is_fresh = age.is_some_and(|age| self.settings.crl_refresh.is_none_or(|limit| age < limit));
        if self.settings.revocation == Revocation::Off || is_fresh {
            return Ok(());
        }
        let path = "certificate_revocation_list/ca";
        let text = self.client(false)?.ca(path, "the list of revoked certificates", self.store.changed(file)?);
        match text {
            Ok(Some(text)) => {
                let all: Result<Vec<_>, _> = CertificateRevocationListDer::pem_slice_iter(text.as_bytes()).collect();
                all.map_err(|e| self.unusable("the list of revoked certificates", file, &e))?;
                self.store.write(file, text.as_bytes(), 0o644)
            }
            Ok(None) if age.is_some() => self.store.touch(file),
            Ok(None) => Ok(()),
            // The old list is still good.
            Err(AgentError::Unreachable { .. }) if age.is_some() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Returns the key of this node in PEM; makes one if there is none.
    fn key(&self) -> Result<Vec<u8>, AgentError> {
        let file = self.named("private_keys");
        if let Some(pem) = self.store.read(&file)? {
            return Ok(pem);
        }
        let (private, public) = request::new_key(self.settings.rsa_bits)?;
        self.store.write(&file, private.as_bytes(), 0o600)?;
        self.store.write(&self.named("public_keys"), public.as_bytes(), 0o644)?;
        Ok(private.into_bytes())
    }

    /// Reads the certificate of this node; `None` if there is none.
    fn stored(&self) -> Result<Option<Own>, AgentError> {
        let file = self.named("certs");
        let Some(text) = self.store.read(&file)? else { return Ok(None) };
        let chain =
            certificates(&String::from_utf8_lossy(&text)).map_err(|why| self.unusable("the certificate of this node", &file, &why))?;
        let first = chain.first().cloned().unwrap_or_else(|| CertificateDer::from(Vec::new()));
        let (_, parsed) = X509Certificate::from_der(&first).map_err(|e| self.unusable("the certificate of this node", &file, &e))?;
        let name = parsed.subject().iter_common_name().next().and_then(|name| name.as_str().ok()).unwrap_or_default();
        if name != self.settings.certname {
            return Err(self.unusable("the certificate of this node", &file, &format!("it is that of `{name}`")));
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
        Ok(Some(Own { chain, expires }))
    }

    /// Waits until there is a certificate of this node.
    fn own(&self, key: &[u8], waiting: Waiting<'_>) -> Result<(), AgentError> {
        if let Some(own) = self.stored()? {
            debug_assert!(!own.chain.is_empty());
            return Ok(());
        }
        let name = &self.settings.certname;
        let client = self.client(false)?;
        let fetch = || client.ca(&format!("certificate/{name}"), "the certificate of this node", None);
        let mut found = fetch()?;
        if found.is_none() {
            let attributes = self.attributes()?;
            let text = request::request(name, key, attributes.as_deref())
                .map_err(|why| self.unusable("the certificate request", &self.named("private_keys"), &why))?;
            self.store.write(&self.named("certificate_requests"), text.as_bytes(), 0o644)?;
            let sent = client.to_ca(Method::PUT, &format!("certificate_request/{name}"), "the certificate request", text.into_bytes());
            match sent {
                // It has one already.
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
            waiting(interval);
            sleep(interval)?;
            found = fetch()?;
        }
        let file = self.named("certs");
        self.store.write(&file, found.unwrap_or_default().as_bytes(), 0o644)?;
        self.store.remove(&self.named("certificate_requests"))?;
        // One that was signed for another key is of no use, and would be found again in each run.
        if let Err(error) = self.client(true) {
            self.store.remove(&file)?;
            let AgentError::Certificate { why, .. } = error else { return Err(error) };
            return Err(AgentError::Certificate {
                what: format!("the certificate that the server has for `{name}`"),
                why: format!("it does not fit the key of this node ({why})"),
                help: format!("run `puppetserver ca clean --certname {name}` on the server, and run again"),
            });
        }
        Ok(())
    }

    fn attributes(&self) -> Result<Option<String>, AgentError> {
        let path = &self.settings.csr_attributes;
        let bytes = OwnFiles::new(path.parent().unwrap_or(path)).read(path.file_name().unwrap_or_default().as_ref())?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn unsigned(&self) -> AgentError {
        let name = &self.settings.certname;
        AgentError::NotNow {
            why: format!("the server has not signed the certificate of `{name}` yet"),
            help: format!("run `puppetserver ca sign --certname {name}` on the server, and run again"),
        }
    }

    /// Asks for a new certificate if the end of this one is near. A server that knows no renewal is not asked again in this run.
    fn renew(&self, client: &Client) -> Result<(), AgentError> {
        let (Some(before), Some(own)) = (self.settings.renewal, self.stored()?) else { return Ok(()) };
        if own.expires.saturating_sub(now()) > i64::try_from(before.as_secs()).unwrap_or(i64::MAX) {
            return Ok(());
        }
        match client.to_ca(Method::POST, "certificate_renewal", "the renewed certificate", Vec::new()) {
            Ok(text) => {
                let file = self.named("certs");
                let old = self.store.read(&file)?.unwrap_or_default();
                self.store.write(&file, text.as_bytes(), 0o644)?;
                // One that does not fit the key would keep the node from ever connecting again.
                if self.client(true).is_err() || self.stored().is_err() {
                    self.store.write(&file, &old, 0o644)?;
                }
                Ok(())
            }
            // The old one is good for a while.
            Err(AgentError::Refused { .. } | AgentError::Unreachable { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

fn certificates(text: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(text.as_bytes()).collect();
    match all {
        Ok(all) if all.is_empty() => Err("it is not a certificate".to_owned()),
        Ok(all) => Ok(all),
        Err(error) => Err(error.to_string()),
    }
}

/// Waits, unless the run is to stop.
///
/// # Errors
/// If it is.
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
