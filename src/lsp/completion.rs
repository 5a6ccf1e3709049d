//! Completion at the cursor.

pub(super) use rtype_author::editor::completion::{OF_CATALOG, OF_PROVIDER, OF_SELF};

use super::analysis::Analysis;
use super::cursor::Cursor;
use super::describe;
use super::documents::Language;
use super::index::File;
use super::workspace::{Answer, Workspace};
use crate::lsp::places::Encoding;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit, Documentation,
    InsertTextFormat, MarkupContent, MarkupKind, TextEdit,
};
use rtype_author::editor::completion::{
    Candidates, CompletionItem as Item, CompletionScope, Definitions, ItemKind, in_resources, in_types,
};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::Item as AstItem;
use rtype_system::named;
use std::path::Path;

/// The maximum number of candidates.
const MOST: usize = 500;

/// The definitions in a workspace, as seen from a document.
struct WorkspaceDefinitions<'a> {
    workspace: &'a Workspace,
    file: &'a File,
    analysis: &'a Analysis,
}

impl Definitions for WorkspaceDefinitions<'_> {
    fn description(&self, name: Span) -> (String, String) {
        let found = self.workspace.definition(&self.analysis.table, name);
        found.map(|d| (describe::written(&d), describe::author(&d))).unwrap_or_default()
    }

    fn data_type(&self, attribute: Span) -> Option<String> {
        describe::data_type(&self.workspace.definition(&self.analysis.table, attribute)?)
    }

    fn mixin(&self, name: &str) -> Option<Span> {
        let items = self.file.ast().into_iter().flat_map(|a| &a.items);
        let found = items.filter_map(|i| if let AstItem::Mixin(d) = i { Some(d) } else { None }).find(|d| d.name.name == name)?;
        Some(self.analysis.source.span_of(self.file.source.range(found.span)))
    }

    fn files(&self) -> Vec<String> {
        let mut names = Vec::new();
        let path = Path::new(self.file.source.name());
        let home = path.parent().map(rtype_lang::library::types_directory).filter(|h| h.is_absolute());
        for directory in home.iter().flat_map(|h| [h.clone(), h.join("kinds"), h.join("mixins"), h.join("shared")]) {
            let entries = named::entries(&directory).into_iter().flatten();
            for path in entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "rtype")) {
                let Some(inside) = home.as_ref().and_then(|h| path.strip_prefix(h).ok()).and_then(|p| p.to_str()) else { continue };
                names.push(inside.trim_end_matches(".rtype").to_owned());
            }
        }
        names
    }
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
            let owner = describe::type_name(&file, &Cursor::new(before));
            let definitions = &WorkspaceDefinitions { workspace, file: &file, analysis: &analysis };
            let document = CompletionScope { types: &analysis.types, source: &analysis.source, owner: &owner, definitions };
            (in_types(&document, before), std::sync::Arc::clone(&file.source), byte)
        }
        Language::Puppet => {
            let (analysis, byte) = workspace.at(&place)?;
            let before = analysis.source.text().get(..byte).unwrap_or_default();
            let found = in_resources(&analysis.types, &analysis.declarations, before);
            (found, std::sync::Arc::clone(&analysis.source), byte)
        }
        Language::Data | Language::Other => return Ok(None),
    };
    let items = written(found, &source, byte, workspace.encoding, workspace.snippets);
    Ok(Some(CompletionResponse::List(CompletionList { is_incomplete: items.len() >= MOST, items })))
}

fn written(found: Candidates, source: &Source, byte: usize, encoding: Encoding, snippets: bool) -> Vec<CompletionItem> {
    let range = encoding.bytes(source, found.start.min(byte)..byte);
    let one = |(at, item): (usize, Item)| {
        let template = item.insert.filter(|_| snippets);
        CompletionItem {
            kind: Some(kind(item.kind)),
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
    found.fitting(MOST).into_iter().enumerate().map(one).collect()
}

fn kind(kind: ItemKind) -> CompletionItemKind {
    match kind {
        ItemKind::Keyword => CompletionItemKind::KEYWORD,
        ItemKind::Field => CompletionItemKind::FIELD,
        ItemKind::EnumMember => CompletionItemKind::ENUM_MEMBER,
        ItemKind::Class => CompletionItemKind::CLASS,
        ItemKind::Module => CompletionItemKind::MODULE,
        ItemKind::Interface => CompletionItemKind::INTERFACE,
        ItemKind::Method => CompletionItemKind::METHOD,
        ItemKind::Function => CompletionItemKind::FUNCTION,
        ItemKind::Constant => CompletionItemKind::CONSTANT,
        ItemKind::Variable => CompletionItemKind::VARIABLE,
        ItemKind::Property => CompletionItemKind::PROPERTY,
        ItemKind::File => CompletionItemKind::FILE,
        ItemKind::Reference => CompletionItemKind::REFERENCE,
    }
}
