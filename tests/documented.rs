//! What the pages name exists in the program, and the pages name what exists: commands, options, codes, keys of `rtype.toml`, environment
//! variables.

use clap::{Arg, Command, CommandFactory};
use regex::Regex;
use rtype::cli::Arguments;
use rtype_lang::diagnostics::Code;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns the pages for users: paths and texts.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = std::fs::read_dir("docs").unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "md"));
    let mut all: Vec<PathBuf> = docs.chain(["README.md".into()]).collect();
    all.sort();
    all.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// Returns the command lines of rtype in the code spans and command blocks of a page.
fn command_lines(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut block: Option<&str> = None;
    for line in page.lines() {
        if let Some(head) = line.trim_start().strip_prefix("```") {
            block = if block.is_some() { None } else { Some(head) };
        } else if let Some(head) = block {
            let is_command = head == "sh" || head == "console" && line.starts_with("$ ") || head == "yaml";
            let starts = line.match_indices("rtype ").map(|(at, _)| at).filter(|at| !line[..*at].ends_with(['-', '/', '_', '.']));
            found.extend(starts.filter(|_| is_command).map(|at| line[at..].to_owned()));
        } else {
            found.extend(line.split('`').skip(1).step_by(2).filter(|span| span.starts_with("rtype ")).map(str::to_owned));
        }
    }
    found
}

fn find<'c>(command: &'c Command, option: &str) -> Option<&'c Arg> {
    let is_short = option.len() == 2;
    command.get_arguments().find(|a| match is_short {
        true => a.get_short_and_visible_aliases().into_iter().flatten().any(|c| option.ends_with(c)),
        false => a.get_long().into_iter().chain(a.get_all_aliases().into_iter().flatten()).any(|name| option[2..] == *name),
    })
}

/// Returns the first word or option of a command line that the program does not have.
fn unknown(line: &str, root: &Command) -> Option<String> {
    let end = line.find(['|', ';', '#', '&', '>', '<', ')', '(', '…', '"', '\'']).unwrap_or(line.len());
    let mut command = root;
    let mut takes_commands = true;
    let mut words = line[..end].split_whitespace().skip(1);
    while let Some(word) = words.next() {
        let word = word.trim_matches(['\'', ',', '.', '[', ']', ':']);
        if word == "--" {
            return None;
        }
        if word.starts_with('-') && word.len() > 1 {
            let option = word.split('=').next().unwrap();
            let is_standard = matches!(option, "--help" | "-h" | "--version" | "-V");
            match find(command, option).or_else(|| find(root, option)) {
                Some(found) if found.get_action().takes_values() && !word.contains('=') => drop(words.next()),
                None if !is_standard => return Some(option.to_owned()),
                _ => {}
            }
        } else if takes_commands && command.has_subcommands() {
            match command.find_subcommand(word) {
                Some(found) => command = found,
                // `rtype COMMAND`, `rtype --types DIR check`
                None if std::ptr::eq(command, root) && word.chars().all(|c| c.is_ascii_lowercase()) && !word.is_empty() => {
                    return Some(word.to_owned());
                }
                None => takes_commands = std::ptr::eq(command, root),
            }
        }
    }
    None
}

#[test]
fn commands_and_options_on_pages_exist() {
    let mut root = Arguments::command();
    root.build();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (path, page) in pages() {
        for line in command_lines(&page) {
            seen += 1;
            if let Some(unknown) = unknown(&line, &root) {
                wrong.push(format!("{}: `{unknown}` in `{line}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen > 200, "only {seen} command lines were found");
}

#[test]
fn codes_on_pages_exist() {
    let code = Regex::new(r"\bR[TMXW][0-9]{3}\b").unwrap();
    let mut wrong = BTreeSet::new();
    for (path, page) in pages() {
        let unknown = code.find_iter(&page).filter(|found| Code::named(found.as_str()).is_none());
        wrong.extend(unknown.map(|found| format!("{}: {}", path.display(), found.as_str())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_index_lists_every_command() {
    let index = std::fs::read_to_string("docs/README.md").unwrap();
    let table = index.split("\n## Commands\n").nth(1).unwrap().split("\n## ").next().unwrap().to_owned();
    let rows: String = table.lines().filter_map(|l| l.split('|').nth(1)).collect();
    let root = Arguments::command();
    let missing = root.get_subcommands().filter(|c| !c.is_hide_set() && !rows.contains(&format!("`{}", c.get_name())));
    let missing: Vec<&str> = missing.map(Command::get_name).collect();
    assert!(missing.is_empty(), "docs/README.md lists no {missing:?}");
}

/// Collects the names in calls such as `variable("NO_COLOR")` from the sources in a directory.
fn variables(directory: &Path, found: &mut BTreeSet<String>) {
    let call = Regex::new(r#"\b(?:variable|absolute|env::var|env::var_os)\(\s*&?\[?((?:\s*"[A-Za-z_]+",?)+)"#).unwrap();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            variables(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for calls in call.captures_iter(code) {
                found.extend(calls[1].split('"').skip(1).step_by(2).map(str::to_owned));
            }
        }
    }
}

#[test]
fn environment_variables_are_documented() {
    let mut found = BTreeSet::new();
    for directory in ["src", "crates/system/src", "crates/provider/src", "crates/engine/src", "crates/agent/src", "crates/author/src"] {
        variables(Path::new(directory), &mut found);
    }
    let index = std::fs::read_to_string("docs/README.md").unwrap();
    let table = index.split("\n## Environment variables\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = table.lines().filter(|l| l.starts_with("| `")).filter_map(|l| l.split('|').nth(1));
    let mut documented: BTreeSet<String> = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned)).collect();
    // The other proxies are chosen by the scheme of an address, in a list.
    documented.retain(|name| !matches!(name.as_str(), "http_proxy" | "https_proxy" | "all_proxy"));
    assert_eq!(found, documented, "the table in docs/README.md differs from the sources");
}
