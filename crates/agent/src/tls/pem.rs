//! PEM files. A file without a section of the wanted kind is an error.

use rustls_pki_types::pem::{Error, PemObject};

/// Returns all sections of one kind, at least one.
///
/// # Errors
/// What the text holds instead.
pub fn sections<T: PemObject>(text: &[u8], kind: &str) -> Result<Vec<T>, String> {
    let all: Vec<T> = T::pem_slice_iter(text).collect::<Result<_, _>>().map_err(|e| broken(&e))?;
    if all.is_empty() { Err(instead(text, kind)) } else { Ok(all) }
}

/// Returns the first section of one kind.
///
/// # Errors
/// As [`sections`].
pub fn section<T: PemObject>(text: &[u8], kind: &str) -> Result<T, String> {
    T::from_pem_slice(text).map_err(|e| match e {
        Error::NoItemsFound => instead(text, kind),
        other => broken(&other),
    })
}

fn broken(error: &Error) -> String {
    match error {
        Error::MissingSectionEnd { .. } => "it is truncated".to_owned(),
        Error::IllegalSectionStart { .. } => "it has a broken `-----BEGIN` line".to_owned(),
        Error::Base64Decode(_) => "it has a section that is not base64".to_owned(),
        other => other.to_string(),
    }
}

/// Says what a text without the wanted kind of section is.
fn instead(text: &[u8], kind: &str) -> String {
    if text.iter().all(u8::is_ascii_whitespace) {
        return "it is empty".to_owned();
    }
    let text = String::from_utf8_lossy(text);
    let label = text.lines().find_map(|line| line.trim().strip_prefix("-----BEGIN ")?.strip_suffix("-----"));
    match label {
        Some(label) => format!("it holds a section `{label}`, but no {kind}"),
        None => format!("it is not PEM text with a {kind}"),
    }
}
