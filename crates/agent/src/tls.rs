//! TLS connections that trust only a Puppet CA, with the CA's revocation lists and this node's certificate.

mod pem;
mod trust;

pub use pem::{section, sections};
pub use trust::{Authorities, RevocationCheck, RevocationLists, Trust, identity};

use crate::error::AgentError;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::sign::SingleCertAndKey;
use rustls::{AlertDescription, CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme, StreamOwned};
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use std::io::{self, Read, Write};
use std::sync::Arc;
use ureq::Error;
use ureq::unversioned::transport::{
    Buffers, ConnectProxyConnector, ConnectionDetails, Connector, Either, LazyBuffers, NextTimeout, TcpConnector, Transport,
    TransportAdapter,
};

/// Returns an HTTP client's connector.
///
/// # Errors
/// If the TLS library does not support the protocol versions.
pub fn connector(trust: Trust) -> Result<impl Connector, AgentError> {
    let config = Arc::new(config(trust).map_err(|e| AgentError::Certificate {
        what: "the TLS library".to_owned(),
        why: e.to_string(),
        help: "report this error".to_owned(),
    })?);
    Ok(().chain(TcpConnector::default()).chain(ConnectProxyConnector::default()).chain(TlsConnector { config }))
}

fn config(trust: Trust) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions()?.dangerous();
    Ok(match trust {
        Trust::FirstContact => builder.with_custom_certificate_verifier(Arc::new(AnyServer(provider))).with_no_client_auth(),
        Trust::Verified { servers, identity } => {
            let builder = builder.with_custom_certificate_verifier(servers);
            match identity {
                Some(identity) => builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(identity))),
                None => builder.with_no_client_auth(),
            }
        }
    })
}

/// Wraps TCP connections in TLS.
#[derive(Debug)]
struct TlsConnector {
    config: Arc<ClientConfig>,
}

impl<In: Transport> Connector<In> for TlsConnector {
    type Out = Either<In, TlsTransport>;

    fn connect(&self, details: &ConnectionDetails, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        let Some(transport) = chained else { return Ok(None) };
        if !details.needs_tls() || transport.is_tls() {
            return Ok(Some(Either::A(transport)));
        }
        let host = details.uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let name = ServerName::try_from(host.to_owned()).map_err(|_| Error::Tls("the name of the server is not valid"))?;
        let mut connection = ClientConnection::new(Arc::clone(&self.config), name).map_err(Error::Rustls)?;
        let mut socket = TransportAdapter::new(transport.boxed(), Arc::clone(&details.current_time));
        socket.set_timeout(details.timeout);
        connection.complete_io(&mut socket)?;
        let buffers = LazyBuffers::new(details.config.input_buffer_size(), details.config.output_buffer_size());
        Ok(Some(Either::B(TlsTransport { buffers, stream: StreamOwned::new(connection, socket) })))
    }
}

/// A TLS connection.
struct TlsTransport {
    buffers: LazyBuffers,
    stream: StreamOwned<ClientConnection, TransportAdapter>,
}

impl std::fmt::Debug for TlsTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TlsTransport").finish_non_exhaustive()
    }
}

impl Transport for TlsTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.stream.get_mut().set_timeout(timeout);
        let output = self.buffers.output().get(..amount).unwrap_or_default();
        Ok(self.stream.write_all(output)?)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.stream.get_mut().set_timeout(timeout);
        let amount = self.stream.read(self.buffers.input_append_buf())?;
        self.buffers.input_appended(amount);
        Ok(amount > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.get_mut().get_mut().is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

/// Accepts any server, to fetch the CA certificate. The fetched certificate verifies all later connections.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Returns the reason and a way out if a request failed in TLS.
pub fn explained(error: &Error) -> Option<(String, String)> {
    let inside = |e: &io::Error| e.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).cloned();
    let found = match error {
        Error::Rustls(found) => found.clone(),
        Error::Io(e) => inside(e)?,
        _ => return None,
    };
    let clock = || format!("compare the clocks: here it is {}", jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_default());
    let (why, help) = match &found {
        rustls::Error::InvalidCertificate(why) => match why {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                ("its certificate has expired", format!("renew it on the server, or {}", clock()))
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => ("its certificate is not valid yet", clock()),
            CertificateError::Revoked => {
                ("its certificate has been revoked", "the CA no longer trusts this server; ask who runs it".to_owned())
            }
            CertificateError::ExpiredRevocationList | CertificateError::ExpiredRevocationListContext { .. } => (
                "the list of revoked certificates has expired",
                format!("remove `crl.pem` in the directory of certificates, or {}", clock()),
            ),
            CertificateError::UnknownRevocationStatus => (
                "the lists of revoked certificates do not cover its authority",
                "remove `crl.pem` in the directory of certificates, or set `certificate_revocation`".to_owned(),
            ),
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => (
                "its certificate is for other names",
                "use a name that is in the certificate, or add this one to it with `dns_alt_names` on the server".to_owned(),
            ),
            CertificateError::UnknownIssuer | CertificateError::BadSignature => (
                "another CA has signed its certificate than the one this node trusts",
                "if the server has a new CA, remove `certs/ca.pem`, `crl.pem` and the certificate of this node".to_owned(),
            ),
            _ => return Some((format!("its certificate cannot be trusted: {found}"), "look at the certificate of the server".to_owned())),
        },
        rustls::Error::AlertReceived(alert) => match alert {
            AlertDescription::CertificateRevoked => (
                "the server rejected the certificate of this node as revoked",
                "remove this node's certificate and key to ask for a new one".to_owned(),
            ),
            AlertDescription::CertificateExpired => {
                ("the server rejected the certificate of this node as expired", format!("remove it to ask for a new one, or {}", clock()))
            }
            AlertDescription::UnknownCA | AlertDescription::BadCertificate | AlertDescription::CertificateUnknown => (
                "it does not accept the certificate of this node",
                "the certificate may be revoked, or signed by another CA; remove the certificate and the key to request a new certificate"
                    .to_owned(),
            ),
            other => {
                return Some((
                    format!("it ended the handshake: {}", other.as_str().unwrap_or("unknown alert")),
                    "look at the log of the server".to_owned(),
                ));
            }
        },
        _ => return Some((found.to_string(), "look whether the port is the server's".to_owned())),
    };
    Some((why.to_owned(), help))
}
