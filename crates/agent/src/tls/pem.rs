//! PEM files. A file without a section of the requested kind is an error.

use rustls_pki_types::pem::{Error, PemObject};

/// Parses all sections with a kind, such as `certificate`. The result is never empty.
///
/// # Errors
/// If a section is damaged, or the file has no section of this kind.
pub fn sections<T: PemObject>(text: &[u8], kind: &str) -> Result<Vec<T>, String> {
    let all: Vec<T> = T::pem_slice_iter(text).collect::<Result<_, _>>().map_err(|e| broken(&e))?;
    if all.is_empty() { Err(missing_section(text, kind)) } else { Ok(all) }
}

/// Parses the first section of a kind.
///
/// # Errors
/// As [`sections`].
pub fn section<T: PemObject>(text: &[u8], kind: &str) -> Result<T, String> {
    T::from_pem_slice(text).map_err(|e| match e {
        Error::NoItemsFound => missing_section(text, kind),
        other => broken(&other),
    })
}

fn broken(error: &Error) -> String {
    match error {
        Error::MissingSectionEnd { .. } => "it is truncated".to_owned(),
        Error::IllegalSectionStart { .. } => "it has an invalid `-----BEGIN` line".to_owned(),
        Error::Base64Decode(_) => "it has invalid base64".to_owned(),
        other => other.to_string(),
    }
}

/// Returns the error message for a file without a section of this kind.
fn missing_section(text: &[u8], kind: &str) -> String {
    if text.iter().all(u8::is_ascii_whitespace) {
        return "it is empty".to_owned();
    }
    let text = String::from_utf8_lossy(text);
    let label = text.lines().find_map(|line| line.trim().strip_prefix("-----BEGIN ")?.strip_suffix("-----"));
    match label {
        Some(label) => format!("expected a {kind}, found the section `{label}`"),
        None => format!("expected a {kind} in PEM"),
    }
}
