//! Decoded forms of a string, with the position of each byte in the original.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};

/// The maximum number of nested encodings, such as JSON inside JSON inside a log line.
const DEPTH: usize = 3;

/// The maximum number of decoded forms per string.
const MOST: usize = 16;

/// The minimum number of consecutive characters to decode as base64.
const SHORTEST_RUN: usize = 12;

/// The minimum length of a line in wrapped base64.
const SHORTEST_LINE: usize = 56;

/// Accepts trailing bits, because the characters after a secret may have been cut off.
const LENIENT: GeneralPurpose = GeneralPurpose::new(&STANDARD, NO_PAD.with_decode_allow_trailing_bits(true));

/// A decoded string.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The decoded bytes.
    pub bytes: Vec<u8>,
    /// For each byte the start and end of its encoded form in the original.
    places: Vec<(u32, u32)>,
    depth: usize,
}

/// A decoder: writes the decoded start of the input and returns the number of consumed bytes, or 0 if the start is not encoded.
type Decoder = fn(&[u8], &mut Vec<u8>) -> usize;

/// All decoders, each with the bytes that can begin the encoding; a string without these bytes is not decoded. Base64 may begin with
/// any letter.
const DECODERS: [(&[u8], Decoder); 7] =
    [(b"\x1b", control), (b"\\", escape), (b"%", percent), (b"+%", form), (b"&", entity), (b"'", quote), (b"", base64)];

impl View {
    /// Returns the unchanged string.
    pub fn plain(text: &str) -> View {
        let places = (0..u32::try_from(text.len()).unwrap_or(u32::MAX)).map(|at| (at, at + 1)).collect();
        View { bytes: text.as_bytes().to_vec(), places, depth: 0 }
    }

    /// Returns the string and its possible decodings: escapes in JSON, C and shells, percent encoding, XML entities, in any order.
    pub fn all(text: &str) -> Vec<View> {
        let mut views = vec![View::plain(text)];
        let mut at = 0;
        while at < views.len() {
            for (triggers, decoder) in DECODERS {
                let is_possible = |view: &&View| view.depth < DEPTH && views.len() < MOST && view.is_worth(triggers);
                let Some(view) = views.get(at).filter(is_possible) else { continue };
                let decoded = view.decoded(triggers, decoder);
                if !views.iter().any(|known| known.bytes == decoded.bytes) {
                    views.push(decoded);
                }
            }
            at += 1;
        }
        views
    }

    /// Returns the range in the original that corresponds to a range of bytes.
    pub fn original(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let first = self.places.get(from)?;
        let last = self.places.get(to.checked_sub(1)?)?;
        Some((first.0 as usize, last.1 as usize))
    }

    /// Returns `true` if a byte directly follows the previous byte in the original.
    pub fn is_joined(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.places.get(before));
        before.zip(self.places.get(at)).is_some_and(|(before, this)| before.1 == this.0)
    }

    /// Returns the string without whitespace, quotes and backslashes, as a shell, a wrapped line or a list would be read.
    pub fn bare(&self) -> View {
        let mut bare =
            View { bytes: Vec::with_capacity(self.bytes.len()), places: Vec::with_capacity(self.bytes.len()), depth: self.depth };
        for (byte, place) in self.bytes.iter().zip(&self.places).filter(|(byte, _)| !is_filler(**byte)) {
            bare.bytes.push(*byte);
            bare.places.push(*place);
        }
        bare
    }

    /// Returns `true` if the string may contain the encoding with these triggers.
    fn is_worth(&self, triggers: &[u8]) -> bool {
        match triggers.first() {
            Some(trigger) => self.bytes.contains(trigger),
            None => self.bytes.split(|byte| !is_letter(*byte)).any(|run| run.len() >= SHORTEST_RUN),
        }
    }

    fn decoded(&self, triggers: &[u8], decoder: Decoder) -> View {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut places = Vec::with_capacity(self.bytes.len());
        let mut at = 0;
        while let Some(rest) = self.bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let taken = match decoder(rest, &mut bytes) {
                0 => {
                    let next = rest.iter().skip(1).position(|byte| triggers.contains(byte));
                    let plain = next.map_or(rest.len(), |next| next + 1);
                    bytes.extend_from_slice(rest.get(..plain).unwrap_or_default());
                    places.extend_from_slice(self.places.get(at..at + plain).unwrap_or_default());
                    at += plain;
                    continue;
                }
                taken => taken.min(rest.len()),
            };
            let place = self.original(at, at + taken).unwrap_or_default();
            places.resize(bytes.len(), (place.0 as u32, place.1 as u32));
            at += taken;
        }
        View { bytes, places, depth: self.depth + 1 }
    }
}

