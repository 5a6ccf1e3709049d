//! The documents that are open in the editor.

use super::places::{Encoding, path_of};
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use rtype_lang::source::{Source, SourceMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// Types.
    Types,
    /// Resources in Puppet's syntax.
    Puppet,
    /// Resources in JSON or YAML.
    Data,
    /// Not supported by this server.
    Other,
}

impl Language {
    /// Determines the language from the file name, else from the editor's language ID.
    pub fn of(path: &Path, id: &str) -> Language {
        match path.extension().and_then(|e| e.to_str()).unwrap_or(id) {
            "rtype" => Language::Types,
            "pp" | "puppet" => Language::Puppet,
            "json" | "yaml" | "yml" => Language::Data,
            _ => match id {
                "rtype" => Language::Types,
                "puppet" => Language::Puppet,
                _ => Language::Other,
            },
        }
    }
}

/// An open document.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub uri: Uri,
    /// The path of the document's file, which may not exist yet.
    pub path: PathBuf,
    pub version: i32,
    pub language: Language,
    pub text: Arc<str>,
}

impl Document {
    pub fn new(uri: Uri, language: &str, version: i32, text: String) -> Document {
        let path = path_of(&uri);
        Document { language: Language::of(&path, language), uri, path, version, text: text.into() }
    }

    /// Applies changes in order. Positions outside of the document are clamped.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        self.version = version;
        let mut lines = Lines::new(&self.text);
        for change in changes {
            match change.range {
                Some(range) => lines.replace(range, &change.text, encoding),
                None => lines = Lines::new(&change.text),
            }
        }
        self.text = lines.0.concat().into();
    }
}

/// The lines of a document, with their line ends: an edit only copies the affected lines. If the document ends with a line end, the last
/// line is empty.
struct Lines(Vec<String>);

impl Lines {
    fn new(text: &str) -> Lines {
        Lines(text.split_inclusive('\n').chain(ends_with_empty_line(text).then_some("")).map(str::to_owned).collect())
    }

    fn replace(&mut self, range: Range, text: &str, encoding: Encoding) {
        let (start, end) = (self.place(range.start, encoding), self.place(range.end, encoding));
        let ((first, from), (last, to)) = (start.min(end), start.max(end));
        let before = self.0.get(first).and_then(|line| line.get(..from)).unwrap_or_default();
        let after = self.0.get(last).and_then(|line| line.get(to..)).unwrap_or_default();
        let text = [before, text, after].concat();
        // Only the last line has no end.
        let is_last = last + 1 == self.0.len();
        let mut new: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        if is_last && ends_with_empty_line(&text) {
            new.push(String::new());
        }
        drop(self.0.splice(first..=last, new));
    }

    /// Returns the index of the line at a position, and the byte offset in the line.
    fn place(&self, at: Position, encoding: Encoding) -> (usize, usize) {
        let last = self.0.len().saturating_sub(1);
        let line = (at.line as usize).min(last);
        let text = self.0.get(line).map_or("", |line| line.trim_end_matches(['\n', '\r']));
        (line, if at.line as usize > last { text.len() } else { encoding.byte_in_line(text, at.character) })
    }
}

/// Returns whether the last line of a document is empty.
fn ends_with_empty_line(text: &str) -> bool {
    text.is_empty() || text.ends_with('\n')
}

/// Returns a source without other sources in its map.
pub(super) fn alone(text: &str) -> Option<Arc<Source>> {
    SourceMap::new().add("", text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    #[test]
    fn changes_are_made_one_after_the_other() {
        let mut document = Document::new(Uri::from_str("file:///x.rtype").unwrap(), "rtype", 1, "a😀b\nc".to_owned());
        let change = |from: (u32, u32), to: (u32, u32), text: &str| TextDocumentContentChangeEvent {
            range: Some(Range { start: Position::new(from.0, from.1), end: Position::new(to.0, to.1) }),
            range_length: None,
            text: text.to_owned(),
        };
        let changes = vec![change((0, 3), (0, 4), "é"), change((0, 4), (1, 0), ""), change((7, 7), (9, 9), "!")];
        document.change(2, changes, Encoding::Utf16);
        assert_eq!((&*document.text, document.version), ("a😀éc!", 2));
        document.change(3, vec![change((0, 5), (0, 1), "")], Encoding::Utf16);
        assert_eq!(&*document.text, "a!");
        // Lines are inserted and removed; a carriage return belongs to the line end.
        for (from, to, text, result) in [
            ((0, 2), (0, 2), "\n", "a!\n"),
            ((1, 0), (1, 0), "b\r\nc\n", "a!\nb\r\nc\n"),
            ((1, 9), (1, 9), "2", "a!\nb2\r\nc\n"),
            ((0, 1), (2, 0), "", "ac\n"),
            ((0, 0), (9, 0), "", ""),
            ((0, 0), (0, 0), "x", "x"),
        ] {
            document.change(4, vec![change(from, to, text)], Encoding::Utf8);
            assert_eq!(&*document.text, result);
        }
        let whole = TextDocumentContentChangeEvent { range: None, range_length: None, text: "y\nz".to_owned() };
        document.change(5, vec![change((0, 0), (0, 1), "w"), whole, change((1, 0), (1, 0), "é")], Encoding::Utf16);
        assert_eq!(&*document.text, "y\néz");
    }
}
