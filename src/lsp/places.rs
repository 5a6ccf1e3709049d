//! Conversion of the protocol's positions and file URIs.

use lsp_types::{Position, Range, Uri};
use rtype_lang::source::{Source, Span};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// UTF-16 code units, the default of the protocol.
    Utf16,
    /// Bytes.
    Utf8,
}

impl Encoding {
    /// Returns the byte offset of a position. A position after the end of a line or of the source is clamped.
    pub fn byte(self, source: &Source, at: Position) -> usize {
        let text = source.text();
        let starts = source.line_starts();
        let Some(start) = starts.get(at.line as usize).map(|s| *s as usize) else { return text.len() };
        let end = starts.get(at.line as usize + 1).map_or(text.len(), |e| *e as usize);
        let line = text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
        match self {
            Encoding::Utf16 => source.at_utf16(start..start + line.len(), at.character),
            Encoding::Utf8 => start + self.byte_in_line(line, at.character),
        }
    }

    /// Returns the byte offset of a column in a line without a line end. A column inside a character is moved to the end of the character.
    pub fn byte_in_line(self, line: &str, column: u32) -> usize {
        let width = |c: char| if self == Encoding::Utf16 { c.len_utf16() } else { c.len_utf8() };
        let mut left = column as usize;
        for (byte, c) in line.char_indices() {
            if left == 0 {
                return byte;
            }
            left = left.saturating_sub(width(c));
        }
        line.len()
    }

    /// Returns the position of a byte offset.
    pub fn position(self, source: &Source, byte: usize) -> Position {
        let at = source.span_of(source.range(source.span_of(byte..byte))).start;
        let byte = (at - source.base()) as usize;
        let starts = source.line_starts();
        let line = starts.partition_point(|s| *s as usize <= byte).saturating_sub(1);
        let start = starts.get(line).map_or(0, |s| *s as usize);
        let character = match self {
            Encoding::Utf16 => source.utf16_column(at),
            Encoding::Utf8 => (byte - start) as u32,
        };
        Position { line: line as u32, character }
    }

    /// Returns the range of a span.
    pub fn range(self, source: &Source, span: Span) -> Range {
        self.bytes(source, source.range(span))
    }

    /// Returns the range of a byte range.
    pub fn bytes(self, source: &Source, range: std::ops::Range<usize>) -> Range {
        Range { start: self.position(source, range.start), end: self.position(source, range.end) }
    }
}

/// Returns the path in a `file:` URI. Any other URI is returned as a path that names no file.
pub(super) fn path_of(uri: &Uri) -> PathBuf {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else { return PathBuf::from(text) };
    // Remote hosts cannot be opened; `localhost` is this machine.
    let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(rest);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let mut bytes = Vec::new();
    let mut left = path.bytes();
    while let Some(b) = left.next() {
        let hex = |d: Option<u8>| d.and_then(|d| (d as char).to_digit(16));
        let mut ahead = left.clone();
        match (b, hex(ahead.next()), hex(ahead.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                left = ahead;
            }
            _ => bytes.push(b),
        }
    }
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the URI of a path.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.to_str()?;
    if !text.starts_with('/') {
        return Uri::from_str(text).ok();
    }
    let mut uri = String::from("file://");
    for b in text.bytes() {
        if b.is_ascii_alphanumeric() || b"/-._~".contains(&b) {
            uri.push(b as char);
        } else {
            uri.push_str(&format!("%{b:02X}"));
        }
    }
    Uri::from_str(&uri).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_lang::source::SourceMap;

    #[test]
    fn columns_are_of_the_agreed_width() {
        let map = SourceMap::new();
        let source = map.add("x", "a😀b\r\né\n").unwrap();
        let at = |line, character| Position { line, character };
        for (encoding, b, e) in [(Encoding::Utf16, at(0, 3), at(1, 1)), (Encoding::Utf8, at(0, 5), at(1, 2))] {
            assert_eq!(encoding.byte(&source, b), 5);
            assert_eq!(encoding.position(&source, 5), b);
            assert_eq!(encoding.byte(&source, e), 10);
            assert_eq!(encoding.position(&source, 10), e);
            assert_eq!(encoding.byte(&source, at(0, 99)), 6);
            assert_eq!(encoding.byte(&source, at(9, 0)), source.text().len());
            assert_eq!(encoding.position(&source, 99), at(2, 0));
        }
        // A position between the two code units of a character is moved after the character.
        assert_eq!(Encoding::Utf16.byte(&source, at(0, 2)), 5);
    }

    #[test]
    fn uris_and_paths_are_turned_into_each_other() {
        for (path, uri) in [("/a b/é.rtype", "file:///a%20b/%C3%A9.rtype"), ("untitled:U-1", "untitled:U-1")] {
            assert_eq!(uri_of(Path::new(path)).unwrap().as_str(), uri);
            assert_eq!(path_of(&Uri::from_str(uri).unwrap()), PathBuf::from(path));
        }
        assert_eq!(
            path_of(
                &Uri::from_str("file://localhost/x%2")
                    .unwrap_or_else(|_| Uri::from_str("file:///x%2").unwrap_or_else(|_| Uri::from_str("file:///x%252").unwrap()))
            ),
            PathBuf::from("/x%2")
        );
    }
}
