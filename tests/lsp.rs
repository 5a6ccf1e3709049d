//! The language server through its protocol: `lsp/METHOD/*` holds a text with cursors (`▮`) each, the snapshot what is answered.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod common;

use common::editor::{CURSOR, Editor, cursors};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::Path;

/// What a usual editor can do.
fn capabilities() -> Json {
    json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } })
}

fn root() -> String {
    format!("{}/tests/lsp/workspace", env!("CARGO_MANIFEST_DIR"))
}

/// A fixture as if it stood in the workspace.
fn uri(path: &Path) -> String {
    format!("file://{}/{}", root(), path.file_name().unwrap().to_str().unwrap())
}

/// Opens a fixture, asks at each of its cursors, and shows the answers below the lines.
fn at_cursors(path: &Path, mut ask: impl FnMut(&mut Editor, &str, &str, &Json) -> String) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let (plain, places) = cursors(&text);
    let uri = uri(path);
    let mut editor = Editor::start(&root(), capabilities());
    editor.open(&uri, &plain);
    let mut out = String::new();
    let mut lines = text.lines().flat_map(|l| std::iter::repeat_n(l, l.matches(CURSOR).count()));
    for place in &places {
        let answer = ask(&mut editor, &uri, &plain, place);
        let _ = writeln!(out, "{}\n{}\n", lines.next().unwrap(), answer.trim_end());
    }
    editor.stop();
    out.replace(&root(), "ROOT")
}

/// The first lines of a text, each behind a mark.
fn marked(text: &str) -> String {
    text.lines().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "  | {line}");
        out
    })
}

#[test]
fn completion() {
    insta::glob!("lsp/completion/*", |path| {
        let answers = at_cursors(path, |editor, uri, _, place| {
            let answer = editor.ask("textDocument/completion", json!({ "textDocument": { "uri": uri }, "position": place })).unwrap();
            let items = answer["items"].as_array().cloned().unwrap_or_default();
            let mut out = String::new();
            for item in items.iter().take(12) {
                let text = item["textEdit"]["newText"].as_str().unwrap();
                let text = if text == item["label"] { String::new() } else { format!(" → {text:?}") };
                let line = format!("{} ({}){text}", item["label"].as_str().unwrap(), item["detail"].as_str().unwrap_or_default());
                out.push_str(&marked(&line.replace(" ()", "")));
            }
            if items.len() > 12 {
                let _ = writeln!(out, "  … {} in all", items.len());
            }
            if items.is_empty() { "  nothing".to_owned() } else { out }
        });
        insta::assert_snapshot!(answers);
    });
}

#[test]
fn diagnostics() {
    insta::glob!("lsp/diagnostics/*", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let mut editor = Editor::start(&root(), capabilities());
        editor.open(&uri(path), &text);
        let mut out = String::new();
        for d in editor.diagnostics(&uri(path)) {
            let (marked_text, line) = common::editor::excerpt(&text, &d["range"]);
            let _ = writeln!(out, "{line}\n  `{marked_text}` {} {}", d["code"].as_str().unwrap(), d["severity"]);
            out.push_str(&marked(d["message"].as_str().unwrap()));
        }
        editor.stop();
        let told = out.replace(&root(), "ROOT");
        insta::assert_snapshot!(told);
    });
}