/// Returns `true` if a byte is removed from a bare string.
pub(super) fn is_filler(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\')
}

fn hex(digits: Option<&[u8]>) -> Option<u32> {
    let digits = digits.filter(|d| !d.is_empty() && d.iter().all(u8::is_ascii_hexdigit))?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn push(c: Option<char>, out: &mut Vec<u8>) -> Option<()> {
    let mut room = [0; 4];
    out.extend_from_slice(c?.encode_utf8(&mut room).as_bytes());
    Some(())
}

/// Decodes escapes: `\n`, `\"`, `\u00e9`, `\ud83d\ude00`, `\u{e9}`, `\x27`, `\303`, and a backslash before any other character.
fn escape(text: &[u8], out: &mut Vec<u8>) -> usize {
    let [b'\\', kind, rest @ ..] = text else { return 0 };
    let simple = |byte: u8, out: &mut Vec<u8>| {
        out.push(byte);
        2
    };
    match kind {
        b'n' => simple(b'\n', out),
        b't' => simple(b'\t', out),
        b'r' => simple(b'\r', out),
        b'b' => simple(8, out),
        b'f' => simple(12, out),
        b'v' => simple(11, out),
        b'a' => simple(7, out),
        b'e' => simple(27, out),
        b'u' | b'U' => unicode(rest, *kind == b'U', out).map_or(0, |taken| taken + 2),
        b'x' if rest.first() == Some(&b'{') => braced(rest, out).map_or(0, |taken| taken + 2),
        b'x' => hex(rest.get(..2)).and_then(|code| u8::try_from(code).ok()).map_or(0, |byte| {
            out.push(byte);
            4
        }),
        b'0'..=b'7' => {
            let digits = std::iter::once(kind).chain(rest).take(3).take_while(|d| (b'0'..=b'7').contains(d));
            let (count, code) = digits.fold((0, 0_u32), |(count, code), d| (count + 1, code * 8 + u32::from(d - b'0')));
            out.push((code & 0xff) as u8);
            count + 1
        }
        other if other.is_ascii() => simple(*other, out),
        _ => 0,
    }
}

fn braced(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let end = text.iter().take(9).position(|b| *b == b'}')?;
    push(hex(text.get(1..end)).and_then(char::from_u32), out)?;
    Some(end + 1)
}

fn unicode(text: &[u8], is_long: bool, out: &mut Vec<u8>) -> Option<usize> {
    if text.first() == Some(&b'{') {
        return braced(text, out);
    }
    if is_long && let Some(c) = hex(text.get(..8)).and_then(char::from_u32) {
        push(Some(c), out)?;
        return Some(8);
    }
    let first = hex(text.get(..4))?;
    if let 0xd800..0xdc00 = first
        && let Some([b'\\', b'u', rest @ ..]) = text.get(4..)
        && let Some(second @ 0xdc00..0xe000) = hex(rest.get(..4))
    {
        push(char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)), out)?;
        return Some(10);
    }
    push(char::from_u32(first), out)?;
    Some(4)
}

/// Decodes percent encoding: `%C3%a9`.
fn percent(text: &[u8], out: &mut Vec<u8>) -> usize {
    let Some(byte) = text.strip_prefix(b"%").and_then(|rest| hex(rest.get(..2))).and_then(|code| u8::try_from(code).ok()) else {
        return 0;
    };
    out.push(byte);
    3
}

/// Decodes form data: percent encoding with `+` for a space.
fn form(text: &[u8], out: &mut Vec<u8>) -> usize {
    if text.first() == Some(&b'+') {
        out.push(b' ');
        return 1;
    }
    percent(text, out)
}

