//! The baseline for `rtype apply --noop` with files in sync: examines, reads and hashes each file, and does nothing
//! else.
//!
//! `bare FILE` reads a list of paths, one per line, and prints their number and one byte of all checksums.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "a measure that fails should fail loudly")]

use sha2::{Digest, Sha256};
use std::os::unix::fs::MetadataExt;

fn main() {
    let list = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let (mut count, mut all) = (0usize, 0u8);
    for path in list.lines() {
        let metadata = std::fs::symlink_metadata(path).unwrap();
        let sum = Sha256::digest(std::fs::read(path).unwrap());
        all ^= sum[0] ^ metadata.mode() as u8 ^ metadata.uid() as u8;
        count += 1;
    }
    println!("{count} {all}");
}
