//! The forms in which programs may print a secret. Forms that can be decoded are handled by [`super::view`].

use super::view::is_filler;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// The minimum length of a string to search for; shorter strings would redact half of each message.
pub(super) const SHORTEST: usize = 4;

/// The minimum length of a bare string, without delimiting quotes.
const SHORTEST_BARE: usize = 8;

/// The widths at which base64 is wrapped: PEM and MIME.
const WRAPPED: [usize; 2] = [64, 76];

/// The kind of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The secret itself, or a line in it.
    Plain,
    /// Base64: adjacent characters may contain some bits of the secret.
    Base64,
}

/// Returns the patterns to search for in an unchanged string.
pub(super) fn plain(secret: &str) -> Vec<(Vec<u8>, Kind)> {
    let mut found: Vec<(Vec<u8>, Kind)> = pieces(secret).into_iter().map(|piece| (piece.into(), Kind::Plain)).collect();
    let bytes = secret.as_bytes();
    found.extend(hex(bytes));
    found.extend(base64(bytes).into_iter().map(|text| (text, Kind::Base64)));
    if bytes.contains(&b'\'') {
        found.push((secret.replace('\'', r"'\''").into(), Kind::Plain));
    }
    found.retain(|(text, _)| text.len() >= SHORTEST);
    found
}

/// Returns the patterns to search for in a bare string.
pub(super) fn bare(secret: &str) -> Vec<(Vec<u8>, Kind)> {
    let strip = |text: &[u8]| -> Vec<u8> { text.iter().copied().filter(|b| !is_filler(*b)).collect() };
    let pieces = pieces(secret).into_iter().map(|piece| (strip(piece.as_bytes()), Kind::Plain));
    let encoded = base64(secret.as_bytes()).into_iter().map(|text| (text, Kind::Base64));
    pieces.chain(encoded).chain(hex(secret.as_bytes())).filter(|(text, _)| text.len() >= SHORTEST_BARE).collect()
}

/// Returns the bytes in hexadecimal, in lower and upper case.
fn hex(secret: &[u8]) -> [(Vec<u8>, Kind); 2] {
    [b"0123456789abcdef", b"0123456789ABCDEF"].map(|letters| {
        let digit = |n: u8| letters.get(usize::from(n)).copied();
        (secret.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).flatten().collect(), Kind::Plain)
    })
}

/// Returns the secret and its lines, because a program may print it line by line.
fn pieces(secret: &str) -> Vec<&str> {
    // The first and last line of a key in PEM format are not secret.
    let is_armour = |line: &&str| line.starts_with("-----") && line.ends_with("-----");
    let lines = secret.lines().map(str::trim).filter(|l| !is_armour(l));
    let mut found: Vec<&str> = std::iter::once(secret).chain([secret.trim()]).chain(lines).filter(|l| l.len() >= SHORTEST).collect();
    found.dedup();
    found
}

/// Returns the secret's base64 at any offset in a longer string, in both alphabets, and the part that fits on one line.
fn base64(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for (before, letters) in [(0, 0), (1, 2), (2, 3)] {
        let padded: Vec<u8> = std::iter::repeat_n(0, before).chain(secret.iter().copied()).collect();
        // The last character also contains bits of the following byte.
        let open = usize::from(!padded.len().is_multiple_of(3));
        for text in [STANDARD_NO_PAD.encode(&padded), URL_SAFE_NO_PAD.encode(&padded)] {
            let text = text.as_bytes();
            if let Some(part) = text.get(letters..text.len().saturating_sub(open)).filter(|part| part.len() >= SHORTEST) {
                found.push(part.to_vec());
            }
            for width in WRAPPED.into_iter().filter(|_| before == 0 && text.len() > 64) {
                found.extend(text.chunks(width).filter(|line| line.len() >= SHORTEST_BARE).map(<[u8]>::to_vec));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}
