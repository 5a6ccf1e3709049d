//! What the server says that it can do.

use super::places::Encoding;
use lsp_types::{
    CompletionOptions, InitializeResult, PositionEncodingKind, ServerCapabilities, ServerInfo, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};

/// The answer to `initialize`.
pub(super) fn result(encoding: Encoding) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    let characters = [".", ":", "'", "\"", "[", "{", ">", ",", " "];
    InitializeResult {
        server_info: Some(ServerInfo { name: "rtype".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) }),
        capabilities: ServerCapabilities {
            position_encoding: Some(match encoding {
                Encoding::Utf16 => PositionEncodingKind::UTF16,
                Encoding::Utf8 => PositionEncodingKind::UTF8,
            }),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(characters.map(str::to_owned).to_vec()),
                ..CompletionOptions::default()
            }),
            ..ServerCapabilities::default()
        },
    }
}
