//! Checksums in the kinds that Puppet names (`Puppet::Util::Checksums`).

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};
use std::fmt::Write;
use std::io::{self, Read};

/// A `lite` checksum covers this many bytes.
const LITE: u64 = 512;

/// Whether there is a checksum of this kind.
pub fn is_known(kind: &str) -> bool {
    hex(kind, b"").is_some()
}

/// The checksum in lower-case hexadecimal; `None` for an unknown kind.
pub fn hex(kind: &str, bytes: &[u8]) -> Option<String> {
    // Reading from memory cannot fail.
    of_reader(kind, bytes).ok().flatten()
}

/// The checksum of all that a reader gives, piece by piece; `None` for an unknown kind, for which nothing is read.
///
/// # Errors
/// When reading fails.
pub fn of_reader(kind: &str, reader: impl Read) -> io::Result<Option<String>> {
    let limit = if kind.ends_with("lite") { LITE } else { u64::MAX };
    let reader = reader.take(limit);
    Ok(Some(match kind {
        "md5" | "md5lite" => stream::<Md5>(reader)?,
        "sha1" | "sha1lite" => stream::<Sha1>(reader)?,
        "sha224" => stream::<Sha224>(reader)?,
        "sha256" | "sha256lite" => stream::<Sha256>(reader)?,
        "sha384" => stream::<Sha384>(reader)?,
        "sha512" => stream::<Sha512>(reader)?,
        _ => return Ok(None),
    }))
}

fn stream<D: Digest>(mut reader: impl Read) -> io::Result<String> {
    let mut digest = D::new();
    let mut buffer = [0; 8 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => digest.update(buffer.get(..n).unwrap_or_default()),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(digest.finalize().iter().fold(String::new(), |mut out, b| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{b:02x}");
        out
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

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
