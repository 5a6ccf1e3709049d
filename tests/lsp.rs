//! The language server: `lsp/METHOD/*` contains sources with cursors (`▮`). The snapshot contains the responses.

use crate::common;
use crate::common::editor::{CURSOR, Editor, cursors};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::Path;

/// The capabilities of a common editor.
fn capabilities() -> Json {
    json!({ "textDocument": {
        "completion": { "completionItem": { "snippetSupport": true } },
        "signatureHelp": { "signatureInformation": { "parameterInformation": { "labelOffsetSupport": true } } },
    } })
}

fn root() -> String {
    format!("{}/tests/lsp/workspace", env!("CARGO_MANIFEST_DIR"))
}

/// Returns a fixture as a file of the workspace.
fn uri(path: &Path) -> String {
    format!("file://{}/{}", root(), path.file_name().unwrap().to_str().unwrap())
}

/// Opens a fixture, sends a request at each cursor, and shows the responses below the lines.
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

/// Returns the first lines of a document, each with a prefix.
fn marked(text: &str) -> String {
    text.lines().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "  | {line}");
        out
    })
}

#[test]
fn completion() {
    insta::glob!("lsp/completion/*.{rtype,pp}", |path| {
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
        common::assert_fixture(path, &answers);
    });
}

#[test]
fn diagnostics() {
    insta::glob!("lsp/diagnostics/*.{rtype,pp}", |path| {
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
        common::assert_fixture(path, &told);
    });
}

/// Returns the code at locations, by file and line.
fn shown_places(places: &[Json], open: (&str, &str)) -> String {
    let mut out = String::new();
    for place in places {
        let uri = place["uri"].as_str().unwrap();
        let path = uri.strip_prefix("file://").unwrap();
        let text = if uri == open.0 { open.1.to_owned() } else { std::fs::read_to_string(path).unwrap() };
        let (excerpt, line) = common::editor::excerpt(&text, &place["range"]);
        let name = path.rsplit_once("/tests/lsp/workspace/").or(path.rsplit_once("/types/")).unwrap().1;
        let _ = writeln!(out, "  {name}: {} `{excerpt}`", line.trim());
    }
    if out.is_empty() { "  nothing\n".to_owned() } else { out }
}

fn place_params(uri: &str, place: &Json) -> Json {
    json!({ "textDocument": { "uri": uri }, "position": place })
}

#[test]
fn signatures() {
    insta::glob!("lsp/signature/*.{rtype,pp}", |path| {
        let answers = at_cursors(path, |editor, uri, _, place| {
            let answer = editor.ask("textDocument/signatureHelp", place_params(uri, place)).unwrap();
            let all = answer["signatures"].as_array().cloned().unwrap_or_default();
            let one = |signature: &Json| {
                let active = signature["activeParameter"].as_u64().unwrap_or_default() as usize;
                let label = signature["label"].as_str().unwrap();
                let at = |end: usize| signature["parameters"][active]["label"][end].as_u64().map(|n| n as usize);
                let units: Vec<u16> = label.encode_utf16().collect();
                let parameter = at(0).zip(at(1)).map(|(start, end)| String::from_utf16_lossy(&units[start..end])).unwrap_or_default();
                format!("  `{label}` at `{parameter}`\n{}", marked(signature["documentation"]["value"].as_str().unwrap_or_default()))
            };
            if all.is_empty() { "  nothing".to_owned() } else { all.iter().map(one).collect() }
        });
        common::assert_fixture(path, &answers);
    });
}

