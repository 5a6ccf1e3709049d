//! Checksums with the algorithms that Puppet supports (`Puppet::Util::Checksums`).

use md5::Md5;
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use std::io::{self, Read};

/// The number of bytes covered by a `lite` checksum.
const LITE: usize = 512;

/// Returns `true` if a checksum type with this name exists.
pub fn is_known(kind: &str) -> bool {
    digest(kind).is_some()
}

/// Returns the checksum in lower-case hexadecimal; `None` for an unknown type.
pub fn hex(kind: &str, bytes: &[u8]) -> Option<String> {
    let (mut digest, limit) = digest(kind)?;
    digest.update(bytes.get(..limit).unwrap_or(bytes));
    Some(hexadecimal(&digest.finalize()))
}

/// Returns the checksum of everything a reader returns, or `None` for an unknown type, in which case nothing is read.
///
/// # Errors
/// Returns the error of the reader.
pub fn of_reader(kind: &str, reader: impl Read) -> io::Result<Option<String>> {
    let Some((mut digest, limit)) = digest(kind) else { return Ok(None) };
    let mut reader = reader.take(limit as u64);
    let mut buffer = [0; 8 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(Some(hexadecimal(&digest.finalize()))),
            Ok(n) => digest.update(buffer.get(..n).unwrap_or_default()),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Returns a checksum type's hash function, and the number of covered bytes.
fn digest(kind: &str) -> Option<(Box<dyn DynDigest>, usize)> {
    let (kind, limit) = match kind.strip_suffix("lite") {
        Some("md5" | "sha1" | "sha256") => (kind.trim_end_matches("lite"), LITE),
        _ => (kind, usize::MAX),
    };
    let digest: Box<dyn DynDigest> = match kind {
        "md5" => Box::new(Md5::default()),
        "sha1" => Box::new(Sha1::default()),
        "sha224" => Box::new(Sha224::default()),
        "sha256" => Box::new(Sha256::default()),
        "sha384" => Box::new(Sha384::default()),
        "sha512" => Box::new(Sha512::default()),
        _ => return None,
    };
    Some((digest, limit))
}

/// Returns bytes in lower-case hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_two_digits() {
        assert_eq!(hexadecimal(&[0, 0x0a, 0xf0, 0xff]), "000af0ff");
    }

    #[test]
    fn known_checksums_of_nothing() {
        assert_eq!(hex("md5", b"").as_deref(), Some("d41d8cd98f00b204e9800998ecf8427e"));
        assert_eq!(hex("sha1lite", b"").as_deref(), Some("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
        assert_eq!(hex("sha224", b"").as_deref(), Some("d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"));
        assert_eq!(hex("sha384", b"").map(|s| s.len()), Some(96));
        assert_eq!(hex("sha512", b"").map(|s| s.len()), Some(128));
        assert_eq!((hex("crc", b""), hex("none", b""), hex("sha512lite", b"")), (None, None, None));
    }

    #[test]
    fn a_lite_checksum_looks_at_the_first_512_bytes() {
        let long = vec![b'a'; 100_000];
        for kind in ["md5lite", "sha1lite", "sha256lite"] {
            let full = kind.strip_suffix("lite").unwrap();
            assert_eq!(hex(kind, &long), hex(full, &long[..512]));
            assert_ne!(hex(full, &long), hex(full, &long[..512]));
        }
    }
}
