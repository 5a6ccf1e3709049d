//! The language server under stress: invalid messages, messages in the wrong order, random editing.

use crate::common::editor::Editor;
use rtype::lsp::Ended;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn framed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// Runs the program on a stream, and returns its output and exit code.
fn program(input: &str) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rtype"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
const SHUTDOWN: &str = r#"{"jsonrpc":"2.0","id":9,"method":"shutdown"}"#;
const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

#[test]
fn exit_status_follows_the_protocol() {
    assert_eq!(program(&[INITIALIZE, SHUTDOWN, EXIT].map(framed).concat()).1, Some(0));
    assert_eq!(program(&[INITIALIZE, EXIT].map(framed).concat()).1, Some(1));
    assert_eq!(program(&framed(INITIALIZE)).1, Some(1));
    assert_eq!(program("").1, Some(1));
}

/// All requests on a file of 400 KB in five lines. The time must grow linearly with the file size. `Editor` waits a minute for each
/// response.
#[test]
fn long_lines_are_answered() {
    let attributes: String = (0..1_600).map(|i| format!("newproperty ä{i} {{ munge {{ |w| \"ü😀 #{{w}}\".strip }} }}; ")).collect();
    let types = format!(
        "type lang {{ newparam name {{ isnamevar }}\n{0}\n{1}\n{2}\n}}",
        attributes,
        attributes.replace('ä', "ö"),
        attributes.replace('ä', "é")
    );
    let resources = "user { 'ü😀': uid => 1 } ".repeat(3_000);
    for (uri, text) in [("file:///tmp/nowhere/lang.rtype", types), ("file:///tmp/nowhere/lang.pp", resources)] {
        let mut editor = Editor::start("/tmp/nowhere", json!({ "general": { "positionEncodings": ["utf-16"] } }));
        editor.open(uri, &text);
        let begun = Instant::now();
        editor.diagnostics(uri);
        println!("{uri} diagnostics {} ms", begun.elapsed().as_millis());
        let line = u32::from(uri.ends_with("rtype"));
        let document = json!({ "uri": uri });
        let place = json!({ "line": line, "character": 60_000 });
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
        for (method, params) in [
            ("textDocument/semanticTokens/full", json!({ "textDocument": document })),
            ("textDocument/documentSymbol", json!({ "textDocument": document })),
            ("textDocument/foldingRange", json!({ "textDocument": document })),
            ("textDocument/hover", json!({ "textDocument": document, "position": place })),
            ("textDocument/completion", json!({ "textDocument": document, "position": place })),
            ("textDocument/definition", json!({ "textDocument": document, "position": place })),
            ("textDocument/references", json!({ "textDocument": document, "position": place, "context": { "includeDeclaration": true } })),
            ("textDocument/inlayHint", json!({ "textDocument": document, "range": range })),
            ("textDocument/codeAction", json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } })),
            ("textDocument/formatting", json!({ "textDocument": document, "options": { "tabSize": 2, "insertSpaces": true } })),
        ] {
            let begun = Instant::now();
            let answer = editor.ask(method, params);
            println!("{uri} {method} {} ms {}", begun.elapsed().as_millis(), answer.is_ok());
        }
        assert_eq!(editor.stop(), Ended::Properly);
    }
}

