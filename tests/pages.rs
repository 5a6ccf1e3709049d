//! Runs every command in the README, the guide, the docs and the pages in `tests/cmd`, and compares the output.
//!
//! A page shows commands in blocks marked `console`: `$ command`, then `? 1` if the exit status is not 0, then the output, including
//! standard error. `[..]` matches any characters in a line, a line `...` matches any lines. Commands run in the directory of the project
//! with `rtype` on the path. `UPDATE_PAGES=1 cargo test --test it pages::` writes the current output. Review the output before you commit
//! it.

use regex::Regex;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command on a page.
struct Step {
    command: String,
    code: i32,
    output: String,
}

/// Returns the steps of a block.
fn steps(block: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), code: 0, output: String::new() });
        } else if let Some(step) = steps.last_mut() {
            match line.strip_prefix("? ").filter(|_| step.output.is_empty()) {
                Some(code) => step.code = code.parse().unwrap(),
                // `> ` continues the command, as in a shell.
                None if line.starts_with("> ") && step.output.is_empty() => {
                    step.command.push('\n');
                    step.command.push_str(&line[2..]);
                }
                None => {
                    step.output.push_str(line);
                    step.output.push('\n');
                }
            }
        }
    }
    steps
}

/// Returns the exit status, and the output without trailing blanks.
fn run(command: &str) -> (i32, String) {
    let program = assert_cmd::cargo::cargo_bin("rtype");
    let directory = program.parent().unwrap();
    let path = format!("{}:{}", directory.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .env("PATH", path)
        .env("NO_COLOR", "1")
        // The pages show output of other programs, such as `ls`, in English.
        .env("LC_ALL", "C.UTF-8")
        // `check` prints more details with this variable.
        .env_remove("GITHUB_ACTIONS")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    (output.status.code().unwrap(), lines.join("\n").trim_end().to_owned())
}

fn fits(expected: &str, actual: &str) -> bool {
    let mut pattern = String::from(r"\A");
    for line in expected.trim_end().lines() {
        if line == "..." {
            pattern += r"(?:.*\n)*?";
        } else {
            let parts: Vec<String> = line.trim_end().split("[..]").map(regex::escape).collect();
            pattern += &parts.join(".*");
            pattern += r"\n";
        }
    }
    Regex::new(&(pattern + r"\z")).unwrap().is_match(&if actual.is_empty() { String::new() } else { format!("{actual}\n") })
}

/// Runs the commands on a page. Returns the corrected page and the outdated steps.
fn page(path: &Path) -> (String, Vec<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut out, mut wrong) = (String::new(), Vec::new());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("```console\n") {
        let (block, after) = after.split_once("```").expect("a block that ends");
        let _ = writeln!(out, "{before}```console");
        for step in steps(block) {
            let (code, actual) = run(&step.command);
            let good = code == step.code && fits(&step.output, &actual);
            if !good {
                wrong.push(format!("$ {}\n? {code} (expected {})\n{actual}\n--- expected\n{}", step.command, step.code, step.output));
            }
            let _ = writeln!(out, "$ {}", step.command.replace('\n', "\n> "));
            if code != 0 {
                let _ = writeln!(out, "? {code}");
            }
            let kept = if good { step.output.trim_end().to_owned() } else { actual };
            if !kept.is_empty() {
                let _ = writeln!(out, "{kept}");
            }
            out.push('\n');
        }
        out.truncate(out.trim_end().len());
        out.push_str("\n```");
        rest = after;
    }
    out.push_str(rest);
    (out, wrong)
}

#[test]
fn pages_show_the_current_output() {
    let mut paths: Vec<PathBuf> = std::fs::read_dir("tests/cmd").unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths.extend(
        [
            "README.md",
            "docs/guide.md",
            "docs/import.md",
            "docs/linter.md",
            "docs/manifests.md",
            "docs/providers.md",
            "docs/repl.md",
            "docs/resources.md",
        ]
        .map(PathBuf::from),
    );
    let mut wrong = Vec::new();
    for path in paths {
        let (text, found) = page(&path);
        if std::env::var_os("UPDATE_PAGES").is_some() {
            std::fs::write(&path, text).unwrap();
        }
        wrong.extend(found.into_iter().map(|w| format!("{}:\n{w}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn wildcards_match_text_and_lines() {
    assert!(fits("a [..] c\n", "a b c"));
    assert!(!fits("a [..] c\n", "a b\nc"));
    assert!(fits("a\n...\nd\n", "a\nb\nc\nd"));
    assert!(!fits("a\n", "a\nb"));
    assert!(!fits("a\n", ""));
}
