//! Untrusted text in all output: no command and no format prints control characters, and GitHub's runner finds no workflow commands.

use assert_cmd::Command;
use std::collections::BTreeSet;
use std::time::Duration;

/// Terminal sequences (title, link, clipboard), 8-bit control characters, invisible and reordering characters, workflow commands.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}]8;;http://a\u{1b}\\\u{1b}]52;c;eA==\u{7}\u{1b}[8m\u{9b}31m\u{202e}\u{2066}\u{200b}\u{7f}\u{8}\u{e0041}::error::a##[stop-commands]x";

/// The arguments with which each command prints hostile text. Commands with an empty list print only text of this machine or of rtype.
const ARGUMENTS: &[(&str, &[&str])] = &[
    ("agent", &["NAME", "--settings NAME"]),
    ("apply", &["--noop NAME.pp", "--noop --format json NAME.pp"]),
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
            "NAME",
            "--select NAME DIR",
        ],
    ),
    ("completions", &["NAME"]),
    ("describe", &["DIR", "DIR --format json", "NAME", "--language NAME"]),
    ("diff", &["DIR OTHER", "DIR OTHER --format json", "DIR OTHER --format markdown", "NAME NAME"]),
    ("doc", &["DIR", "DIR --format man", "DIR --format json", "NAME"]),
    ("explain", &["NAME"]),
    ("facts", &["NAME"]),
    ("fmt", &["--check DIR", "--diff DIR", "NAME"]),
    ("import", &["--explain DIR", "NAME"]),
    ("inspect", &["NAME.pp", "NAME.pp --format json", "NAME"]),
    ("lsp", &["NAME"]),
    ("new", &["type NAME"]),
    ("provider", &["test NAME", "test ./NAME"]),
    ("repl", &["NAME", "NAME.pp"]),
    ("resource", &["NAME", "file /DIR/NAME"]),
    ("schema", &["DIR", "NAME"]),
    ("test", &["DIR", "DIR --format json", "NAME"]),
];

#[test]
fn no_command_prints_control_characters() {
    let listed: BTreeSet<String> = ARGUMENTS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(crate::common::commands(), listed, "each command has its arguments here");
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    // File names cannot contain `/`.
    let name = HOSTILE.replace('/', "");
    let of_type = |values: &str| {
        format!("type lamp {{\n  desc \"A {HOSTILE} lamp.\"\n  newparam name {{ desc \"{HOSTILE}\" }}\n  newproperty level {{\n    desc \"{HOSTILE}\"\n    newvalues {values}\n  }}\n}}\n")
            .replace("\u{1b}\\", "\u{1b}")
    };
    write("types/lamp.rtype", of_type("low, low"));
    write(&format!("types/{name}.rtype"), format!("type x {{ {HOSTILE} }}\n::error::a\n"));
    write("other/lamp.rtype", of_type("low, high, medium").replace('A', "The"));
    write(&format!("types/{name}.pp"), format!("file {{ '/{name}': mode => '{HOSTILE}', {HOSTILE} => 1 }}\n::warning::b\n"));
    write(&format!("{name}.pp"), format!("notify {{ '{name}': message => '{HOSTILE}' }}\n"));
    write("types/x.json", serde_json::json!([{ "type": "file", "title": HOSTILE, "parameters": { HOSTILE: 1 } }]).to_string());
    let ruby = format!(
        "Puppet::Type.newtype(:torch) do\n  @doc = %q({HOSTILE})\n  newparam(:name, namevar: true) {{ desc %q({HOSTILE}); munge {{ |v| Foo.bar(v, %q({HOSTILE})) }} }}\nend\n"
    );
    write("types/lib/puppet/type/torch.rb", ruby);
    let mut wrong = Vec::new();
    for (command, all) in ARGUMENTS {
        for arguments in *all {
            let words = arguments.split(' ').map(|word| match word {
                "DIR" => "types".to_owned(),
                "OTHER" => "other".to_owned(),
                word => word.replace("NAME", &name).replace("DIR", "types"),
            });
            let mut run = Command::cargo_bin("rtype").unwrap();
            let run = run.arg(command).args(words).current_dir(directory.path()).env("NO_COLOR", "1").env("GITHUB_ACTIONS", "true");
            let output = run.env("HOME", directory.path()).timeout(Duration::from_secs(60)).output().unwrap();
            for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
                let text = String::from_utf8_lossy(bytes);
                let is_control = |c: &char| {
                    (c.is_control() && *c != '\n' && *c != '\t')
                        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
                };
                if let Some(c) = text.chars().find(is_control) {
                    let line = text.lines().find(|line| line.contains(c)).unwrap_or_default();
                    wrong.push(format!("{command} {arguments}: {stream} has {c:?} in {line:?}"));
                }
                if let Some(line) = workflow_command(&text) {
                    wrong.push(format!("{command} {arguments}: {stream} has a workflow command in {line:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
        } else if line.trim_start().starts_with("::") && !line.contains(" file=") && !line.contains(" title=") {
            return Some(line);
        }
    }
    None
}