/// An editor that does not announce label offsets gets the label of each parameter as a string.
#[test]
fn signatures_for_editors_without_offsets() {
    let mut editor = Editor::start(&root(), json!({}));
    let text = "type a {\n  newparam name { validate { |v| versioncmp(v, ";
    let uri = format!("file://{}/a.rtype", root());
    editor.tell("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "languageId": "rtype", "version": 1, "text": text } }));
    let place = json!({ "line": 1, "character": text.lines().nth(1).unwrap().len() });
    let answer = editor.ask("textDocument/signatureHelp", json!({ "textDocument": { "uri": uri }, "position": place })).unwrap();
    let signature = &answer["signatures"][0];
    assert_eq!((&answer["activeParameter"], &signature["activeParameter"]), (&json!(1), &json!(1)), "{answer}");
    let labels: Vec<_> = signature["parameters"].as_array().unwrap().iter().map(|p| p["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["a", "b"]);
}

#[test]
fn hover() {
    insta::glob!("lsp/hover/*.{rtype,pp}", |path| {
        let answers = at_cursors(path, |editor, uri, text, place| {
            let answer = editor.ask("textDocument/hover", place_params(uri, place)).unwrap();
            if answer.is_null() {
                return "  nothing".to_owned();
            }
            let about = common::editor::excerpt(text, &answer["range"]).0;
            format!("  `{about}`\n{}", marked(answer["contents"]["value"].as_str().unwrap()))
        });
        common::assert_fixture(path, &answers);
    });
}

#[test]
fn definition() {
    insta::glob!("lsp/definition/*.{rtype,pp}", |path| {
        let answers = at_cursors(path, |editor, uri, text, place| {
            let answer = editor.ask("textDocument/definition", place_params(uri, place)).unwrap();
            let places = if answer.is_null() { Vec::new() } else { vec![answer] };
            shown_places(&places, (uri, text))
        });
        common::assert_fixture(path, &answers);
    });
}

#[test]
fn references() {
    insta::glob!("lsp/references/*.{rtype,pp}", |path| {
        let answers = at_cursors(path, |editor, uri, text, place| {
            let mut params = place_params(uri, place);
            params["context"] = json!({ "includeDeclaration": true });
            let answer = editor.ask("textDocument/references", params).unwrap();
            shown_places(answer.as_array().map_or(&[], Vec::as_slice), (uri, text))
        });
        common::assert_fixture(path, &answers);
    });
}

#[test]
fn rename() {
    insta::glob!("lsp/rename/*.{rtype,pp}", |path| {
        let answers = at_cursors(path, |editor, uri, text, place| {
            let prepared = editor.ask("textDocument/prepareRename", place_params(uri, place));
            let mut params = place_params(uri, place);
            params["newName"] = json!("new_name");
            match (prepared, editor.ask("textDocument/rename", params)) {
                (Err(why), _) | (Ok(_), Err(why)) => format!("  refused: {why}"),
                (Ok(prepared), Ok(edit)) => {
                    let mut out = format!("  `{}`\n", prepared["placeholder"].as_str().unwrap());
                    for file in edit["documentChanges"].as_array().unwrap() {
                        let mut places = file["edits"].as_array().unwrap().clone();
                        for place in &mut places {
                            assert_eq!(place["newText"], "new_name");
                            place["uri"] = file["textDocument"]["uri"].clone();
                        }
                        out.push_str(&shown_places(&places, (uri, text)));
                    }
                    out
                }
            }
        });
        common::assert_fixture(path, &answers);
    });
}

/// Opens a fixture and sends a request about the whole document.
fn about(path: &Path, method: &str, more: Json) -> (String, Json) {
    let (text, _) = cursors(&std::fs::read_to_string(path).unwrap());
    let mut editor = Editor::start(&root(), capabilities());
    editor.open(&uri(path), &text);
    let mut params = json!({ "textDocument": { "uri": uri(path) } });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = editor.ask(method, params).unwrap();
    editor.stop();
    (text, answer)
}

fn tree(symbols: &Json, depth: usize, out: &mut String) {
    for s in symbols.as_array().into_iter().flatten() {
        let line = s["selectionRange"]["start"]["line"].as_u64().unwrap() + 1;
        let _ = writeln!(out, "{}{} ({}, line {line})", "  ".repeat(depth), s["name"].as_str().unwrap(), s["detail"].as_str().unwrap());
        tree(&s["children"], depth + 1, out);
    }
}

#[test]
fn symbols_and_folds() {
    insta::glob!("lsp/symbols/*.{rtype,pp}", |path| {
        let mut out = String::new();
        tree(&about(path, "textDocument/documentSymbol", json!({})).1, 0, &mut out);
        for fold in about(path, "textDocument/foldingRange", json!({})).1.as_array().unwrap() {
            let _ = writeln!(out, "fold {}-{} {}", fold["startLine"], fold["endLine"], fold["kind"]);
        }
        common::assert_fixture(path, &out);
    });
}

#[test]
fn workspace_symbols() {
    let fixture = Path::new("tests/lsp/semantic/names.rtype");
    let text = std::fs::read_to_string(fixture).unwrap();
    let mut editor = Editor::start(&root(), capabilities());
    editor.open(&uri(fixture), &text);
    let symbols = editor.ask("workspace/symbol", json!({ "query": "" })).unwrap();
    editor.stop();
    let shown = |s: &Json| {
        let place = &s["location"];
        let within = s["containerName"].as_str().map(|of| format!(" of {of}")).unwrap_or_default();
        format!(
            "{}{within} ({})\n{}",
            s["name"].as_str().unwrap(),
            s["kind"],
            shown_places(std::slice::from_ref(place), (&uri(fixture), &text))
        )
    };
    let all: String = symbols.as_array().unwrap().iter().map(shown).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn hints() {
    insta::glob!("lsp/hints/*.{rtype,pp}", |path| {
        let all = json!({ "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } } });
        let (text, answer) = about(path, "textDocument/inlayHint", all);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for hint in answer.as_array().unwrap().iter().rev() {
            let at = &hint["position"];
            let line = &mut lines[at["line"].as_u64().unwrap() as usize];
            line.insert_str(at["character"].as_u64().unwrap() as usize, &format!("⟨{}⟩", hint["label"].as_str().unwrap()));
        }
        let shown = lines.join("\n");
        common::assert_fixture(path, &shown);
    });
}

#[test]
fn semantic_tokens() {
    insta::glob!("lsp/semantic/*.{rtype,pp}", |path| {
        let (text, answer) = about(path, "textDocument/semanticTokens/full", json!({}));
        let names = [
            "keyword",
            "class",
            "type",
            "property",
            "parameter",
            "variable",
            "function",
            "method",
            "value",
            "string",
            "regexp",
            "number",
            "comment",
            "interface",
            "namespace",
        ];
        let data: Vec<u64> = answer["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        let (mut line, mut column, mut out) = (0, 0, String::new());
        for token in data.chunks(5) {
            (line, column) = (line + token[0], if token[0] == 0 { column + token[1] } else { token[1] });
            let range = json!({ "start": { "line": line, "character": column }, "end": { "line": line, "character": column + token[2] } });
            let declares = if token[4] & 1 == 1 { " declared" } else { "" };
            let _ = writeln!(out, "{:>2} {}{declares}: {}", line + 1, names[token[3] as usize], common::editor::excerpt(&text, &range).0);
        }
        common::assert_fixture(path, &out);
    });
}

#[test]
fn actions() {
    insta::glob!("lsp/actions/*.{rtype,pp}", |path| {
        let out = at_cursors(path, |editor, uri, text, place| {
            let params =
                json!({ "textDocument": { "uri": uri }, "range": { "start": place, "end": place }, "context": { "diagnostics": [] } });
            let actions = editor.ask("textDocument/codeAction", params).unwrap();
            let mut out = String::new();
            for action in actions.as_array().unwrap() {
                let preferred = if action["isPreferred"] == true { ", preferred" } else { "" };
                let _ = writeln!(out, "  {} ({}{preferred})", action["title"].as_str().unwrap(), action["kind"].as_str().unwrap());
                for edit in action["edit"]["documentChanges"][0]["edits"].as_array().into_iter().flatten() {
                    let _ = writeln!(out, "    `{}` → {}", common::editor::excerpt(text, &edit["range"]).0, edit["newText"]);
                }
            }
            out
        });
        common::assert_fixture(path, &out);
    });
}

/// Requests the actions at each finding. Like an editor, the test repeats the findings in `context.diagnostics`.
#[test]
fn each_finding_can_be_suppressed_and_explained() {
    let text = "type lamp {\n  newparam name\n  newproperty level { newvalues low, low }\n  newproperty size { munge { |v| 5.upcase } }\n  nosuch 3\n}\n";
    for (capabilities, method) in
        [(json!({}), "window/showMessage"), (json!({ "window": { "showDocument": { "support": true } } }), "window/showDocument")]
    {
        let directory = tempfile::tempdir().unwrap();
        let mut editor = Editor::start(directory.path().to_str().unwrap(), capabilities);
        let uri = format!("file://{}/lamp.rtype", directory.path().display());
        editor.open(&uri, text);
        let found = editor.diagnostics(&uri);
        assert!(found.len() >= 2, "{found:?}");
        for diagnostic in &found {
            let code = diagnostic["code"].as_str().unwrap();
            let params =
                json!({ "textDocument": { "uri": uri }, "range": diagnostic["range"], "context": { "diagnostics": [diagnostic] } });
            let actions = editor.ask("textDocument/codeAction", params).unwrap();
            let actions = actions.as_array().unwrap();
            let titled = |title: String| actions.iter().find(|action| action["title"] == json!(title));
            let comment = titled(format!("Suppress {code} with a comment")).unwrap();
            let written = comment["edit"]["documentChanges"][0]["edits"][0]["newText"].as_str().unwrap();
            assert!(written.contains(&format!("rtype: allow({code}")), "{comment}");
            let explain = titled(format!("Explain {code}")).unwrap();
            assert_eq!(explain["diagnostics"][0]["code"], json!(code));
            editor.ask("workspace/executeCommand", explain["command"].clone()).unwrap();
            let (sent, params) = editor.shown.pop().unwrap();
            let page = match method {
                "window/showMessage" => params["message"].as_str().unwrap().to_owned(),
                _ => {
                    let path = params["uri"].as_str().unwrap().strip_prefix("file://").unwrap();
                    assert!(Path::new(path).starts_with(editor.cache.path()), "{path}");
                    std::fs::read_to_string(path).unwrap()
                }
            };
            assert!(sent == method && page.contains(code), "{sent}: {page}");
        }
        let unknown = json!({ "command": "rtype.explain", "arguments": ["RT999"] });
        assert!(editor.ask("workspace/executeCommand", unknown).is_err());
        assert_eq!(editor.stop(), rtype::lsp::Ended::Properly);
    }
}

/// Formats the whole document, or the range between two cursors.
#[test]
fn formatting() {
    insta::glob!("lsp/formatting/*.{rtype,pp}", |path| {
        let (text, places) = cursors(&std::fs::read_to_string(path).unwrap());
        let mut params = json!({ "textDocument": { "uri": uri(path) }, "options": { "tabSize": 8, "insertSpaces": false } });
        let method = if let [start, end] = places.as_slice() {
            params["range"] = json!({ "start": start, "end": end });
            "textDocument/rangeFormatting"
        } else {
            "textDocument/formatting"
        };
        let mut out = format!("{method}\n");
        for edit in about(path, method, params).1.as_array().unwrap() {
            let old = common::editor::excerpt(&text, &edit["range"]).0;
            let _ = writeln!(out, "instead of\n{}comes\n{}", marked(&old), marked(edit["newText"].as_str().unwrap()));
        }
        common::assert_fixture(path, &out);
    });
}

#[test]
fn secrets_appear_in_no_response() {
    let text = "user { 'hunter2hunter2': ensure => present, password => Sensitive('hunter2hunter2'), comment => 'hunter2hunter2' }\n\
                group { 'g': auth_membership => 'hunter2hunter2' }\n\
                file { '/hunter2hunter2': source => 'http://me:hunter2hunter2@h/x', require => User['h'] }\n\
                # hunter2hunter2\n";
    let uri = uri(Path::new("secret.pp"));
    let mut editor = Editor::start(&root(), capabilities());
    editor.open(&uri, text);
    let document = json!({ "uri": uri });
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 4, "character": 0 } });
    let mut answers = Vec::new();
    for (line, row) in text.lines().enumerate() {
        for character in (0..row.len()).step_by(3) {
            let place = place_params(&uri, &json!({ "line": line, "character": character }));
            answers.push(editor.ask("textDocument/hover", place.clone()).unwrap());
            answers.push(editor.ask("textDocument/completion", place).unwrap());
        }
    }
    answers.push(editor.ask("textDocument/inlayHint", json!({ "textDocument": document, "range": whole })).unwrap());
    let actions = json!({ "textDocument": document, "range": whole, "context": { "diagnostics": [] } });
    answers.push(editor.ask("textDocument/codeAction", actions).unwrap());
    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": document })).unwrap();
    assert!(symbols.to_string().contains("[redacted]"), "{symbols}");
    answers.push(symbols);
    answers.push(editor.ask("workspace/symbol", json!({ "query": "" })).unwrap());
    editor.stop();
    let leak = answers.iter().find(|answer| answer.to_string().contains("hunter2"));
    assert!(leak.is_none(), "{leak:?}");
}

#[test]
fn definitions_and_references_reach_imported_ruby() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ruby");
    let uri = format!("file://{root}/open.pp");
    let text = "lantern { 'a': colour => 'red' }\nlantern { 'b': colour => 'green' }\n";
    let mut editor = Editor::start(root, capabilities());
    editor.open(&uri, text);
    let mut ask = |method: &str, character: u32| {
        let mut params = place_params(&uri, &json!({ "line": 0, "character": character }));
        params["context"] = json!({ "includeDeclaration": true });
        let answer = editor.ask(method, params).unwrap();
        let places = if answer.is_object() { vec![answer] } else { answer.as_array().cloned().unwrap_or_default() };
        let shown = |place: &Json| {
            let path = place["uri"].as_str().unwrap().strip_prefix(&format!("file://{root}/")).unwrap();
            let text = if path == "open.pp" { text.to_owned() } else { std::fs::read_to_string(format!("{root}/{path}")).unwrap() };
            format!("{path}: {}", common::editor::excerpt(&text, &place["range"]).1.trim())
        };
        places.iter().map(shown).collect::<Vec<_>>()
    };
    let file = "modules/shop/lib/puppet/type/lantern.rb";
    let definitions = ask("textDocument/definition", 16);
    assert!(definitions.len() == 1 && definitions[0].starts_with(file) && definitions[0].contains(":colour"), "{definitions:?}");
    let types = ask("textDocument/definition", 2);
    assert!(types.len() == 1 && types[0].starts_with(file), "{types:?}");
    let references = ask("textDocument/references", 16);
    assert!(references.iter().any(|r| r.starts_with(file)), "{references:?}");
    assert_eq!(references.iter().filter(|r| r.starts_with("open.pp")).count(), 2, "{references:?}");
    editor.stop();
}

/// A mark in `tests/lsp/mentions`: letter, file, line and column.
type Mark = (char, String, u64, u64);

/// Removes the marks in a document: `⟨m:mode⟩` is `mode`.
fn unmarked(file: &str, text: &str, marks: &mut Vec<Mark>) -> String {
    let mut plain = String::new();
    for (row, line) in text.split_inclusive('\n').enumerate() {
        let mut pieces = line.split('⟨');
        let mut clean = pieces.next().unwrap().to_owned();
        for piece in pieces {
            let (mark, rest) = piece.split_once('⟩').unwrap();
            let (letter, name) = mark.split_once(':').unwrap();
            marks.push((letter.chars().next().unwrap(), file.to_owned(), row as u64, clean.encode_utf16().count() as u64));
            clean.push_str(name);
            clean.push_str(rest);
        }
        plain.push_str(&clean);
    }
    plain
}

#[test]
fn every_kind_of_mention_is_a_reference() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let mut marks: Vec<Mark> = Vec::new();
    std::fs::create_dir(root.join("types")).unwrap();
    let mut texts = Vec::new();
    for file in ["types/shared.rtype", "types/lamp.rtype", "types/shade.rtype", "site.pp"] {
        let marked = std::fs::read_to_string(format!("tests/lsp/mentions/{file}")).unwrap();
        let plain = unmarked(file, &marked, &mut marks);
        std::fs::write(root.join(file), &plain).unwrap();
        texts.push((file, plain));
    }
    let uri = |file: &str| format!("file://{}/{file}", root.display());
    let mut editor = Editor::start(root.to_str().unwrap(), capabilities());
    for (file, plain) in &texts {
        // The other files are found on the disk.
        editor.open(&uri(file), plain);
        for (letter, _, line, character) in marks.iter().filter(|(_, of, ..)| of == file) {
            let mut params = place_params(&uri(file), &json!({ "line": line, "character": character }));
            params["context"] = json!({ "includeDeclaration": true });
            let answer = editor.ask("textDocument/references", params).unwrap();
            let mut found: Vec<(String, u64, u64)> =
                answer.as_array().unwrap_or(&Vec::new()).iter().map(|l| mark_of(l, &uri(""))).collect();
            found.sort();
            let mut expected: Vec<_> = marks.iter().filter(|(of, ..)| of == letter).map(|(_, f, l, c)| (f.clone(), *l, *c)).collect();
            expected.sort();
            assert_eq!(found, expected, "{letter} at {file}:{}:{}", line + 1, character + 1);
        }
        editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri(file) } }));
    }
    editor.stop();
}

/// Returns file, line and column of a location.
fn mark_of(location: &Json, root: &str) -> (String, u64, u64) {
    let start = &location["range"]["start"];
    let file = location["uri"].as_str().unwrap().strip_prefix(root).unwrap().to_owned();
    (file, start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap())
}