#[test]
fn the_session_continues_after_bad_messages() {
    let hover = |id: u8, params: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"textDocument/hover","params":{params}}}"#);
    let open = r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"nonsense","version":"x"}}}"#;
    let stream = [
        framed(&hover(2, "{}")),
        "nonsense\r\n\r\n".to_owned(),
        framed("{\"id\": 3"),
        framed(INITIALIZE),
        framed(INITIALIZE),
        framed(&hover(4, "[1]")),
        framed(&hover(5, r#"{"textDocument":{"uri":"file:///nowhere.rtype"},"position":{"line":0,"character":0}}"#)),
        framed(open),
        framed(r#"{"jsonrpc":"2.0","id":6,"method":"no/such"}"#),
        framed(r#"{"jsonrpc":"2.0","id":"seven","method":"textDocument/completion","params":{}}"#),
        framed(SHUTDOWN),
        framed(&hover(8, "{}")),
        framed(EXIT),
    ];
    let (said, code) = program(&stream.concat());
    assert_eq!(code, Some(0));
    let answers = said.split("Content-Length: ").filter_map(|m| m.split_once("\r\n\r\n")).map(|(_, body)| {
        let answer: Json = serde_json::from_str(body).unwrap();
        let what = answer["error"]["code"].as_i64().map_or("fine".to_owned(), |c| c.to_string());
        format!("{} {what}", answer["id"])
    });
    let answers: Vec<String> = answers.collect();
    // Not initialized; fine; initialized twice; no parameters; not open; unknown method; no parameters; fine; shut down.
    let expected = ["2 -32002", "1 fine", "1 -32601", "4 -32602", "5 -32803", "6 -32601", "\"seven\" -32602", "9 fine", "8 -32600"];
    assert_eq!(answers, expected);
}

#[test]
fn columns_are_bytes_if_negotiated() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/workspace");
    let uri = format!("file://{root}/emoji.rtype");
    let text = "type emoji {\n  newparam name { desc \"💡💡\"; defautlto 1 }\n}\n";
    for (encodings, column) in [(json!(["utf-16"]), 31), (json!(["utf-8", "utf-16"]), 35)] {
        let mut editor = Editor::start(root, json!({ "general": { "positionEncodings": encodings } }));
        editor.open(&uri, text);
        let found = editor.diagnostics(&uri);
        assert_eq!(found[0]["range"]["start"], json!({ "line": 1, "character": column }));
        // The second light is removed.
        let (from, to) = if column == 31 { (26, 28) } else { (28, 32) };
        let range = json!({ "start": { "line": 1, "character": from }, "end": { "line": 1, "character": to } });
        let changes = json!([{ "range": range, "text": "" }]);
        editor.tell("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes }));
        editor.told.clear();
        assert_eq!(editor.diagnostics(&uri)[0]["range"]["start"]["character"], if column == 31 { 29 } else { 31 });
        assert_eq!(editor.stop(), Ended::Properly);
    }
}

#[test]
fn unsaved_text_takes_precedence_over_files() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/workspace");
    let (house, lamp) = (format!("file://{root}/house.pp"), format!("file://{root}/lamp.rtype"));
    let mut editor = Editor::start(root, json!({}));
    editor.open(&house, "lamp { 'a': level => 3 }\n");
    assert_eq!(editor.diagnostics(&house), Vec::<Json>::new());
    let text = std::fs::read_to_string(format!("{root}/lamp.rtype")).unwrap();
    editor.open(&lamp, &text.replace("newproperty level", "newproperty brightness"));
    let told = loop {
        let told = editor.diagnostics(&house);
        if !told.is_empty() {
            break told;
        }
    };
    assert_eq!(told[0]["code"], "RM002");
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": lamp } }));
    while !editor.diagnostics(&house).is_empty() {}
    editor.stop();
}

/// A small generator with the same sequence on all machines.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

const METHODS: &[&str] = &[
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/codeAction",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "workspace/symbol",
];

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "'",
    "\"\"\"",
    "/",
    "#{",
    "#",
    ":",
    "::",
    ".",
    ",",
    "|",
    "\n",
    ";",
    "\\",
    "💡",
    "é",
    "\r\n",
    "\u{0}",
    "type x {",
    "newparam ",
    "newproperty y, kind: ",
    "munge { |v| ",
    "self.",
    "provider.",
    "if ",
    "match v {",
    " => ",
    "use \"",
    "kind ",
    "test \"t\" {",
    "%w[",
    "$1",
    "0x",
    "1e9",
    "autorequire ",
    "let a = ",
    "include ",
    "feature ",
    "@",
    "`",
    "\t",
    "\u{feff}",
    "lamp { 'a': ",
];

/// Sends random messages for `RTYPE_STREAM_SECONDS` seconds, by default three. Each request gets a response without an internal error.
#[test]
fn random_editing_never_ends_the_session() {
    let seconds = std::env::var("RTYPE_STREAM_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3);
    let seed = std::env::var("RTYPE_STREAM_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0x9E37_79B9_7F4A_7C15);
    let mut random = Random(seed);
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/workspace");
    let texts: Vec<String> = ["stdlib-types", "tests/lsp/workspace", "tests/syntax", "tests/lower", "tests/lsp/completion", "tests/broken"]
        .iter()
        .flat_map(|directory| std::fs::read_dir(directory).into_iter().flatten().flatten())
        .filter_map(|e| std::fs::read_to_string(e.path()).ok())
        .filter(|t| t.len() < 20_000)
        .collect();
    let uris = ["lamp.rtype", "kinds/light.rtype", "torch.rtype", "house.pp", "x.pp"].map(|n| format!("file://{root}/{n}"));
    let begun = Instant::now();
    let (mut requests, mut edits) = (0_u32, 0_u32);
    let mut editor = Editor::start(root, json!({}));
    for uri in &uris {
        let text: &String = random.one(&texts);
        editor.open(uri, text);
    }
    while begun.elapsed() < Duration::from_secs(seconds) {
        let uri = random.one(&uris).clone();
        let place = |random: &mut Random| json!({ "line": random.below(80), "character": random.below(60) });
        match random.below(10) {
            0..=4 => {
                let (a, b) = (place(&mut random), place(&mut random));
                let whole = random.below(40) == 0;
                let text = if whole { random.one(&texts).clone() } else { (*random.one(PIECES)).to_owned() };
                // Mostly insertions, so that documents grow.
                let end = if random.below(6) == 0 { b } else { a.clone() };
                let change = if whole { json!({ "text": text }) } else { json!({ "range": { "start": a, "end": end }, "text": text }) };
                let id = json!({ "uri": uri, "version": edits });
                editor.tell("textDocument/didChange", json!({ "textDocument": id, "contentChanges": [change] }));
                edits += 1;
            }
            5 if random.below(20) == 0 => {
                editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
                let text = random.one(&texts).clone();
                editor.open(&uri, &text);
            }
            _ => {
                let method = *random.one(METHODS);
                let (a, b) = (place(&mut random), place(&mut random));
                let params = json!({
                    "textDocument": { "uri": uri }, "position": a, "range": { "start": a, "end": b }, "newName": "new_name", "query": "a",
                    "context": { "includeDeclaration": true, "diagnostics": [], "triggerKind": 1, "isRetrigger": false }, "options": { "tabSize": 2, "insertSpaces": true },
                });
                requests += 1;
                if let Err(why) = editor.ask(method, params) {
                    assert!(why.starts_with("-32803"), "seed {seed}, request {requests}: {method}: {why}");
                }
                editor.told.clear();
            }
        }
    }
    assert_eq!(editor.stop(), Ended::Properly);
    eprintln!("{requests} requests and {edits} edits");
    assert!(requests > 0);
}

/// Measures the time to diagnose a document of 2,000 lines: `cargo test --release --test it lsp_stream:: -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn diagnostics_of_a_long_file() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/stdlib-types");
    let user = std::fs::read_to_string(format!("{root}/user.rtype")).unwrap();
    let body: String = user.split("\nprovider ").next().unwrap().replace("type user {", "type long0 {");
    let mut text = String::new();
    let mut n = 0;
    while text.lines().count() < 2000 {
        text.push_str(&body.replace("type long0 {", &format!("type long{n} {{")));
        text.push('\n');
        n += 1;
    }
    let text: String = text.lines().fold(String::new(), |t, l| t + l + "\n");
    let uri = format!("file://{root}/long.rtype");
    let mut editor = Editor::start(root, json!({}));
    editor.open(&uri, &text);
    editor.diagnostics(&uri);
    let mut times: Vec<Duration> = Vec::new();
    for version in 2..52 {
        let at = json!({ "line": 30, "character": 0 });
        let change = json!({ "range": { "start": at, "end": at }, "text": if version % 2 == 0 { " " } else { "" } });
        let begun = Instant::now();
        editor.tell("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] }));
        editor.diagnostics(&uri);
        times.push(begun.elapsed());
    }
    times.sort();
    eprintln!(
        "{} lines, {} bytes: median {:?}, worst {:?}",
        text.lines().count(),
        text.len(),
        times[times.len() / 2],
        times[times.len() - 1]
    );
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 30, "character": 2 } });
    let begun = Instant::now();
    editor.ask("textDocument/completion", at.clone()).unwrap();
    let completion = begun.elapsed();
    let begun = Instant::now();
    editor.ask("textDocument/hover", at).unwrap();
    eprintln!("completion {completion:?}, hover {:?}", begun.elapsed());
    editor.stop();
}