/// Decodes XML entities: `&quot;`, `&#39;`, `&#x27;`.
fn entity(text: &[u8], out: &mut Vec<u8>) -> usize {
    let Some(end) = text.iter().take(10).position(|b| *b == b';').filter(|_| text.first() == Some(&b'&')) else { return 0 };
    let c = match text.get(1..end).unwrap_or_default() {
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        [b'#', b'x' | b'X', digits @ ..] => hex(Some(digits)).and_then(char::from_u32),
        [b'#', digits @ ..] => std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()).and_then(char::from_u32),
        _ => None,
    };
    push(c, out).map_or(0, |()| end + 1)
}

/// Skips a terminal control sequence, such as a color: `ESC [ 1 ; 31 m`.
fn control(text: &[u8], _: &mut Vec<u8>) -> usize {
    let Some(rest) = text.strip_prefix(b"\x1b[") else { return 0 };
    let length = rest.iter().take(32).position(|b| b.is_ascii_alphabetic());
    length.map_or(0, |length| length + 3)
}

/// Decodes quotes inside a shell's quotes, `'\''` and `'"'"'`, and doubled quotes.
fn quote(text: &[u8], out: &mut Vec<u8>) -> usize {
    let forms: [(&[u8], u8); 3] = [(b"'\\''", b'\''), (b"'\"'\"'", b'\''), (b"''", b'\'')];
    let Some((form, byte)) = forms.into_iter().find(|(form, _)| text.starts_with(form)) else { return 0 };
    out.push(byte);
    form.len()
}

/// Returns `true` if a byte is a base64 character.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Decodes a run of base64, which may be wrapped. Other characters become a byte that no string contains.
fn base64(text: &[u8], out: &mut Vec<u8>) -> usize {
    let (mut length, mut line, mut breaks) = (0, 0, 0);
    while let Some(byte) = text.get(length).copied() {
        let goes_on = || text.get(length + 1).copied().is_some_and(is_letter);
        match byte {
            byte if is_letter(byte) => line += 1,
            b'\n' if line >= SHORTEST_LINE && goes_on() => (line, breaks) = (0, breaks + 1),
            _ => break,
        }
        length += 1;
    }
    out.push(0xff);
    // Most runs are words, which are too short.
    if length - breaks >= SHORTEST_RUN {
        let standard = |byte: &u8| match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => *other,
        };
        let run = text.get(..length).unwrap_or_default();
        let mut letters: Vec<u8> = run.iter().filter(|byte| **byte != b'\n').map(standard).collect();
        letters.truncate(letters.len() - usize::from(letters.len() % 4 == 1));
        out.extend(LENIENT.decode(letters).unwrap_or_default());
        out.push(0xff);
    }
    length.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        View::all(text).into_iter().map(|v| String::from_utf8_lossy(&v.bytes).into_owned()).collect()
    }

    #[test]
    fn encodings_are_undone() {
        for (text, expected) in [
            (r#"a\nb\"c\\d"#, "a\nb\"c\\d"),
            (r"\u00E9\u00e9\ud83d\ude00\u{e9}", "éé😀é"),
            (r"\\u00e9", "é"),
            (r"\303\251\xc3\xa9", "éé"),
            ("a%20%C3%a9%2525", "a é%"),
            ("a+b%21", "a b!"),
            ("&quot;&#39;&lt;&#xe9;", "\"'<é"),
            (r"'it'\''s'", "'it's'"),
            (r#"'it'"'"'s'"#, "'it's'"),
            ("a\x1b[1;31mb\x1b[m\x1b[Kc", "abc"),
            ("eyJwIjoiaXRcInMifQ==", "\u{fffd}{\"p\":\"it\"s\"}\u{fffd}\u{fffd}\u{fffd}"),
            ("Pj4-Pz8_Pj4-Pz8_Pj4-Pz8_", "\u{fffd}>>>???>>>???>>>???\u{fffd}"),
        ] {
            assert!(read(text).iter().any(|v| v == expected), "{text}: {:?}", read(text));
        }
    }

    #[test]
    fn places_are_those_of_the_original() {
        let views = View::all(r"x\u00e9y");
        let view = views.iter().find(|v| v.bytes == "xéy".as_bytes()).unwrap();
        assert_eq!(view.original(1, 3), Some((1, 7)));
        assert_eq!(view.bare().original(3, 4), Some((7, 8)));
    }
}
