//! Checksums of files as Puppet writes them: `{sha256}…`.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};
use std::fmt::Write;
use std::io::Read;
use std::path::Path;

/// How much of a file the `lite` kinds look at, in bytes.
const LITE: u64 = 512;

/// Reads the file and gives its checksum without the kind in front: hexadecimal digits; nothing for a kind that is no
/// digest (`mtime`, `ctime`, `none`). Kinds and the meaning of `lite` are those of `Puppet::Util::Checksums`.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn digest(kind: &str, path: &Path) -> std::io::Result<Option<String>> {
    let limit = if kind.ends_with("lite") { LITE } else { u64::MAX };
    let sum = match kind {
        "md5" | "md5lite" => hex(&stream::<Md5>(path, limit)?),
        "sha1" | "sha1lite" => hex(&stream::<Sha1>(path, limit)?),
        "sha224" => hex(&stream::<Sha224>(path, limit)?),
        "sha256" | "sha256lite" => hex(&stream::<Sha256>(path, limit)?),
        "sha384" => hex(&stream::<Sha384>(path, limit)?),
        "sha512" => hex(&stream::<Sha512>(path, limit)?),
        _ => return Ok(None),
    };
    Ok(Some(sum))
}

fn stream<D: Digest>(path: &Path, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut file = std::fs::File::open(path)?.take(limit);
    let mut digest = D::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(digest.finalize().to_vec()),
            Ok(n) => digest.update(buffer.get(..n).unwrap_or_default()),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lite_checksum_looks_at_the_first_512_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let (long, short) = (dir.path().join("long"), dir.path().join("short"));
        std::fs::write(&long, vec![b'a'; 100_000]).unwrap();
        std::fs::write(&short, vec![b'a'; 512]).unwrap();
        for kind in ["md5lite", "sha1lite", "sha256lite"] {
            let full = kind.strip_suffix("lite").unwrap();
            assert_eq!(digest(kind, &long).unwrap(), digest(full, &short).unwrap());
            assert_ne!(digest(full, &long).unwrap(), digest(full, &short).unwrap());
        }
    }

    #[test]
    fn each_digest_is_the_known_one_of_an_empty_file() {
        let dir = tempfile::tempdir().unwrap();
        let empty = dir.path().join("empty");
        std::fs::write(&empty, "").unwrap();
        let of = |kind| digest(kind, &empty).unwrap().unwrap();
        assert_eq!(of("md5"), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(of("sha1"), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(of("sha224"), "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f");
        assert!(of("sha256").starts_with("e3b0c44298fc1c14"));
        assert_eq!((of("sha384").len(), of("sha512").len()), (96, 128));
        assert_eq!(digest("none", &empty).unwrap(), None);
    }
}
