//! Untrusted strings in all output: no command and no format prints control characters, and GitHub's runner finds no workflow commands.

use assert_cmd::Command;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Terminal sequences (title, link, clipboard), 8-bit control characters, invisible and reordering characters, workflow commands, elements of HTML.
pub const HOSTILE: &str = "<img src=x onerror=y>\"onload=z\u{1b}]0;x\u{7}\u{1b}]8;;http://a\u{1b}\\\u{1b}]52;c;eA==\u{7}\u{1b}[8m\u{9b}31m\u{202e}\u{2066}\u{200b}\u{7f}\u{8}\u{e0041}::error::a##[stop-commands]x";

/// Git forbids control characters and brackets in branch names.
const BRANCH: &str = "\u{202e}\u{200b}<img##x";

/// The arguments for printing hostile strings, by command. Commands with an empty list print only strings of this machine or of rtype.
const ARGUMENTS: &[(&str, &[&str])] = &[
    ("agent", &["NAME", "--settings NAME"]),
    (
        "apply",
        &[
            "--noop NAME.pp",
            "--noop --format json NAME.pp",
            "--noop --verbose catalog.json",
            "--simulate --format json --report written/NAME.jsonl --state-dir state valid.json",
            "--simulate --state-dir state valid.json",
        ],
    ),
    (
        "check",
        &[
            "DIR",
            "DIR --statistics",
            "DIR --format concise",
            "DIR --format json",
            "DIR --format jsonl",
            "DIR --format github",
            "DIR --format gitlab",
            "DIR --format sarif",
            "DIR --format junit",
            "DIR --format checkstyle",
            "DIR --format rdjson",
            "DIR --diff --fix-suppress",
            "DIR --report github=written/a.txt --report gitlab=written/b.json --report sarif=written/c.sarif --report junit=written/d.xml",
            "DIR --report checkstyle=written/e.xml --report rdjson=written/f.json --report jsonl=written/g.jsonl --report full=written/h.txt",
            "DIR --since HEAD",
            "DIR --since BRANCH",
            "DIR --since NAME",
            "catalog.json",
            "catalog.json --format github",
            "NAME",
            "--select NAME DIR",
        ],
    ),
    ("compile", &["NAME.pp", "NAME", "-e NAME", "--facts valid.json NAME.pp", "--all-nodes nodes -o written/nodes facts.pp"]),
    ("lookup", &["NAME", "NAME --explain", "a --facts valid.json --type NAME", "a --merge NAME --default NAME", "a --compile"]),
    ("completions", &["NAME"]),
    ("describe", &["DIR", "DIR --format json", "NAME", "--language NAME"]),
    (
        "diff",
        &[
            "DIR OTHER",
            "DIR OTHER --format json",
            "DIR OTHER --format markdown",
            "catalog.json other.json",
            "catalog.json other.json --format json",
            "catalog.json other.json --format markdown",
            "--since HEAD DIR",
            "--since NAME DIR",
            "NAME NAME",
        ],
    ),
    (
        "doc",
        &[
            "DIR",
            "DIR --format man",
            "DIR --format json",
            "DIR --format html -o written/html",
            "DIR --format markdown -o written/markdown",
            "DIR --format man -o written/man",
            "NAME",
        ],
    ),
    ("explain", &["NAME"]),
    ("facts", &["NAME"]),
    ("fmt", &["--check DIR", "--diff DIR", "NAME"]),
    ("import", &["--explain DIR", "--report written/NAME.json DIR", "-o written/types DIR", "NAME"]),
    ("inspect", &["NAME.pp", "NAME.pp --format json", "catalog.json", "catalog.json --format json", "NAME"]),
    ("lsp", &["NAME"]),
    ("new", &["type NAME"]),
    ("provider", &["test NAME", "test ./NAME"]),
    ("repl", &["NAME", "NAME.pp"]),
    ("resource", &["NAME", "file /DIR/NAME"]),
    ("schema", &["DIR", "DIR -o written/NAME.json", "NAME"]),
    ("test", &["DIR", "DIR --format json", "NAME"]),
];

/// Returns a string as part of a literal in double quotes.
fn quoted(text: &str) -> String {
    text.replace('\\', "").replace('"', "\\\"")
}

