//! A language server client that waits for each response.

use lsp_server::{Connection, Message, Notification, Request, Response};
use rtype::lsp::{Ended, serve};
use rtype_provider::NativeProviders;
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

/// Marks the cursor in a fixture.
pub const CURSOR: char = '▮';

pub struct Editor {
    connection: Connection,
    server: JoinHandle<Ended>,
    /// The directory for embedded files.
    pub cache: TempDir,
    next: i32,
    /// Published diagnostics in order, each with the document.
    pub told: Vec<(String, Vec<Json>)>,
    /// Messages shown by the server: methods and parameters.
    pub shown: Vec<(String, Json)>,
}

impl Editor {
    /// Starts a session in a directory.
    pub fn start(root: &str, capabilities: Json) -> Editor {
        let (server, client) = Connection::memory();
        let cache = tempfile::tempdir().unwrap();
        let directory = cache.path().to_owned();
        let server = std::thread::spawn(move || serve(&server, &[] as &[PathBuf], NativeProviders::standard(), &directory));
        let mut editor = Editor { connection: client, server, cache, next: 0, told: Vec::new(), shown: Vec::new() };
        let folder = json!({ "uri": format!("file://{root}"), "name": "root" });
        editor.ask("initialize", json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": [folder] })).unwrap();
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn tell(&self, method: &str, params: Json) {
        self.connection.sender.send(Notification { method: method.to_owned(), params }.into()).unwrap();
    }

    pub fn open(&self, uri: &str, text: &str) {
        let language = if uri.ends_with(".pp") { "puppet" } else { "rtype" };
        self.tell("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "languageId": language, "version": 1, "text": text } }));
    }

    /// Sends a request and waits for the response.
    pub fn ask(&mut self, method: &str, params: Json) -> Result<Json, String> {
        self.next += 1;
        let id = self.next;
        self.connection.sender.send(Request { id: id.into(), method: method.to_owned(), params }.into()).unwrap();
        loop {
            match self.receive() {
                Message::Response(Response { id: of, response_result }) if of == id.into() => {
                    return response_result.map_err(|e| format!("{}: {}", e.code, e.message));
                }
                other => self.keep(other),
            }
        }
    }

    /// Waits for the diagnostics of a document.
    pub fn diagnostics(&mut self, uri: &str) -> Vec<Json> {
        loop {
            if let Some(at) = self.told.iter().rposition(|(u, _)| u == uri) {
                return self.told.remove(at).1;
            }
            let message = self.receive();
            self.keep(message);
        }
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("the server says nothing")
    }

    fn keep(&mut self, message: Message) {
        match message {
            Message::Notification(n) if n.method == "textDocument/publishDiagnostics" => {
                let uri = n.params["uri"].as_str().unwrap().to_owned();
                self.told.push((uri, n.params["diagnostics"].as_array().unwrap().clone()));
            }
            Message::Notification(n) => self.shown.push((n.method, n.params)),
            Message::Request(request) => self.shown.push((request.method, request.params)),
            Message::Response(_) => {}
        }
    }

    /// Ends the session according to the protocol.
    pub fn stop(mut self) -> Ended {
        self.ask("shutdown", Json::Null).unwrap();
        self.tell("exit", Json::Null);
        self.server.join().unwrap()
    }
}

/// Returns a fixture without cursor marks, and the cursor positions in UTF-16 code units.
pub fn cursors(text: &str) -> (String, Vec<Json>) {
    let (mut plain, mut places) = (String::new(), Vec::new());
    for (line, content) in text.lines().enumerate() {
        let mut column = 0;
        for c in content.chars() {
            if c == CURSOR {
                places.push(json!({ "line": line, "character": column }));
            } else {
                plain.push(c);
                column += c.len_utf16();
            }
        }
        plain.push('\n');
    }
    (plain, places)
}

/// Returns the characters in a range, and the line around the range.
pub fn excerpt(text: &str, range: &Json) -> (String, String) {
    let at = |end: &str| {
        let (line, column) = (range[end]["line"].as_u64().unwrap() as usize, range[end]["character"].as_u64().unwrap() as usize);
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = 0;
        let byte = text[start..].char_indices().find(|(_, c)| {
            let here = units >= column;
            units += c.len_utf16();
            here
        });
        start + byte.map_or(text.len() - start, |(i, _)| i)
    };
    let line = text.lines().nth(range["start"]["line"].as_u64().unwrap() as usize).unwrap_or_default();
    (text[at("start")..at("end")].to_owned(), line.to_owned())
}
