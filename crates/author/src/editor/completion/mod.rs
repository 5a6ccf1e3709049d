//! Completion at the cursor of a source that may be unfinished. The language server and the prompt use it.

mod code;
mod names;
mod resources;
mod snippet;
mod types;

pub use code::{OF_CATALOG, OF_PROVIDER, OF_SELF};
pub use names::{attribute_name, letters};
pub use resources::in_resources;
pub use types::in_types;

use rtype_lang::library::TypeSet;
use rtype_lang::source::{Source, Span};

/// A type file with resolved names.
#[derive(Clone, Copy)]
pub struct CompletionScope<'a> {
    /// The types that the file uses, and all sources read for them.
    pub types: &'a TypeSet,
    /// The file's source, as loaded into `types`.
    pub source: &'a Source,
    /// The type at the cursor; empty outside types.
    pub owner: &'a str,
    /// Describes definitions.
    pub definitions: &'a dyn Definitions,
}

/// Describes the definitions of names.
pub trait Definitions {
    /// Returns the declaration of a name, and the author's description.
    fn description(&self, name: Span) -> (String, String);

    /// Returns the head of an attribute's data type, if the attribute has a data type.
    fn data_type(&self, attribute: Span) -> Option<String>;

    /// Returns the span of a mixin in the file.
    fn mixin(&self, name: &str) -> Option<Span>;

    /// Returns the names of files for `use`.
    fn files(&self) -> Vec<String>;
}

/// The kind of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A keyword or directive.
    Keyword,
    /// An attribute.
    Field,
    /// A value.
    EnumMember,
    /// A type or kind.
    Class,
    /// A provider or mixin.
    Module,
    /// A feature.
    Interface,
    /// A method.
    Method,
    /// A function.
    Function,
    /// A constant.
    Constant,
    /// A local.
    Variable,
    /// An option.
    Property,
    /// A file.
    File,
    /// A resource.
    Reference,
}

/// A completion candidate.
#[derive(Clone, Debug)]
pub struct CompletionItem {
    /// The displayed string, which is inserted unless there is a snippet.
    pub label: String,
    /// The kind.
    pub kind: ItemKind,
    /// The string next to the label.
    pub detail: String,
    /// The description in Markdown.
    pub doc: String,
    /// The snippet to insert instead of the label.
    pub insert: Option<String>,
    /// The sort key: lower values come first.
    pub rank: u8,
}

impl CompletionItem {
    /// Creates a candidate.
    pub fn new(label: impl Into<String>, kind: ItemKind, detail: impl Into<String>, doc: impl Into<String>) -> CompletionItem {
        CompletionItem { label: label.into(), kind, detail: detail.into(), doc: doc.into(), insert: None, rank: 1 }
    }

    /// Sets the snippet.
    #[must_use]
    pub fn template(mut self, insert: impl Into<String>) -> CompletionItem {
        self.insert = Some(insert.into()).filter(|i| *i != self.label);
        self
    }

    /// Returns the inserted string for editors without snippets: the label, and the punctuation that always follows it.
    pub fn typed(&self) -> String {
        let rest = self.insert.as_deref().and_then(|insert| insert.strip_prefix(&self.label)).unwrap_or_default();
        let signs = rest.chars().take_while(|c| " (:\"'/{|=>".contains(*c));
        self.label.chars().chain(signs).collect()
    }

    /// Sets the sort key.
    #[must_use]
    pub fn rank(mut self, rank: u8) -> CompletionItem {
        self.rank = rank;
        self
    }
}

/// The candidates, and the start of the word to replace.
#[derive(Debug, Default)]
pub struct Candidates {
    /// The byte offset of the word before the cursor.
    pub start: usize,
    /// The word before the cursor.
    pub partial: String,
    /// All candidates, including candidates that do not match the word.
    pub items: Vec<CompletionItem>,
}

impl Candidates {
    /// Keeps the candidates that match the word, the best candidates first.
    #[must_use]
    pub fn fitting(mut self, most: usize) -> Vec<CompletionItem> {
        let partial = self.partial.to_lowercase();
        self.items.retain(|i| i.label.to_lowercase().starts_with(&partial));
        self.items.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
        self.items.dedup_by(|a, b| a.label == b.label);
        self.items.truncate(most);
        self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_snippets_the_signs_after_a_label_are_inserted() {
        let typed = |label: &str, insert: &str| CompletionItem::new(label, ItemKind::Keyword, "", "").template(insert).typed();
        assert_eq!(typed("newvalues", "newvalues a, \"b\""), "newvalues ");
        assert_eq!(typed("set?", "set?(:$0)"), "set?(:");
        assert_eq!(typed("colour", "colour => $0,"), "colour => ");
        assert_eq!(typed("validate", "validate {\n\t$0\n}"), "validate {");
        assert_eq!(typed("strip", "strip"), "strip");
    }
}
