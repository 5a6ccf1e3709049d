//! The pages for users and the program agree about commands, options, codes, keys of `rtype.toml` and `agent.toml`, environment variables
//! and exit statuses.

use crate::common::site::Site;
use clap::{Arg, Command, CommandFactory};
use regex::Regex;
use rtype::cli::Arguments;
use rtype_lang::diagnostics::Code;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns the paths and contents of the pages for users.
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

/// Returns the first word or option of a command line that does not exist in the program.
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
    let root = Arguments::commands();
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
    // A list chooses the other proxies by the scheme of an address.
    documented.retain(|name| !matches!(name.as_str(), "http_proxy" | "https_proxy" | "all_proxy"));
    assert_eq!(found, documented, "the table in docs/README.md differs from the sources");
}

/// Returns the code blocks in a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let head = format!("\n```{language}\n");
    page.split(head.as_str()).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

/// Runs a command in the directory of a site; returns both outputs and the exit status.
fn run(site: &Site, arguments: &[&str]) -> (String, i32) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rtype"));
    let output = command.current_dir(site.path()).args(arguments).stdin(std::process::Stdio::null()).output().unwrap();
    (String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
}

#[test]
fn keys_of_the_configuration_are_documented() {
    let page = std::fs::read_to_string("docs/linter.md").unwrap();
    let block = blocks(&page, "toml").into_iter().find(|block| block.contains("required-version")).unwrap().to_owned();
    let site = Site::new("notify { 'x': }\n");
    site.write("rtype.toml", "nosuch = 1\n");
    let (text, _) = run(&site, &["check", "site.pp"]);
    // The error lists the keys.
    let help = text.split("use one of ").nth(1).unwrap().split("\n\n").next().unwrap();
    let known: BTreeSet<&str> = help.split('`').skip(1).step_by(2).collect();
    let (keys, tables) = block.split_once("\n[").unwrap();
    let keys = keys.lines().map(|line| line.split(' ').next().unwrap());
    let tables = tables.lines().filter_map(|line| line.trim_start_matches('[').split_once(']')).map(|(name, _)| name);
    let documented: BTreeSet<&str> = keys.chain(tables.filter(|name| known.contains(name))).filter(|name| !name.is_empty()).collect();
    assert_eq!(documented, known);
    site.write("rtype.toml", &block.replace("types = [\"types\"]", "types = []"));
    site.write("rtype-baseline.json", "{\"version\": 1, \"findings\": []}");
    let (text, _) = run(&site, &["check", "site.pp"]);
    assert!(!text.contains("RT408"), "{text}");
}

