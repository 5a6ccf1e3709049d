//! Keys and certificate requests.
//!
//! The short names of extensions follow Puppet 7.23's `lib/puppet/ssl/oids.rb`.

use crate::error::AgentError;
use rcgen::{Attribute, CertificateParams, CustomExtension, DistinguishedName, DnType, KeyPair};
use rtype_lang::redact::Redactor;
use rtype_lang::value::Value;
use rtype_provider::System;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::collections::BTreeMap;
use std::time::Duration;

/// The time limit for creating a key.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// The object identifier for Puppet's extensions. The names below are the members 1, 2, ….
const PUPPET: &str = "1.3.6.1.4.1.34380.1";
const REGISTERED: [&str; 27] = [
    "pp_uuid",
    "pp_instance_id",
    "pp_image_name",
    "pp_preshared_key",
    "pp_cost_center",
    "pp_product",
    "pp_project",
    "pp_application",
    "pp_service",
    "pp_employee",
    "pp_created_by",
    "pp_environment",
    "pp_role",
    "pp_software_version",
    "pp_department",
    "pp_cluster",
    "pp_provisioner",
    "pp_region",
    "pp_datacenter",
    "pp_zone",
    "pp_network",
    "pp_securitypolicy",
    "pp_cloudplatform",
    "pp_apptier",
    "pp_hostname",
    "pp_owner",
    "pp_authorization",
];

/// The content of `csr_attributes.yaml`.
#[derive(Debug, Default)]
struct Attributes {
    custom_attributes: BTreeMap<String, String>,
    extension_requests: BTreeMap<String, String>,
}

impl Attributes {
    fn parse(text: &str) -> Result<Attributes, String> {
        // Puppet sends numbers and booleans as strings.
        let texts = |value: &Value| match value {
            Value::Map(map) => Ok(map.iter().map(|(oid, value)| (oid.to_text().into(), value.to_text().into())).collect()),
            Value::Nil => Ok(BTreeMap::new()),
            other => Err(format!("expected a map, found {}", other.kind_name())),
        };
        let mut found = Attributes::default();
        match rtype_lang::value::parse_yaml(text)? {
            Value::Nil => {}
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    match key.as_text() {
                        Some("custom_attributes") => found.custom_attributes = texts(value)?,
                        Some("extension_requests") => found.extension_requests = texts(value)?,
                        _ => return Err(format!("unknown key `{key}`: keys are `custom_attributes` and `extension_requests`")),
                    }
                }
            }
            other => return Err(format!("expected a map, found {}", other.kind_name())),
        }
        Ok(found)
    }
}

/// Creates an RSA key with this many bits, or a key on the curve P-256. Returns the private and the public key in PEM.
pub fn new_key(rsa_bits: Option<u32>) -> Result<(String, String), AgentError> {
    let key = match rsa_bits {
        Some(bits) => rsa_key(bits)?,
        None => KeyPair::generate().map_err(|e| AgentError::Certificate {
            what: "a new key".into(),
            why: e.to_string(),
            help: "the system may have no source of randomness".into(),
        })?,
    };
    Ok((key.serialize_pem(), key.public_key_pem()))
}

/// Creates an RSA key with OpenSSL's program, because the TLS library cannot create RSA keys.
fn rsa_key(bits: u32) -> Result<KeyPair, AgentError> {
    let failed = |why: String| AgentError::Certificate {
        what: "a new key of RSA".into(),
        why,
        help: "install `openssl`, or remove `key_type` for a key on the curve P-256".into(),
    };
    let system = System::host();
    let arguments = ["genpkey", "-algorithm", "RSA", "-pkeyopt", &format!("rsa_keygen_bits:{bits}")];
    let output = system.command("openssl").args(arguments).time_limit(Some(TIME_LIMIT)).run();
    let output = output.map_err(|e| failed(e.describe(&Redactor::new())))?;
    key_pair(output.stdout.for_parsing().as_bytes()).map_err(failed)
}

/// Returns a certificate request in PEM for a key in PEM, with the attributes from `csr_attributes.yaml`.
pub fn request(name: &str, key: &KeyPair, attributes: Option<&str>) -> Result<String, String> {
    let attributes: Attributes = match attributes {
        Some(text) => Attributes::parse(text).map_err(|e| format!("`csr_attributes` cannot be understood: {e}"))?,
        None => Attributes::default(),
    };
    let mut parameters = CertificateParams::default();
    parameters.distinguished_name = DistinguishedName::new();
    parameters.distinguished_name.push(DnType::CommonName, name);
    for (oid, value) in &attributes.extension_requests {
        parameters.custom_extensions.push(CustomExtension::from_oid_content(&oid_of(oid)?, utf8(value)));
    }
    let mut extra = Vec::new();
    for (oid, value) in &attributes.custom_attributes {
        // The library requires a static OID. A process makes a single request, so the leak is small.
        let oid: &'static [u64] = Box::leak(oid_of(oid)?.into_boxed_slice());
        extra.push(Attribute { oid, values: tagged(0x31, &utf8(value)) });
    }
    let request = parameters.serialize_request_with_attributes(key, extra).map_err(|e| e.to_string())?;
    request.pem().map_err(|e| e.to_string())
}

