//! Checksums of bytes, in the kinds that Puppet names.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};
use std::fmt::Write;

/// A `lite` checksum covers this many bytes.
pub const LITE: usize = 512;

/// Whether there is a checksum of this kind.
pub fn is_known(kind: &str) -> bool {
    hex(kind, b"").is_some()
}

/// The checksum in lower-case hexadecimal; `None` for an unknown kind.
pub fn hex(kind: &str, bytes: &[u8]) -> Option<String> {
    let (algorithm, bytes) = match kind.strip_suffix("lite") {
        Some(algorithm) => (algorithm, bytes.get(..LITE).unwrap_or(bytes)),
        None => (kind, bytes),
    };
    Some(match algorithm {
        "md5" => text(&Md5::digest(bytes)),
        "sha1" => text(&Sha1::digest(bytes)),
        "sha224" => text(&Sha224::digest(bytes)),
        "sha256" => text(&Sha256::digest(bytes)),
        "sha384" => text(&Sha384::digest(bytes)),
        "sha512" => text(&Sha512::digest(bytes)),
        _ => return None,
    })
}

/// Bytes in lower-case hexadecimal.
pub fn text(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, b| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{b:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums_of_nothing() {
        assert_eq!(hex("md5", b"").as_deref(), Some("d41d8cd98f00b204e9800998ecf8427e"));
        assert_eq!(hex("sha1lite", b"").as_deref(), Some("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
        assert_eq!(hex("crc", b""), None);
    }
}
