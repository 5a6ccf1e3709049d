//! Completion at the cursor.

mod code;
mod names;
mod resources;
mod snippet;
mod types;

pub(super) use code::{OF_CATALOG, OF_PROVIDER, OF_SELF};

use super::documents::Language;
use super::workspace::{Answer, Workspace};
use crate::lsp::places::Encoding;
use lsp_types::{
    CompletionItem, CompletionItemKind as Kind, CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit, Documentation,
    InsertTextFormat, MarkupContent, MarkupKind, TextEdit,
};
use rtype_lang::source::Source;

/// The maximum number of candidates.
const MOST: usize = 500;

/// A completion candidate.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub label: String,
    pub kind: Kind,
    /// The text next to the label.
    pub detail: String,
    pub doc: String,
    /// The snippet to insert instead of the label.
    pub insert: Option<String>,
    /// The sort key: lower values come first.
    pub rank: u8,
}

impl Item {
    pub fn new(label: impl Into<String>, kind: Kind, detail: impl Into<String>, doc: impl Into<String>) -> Item {
        Item { label: label.into(), kind, detail: detail.into(), doc: doc.into(), insert: None, rank: 1 }
    }

    /// Sets the snippet.
    pub fn template(mut self, insert: impl Into<String>) -> Item {
        self.insert = Some(insert.into()).filter(|i| *i != self.label);
        self
    }

    /// Sets the sort key.
    pub fn rank(mut self, rank: u8) -> Item {
        self.rank = rank;
        self
    }
}

/// The candidates, and the start of the text before the cursor that they replace.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub start: usize,
    pub partial: String,
    pub items: Vec<Item>,
}

/// `textDocument/completion`
pub(super) fn complete(workspace: &mut Workspace, params: CompletionParams) -> Answer<Option<CompletionResponse>> {
    let place = params.text_document_position;
    let document = workspace.document(&place.text_document)?.clone();
    let (found, source, byte) = match document.language {
        Language::Types => {
            let (file, byte) = workspace.place(&place)?;
            let before = file.source.text().get(..byte).unwrap_or_default();
            let analysis = workspace.analysis(&place.text_document)?;
            (types::candidates(workspace, &file, &analysis, before), std::sync::Arc::clone(&file.source), byte)
        }
        Language::Puppet => {
            let (analysis, byte) = workspace.at(&place)?;
            let before = analysis.source.text().get(..byte).unwrap_or_default();
            let found = resources::candidates(&analysis.types, &analysis.declarations, before);
            (found, std::sync::Arc::clone(&analysis.source), byte)
        }
        Language::Data | Language::Other => return Ok(None),
    };
    let items = written(found, &source, byte, workspace.encoding, workspace.snippets);
    Ok(Some(CompletionResponse::List(CompletionList { is_incomplete: items.len() >= MOST, items })))
}

fn written(mut found: Candidates, source: &Source, byte: usize, encoding: Encoding, snippets: bool) -> Vec<CompletionItem> {
    let partial = found.partial.to_lowercase();
    found.items.retain(|i| i.label.to_lowercase().starts_with(&partial));
    found.items.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    found.items.dedup_by(|a, b| a.label == b.label);
    found.items.truncate(MOST);
    let range = encoding.bytes(source, found.start.min(byte)..byte);
    let one = |(at, item): (usize, Item)| {
        let template = item.insert.filter(|_| snippets);
        CompletionItem {
            kind: Some(item.kind),
            detail: Some(item.detail).filter(|d| !d.is_empty()),
            documentation: (!item.doc.is_empty())
                .then(|| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: item.doc.clone() })),
            // Keep our order instead of sorting alphabetically.
            sort_text: Some(format!("{at:04}")),
            insert_text_format: template.is_some().then_some(InsertTextFormat::SNIPPET),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: template.unwrap_or_else(|| item.label.clone()) })),
            label: item.label,
            ..CompletionItem::default()
        }
    };
    found.items.into_iter().enumerate().map(one).collect()
}
