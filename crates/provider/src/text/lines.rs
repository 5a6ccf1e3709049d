//! A file as its lines.

use crate::ProviderError;
use std::borrow::Cow;

/// The lines of a file, as bytes, each with the end that it has: LF, CRLF, or none for a last one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    lines: Vec<Vec<u8>>,
    /// Whether a carriage return before a newline belongs to the line.
    lf: bool,
}

impl Text {
    /// The lines of these bytes.
    pub fn new(bytes: &[u8]) -> Text {
        Text { lines: bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect(), lf: false }
    }

    /// The same for files that know no CRLF: whoever reads them takes a carriage return for a letter.
    pub fn with_lf(bytes: &[u8]) -> Text {
        Text { lf: true, ..Text::new(bytes) }
    }

    /// The file again.
    pub fn bytes(&self) -> Vec<u8> {
        self.lines.concat()
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line without its end, from 0; bytes that are no UTF-8 are replaced.
    pub fn line(&self, index: usize) -> Option<Cow<'_, str>> {
        self.raw(index).map(String::from_utf8_lossy)
    }

    /// All lines without their ends; bytes that are no UTF-8 are replaced.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = Cow<'_, str>> {
        self.lines.iter().map(|line| String::from_utf8_lossy(self.split(line).0))
    }

    /// The bytes of a line without its end.
    pub fn raw(&self, index: usize) -> Option<&[u8]> {
        self.lines.get(index).map(|line| self.split(line).0)
    }

    /// Puts another text into a line; its end stays.
    pub fn replace(&mut self, index: usize, text: impl AsRef<[u8]>) {
        let end = self.lines.get(index).map(|line| self.split(line).1.to_vec());
        if let (Some(line), Some(end)) = (self.lines.get_mut(index), end) {
            *line = [text.as_ref(), &end].concat();
        }
    }

    /// Puts a new line before the one at `index`, behind the last one when there are no more. It ends as its neighbour does; a
    /// last line that had no end gets one.
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

    /// Puts a new line behind the last one.
    pub fn push(&mut self, text: impl AsRef<[u8]>) {
        self.insert(self.lines.len(), text);
    }

    /// Takes a line out.
    pub fn remove(&mut self, index: usize) {
        if index < self.lines.len() {
            self.lines.remove(index);
        }
    }

    /// How lines near this place end.
    fn end_at(&self, index: usize) -> &'static [u8] {
        let before = self.lines.get(..index).unwrap_or_default().iter().rev();
        let after = self.lines.get(index..).unwrap_or_default().iter();
        match before.chain(after).map(|l| self.split(l).1).find(|end| !end.is_empty()) {
            Some(b"\r\n") => b"\r\n",
            _ => b"\n",
        }
    }

    /// A line's bytes and its end.
    fn split<'l>(&self, line: &'l [u8]) -> (&'l [u8], &'l [u8]) {
        let text = line.strip_suffix(b"\n").map_or(line, |l| l.strip_suffix(b"\r").filter(|_| !self.lf).unwrap_or(l));
        line.split_at(text.len())
    }
}

/// The text, if it fits into one line: a value with a newline in it would be a line of its own.
///
/// # Errors
/// When it does not.
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

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_come_out_as_they_went_in(bytes: Vec<u8>) {
            prop_assert_eq!(Text::new(&bytes).bytes(), bytes);
        }
    }
}
