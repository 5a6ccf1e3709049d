//! Verified roots and revocation lists. Values of these types are never empty: a file without certificates is an error, not a reason to
//! trust everyone.

use super::pem::sections;
use crate::settings::{Fingerprint, Revocation};
use rtype_lang::value::digest;
use rustls::RootCertStore;
use rustls::client::WebPkiServerVerifier;
use rustls::crypto::ring;
use rustls::sign::CertifiedKey;
use rustls_pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use std::sync::Arc;
use x509_parser::prelude::{FromDer, X509Certificate};

/// Whom to trust, and as whom to speak.
pub enum Trust {
    /// Accepts any server. Only for requests that a node without a CA certificate sends to get it.
    FirstContact,
    /// Accepts servers with a certificate of the CA.
    Verified {
        /// The roots and revocation lists.
        servers: Arc<WebPkiServerVerifier>,
        /// The certificate of this node, with its key.
        identity: Option<CertifiedKey>,
    },
}

/// The certificates of the CA: at least one, each usable as a root.
pub struct Authorities(Arc<RootCertStore>);

/// At least one list of revoked certificates.
pub struct RevocationLists(Vec<CertificateRevocationListDer<'static>>);

/// Which certificates must not have been revoked.
pub enum RevocationCheck {
    /// None is looked up: the settings turn it off, or the request is the one that gets the lists.
    Off,
    /// The server's certificate, and those of the authorities above it.
    Chain(RevocationLists),
    /// The server's certificate.
    Leaf(RevocationLists),
}

impl Authorities {
    /// Reads certificates in PEM. With a fingerprint, all of them must be covered by it.
    ///
    /// # Errors
    /// The reason why the text cannot be trusted.
    pub fn from_pem(text: &[u8], pinned: Option<&Fingerprint>) -> Result<Authorities, String> {
        let certificates: Vec<CertificateDer<'static>> = sections(text, "certificate")?;
        if let Some(pinned) = pinned {
            check_fingerprint(text, &certificates, pinned)?;
        }
        let mut roots = RootCertStore::empty();
        for certificate in certificates {
            roots.add(certificate).map_err(|e| e.to_string())?;
        }
        Ok(Authorities(Arc::new(roots)))
    }

    /// Returns what verifies the certificates of servers.
    ///
    /// # Errors
    /// If a list cannot be used.
    pub fn verifier(&self, revocation: RevocationCheck) -> Result<Arc<WebPkiServerVerifier>, String> {
        let builder = WebPkiServerVerifier::builder_with_provider(Arc::clone(&self.0), Arc::new(ring::default_provider()));
        let builder = match revocation {
            RevocationCheck::Off => builder,
            RevocationCheck::Chain(lists) => builder.with_crls(lists.0).enforce_revocation_expiration(),
            RevocationCheck::Leaf(lists) => builder.with_crls(lists.0).enforce_revocation_expiration().only_check_end_entity_revocation(),
        };
        builder.build().map_err(|e| e.to_string())
    }
}

impl RevocationLists {
    /// Reads lists in PEM.
    ///
    /// # Errors
    /// The reason why the text is not a list.
    pub fn from_pem(text: &[u8]) -> Result<RevocationLists, String> {
        sections(text, "revocation list").map(RevocationLists)
    }

    /// Returns the check that the settings ask for.
    pub fn check(self, revocation: Revocation) -> RevocationCheck {
        match revocation {
            Revocation::Off => RevocationCheck::Off,
            Revocation::Chain => RevocationCheck::Chain(self),
            Revocation::Leaf => RevocationCheck::Leaf(self),
        }
    }
}

/// Returns the certificate of a node with its key.
///
/// # Errors
/// If the key cannot be used, or belongs to another certificate.
pub fn identity(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<CertifiedKey, String> {
    CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(|e| match e {
        rustls::Error::InconsistentKeys(_) => "it does not fit the key of this node".to_owned(),
        other => other.to_string(),
    })
}

/// Checks that certificates are those of a fingerprint: of the text, as Puppet computes it, or of a certificate that has signed all others.
/// One certificate that is not covered would be a root of its own.
fn check_fingerprint(text: &[u8], certificates: &[CertificateDer<'static>], pinned: &Fingerprint) -> Result<(), String> {
    let digest_of = |bytes: &[u8]| digest::hex("sha256", bytes).unwrap_or_default();
    if pinned.is(&digest_of(text)) {
        return Ok(());
    }
    let parsed: Result<Vec<X509Certificate<'_>>, String> =
        certificates.iter().map(|der| X509Certificate::from_der(der).map(|(_, parsed)| parsed).map_err(|e| e.to_string())).collect();
    let parsed = parsed?;
    let mut covered: Vec<bool> = certificates.iter().map(|der| pinned.is(&digest_of(der))).collect();
    if !covered.contains(&true) {
        let found: Vec<String> = certificates.iter().map(|der| digest_of(der)).collect();
        return Err(format!("its digest is {}, not the one in `ca_fingerprint`", found.join(", ")));
    }
    loop {
        let signers: Vec<&X509Certificate<'_>> = parsed.iter().zip(&covered).filter(|(_, is)| **is).map(|(one, _)| one).collect();
        let is_signed = |one: &X509Certificate<'_>| {
            signers.iter().any(|by| one.issuer() == by.subject() && one.verify_signature(Some(by.public_key())).is_ok())
        };
        let next: Vec<bool> = parsed.iter().zip(&covered).map(|(one, is)| *is || is_signed(one)).collect();
        if next == covered {
            break;
        }
        covered = next;
    }
    match parsed.iter().zip(&covered).find(|(_, is)| !**is) {
        Some((one, _)) => Err(format!("`ca_fingerprint` does not cover the certificate of `{}`", one.subject())),
        None => Ok(()),
    }
}
