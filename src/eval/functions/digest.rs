//! `md5`, `sha1`, `sha256` …

use crate::types::builtin::Function;
use md5::Digest;

/// The digest of some bytes in hex.
pub(super) fn hex(function: Function, bytes: &[u8]) -> String {
    fn of<D: Digest>(bytes: &[u8]) -> String {
        D::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
    }
    match function {
        Function::Sha1 => of::<sha1::Sha1>(bytes),
        Function::Sha256 => of::<sha2::Sha256>(bytes),
        Function::Sha384 => of::<sha2::Sha384>(bytes),
        Function::Sha512 => of::<sha2::Sha512>(bytes),
        _ => of::<md5::Md5>(bytes),
    }
}