#[test]
fn settings_of_the_agent_are_documented() {
    let page = std::fs::read_to_string("docs/agent.md").unwrap();
    let table = page.split("\n| setting | default | meaning |\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let cells = table.lines().skip(1).filter_map(|line| line.split('|').nth(1));
    let documented: BTreeSet<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert_eq!(documented, rtype_agent::SETTING_NAMES.iter().copied().collect());
    // In prose, settings are written like assignments.
    let assignment = Regex::new(r"`([a-z_]+) = [^`]*`").unwrap();
    for (path, page) in pages().into_iter().filter(|(path, _)| path.ends_with("agent.md") || path.ends_with("operations.md")) {
        for found in assignment.captures_iter(&page) {
            assert!(rtype_agent::SETTING_NAMES.contains(&&found[1]), "{}: `{}`", path.display(), &found[1]);
        }
    }
}

/// Command lines with each exit status of the table in `docs/README.md`, except for wrong usage.
const STATUSES: &[(&str, i32)] = &[
    ("check ok.pp", 0),
    ("check wrong.pp", 1),
    ("test good.rtype", 0),
    ("test bad.rtype", 1),
    ("fmt --check good.rtype", 0),
    ("fmt --check bad.rtype", 1),
    ("import t.rb", 0),
    ("import none.rb", 1),
    ("explain RT012", 0),
    ("explain RT999", 2),
    ("diff good.rtype good.rtype", 0),
    ("diff good.rtype other.rtype", 1),
    ("describe file", 0),
    ("describe nosuch", 1),
    ("doc good.rtype", 0),
    ("doc broken.rtype", 1),
    ("schema good.rtype", 0),
    ("schema broken.rtype", 1),
    ("inspect ok.pp", 0),
    ("inspect wrong.pp", 1),
    ("inspect --exit-code ok.pp", 2),
    ("inspect --exit-code --types types unknown.pp", 4),
    ("inspect --exit-code --types types unknown.pp ok.pp", 6),
    ("resource file @/ok.pp", 0),
    ("resource nosuch", 1),
    ("compile ok.pp", 0),
    ("compile -e fail(1)", 1),
    ("lookup a --default 1", 0),
    ("lookup a", 1),
    ("apply --state-dir state --noop ok.pp", 0),
    ("apply --state-dir state fails.pp", 1),
    ("apply --state-dir state --noop --detailed-exitcodes ok.pp", 2),
    ("apply --state-dir state --detailed-exitcodes fails.pp", 4),
    ("apply --state-dir state --detailed-exitcodes both.pp", 6),
    ("repl", 0),
    ("provider test --cases 3 record --types types", 0),
    ("provider test --cases 3 lossy --types types", 1),
    ("new type lamp", 0),
    ("new type lamp", 1),
    ("facts", 0),
    ("completions bash", 0),
];

#[test]
fn exit_statuses_of_the_index_are_those_of_the_program() {
    let good = "type good {\n  newparam name { isnamevar }\n  newproperty size\n}\n";
    let site = Site::new("");
    site.write("ok.pp", "file { '@/new': ensure => file }\n");
    site.write("wrong.pp", "file { '@/new': ensure => nosuch_state, mode => 'x' }\n");
    site.write("fails.pp", "exec { '/bin/false': }\n");
    site.write("both.pp", "exec { '/bin/false': }\nexec { '/bin/true': }\n");
    site.write("good.rtype", &format!("{good}\ntest \"a\" {{\n  good {{ 'x': }}\n  expect true\n}}\n"));
    site.write("bad.rtype", &format!("{}test \"a\" {{ good {{ 'x': }}\n expect   false }}\n", good.replace("  new", "new")));
    site.write("other.rtype", &good.replace("  newproperty size\n", ""));
    site.write("broken.rtype", "type broken {\n  nosuch\n}\n");
    site.write("t.rb", "Puppet::Type.newtype(:t) do\n  newparam(:name, namevar: true)\nend\n");
    let record = "type record {\n  ensurable\n  newparam name { isnamevar; matches /\\A[a-z]+\\z/ }\n  newproperty size { type Integer }\n}\nprovider file, for: record {\n  records\n  file_path \"/etc/records\"\n  parse { |line| let parts = line.split(\":\"); {name: parts[0], size: parts[1].to_i} }\n  print { |r| \"#{r[:name]}:#{r[:size].to_i}\" }\n}\n";
    site.write("types/record.rtype", record);
    // No provider can read this type.
    site.write("unknown.pp", "bare { 'x': size => 3 }\n");
    site.write("types/bare.rtype", &good.replace("good", "bare"));
    site.write("types/lossy.rtype", &record.replace("record {", "lossy {").replace("parts[1].to_i", "0"));
    let index = std::fs::read_to_string("docs/README.md").unwrap();
    let table = index.split("\n## Commands\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let number = Regex::new(r"\b[0-9]\b").unwrap();
    let mut wrong = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').collect();
        let documented: BTreeSet<i32> = number.find_iter(cells[3]).map(|found| found.as_str().parse().unwrap()).collect();
        for name in cells[1].split('`').skip(1).step_by(2).map(|name| name.split(' ').next().unwrap()) {
            // `agent` and `lsp` have separate tests, with a server and a client.
            if ["agent", "lsp"].contains(&name) {
                continue;
            }
            let mut found = BTreeSet::new();
            for (line, expected) in STATUSES.iter().filter(|(line, _)| line.split(' ').next() == Some(name)) {
                let line = line.replace('@', site.path().to_str().unwrap());
                let (text, status) = run(&site, &line.split(' ').collect::<Vec<_>>());
                if status != *expected {
                    wrong.push(format!("`{line}` exits with {status} instead of {expected}: {text}"));
                }
                found.insert(status);
            }
            if found != documented {
                wrong.push(format!("`{name}`: {found:?}, documented are {documented:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_promise_of_security_names_its_tests() {
    let page = std::fs::read_to_string("SECURITY.md").unwrap();
    let promises = page.split("## What rtype promises").nth(1).unwrap().split("\n## ").next().unwrap();
    let promises: Vec<&str> = promises.split("\n- **").skip(1).collect();
    assert!(promises.len() >= 10, "{promises:?}");
    for promise in promises {
        let tests: Vec<&str> = promise.split('`').filter(|code| code.starts_with("tests/")).collect();
        assert!(!tests.is_empty(), "no test: {promise}");
        tests.iter().for_each(|path| assert!(std::path::Path::new(path).exists(), "{path}: {promise}"));
    }
}

/// Returns the cells of a row in the table of `tests/proof/run`. The columns are: types, complete, partial, refused, cases, agree, deviate,
/// unchecked, no type, wrong.
fn proof_row(name: &str) -> Vec<String> {
    let table = std::fs::read_to_string("tests/proof/numbers.txt").unwrap();
    let row = table.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
    let with_comma = |number: &str| match number.len() {
        0..=3 => number.to_owned(),
        length => format!("{},{}", &number[..length - 3], &number[length - 3..]),
    };
    row.split_whitespace().skip(1).map(with_comma).collect()
}

#[test]
fn figures_about_the_importer_are_those_of_the_recorded_run() {
    let (own, debian) = (proof_row("stdlib"), proof_row("debian"));
    let (types, complete) = (&debian[0], &debian[1]);
    let sentences = [
        ("README.md", format!("Of the {types} types in Debian's modules, {complete} are translated completely")),
        ("docs/comparison.md", format!("in {} of {} recorded resources; the other {} differ on purpose", own[5], own[4], own[6])),
        ("docs/comparison.md", format!("Of the {types} types in Debian's Puppet modules, `rtype import` translates {complete} completely")),
        (
            "docs/comparison.md",
            format!(
                "Of {} recorded cases of these types, {} have the same result as in Puppet, {} differ for listed reasons, and {} reach a block",
                debian[4], debian[5], debian[6], debian[7]
            ),
        ),
    ];
    for (page, sentence) in sentences {
        let text = std::fs::read_to_string(page).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&sentence), "{page} lacks: {sentence}");
    }
}
