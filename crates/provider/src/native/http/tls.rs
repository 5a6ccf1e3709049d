//! The certificates that the system trusts.

use rustls::crypto::ring;
use std::sync::{Arc, OnceLock};
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

type Roots = Result<Arc<Vec<Certificate<'static>>>, String>;

/// Returns the settings of TLS. The certificates are read once: a file that changes is noticed by the next run.
///
/// # Errors
/// If no certificate can be read, with the reason.
pub fn settings() -> Result<TlsConfig, String> {
    static ROOTS: OnceLock<Roots> = OnceLock::new();
    let roots = ROOTS.get_or_init(load).clone()?;
    Ok(TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::Specific(roots))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build())
}

fn load() -> Roots {
    let found = rustls_native_certs::load_native_certs();
    // Some of the files may not be readable.
    if found.certs.is_empty() {
        let why = found.errors.first().map(|e| format!(": {e}")).unwrap_or_default();
        return Err(format!("no certificates are trusted{why}; install `ca-certificates`, or let `SSL_CERT_FILE` name a file with some"));
    }
    Ok(Arc::new(found.certs.iter().map(|der| Certificate::from_der(der).to_owned()).collect()))
}
