//! Verified roots and revocation lists. The lists are never empty: a file without certificates is an error, because an empty list would
//! trust every server.

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

/// The trusted servers and a client's certificate.
pub enum Trust {
    /// Accepts any server. Used only to fetch the CA certificate for the first time.
    FirstContact,
    /// Accepts servers with a certificate signed by the CA.
    Verified {
        /// The roots and revocation lists.
        servers: Arc<WebPkiServerVerifier>,
        /// This node's certificate and key.
        identity: Option<CertifiedKey>,
    },
}

/// The CA certificates. The list is not empty, and each certificate is usable as a root.
pub struct Authorities(Arc<RootCertStore>);

/// Lists of revoked certificates; not empty.
pub struct RevocationLists(Vec<CertificateRevocationListDer<'static>>);

/// The certificates to check for revocation.
pub enum RevocationCheck {
    /// No certificates: the settings turn revocation off, or the lists are being fetched.
    Off,
    /// The server's certificate and all issuers.
    Chain(RevocationLists),
    /// The server's certificate.
    Leaf(RevocationLists),
}

impl Authorities {
    /// Parses certificates in PEM. If a fingerprint is set, it must cover every certificate.
    ///
    /// # Errors
    /// If the file has no usable certificates, or the fingerprint does not cover them.
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

    /// Returns a verifier for server certificates.
    ///
    /// # Errors
    /// If a revocation list is not usable.
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
    /// Parses revocation lists in PEM.
    ///
    /// # Errors
    /// If the file has no revocation list.
    pub fn from_pem(text: &[u8]) -> Result<RevocationLists, String> {
        sections(text, "revocation list").map(RevocationLists)
    }

    /// Returns the check requested by the setting `certificate_revocation`.
    pub fn check(self, revocation: Revocation) -> RevocationCheck {
        match revocation {
            Revocation::Off => RevocationCheck::Off,
            Revocation::Chain => RevocationCheck::Chain(self),
            Revocation::Leaf => RevocationCheck::Leaf(self),
        }
    }
}

/// Combines a certificate chain and the key.
///
/// # Errors
/// If the key is not usable, or belongs to another certificate.
pub fn identity(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<CertifiedKey, String> {
    CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(|e| match e {
        rustls::Error::InconsistentKeys(_) => "it does not match the key of this node".to_owned(),
        other => other.to_string(),
    })
}

/// Checks that a fingerprint covers all certificates. The fingerprint is the whole file's digest, as in Puppet, or the digest of a
/// certificate that has signed the others, directly or indirectly. Any other certificate would become a trusted root.
fn check_fingerprint(text: &[u8], certificates: &[CertificateDer<'static>], pinned: &Fingerprint) -> Result<(), String> {
    let digest_of = |bytes: &[u8]| digest::hex("sha256", bytes).unwrap_or_default();
    if pinned.matches(&digest_of(text)) {
        return Ok(());
    }
    let parsed: Result<Vec<X509Certificate<'_>>, String> =
        certificates.iter().map(|der| X509Certificate::from_der(der).map(|(_, parsed)| parsed).map_err(|e| e.to_string())).collect();
    let parsed = parsed?;
    let mut covered: Vec<bool> = certificates.iter().map(|der| pinned.matches(&digest_of(der))).collect();
    if !covered.contains(&true) {
        let found: Vec<String> = certificates.iter().map(|der| digest_of(der)).collect();
        return Err(format!("its digest {} does not match `ca_fingerprint`", found.join(", ")));
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
