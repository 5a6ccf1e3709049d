//! The documents that are open in the editor.

use super::places::{Encoding, path_of};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
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

/// A document as it is in the editor.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub uri: Uri,
    /// The path of its file, which may not exist yet.
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

    /// Applies changes in the given order; positions outside of the text are clamped.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        self.version = version;
        let mut text = self.text.to_string();
        for change in changes {
            let Some(range) = change.range else {
                text = change.text;
                continue;
            };
            // Recompute line starts for each change: most notifications contain only one.
            let Some(source) = alone(&text) else { continue };
            let (start, end) = (encoding.byte(&source, range.start), encoding.byte(&source, range.end));
            let (start, end) = (start.min(end), start.max(end));
            let (before, after) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
            text = [before, change.text.as_str(), after].concat();
        }
        self.text = text.into();
    }
}

/// A text as the only one of its map.
pub(super) fn alone(text: &str) -> Option<Arc<Source>> {
    SourceMap::new().add("", text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};
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
    }
}