/// Reads a private key. Puppet writes RSA keys in the older format PKCS #1.
pub fn key_pair(pem: &[u8]) -> Result<KeyPair, String> {
    let key = PrivateKeyDer::from_pem_slice(pem).map_err(|e| e.to_string())?;
    let wrapped = match &key {
        PrivateKeyDer::Pkcs1(inner) => {
            // The algorithm `rsaEncryption`, without parameters.
            let algorithm = [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];
            in_pkcs8(&algorithm, inner.secret_pkcs1_der())
        }
        PrivateKeyDer::Sec1(inner) => {
            // The algorithm `id-ecPublicKey`, on the curve P-256.
            let algorithm = [
                0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01,
                0x07,
            ];
            in_pkcs8(&algorithm, inner.secret_sec1_der())
        }
        other => other.secret_der().to_vec(),
    };
    KeyPair::try_from(&PrivatePkcs8KeyDer::from(wrapped)).map_err(|e| e.to_string())
}

/// Returns a PKCS #8 `PrivateKeyInfo`: version, algorithm, key.
fn in_pkcs8(algorithm: &[u8], key: &[u8]) -> Vec<u8> {
    let mut content = vec![0x02, 0x01, 0x00];
    content.extend_from_slice(algorithm);
    content.extend(tagged(0x04, key));
    tagged(0x30, &content)
}

/// Returns a DER value: tag, length, content.
fn tagged(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len().to_be_bytes();
    let mut out = vec![tag];
    match u8::try_from(content.len()) {
        Ok(short) if short < 0x80 => out.push(short),
        _ => {
            let digits: Vec<u8> = length.into_iter().skip_while(|byte| *byte == 0).collect();
            out.push(0x80 | u8::try_from(digits.len()).unwrap_or_default());
            out.extend(digits);
        }
    }
    out.extend_from_slice(content);
    out
}

fn utf8(text: &str) -> Vec<u8> {
    tagged(0x0c, text.as_bytes())
}

fn oid_of(name: &str) -> Result<Vec<u64>, String> {
    let dotted = match name {
        "challengePassword" => "1.2.840.113549.1.9.7".to_owned(),
        "pp_auth_role" => format!("{PUPPET}.3.13"),
        "pp_cli_auth" => format!("{PUPPET}.3.39"),
        "pp_authorization" => format!("{PUPPET}.3.1"),
        "pp_auth_auto_renew" => format!("{PUPPET}.3.4"),
        _ => match REGISTERED.iter().position(|known| *known == name) {
            Some(at) => format!("{PUPPET}.1.{}", at + 1),
            None => name.to_owned(),
        },
    };
    let parts: Option<Vec<u64>> = dotted.split('.').map(|part| part.parse().ok()).collect();
    parts
        .filter(|parts| parts.len() > 2)
        .ok_or_else(|| format!("`{name}` in `csr_attributes` is neither a known name nor numbers with dots"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls_pki_types::CertificateSigningRequestDer;
    use x509_parser::prelude::{FromDer, X509CertificationRequest};

    /// Returns the request's common name, the key algorithm, and the attributes as a string.
    fn read(pem: &str) -> (String, String, String) {
        let der = CertificateSigningRequestDer::from_pem_slice(pem.as_bytes()).unwrap();
        let (_, request) = X509CertificationRequest::from_der(&der).unwrap();
        let info = &request.certification_request_info;
        let name = info.subject.iter_common_name().next().unwrap().as_str().unwrap().to_owned();
        let attributes: Vec<_> = info.iter_attributes().map(|a| (a.oid.to_id_string(), a.value.to_vec())).collect();
        (name, info.subject_pki.algorithm.algorithm.to_id_string(), format!("{attributes:?}"))
    }

    #[test]
    fn request_names_the_node_and_has_the_attributes() {
        let (key, _) = new_key(None).unwrap();
        let attributes =
            "custom_attributes:\n  challengePassword: sesame\nextension_requests:\n  pp_role: web\n  1.3.6.1.4.1.34380.1.2.1: x\n";
        let (name, algorithm, printed) = read(&request("web1.lab", &key_pair(key.as_bytes()).unwrap(), Some(attributes)).unwrap());
        assert_eq!((name.as_str(), algorithm.as_str()), ("web1.lab", "1.2.840.10045.2.1"));
        assert!(printed.contains("1.2.840.113549.1.9.7") && printed.contains("1.2.840.113549.1.9.14"), "{printed}");
        // The OID of `pp_role`, in DER.
        let role = format!("{:?}", tagged(0x06, &[0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0x8c, 0x4c, 0x01, 0x01, 0x0d]));
        assert!(printed.contains(role.trim_matches(['[', ']'])), "{printed}");
    }

    #[test]
    fn key_that_puppet_has_made_is_used() {
        let (name, algorithm, _) = read(&request("web1.lab", &key_pair(include_bytes!("rsa-for-tests.pem")).unwrap(), None).unwrap());
        assert_eq!((name.as_str(), algorithm.as_str()), ("web1.lab", "1.2.840.113549.1.1.1"));
    }

    #[test]
    fn wrong_attributes_are_errors() {
        let (key, _) = new_key(None).unwrap();
        let wrong = request("a", &key_pair(key.as_bytes()).unwrap(), Some("extension_requests: {pp_rule: web}")).unwrap_err();
        assert_eq!(wrong, "`pp_rule` in `csr_attributes` is neither a known name nor numbers with dots");
        assert!(request("a", &key_pair(key.as_bytes()).unwrap(), Some("- a")).unwrap_err().contains("cannot be understood"));
    }
}