/// Writes the files for the commands, in a git repository.
fn prepare(directory: &Path, name: &str) {
    let write = |name: &str, text: String| {
        let path = directory.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.current_dir(directory).args(["-c", &format!("user.name={HOSTILE}"), "-c", "user.email=a@example.com"]).args(arguments);
        let output = git.env("HOME", directory).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    let text = quoted(HOSTILE);
    let of_type = |values: &str| {
        format!(
            "type lamp {{\n  desc \"A {text} lamp.\"\n  newparam name {{ desc \"{text}\" }}\n  newproperty level {{\n    desc \"{text}\"\n    newvalues {values}\n  }}\n}}\n"
        )
    };
    let catalog = |parameters: Json| {
        let resources = json!([{"type": "File", "title": format!("/{HOSTILE}"), "file": HOSTILE, "line": 3, "tags": [HOSTILE], "parameters": parameters},
            {"type": HOSTILE, "title": HOSTILE, "parameters": {HOSTILE: HOSTILE}},
            {"type": "Notify", "title": HOSTILE, "parameters": {"message": HOSTILE, "require": HOSTILE}}]);
        json!({"name": HOSTILE, "version": HOSTILE, "environment": HOSTILE, "resources": resources, "classes": [HOSTILE],
            "edges": [{"source": "Stage[main]", "target": HOSTILE}]})
        .to_string()
    };
    write("types/lamp.rtype", of_type("low, high"));
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", HOSTILE]);
    git(&["branch", BRANCH]);
    write("types/lamp.rtype", of_type("low, low"));
    write(&format!("types/{name}.rtype"), format!("type x {{ {HOSTILE} }}\n::error::a\n"));
    write("other/lamp.rtype", of_type("low, high, medium").replace('A', "The"));
    write(&format!("types/{name}.pp"), format!("file {{ '/{name}': mode => '{HOSTILE}', {HOSTILE} => 1 }}\n::warning::b\n"));
    write(&format!("{name}.pp"), format!("notify {{ '{name}': message => '{HOSTILE}' }}\n"));
    write("types/x.json", json!([{ "type": "file", "title": HOSTILE, "parameters": { HOSTILE: 1 } }]).to_string());
    write("nodes/web1.json", json!({"x": HOSTILE}).to_string());
    write("facts.pp", "notify { $facts['x']: message => $facts['x'] }".to_owned());
    write("catalog.json", catalog(json!({"ensure": "file", "content": HOSTILE, "owner": HOSTILE, HOSTILE: 1})));
    write("other.json", catalog(json!({"ensure": "file", "content": "x", "owner": "root", "mode": HOSTILE})));
    let valid = json!([{"type": "File", "title": format!("/{HOSTILE}"), "parameters": {"ensure": "file", "content": HOSTILE}},
        {"type": "Notify", "title": HOSTILE, "parameters": {"message": HOSTILE}}]);
    write("valid.json", json!({"name": HOSTILE, "version": HOSTILE, "environment": HOSTILE, "resources": valid, "edges": []}).to_string());
    let ruby = format!(
        "Puppet::Type.newtype(:torch) do\n  @doc = %q({HOSTILE})\n  newparam(:name, namevar: true) {{ desc %q({HOSTILE}); munge {{ |v| Foo.bar(v, %q({HOSTILE})) }} }}\nend\n"
    );
    write("types/lib/puppet/type/torch.rb", ruby);
}

#[test]
fn no_command_prints_control_characters() {
    let listed: BTreeSet<String> = ARGUMENTS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(crate::common::commands(), listed, "each command has its arguments here");
    let directory = tempfile::tempdir().unwrap();
    // File names cannot contain `/`.
    let name = HOSTILE.replace('/', "");
    prepare(directory.path(), &name);
    let written = directory.path().join("written");
    let mut wrong = Vec::new();
    for (command, all) in ARGUMENTS {
        for arguments in *all {
            std::fs::create_dir_all(&written).unwrap();
            let words = arguments.split(' ').map(|word| match word {
                "DIR" => "types".to_owned(),
                "OTHER" => "other".to_owned(),
                "BRANCH" => BRANCH.to_owned(),
                word => word.replace("NAME", &name).replace("DIR", "types"),
            });
            let mut run = Command::cargo_bin("rtype").unwrap();
            let run = run.arg(command).args(words).current_dir(directory.path()).env("NO_COLOR", "1").env("GITHUB_ACTIONS", "true");
            let output = run.env("HOME", directory.path()).timeout(Duration::from_secs(60)).output().unwrap();
            for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
                let text = String::from_utf8_lossy(bytes);
                assert!(!text.contains("unexpected argument '-"), "{command} {arguments}: {text}");
                // Applied files are trusted.
                let found = match *command {
                    "apply" | "repl" => control_character(&text).into_iter().collect(),
                    _ => faults(&text),
                };
                wrong.extend(found.into_iter().map(|fault| format!("{command} {arguments}: {stream} has {fault}")));
            }
            let mut files = Vec::new();
            files_below(&written, &mut files);
            assert_eq!(arguments.contains("written"), !files.is_empty(), "{command} {arguments}: {output:?}");
            for (path, text) in files {
                let mut found = control_character(&text).map(|found| vec![found]).unwrap_or_default();
                let is_markup = path.extension().is_some_and(|e| e == "html" || e == "xml");
                if is_markup && let Some(line) = text.lines().find(|line| line.contains("<img src=x") || line.contains("y>\"onload")) {
                    found.push(format!("an element of the input in {line:?}"));
                }
                wrong.extend(found.into_iter().map(|fault| format!("{command} {arguments}: {} has {fault}", path.display())));
            }
            std::fs::remove_dir_all(&written).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns all files below a directory, with their contents.
fn files_below(directory: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in directory.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push((path.clone(), String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned()));
        }
    }
}

/// Describes the control characters and workflow commands in output.
fn faults(text: &str) -> Vec<String> {
    let command = workflow_command(text).map(|line| format!("a workflow command in {line:?}"));
    control_character(text).into_iter().chain(command).collect()
}

pub fn control_character(text: &str) -> Option<String> {
    let is_control = |c: &char| {
        (c.is_control() && *c != '\n' && *c != '\t')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    let c = text.chars().find(is_control)?;
    Some(format!("{c:?} in {:?}", text.lines().find(|line| line.contains(c)).unwrap_or_default()))
}

/// Returns a line that GitHub's runner would run as a workflow command, unless rtype itself wrote the command.
fn workflow_command(text: &str) -> Option<&str> {
    let mut token: Option<String> = None;
    for line in text.lines() {
        if let Some(word) = &token {
            if line == format!("::{word}::") {
                token = None;
            }
        } else if let Some(word) = line.strip_prefix("::stop-commands::") {
            token = Some(word.to_owned());
        } else {
            let is_own = line.starts_with("::") && (line.contains(" file=") || line.contains(" title="));
            // The runner finds `##[…]` anywhere in a line. Errors about the command line repeat words of the workflow's author.
            let is_usage = line.starts_with("error: ") || line.starts_with("rtype: ");
            if !is_own && (line.trim_start().starts_with("::") || line.contains("##[") && !is_usage) {
                return Some(line);
            }
        }
    }
    None
}
