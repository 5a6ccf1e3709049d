//! The main loop: handles messages in order, and publishes diagnostics when no message is waiting.

use super::{actions, capabilities, completion, formatting, hints, hover, navigation, secrets, semantic, signature, symbols};

use super::documents::Document;
use super::error::ResponseError;
use super::places::{Encoding, path_of, uri_of};
use super::workspace::{Answer, Workspace};
use indexmap::IndexSet;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    ExecuteCommandParams, InitializeParams, MessageType, PositionEncodingKind, ShowMessageParams, Uri,
};
use rtype_author::check::explain_as_text;
use rtype_lang::diagnostics::Code;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The way in which a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client sent `shutdown`, then `exit`.
    Properly,
    /// The client sent `exit` without `shutdown`, or disconnected.
    Abruptly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Ready,
    ShutDown,
}

/// A server and the connection to its client.
pub(super) struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    stage: Stage,
    waiting: VecDeque<Message>,
    /// Whether the client opens documents for the server.
    shows_documents: bool,
    /// The number of requests sent by the server.
    sent: i32,
    /// Documents with possibly outdated published diagnostics, most urgent first.
    stale: IndexSet<Uri>,
}

impl<'c> Server<'c> {
    pub fn new(connection: &'c Connection, workspace: Workspace) -> Server<'c> {
        Server {
            connection,
            workspace,
            stage: Stage::New,
            waiting: VecDeque::new(),
            shows_documents: false,
            sent: 0,
            stale: IndexSet::new(),
        }
    }

    /// Serves the client until the session ends or the client disconnects.
    pub fn run(mut self) -> Ended {
        loop {
            self.waiting.extend(self.connection.receiver.try_iter());
            let message = match self.waiting.pop_front() {
                Some(message) => message,
                None => {
                    // Diagnostics can wait until no input is left.
                    if let Some(uri) = self.stale.shift_remove_index(0) {
                        self.publish(&uri);
                        continue;
                    }
                    match self.connection.receiver.recv() {
                        Ok(message) => message,
                        Err(_) => return Ended::Abruptly,
                    }
                }
            };
            match message {
                Message::Request(request) => {
                    let response = self.respond(request);
                    if self.connection.sender.send(response.into()).is_err() {
                        return Ended::Abruptly;
                    }
                }
                Message::Notification(n) if n.method == "exit" => {
                    return if self.stage == Stage::ShutDown { Ended::Properly } else { Ended::Abruptly };
                }
                Message::Notification(n) => self.guarded(|s| s.notice(n)).unwrap_or_default(),
                Message::Response(_) => {}
            }
        }
    }

    /// Catches a panic, so that a bug in rtype costs a single response instead of the session.
    fn guarded<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> Option<T> {
        catch_unwind(AssertUnwindSafe(|| run(self))).ok()
    }

    fn publish(&mut self, uri: &Uri) {
        if let Some(params) = self.guarded(|s| s.workspace.publish(uri)) {
            self.notify("textDocument/publishDiagnostics", &params);
        }
    }

    fn notify(&self, method: &str, params: &impl Serialize) {
        let Ok(params) = serde_json::to_value(params) else { return };
        // A failed send means that the client is gone. Reading the next message will notice.
        let _ = self.connection.sender.send(Notification { method: method.to_owned(), params }.into());
    }

    /// Executes the command of an action: opens the page about a code, or shows the page as a message.
    fn execute(&mut self, params: Json) -> Result<Json, ResponseError> {
        let ExecuteCommandParams { command, arguments, .. } = read(params)?;
        let code = arguments.first().and_then(Json::as_str).and_then(Code::named).filter(|_| command == actions::EXPLAIN);
        let Some((code, page)) = code.and_then(|code| Some((code, explain_as_text(code)?))) else {
            return Err(ResponseError::UnsupportedMethod(command));
        };
        let uri = self.shows_documents.then(|| self.workspace.embedded.page_of(code)).flatten().and_then(|path| uri_of(&path));
        match uri {
            Some(uri) => {
                self.sent += 1;
                let request = Request::new(self.sent.into(), "window/showDocument".to_owned(), json!({ "uri": uri, "takeFocus": true }));
                // A failed send means that the client is gone. Reading the next message will notice.
                let _ = self.connection.sender.send(request.into());
            }
            None => self.notify("window/showMessage", &ShowMessageParams { typ: MessageType::INFO, message: page }),
        }
        Ok(Json::Null)
    }

    fn respond(&mut self, Request { id, method, params }: Request) -> Response {
        let answer = if self.is_cancelled(&id) {
            Err(ResponseError::Cancelled)
        } else {
            match (self.stage, method.as_str()) {
                (Stage::New, "initialize") => self.initialize(params),
                (Stage::New, _) => Err(ResponseError::NotInitialized),
                (Stage::ShutDown, _) => Err(ResponseError::ShutDown),
                (Stage::Ready, "shutdown") => {
                    self.stage = Stage::ShutDown;
                    Ok(Json::Null)
                }
                (Stage::Ready, "workspace/executeCommand") => self.execute(params),
                (Stage::Ready, method) => {
                    self.guarded(|s| s.answer(method, params)).unwrap_or_else(|| Err(ResponseError::Panicked(method.to_owned())))
                }
            }
        };
        match answer {
            Ok(result) => Response::new_ok(id, result),
            Err(error) => Response::new_err(id, error.code() as i32, error.to_string()),
        }
    }

    /// Returns whether the client has cancelled a waiting request.
    fn is_cancelled(&self, id: &RequestId) -> bool {
        let cancels = |m: &Message| match m {
            Message::Notification(n) if n.method == "$/cancelRequest" => {
                n.params.get("id").is_some_and(|i| serde_json::to_value(id).is_ok_and(|id| id == *i))
            }
            _ => false,
        };
        self.waiting.iter().any(cancels)
    }

    fn initialize(&mut self, params: Json) -> Result<Json, ResponseError> {
        let params: InitializeParams = read(params)?;
        let general = params.capabilities.general.and_then(|g| g.position_encodings).unwrap_or_default();
        if general.contains(&PositionEncodingKind::UTF8) {
            self.workspace.encoding = Encoding::Utf8;
        }
        self.shows_documents = params.capabilities.window.and_then(|window| window.show_document).is_some_and(|shows| shows.support);
        let published = params.capabilities.text_document.as_ref().and_then(|t| t.publish_diagnostics.as_ref());
        self.workspace.code_descriptions = published.and_then(|p| p.code_description_support).unwrap_or(false);
        let help = params.capabilities.text_document.as_ref().and_then(|t| t.signature_help.as_ref()?.signature_information.as_ref());
        let labels = help.and_then(|h| h.parameter_information.as_ref()?.label_offset_support);
        self.workspace.label_offsets = labels.unwrap_or(false);
        let item = params.capabilities.text_document.and_then(|t| t.completion).and_then(|c| c.completion_item);
        self.workspace.snippets = item.and_then(|i| i.snippet_support).unwrap_or(false);
        let folders = params.workspace_folders.unwrap_or_default();
        self.workspace.folders = folders.iter().map(|f| path_of(&f.uri)).filter(|p| p.is_absolute()).collect();
        #[allow(deprecated, reason = "clients without workspace folders send their root")]
        if self.workspace.folders.is_empty() {
            self.workspace.folders.extend(params.root_uri.iter().map(path_of).filter(|p| p.is_absolute()));
        }
        // `{"types": ["DIR"]}`, relative to the first workspace folder.
        let base = self.workspace.folders.first().cloned().unwrap_or_default();
        let named = params.initialization_options.as_ref().and_then(|o| o.get("types")).and_then(Json::as_array);
        self.workspace.types.extend(named.into_iter().flatten().filter_map(Json::as_str).map(|t| base.join(t)));
        self.workspace.forget();
        self.stage = Stage::Ready;
        write(&capabilities::result(self.workspace.encoding))
    }

    fn notice(&mut self, Notification { method, params }: Notification) {
        if self.stage != Stage::Ready {
            return;
        }
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(DidOpenTextDocumentParams { text_document: d }) = read(params) {
                    self.put(d.uri.clone(), Some(Document::new(d.uri, &d.language_id, d.version, d.text)));
                }
            }
            "textDocument/didChange" => {
                if let Ok(mut p) = read::<DidChangeTextDocumentParams>(params)
                    && let Ok(open) = self.workspace.document(&lsp_types::TextDocumentIdentifier { uri: p.text_document.uri.clone() })
                {
                    let mut document = open.clone();
                    self.add_following_changes(&mut p);
                    document.change(p.text_document.version, p.content_changes, self.workspace.encoding);
                    self.put(p.text_document.uri, Some(document));
                }
            }
            "textDocument/didClose" => {
                if let Ok(p) = read::<DidCloseTextDocumentParams>(params) {
                    self.put(p.text_document.uri, None);
                }
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.workspace.forget();
                self.all_stale();
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(DidChangeWorkspaceFoldersParams { event }) = read(params) {
                    let gone: Vec<PathBuf> = event.removed.iter().map(|f| path_of(&f.uri)).collect();
                    self.workspace.folders.retain(|f| !gone.contains(f));
                    self.workspace.folders.extend(event.added.iter().map(|f| path_of(&f.uri)).filter(|p| p.is_absolute()));
                    self.workspace.forget();
                    self.all_stale();
                }
            }
            _ => {}
        }
    }

    /// Adds waiting changes of the same document, so that the document is built only once.
    fn add_following_changes(&mut self, p: &mut DidChangeTextDocumentParams) {
        while let Some(Message::Notification(next)) = self.waiting.front()
            && next.method == "textDocument/didChange"
            && let Ok(next) = read::<DidChangeTextDocumentParams>(next.params.clone())
            && next.text_document.uri == p.text_document.uri
        {
            p.text_document.version = next.text_document.version;
            p.content_changes.extend(next.content_changes);
            self.waiting.pop_front();
        }
    }

    /// Opens, updates or closes a document. All open documents may depend on it, so their diagnostics are outdated.
    fn put(&mut self, uri: Uri, document: Option<Document>) {
        self.workspace.put(uri.clone(), document);
        self.stale.shift_remove(&uri);
        self.stale.shift_insert(0, uri);
        self.all_stale();
    }

    fn all_stale(&mut self) {
        self.stale.extend(self.workspace.documents().map(|d| d.uri.clone()));
    }

    fn answer(&mut self, method: &str, params: Json) -> Result<Json, ResponseError> {
        let redactor = secrets::is_shown(method).then(|| self.workspace.redactor(&params));
        let w = &mut self.workspace;
        let mut answer = match method {
            "textDocument/completion" => ask(w, params, completion::complete),
            "textDocument/codeAction" => ask(w, params, actions::actions),
            "textDocument/formatting" => ask(w, params, formatting::whole),
            "textDocument/rangeFormatting" => ask(w, params, formatting::part),
            "textDocument/inlayHint" => ask(w, params, hints::hints),
            "textDocument/semanticTokens/full" => ask(w, params, semantic::tokens_of),
            "textDocument/hover" => ask(w, params, hover::hover),
            "textDocument/signatureHelp" => ask(w, params, signature::signature),
            "textDocument/definition" => ask(w, params, navigation::definition),
            "textDocument/references" => ask(w, params, navigation::references),
            "textDocument/documentHighlight" => ask(w, params, navigation::highlight),
            "textDocument/prepareRename" => ask(w, params, navigation::prepare_rename),
            "textDocument/rename" => ask(w, params, navigation::rename),
            "textDocument/documentSymbol" => ask(w, params, symbols::document),
            "textDocument/foldingRange" => ask(w, params, symbols::folding),
            "workspace/symbol" => ask(w, params, symbols::workspace),
            _ => Err(ResponseError::UnsupportedMethod(method.to_owned())),
        };
        if let (Ok(answer), Some(redactor)) = (&mut answer, &redactor) {
            secrets::redact(answer, redactor);
        }
        answer
    }
}

/// Reads the parameters, runs the feature, and writes the result.
fn ask<P: DeserializeOwned, R: Serialize>(
    workspace: &mut Workspace,
    params: Json,
    feature: impl FnOnce(&mut Workspace, P) -> Answer<R>,
) -> Result<Json, ResponseError> {
    let answer = feature(workspace, read(params)?).map_err(ResponseError::Failed)?;
    write(&answer)
}

fn read<T: DeserializeOwned>(params: Json) -> Result<T, ResponseError> {
    serde_json::from_value(params).map_err(ResponseError::InvalidParams)
}

fn write(result: &impl Serialize) -> Result<Json, ResponseError> {
    serde_json::to_value(result).map_err(ResponseError::InvalidResult)
}
