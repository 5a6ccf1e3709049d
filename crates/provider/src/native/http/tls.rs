//! The certificates that the system trusts.

use rustls::crypto::ring;
use std::sync::{Arc, OnceLock};
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

/// Returns the settings of TLS. The certificates are read once: a file that changes is noticed by the next run.
pub fn settings() -> TlsConfig {
    static ROOTS: OnceLock<Arc<Vec<Certificate<'static>>>> = OnceLock::new();
    // Some of the files may not be readable; without any certificate, each connection fails with its reason.
    let load = || rustls_native_certs::load_native_certs().certs.iter().map(|der| Certificate::from_der(der).to_owned()).collect();
    let roots = ROOTS.get_or_init(|| Arc::new(load()));
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::Specific(Arc::clone(roots)))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build()
}
