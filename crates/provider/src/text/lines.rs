//! A file as a list of lines.

use crate::ProviderError;
use std::borrow::Cow;

/// The lines of a file as bytes, with line endings: LF, CRLF, or no ending on the last line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    lines: Vec<Vec<u8>>,
    /// The byte order mark that precedes the first line; empty if there is none, or if the format does not skip it.
    mark: &'static [u8],
    /// Whether only LF ends a line, so that a carriage return before it is part of the line.
    lf: bool,
}

impl Text {
    /// Splits bytes into lines.
    pub fn new(bytes: &[u8]) -> Text {
        Text { lines: bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect(), mark: b"", lf: false }
    }

    /// Splits bytes into lines after a byte order mark, for formats whose readers skip the mark.
    pub fn after_mark(bytes: &[u8]) -> Text {
        let mark: &[u8] = "\u{feff}".as_bytes();
        bytes.strip_prefix(mark).map_or_else(|| Text::new(bytes), |rest| Text { mark, ..Text::new(rest) })
    }

    /// Like `new`, for formats without CRLF, whose readers treat a carriage return as a character.
    pub fn with_lf(bytes: &[u8]) -> Text {
        Text { lf: true, ..Text::new(bytes) }
    }

    /// Returns the content of the file.
    pub fn bytes(&self) -> Vec<u8> {
        [self.mark, &self.lines.concat()].concat()
    }

    /// Returns the number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns a line, counted from 0, without its ending; invalid UTF-8 is replaced.
    pub fn line(&self, index: usize) -> Option<Cow<'_, str>> {
        self.raw(index).map(String::from_utf8_lossy)
    }

    /// Returns all lines without their endings; invalid UTF-8 is replaced.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = Cow<'_, str>> {
        self.lines.iter().map(|line| String::from_utf8_lossy(self.split(line).0))
    }

    /// Returns the bytes of a line without its ending.
    pub fn raw(&self, index: usize) -> Option<&[u8]> {
        self.lines.get(index).map(|line| self.split(line).0)
    }

    /// Checks that a line of the file `path` can be replaced.
    ///
    /// # Errors
    /// If it is not UTF-8: a file with text in two encodings can be read by no program.
    pub fn check_utf8(&self, path: &str, index: usize) -> Result<(), ProviderError> {
        match self.raw(index).map(std::str::from_utf8) {
            Some(Err(_)) => {
                let message = format!("line {} of {path} is not UTF-8 and is not changed", index + 1);
                Err(ProviderError::new(message).help("convert the file to UTF-8"))
            }
            _ => Ok(()),
        }
    }

    /// Replaces the text of a line and keeps its ending.
    pub fn replace(&mut self, index: usize, text: impl AsRef<[u8]>) {
        let end = self.lines.get(index).map(|line| self.split(line).1.to_vec());
        if let (Some(line), Some(end)) = (self.lines.get_mut(index), end) {
            *line = [text.as_ref(), &end].concat();
        }
    }

    /// Inserts a line at `index`, or at the end if `index` is too large. The new line ending is copied from a neighbouring line; an ending
    /// is added to an unterminated last line.
    pub fn insert(&mut self, index: usize, text: impl AsRef<[u8]>) {
        let index = index.min(self.lines.len());
        let end = self.end_at(index);
        if let Some(before) = index.checked_sub(1).and_then(|i| self.lines.get_mut(i))
            && !before.ends_with(b"\n")
        {
            before.extend_from_slice(end);
        }
        self.lines.insert(index, [text.as_ref(), end].concat());
    }

    /// Appends a line.
    pub fn push(&mut self, text: impl AsRef<[u8]>) {
        self.insert(self.lines.len(), text);
    }

    /// Removes a line.
    pub fn remove(&mut self, index: usize) {
        if index < self.lines.len() {
            self.lines.remove(index);
        }
    }

    /// Returns the line ending used near this line.
    fn end_at(&self, index: usize) -> &'static [u8] {
        let before = self.lines.get(..index).unwrap_or_default().iter().rev();
        let after = self.lines.get(index..).unwrap_or_default().iter();
        match before.chain(after).map(|l| self.split(l).1).find(|end| !end.is_empty()) {
            Some(b"\r\n") => b"\r\n",
            _ => b"\n",
        }
    }

    /// Splits a line into its bytes and its ending.
    fn split<'l>(&self, line: &'l [u8]) -> (&'l [u8], &'l [u8]) {
        let text = line.strip_suffix(b"\n").map_or(line, |l| l.strip_suffix(b"\r").filter(|_| !self.lf).unwrap_or(l));
        line.split_at(text.len())
    }
}

/// Returns whether a character is white space in Ruby's `\s` and in C's `isspace`: only ASCII, with the vertical tab.
pub fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c')
}

/// Returns the text if it is a single line, because a newline in a value would start another line.
///
/// # Errors
/// If it has several lines.
pub fn one_line(text: &str) -> Result<&str, ProviderError> {
    if text.contains(['\n', '\r', '\0']) {
        return Err(ProviderError::new("a line of a file cannot hold a newline, a carriage return or a zero byte"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn after(before: &str, change: impl FnOnce(&mut Text)) -> String {
        let mut text = Text::new(before.as_bytes());
        change(&mut text);
        String::from_utf8(text.bytes()).unwrap()
    }

    #[test]
    fn a_replaced_line_ends_as_it_did() {
        assert_eq!(after("a\nb\r\nc", |t| t.replace(0, "x")), "x\nb\r\nc");
        assert_eq!(after("a\nb\r\nc", |t| t.replace(1, "x")), "a\nx\r\nc");
        assert_eq!(after("a\nb\r\nc", |t| t.replace(2, "x")), "a\nb\r\nx");
    }

    #[test]
    fn a_new_line_ends_as_its_neighbour_does() {
        assert_eq!(after("a\r\nb\r\n", |t| t.push("x")), "a\r\nb\r\nx\r\n");
        assert_eq!(after("a\r\nb\n", |t| t.insert(0, "x")), "x\r\na\r\nb\n");
        assert_eq!(after("", |t| t.push("x")), "x\n");
    }

    #[test]
    fn a_last_line_without_end_gets_one_when_another_follows() {
        assert_eq!(after("a\r\nb", |t| t.push("x")), "a\r\nb\r\nx\r\n");
        assert_eq!(after("a", |t| t.push("x")), "a\nx\n");
    }

    #[test]
    fn a_lone_carriage_return_is_part_of_its_line() {
        assert_eq!(Text::new(b"a\rb\n").lines().collect::<Vec<_>>(), ["a\rb"]);
    }

    #[test]
    fn byte_order_mark_stays_before_the_first_line() {
        let mut text = Text::after_mark("\u{feff}a\n".as_bytes());
        assert_eq!(text.lines().collect::<Vec<_>>(), ["a"]);
        text.insert(0, "x");
        text.remove(1);
        assert_eq!(text.bytes(), "\u{feff}x\n".as_bytes());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_come_out_as_they_went_in(bytes: Vec<u8>) {
            prop_assert_eq!(&Text::new(&bytes).bytes(), &bytes);
            prop_assert_eq!(Text::after_mark(&bytes).bytes(), bytes);
        }
    }
}
